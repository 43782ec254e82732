"""Games of any kind: what a game must have, and how it stands in for chess.

The pages of the searches ask a `Position` for everything: moves, score, key, whether the game is
over. `GamePosition` answers the same questions out of five methods (`Game`), so that every page
serves both, and nothing is written twice. `betacut.reference.games` has games to begin with.
"""

import hashlib
from array import array
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, NoReturn, Protocol, cast, runtime_checkable

import chess

from betacut.core.arguments import MAX_EVALUATION, as_board, as_int, check_kind
from betacut.core.messages import described, one_line, shown
from betacut.reference.position import Position
from betacut.reference.scoring import Scoring
from betacut.results import Line, MateSearch, SearchResult
from betacut.results.search import Given
from betacut.results.tree import Builder, Tree
from betacut.results.tree.columns import NO_MOVE


@runtime_checkable
class Game(Protocol):
    """A position of a game of two players who move by turns: all that the searches ask for.

    OpenSpiel's `legal_actions`, `apply_action`, `is_terminal`, `returns`, `current_player` and
    easyAI's `possible_moves`, `make_move`, `is_over`, `scoring`, `current_player` are the same.

    Positions do not change: `play` returns another one. A search with a memo needs positions that
    are equal when they are the same (a frozen dataclass, a tuple). `str(position)` is what the
    explorer shows in place of a board, `str(move)` the name of a move.
    """

    def moves(self) -> Sequence[Any]:
        """List the moves, in the order in which they are tried; any hashable values but None."""

    def play(self, move: Any) -> "Game":  # noqa: ANN401 - each game has moves of its own
        """Return the position after a move."""

    def is_over(self) -> bool:
        """Tell whether the game is over."""

    def value(self) -> int:
        """Tell what the position is worth to player 1, who maximises.

        It is asked where the game is over and where the depth ends: an int from -89,999 to 89,999.
        """

    def to_move(self) -> int:
        """Tell who moves: 1, who maximises, or 2, who minimises. They move by turns."""


NAMES = ("moves", "play", "is_over", "value", "to_move")
"""The five names."""

NEED_CAPTURES = ("captures_first", "mvv_lva", "see")
"""The move orders that are of chess alone."""

_OWN_CODES = 0x8000  # moves that are smaller ints are their own code in the columns of a tree


def label(move: object) -> str:
    """Name a move: its text, without spaces, so that lines can be written with spaces between."""
    return "".join(str(move).split()) or "-"


def player(state: Game) -> bool:
    """Tell whether the player who maximises is to move."""
    who = state.to_move()
    if who not in (1, 2) or isinstance(who, bool):
        raise ValueError(f"to_move() must return 1 or 2, not {described(who)}")
    return who == 1


class GameBoard:
    """A position of a game, with the moves that led there, by the names of `chess.Board`."""

    def __init__(self, state: Game) -> None:
        self._states = [state]
        self.move_stack: list[Any] = []
        self.turn = player(state)
        self.codes: dict[Any, int] = {}
        self.coded: list[Any] = []

    @property
    def state(self) -> Game:
        """The position itself."""
        return self._states[-1]

    @property
    def legal_moves(self) -> list[Any]:
        """The moves; none when the game is over."""
        return [] if self.state.is_over() else list(self.state.moves())

    def push(self, move: object) -> None:
        """Play a move."""
        if move is None:
            raise TypeError(f"a move must not be None: see moves() of {shown(self.state)}")
        after = self.state.play(move)
        if player(after) == self.turn:
            raise ValueError(
                f"the players must move by turns, but player {1 if self.turn else 2} is to move "
                f"again after {shown(move)}"
            )
        self._states.append(after)
        self.move_stack.append(move)
        self.turn = not self.turn

    def pop(self) -> object:
        """Take the last move back."""
        self._states.pop()
        self.turn = not self.turn
        return self.move_stack.pop()

    def root(self) -> "GameBoard":
        """The position before all moves."""
        return GameBoard(self._states[0])

    def copy(self, *, stack: bool = True) -> "GameBoard":
        """Copy the position, with or without the moves that led there."""
        copy = GameBoard(self._states[0] if stack else self.state)
        for move in self.move_stack if stack else ():
            copy.push(move)
        return copy

    def is_legal(self, move: object) -> bool:
        """Tell whether a move can be played."""
        return move in self.legal_moves

    def parse_san(self, text: str) -> object:
        """Find the move that is this text, or else has its name."""
        named = [move for move in self.legal_moves if label(move) == label(text)]
        if not named:
            raise ValueError(f"no move is called {shown(text)}")
        return next((move for move in named if move == text), named[0])

    parse_uci = parse_san

    def san(self, move: object) -> str:
        """Name a move."""
        return label(move)

    def variation_san(self, moves: Iterable[object]) -> str:
        """Name the moves of a line."""
        return " ".join(map(label, moves))

    def fen(self, *, en_passant: str = "") -> str:
        """Name the kind of game and who is to move, where chess has its FEN."""
        return f"{one_line(type(self.state).__name__, 40)} {'w' if self.turn else 'b'}"

    def code(self, move: Hashable) -> int:
        """Write a move as a number for the columns of a tree, which has this board."""
        if type(move) is int and 0 <= move < _OWN_CODES:
            return move
        code = self.codes.get(move)
        if code is None:
            code = _OWN_CODES + len(self.coded)
            if code >= NO_MOVE - 1:
                raise ValueError("a tree records 32,766 different moves of a game at most")
            self.codes[move] = code
            self.coded.append(move)
        return code

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GameBoard):
            return NotImplemented
        mine, theirs = ([*map(_compared, board._states)] for board in (self, other))
        return (self.turn, mine) == (other.turn, theirs)

    __hash__ = None  # type: ignore[assignment] # it changes

    def __repr__(self) -> str:
        return f"GameBoard({shown(self.state)})"


