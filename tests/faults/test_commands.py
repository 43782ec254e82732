"""Every command with bad arguments: the exit status, and one short line on the standard error."""

import os
import re
import shlex
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from betacut import engine
from betacut.cli.streams import _Stream
from support.commands import ENVIRONMENT, POSIX, all_commands, invoke, run_program, run_python

HUGE = "9" * 5000
LONG = "x" * 100_000
HERE = str(Path(__file__).parent)
LABELS = Path(__file__).parents[1] / "positions" / "games.fen"

MOST = 400  # the greatest length of a message of betacut itself, in characters

CHECKED = "betacut.engine:search"
PROOF = str(Path(__file__).parents[2] / "examples" / "P5.proof")

DEPTHS = ["0", "-1", "101", "9" * 30]
NO_INTEGERS = ["four", "2.5", "", LONG, HUGE]
NO_NUMBERS = {"integer": NO_INTEGERS, "float": ["soon"], "read_seconds": ["soon"]}
"""By the name of the type."""

POSITIONS = [
    ("nonsense", "cannot read FEN 'nonsense'"),
    ("8/8/8/8/8/8/8/k7 w - - 0 1", "NO_WHITE_KING"),
    ("8/8/8/8/8/8/8/8 w - - bm Qh9;", "cannot read EPD"),
    (f"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 {2**31}", "fullmove_number"),
    ("x" * 30_000, "cannot read FEN 'xxx"),
    ("\udc80", "cannot read FEN"),
    ("a\nb", "cannot read FEN 'a\\nb'"),
]

ORDERS = [
    *((text, f"not '{text}'") for text in ["", "mvv-lva", "see:1"]),
    ("see+nonsense", "not 'nonsense' in 'see+nonsense'"),
    ("see+see", "must not name see twice"),
    (f"random:{2**64}", "'random:1844"),
    (f"random:{HUGE}", "'random:999"),
    (LONG, "'xxx"),
]

EVALUATIONS = [
    ("matter", "unknown evaluation 'matter'"),
    ("", "unknown evaluation ''"),
    (LONG, "unknown evaluation 'xxx"),
    ("none.json", "cannot read the evaluation 'none.json': No such file"),
    (f"{HERE}/values.py", "a file that ends in .json or .toml"),
    ("a\0.json", "no path of a file"),
]

TWO = ["search,depth=1", "search,depth=2"]

MATCH = {
    "games": [("3", "even number"), ("0", "games")],
    "openings": [
        ("none.epd", "cannot read the openings 'none.epd'"),
        ("nonsense", "'builtin', 'start' or a file"),
        (LONG, "'xxx"),
        (f"{HERE}/values.py", "a file that ends in .epd"),
        ("a\0.epd", "null"),
    ],
    "plies": [("-1", "plies")],
    "seed": [("-1", "seed"), (str(2**64), "1844")],
    "time": [
        *((text, "time must be") for text in ("five", "-1", "", "5+", LONG)),
        ("0", "time '0'"),
    ],
    "move-time": [("0", "limit.time"), ("-1", "limit.time"), ("nan", "nan")],
    "nodes": [("0", "nodes must be 1 or more")],
    "margin": [("-1", "margin"), ("nan", "nan")],
    "concurrency": [("0", "concurrency")],
    "pgn": [
        (HERE, "it is a directory"),
        (f"{HERE}/none/x.pgn", "it has no directory to be in"),
        (f"{LONG}/x.pgn", "'xxx"),
        ("a\0b/c", "null"),
        (__file__, "is not the file of a match"),
    ],
    "sprt": [
        *((text, "--sprt must be ELO0,ELO1") for text in ("", "5", "0,5,1", "a,b", LONG)),
        ("5,0", "elo1 must be greater"),
        ("0,5,0,0", "alpha"),
        ("0,nan", "nan"),
    ],
    "resign": [
        *((text, "--resign must be CP") for text in ("", "x", "1,2,3")),
        ("0", "resign_score"),
    ],
    "draw": [*((text, "--draw must be CP") for text in ("", "x", "1,2,3,4")), ("-1", "draw_score")],
    "max-moves": [("0", "max_moves")],
    "syzygy": [
        ("none", "cannot read the tables in 'none'"),
        (HERE, "there are no Syzygy tables"),
        (LONG, "'xxx"),
        ("a\0b", "null"),
    ],
    "min-speed": [("1", "min_speed"), ("-1", "min_speed"), ("nan", "nan")],
}
PLAYERS = [("deep-blue", "deep-blue"), ("search,dept=4", "dept"), ("", "''"), (LONG, "xxx")]

