"""*Class*: the lecturer's board and trees, followed live, with votes; and what is handed in."""

from collections.abc import Hashable, Mapping
from typing import Any

import chess

from betacut.core.messages import one_line
from betacut.web import state
from betacut.web.classroom import CUTS, VOTES, Classroom, SharedTrees, Vote
from betacut.web.game_tree import GameTree
from betacut.web.hand_ins import LONGEST_FILE, LONGEST_NAME
from betacut.web.host import Host
from betacut.web.rooms.inside import STOPPED, deeper, line_from
from betacut.web.rooms.room import Room, board_state, links, move_of

MOST_ARROWS = 5  # how many moves of a vote get an arrow
JOINERS = "\u200c\u200d\u200e\u200f"  # what names in some scripts, and emoji, cannot be without


class ClassRoom(Room):
    """A place in a class: the lecturer's, or one of those who follow."""

    name = "class"

    def __init__(self, host: Host) -> None:
        super().__init__(host)
        assert host.classroom is not None
        self.shared: Classroom = host.classroom
        self.key = ""
        self.flipped = False
        self._loading = False
        self._ticket = ""  # what a browser is known by, though its connection may be lost
        self._replay: list[str] = []  # where the trees of what was handed in are laid out
        self._replayed: object = None

    def begin(self, fields: state.Fields) -> None:
        """Take a place; the lecturer's address has a key."""
        self.key = fields.read(lambda query: state.text(query, "lead", 40, ""))
        self.flipped = fields.read(lambda query: state.flag(query, "flip"))
        if self.key and not self._leads:
            fields.wrong.append("lead is not the key of this class: you follow it")
            self.key = ""

    @property
    def _leads(self) -> bool:
        return self.shared.leads(self.key)

    def enter(self) -> None:
        """A tab has come in."""
        if self._leads:
            self.shared.lecturers.add(self.host.show)
        else:
            self.shared.followers[self.host.show] = self._who
        self._told()

    def leave(self) -> None:
        """A tab has gone."""
        self._loading = False
        self.shared.followers.pop(self.host.show, None)
        self.shared.lecturers.discard(self.host.show)
        self._told()

    def holds(self) -> list[str]:
        """The trees of what was handed in."""
        return self._replay

    def _told(self) -> None:
        """Tell the others; the lecturer is one of them."""
        self.shared.tell(self.host.show)

    # What the lecturer does.

    def _lead(self, *, keep: bool = False) -> Classroom:
        """Make sure that this is the lecturer; another position ends a vote."""
        if not self._leads:
            raise ValueError("the lecturer does that")
        if not keep:
            self.shared.vote = None
        return self.shared

    def _check_board(self) -> None:
        """Make sure that the lecturer does something with the board that all see."""
        if self._lead(keep=True).trees is not None:
            raise ValueError("the tree says which moves there are: step it")

    def on_go(self, data: Mapping[str, Any]) -> None:
        """Go to a ply of the line, or to the `node` with a number."""
        self._check_board()
        node = self.shared.tree.asked(data)
        self._lead().tree.go(node)
        self._told()

    def on_step(self, data: Mapping[str, Any]) -> None:
        """Go to a place in the trees, which is at the end of a line of the first."""
        trees = self._trees(data.get("data"))
        line, at = line_from(trees.start(), data.get("line")), data.get("at")
        if not isinstance(at, list) or len(at) != len(trees.at):
            raise ValueError(f"at must be a place in each tree, not {str(at)[:60]!r}")
        found = [state.integer({"at": one}, "at", 0, 10**8) for one in at]
        grafted = state.integer(data, "grafted", 0, len(trees.grafts), 0)
        by = state.text(data, "by", 40, "")
        if (found, grafted) == (trees.at, trees.grafted):
            return
        self._lead()
        trees.by = by
        trees.at, trees.grafted, trees.board = found, grafted, trees.start()
        for word in line:
            trees.board.push_uci(word)
        self._told()

    def _trees(self, names: object) -> SharedTrees:
        """The trees that the class sees, if they are those of the names; the lecturer has them."""
        trees = self._lead(keep=True).trees
        if trees is None or names != trees.data:
            raise ValueError("the class does not see this tree any more")
        return trees

    def on_deeper(self, data: Mapping[str, Any]) -> None:
        """Record what lies below a node, for all."""
        request = state.integer(data, "request", 0, 10**8, 0)

        def refuse(reason: str) -> None:
            self.host.send("subtree", {"request": request, "failed": reason})

        def done(packed: Mapping[str, Any]) -> None:
            if trees is self.shared.trees:
                graft = {"side": side, "node": node, "data": self.shared.keep(packed)}
                trees.grafts.append({**graft, "request": request})
                self._told()

        try:
            trees = self._trees(data.get("data"))
            side = state.integer(data, "side", 0, len(trees.data) - 1)
            node = state.integer(data, "node", 0, 10**8)
            line = line_from(trees.start(), data.get("line"))
        except ValueError as error:
            refuse(str(error))
            raise
        question = deeper(trees.questions[side], line)
        stopped = lambda: refuse(STOPPED)  # noqa: E731
        self.host.ask("tree", question, done, failed=refuse, given_up=stopped)

    def on_close(self, _: Mapping[str, Any]) -> None:
        """Show the board again, in place of trees."""
        self._lead().share([], [])
        self._told()

    def on_clear(self, _: Mapping[str, Any]) -> None:
        """Forget what was handed in."""
        hand_ins = self._lead(keep=True).hand_ins
        if hand_ins is not None:
            hand_ins.clear()
        self._told()

    def on_load(self, data: Mapping[str, Any]) -> None:
        """Take a game or a position over."""

        def take(found: Mapping[str, Any]) -> None:
            self._loading = False
            written = {**found, "moves": found.get("written", "")}
            self._lead().tree = GameTree.read(written, found["tags"])
            self.host.note(found.get("not_read", ""))
            self._told()

        self._lead(keep=True)
        self._loading = self.load(data, take, self._failed)

    def _failed(self, _: object) -> None:
        self._loading = False

    def on_export(self, _: Mapping[str, Any]) -> None:
        """Hand the game out."""
        self.export(self.shared.tree.pgn(), self.shared.tree.board)

    def on_ask(self, data: Mapping[str, Any]) -> None:
        """Ask the class something."""
        kind = state.choice(data, "kind", list(VOTES))
        shared = self._lead(keep=True)
        if kind == "move" and shared.board.is_game_over():
            raise ValueError("the game is over here: there is no move to vote for")
        shared.vote = Vote(kind)
        self._told()

    def on_reveal(self, _: Mapping[str, Any]) -> None:
        """Show how many gave which answer; from then on none can be changed."""
        vote = self._lead(keep=True).vote
        if vote is None:
            raise ValueError("nothing was asked")
        vote.answers = self._answers(vote)
        vote.is_shown = True
        self._told()

    def on_end(self, _: Mapping[str, Any]) -> None:
        """Take the question away."""
        self._lead()
        self._told()

    # What all tabs do.

    def on_move(self, data: Mapping[str, Any]) -> None:
        """Make a move; of those who follow it is the answer to a vote."""
        move = move_of(self.shared.board, data)
        if self._leads:
            self._check_board()
            self._lead().tree.play(move)
            self._told()
        else:
            self._answer("move", move.uci())

    def on_answer(self, data: Mapping[str, Any]) -> None:
        """Answer whether there is a cut, as one of those who follow."""
        if self._leads:
            raise ValueError("those who lead do not vote")
        self._answer("cut", state.choice(data, "answer", list(CUTS)))

    def _answer(self, kind: str, answer: str) -> None:
        vote = self.shared.vote
        if vote is None or vote.is_shown or vote.kind != kind:
            raise ValueError("there is no such vote now")
        vote.answers[self._who] = answer
        self._told()

    def on_present(self, data: Mapping[str, Any]) -> None:
        """Say who this is: a number that the browser has drawn."""
        before, self._ticket = self._who, state.text(data, "ticket", 60)
        if self.host.show in self.shared.followers:
            self.shared.followers[self.host.show] = self._who
            vote = self.shared.vote
            if vote is not None and {before, self._who} & vote.answers.keys():
                self._told()

    def on_hand_in(self, data: Mapping[str, Any]) -> None:
        """Hand a file in; a name is a matter of choice."""
        hand_ins = self.shared.hand_ins
        if hand_ins is None:
            raise ValueError("nothing is handed in here: betacut web --class --hand-in takes files")
        name = one_line(state.text(data, "name", LONGEST_NAME, ""), keep=JOINERS)
        if not state.text(data, "text", LONGEST_FILE):
            raise ValueError("choose a file, or paste one, first")
        written: str = data["text"]
        try:
            f"{name}{written}".encode()
        except UnicodeEncodeError:  # half a surrogate pair
            raise ValueError("the file or the name has half a surrogate pair") from None
        hand_ins.take(self._who, name, written, self.host.soon, self.shared.tell)
        self._told()

    @property
    def _who(self) -> Hashable:
        return self._ticket or self

    def on_flip(self, _: Mapping[str, Any]) -> None:
        """Turn the own board."""
        self.flipped = not self.flipped

    # What it looks like.

    def query(self) -> dict[str, str]:
        """The key of the lecturer."""
        return {"lead": self.key, "flip": "1" if self.flipped else ""}

    def view(self) -> dict[str, Any]:
        """The board or the trees, the moves, the vote and what was handed in."""
        shared, leads = self.shared, self._leads
        tree, vote, board = shared.tree, shared.vote, shared.board
        votes = vote is not None and vote.kind == "move" and not vote.is_shown
        plays = votes or (leads and shared.trees is None)
        picture = board_state(board, flipped=self.flipped, playable=plays, arrows=self._arrows())
        return {
            "board": picture,
            "links": links(tree.query(), board),
            "leads": leads,
            "key": self.key,
            "people": len(shared.followers),
            "tree": tree.rows(),
            "at": tree.number,
            "ply": len(tree.board.move_stack),
            "plies": len(tree.line),
            "loading": self._loading,
            "vote": vote and self._vote(vote),
            "trees": shared.trees and shared.trees.view(),
            "handIn": self._handed_in(),
        }

    def _handed_in(self) -> dict[str, Any] | None:
        """The board of who passed, which the lecturer has, and what this browser handed in."""
        hand_ins = self.shared.hand_ins
        if hand_ins is None:
            return None
        found = hand_ins.found
        rows = [one.row() for one in found.values()] if self._leads else []
        one = found.get(self._who)
        result = one and one.result
        if result is not self._replayed:
            self._replayed = result
            trees = (result or {}).get("trees") or []
            self._replay = [self.host.publish(tree) for tree in trees]
        mine = one and {
            **one.row(),
            "text": (result or {}).get("text", ""),
            "trees": self._replay,
            "line": (result or {}).get("line", ""),
        }
        return {"board": rows, "mine": mine, "longest": LONGEST_FILE}

    def _named(self, answer: str) -> str:
        """An answer as people read it."""
        return CUTS.get(answer) or self.shared.board.san(chess.Move.from_uci(answer))

    def _answers(self, vote: Vote) -> dict[Hashable, str]:
        """Those that count: until they are shown, of who is there."""
        if vote.is_shown:
            return vote.answers
        there = set(self.shared.followers.values())
        return {who: answer for who, answer in vote.answers.items() if who in there}

    def _vote(self, vote: Vote) -> dict[str, Any]:
        """The question, the own answer, and those of all when they are shown."""
        mine = vote.answers.get(self._who)
        return {
            "kind": vote.kind,
            "question": VOTES[vote.kind],
            "answered": len(self._answers(vote)),
            "mine": mine and self._named(mine),
            "shown": vote.is_shown,
            "answers": [
                {"text": self._named(answer), "count": count}
                for answer, count in (vote.counts() if vote.is_shown else [])
            ],
        }

    def _arrows(self) -> list[dict[str, str]]:
        """The moves that the class voted for, or the own one."""
        vote = self.shared.vote
        if vote is None or vote.kind != "move":
            return []
        if vote.is_shown:
            found = vote.counts()[:MOST_ARROWS]
            kinds = ["best", *["other"] * len(found)]
            return [
                {"move": move, "kind": kind, "label": str(count)}
                for (move, count), kind in zip(found, kinds, strict=False)
            ]
        mine = vote.answers.get(self._who)
        return [] if mine is None else [{"move": mine, "kind": "best", "label": ""}]
