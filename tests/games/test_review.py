"""`betacut review`: what moves lose, what is said about it, and the forms of a review."""

import json
import re
import xml.etree.ElementTree as ET
from itertools import pairwise
from pathlib import Path
from typing import Any

import chess
import chess.engine
import chess.pgn
import pytest
from chess.engine import Cp, Limit, Mate, MateGiven, PovScore

from betacut import engine, review
from betacut.games.pgn import read_text
from betacut.games.players import Opinion, player
from betacut.games.players.protocol import BasePlayer
from betacut.games.review import GameReview, MoveReview
from betacut.views.advantage import advantage_graph
from games.support import Handle, games_in, run, written

OPERA = (Path(__file__).parents[2] / "examples" / "opera.pgn").read_text(encoding="utf-8")

FOOLS_MATE = "1. f3 e5 2. g4 Qh4# 0-1"

DEPTH_3 = Limit(depth=3)


@pytest.fixture(scope="module")
def opera() -> GameReview:
    return review.review(OPERA, player="search", limit=Limit(depth=4))


@pytest.fixture(scope="module")
def opera_3() -> GameReview:
    """Without reasons, which take longer than the values."""
    return review.review(OPERA, player="search", limit=DEPTH_3, reasons=False)


@pytest.mark.parametrize("board", [chess.Board(), chess.Board("k7/8/8/8/8/8/8/KR3n2 b - - 0 1")])
@pytest.mark.parametrize(
    ("best", "played", "verdict", "centipawns", "remark"),
    [
        (Cp(30), Cp(30), "", 0, ""),
        (Cp(30), Cp(0), "", 30, ""),
        (Cp(30), Cp(-20), "", 50, ""),
        (Cp(30), Cp(-30), "inaccuracy", 60, "Inaccuracy; "),
        (Cp(50), Cp(-50), "inaccuracy", 100, "Inaccuracy; "),
        (Cp(60), Cp(-60), "mistake", 120, "Mistake; "),
        (Cp(100), Cp(-100), "blunder", 200, "Blunder; "),
        # What is won or lost anyway costs little.
        (Cp(1500), Cp(1100), "", 0, ""),
        (Cp(-900), Cp(-1400), "", 100, ""),
        (Mate(3), Mate(7), "", 0, ""),
        (Mate(-5), Mate(-1), "", 0, ""),
        # A mate that was missed, or allowed, is told; it is no mistake if it changes nothing.
        (Mate(3), Cp(1200), "", 0, "Missed a mate in 3: "),
        (Mate(1), Cp(100), "blunder", 900, "Missed a mate in 1: "),
        (Cp(-1200), Mate(-2), "", 0, "Allows a mate in 2; "),
        (Cp(0), Mate(-2), "blunder", 1000, "Allows a mate in 2; "),
        (Mate(2), Mate(-2), "blunder", 2000, "Missed a mate in 2: "),
    ],
)
def test_verdicts(
    board: chess.Board,
    best: chess.engine.Score,
    played: chess.engine.Score,
    verdict: str,
    centipawns: int,
    remark: str,
) -> None:
    """The values are those of the mover; the first move is in no opening."""
    played_score, best_score = (PovScore(score, board.turn) for score in (played, best))
    one, other = [*board.legal_moves][:2]
    move = MoveReview(1, board.fen(), one, other, played_score, best_score, (other,), 4, False)
    assert (move.verdict, move.centipawn_loss) == (verdict, centipawns)
    assert move.remark.startswith(remark)
    assert bool(move.remark) == bool(remark)
    assert move.nag == {"": None, "inaccuracy": 6, "mistake": 2, "blunder": 4}[verdict]


def test_the_played_move_is_compared_with_the_best_of_the_same_search(opera_3: GameReview) -> None:
    """Both values are those of minimax at the same root and the same depth."""
    for move in opera_3.moves:
        lines = engine.search(move.fen, 3, multipv="all").lines
        values = {line.move: line.pov_score for line in lines}
        assert move.best_score == lines[0].pov_score
        assert move.score.pov(move.color) == values[move.move].pov(move.color)
        assert values[move.best] == lines[0].pov_score
        assert move.depth == 3 or move.best_score.is_mate()