LIMITS = [
    *(([f"--nodes={text}"], "nodes") for text in ["0", "-1"]),
    *(([f"--time={text}"], text) for text in ("-1", "nan")),
]

GAME = str(Path(HERE).parent.parent / "examples" / "opera.pgn")

ANNOTATE = [GAME, f"{HERE}/annotated", "-d1"]
"""Games, and a place that is never made, for every command with it is wrong."""

SHARD = f"{' '.join(ANNOTATE)} --shard="

CERTIFY = ["startpos", f"--out={HERE}/proof"]
"""A position, and a file that is never made."""


def given(said: str | None, option: str, *texts: object) -> list[tuple[list[str], str]]:
    """An option with each of these texts; what is said is the text itself, if it is not told."""
    words = option.split(" ")
    return [([*words[:-1], f"{words[-1]}{text}"], said or str(text)) for text in texts]


def places(*options: str, more: Sequence[tuple[str, str]] = ()) -> list[tuple[list[str], str]]:
    """Options that name a file to write, where none can be written."""
    missing = (f"{HERE}/none/x", "it has no directory to be in")
    bad = [(HERE, "it is a directory"), missing, (f"{LONG}/x", "'xxx"), *more]
    return [
        case for option in options for place, said in bad for case in given(said, option, place)
    ]


NULL = ("a\0b/c", "null character" if sys.version_info >= (3, 13) else "null byte")

EXACT = "is for the exact search only: leave out --algorithm minimax\n"