def _compared(state: Game) -> tuple[str, object]:
    """What a position is compared by: itself, or its text if it equals nothing but itself.

    Without a text nothing but its class is left, since a copy must equal what was pickled.
    """
    kind = type(state)
    return kind.__name__, _text(state) if kind.__eq__ is object.__eq__ else state


def _text(state: Game) -> str:
    """Write a position; one that has no text of its own is empty."""
    kind = type(state)
    has_text = kind.__str__ is not object.__str__ or kind.__repr__ is not object.__repr__
    return str(state) if has_text else ""


class GameLine(Line):
    """A best move of a game, and its value."""

    def __post_init__(self) -> None:
        """The move is one of the game."""

    def __repr__(self) -> str:
        """Write the line on one line of text."""
        return f"Line(score={self.score_text}, move={label(self.move)}, depth={self.depth})"


class GameResult(SearchResult):
    """What a search of a game found: a result whose moves and board are those of the game."""

    __slots__ = ()
    _source: Any

    def __init__(
        self,
        *,
        best_moves: tuple[Any, ...],
        pv: tuple[Any, ...],
        move: Any = None,  # noqa: ANN401
        **found: Any,  # noqa: ANN401
    ) -> None:
        if move is None and best_moves:
            move = best_moves[0]
        source = Given(
            best_moves=best_moves, move=move, line=pv, complete=True, lines=None, **found
        )
        object.__setattr__(self, "_source", source)

    @property
    def board(self) -> Any:  # noqa: ANN401 - chess has its own
        """The searched position, as a `GameBoard`."""
        return self._source.position.game_board.copy(stack=False)

    @property
    def lines(self) -> Any:  # noqa: ANN401
        """The best moves with their values."""
        turn = self._source.position.turn
        return tuple(GameLine(self.score, move, self.depth, turn) for move in self.best_moves)

    def __reduce__(self) -> tuple[Any, ...]:
        given = self._source
        names = "algorithm score best_moves pv depth statistics position move"
        return partial(GameResult, **{name: getattr(given, name) for name in names.split()}), ()

    def show(self, **_: Any) -> Any:  # noqa: ANN401 - chess has its own
        """Show the same as a notebook; there is no board to draw."""
        from betacut import views

        return views.Html(self._repr_html_())

    def _board(self, *_: object) -> NoReturn:
        raise TypeError("a position of a game has no picture; show() has its text")

    def _repr_html_(self) -> str:
        """Show the position and the figures, for notebooks."""
        from html import escape

        from betacut import views

        picture = f"<pre>{escape(str(self.board.state))}</pre>"
        figures = views.table([*self._outcome(self.lines), *self._counts()])
        return views.side_by_side(picture, figures)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as a dictionary that `json.dumps` accepts."""
        return {
            "score": self.score,
            "move": None if self.move is None else label(self.move),
            "best_moves": [*map(label, self.best_moves)],
            "pv": [*map(label, self.pv)],
            "depth": self.depth,
            "algorithm": self.algorithm,
            "statistics": self.statistics.as_dict(),
        }


class GameMate(MateSearch):
    """What a search for a win found: `mate` is the number of moves that the winner needs."""

    def __post_init__(self) -> None:
        check_kind("line", self.line, tuple)

    @property
    def board(self) -> NoReturn:
        """Nothing: the result does not keep the position of the game."""
        raise AttributeError("the result of a search for a win keeps no position of the game")

    def __repr__(self) -> str:
        """Write the win with its line, or that there is none."""
        found = f"mate=None, proven={self.proven}"
        if self.mate is not None:
            found = f"mate={self.mate}, line=[{' '.join(map(label, self.line))}]"
        return f"MateSearch({found}, nodes={self.nodes:,})"


class GameTree(Tree):
    """The tree of a search of a game: its moves and boards are those of the game."""

    def __init__(self, columns: Mapping[str, object], *, game: GameBoard, **about: Any) -> None:  # noqa: ANN401
        self._game = game
        super().__init__(columns, **about)
        self.legal_moves = lambda board: board.legal_moves

    @classmethod
    def of(cls, builder: Builder, game: GameBoard, about: Mapping[str, Any]) -> "GameTree":
        """Make the tree of what was recorded."""
        columns = builder._take(turn=game.turn)
        return cls(columns, game=game, fen=game.fen(), evaluation_name="value()", **about)

    def _start(self, fen: str) -> Any:  # noqa: ANN401
        return self._game

    @property
    def _position(self) -> GameBoard:
        return self._game

    def _decode(self, code: int) -> Any:  # noqa: ANN401
        """Read a number of the column `move`."""
        if code == NO_MOVE:
            return None
        return code if code < _OWN_CODES else self._game.coded[code - _OWN_CODES]

    def _word(self, move: object) -> str:
        return label(move)

    def _given_line(self, line: Iterable[object]) -> Sequence[Any]:
        return [*line]

    def _wanted_move(self, move: object) -> tuple[int | None, str | None]:
        return None, None if move is None else label(move)

    def __eq__(self, other: object) -> bool:
        """Compare as other trees do, but moves in place of their codes."""
        if not isinstance(other, GameTree):
            return NotImplemented
        mine, theirs = (
            {**tree.columns, "move": [*map(tree._decode, tree.columns["move"])]}
            for tree in (self, other)
        )
        return (self._position, self.complete, mine) == (other._position, other.complete, theirs)

    __hash__ = None  # type: ignore[assignment] # as that of other trees

    def _coded_as(self, other: Tree) -> Tree:
        rebuild, fields = self.__reduce__()
        found: Tree = rebuild(*fields, getattr(other, "_game", None))
        return found

    def packed(self) -> dict[str, Any]:
        """Return the tree for the explorer, with the text of every position."""
        from betacut.views import explorer

        states: list[Game] = []
        places: dict[Hashable, int] = {}
        of_node = array("I")
        for index, (parent, code) in enumerate(
            zip(self.columns["parent"], self.columns["move"], strict=True)
        ):
            state = self._game.state
            if parent >= 0:
                state = states[of_node[parent]]
            if code != NO_MOVE:
                state = state.play(self._decode(code))
            key: Hashable = state if isinstance(state, Hashable) else index
            of_node.append(places.setdefault(key, len(states)))
            if places[key] == len(states):
                states.append(state)
        known = [_described_state(self._game, state) for state in states]
        codes = {code for entry in known for code in entry["moves"]}
        about = self._about()
        about["game"] = {
            "states": known,
            "labels": {code: label(self._decode(code)) for code in sorted(codes)},
        }
        columns = self._packed_columns() | {"state": memoryview(of_node)}
        return explorer.pack(columns, about, [root.index for root in self.roots])

    def __reduce__(self) -> tuple[Any, ...]:
        _, (columns, fields) = super().__reduce__()
        fields = {**fields, "game": self._game.state}
        del fields["legal_moves"]
        return _rebuild, (columns, fields, [*self._game.coded])


def _rebuild(
    columns: dict[str, bytes],
    fields: dict[str, Any],
    moves: list[Any],
    coding: GameBoard | None = None,
) -> GameTree:
    """Make a tree from its pickled fields, perhaps with the codes of another one's board."""
    game = GameBoard(fields.pop("game"))
    if coding is not None:
        game.codes, game.coded = dict(coding.codes), [*coding.coded]
    codes = {_OWN_CODES + place: game.code(move) for place, move in enumerate(moves)}
    column = memoryview(columns["move"]).cast("H")
    renamed = array("H", [codes.get(code, code) for code in column])
    return GameTree({**columns, "move": renamed}, game=game, **fields)


