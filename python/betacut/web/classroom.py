"""A class: a board, or trees, that a lecturer leads and all others follow, and votes about it.

The server of `betacut web --class` has one. It lives in the event loop, keeps nothing, and knows
those who follow as tabs without names.
"""

import io
import secrets
import socket
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from importlib.util import find_spec
from typing import Any

import chess

from betacut.core.arguments import as_board
from betacut.web.game_tree import GameTree
from betacut.web.hand_ins import HandIns

VOTES = {"move": "Which move?", "cut": "Cut or not?"}
"""What a class may be asked, by the kind of the vote."""
CUTS = {"cut": "cut", "not": "no cut"}
"""The answers to the second question."""

Show = Callable[[], object]
"""What shows a tab what is new, and stands for it."""


class Vote:
    """A question to the class: each who follows has one answer, and may change it.

    An answer counts as long as its browser is there; one that comes back has it still.
    """

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.is_shown = False
        self.answers: dict[Hashable, str] = {}

    def counts(self) -> list[tuple[str, int]]:
        """The answers and how many gave each, the most frequent first."""
        return sorted(Counter(self.answers.values()).items(), key=lambda one: (-one[1], one[0]))


class SharedTrees:
    """Trees that a class sees, as the lecturer opens and steps them.

    What the lecturer has recorded deeper is put in by every page in the same order, so that a
    place in a tree is the same for all pages that have put in as much.
    """

    def __init__(self, questions: Sequence[Mapping[str, Any]], data: Sequence[str]) -> None:
        self.questions = questions  # what was searched: the arguments of the task `tree`
        self.data = list(data)  # the names under which the trees are laid out
        self.grafts: list[dict[str, Any]] = []
        self.at = [-1] * len(data)  # the current place in each; -1: where a page opens it
        self.grafted = 0  # how many of the grafts those places count
        self.by = ""  # which page went there
        self.board = self.start()

    def start(self) -> chess.Board:
        """The position of the trees, on a board of its own."""
        return as_board(self.questions[0]["fen"])

    def view(self) -> dict[str, Any]:
        """What a page has to know."""
        names = ("data", "grafts", "at", "grafted", "by")
        return {name: getattr(self, name) for name in names}


class Classroom:
    """What a class sees, and those who are there.

    Examples:
        >>> room = Classroom("http://192.168.1.5:8080")
        >>> room.address, room.leads(room.key), room.leads("guess")
        ('http://192.168.1.5:8080/class', True, False)
    """

    def __init__(self, home: str, hand_ins: HandIns | None = None) -> None:
        self.address = f"{home}/class"
        self.key = secrets.token_urlsafe(9)  # who has it leads
        self.hand_ins = hand_ins
        self.store: dict[str, Any] = {}  # what tabs can fetch, by name
        self.tree = GameTree(chess.Board())
        self.trees: SharedTrees | None = None
        self.vote: Vote | None = None
        self.followers: dict[Show, Hashable] = {}  # by what each is known
        self.lecturers: set[Show] = set()

    def leads(self, key: str) -> bool:
        """Whether a key is the lecturer's."""
        return secrets.compare_digest(key.encode(errors="replace"), self.key.encode())

    @property
    def board(self) -> chess.Board:
        """The position that the class is at."""
        return self.tree.board if self.trees is None else self.trees.board

    def keep(self, content: Any) -> str:  # noqa: ANN401 - what JSON can hold
        """Lay something out for all tabs; the name under which it is fetched."""
        name = secrets.token_urlsafe(18)
        self.store[name] = content
        return name

    def share(self, questions: Sequence[Mapping[str, Any]], trees: Sequence[Any]) -> None:
        """Show the class trees in place of the board, or the board again if there are none."""
        before, self.trees, self.vote = self.trees, None, None
        if before is not None:
            for name in (*before.data, *(graft["data"] for graft in before.grafts)):
                self.store.pop(name, None)
        if trees:
            self.trees = SharedTrees(questions, [self.keep(tree) for tree in trees])

    def tell(self, but: Show | None = None) -> None:
        """Show all tabs what is new, but for the one that knows it already."""
        for show in {*self.followers, *self.lecturers} - {but}:
            show()


def qr_code(text: str) -> str:
    """Draw a QR code as SVG; nothing without the package segno."""
    if find_spec("segno") is None:
        return ""
    import segno

    code = segno.make(text, micro=False)
    return str(code.svg_inline(border=2, dark="#000", light="#fff", omitsize=True))


def qr_lines(text: str) -> str:
    """Draw a QR code for a terminal; nothing without the package segno."""
    if find_spec("segno") is None:
        return ""
    import segno

    written = io.StringIO()
    segno.make(text, micro=False).terminal(out=written, border=2, compact=True)
    return written.getvalue()


def network_address() -> str:
    """The address of this machine in its network; that of the machine itself if there is none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        try:
            one.connect(("192.0.2.1", 9))  # nothing is sent: this asks which way it would go
        except OSError:
            return "127.0.0.1"
        return str(one.getsockname()[0])