COMMANDS: dict[str, list[tuple[list[str], str]]] = {
    "": [
        (["--nonsense"], "--nonsense"),
        (["chess"], "chess"),
        ([LONG], "xxx"),
        (["--install-completion=tcsh"], "the shell is 'tcsh': name one of bash, zsh or fish"),
        (["--show-completion", "tcsh"], "the shell is 'tcsh': name one of bash, zsh or fish"),
        ([f"--show-completion={LONG}"], "xxx"),
    ],
    "search": [
        (["--algorithm=negascuot"], "did you mean 'negascout'?"),
        (["--order=see"], "--order is for the algorithms of the textbooks"),
        *((["-aminimax", "-d1", f"--order={text}"], said) for text, said in ORDERS),
        ([f"--algorithm={LONG}"], "'xxx"),
        *given("threads must be between 1 and 1024", "--exact --threads=", 0, 1025),
        (["-aminimax", "--threads=2"], f"betacut: --threads {EXACT}"),
        (["--exact", "--nodes=0"], "nodes must be 1 or more"),
        (["-aminimax", "--nodes=2"], f"betacut: --nodes {EXACT}"),
        (["--exact", "--time=-1"], "time must be 0.0 or more"),
        (["--exact", "--time=nan"], "nan"),
        (["--exact", "--time=-1e400"], "-inf"),
        (["--exact", "-d1", "--multipv=0"], "multipv must be 1 or more"),
        (["--exact", "-d1", "--multipv=some"], "must be 1 or more (moves) or 'all', not 'some'"),
        (["--exact", "-d1", f"--multipv={HUGE}"], "'999"),
        (["--exact", "-d1", f"--multipv={LONG}"], "'xxx"),
        (["-aminimax", "--multipv=2"], f"betacut: --multipv {EXACT}"),
        (["-aminimax", "--time=2", "--exact"], f"betacut: --time {EXACT}"),
        (["--no-quiescence"], "iterative_deepening only"),
        (["--json=yes"], "--json"),
        (["--json", "true"], "--json is a flag and takes no value"),
    ],
    "eval": [([], "POSITION")],
    "compare": [
        (["--algorithm=minmax"], "did you mean 'minimax'?"),
        ([f"--algorithm={LONG}"], "'xxx"),
        (["--algorithm=search", "-asearch"], "algorithms must not have 'search' twice"),
        *((["-d1", f"--order={text}"], said) for text, said in ORDERS),
        (["-osee", "--order=see"], "orders must not have 'see' twice"),
        (["-ematerial", "--evaluation=material"], "evaluations must not have 'material' twice"),
        *(([f"--max-seconds={text}"], "max_seconds") for text in ["0", "-1", "nan", "inf"]),
        (["--markdown", "--json"], "only one of"),
        (["--csv", "--json"], "only one of"),
        (["--plot=nodes"], "cannot plot to 'nodes': end the name with"),
        ([f"--plot={LONG}"], "'xxx"),
    ],
    "tree": [
        (["--algorithm=search"], "unknown algorithm 'search'"),
        ([f"--algorithm={LONG}"], "'xxx"),
        *((["-d1", f"--order={text}"], said) for text, said in ORDERS),
        *(([f"--line={text}"], "is no legal move") for text in ["e5", "e4 e4", "--", "e2e5", LONG]),
        *(([f"--max-nodes={text}"], "max_nodes") for text in ["0", "-1", str(2**32)]),
        (["--max-ply=-1"], "max_ply"),
        *(([f"--max-lines={text}"], "max_lines") for text in ["0", "-1", str(2**32)]),
        *places("--html=", "--svg=", "--dot=", more=[NULL]),
        (["--svg=tree.svg", "-d3"], "--svg draws 400 nodes at most"),
    ],
    "perft": [
        ([], "POSITION"),
        *((["startpos", "--", text], "depth") for text in DEPTHS[1:]),
        *((["startpos", "--", text], "DEPTH") for text in NO_INTEGERS),
    ],
    "bench": [
        (["--exact", "--techniques"], "only one of"),
        (["--exact", "--engine"], "only one of"),
        (["--signature-only", "--depth=3"], "--signature-only goes without --depth"),
        (["--data", "--no-reference"], "--no-reference goes with --exact or no option"),
        (["--signature-only", "--exact"], "only one of"),
        (["--data", "--exact"], "only one of"),
        (["--data", "--depth=0"], "depth"),
        (["--engine", "--data"], "only one of"),
        (["--opponent=uci:engine"], "--opponent goes with --engine"),
        *given("opponent must be a program", "--engine --opponent=", "", LONG),
        (["--engine", "--opponent=minimax"], "uci:/usr/games/stockfish, not 'minimax'"),
        (["--engine", "--opponent=uci:"], "needs a command"),
        (["--engine", "--opponent=uci:no-such-engine"], "cannot start 'no-such-engine'"),
        (["--against=no-such-file"], "no such file: no-such-file"),
        ([f"--against={HERE}"], "no such file"),
        ([f"--against={__file__}"], "not a compiled module"),
        ([f"--against={LONG}"], "no such file: xxx"),
        (["--exact", f"--labels={__file__}"], "only one of"),
        ([f"--labels={__file__}"], "line 1: cannot read"),
        (["--judge=uci:engine"], "--judge and --plot go with --labels"),
        (["--plot=labels.svg"], "--judge and --plot go with --labels"),
        ([f"--labels={LABELS}", "--judge=minimax"], "not 'minimax'"),
        ([f"--labels={LABELS}", "--judge=uci:"], "needs a command"),
        ([f"--labels={__file__}", "--plot=labels.txt"], "cannot plot to 'labels.txt'"),
        *places("--record="),
        ([f"--record={__file__}"], "is no file of figures"),
        (["--record=figures.json", "--signature-only"], "--record goes with"),
        (["--record=figures.json", "--depth=3"], "--record goes without --depth"),
    ],
    "parity": [
        (["deep-blue"], "unknown program 'deep-blue'"),
        (["--markdown", "--json"], "only one of"),
        ([LONG], "unknown program 'xxx"),
        ([f"--golden={HERE}"], "there are no golden records in"),
        ([f"--golden={__file__}"], "there are no golden records in"),
        ([f"--golden={LONG}"], "there are no golden records in xxx"),
        (["--golden="], "there are no golden records in"),
    ],
    "originals": [(["deep-blue"], "No such command 'deep-blue'")],
    "originals report": [
        (["deep-blue"], "unknown program 'deep-blue'"),
        ([LONG], "unknown program 'xxx"),
    ],
    "fuzz": [
        *given("seconds must be greater than 0, not ", "--seconds=", "0", "-1", "nan"),
        (["--seconds=inf"], "inf"),
        *given(f"seed must be between 0 and {2**64 - 1}, not ", "--seed=", -1, 2**64),
        (["--kind=fischer"], "unknown kind 'fischer'; choose one of random-play, sparse"),
        ([f"--kind={LONG}"], "unknown kind 'xxx"),
    ],
    "certify": [
        ([], "POSITION"),
        (["startpos"], "--out"),
        *(([*CERTIFY, f"--max-positions={text}"], "max_positions") for text in ["0", "-1"]),
        ([*CERTIFY, "-d4", "--max-positions=9"], "over 9 positions: raise max_positions"),
        *places("startpos -d1 --out=", more=[NULL]),
    ],
    "check": [
        ([], "MODULE:FUNCTION"),
        (["negamax"], "MODULE:FUNCTION"),
        (["betacut.nothing:search"], "cannot import 'betacut.nothing'"),
        ([f"{LONG}:search"], "cannot import 'xxx"),
        (["betacut:nothing"], "has no 'nothing'"),
        (["betacut:__all__"], "is no function"),
        ([CHECKED, "--against=deep-blue"], "against must be one of"),
        ([CHECKED, f"--against={LONG}"], "'xxx"),
        ([CHECKED, "--against=search", "--counts"], "counts needs an algorithm of the textbook"),
        *(([CHECKED, f"--seconds={text}"], text) for text in ("nan", "inf", "-1")),
        *(([CHECKED, f"--limit={text}"], "limit") for text in ("0", "-1", "nan", "inf", "soon")),
        *given(None, f"{CHECKED} --seed=", -1, 2**64),
        ([CHECKED, "--view=black"], "view must be 'white', 'mover' or None"),
        ([CHECKED, "--max-positions=5"], "--max-positions must be left out"),
        ([CHECKED, "--points=a=1"], "--points must be left out"),
        ([CHECKED, "--html=/nowhere/page.html"], "cannot write to '/nowhere/page.html'"),
        ([CHECKED, "--junit=/nowhere/marks.xml"], "cannot write to '/nowhere/marks.xml'"),
        *(([CHECKED, f"--nodes={text}"], "nodes") for text in ("0", "-1", "nan", "inf", "many")),
        (["absent.py"], "there is no file 'absent.py'"),
        (["absent.py", "--make"], "--make must be left out"),
        (["absent.py", "--points=a"], "points must be given as NAME=POINTS, not 'a'"),
        (["absent.py", "--points==1"], "points must be given as NAME=POINTS, not '=1'"),
        (["absent.py", "--points=a=1", "--points=a=2"], "points are given twice for 'a'"),
        ([PROOF, "--junit=marks.xml"], "--junit must be left out"),
        ([PROOF, "--html=/nowhere/page.html"], "cannot write to '/nowhere/page.html'"),
        *(([PROOF, f"--max-positions={text}"], "max_positions") for text in ["0", "-1"]),
    ],
    "match": [
        ([], "PLAYER"),
        (["search"], "players must be two or more, not 1"),
        *(
            ([*TWO, f"--{name}={text}"], said)
            for name, faults in MATCH.items()
            for text, said in faults
        ),
        ([*TWO, "--json=yes"], "--json"),
    ],
    "uci": [
        (["--nonsense"], "--nonsense"),
        (["nonsense"], "unknown command 'nonsense'"),
        (["bench", "much"], "bench needs a depth"),
        (["position startpos; perft"], "perft needs a depth of 100 at most, not nothing"),
        ([LONG], "unknown command 'xxx"),
    ],
    "play": [
        *(([f"--against={text}"], said) for text, said in PLAYERS),
        *((["-asearch", f"--hints={text}"], said) for text, said in PLAYERS),
        (["--color=gray"], "color must be 'white', 'black' or 'random', not 'gray'"),
        ([f"--color={LONG}"], "'xxx"),
        *(([f"--time={text}"], "such as 5+3") for text in ["", "5:3", "0+3", "-1", "nan", HUGE]),
        (["--time=5+3", "--depth=2"], "only one of --time and --depth"),
        *(([f"--nodes={text}"], "nodes") for text in ["0", "-1"]),
        (["--elo=1500", "-aminimax"], "--elo is for engine, uci: and xboard: players only"),
        *(([f"--fen={text}"], said) for text, said in POSITIONS),
        (["--load=none.pgn"], "cannot read 'none.pgn': No such file"),
        ([f"--load={HERE}"], "Is a directory"),
        ([f"--load={LONG}"], "'xxx"),
        (["--load=none.pgn", "--fen=P5"], "only one of load and board"),
        (["--load=none.pgn", "--game=0"], "game must be 1 or more"),
        (["--game=1"], "--game is for the file of --load"),
        ([f"--save={HERE}"], "it is a directory"),
        (["--save=none/game.pgn"], "it has no directory to be in"),
        ([f"--save={LONG}/x"], "'xxx"),
    ],
    "web": [
        *(([f"--host={text}"], "host must be an address") for text in ["", "no address", LONG]),
        *given("names[0] must be a host", "--name=", "", "no name", "http://a.org", LONG),
        *(([f"--port={text}"], "port") for text in ["-1", "65536"]),
        *(([f"--max-seconds={text}"], "max_seconds") for text in ["0", "-1", "nan", "inf"]),
        *(([f"--max-nodes={text}"], "max_nodes") for text in ["0", "-1"]),
        *(([f"--threads={text}"], "threads") for text in ["0", "-1", "1025"]),
        (["--keep=folder"], "--keep is for --hand-in"),
        (["--hand-in"], "--hand-in is for --class"),
        (["--class", "--hand-in", f"--keep={GAME}"], "is a file"),
    ],
    "review": [
        ([], "FILE"),
        (["none.pgn"], "cannot read 'none.pgn': No such file"),
        ([HERE], "there is no file *.pgn in"),
        *given("blunder must be", f"{GAME} --blunder=", "0", "-1", "nan", "inf", "9"),
        *(([GAME, f"--mistake={text}"], "--mistake") for text in ["few", "", "1e"]),
        ([GAME, "--inaccuracy=30"], "mistake must be at least inaccuracy, which is 30, not 10"),
        ([GAME, f"--certificates={GAME}"], "it is no directory"),
        ([GAME, "--certificates=none/here"], "it has no directory to be in"),
        ([LONG], "'xxx"),
        *(([GAME, f"--player={text}"], said) for text, said in PLAYERS),
        *(([GAME, *faults], said) for faults, said in LIMITS),
        *places(f"{GAME} --pgn=", f"{GAME} --html=", more=[(GAME, "is the file that is read")]),
        ([GAME, "--plot=nodes"], "cannot plot to 'nodes': end the name with"),
    ],
    "suite": [
        ([], "FILE"),
        (["bratko-copec"], "did you mean 'bratko-kopec'?"),
        ([HERE], "there is no file"),
        ([LONG], "'xxx"),
        (["a\0b"], "there is no file"),
        ([__file__], "there is no problem in"),
        *((["bratko-kopec", f"--player={text}"], said) for text, said in PLAYERS),
        *((["bratko-kopec", *faults], said) for faults, said in LIMITS),
        (["bratko-kopec", "--markdown", "--json"], "only one of"),
    ],
    "stats": [
        ([], "OUT"),
        (["none.parquet"], "cannot read 'none.parquet': No such file"),
        ([HERE], "no file in it ends in .parquet, .csv"),
        ([__file__], "files with columns end in .parquet, .csv"),
        ([LONG], "'xxx"),
        (["a\0b"], "must be a path, and"),
    ],
    "annotate": [
        ([], "IN... OUT"),
        ([GAME], "OUT"),
        (["none.pgn", "x", "-d1"], "cannot read 'none.pgn': No such file"),
        ([LONG, "x", "-d1"], "'xxx"),
        ([GAME, f"{LONG}/x", "-d1"], "'xxx"),
        (["a\0b", "x", "-d1"], "src must be a path"),
        ([GAME, "a\0b", "-d1"], "out must be a path"),
        ([GAME, "x.xlsx", "-d1"], "end the name with .parquet"),
        ([GAME, f"{HERE}/none/x", "-d1"], "it has no directory to be in"),
        ([GAME, GAME, "-d1"], "is a file that is read"),
        ([HERE, "x", "-d1"], "cannot read"),
        ([GAME, "x"], "give a depth, nodes or a time"),
        (["-", "-", "x", "-d1"], "the standard input can be read once: give - for one IN only"),
        ([GAME, "x", "-d1", "--tags=Elo!"], "tags must be names of PGN such as TimeControl"),
        ([GAME, "x", "--search=quiet"], "--search must be NAME=ALGORITHM"),
        ([GAME, "x", "--search=a=nonesuch"], "the search a: unknown algorithm 'nonesuch'"),
        *(([*ANNOTATE, *faults], said) for faults, said in LIMITS),
        ([*ANNOTATE, "--time=0"], "time must be greater than 0"),
        ([*ANNOTATE, "--algorithm=negascuot"], "did you mean 'negascout'?"),
        ([*ANNOTATE, f"--algorithm={LONG}"], "'xxx"),
        ([*ANNOTATE, "--algorithm=minimax", "--multipv=2"], "not for minimax"),
        *(([*ANNOTATE, f"--multipv={text}"], "multipv") for text in ["0", "257"]),
        *(([*ANNOTATE, f"--threads={text}"], "threads") for text in ["0", "1025"]),
        *(([*ANNOTATE, f"--table-mb={text}"], "table") for text in ["0", "-1"]),
        *(([*ANNOTATE, f"--every={text}"], "every") for text in ["0", str(2**32)]),
        *(([*ANNOTATE, f"--skip-book={text}"], "skip") for text in ["-1"]),
        *(([*ANNOTATE, f"--unit-rows={text}"], "unit") for text in ["0", "-1"]),
        ([*ANNOTATE, "--columns=cps"], "'cps'"),
        ([*ANNOTATE, "--columns="], "columns"),
        ([*ANNOTATE, f"--columns={LONG}"], "'xxx"),
        ([*ANNOTATE, "--where=1 +"], "where"),
        ([*ANNOTATE, "--where=colour == 'red'"], "colour"),
        ([*ANNOTATE, "--fen-column=position"], "no column 'position'"),
        ([*ANNOTATE, f"--prefix={LONG}", "--columns=cps"], "'cps'"),
        ([*ANNOTATE, "--format=xlsx"], "format must be one of parquet"),
        *given("shard must be", SHARD, "", "1", "0/4", "5/4", "a/b", "1/0", HUGE, LONG),
        ([*ANNOTATE, "--shard=1/2", "--fresh"], "only one of shard and a fresh start"),
        ([*ANNOTATE, "--dask=nonsense://x"], "cannot reach the scheduler at 'nonsense://x'"),
        ([*ANNOTATE, "--on-error=ignore"], "on_error must be one of skip, stop"),
        ([*ANNOTATE, "--json", "true"], "--json is a flag"),
    ],
    "didactic": [(["nonsense"], "nonsense"), ([LONG], "xxx")],
    "didactic tree-count": [
        (["deep-blue"], "unknown algorithm 'deep-blue'"),
        ([LONG], "unknown algorithm 'xxx"),
        *((["-p", text], said) for text, said in POSITIONS),
        (["--depth=0"], "depth must be between 1 and 100"),
    ],
    "didactic bratko-kopec": [
        (["deep-blue"], "unknown algorithm 'deep-blue'"),
        ([LONG], "unknown algorithm 'xxx"),
        (["--depth=0"], "depth must be between 1 and 100"),
    ],
}
"""Bad arguments by command, and what is said about them; those of options by kind are apart."""