def test_successive_values_swing_where_losses_do_not() -> None:
    """At an odd depth every value of White's move is better than the following one of Black's.

    Were they compared, each move of this ending of a game would be a blunder; the best moves of
    both sides lose nothing. And the graph takes the mean of two searches, which does not swing.
    """
    board = chess.Board("r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/3P1N2/PPP2PPP/RNBQK2R w KQkq - 1 5")
    for _ in range(8):
        board.push(engine.search(board, 3).move or chess.Move.null())
    found = review.review(chess.pgn.Game.from_board(board), player="search", limit=DEPTH_3)
    values = [move.score.white().score() or 0 for move in found.moves]
    assert min(abs(b - a) for a, b in pairwise(values)) > 50
    assert [move.centipawn_loss for move in found.moves] == [0] * 8
    raw = [review.expected_score(move.score.white()) for move in found.moves]

    def roughness(course: list[float]) -> float:
        return sum(abs(b - a) for a, b in pairwise(course))

    assert roughness(found.course[:-1]) < roughness(raw[:-1]) / 3


def test_a_limit_of_nodes_compares_at_the_depth_that_both_reached() -> None:
    """A mate apart, which is worth the same at any greater depth."""
    compared = 0
    for move in review.review(OPERA, player="search", limit=Limit(nodes=2000), reasons=False).moves:
        depth = move.depth
        if depth is None or move.score.is_mate() or move.best_score.is_mate():
            continue
        assert move.best_score == engine.search(move.fen, depth).pov_score, move.name
        same = engine.search(move.fen, depth, root_moves=[move.move]).pov_score
        assert move.score == same, move.name
        compared += 1
    assert compared > 20


def test_the_mate_of_the_fool() -> None:
    found = review.review(FOOLS_MATE, player="search", limit=DEPTH_3)
    *_, g4, mate = found.moves
    assert (g4.verdict, g4.name) == ("blunder", "2. g4")
    assert g4.remark.startswith("Allows a mate in 1; ")
    assert (mate.loss, mate.best) == (0, mate.move)
    assert [move.score_after.white() for move in (g4, mate)] == [Mate(-1), Mate(0)]
    assert found.side(chess.BLACK).accuracy > found.side(chess.WHITE).accuracy  # type: ignore[operator]


def scores_of(found: GameReview) -> list[tuple[PovScore, PovScore]]:
    return [(move.score, move.best_score) for move in found.moves]


class _Chooser:
    """A search as a player that can do nothing but choose a move."""

    name = "chooser"

    def choose(self, board: chess.Board, limit: Limit) -> chess.engine.PlayResult:
        result = engine.search(board, limit.depth or 1)
        info: Any = {"score": result.pov_score, "pv": list(result.pv)}
        return chess.engine.PlayResult(result.move, None, info)


def test_any_player_with_a_depth_finds_what_the_search_finds(opera_3: GameReview) -> None:
    """The move itself is judged after it, a ply less deeply: the same search, mates included."""
    mate = review.review(FOOLS_MATE, player="search", limit=DEPTH_3, reasons=False)
    for text, theirs in ((OPERA, opera_3), (FOOLS_MATE, mate)):
        ours = review.review(text, player=_Chooser(), limit=DEPTH_3, reasons=False)
        assert scores_of(ours) == scores_of(theirs)
    with pytest.raises(ValueError, match="chooser cannot search a single move under a limit of"):
        review.review(OPERA, player=_Chooser(), limit=Limit(time=0.01))
    with pytest.raises(ValueError, match="chooser needs a depth of 2 or more"):
        review.review(OPERA, player=_Chooser(), limit=Limit(depth=1))


