"""`engine.search_table`: values, kinds of input, bad rows, columns, Ctrl-C."""

import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import Any, cast

import chess
import chess.engine
import chess.variant
import numpy
import pandas
import pyarrow
import pytest

from betacut import InvalidPositionError, SearchResult, _betacut, engine, reference
from betacut.core.positions import POSITIONS
from betacut.engine import table as shaping
from support.boards import played
from support.commands import printed

P5_FEN = "8/R7/6k1/3q3p/5P2/4P1P1/4NK2/8"

COLUMNS = ["cp", "mate", "depth", "nodes", "line", "best_moves", "error"]

MATES = [
    "7k/8/8/8/8/8/RR6/K7 w - - 0 1",  # White mates in 2
    "8/8/8/8/8/2k5/2p5/K7 w - - 0 1",  # stalemate soon, or mate by Black
    "k7/8/8/8/8/8/rr6/7K b - - 0 1",  # Black mates
    "7k/5KQ1/8/8/8/8/8/8 b - - 0 1",  # Black is mated
    "7k/5K2/6Q1/8/8/8/8/8 b - - 0 1",  # stalemate
    "kr6/ppN5/8/8/8/8/8/7K b - - 0 1",  # Black is mated
    "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1",
    "r3k2r/P7/8/8/8/8/8/R3K2R w KQkq - 0 1",  # a promotion
    "5k2/8/8/8/8/8/7P/4K2R w K - 0 1",  # castling, three plies deep
]


def fens_of_games(count: int) -> list[str]:
    return [board.fen() for board in played(count)]


