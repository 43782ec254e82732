"""The reasons of a review: each is true, by other means than those that found it."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import chess
import chess.pgn
import pytest
from chess.engine import Limit

from betacut import certificates, engine, review
from betacut.games.review import GameReview, MoveReview, Reason
from betacut.games.review.reasons import reason_for
from games.support import games_in, pushed, run, written
from support.sampling import IS_EXHAUSTIVE

SMOTHERED = '[Result "1-0"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n'

WORTH = {"pawn": 100, "knight": 300, "bishop": 300, "piece": 300, "rook": 500, "queen": 900}
NUMBERS = {"a": 1, "the": 1, "two": 2, "three": 3, "four": 4, "five": 5}


def reason(board: chess.Board, move: str, best: str, loss: int = 1000) -> Reason | None:
    return reason_for(board, board.parse_san(move), board.parse_san(best), loss)


@pytest.mark.parametrize(
    ("fen", "move", "best", "text"),
    [
        # A queen for nothing, for a rook; a piece; the exchange; a pawn.
        ("rnb1kbnr/pppp1ppp/8/4p1q1/4P3/3P1N2/PPP2PPP/RNBQKB1R b KQkq - 0 1", "Qf5", "Qe7",
         "Qf5 loses the queen: 2. exf5."),
        ("rnbqkb1r/ppp1pppp/5n2/3p4/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 0 3", "Bh6", "cxd5",
         "Bh6 loses a bishop: 3...gxh6."),
        ("3q2k1/5pp1/7p/8/3R4/8/5PP1/3Q2K1 b - - 0 1", "Qxd4", "Qf6",
         "Qxd4 loses the queen for a rook: 2. Qxd4."),
        ("r2r2k1/pppb1pp1/q2N3p/P1pPpP2/2B3P1/1Q5P/1PP2P2/R2R2K1 b - - 0 20", "cxd6", "Qxd6",
         "cxd6 loses the queen for a bishop and a knight: 21. Bxa6 bxa6."),
        ("1r2r1k1/p2b1pp1/q2p3p/P2PpP2/1p4P1/1Q1B3P/1PP2P2/R3R1K1 b - - 3 26", "Rb5", "Bb5",
         "Rb5 loses the exchange: 27. Bxb5 Qxb5."),
        ("rr4k1/p3npp1/1p1Bq2p/3p4/8/PQ5P/1PP1BPP1/1K1R3R b - - 0 26", "Re8", "Qxd6",
         "Re8 misses Qxd6, which wins a bishop: 26...Qxd6."),
        # Every move loses a knight, and this one more; more is missed than lost.
        ("r4r2/p1p1qkpp/Q1nnb3/2b3B1/8/2N2N2/PP3PPP/R4RK1 b - - 2 14", "Qxg5", "Qe8",
         "Qxg5 loses the queen and a pawn: 15. Nxg5+ Ke7 16. Qxc6 Bb6 17. Nxh7."),
        ("3rr1k1/1pp2pp1/p7/2bpq2p/3N4/P1nQP2P/1PP3P1/R3R1K1 w - - 0 26", "Rac1", "Qxc3",
         "Rac1 misses Qxc3, which wins the knight: 26. Qxc3."),
        # Mates.
        ("r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3", "Nf6", "g6",
         "Nf6 allows mate in 1: 4. Qxf7#."),
        ("r1bqk1nr/pppp1ppp/2n5/2b1p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 3 4", "d3", "Qxf7#",
         "d3 misses mate in 1: 4. Qxf7#."),
        ("6k1/1p3ppp/8/8/1q6/2N5/5PPP/R2Q2K1 w - - 0 1", "Na4", "Ra8+",
         "Na4 misses mate in 3: 1. Ra8+ Qf8 2. Rxf8+ Kxf8 3. Qd8#."),
    ],
)  # fmt: skip
def test_reasons(fen: str, move: str, best: str, text: str) -> None:
    found = reason(chess.Board(fen), move, best)
    assert found is not None
    assert found.text == text


@pytest.mark.parametrize(
    ("moves", "move", "best", "loss"),
    [
        # The pawn seems to be won for six plies: the Elephant Trap.
        ("d4 d5 c4 e6 Nc3 Nf6 Bg5", "Nbd7", "Bb4", 80),
        # Nothing is lost by force.
        ("e4 e5 Nf3", "Nf6", "Nc6", 100),
        # The judge says that less is lost.
        ("d4 d5 c4 Nf6", "Bh6", "cxd5", 100),
    ],
)
def test_nothing_is_said_that_is_not_settled(moves: str, move: str, best: str, loss: int) -> None:
    assert reason(pushed(moves), move, best, loss) is None


def test_a_slower_mate_is_none_that_was_missed() -> None:
    board = chess.Board("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1")
    best, *others = engine.search(board, 5, multipv="all").lines
    slower, *_ = (line.move for line in others if line.score == 100_000)
    assert reason_for(board, slower, best.move, 0) is None


def is_checked(move: MoveReview) -> bool:
    """Check a reason by other means; nothing of the exact search is used."""
    found = move.reason
    if found is None:
        return False
    board = move.board
    if found.kind in ("allows mate", "loses material"):
        board.push(move.move)
    assert board.fen() == found.fen
    start, end = board.copy(), board.copy()
    for one in found.line:
        assert end.is_legal(one)
        end.push(one)
    assert found.text.endswith(f": {start.variation_san(found.line)}.")
    if found.mate is not None:
        assert end.is_checkmate()
        assert len(found.line) == 2 * found.mate - 1
        assert f"mate in {found.mate}:" in found.text
        if found.mate < 3:
            assert mates(start, found.mate)
        assert not mates(start, min(found.mate - 1, 2))
        return True
    # The material of the text is that of the line.
    mover = move.color
    change = balance(end, mover) - balance(move.board, mover)
    loser = mover if found.kind == "loses material" else not mover
    said = re.search(r"(?:loses|which wins) ([a-z ,]+):", found.text)
    assert said is not None
    lost, _, won = said[1].partition(" for ")
    amount = 200 if lost == "the exchange" else worth(lost) - worth(won)
    assert change == (-amount if loser == mover else amount)
    # And that of the textbook's alpha-beta, without a cache, captures played out.
    value = engine.alpha_beta_pruning_no_memo(
        start, found.depth, evaluation="material", quiescence="captures", order="mvv_lva+killers"
    ).score
    assert value * (1 if mover == chess.WHITE else -1) == balance(end, mover)
    return True


def worth(text: str) -> int:
    """The material of a text such as `the queen and two pawns`."""
    words = re.findall(r"(\w+) (pawn|knight|bishop|piece|rook|queen)", text)
    return sum(NUMBERS[number] * WORTH[name] for number, name in words)


def balance(board: chess.Board, color: chess.Color) -> int:
    return sum(
        WORTH.get(chess.piece_name(piece.piece_type), 0) * (1 if piece.color == color else -1)
        for piece in board.piece_map().values()
    )


def mates(board: chess.Board, moves: int) -> bool:
    """Whether the side to move mates in so many moves: by trying all of them."""
    for after in followers(board) if moves else ():
        replies = followers(after)
        if after.is_checkmate() or (replies and all(mates(one, moves - 1) for one in replies)):
            return True
    return False


def followers(board: chess.Board) -> list[chess.Board]:
    """The positions after each legal move."""
    after = [board.copy(stack=False) for _ in board.legal_moves]
    for one, move in zip(after, board.legal_moves, strict=True):
        one.push(move)
    return after


@pytest.fixture(scope="module")
def weak() -> list[GameReview]:
    """Games of a player that takes one of the four best moves of a shallow search."""
    found = []
    for seed in range(3 if IS_EXHAUSTIVE else 1):
        rng = random.Random(f"reasons {seed}")
        game = chess.pgn.Game()
        node: chess.pgn.GameNode = game
        board = game.board()
        while board.ply() < 30 and not board.is_game_over():
            lines = engine.search(board, 2, multipv=4, quiescence=True).lines
            move = lines[min(int(rng.random() * 5), len(lines) - 1)].move
            node = node.add_main_variation(move)
            board.push(move)
        found.append(review.review(game, player="search,quiescence=yes", limit=Limit(depth=3)))
    return found


def test_every_reason_is_true(weak: list[GameReview]) -> None:
    moves = [move for one in weak for move in one.mistakes]
    assert sum(is_checked(move) for move in moves) >= 5 * len(weak)
    assert {move.reason.kind for move in moves if move.reason} >= {
        "loses material", "misses material",
    }  # fmt: skip


def test_certificates_prove_what_reasons_say(weak: list[GameReview]) -> None:
    """The value of the position that was searched; of a mate, that it is mate by then."""
    reasons = [move.reason for one in weak for move in one.mistakes if move.reason]
    mated = review.review(SMOTHERED, player="search", limit=Limit(depth=3)).mistakes[-1].reason
    assert mated is not None
    for found in [*reasons[: 3 if IS_EXHAUSTIVE else 1], mated]:
        proof = certificates.make(found.fen, found.depth, quiescence=found.quiescence)
        proved = certificates.check(proof)
        assert (proved.fen, proved.depth) == (found.fen, found.depth)
        value = engine.search(found.fen, found.depth, quiescence=found.quiescence).score
        assert proved.value == value
        if found.mate is not None:
            sign = 1 if chess.Board(found.fen).turn == chess.WHITE else -1
            assert proved.value * sign == 100_000
            assert found.line[0] in proved.best_moves


def test_reasons_are_in_every_form() -> None:
    found = review.review(SMOTHERED, player="search", limit=Limit(depth=3))
    last = found.mistakes[-1]
    assert last.reason is not None
    assert last.remark.startswith("Allows a mate in 1; ")
    assert last.explanation == "4. Qxf7#."
    assert re.search(r"Allows a mate in 1.*\n +4\. Qxf7#\.", str(found))
    assert "<p>4. Qxf7#.</p>" in found.to_html()
    assert found.to_dict()["moves"][5]["reason"] == {
        "kind": "allows mate", "text": "Nf6 allows mate in 1: 4. Qxf7#.", "line": ["h5f7"],
        "fen": last.reason.fen, "depth": 1, "quiescence": False,
    }  # fmt: skip
    (game,) = games_in(found.to_pgn())
    comment = " ".join(list(game.mainline())[5].comment.split())
    assert comment.startswith(f"{last.remark} 4. Qxf7#.")
    without = review.review(SMOTHERED, player="search", limit=Limit(depth=3), reasons=False)
    assert [move.reason for move in without.moves] == [None] * 7
    assert without.to_dict()["moves"][5]["reason"] is None


def test_the_command_writes_certificates(tmp_path: Path) -> None:
    proof = tmp_path / "proofs" / "game-1-3...Nf6.proof"
    arguments = ("review", written(tmp_path / "game.pgn", SMOTHERED), "-p", "search", "-d", "3")
    certified = (*arguments, "--certificates", proof.parent)
    result = run(*certified)
    assert result.exit_code == 0
    assert f"1 in {proof.parent}" in result.stdout
    assert [*proof.parent.iterdir()] == [proof]
    assert run("check", proof).exit_code == 0
    data = json.loads(run(*certified, "--json").stdout)
    assert data["games"][0]["moves"][5]["reason"]["certificate"] == proof.name
    assert "4. Qxf7#" not in run(*arguments, "--no-reasons").stdout
    other = written(tmp_path / "file", "")
    assert "it is no directory" in run(*arguments, "--certificates", other).stderr
    none = run(*certified, "--no-reasons")
    assert none.exit_code == 2
    assert "--certificates needs the reasons" in none.stderr
