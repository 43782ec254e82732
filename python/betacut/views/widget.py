"""Widgets for notebooks: a board to play on, the explorer of a tree, the table of a comparison.

They run wherever anywidget does: JupyterLab, Jupyter Notebook, VS Code, marimo. This module knows
no searches: what a position is worth, what an opponent answers, what lies deeper in a tree, it
asks functions that it is given. Below each widget a notebook keeps a static picture, which is
hidden as long as the widget lives: that is what remains in a file made by nbconvert, and without a
network.
"""

import base64
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from html import escape
from pathlib import Path
from typing import Any, cast

import chess

from betacut.core.arguments import parse_board
from betacut.core.files import written
from betacut.core.messages import described, one_line, shown
from betacut.views import explorer
from betacut.views.assets import bundle, styles
from betacut.views.board import SCRIPT, STYLE, board_picture
from betacut.views.picture import png

try:
    import anywidget
    import traitlets
except ImportError:
    _message = 'widgets need anywidget: pip install "betacut[notebook]"'
    raise ImportError(_message) from None

__all__ = ["BoardWidget", "ComparisonWidget", "TreeWidget"]

_TABLE = Path(__file__).parent / "comparison"  # the module of the table of a comparison
_STATIC = "bc-static"
_HIDDEN = f".{_STATIC} {{ display: none; }}\n"  # in the style of widgets: only for who runs them
_MOMENT = 1.0  # how long the picture of a board waits for its arrows, in seconds

Advice = tuple[Any, str, list[dict[str, str]]]
"""Advice about a position: a result, words, and arrows."""

Watch = Callable[[Callable[[], None]], None]
"""Is told by a search what ends it."""


class _Widget(anywidget.AnyWidget):
    """A widget with a static picture of itself."""

    _picture: Callable[[], str] | None = None

    def _repr_html_(self) -> str:
        """Return the picture that remains when there is no widget."""
        return "" if self._picture is None else self._picture()

    def _settle(self) -> None:
        """Wait a moment if the picture will soon be a better one."""

    def _ipython_display_(self) -> None:
        """Show the widget, and below it the picture that remains of it."""
        from IPython.display import display

        bundle, metadata = self._repr_mimebundle_() or ({}, {})
        display(bundle, metadata=metadata, raw=True)  # type: ignore[no-untyped-call]
        self._settle()
        picture = f'<div class="{_STATIC}">{self._repr_html_()}</div>'
        static = {"text/html": picture, "text/plain": ""}
        display(static, raw=True)  # type: ignore[no-untyped-call]


class _Board(traitlets.Any):
    """A board, handed out as a copy; what it is set to is new, as equal ones differ in moves."""

    allow_none = False  # else None passes the checks

    def get(self, obj: Any, cls: Any = None) -> chess.Board:  # noqa: ANN401 - traitlets'
        return cast("chess.Board", super().get(obj, cls)).copy()

    def set(self, obj: Any, value: object) -> None:  # noqa: ANN401 - traitlets'
        before = obj._trait_values.get(self.name)
        after = obj._trait_values[self.name] = cast("chess.Board", self._validate(obj, value))
        obj._notify_trait(self.name, before, after.copy())


