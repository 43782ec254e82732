"""What is done in the processes beside the queue: each task is a function.

A task tells by `say` what it has found until now. Its other arguments have been checked.
"""

import io
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import chess
import chess.engine
import chess.pgn

from betacut.core.arguments import parse_board
from betacut.core.messages import one_line
from betacut.web.game_tree import MOST_MOVES, in_order, words
from betacut.web.state import SEPARATOR

Say = Callable[[object], None]

FIRST_SHARE = 0.08  # the share of an analysis after which the engine has said something already
EXACT_SHARE = 0.35  # the share that goes to the exact search then
PAUSE = 0.1  # how long to wait at least before more is said of the same depth, in seconds
LONGEST_LINE = 12  # how much of a line is shown, in plies


def board_of(start: str, moves: Iterable[str]) -> chess.Board:
    """Set a board up: the FEN in which the game begins, and the moves as UCI."""
    board = parse_board(start)
    for move in moves:
        board.push_uci(move)
    return board


def white_score(score: chess.engine.PovScore | None) -> dict[str, Any] | None:
    """A score as data: its text in pawns, with a true minus, and White's expected score."""
    if score is None:
        return None
    from betacut.games.review.results import score_text
    from betacut.games.review.scoring import expected_score

    return {
        "text": score_text(score).replace("-", "\N{MINUS SIGN}"),
        "expected": expected_score(score.white()),
    }


def choose(
    say: Say,
    *,
    player: str,
    start: str,
    moves: Sequence[str],
    limit: Mapping[str, float],
    seconds: float,
    nodes: int,
) -> dict[str, Any]:
    """Let a player choose its move, by its own measure if the limit is empty; the caps hold too."""
    from betacut.games.players import parse
    from betacut.web.choices import default_limit, with_ply

    board = board_of(start, moves)
    own = default_limit(player) and not limit
    allowed: chess.engine.Limit | None = None
    if player.startswith("engine") or not own:
        most = min(seconds, 1.0) if own else seconds
        caps: dict[str, Any] = {"time": min(limit.get("time", most), most), "nodes": nodes}
        allowed = chess.engine.Limit(**{**limit, **caps})
    with parse(with_ply(player, len(moves))) as found:
        say("begun")
        result = found.choose(board, allowed)
    info = result.info
    return {
        "result": result,
        "score": white_score(info.get("score")),
        "depth": info.get("depth"),
        "nodes": info.get("nodes"),
    }


def _san(board: chess.Board, line: Iterable[chess.Move]) -> list[str]:
    """The beginning of a line in algebraic notation."""
    from betacut.games.review.game import legal_line

    after = board.copy(stack=False)
    return [after.san_and_push(move) for move in legal_line(board, line, LONGEST_LINE)]


def analyse(
    say: Say,
    *,
    start: str,
    moves: Sequence[str],
    lines: int,
    seconds: float,
    nodes: int,
    exact: bool,
    judged: bool = True,
) -> None:
    """Analyse a position by both searches; `say` is told each depth.

    The engine says something at once; then the last move is judged, unless that was done; then
    comes the exact search, and the engine goes on.
    """
    from betacut import engine
    from betacut.games.players.exact import until_mate

    board = board_of(start, moves)
    lines = min(lines, board.legal_moves.count())
    if not lines:
        return
    with engine.Engine() as playing:
        said = 0
        if exact:
            first, share = seconds * FIRST_SHARE, seconds * EXACT_SHARE
            said = _play(say, playing, board, lines, first, nodes, said)
            if moves and not judged:
                began = time.monotonic()
                found = judge(
                    say, player="engine", start=start, moves=moves, seconds=first / 2, nodes=nodes
                )
                say({"by": "judge", **judgement(found)})
                seconds -= time.monotonic() - began
            limits = {"time": share, "nodes": nodes}
            for result in until_mate(board, **limits, multipv=lines, quiescence=True):
                say(_exact_depth(board, result))
            seconds = max(seconds - first - share, first)
        _play(say, playing, board, lines, seconds, nodes, said)


