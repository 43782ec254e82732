"""*Class*: the lecturer's board, followed live, with votes."""

from collections.abc import Mapping
from typing import Any

import chess

from betacut.web import state
from betacut.web.classroom import CUTS, VOTES, Classroom, Vote
from betacut.web.game_tree import GameTree
from betacut.web.host import Host
from betacut.web.rooms.room import Room, board_state, links, move_of

MOST_ARROWS = 5  # how many moves of a vote get an arrow


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

    def begin(self, fields: state.Fields) -> None:
        """Take a place; the lecturer's address has a key."""
        self.key = fields.read(lambda query: state.text(query, "lead", 40, ""), "")
        self.flipped = fields.read(lambda query: state.flag(query, "flip"), False)
        if self.key and not self._leads:
            fields.wrong.append("lead is not the key of this class: you follow it")
            self.key = ""

    @property
    def _leads(self) -> bool:
        return self.shared.leads(self.key)

    def enter(self) -> None:
        """A tab has come in."""
        (self.shared.lecturers if self._leads else self.shared.followers).add(self)
        self._told()

    def leave(self) -> None:
        """A tab has gone, and its answer with it."""
        self._loading = False
        self.shared.followers.discard(self)
        self.shared.lecturers.discard(self)
        if self.shared.vote is not None:
            self.shared.vote.answers.pop(self, None)
        self._told()

    def refresh(self) -> None:
        """Show what is new."""
        self.host.show()

    def _told(self) -> None:
        """Tell the others; the lecturer is one of them."""
        self.shared.tell(self)

    # What the lecturer does.

    def _lead(self, *, keep: bool = False) -> Classroom:
        """Make sure that this is the lecturer; another position ends a vote."""
        if not self._leads:
            raise ValueError("the lecturer does that")
        if not keep:
            self.shared.vote = None
        return self.shared

    def on_go(self, data: Mapping[str, Any]) -> None:
        """Go to a ply of the line, or to the `node` with a number."""
        tree = self._lead().tree
        tree.go(tree.asked(data))
        self._told()

    def on_load(self, data: Mapping[str, Any]) -> None:
        """Take a game or a position over."""

        def take(found: Mapping[str, Any]) -> None:
            self._loading = False
            written = {**found, "moves": found.get("written", "")}
            self._lead().tree = GameTree.read(written, found["tags"])
            self._told()

        self._lead()
        self._loading = self.load(data, take, self._failed)

    def _failed(self, _: object) -> None:
        self._loading = False

    def on_export(self, _: Mapping[str, Any]) -> None:
        """Hand the game out."""
        self.export(self.shared.tree.pgn(), self.shared.tree.board)

    def on_ask(self, data: Mapping[str, Any]) -> None:
        """Ask the class something."""
        kind = state.choice(data, "kind", list(VOTES))
        shared = self._lead()
        if kind == "move" and shared.tree.board.is_game_over():
            raise ValueError("the game is over here: there is no move to vote for")
        shared.vote = Vote(kind)
        self._told()

    def on_reveal(self, _: Mapping[str, Any]) -> None:
        """Show how many gave which answer; from then on none can be changed."""
        vote = self._lead(keep=True).vote
        if vote is None:
            raise ValueError("nothing was asked")
        vote.is_shown = True
        self._told()

    def on_end(self, _: Mapping[str, Any]) -> None:
        """Take the question away."""
        self._lead()
        self._told()

    # What all tabs do.

    def on_move(self, data: Mapping[str, Any]) -> None:
        """Make a move; of those who follow it is the answer to a vote."""
        move = move_of(self.shared.tree.board, data)
        if self._leads:
            self._lead().tree.play(move)
            self._told()
        else:
            self._answer("move", move.uci())

    def on_answer(self, data: Mapping[str, Any]) -> None:
        """Answer whether there is a cut."""
        self._answer("cut", state.choice(data, "answer", list(CUTS)))

    def _answer(self, kind: str, answer: str) -> None:
        vote = self.shared.vote
        if vote is None or vote.is_shown or vote.kind != kind:
            raise ValueError("there is no such vote now")
        vote.answers[self] = answer
        self._told()

    def on_flip(self, _: Mapping[str, Any]) -> None:
        """Turn the own board."""
        self.flipped = not self.flipped

    # What it looks like.

    def query(self) -> dict[str, str]:
        """The key of the lecturer."""
        return {"lead": self.key, "flip": "1" if self.flipped else ""}

    def view(self) -> dict[str, Any]:
        """The board, the moves and the vote."""
        shared, leads = self.shared, self._leads
        tree, vote = shared.tree, shared.vote
        votes = vote is not None and vote.kind == "move" and not vote.is_shown
        picture = board_state(
            tree.board, flipped=self.flipped, playable=leads or votes, arrows=self._arrows()
        )
        return {
            "board": picture,
            "links": links(tree.query(), tree.board.fen(en_passant="fen"), tree.board.turn),
            "leads": leads,
            "people": len(shared.followers),
            "tree": tree.rows(),
            "at": tree.number,
            "ply": len(tree.board.move_stack),
            "plies": len(tree.line),
            "loading": self._loading,
            "vote": vote and self._vote(vote),
        }

    def _named(self, answer: str) -> str:
        """An answer as people read it."""
        return CUTS.get(answer) or self.shared.tree.board.san(chess.Move.from_uci(answer))

    def _vote(self, vote: Vote) -> dict[str, Any]:
        """The question, the own answer, and those of all when they are shown."""
        mine = vote.answers.get(self)
        return {
            "kind": vote.kind,
            "question": VOTES[vote.kind],
            "answered": len(vote.answers),
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
        mine = vote.answers.get(self)
        return [] if mine is None else [{"move": mine, "kind": "best", "label": ""}]