class _Conventional:
    """The exact search with the conventions of `chess.engine`."""

    id = {"name": "conventional"}  # noqa: RUF012

    def __init__(self) -> None:
        self.asked: list[list[chess.Move] | None] = []

    def analyse(
        self, board: chess.Board, limit: Limit, root_moves: list[chess.Move] | None = None
    ) -> Any:  # noqa: ANN401
        self.asked.append(root_moves)
        result = engine.search(board, limit.depth, root_moves=root_moves)
        return {"pv": list(result.pv), "score": result.pov_score, "depth": result.depth}

    def analysis(self, board: chess.Board, limit: Limit) -> Any:  # noqa: ANN401
        info = self.analyse(board, limit)
        return Handle([{**info, "lowerbound": True, "score": PovScore(Cp(9), True)}, info])


def test_an_engine_searches_the_played_move_as_a_root_move(opera_3: GameReview) -> None:
    player = _Conventional()
    ours = review.review(OPERA, player=player, limit=DEPTH_3, reasons=False)
    assert scores_of(ours) == scores_of(opera_3)
    worse = [[move.move] for move in opera_3.moves if move.best != move.move]
    assert [moves for moves in player.asked if moves in worse] == worse
    assert ours.player == "conventional"


class _Unsteady(BasePlayer):
    """Finds more when it looks again."""

    def _opinions(self, board: chess.Board, limit: Limit | None) -> Any:  # noqa: ANN401
        move = min(board.legal_moves, key=chess.Move.uci)
        yield Opinion(move, PovScore(Cp(10), board.turn), (move,), 4)

    def _of_move(self, board: chess.Board, move: chess.Move, limit: Limit | None) -> Opinion:
        return Opinion(move, PovScore(Cp(60), board.turn), (move,), 4)


def test_nothing_is_lost_by_a_move_that_turns_out_better() -> None:
    move = review.review("1. e4 *", player=_Unsteady("unsteady"), limit=DEPTH_3).moves[0]
    assert (move.loss, move.centipawn_loss, move.best) == (0, 0, move.move)
    assert move.score == move.best_score == PovScore(Cp(60), chess.WHITE)


@pytest.mark.parametrize("name", ["search", "minimax", "engine"])
def test_a_drawn_game_that_is_played_on(name: str) -> None:
    """Whatever has drawn it, the rest is judged too."""
    dead = '[FEN "8/8/8/4k3/8/3pK3/8/8 w - - 0 70"]\n\n70. Kxd3 Kd5 71. Ke3 *'
    fifty = '[FEN "8/8/4k3/8/8/3K4/3R4/5r2 w - - 99 120"]\n\n120. Rd1 Rf2 121. Re1+ Kd5 *'
    for text, plies in ((dead, 3), (fifty, 4), ("Nf3 Nf6 Ng1 Ng8 " * 5, 20)):
        found = review.review(text, player=name, limit=Limit(depth=2))
        assert len(found.moves) == plies
        assert plies > 3 or found.moves[-1].best_score == PovScore(Cp(0), chess.WHITE)


def test_a_player_without_values() -> None:
    with pytest.raises(ValueError, match="random gives no values: it cannot review games"):
        review.review("1. e4 *", player=player("random"), limit=DEPTH_3)


def test_forced_moves_do_not_count_for_the_accuracy() -> None:
    text = '[FEN "7k/8/8/8/8/8/r7/7K b - - 0 1"]\n[SetUp "1"]\n\n1... Rb2 2. Kg1 Rc2 *'
    found = review.review(text, player="search", limit=DEPTH_3)
    assert [move.forced for move in found.moves] == [False, True, False]
    white, black = found.side(chess.WHITE), found.side(chess.BLACK)
    assert (white.moves, white.accuracy, white.average_loss) == (1, None, None)
    assert black.moves == 2
    assert black.accuracy is not None
    assert "White: none of 1 moves with a choice" in str(found)
    assert found.moves[0].name == "1... Rb2"
    assert found.to_html().count("<h1>") == 1