WHOLE = {
    **{name: ["startpos", "-d1"] for name in ("search", "compare", "tree")},
    "eval": ["startpos"],
    "perft": ["startpos", "2"],
    "certify": CERTIFY,
    "check": [CHECKED],
    "match": TWO,
    "review": [GAME],
    "suite": ["bratko-kopec"],
    "annotate": ANNOTATE,
}
"""Arguments with which nothing is wrong, for the commands that need some."""

run = partial(invoke, columns=200, env={"NO_COLOR": "1"})


def all_faults(name: str, command: Any) -> Iterator[tuple[list[str], str]]:  # noqa: ANN401
    """Bad arguments of a command, with what its options must refuse like those of all commands."""
    yield from COMMANDS[name]
    whole = WHOLE.get(name, [])
    for parameter in command.params:
        option = parameter.opts[0]
        bad = [(text, option) for text in NO_NUMBERS.get(parameter.type.name, [])]
        if option == "position":
            yield from (([text, *whole[1:]], said) for text, said in POSITIONS)
        elif option == "--evaluation":
            bad += EVALUATIONS
        elif option == "--depth":
            bad += [(text, "depth must be between 1 and 100 plies, not ") for text in DEPTHS]
        if option.startswith("--"):
            yield from (([*whole, f"{option}={text}"], said) for text, said in bad)


