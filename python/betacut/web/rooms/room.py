"""What all rooms have in common."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import chess

from betacut.core.messages import did_you_mean, shown
from betacut.games.terminal.game import End
from betacut.web import state
from betacut.web.host import Host
from betacut.web.state import Fields


class Room:
    """A room of a host. Its actions are the methods whose names begin with `on_`."""

    name = ""

    def __init__(self, host: Host) -> None:
        self.host = host

    def begin(self, fields: Fields) -> None:
        """Set it up as an address says."""
        raise NotImplementedError

    def is_at(self, query: Mapping[str, str]) -> bool:
        """Whether an address says what the room is already."""
        return dict(query) == {key: value for key, value in self.query().items() if value}

    def holds(self) -> Sequence[str]:
        """The names of what it has laid out and still shows."""
        return ()

    def enter(self) -> None:
        """A tab comes in: go on with what has been left."""

    def leave(self) -> None:
        """The tab is gone; the search has been ended."""

    def view(self) -> dict[str, Any]:
        """What it looks like, as plain data."""
        raise NotImplementedError

    def query(self) -> dict[str, str]:
        """What its address says, as `begin` reads it."""
        raise NotImplementedError

    def act(self, action: str, data: Mapping[str, Any]) -> None:
        """Do something."""
        method = getattr(self, f"on_{action}", None) if action.isidentifier() else None
        if method is None:
            names = [name[3:] for name in dir(self) if name.startswith("on_")]
            hint = did_you_mean(action, names)
            raise ValueError(f"{self.name} knows no action {shown(action)}{hint}")
        method(data)

    def load(
        self,
        data: Mapping[str, Any],
        take: Callable[[Mapping[str, Any]], object],
        failed: Callable[[str], object],
    ) -> bool:
        """Take a PGN, a FEN or the name of a position over; whether that takes a search.

        What is taken has `fen` and `moves`, as an address, `written`, which has variations too, and
        `tags`.
        """
        written = state.text(data, "text", state.LONGEST_PGN)
        if not written:
            raise ValueError("paste a PGN or a FEN first")
        if state.is_position(written):
            take({"fen": written, "tags": {}})
            return False
        self.host.ask("read_game", {"text": written}, take, failed=failed)
        return True

    def ask_player(
        self,
        player: str,
        board: chess.Board,
        limit: Mapping[str, float],
        done: Callable[[Mapping[str, Any]], object],
        **calls: Any,  # noqa: ANN401 - those of Host.ask
    ) -> None:
        """Have a player choose a move."""
        caps = {"seconds": self.host.caps.thinking, "nodes": self.host.caps.nodes}
        question = {"player": player, **line_of(board), "limit": limit, **caps}
        self.host.ask("choose", question, done, **calls)

    def export(self, pgn: str, board: chess.Board) -> None:
        """Hand a game and a position out."""
        self.host.send("export", {"data": self.host.publish({"pgn": pgn, "fen": board.fen()})})


def move_of(board: chess.Board, data: Mapping[str, Any]) -> chess.Move:
    """Read a move, as UCI or SAN."""
    from betacut.games.players import read_move

    move = read_move(board, state.text(data, "move", 20))
    if len(board.move_stack) >= state.LONGEST_GAME:
        raise ValueError(f"a game has up to {state.LONGEST_GAME} plies here")
    return move


def line_of(board: chess.Board) -> dict[str, Any]:
    """A position as tasks take it: where its game began, and the moves since."""
    return {
        "start": board.root().fen(en_passant="fen"),
        "moves": [move.uci() for move in board.move_stack],
    }


def links(game: Mapping[str, str], board: chess.Board) -> dict[str, str]:
    """The addresses of other rooms with a game, and with the position that is seen of it."""
    fen, side = state.written(board), chess.COLOR_NAMES[board.turn]
    return {
        "analyse": state.write_address("analyse", game),
        "inside": state.write_address("inside", {"fen": fen, "depth": "4"}),
        "play": state.write_address("play", {"side": side, "fen": fen}),
    }


def ending(end: End | None) -> dict[str, str] | None:
    """How a game ended, for the page."""
    return None if end is None else {"text": str(end), "result": end.result}


class MoveNames:
    """The moves of a game in algebraic notation; each is worked out once."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self._board = chess.Board()

    def of(self, board: chess.Board) -> list[str]:
        """Name the moves on the stack of a board."""
        named, moves = self._board.move_stack, board.move_stack
        if self._board.root() != board.root() or moves[: len(named)] != named:
            self._names, self._board = [], board.root()
        for move in moves[len(self._names) :]:
            self._names.append(self._board.san_and_push(move))
        return list(self._names)


def board_state(
    board: chess.Board,
    *,
    flipped: bool = False,
    playable: bool = False,
    arrows: Sequence[Mapping[str, str]] = (),
) -> dict[str, Any]:
    """Describe a board for the page."""
    king = board.king(board.turn) if board.is_check() else None
    return {
        "fen": board.fen(en_passant="fen"),
        "orientation": "black" if flipped else "white",
        "legal": {move.uci(): board.san(move) for move in board.legal_moves} if playable else {},
        "last": board.move_stack[-1].uci() if board.move_stack else None,
        "check": None if king is None else chess.square_name(king),
        "arrows": list(arrows),
        "edit": False,
    }


def arrows_of(lines: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
    """Make arrows of the lines of an analysis, the best first."""
    labels = ((line.get("score") or {}).get("text", "") for line in lines)
    return [
        {"move": line["move"], "kind": "other" if place else "best", "label": label}
        for place, (line, label) in enumerate(zip(lines, labels, strict=True))
    ]


# What the men are worth, in pawns; the most valuable first.
VALUES = {chess.QUEEN: 9, chess.ROOK: 5, chess.BISHOP: 3, chess.KNIGHT: 3, chess.PAWN: 1}


def captured(board: chess.Board) -> dict[str, Any]:
    """The men that each side has taken, the best first; how far White is ahead, in pawns."""
    start = board.root()
    found: dict[str, Any] = {}
    for color in chess.COLORS:
        letters, promoted = "", 0
        for role in VALUES:
            lost = len(start.pieces(role, not color)) - len(board.pieces(role, not color))
            if role == chess.PAWN:
                lost -= promoted  # a pawn that was promoted was not lost
            elif lost < 0:
                promoted -= lost
            letters += chess.piece_symbol(role) * max(lost, 0)
        found[chess.COLOR_NAMES[color]] = letters
    found["ahead"] = sum(
        value * (len(board.pieces(role, chess.WHITE)) - len(board.pieces(role, chess.BLACK)))
        for role, value in VALUES.items()
    )
    return found