def test_annotated_pgn(opera: GameReview) -> None:
    text = opera.to_pgn()
    assert max(map(len, text.splitlines())) <= 100
    (game,) = games_in(text)
    assert game.headers["Annotator"] == "betacut: search, depth 4 a search"
    nodes = list(game.mainline())
    assert [node.move for node in nodes] == [move.move for move in opera.moves]
    for node, move in zip(nodes, opera.moves, strict=True):
        if move.score_after.white() != MateGiven:  # what python-chess does not write
            assert node.eval() == move.score_after
            assert node.eval_depth() == move.depth
        assert node.nags == ({move.nag} if move.nag else set())
        others = node.parent.variations[1:]
        assert len(others) == bool(move.remark and move.best != move.move)
        for other in others:
            line = [other.move, *(after.move for after in other.mainline())]
            assert tuple(line) == move.best_line
            assert move.remark in node.comment
    assert nodes[-2].eval() == PovScore(Mate(1), chess.WHITE)


def test_what_the_game_had_stays() -> None:
    text = "1. f3! { my favourite } (1. e4 e5 $14) e5 2. g4 $1 $10 { [%clk 0:01:00] } Qh4# 0-1"
    (game,) = games_in(review.review(text, player="search", limit=DEPTH_3).to_pgn())
    f3, _, g4, _ = game.mainline()
    assert "my favourite" in f3.comment
    assert game.variations[1].move.uci() == "e2e4"
    assert game.variations[1].variations[0].nags == {14}
    assert g4.nags == {4, 10}
    assert g4.clock() == 60
    assert g4.eval() == PovScore(Mate(-1), chess.WHITE)


def test_a_review_replaces_the_one_before(opera: GameReview) -> None:
    text = opera.to_pgn()
    again = review.review(text, player="search", limit=Limit(depth=4))
    assert again.to_pgn() == text
    commented = text.replace("{ ", "{ mine; ").replace(" [%eval", " Mine. [%eval")
    other = review.review(commented, player="search", limit=Limit(depth=1), reasons=False)
    (game,) = games_in(other.to_pgn())
    for node, move in zip(game.mainline(), other.moves, strict=True):
        said = re.sub(r"mine; |Mine\. ?| ?\[%eval [^]]*\]", "", node.comment)
        assert " ".join(said.split()) == move.remark
    assert other.to_pgn().count("Mine.") == commented.count("Mine.")
    # The words of another annotator stay.
    theirs = text.replace("betacut: search", "Anna")
    third = review.review(theirs, player="search", limit=Limit(depth=1), reasons=False).to_pgn()
    for move in opera.mistakes:
        assert f"{move.remark} {move.explanation}" in " ".join(third.split())


def test_tags_are_written_as_they_are_read() -> None:
    tags = [("Event", 'The "Big" one'), ("Site", "C:\\chess"), ("White", 'x"] y')]
    head = '[Event "The \\"Big\\" one"]\n[Site "C:\\\\chess"]\n[White "x\\"] y"]'
    found = review.review(f"{head}\n\n{FOOLS_MATE}", player="search", limit=Limit(depth=1))
    (game,) = read_text(found.to_pgn())
    assert [tag for tag in game.tags if tag in tags] == tags
    assert len(game.moves) == 4
    games_in(found.to_pgn())


def test_illegal_moves_of_a_game_that_was_put_together() -> None:
    game = chess.pgn.Game()
    e4 = game.add_variation(chess.Move.from_uci("e2e4"), comment="first")
    d4 = game.add_variation(chess.Move.from_uci("d2d4"))
    d4.add_variation(chess.Move.from_uci("d4d6"))
    for move in ("e2e5", "c7c5", "e7e5"):
        e4.add_variation(chess.Move.from_uci(move)).add_variation(chess.Move.null())
    found = review.review(game, player="search", limit=Limit(depth=1))
    assert found.ends == "1... e2e5 is not legal; it is read up to 1. e4"
    text = " ".join(found.to_pgn().split())
    assert "first Not read: e2e5 0000 Not read: c7c5 0000 Not read: e7e5 0000" in text
    assert "1. d4 { Not read: d4d6 }" in text
    assert len(list(game.mainline())) == 3  # the game itself is as it was


def test_json(opera: GameReview) -> None:
    written = json.loads(opera.to_json())
    assert [move["san"] for move in written["moves"]] == [move.san for move in opera.moves]
    for color, name in ((chess.WHITE, "white"), (chess.BLACK, "black")):
        own = [move for move in opera.moves if move.color == color]
        assert written[name]["moves"] == len(own)
        assert written[name]["blunder"] == sum(move.verdict == "blunder" for move in own)
    assert written["limit"] == {"depth": 4}
    assert written["headers"]["White"] == "Morphy, Paul"