@pytest.mark.parametrize(("name", "command"), [*all_commands()])
def test_bad_arguments(name: str, command: Any) -> None:  # noqa: ANN401
    wrong = []
    for arguments, said in all_faults(name, command):
        result = run(*name.split(), *arguments)
        shown = f"{arguments!s:.60}: {result.exit_code} {result.output[:MOST]!r}"
        ours = result.output.startswith("betacut: ")
        if result.exit_code != 2 or not isinstance(result.exception, SystemExit):
            wrong.append(f"not status 2: {result.exception!r:.200}; {shown}")
        elif said not in result.output or "Traceback" in result.output:
            wrong.append(f"does not say {said!r}: {shown}")
        elif ours and (result.output.count("\n") != 1 or len(result.output) > MOST + 20):
            wrong.append(f"not one short line: {shown}")
        elif len(result.output) > 1500:
            wrong.append(f"{len(result.output)} characters: {shown}")
        if engine.search("8/8/8/8/8/2k5/2p5/K7 w - - 0 1", 4).score != -100_000:
            wrong.append("the next search is wrong")
    assert wrong == []


def test_every_command_and_option_has_bad_arguments() -> None:
    """A new command or option needs its bad arguments here. Flags take no values."""
    assert set(COMMANDS) == {name for name, _ in all_commands()}
    forgotten = []
    for name, command in all_commands():
        faults = all_faults(name, command)
        given = {word.split("=")[0] for arguments, _ in faults for word in arguments}
        for parameter in command.params:
            names = {*parameter.opts, *parameter.secondary_opts}
            is_argument = not any(option.startswith("-") for option in names)
            if not is_argument and not getattr(parameter, "is_flag", False) and not names & given:
                forgotten.append(f"{name} {parameter.name}")
    assert forgotten == []
    assert sum(len(faults) for faults in COMMANDS.values()) >= 100


