"""What is kept of a game: its moves with scores, nodes and times, how it ended, and its PGN."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import chess
import chess.engine
import chess.pgn

from betacut.core.arguments import parse_board


class Termination:
    """How a game ended, in the words of the PGN standard's tag `Termination`."""

    NORMAL = "normal"
    TIME = "time forfeit"
    RULES = "rules infraction"
    ADJUDICATION = "adjudication"
    ABANDONED = "abandoned"


@dataclass(frozen=True)
class MoveRecord:
    """A move, and what the player said about it.

    Attributes:
        move: The move.
        seconds: How long the player took, by the referee's watch.
        score: The player's score; None if it has none.
        depth: The depth it searched to, if it says so. Plies.
        nodes: The nodes it visited, if it says so.
        cpu: Processor time of the thread that asked the player: all of it for a player that thinks
            in that thread, next to nothing for a program of its own. Seconds.
        clock: What the clock showed afterwards; None without clocks. Seconds.
    """

    move: chess.Move
    seconds: float
    score: chess.engine.PovScore | None = None
    depth: int | None = None
    nodes: int | None = None
    cpu: float | None = None
    clock: float | None = None


@dataclass(frozen=True)
class GameRecord:
    """A game that was played.

    Attributes:
        white: The name of the player with the white pieces.
        black: That of the other.
        result: `1-0`, `0-1` or `1/2-1/2`.
        reason: Why it ended so, in a few words.
        termination: The same in the words of the PGN standard: see `Termination`.
        fen: The position that the opening begins at.
        opening: The moves of the opening.
        moves: The moves of the players.
        tags: More tags for the PGN.
    """

    white: str
    black: str
    result: str
    reason: str
    termination: str
    fen: str
    opening: tuple[chess.Move, ...] = ()
    moves: tuple[MoveRecord, ...] = ()
    tags: dict[str, str] = field(default_factory=dict)

    def points(self, color: chess.Color) -> float:
        """The points of a side: 0, ½ or 1."""
        white = {"1-0": 1.0, "0-1": 0.0}.get(self.result, 0.5)
        return white if color else 1 - white

    def board(self) -> chess.Board:
        """The last position, with all moves on the stack."""
        board = parse_board(self.fen)
        for move in [*self.opening, *(one.move for one in self.moves)]:
            board.push(move)
        return board

    def of(self, color: chess.Color) -> Iterator[MoveRecord]:
        """Go through the moves of a side."""
        turn = parse_board(self.fen).turn ^ bool(len(self.opening) % 2)
        yield from self.moves[0 if turn == color else 1 :: 2]

    def speed(self, color: chess.Color) -> float | None:
        """The nodes a second of a side over the game; None if it does not say."""
        known = [(one.nodes, one.seconds) for one in self.of(color) if one.nodes is not None]
        seconds = sum(seconds for _, seconds in known)
        return sum(nodes for nodes, _ in known) / seconds if seconds > 0 else None

    def cpu(self, color: chess.Color) -> float | None:
        """The processor time of a side's moves, on the average; None if unknown. Seconds."""
        times = [one.cpu for one in self.of(color) if one.cpu is not None]
        return sum(times) / len(times) if times else None

    def pgn(self) -> str:
        """Write the game as PGN, with a blank line behind it.

        The comment of a move has the score, `[%eval]` (White's view, with the depth), the time the
        move took, `[%emt]`, what the clock showed, `[%clk]`, the nodes and the processor time,
        `[%nodes]` and `[%cpu]`. The last comment is the reason for the result.
        """
        game = chess.pgn.Game()
        game.headers.clear()
        game.headers.update(headers_of(self))
        board = parse_board(self.fen)
        if self.fen != chess.STARTING_FEN:
            game.setup(board)
        node: chess.pgn.GameNode = game
        for move in self.opening:
            node = node.add_variation(move)
        for one in self.moves:
            node = node.add_variation(one.move)
            if one.score is not None:
                node.set_eval(one.score, one.depth)
            if one.clock is not None:
                node.set_clock(one.clock)
            node.set_emt(one.seconds)
            if one.nodes is not None:
                node.comment += f" [%nodes {one.nodes}]"
            if one.cpu is not None:
                node.comment += f" [%cpu {one.cpu:.6f}]"
            node.comment = node.comment.strip()
        node.comment = f"{node.comment} {in_tag(self.reason)}".strip()
        return f"{game.accept(chess.pgn.StringExporter(columns=100))}\n\n"

    def to_dict(self) -> dict[str, Any]:
        """Write the game as plain data, as for JSON."""
        opening = [move.uci() for move in self.opening]
        moves = [_move_as_dict(one) for one in self.moves]
        return {**vars(self), "opening": opening, "moves": moves, "tags": dict(self.tags)}


def headers_of(record: GameRecord) -> dict[str, str]:
    """The tags of a game."""
    where = {"Event": "betacut match", "Site": "?", "Date": "????.??.??", "Round": "?"}
    tags = {name: in_tag(record.tags.get(name, value)) for name, value in where.items()}
    tags |= {"White": in_tag(record.white), "Black": in_tag(record.black)}
    tags |= {"Result": record.result, "Termination": record.termination}
    tags["PlyCount"] = str(len(record.opening) + len(record.moves))
    for color, name in ((chess.WHITE, "White"), (chess.BLACK, "Black")):
        if (speed := record.speed(color)) is not None:
            tags[f"{name}Speed"] = f"{speed:.0f} nodes/s"
        if (cpu := record.cpu(color)) is not None:
            tags[f"{name}CPU"] = f"{cpu:.6f} s/move"
    return tags | {name: in_tag(text) for name, text in record.tags.items() if name not in where}


def in_tag(text: str) -> str:
    """Make a text fit into tags and comments: one line, without the signs that end them."""
    return " ".join(text.split()).translate(str.maketrans('{}\\"', "()/'"))


def _move_as_dict(one: MoveRecord) -> dict[str, Any]:
    score = None if one.score is None else one.score.white()
    return {
        "move": one.move.uci(),
        "score": None if score is None else score.score(),
        "mate": None if score is None else score.mate(),
        "depth": one.depth,
        "nodes": one.nodes,
        "seconds": one.seconds,
        "cpu": one.cpu,
        "clock": one.clock,
    }