def test_the_page(opera: GameReview, tmp_path: Path) -> None:
    path = tmp_path / "opera.html"
    text = opera.to_html(path)
    assert path.read_text(encoding="utf-8") == text
    mistakes = len(opera.mistakes)
    assert mistakes > 5
    assert text.count("<article") == mistakes
    assert text.count("<svg") == mistakes + 1
    ids = re.findall(r'<(?:section|article)[^>]* id="([^"]*)"', text)
    links = re.findall(r'<a [^>]*href="#?([^"]*)"', text)
    assert links
    assert {*links} <= {*ids}
    assert len({*ids}) == len(ids)
    assert not re.findall(r"<(script|link)|\b(src|data)=", text)
    assert not re.findall(r"url\((?!#)|@import|https?://(?!www\.w3\.org)", text)
    assert "Duke Karl / Count Isouard" in text
    for svg in re.findall(r"<svg.*?</svg>", text, flags=re.DOTALL):
        ET.fromstring(svg)


def test_names_in_the_page_are_escaped() -> None:
    text = '[White "<script>alert(1)</script>"]\n[Event "a & \\"b\\""]\n\n1. e4 *'
    page = review.review(text, player="search", limit=DEPTH_3).to_html()
    assert "<script>" not in page
    assert "&lt;script&gt;" in page