def _described_state(board: GameBoard, state: Game) -> dict[str, Any]:
    """Describe a position for the explorer: its text, who is to move, the moves."""
    moves = [] if state.is_over() else [board.code(move) for move in state.moves()]
    return {"text": _text(state), "turn": 1 if player(state) else -1, "moves": moves}


class GamePosition(Position):
    """A position of a game, as the searches see it."""

    has_captures = False
    result_type: ClassVar[Any] = GameResult
    mate_type: ClassVar[Any] = GameMate

    def __init__(self, game: Game) -> None:
        self.game_board = GameBoard(game)
        self.board = cast(chess.Board, self.game_board)  # it has the names that are asked for
        self.ply = 0
        self._states: list[tuple[Any, bool]] = []
        self._look()

    def _look(self) -> None:
        self.key = cast(Any, self.game_board.state)
        self.end = None
        self._over = bool(self.game_board.state.is_over())

    @property
    def score(self) -> int:
        """What the game says that the position is worth."""
        value = as_int(self.game_board.state.value(), "value() must return an int")
        if abs(value) > MAX_EVALUATION:
            raise ValueError(
                f"value() must return an int from -{MAX_EVALUATION} to {MAX_EVALUATION}, "
                f"not {shown(value)}"
            )
        return value

    @property
    def guess(self) -> int:
        """Nothing: the root may have no value of its own."""
        return 0

    @property
    def standing_score(self) -> int:
        """Only quiescence asks for it."""
        raise ValueError("a game has no captures to play out: leave quiescence out")

    @property
    def known_score(self) -> int | None:
        """Unknown: a game is asked for its value at the leaves alone."""
        return None

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self._over

    @property
    def verdict(self) -> int:
        """1 if the side to move has won, -1 if it has lost, else 0."""
        value = self.score if self._over else 0
        return (value > 0) - (value < 0) if self.turn else (value < 0) - (value > 0)

    @property
    def occurrences(self) -> int:
        """Repetition is no rule of these games."""
        return 1

    def haste(self, depth: int) -> int:
        """An end is worth the same whenever it comes."""
        return 0

    def key_within(self, plies: int) -> Hashable:
        """The position itself."""
        return self.key

    def legal_moves(self) -> list[Any]:
        """List the moves."""
        return [] if self._over else list(self.game_board.state.moves())

    def count_moves(self) -> int:
        """Count the moves."""
        return len(self.legal_moves())

    def push(self, move: Any) -> None:  # noqa: ANN401
        """Play a move."""
        self._states.append((self.key, self._over))
        self.game_board.push(move)
        self.ply += 1
        self._look()

    def pop(self) -> None:
        """Take the last move back."""
        self.game_board.pop()
        self.ply -= 1
        self.key, self._over = self._states.pop()

    def __reduce__(self) -> tuple[Any, ...]:
        return GamePosition, (self.game_board.root().state,)

    # What the orders of moves and the records ask for.

    def last_move(self) -> Any:  # noqa: ANN401
        """The move that led here."""
        return self.game_board.move_stack[-1]

    def is_quiet(self, move: Any) -> bool:  # noqa: ANN401
        """No move is a capture."""
        return True

    def way(self, move: Any) -> Hashable:  # noqa: ANN401
        """Tell the move and who makes it."""
        return self.turn, move

    def number(self) -> int:
        """Compute a number of 64 bits from the line that led here."""
        return _number(tuple(self.game_board.move_stack))

    def number_of(self, move: Any) -> int:  # noqa: ANN401
        """Compute such a number from a move."""
        return _number(move)

    def snapshot(self) -> Any:  # noqa: ANN401
        """Return the position for a function of the user's."""
        return self.key

    def check_order(self, text: str) -> None:
        """Refuse an order that is of chess alone."""
        for name in text.split("+"):
            if name in NEED_CAPTURES:
                raise ValueError(f"order must not name {name}, which is of chess, for a game")


def _number(value: object) -> int:
    """Compute a number of 64 bits from what a value is written as."""
    digest = hashlib.blake2b(repr(value).encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(digest, "little")


def is_game(board: object) -> bool:
    """Tell whether this is a position of a game; one that lacks a name or two is an error."""
    if isinstance(board, (chess.Board, str)):
        return False
    missing = [name for name in NAMES if not callable(getattr(board, name, None))]
    if 0 < len(missing) < 3 and not isinstance(board, type):
        kind = one_line(type(board).__name__, 40)
        lacking = " and ".join(f"{name}()" for name in missing)
        raise TypeError(f"a game must have the methods {', '.join(NAMES)}: {kind} lacks {lacking}")
    return not missing and not isinstance(board, type)


def as_position(board: object, scoring: Scoring | None = None) -> Position:
    """Read what is to be searched: chess, or another game."""
    if not is_game(board):
        return Position(as_board(board), scoring)
    if scoring is not None:
        raise ValueError("evaluation must be None for a game: its value() says what it is worth")
    return GamePosition(cast(Game, board))