def check_rows(table: Any, results: Iterable[SearchResult | Exception]) -> None:  # noqa: ANN401
    """Its rows say the same as results of `search_many`."""
    for row, result in zip(table.to_pylist(), results, strict=True):
        if isinstance(result, Exception):
            assert row == {**dict.fromkeys(COLUMNS), "error": str(result)}
            continue
        mate = result.pov_score.white().mate()
        assert (row["cp"], row["mate"]) == (result.score if mate is None else None, mate)
        assert (row["depth"], row["nodes"]) == (result.depth, result.nodes)
        assert row["best_moves"].split() == [*map(str, result.best_moves)]
        assert row["line"].split() == [*map(str, result.pv)]
        assert row["error"] is None


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_rows_are_the_results_of_search_many(depth: int) -> None:
    fens = [*fens_of_games(150 // depth), *MATES, *POSITIONS.values()]
    table = engine.search_table(fens, depth)
    assert table.column_names == COLUMNS
    table.validate(full=True)
    check_rows(table, engine.search_many(fens, depth))


def test_rows_of_a_deep_search() -> None:
    """Where the search makes a table of its own, which the line uses too."""
    fens = [POSITIONS["P5"], POSITIONS["P6"], MATES[0]]
    check_rows(engine.search_table(fens, 6), engine.search_many(fens, 6))


def test_types() -> None:
    numbers = {"cp": "int32", "mate": "int32", "depth": "int16", "nodes": "int64"}
    texts = dict.fromkeys(("line", "best_moves", "error"), "string")
    assert engine.search_table(["P5"], 1).schema == pyarrow.schema({**numbers, **texts})


KINDS: dict[str, Callable[[list[str]], Any]] = {
    "list": list,
    "tuple": tuple,
    "generator": iter,
    "boards": lambda fens: [chess.Board(fen) for fen in fens],
    "boards and texts": lambda fens: [
        chess.Board(fen) if index % 2 else fen for index, fen in enumerate(fens)
    ],
    "string": pyarrow.array,
    "large_string": lambda fens: pyarrow.array(fens, pyarrow.large_string()),
    "string_view": lambda fens: pyarrow.array(fens).cast(pyarrow.string_view()),
    "binary": lambda fens: pyarrow.array(fens).cast(pyarrow.binary()),
    "dictionary": lambda fens: pyarrow.array(fens).dictionary_encode(),
    "large dictionary": lambda fens: KINDS["large_string"](fens).dictionary_encode(),
    "chunked": lambda fens: pyarrow.chunked_array([fens[:1], [], fens[1:20], fens[20:]]),
    "chunked dictionary": lambda fens: pyarrow.chunked_array(
        [pyarrow.array(part).dictionary_encode() for part in (fens[:11], fens[11:])]
    ),
    "a slice": lambda fens: pyarrow.array(["?"] * 13 + fens + ["?"] * 3)[13:-3],
    "a slice with nulls before": lambda fens: pyarrow.array([None] * 13 + fens + [None])[13:-1],
    "a slice of a dictionary": lambda fens: KINDS["dictionary"](["?"] * 13 + fens)[13:],
    "NumPy U": numpy.array,
    "NumPy object": lambda fens: numpy.array(fens, dtype=object),
    "NumPy boards": lambda fens: numpy.array([chess.Board(fen) for fen in fens], dtype=object),
    "every second of NumPy": lambda fens: numpy.array([x for fen in fens for x in (fen, "")])[::2],
    "pandas": pandas.Series,
    "pandas object": lambda fens: pandas.Series(fens, dtype=object),
    "pandas category": lambda fens: pandas.Series(fens, dtype="category"),
    "pandas Arrow": lambda fens: pandas.Series(fens, dtype=pandas.ArrowDtype(pyarrow.string())),
    "pandas boards": lambda fens: pandas.Series([chess.Board(fen) for fen in fens]),
    "pandas with labels": lambda fens: pandas.Series(
        fens, index=["columns", "shape", *range(len(fens) - 2)]
    ),
    "pandas index": pandas.Index,
}


@pytest.mark.parametrize("kind", KINDS)
def test_kinds_of_input(kind: str) -> None:
    fens = fens_of_games(50)
    for depth, multipv in ((2, None), (1, 1)):
        found = engine.search_table(KINDS[kind](fens), depth, multipv=multipv)
        assert found.equals(engine.search_table(fens, depth, multipv=multipv))
        assert found["error"].null_count == 50


def test_polars() -> None:
    polars = pytest.importorskip("polars")
    fens = fens_of_games(50)
    expected = engine.search_table(fens, 2)
    for series in (
        polars.Series(fens),
        polars.Series(["?", *fens])[1:],
        polars.Series(fens, dtype=polars.Categorical),
        polars.concat([polars.Series(fens[:20]), polars.Series(fens[20:])], rechunk=False),
        polars.Series([chess.Board(fen) for fen in fens], dtype=polars.Object),
    ):
        assert engine.search_table(series, 2).equals(expected)
    holes = engine.search_table(polars.Series([None, fens[0]]), 2)
    assert holes["error"].to_pylist() == ["there is no position: the value is null", None]
    with pytest.raises(TypeError, match=r"not a whole DataFrame \(fen\).*search_table\(df\['fen'"):
        engine.search_table(polars.DataFrame({"fen": fens}), 2)
    with pytest.raises(TypeError, match="fens must be a column of strings, not of int64"):
        engine.search_table(polars.Series([1, 2]), 2)


def test_ways_to_write_a_position() -> None:
    """The core reads most FENs by itself, python-chess the others; answers do not tell which."""
    texts = [
        # All fields, four, five; an EPD, blanks, two fields.
        *(f"{P5_FEN} w{rest}" for rest in (" - - 1 83", " - -", " - - 1", " - - hmvc 1; fmvn 83;")),
        *("P5", f"  {P5_FEN}   w - - 1 83", f"{P5_FEN} w"),
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w qkQK - 0 1",
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6",
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2",
        "8/8/8/8/8/2k5/2p5/K7 w - - 99 100",
        "8/8/8/8/8/2k5/2p5/K7 w - -",
    ]
    results = engine.search_many(texts, 3, on_error="return")
    assert sum(isinstance(one, Exception) for one in results) <= 1
    for given in (texts, pyarrow.array(texts)):
        check_rows(engine.search_table(given, 3), results)


BAD = [
    "nonsense",
    "",
    "8/8/8/8/8/2k5/2p5/8 w - - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN w KQkq - 0 1",
    "8/8/8/8/8/2k5/2p5/2K5 w - - 0 1 more",
    "4k3/8/8/8/8/8/8/4KQ2 w - e9 0 1",
    "é" * 20,
    "x" * 1_000_000,
    "8/8/8/8/8/2k5/2p5/2K5\tw\t-\t-\t0\t1\n\n",
]


@pytest.mark.parametrize("as_arrow", [False, True])
@pytest.mark.parametrize("depth", [1, 3])
def test_bad_rows(depth: int, as_arrow: bool) -> None:
    good = fens_of_games(40)
    pairs = itertools.zip_longest(good, BAD * 4)
    texts = [text for pair in pairs for text in pair if text is not None]
    results = engine.search_many(texts, depth, on_error="return")
    assert sum(isinstance(one, InvalidPositionError) for one in results) >= 32
    table = engine.search_table(pyarrow.array(texts) if as_arrow else texts, depth, threads=None)
    check_rows(table, results)
    assert max(len(error or "") for error in table["error"].to_pylist()) < 400


def test_objects_that_are_no_positions() -> None:
    given: list[Any] = [5, object, b"8/8", chess.Board(None), chess.variant.AtomicBoard(), ["P5"]]
    results = engine.search_many(given, 1, on_error="return")
    rows = engine.search_table(given, 1).to_pylist()
    assert [row["error"] for row in rows] == [str(one) for one in results]
    mixed = engine.search_table(numpy.array([5, "P5", None], dtype=object), 1)
    assert mixed["error"].to_pylist() == [
        "board must be a chess.Board or a FEN/EPD string, not int",
        None,
        "there is no position: the value is null",
    ]


@pytest.mark.parametrize(
    "given",
    [
        ["P5", None, "P6"],
        pyarrow.array(["P5", None, "P6"]),
        pyarrow.array([None] * 9 + ["P5", None, "P6"]).slice(9),
        pyarrow.array(["P5", None, "P6"]).dictionary_encode(),
        numpy.array(["P5", None, "P6"], dtype=object),
        numpy.array(["P5", float("nan"), "P6"], dtype=object),
        pandas.Series(["P5", None, "P6"]),
        pandas.Series(["P5", float("nan"), "P6"], dtype=object),
        pandas.Series(["P5", pandas.NA, "P6"], dtype="string"),
    ],
    ids=lambda given: f"{type(given).__name__} {getattr(given, 'dtype', '')}",
)
def test_nulls(given: Any) -> None:  # noqa: ANN401 - columns of all libraries
    missing = ValueError("there is no position: the value is null")
    expected: list[Any] = [engine.search("P5", 2), missing, engine.search("P6", 2)]
    check_rows(engine.search_table(given, 2), expected)
    for options in ({"multipv": 1}, {"algorithm": "minimax"}):
        found = engine.search_table(given, 2, columns=["error"], **options)
        assert found["error"].to_pylist() == [None, str(missing), None]


def test_nothing_but_nulls() -> None:
    for given in ([None] * 70, pyarrow.nulls(70), pandas.Series([None] * 70)):
        table = engine.search_table(given, 1)
        assert (table.num_rows, table["cp"].null_count, table["error"].null_count) == (70, 70, 0)


def test_text_that_is_not_utf8() -> None:
    good = POSITIONS["P5"].encode()
    ends = pyarrow.py_buffer(numpy.array([0, 2, 2 + len(good)], "i4").tobytes())
    texts = pyarrow.py_buffer(b"\xff\xfe" + good)
    for given in (
        pyarrow.array([good, b"\xff\xfe8/8", good], pyarrow.binary()),
        pyarrow.Array.from_buffers(pyarrow.string(), 2, [None, ends, texts]),
    ):
        errors = engine.search_table(given, 1)["error"].to_pylist()
        bad = 1 if len(errors) == 3 else 0
        assert errors[bad].startswith("the text is not UTF-8: ")
        assert [error for error in errors if error is not None] == [errors[bad]]
    (surrogate,) = engine.search_table(["\ud800"], 1)["error"].to_pylist()
    assert surrogate.startswith("cannot read FEN")
    assert surrogate.isprintable()


def test_columns_are_those_that_are_wanted() -> None:
    fens = [*fens_of_games(20), "nonsense"]
    everything = engine.search_table(fens, 3)
    others = ("cp", "mate", "best_moves", "line", "nodes", "depth", "error")
    for names in (["error", "line", "cp"], ["best_moves"], COLUMNS[::-1], others):
        table = engine.search_table(fens, 3, columns=names)
        assert table.column_names == list(names)
        for name in names:
            assert table[name].equals(everything[name])
    # Values alone take fewer nodes than all best moves.
    value = engine.search_table(fens, 3, columns=["cp", "mate", "nodes"])
    assert value["cp"].equals(everything["cp"])
    many = engine.search_many(fens[:-1], 3, best_moves=False)
    assert value["nodes"].to_pylist()[:-1] == [result.nodes for result in many]


def test_no_rows() -> None:
    schema = engine.search_table(["P5"], 1).schema
    empty: list[Any] = [[], (), pandas.Series([], dtype=object), numpy.array([], dtype="U5")]
    empty += [pyarrow.array([], pyarrow.string()), pyarrow.chunked_array([], pyarrow.string())]
    for given in empty:
        table = engine.search_table(given, 1)
        assert (table.num_rows, table.schema) == (0, schema), type(given)


@pytest.mark.parametrize(
    ("given", "error", "text"),
    [
        ("P5", TypeError, "fens must be an iterable of boards and FEN/EPD strings, not one str"),
        (chess.Board(), TypeError, "not one Board"),
        (None, TypeError, "not one NoneType"),
        (pyarrow.array([1, 2]), TypeError, "fens must be a column of strings, not of int64"),
        (numpy.array([1.5]), TypeError, "fens must be a column of strings, not of double"),
        (pandas.Series([1, 2]), TypeError, "fens must be a column of strings, not of int64"),
        (pyarrow.array([["P5"]]), TypeError, "not of list<"),
        (numpy.array([["P5", "P6"]]), ValueError, "fens must have one dimension, not 2"),
        (
            pandas.DataFrame({"game": [1], "FEN": ["P5"]}),
            TypeError,
            r"not a whole DataFrame \(game, FEN\): pass one, as in search_table\(df\['FEN'\], ",
        ),
        (
            pyarrow.table({"game": [1], "start_fen": ["P5"]}),
            TypeError,
            r"not a whole Table \(game, start_fen\).*search_table\(df\['start_fen'\], ...\)",
        ),
        (pandas.DataFrame(), TypeError, "a DataFrame, which has no columns"),
    ],
    ids=lambda given: type(given).__name__,
)
def test_bad_input(given: Any, error: type[Exception], text: str) -> None:  # noqa: ANN401
    with pytest.raises(error, match=text):
        engine.search_table(given, 1)


@pytest.mark.parametrize("function", [engine.search_many, engine.search_stream])
def test_a_frame_is_no_batch(function: Callable[..., Any]) -> None:
    for make in (pandas.DataFrame, pyarrow.table, pyarrow.record_batch):
        with pytest.raises(TypeError) as caught:
            function(make({"game": [1], "fen": ["P5"]}), 1)
        assert "pass one, as in search_many(df['fen'], ...)" in str(caught.value)
        assert "engine.search_table(df['fen'], ...)" in str(caught.value)


def test_threads_change_nothing() -> None:
    fens = pyarrow.array([*fens_of_games(300), None, "nonsense", "P5"] * 2)
    for depth in (1, 3):
        expected = engine.search_table(fens, depth)
        for threads in (2, 7, None):
            assert engine.search_table(fens, depth, threads=threads).equals(expected)


def test_limits_table_and_evaluation() -> None:
    fens = [POSITIONS["P5"], POSITIONS["kiwipete"]]
    limited = engine.search_table(fens, nodes=2000)
    check_rows(limited, engine.search_many(fens, nodes=2000, threads=1))
    assert engine.search_table(fens, 30, time=0.01)["depth"].to_pylist() != [30, 30]
    table = engine.Table(mb=1)
    values = ["cp", "mate", "line", "best_moves"]
    expected = engine.search_table(fens, 5, columns=values)
    for _ in range(2):
        assert engine.search_table(fens, 5, columns=values, table=table).equals(expected)
    assert table.filled > 0
    preset = engine.Evaluation.preset("tapered")
    many = engine.search_many(fens, 3, evaluation=preset)
    check_rows(engine.search_table(fens, 3, evaluation=preset), many)


def test_more_rows_than_a_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    fens = [*fens_of_games(200), "nonsense"]
    expected = engine.search_table(fens, 1)
    monkeypatch.setattr(shaping, "ROWS", 64)
    for given in (fens, pyarrow.array(fens), pyarrow.array(fens).dictionary_encode(), iter(fens)):
        table = engine.search_table(given, 1)
        assert table["cp"].num_chunks == 4
        assert table.combine_chunks().equals(expected.combine_chunks())


def test_nothing_is_missing_without_pyarrow() -> None:
    """One line says what to install; everything else works."""
    script = """
        import sys
        sys.modules["pyarrow"] = None  # importing it fails now
        from betacut import engine
        print(engine.search_many(["P5"], 1)[0].score)
        try:
            engine.search_table(["P5"], 1)
        except ImportError as error:
            print(error)
    """
    assert printed(script) == ["150", 'search_table() needs pyarrow: pip install "betacut[data]"']


def test_buffers_that_do_not_fit() -> None:
    core = _betacut.TableSearch(1, 1, None, None, None, None, True, True)

    def ends(*values: int) -> bytes:
        return numpy.array(values, "i8").tobytes()

    for offsets, data, valid in [
        (b"", b"", None),
        (b"1234567", b"", None),
        (ends(0, 5), b"8/8", None),
        (ends(0, 3, 1), b"8/8", None),
        (ends(0, -1), b"8/8", None),
        (ends(-(2**63), 2**63 - 1), b"8/8", None),
        (ends(0, *[0] * 9), b"", b"\xff"),
    ]:
        with pytest.raises(ValueError, match="the buffers are not those of a column of texts"):
            core.texts(offsets, data, valid, 0)
    assert core.rows == 0
    with pytest.raises(ValueError, match='no column has the name "score"'):
        core.take(["score"])
    core.texts(ends(7, 7), b"", None, 0)
    assert core.rows == 1


def test_a_source_that_fails_leaves_the_pieces_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shaping, "ROWS", 64)

    def failing() -> Iterator[str]:
        yield from [chess.STARTING_FEN] * 150
        message = "the file ends"
        raise OSError(message)

    with pytest.raises(OSError, match="the file ends") as caught:
        engine.search_table(failing(), 1)
    assert caught.value.results.num_rows == 128  # type: ignore[attr-defined]


def test_nodes_of_a_result() -> None:
    for result in (
        *(engine.search("P5", 4), engine.alpha_beta_pruning("P5", 3), engine.minimax("P5", 2)),
        *(engine.iterative_deepening("P5", 3), reference.alpha_beta_pruning("P5", 2)),
    ):
        assert result.nodes == result.statistics.nodes > 0


def test_results_as_a_data_frame() -> None:
    found = engine.search_many(["P5", "P6"], 3)
    pairs = {name: [getattr(one, name) for one in found] for name in ("score", "move")}
    assert pandas.DataFrame(found).to_dict("list") == pairs


def test_lines_and_algorithms() -> None:
    """What several lines and the textbooks find."""
    fens = ["P5", None, "x", "7k/8/8/3K4/8/6R1/8/5R2 w - - 0 1"]
    three = engine.search_table(fens, 2, multipv=3)
    lines = engine.search("P5", 2, multipv=3).lines
    assert three["best_moves"][0].as_py().split() == [line.move.uci() for line in lines]
    plain = engine.search_table(fens, 2)
    for other in (three, engine.search_table(fens, 2, algorithm="minimax")):
        assert other.schema == plain.schema
        for name in ("cp", "mate", "depth"):
            assert other[name] == plain[name]
        assert other["error"].is_valid() == plain["error"].is_valid()
    assert engine.search_table(pyarrow.array(fens), algorithm="negascout", nodes=50).num_rows == 4
    with pytest.raises(ValueError, match="multipv is for the algorithm search, not for minimax"):
        engine.search_table(fens, 2, algorithm="minimax", multipv=2)
    with pytest.raises(TypeError, match="not a whole dict"):
        engine.search_table({"fen": fens}, 2)


@pytest.mark.parametrize(
    ("arguments", "error", "said"),
    [
        ({"depth": None}, TypeError, "a search needs a limit"),
        ({"depth": "4"}, TypeError, "depth must be an int"),
        ({"depth": None, "nodes": 0}, ValueError, "nodes must be"),
        ({"time": -1.0}, ValueError, "time must be"),
        ({"threads": 0}, ValueError, "threads must be"),
        ({"threads": 2}, ValueError, "threads is for the algorithm search, not for negamax"),
        ({"multipv": 0}, ValueError, "multipv is for the algorithm search, not for negamax"),
        ({"evaluation": "none"}, ValueError, "no evaluation is called 'none'"),
    ],
)
@pytest.mark.parametrize("fens", [[], ["P5"]])
def test_bad_arguments_of_algorithms(
    fens: list[str], arguments: dict[str, Any], error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        engine.search_table(fens, **{"depth": 2, "algorithm": "negamax", **arguments})


def test_an_evaluation_that_fails_leaves_the_rows_before() -> None:
    def evaluation(board: chess.Board) -> int:
        if board.turn == chess.WHITE:
            raise ValueError("only for Black")
        return 0

    fens = ["x", chess.STARTING_FEN, "8/8/8/8/8/2k5/2p5/K7 b - - 0 1", chess.STARTING_FEN]
    with pytest.raises(ValueError, match="only for Black") as caught:
        engine.search_table(fens, 1, algorithm="negamax", evaluation=cast(Any, evaluation))
    assert caught.value.results["cp"].to_pylist() == [None, 0]  # type: ignore[attr-defined]