def _play(
    say: Say,
    playing: Any,  # noqa: ANN401 - Engine
    board: chess.Board,
    lines: int,
    seconds: float,
    nodes: int,
    said: int,
) -> int:
    """Let the engine analyse; what is of a lesser depth than was said is not. The depth reached."""
    limit = chess.engine.Limit(time=seconds, nodes=nodes)
    with playing.analysis(board, limit, multipv=lines) as found:
        last = 0.0
        for info in found:
            depth = info.get("depth", 0)
            if info.get("multipv") != lines or not info.get("pv") or depth < said:
                continue
            if depth > said or time.monotonic() - last >= PAUSE:
                said, last = depth, time.monotonic()
                say(_playing_depth(board, found.multipv))
        if said <= max((line.get("depth", 0) for line in found.multipv), default=0):
            say(_playing_depth(board, found.multipv))
    return said


def _exact_depth(board: chess.Board, result: Any) -> dict[str, Any]:  # noqa: ANN401 - SearchResult
    return {
        "by": "exact",
        "depth": result.depth,
        "best": [board.san(move) for move in result.best_moves],
        "lines": [_line(board, [line.move], line.pov_score) for line in result.lines],
    }


def _playing_depth(board: chess.Board, found: Sequence[chess.engine.InfoDict]) -> dict[str, Any]:
    known = [line for line in found if line.get("pv")]
    return {
        "by": "playing",
        "depth": max((line.get("depth", 0) for line in known), default=0),
        "lines": [_line(board, line["pv"], line.get("score")) for line in known],
    }


def _line(
    board: chess.Board, moves: Sequence[chess.Move], score: chess.engine.PovScore | None
) -> dict[str, Any]:
    names = _san(board, moves)
    written = [move.uci() for move in moves[: len(names)]]
    return {"moves": written, "move": written[0], "san": names, "score": white_score(score)}


def read_game(_: Say, *, text: str) -> dict[str, Any]:
    """Read the first game of a PGN, with the tags that say something, or a position."""
    from betacut.core.arguments import as_board
    from betacut.core.messages import shown
    from betacut.games.pgn import read_text
    from betacut.games.review.game import check_game

    games = read_text(text)
    found = next(games, None)
    game = check_game(text)[0] if found is None else found.game()
    if not (game.next() or "FEN" in game.headers):
        why = f": {game.errors[0]}" if game.errors else ""
        raise ValueError(f"cannot read a game or a position in {shown(text)}{why}")
    if game.errors:
        fault = check_game(text)[2].replace("it is read up to", "it is right up to")
        raise ValueError(f"game is broken: {fault}")
    board = as_board(game.board())
    said = game.headers.items()
    tags = {name: value for name, value in said if value.strip("?.*-") and len(value) <= 200}
    own = ("FEN", "SetUp", "Variant")  # the tags that a game gets by its position
    main = [move.uci() for move in game.mainline_moves()]
    written, not_read = _written(game)
    if next(games, None):
        not_read = f"What follows the first game was not read. {not_read}".strip()
    return {
        "fen": board.fen(en_passant="fen"),
        "moves": SEPARATOR.join(main),
        "written": SEPARATOR.join(written or main),
        "not_read": not_read,
        "tags": {name: tags[name] for name in list(tags)[:30] if name not in own},
    }


def _written(game: chess.pgn.Game) -> tuple[list[str], str]:
    """The moves of a game with its variations, none if these are too many; what is left out."""
    from betacut.games.pgn import NOT_READ

    lost = []
    for node in [game, *(one.node for one in in_order(game))]:
        _, begun, reason = node.comment.partition(NOT_READ)
        lost += [begun + reason] if begun else []
        if isinstance(node, chess.pgn.ChildNode) and not node.move and not node.is_mainline():
            node.parent.remove_variation(node)
            lost.append(f"{NOT_READ}: a null move, and what follows.")
    found = words(game)
    count = sum(map(str.isalnum, found))
    if count > MOST_MOVES:
        reason = f"the game has {count:,} moves with them, and may have {MOST_MOVES:,} here"
        return [], f"The variations were not read: {reason}."
    return found, one_line(" ".join(dict.fromkeys(lost)), 400)