def test_the_plot(opera: GameReview, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    for ending in ("png", "svg", "pdf"):
        opera.plot(tmp_path / f"plot.{ending}")
    drawn = (tmp_path / "plot.svg").read_text(encoding="utf-8")
    assert "Morphy, Paul - Duke Karl / Count Isouard, 1-0" in drawn
    opera.plot(tmp_path / "again.svg")
    assert (tmp_path / "again.svg").read_text(encoding="utf-8") == drawn
    with pytest.raises(ValueError, match=r"cannot plot to '.*plot.docx'"):
        opera.plot(tmp_path / "plot.docx")
    with pytest.raises(TypeError, match="ax must be matplotlib axes or None"):
        opera.plot(ax=7)  # type: ignore[arg-type]


def test_the_plot_has_every_move(opera: GameReview) -> None:
    pytest.importorskip("matplotlib")
    from matplotlib.figure import Figure

    ax = opera.plot(ax=Figure().add_subplot())
    course: Any = ax.get_lines()[0]
    marked: Any = ax.get_lines()[2:]
    assert [y / 100 for y in course.get_ydata()] == pytest.approx([0.5, *opera.course])
    judged = [move for move in opera.moves if move.verdict]
    assert sum(len(line.get_xdata()) for line in marked) == len(judged)


GAMES = "\n\n".join(
    [
        '[Event "good"]\n\n1. e4 e5 *',
        '[Event "illegal"]\n\n1. e4 e4 *',
        '[Event "no moves"]\n\n*',
        '[Event "impossible"]\n[FEN "8/8/8/8/8/8/8/k7 w - - 0 1"]\n[SetUp "1"]\n\n1. a4 *',
        '[Event "another game"]\n[Variant "Atomic"]\n\n1. e4 *',
        '[Event "no position"]\n[FEN "nonsense"]\n[SetUp "1"]\n\n1. e4 *',
        '[Event "good again"]\n\n1. d4 *\n',
    ]
)


def test_broken_games_are_reported_and_the_others_are_read(tmp_path: Path) -> None:
    path = written(tmp_path / "games.pgn", b"\xef\xbb\xbf" + GAMES.encode())
    found = list(review.read_games(path))
    broken = {one.number: one.reason for one in found if isinstance(one, review.BrokenGame)}
    assert set(broken) == {3, 4, 5, 6}
    assert broken[3] == "it has no move"
    assert "NO_WHITE_KING" in broken[4]
    assert all(text.isprintable() and len(text) < 300 for text in broken.values())
    good = [one for one in found if isinstance(one, chess.pgn.Game)]
    assert [one.headers["Event"] for one in good] == ["good", "illegal", "good again"]
    fault = "1... e4 is not legal; it is read up to 1. e4"
    assert [[str(error) for error in one.errors] for one in good] == [[], [fault], []]
    assert [move.uci() for move in good[1].mainline_moves()] == ["e2e4"]
    assert good[1].end().comment == "Not read: e4 *"


def test_the_command(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = written(tmp_path / "games.pgn", GAMES + "\n" + OPERA)
    pgn, page = tmp_path / "out.pgn", tmp_path / "out.html"
    files = ("--pgn", pgn, "--html", page, "--plot", tmp_path / "out.svg")
    result = run("review", path, "-p", "search", "-d", "2", "--no-reasons", *files)
    assert result.exit_code == 1  # some games are broken
    assert re.findall(r"^betacut: game (\d):", result.stderr, flags=re.MULTILINE) == list("23456")
    assert "Morphy, Paul - Duke Karl / Count Isouard, 1-0" in result.stdout
    with pgn.open(encoding="utf-8") as file:
        games = [*iter(lambda: chess.pgn.read_game(file), None)]
    assert [len([*game.mainline()]) for game in games] == [2, 1, 0, 0, 1, 0, 1, 33]
    assert page.read_text(encoding="utf-8").count("<h1>") == 4
    assert {one.name for one in tmp_path.glob("*.svg")} == {f"out-{n}.svg" for n in (1, 2, 7, 8)}


def test_all_files_are_written_or_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, out = written(tmp_path / "game.pgn", OPERA), tmp_path / "out"
    out.mkdir()

    def broken(_: object) -> str:
        raise ValueError("no page of this")

    monkeypatch.setattr("betacut.games.review.page.page", broken)
    files = ("--pgn", out / "x.pgn", "--html", out / "x.html")
    result = run("review", game, "-p", "search", "-d", "1", "--no-reasons", *files)
    assert result.exit_code == 2
    assert "no page of this" in result.stderr
    assert list(out.iterdir()) == []
    twice = run("review", game, "-d", "30", "--pgn", files[1], "--html", files[1])
    assert twice.exit_code == 2
    assert "is to be written twice" in twice.stderr


def test_the_command_as_json(tmp_path: Path) -> None:
    path = written(tmp_path / "game.pgn", GAMES)
    found = json.loads(run("review", path, "-p", "search", "-d", "2", "--json").stdout)
    games = [(game["game"], len(game["moves"]), game["ends"] is None) for game in found["games"]]
    assert games == [(1, 2, True), (2, 1, False), (7, 1, True)]
    assert [one["game"] for one in found["broken"]] == [3, 4, 5, 6]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("columns", [40, 80])
def test_the_command_in_a_narrow_terminal(tmp_path: Path, columns: int) -> None:
    path = written(tmp_path / "game.pgn", OPERA)
    result = run("review", path, "-p", "search", "-d", "3", columns=columns)
    assert result.exit_code == 0
    assert max(map(len, result.output.splitlines())) <= columns


def test_a_file_without_games(tmp_path: Path) -> None:
    result = run("review", str(written(tmp_path / "empty.pgn", "")), "--player", "search")
    assert result.exit_code == 2
    assert "there is no game in" in result.output
    failed = run("review", str(tmp_path / "none.pgn"), "--json")
    assert (failed.exit_code, failed.stdout) == (2, "")
    assert json.loads(failed.stderr)["error"]["type"] == "ValueError"


def test_a_graph_shows_what_is_known() -> None:
    def course(*values: float | None) -> list[str]:
        none = [""] * len(values)
        drawn = advantage_graph(values, none, none, none)
        return drawn.partition('class="course" points="')[2].partition('"')[0].split()

    assert course(None, None) == []
    assert len(course(0.5, 0.6)) == 3, "from the start, which is even"
    first, second, _ = course(None, 0.6, None, 0.4, None)  # a level beginning, a straight line
    assert first.partition(",")[2] == second.partition(",")[2]