COMMAND = [sys.executable, "-m", "betacut"]

run_betacut = partial(run_python, "-m", "betacut")

NAMES = "Šarić ½ Ян"


@POSIX
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is full")
@pytest.mark.parametrize(
    "arguments",
    [["search", "-d2"], ["perft", "startpos", "2"], ["--help"], ["--version"]],
    ids=lambda arguments: arguments[0],
)
def test_no_room_for_the_output(arguments: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = run_betacut(*arguments, stdout=full)
    said = "betacut: cannot write the output: No space left on device\n"
    assert (done.returncode, done.stderr) == (1, said)


@POSIX
@pytest.mark.parametrize("arguments", [["search", "-d2"], ["--help"]], ids=" ".join)
def test_the_reader_of_the_output_has_gone(arguments: list[str]) -> None:
    """As after `| head -1`, but for certain: the pipe is closed before the command begins."""
    reading, writing = os.pipe()
    os.close(reading)
    done = run_betacut(*arguments, stdout=writing)
    os.close(writing)
    assert (done.returncode, done.stderr) == (1, "")


@pytest.mark.skipif(not hasattr(os, "eventfd"), reason="nothing that takes no byte")
def test_how_windows_says_that_the_reader_has_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    with _Stream(os.eventfd(0), "w") as stream, monkeypatch.context() as patch:
        with pytest.raises(OSError, match="Invalid argument"):
            stream.write(b"x")
        patch.setattr("os.name", "nt")
        with pytest.raises(BrokenPipeError):
            stream.write(b"x")


@pytest.mark.parametrize(
    ("encoding", "names"),
    [
        ("cp1252", r"Šari\u0107 ½ \u042f\u043d"),
        ("cp1251", r"\u0160ari\u0107 \xbd Ян"),
        ("utf-8", NAMES),
    ],
)
def test_letters_that_the_output_lacks(encoding: str, names: str, tmp_path: Path) -> None:
    """Their numbers stand in their places, as in a code page of Windows."""
    path = tmp_path / "in.pgn"
    path.write_text(f'[White "{NAMES}"]\n\n1. e4 *\n', encoding="utf-8")
    options = {"env": {**ENVIRONMENT, "PYTHONIOENCODING": encoding}, "encoding": encoding}
    done = run_betacut("review", path, "-psearch", "-d1", **options)
    assert (done.returncode, done.stderr) == (0, "")
    assert f" {names} - " in done.stdout


@POSIX
def test_nowhere_to_complain() -> None:
    with Path("/dev/full").open("w") as full:
        done = run_betacut("search", "nonsense", stderr=full)
    assert done.returncode in (1, 2)


GAMES = '[Event "one"]\n\n1. e4 e5 *\n\n[Event "two"]\n\n1. d4 d5 2. c4 *\n'

WITHOUT_A_FILE = """
search -d2; perft startpos 2; eval P5; tree P6 -d2; compare P6 -d2; review in.pgn -psearch -d1
match random random --games 2; suite published-mates -psearch -d1; fuzz -s0.01 -d1
check betacut.engine:minimax --seconds=0.2; uci; --help; --version
"""

WITH_A_FILE = """
annotate in.pgn out.csv -d1; annotate --json in.pgn out.csv -d1 --unit-rows=1
review in.pgn -psearch -d1 --pgn=out.pgn; review in.pgn -psearch -d1 --json --html=out.html
match random,seed=1 random,seed=2 --games=2 --pgn=out.pgn
tree P6 -d2 --dot=out.dot; certify P5 -d2 --out=out.proof
"""


def every_command(text: str) -> pytest.MarkDecorator:
    commands = [command.split() for command in re.split("[;\n]", text.strip())]
    return pytest.mark.parametrize("arguments", commands, ids=lambda words: " ".join(words[:2]))


def ran(arguments: list[str], folder: Path, redirected: str = "") -> tuple[int, str, str]:
    (folder / "in.pgn").write_text(GAMES, encoding="utf-8")
    command = f"{shlex.join([*COMMAND, *arguments])} {redirected}"
    done = run_program(["/bin/sh", "-c", command], cwd=folder, input="uci\nquit\n")
    return done.returncode, done.stdout, done.stderr


def written(folder: Path) -> dict[str, str]:
    texts = {path.name: path.read_text(encoding="latin-1") for path in folder.glob("out*")}
    varying = r"\[%(emt|cpu) [^]]*\]|\[(Date|UTC|White|Black|Time)\w* .*\]|\"[0-9.]+ s\""
    return {name: re.sub(varying, "", text) for name, text in texts.items()}


@pytest.mark.sampled(4, every="closed")
@POSIX
@pytest.mark.parametrize("closed", ["2>&-", "<&- 1>&- 2>&-"])
@every_command(WITHOUT_A_FILE)
def test_closed_streams(arguments: list[str], closed: str, tmp_path: Path) -> None:
    """What cannot be printed is not printed; nothing is in its place, and nothing else changes."""
    status, out, err = ran(arguments, tmp_path, closed)
    assert (status, err) == (0, "")
    assert bool(out) == (closed == "2>&-")


@pytest.mark.sampled(7)
@POSIX
@every_command(WITH_A_FILE)
def test_the_work_is_done_where_nothing_is_printed(arguments: list[str], tmp_path: Path) -> None:
    (tmp_path / "whole").mkdir()
    status, _, hints = ran(arguments, tmp_path / "whole")
    assert status == 0
    expected = written(tmp_path / "whole")
    assert expected
    no_room = "cannot write the output: No space left on device"
    ways = {"<&- 1>&- 2>&-": (0, ""), "| true": (0, hints)}
    if Path("/dev/full").exists():
        ways["1>/dev/full"] = (1, no_room)
    for number, (way, (status, said)) in enumerate(ways.items()):
        folder = tmp_path / str(number)
        folder.mkdir()
        found = ran(arguments, folder, way)
        assert found[0] == status, way
        assert said in found[2], way
        assert bool(found[2]) == bool(said), way
        assert written(folder) == expected, way


@POSIX
def test_the_output_of_a_program_that_is_started_is_in_no_file(tmp_path: Path) -> None:
    """An engine that writes to the standard error writes to nowhere where that is closed."""
    engine = tmp_path / "engine.sh"
    engine.write_text(
        f"#!/bin/sh\necho noise >&2\nexec {shlex.join(COMMAND)} uci\n", encoding="utf-8"
    )
    engine.chmod(0o755)
    arguments = ["match", f"uci:{engine}", "random", "--games=2", "--pgn=out.pgn", "--nodes=50"]
    assert ran(arguments, tmp_path, "<&- 1>&- 2>&-")[0] == 0
    text = (tmp_path / "out.pgn").read_text(encoding="utf-8")
    assert "noise" not in text
    assert text.count("[Result ") == 2


INTERRUPTED_IMPORT = """
import sys
class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == {name!r}:
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupt())
sys.argv[1:] = {arguments!r}
from betacut.__main__ import main
main()
"""


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        *((name, ["search"]) for name in ("betacut.cli", "betacut.cli.commands", "click", "chess")),
        *(("betacut._betacut", [argument]) for argument in ("search", "--version")),
        ("betacut.originals.parity", ["parity"]),
        ("rich.table", ["bench", "--signature-only"]),
    ],
)
def test_ctrl_c_while_the_command_is_loaded(name: str, arguments: list[str]) -> None:
    done = run_python("-c", INTERRUPTED_IMPORT.format(name=name, arguments=arguments))
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "betacut: interrupted\n")


@POSIX
def test_long_arguments_of_a_process() -> None:
    done = run_betacut("search", LONG)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr) < MOST
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("betacut: cannot read FEN 'xxx")