def judge(
    _: Say, *, player: str, start: str, moves: Sequence[str], seconds: float, nodes: int
) -> Any:  # noqa: ANN401 - MoveReview
    """Judge the last move of a game, and find the reason if it is a bad one."""
    from betacut.games.players import parse
    from betacut.games.review.game import judge as judge_move
    from betacut.games.review.reasons import reason_for

    board, move = board_of(start, moves[:-1]), chess.Move.from_uci(moves[-1])
    limit = chess.engine.Limit(time=seconds, nodes=nodes)
    with parse(player) as found:
        judged = judge_move(found, board, move, len(moves), limit)
    if judged.remark:
        reason = reason_for(board, move, judged.best, judged.centipawn_loss)
        judged = replace(judged, reason=reason)
    return judged


def judgement(found: Any) -> dict[str, Any]:  # noqa: ANN401 - MoveReview
    """A move that was judged, as data, with what is worth saying of it and the reason."""
    return {
        "ply": found.ply,
        "name": found.name,
        "verdict": found.verdict,
        "text": found.remark,
        "reason": found.explanation,
        "score": white_score(found.score_after),
    }


def report(
    _: Say, *, pgn: str, moves: Sequence[Any], player: str, seconds: float
) -> dict[str, Any]:
    """Put a review together: the graph, the sums of both sides, the annotated game, its title."""
    from betacut.games.review.game import GameReview
    from betacut.games.review.results import side_text
    from betacut.views.advantage import advantage_graph

    found = GameReview(pgn, tuple(moves), player, chess.engine.Limit(time=seconds))
    graph = advantage_graph(
        found.course,
        [move.verdict for move in found.moves],
        [move.name for move in found.moves],
        [f"#ply-{move.ply}" for move in found.moves],
        found.first_ply,
    )
    return {
        "title": found.title,
        "graph": graph,
        "white": side_text(found.side(chess.WHITE)),
        "black": side_text(found.side(chess.BLACK)),
        "pgn": found.to_pgn(),
    }


def tree(
    _: Say,
    *,
    algorithm: str,
    fen: str,
    depth: int,
    order: str,
    ply: int,
    nodes: int,
    line: Sequence[str],
) -> dict[str, Any]:
    """Record the tree of a search to a ply, or what lies below a line, packed for the explorer."""
    from betacut import engine, originals

    moves = [chess.Move.from_uci(move) for move in line]
    extent: dict[str, Any] = {"max_nodes": nodes, "max_ply": ply, "line": moves}
    if "." in algorithm:  # another program's, which has its own order of moves
        found = originals.tree(fen, depth, algorithm=algorithm, **extent)
    else:
        found = engine.tree(fen, depth, algorithm=algorithm, order=order, **extent)
    return found.packed()


def compare(
    say: Say, *, fen: str, depth: int, algorithms: Sequence[str], order: str, seconds: float
) -> dict[str, Any]:
    """Compare searches; `say` is told each row, and one may take so many seconds, roughly."""
    from betacut import engine
    from betacut.core.positions import POSITIONS

    names = {known: name for name, known in POSITIONS.items()}
    found = engine.compare(
        names.get(fen, fen),
        range(1, depth + 1),
        algorithms=algorithms,
        orders=[order],
        max_seconds=seconds,
        progress=say,
    )
    return _shown(found)


def compared(_: Say, *, rows: Sequence[Any]) -> dict[str, Any]:
    """Show the rows of a comparison that has not come to its end."""
    from betacut.results.comparison import Comparison

    return _shown(Comparison(tuple(rows)))


def _shown(found: Any) -> dict[str, Any]:  # noqa: ANN401 - Comparison
    return {"table": found._repr_html_(), "plots": _plotted(found)}


def _plotted(found: Any) -> dict[str, str]:  # noqa: ANN401 - Comparison
    try:
        import matplotlib
    except ImportError:
        return {}
    matplotlib.use("Agg")
    from matplotlib.figure import Figure

    from betacut.views.palette import THEMES
    from betacut.views.plot import themed

    plots = {}
    for theme in THEMES:
        with themed(theme):
            figure = Figure(figsize=(6.4, 4.0), layout="constrained")
            found.plot(ax=figure.add_subplot())
            picture = io.StringIO()
            figure.savefig(picture, format="svg", transparent=True)
        plots[theme] = picture.getvalue()
    return plots


TASKS: Mapping[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (choose, analyse, read_game, judge, report, tree, compare, compared)
}
"""The tasks by name."""
