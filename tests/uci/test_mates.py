"""Mates that are asked for: `go mate` and `Limit(mate=...)`, which are one search."""

from collections.abc import Iterator
from contextlib import closing

import chess
import pytest
from chess.engine import INFO_ALL, Limit, Mate

from betacut import Engine, engine
from games.support import pushed
from support.trees import KIWIPETE
from uci.clients import RawClient

MATES = [
    ("6k1/5ppp/8/8/8/8/8/KR6 w - - 0 1", 1),
    ("5K1k/8/6P1/8/8/8/8/6R1 w - - 0 1", 1),
    ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
    ("r2qkb1r/pp2nppp/3p4/2pNN1B1/2BnP3/3P4/PPP2PPP/R2bK2R w KQkq - 1 1", 2),
    ("4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 1 1", 2),
    ("1r1kr3/Nbppn1pp/1b6/8/6Q1/3B1P2/Pq3P1P/3RR1K1 w - - 1 1", 2),
    ("1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1", 3),
    ("r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1", 3),
    ("r1b3kr/ppp1Bp1p/1b6/n2P4/2p3q1/2Q2N2/P4PPP/RN2R1K1 w - - 1 1", 3),
    ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
    ("6k1/ppp2ppp/8/2n2K1P/2P2P1P/2Bpr3/PP4r1/4RR2 b - - 0 1", 3),
    ("8/8/8/8/8/8/4k3/KRR5 w - - 0 1", 4),
]
"""Positions, and in how many moves the side to move mates at best."""

BOARDS = [(chess.Board(fen), moves) for fen, moves in MATES]
QUESTIONS = [one for board, moves in BOARDS for one in ((board, moves), (board.mirror(), moves))]
"""Each for both sides."""


@pytest.fixture(scope="module")
def client() -> Iterator[RawClient]:
    with closing(RawClient()) as one:
        yield one


@pytest.fixture(scope="module")
def ours() -> Iterator[Engine]:
    with Engine() as one:
        yield one


def is_mated_in(board: chess.Board, moves: int) -> bool:
    """Whether whatever is played now leads to mate in so many moves: the proof-number search."""
    if moves == 0:
        return board.is_checkmate()
    replies = [*board.legal_moves]
    for reply in replies:
        board.push(reply)
        found = engine.find_mate(board, moves).mate
        board.pop()
        if found is None:
            return False
    return bool(replies) or board.is_checkmate()


@pytest.mark.parametrize(("board", "moves"), QUESTIONS, ids=lambda value: str(value)[:40])
def test_mates_are_found(board: chess.Board, moves: int, client: RawClient, ours: Engine) -> None:
    for wanted in (moves, moves + 1):
        client.send("ucinewgame")
        answer = client.search(board, f"mate {wanted}")
        result = ours.play(board, Limit(mate=wanted), info=INFO_ALL, game=object())
        assert answer.last["score"] == f"mate {moves}"
        assert result.info["score"].relative == Mate(moves)
        assert answer.best == result.move
        assert answer.best is not None
        # The line ends in mate, and the move holds against every reply.
        after = pushed(answer.last["pv"], board.fen())
        assert after.is_checkmate()
        assert len(after.move_stack) == 2 * moves - 1
        assert is_mated_in(pushed(answer.best.uci(), board.fen()), moves - 1)


@pytest.mark.parametrize(("board", "moves"), QUESTIONS[4:], ids=lambda value: str(value)[:40])
def test_no_shorter_mate_is_announced(board: chess.Board, moves: int, client: RawClient) -> None:
    client.send("ucinewgame")
    said = client.search(board, f"mate {moves - 1}").last["score"].split()
    assert said[0] == "cp" or int(said[1]) >= moves


@pytest.mark.parametrize("fen", [chess.STARTING_FEN, KIWIPETE])
def test_where_there_is_none_the_search_ends(fen: str, client: RawClient, ours: Engine) -> None:
    board = chess.Board(fen)
    answer = client.search(board, "mate 3")
    assert answer.last["score"].startswith("cp ")
    assert answer.best is not None
    result = ours.play(board, Limit(mate=3), info=INFO_ALL)
    assert result.move is not None
    assert not result.info["score"].is_mate()


@pytest.mark.parametrize("threads", [2, 4])
def test_several_threads_find_them_too(threads: int, client: RawClient) -> None:
    """They are as short, and where there is none the search ends as well."""
    assert client.said(f"setoption name Threads value {threads}") == []
    for board, moves in BOARDS[::3]:
        client.send("ucinewgame")
        assert client.search(board, f"mate {moves}").last["score"] == f"mate {moves}"
    assert client.search(chess.Board(), "mate 2").last["score"].startswith("cp ")
    assert str(client.search(chess.Board(), "mate 2 searchmoves a2a3").best) == "a2a3"
    assert client.said("setoption name Threads value 1") == []


def test_other_limits_hold_as_well(client: RawClient) -> None:
    """Nodes, time, depth, moves to choose from; `stop`, also on the opponent's time."""
    board = chess.Board(KIWIPETE)
    assert 0 < int(client.search(board, "mate 7 nodes 20000").last["nodes"]) <= 20_000
    assert int(client.search(board, "mate 7 movetime 100").last["time"]) < 20_000
    assert client.search(board, "mate 7 depth 3").last["depth"] == "3"
    fen, moves = MATES[6]
    mate = chess.Board(fen)
    assert client.search(mate, f"mate {moves} movetime 60000").last["score"] == f"mate {moves}"
    answer = client.search(mate, f"searchmoves a7a6 mate {moves}")
    assert str(answer.best) == "a7a6"
    assert answer.last["score"].startswith("cp ")
    found = client.search(mate, f"searchmoves a7a6 d6d1 mate {moves}")
    assert (str(found.best), found.last["score"]) == ("d6d1", "mate 3")
    for go in ("mate 9", "ponder mate 9", "infinite mate 9"):
        client.send(client.place(board), f"go {go}")
        assert client.holds_back()
        client.send("stop")
        assert client.answer().best is not None


def test_a_mate_that_the_fifty_moves_spoil_is_none(client: RawClient) -> None:
    mate_in_two = "7k/8/8/8/8/8/R7/1R4K1 w - - {} 80"
    assert client.search(mate_in_two.format(97), "mate 2").last["score"] == "mate 2"
    assert client.search(mate_in_two.format(98), "mate 2").last["score"].startswith("cp ")


def test_a_mate_through_what_the_game_has_seen_twice_is_none(client: RawClient) -> None:
    """The third time is a draw: of two mates in two the other one is played."""
    board = chess.Board("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1")
    client.send("ucinewgame")
    first = client.search(board, "mate 2").best
    assert first is not None
    there = first.uci()
    again = pushed(f"{there} h8g8 {there[2:]}{there[:2]} g8h8 " * 2, board.fen())
    client.send("ucinewgame")
    second = client.search(again, "mate 2")
    assert second.last["score"] == "mate 2"
    assert second.best not in (None, first)