class BoardWidget(_Widget):
    """A board in a notebook: `engine.widget` makes one.

    `board`, `result` and `outcome` can be observed: `widget.observe(function, "board")`. What takes
    time runs in a thread; `wait` waits for it.

    Args:
        board: The position, with the moves that led to it.
        color: The side that is played by hand; None for both.
        reply: Chooses the move of the other side; None if both are played by hand.
        name: What the opponent is called.
        advise: Says what a position is worth; None for no advice.
        check: Makes sure that what is given as a board is one.

    Attributes:
        board: The position, a `chess.Board` with the moves so far, each time a copy. Set it to
            another one to go on from there.
        result: What the search found in the position; None as long as it has not found it.
        outcome: How the game ended, a `chess.Outcome`; None as long as it goes on. A third
            repetition and fifty moves without capture or pawn move end it too.
        error: What went wrong in the thread; None if nothing did.
        orientation: `"white"` or `"black"`: whose side is at the bottom.
        edit: Whether pieces can be put anywhere, to set a position up. Only the button *Done*
            keeps it; set to False, the board is what it was.
        arrows: The arrows on the board, dictionaries with `move`, `kind` and `label`.
    """

    _esm = bundle(SCRIPT.parent / "widget.js", names=False)
    _css = _HIDDEN + styles(STYLE)

    fen = traitlets.Unicode(chess.STARTING_FEN).tag(sync=True)
    orientation = traitlets.Enum(["white", "black"], "white").tag(sync=True)
    legal = traitlets.Dict().tag(sync=True)
    last = traitlets.Unicode(None, allow_none=True).tag(sync=True)
    check = traitlets.Unicode(None, allow_none=True).tag(sync=True)
    arrows: Any = traitlets.List().tag(sync=True)
    edit = traitlets.Bool(False).tag(sync=True)
    caption = traitlets.Unicode("").tag(sync=True)
    moves = traitlets.Unicode("").tag(sync=True)
    actions: Any = traitlets.List().tag(sync=True)
    board = _Board()
    result = traitlets.Any(None)
    outcome = traitlets.Any(None)
    error = traitlets.Any(None)

    def __init__(
        self,
        board: chess.Board,
        *,
        color: chess.Color | None = None,
        reply: Callable[[chess.Board], chess.Move | None] | None = None,
        name: str = "the opponent",
        advise: Callable[[chess.Board, Watch], Advice] | None = None,
        check: Callable[[object], chess.Board] | None = None,
    ) -> None:
        self._lock = threading.RLock()
        self._working = threading.Lock()
        self._idle = threading.Condition()
        self._pending = 0
        self._number = 0
        self._end_advice = _nothing
        self._color, self._reply, self._name, self._advise = color, reply, name, advise
        self._shows = advise is not None
        self._check = check or _copied
        self._start = self._check(board)
        super().__init__(orientation="black" if color == chess.BLACK else "white")
        self.on_msg(self._hear)
        self.board = self._start

    # What can be done with it.

    def play(self, move: chess.Move | str) -> None:
        """Make a move, as a click does; the opponent answers it.

        Args:
            move: The move, or its name in standard algebraic or UCI notation.

        Raises:
            TypeError: If it is anything else.
            ValueError: If it is not legal here, the game is over, the opponent is to move, or a
                position is being set up.
        """
        with self._lock:
            if not isinstance(move, (chess.Move, str)):
                raise TypeError(f"move must be a chess.Move or its name, not {described(move)}")
            if self.edit or self.outcome is not None or self._replies:
                raise ValueError(f"there is no move to make now: {self.caption}")
            self._push(move)

    def _push(self, move: chess.Move | str) -> None:
        board = self.board
        if isinstance(move, str):
            move = _move_of(board, move)
        elif move not in board.legal_moves:
            raise ValueError(f"move must be legal in {board.fen()}, not {shown(move)}")
        board.push(move)
        self.board = board

    def undo(self) -> None:
        """Take back the last move made by hand, and the opponent's answer to it."""
        with self._lock:
            board = self.board
            plies = 1 if self._reply is None or board.turn != self._color else 2
            if len(board.move_stack) >= plies:
                for _ in range(plies):
                    board.pop()
                self.board = board

    def restart(self) -> None:
        """Begin again where the widget began, or where the last position that was set up began."""
        self.board = self._start

    def flip(self) -> None:
        """Turn the board."""
        self.orientation = "white" if self.orientation == "black" else "black"

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until the opponent has moved and the arrows are drawn.

        Args:
            timeout: The longest time to wait. Seconds; None for any.

        Returns:
            Whether that happened in time.
        """
        if timeout is not None and not isinstance(timeout, (int, float)):
            raise TypeError(f"timeout must be seconds or None, not {described(timeout)}")
        with self._idle:
            return self._idle.wait_for(lambda: self._pending == 0, timeout)

    def close(self) -> None:
        """Close the widget, and end its search."""
        with self._lock:
            self._leave()
        super().close()

    def _leave(self) -> None:
        """Let nothing come of what the thread is doing, and end it if it is a search."""
        self._number += 1
        self._end_advice()
        self._end_advice = _nothing

    # What is shown.

    @traitlets.validate("board")
    def _checked(self, proposal: Mapping[str, Any]) -> chess.Board:
        return self._check(proposal["value"])

    @traitlets.observe("board", "edit")
    def _changed(self, _change: object) -> None:
        """Show another position, and begin what it needs: an answer, advice."""
        with self._lock:
            self._leave()
            board = self.board
            self.outcome = _outcome(board)
            self.result = self.error = None
            with self.hold_sync():
                self.fen = board.fen(en_passant="fen")
                start = board.copy()
                while start.move_stack and start.peek():  # null moves have no place in a line
                    start.pop()
                made = board.move_stack[len(start.move_stack) :]
                self.last = made[-1].uci() if made else None
                king = board.king(board.turn) if board.is_check() else None
                self.check = None if king is None else chess.square_name(king)
                self.legal = self._legal_moves()
                self.arrows = []
                self.caption = self._standing()
                self.moves = "" if self.edit else start.variation_san(made)
                self.actions = self._buttons()
            if self.outcome is None and not self.edit and (self._replies or self._shows):
                with self._idle:
                    self._pending += 1
                asked = self._number, board.copy()
                threading.Thread(target=self._work, args=asked, daemon=True).start()

    @property
    def _replies(self) -> bool:
        return self._reply is not None and self.board.turn != self._color

    def _legal_moves(self) -> dict[str, str]:
        if self.edit or self.outcome is not None or self._replies:
            return {}
        return {move.uci(): self.board.san(move) for move in self.board.legal_moves}

    def _standing(self) -> str:
        if self.edit:
            return "Set up a position."
        if self.outcome is not None:
            reason = self.outcome.termination.name.lower().replace("_", " ")
            if self.outcome.winner is None:
                return f"Draw: {reason}."
            return f"{_side(self.outcome.winner)} wins: {reason}."
        if self._replies:
            return f"{self._name} is thinking …"
        return f"{_side(self.board.turn)} to move."

    def _buttons(self) -> list[tuple[str, str]]:
        if self.edit:
            return [("done", "Done"), ("flip", "Turn the board")]
        buttons = [("undo", "Take back"), ("restart", "Start again"), ("flip", "Turn the board")]
        if self._advise is not None:
            buttons.append(("arrows", "Hide arrows" if self._shows else "Show arrows"))
        return [*buttons, ("edit", "Set up")]

    # What takes time.

    def _work(self, number: int, board: chess.Board) -> None:
        """Answer the position or say what it is worth, unless it has changed meanwhile."""
        try:
            with self._working:
                if number != self._number:
                    return
                move, advice = None, None
                if self._reply is not None and board.turn != self._color:
                    move = self._reply(board)
                elif self._advise is not None:
                    advice = self._advise(board, partial(self._watch, number))
            with self._lock:
                if number != self._number:
                    return
                if advice is None:
                    if move is None:
                        raise ValueError(f"{self._name} chose no move")
                    self._push(move)
                    return
                self.result, words, arrows = advice
                with self.hold_sync():
                    self.arrows = arrows
                    self.caption = f"{self._standing()} {words}"
        except BaseException as error:  # an opponent may leave by any
            with self._lock:
                if number == self._number:
                    self.error = error
                    self.caption = one_line(f"{type(error).__name__}: {error}", 200)
        finally:
            with self._idle:
                self._pending -= 1
                self._idle.notify_all()

    def _watch(self, number: int, end: Callable[[], None]) -> None:
        """Learn how to end the search about a position: at once if there is another one already."""
        with self._lock:
            if number == self._number:
                self._end_advice = end
            else:
                end()

    # What comes from the page.

    def _hear(self, _widget: object, content: Any, _buffers: object) -> None:  # noqa: ANN401
        """Do what was asked for on the page; a move that is not legal there is taken back."""
        kind = content.get("type") if isinstance(content, dict) else None
        if kind == "move" and content.get("move") in self.legal:
            self.play(chess.Move.from_uci(content["move"]))
        elif kind == "edit" and self.edit:
            self._set_up(content.get("fen"))
        elif kind == "action":
            self._act(content.get("name"))
        else:
            self.send({"type": "refresh"})

    def _set_up(self, fen: object) -> None:
        try:
            self.fen = parse_board(str(fen)).fen(en_passant="fen")
            self.caption = "Set up a position."
        except ValueError as error:
            self.caption = one_line(f"{error}", 200)

    def _act(self, name: object) -> None:
        if name == "done":
            try:
                board = self._check(self.fen)
            except ValueError as error:
                self.caption = one_line(f"{error}", 200)
                return
            self.edit = False
            if board != self.board:  # else the moves stay
                self._start = self.board = board
        elif name == "edit":
            self.edit = True
        elif name == "arrows":
            self._shows = not self._shows
            self._changed(None)
        elif name in ("undo", "restart", "flip"):
            getattr(self, str(name))()

    def _settle(self) -> None:
        self.wait(_MOMENT)

    def __repr__(self) -> str:
        return f"BoardWidget(fen={self.fen!r})"

    def to_svg(self, file: str | Path | None = None) -> str:
        """Draw the board and its arrows as SVG, and write that to `file`, if there is one."""
        board: chess.Board = self.board
        best = [chess.Move.from_uci(arrow["move"]) for arrow in self.arrows]
        drawn = board_picture(
            board, best, best[0] if best else None, flipped=self.orientation == "black", size=400
        )
        return written(drawn, file)

    def to_png(self, file: str | Path | None = None) -> bytes:
        """Draw the same as PNG; needs `pip install "betacut[plot]"`."""
        return written(png(self.to_svg()), file)

    def _repr_html_(self) -> str:
        words = " ".join(text for text in (self.caption, self.moves) if text)
        return f"{self.to_svg()}<p>{escape(words)}</p>"


class TreeWidget(_Widget):
    """The explorer of a tree in a notebook: `tree.widget()` makes one.

    Args:
        packed: The tree, as `betacut.views.explorer.pack` makes it.
        deeper: Records the tree below a line (moves in UCI notation), packed; None if that cannot
            be done.
        find: Finds the node of a line.
        picture: Makes the static picture.

    Attributes:
        line: The moves that lead to the node that is looked at, in UCI notation. It can be
            observed, and set.
    """

    _esm = bundle(explorer.SCRIPT, names=False)
    _css = _HIDDEN + styles(explorer.STYLE)

    data = traitlets.Dict().tag(sync=True)
    payload = traitlets.Bytes().tag(sync=True)
    live = traitlets.Bool(False).tag(sync=True)
    line = traitlets.List(traitlets.Unicode()).tag(sync=True)

    def __init__(
        self,
        packed: Mapping[str, Any],
        *,
        deeper: Callable[[Sequence[str]], Mapping[str, Any]] | None = None,
        find: Callable[[Sequence[str]], Any] | None = None,
        picture: Callable[[], str] | None = None,
    ) -> None:
        self._deeper, self._find, self._picture = deeper, find, picture
        data, payload = _split(packed)
        super().__init__(data=data, payload=payload, live=deeper is not None)
        self.on_msg(self._hear)

    @property
    def node(self) -> Any:  # noqa: ANN401 - a node of whatever tree it is
        """The node that is looked at.

        Raises:
            KeyError: If it is not part of the tree in Python: it was recorded in the widget, or
                `line` was set to moves that were never searched.
        """
        return None if self._find is None else self._find(self.line)

    def __repr__(self) -> str:
        return f"TreeWidget({self.data['about']['algorithm']}, line={' '.join(self.line)!r})"

    def _hear(self, _widget: object, content: Any, _buffers: object) -> None:  # noqa: ANN401
        """Look deeper in a thread."""
        if not isinstance(content, dict) or content.get("type") != "deeper":
            return
        asked = content.get("line"), content.get("id")
        threading.Thread(target=self._answer, args=asked, daemon=True).start()

    def _answer(self, line: Any, number: object) -> None:  # noqa: ANN401
        """Send what lies below a line, or why that cannot be done."""
        try:
            if self._deeper is None:
                raise ValueError("this tree cannot be searched again")
            data, payload = _split(self._deeper([str(move) for move in line]))
        except Exception as error:
            self.send({"type": "subtree", "id": number, "error": one_line(f"{error}", 200)})
        else:
            self.send({"type": "subtree", "id": number, "data": data}, [payload])


class ComparisonWidget(_Widget):
    """The table of a comparison in a notebook: `comparison.widget()` makes one.

    Args:
        data: What the module shows: columns, positions, rows, remarks.
        rows: The rows of the comparison, in the same order.
        picture: Makes the static picture.

    Attributes:
        position: The place of the position that is shown. It can be observed, and set.
        selected: The place of the row that is selected; -1 for none. So can this.
    """

    _esm = bundle(_TABLE / "comparison.js", names=False)
    _css = _HIDDEN + styles(_TABLE / "comparison.css")

    data = traitlets.Dict().tag(sync=True)
    position = traitlets.Int(0).tag(sync=True)
    selected = traitlets.Int(-1).tag(sync=True)

    def __init__(
        self,
        data: Mapping[str, Any],
        *,
        rows: Sequence[Any] = (),
        picture: Callable[[], str] | None = None,
    ) -> None:
        self._rows, self._picture = rows, picture
        super().__init__(data=dict(data))

    @property
    def row(self) -> Any:  # noqa: ANN401 - a row of whatever is compared
        """The row that is selected; None for none."""
        return self._rows[self.selected] if self.selected >= 0 else None

    def __repr__(self) -> str:
        return f"ComparisonWidget({len(self._rows)} rows, selected={self.selected})"

    @traitlets.validate("position", "selected")
    def _in_range(self, proposal: Mapping[str, Any]) -> int:
        name = proposal["trait"].name
        least, shown_of = (0, "positions") if name == "position" else (-1, "rows")
        most = len(self.data[shown_of]) - 1
        value = int(proposal["value"])
        if not least <= value <= max(most, least):
            raise traitlets.TraitError(f"{name} must be {least} to {most}, not {shown(value)}")
        return value


def _split(packed: Mapping[str, Any]) -> tuple[dict[str, Any], bytes]:
    """Take a packed tree apart: what is JSON, and the bytes."""
    data = {name: value for name, value in packed.items() if name != "payload"}
    return data, base64.b64decode(packed["payload"])


def _nothing() -> None:
    """End no search."""


def _copied(board: object) -> chess.Board:
    if isinstance(board, str):
        return parse_board(board)
    if not isinstance(board, chess.Board):
        raise TypeError(f"board must be a chess.Board, not {described(board)}")
    return board.copy()


def _move_of(board: chess.Board, name: str) -> chess.Move:
    """Read a move, in standard algebraic or UCI notation."""
    for read in (board.parse_san, board.parse_uci):
        with suppress(ValueError):
            if move := read(name):  # a null move is none
                return move
    raise ValueError(f"move must be legal in {board.fen()}, not {shown(name)}")


def _outcome(board: chess.Board) -> chess.Outcome | None:
    """Say how a game ended; a draw needs no claim."""
    outcome = board.outcome()
    if outcome is None and board.is_repetition(3):
        return chess.Outcome(chess.Termination.THREEFOLD_REPETITION, None)
    if outcome is None and board.is_fifty_moves():
        return chess.Outcome(chess.Termination.FIFTY_MOVES, None)
    return outcome


def _side(color: chess.Color) -> str:
    return chess.COLOR_NAMES[color].capitalize()
