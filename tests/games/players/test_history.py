"""The game so far: won positions are not repeated, lost ones are if that saves them."""

import random
from collections import Counter
from itertools import chain
from types import SimpleNamespace
from typing import Any

import chess
import pytest
from chess.engine import Cp, Limit, Mate

import betacut
from betacut import engine
from betacut.games.players.history import DRAW, Proposal, RootMoves, choose, root_moves
from games.players.support import BY_THEMSELVES, QUEEN, ROOKS, chosen, play_out, shallow
from games.support import pushed


def shuffled_game(seed: int, plies: int) -> chess.Board:
    """A game in which pieces go to and fro, so that positions come again."""
    rng = random.Random(seed)
    board = chess.Board("4k3/8/8/8/8/8/8/RN2K3 w - - 80 60")
    while len(board.move_stack) < plies and not board.is_game_over():
        moves = list(board.legal_moves)
        back = [move for move in moves if len(board.move_stack) > 1 and _goes_back(board, move)]
        board.push(rng.choice(back if back and rng.random() < 0.7 else moves))
    return board


def _goes_back(board: chess.Board, move: chess.Move) -> bool:
    last = board.move_stack[-2]
    return (last.from_square, last.to_square) == (move.to_square, move.from_square)


def test_root_moves_are_what_python_chess_says() -> None:
    seen = Counter[str]()
    for seed in range(60):
        board = shuffled_game(seed, 6 + seed % 17)
        roots = root_moves(board)
        kinds = {"free": roots.free, "risky": roots.risky, "drawn": roots.drawn}
        assert Counter(chain(*kinds.values())) == Counter(board.legal_moves)
        for kind, moves in kinds.items():
            seen[kind] += len(moves)
            for move in moves:
                board.push(move)
                comes_again = board.is_repetition(2) or board.is_fifty_moves()
                assert (kind == "drawn") == (comes_again and not board.is_checkmate())
                if kind == "free" and not board.is_checkmate():
                    assert not board.can_claim_draw()
                if kind == "risky":
                    assert board.can_claim_draw()
                board.pop()
    assert min(seen[kind] for kind in ("free", "risky", "drawn")) > 20


def test_surest_draws_first() -> None:
    """A third occurrence comes before a second one."""
    board = pushed("b1b2 g8h8 b2b1 h8g8 b1c1 g8h8 c1b1 h8g8", fen="6k1/8/8/8/8/8/8/KR6 w - - 0 1")
    assert {move.uci() for move in root_moves(board).drawn} == {"b1b2", "b1c1"}
    board.push_uci("b1b2")
    board.push_uci("g8h8")
    assert root_moves(board).drawn[0].uci() == "b2b1"


def test_mates_are_no_draws() -> None:
    board = chess.Board("7k/8/6K1/8/8/8/8/R7 w - - 99 90")
    roots = root_moves(board)
    assert [move.uci() for move in roots.free] == ["a1a8"]
    assert len(roots.drawn) == board.legal_moves.count() - 1


A, B, C = (chess.Move.from_uci(uci) for uci in ("a2a3", "b2b3", "c2c3"))


@pytest.mark.parametrize(
    ("roots", "score", "best", "other", "move", "worth"),
    [
        # Nothing came before.
        (RootMoves((A, B, C)), Cp(50), (B,), None, B, Cp(50)),
        (RootMoves((A, B, C)), Cp(-50), (B,), None, B, Cp(-50)),
        # Winning: another best move, or the best of the others.
        (RootMoves((A, C), (), (B,)), Cp(50), (B, C), None, C, Cp(50)),
        (RootMoves((A, C), (), (B,)), Cp(50), (B,), (A, Cp(20)), A, Cp(20)),
        (RootMoves((A, C), (), (B,)), Mate(3), (B,), (A, Mate(5)), A, Mate(5)),
        (RootMoves((A, C), (B,), ()), Cp(50), (B,), (A, Cp(20)), A, Cp(20)),
        # Everything else loses: the draw.
        (RootMoves((A, C), (), (B,)), Cp(50), (B,), (A, Cp(-20)), B, DRAW),
        (RootMoves((A, C), (B,), ()), Cp(50), (B,), (A, Cp(-20)), B, DRAW),
        (RootMoves((), (), (C, B)), Cp(50), (B,), None, C, DRAW),
        # Losing: the draw, if it is one; a draw that the other side would have to make is none.
        (RootMoves((A, B), (), (C,)), Cp(-50), (A,), None, C, DRAW),
        (RootMoves((A, B), (), (C,)), Mate(-2), (A,), None, C, DRAW),
        (RootMoves((A, B), (C,), ()), Cp(-50), (A,), None, A, Cp(-50)),
        # Even: on it goes, where it can.
        (RootMoves((A, C), (), (B,)), Cp(0), (B, C), None, C, Cp(0)),
        (RootMoves((A, C), (), (B,)), Cp(0), (B,), None, B, Cp(0)),
    ],
)
def test_the_rule(
    roots: RootMoves,
    score: Cp | Mate,
    best: tuple[chess.Move, ...],
    other: tuple[chess.Move, Cp] | None,
    move: chess.Move,
    worth: Cp | Mate,
) -> None:
    def best_of(moves: object) -> Proposal | None:
        assert moves == roots.free
        return None if other is None else Proposal(*other, (other[0],))

    chosen = choose(roots, Proposal(best[0], score, best), best_of)
    assert (chosen.move, chosen.score) == (move, worth)
    assert not chosen.pv or chosen.pv[0] == chosen.move


STRONG = {**dict.fromkeys(BY_THEMSELVES, 4), "search": 6}
"""How deep each player looks to mate. Plies."""

TOO_WEAK = {"random", "didactic.one_ply"} | {
    name for name in BY_THEMSELVES if name.startswith("cosc76.")
}
"""Players that lose a rook first, whatever the game so far: they hope for help or see one ply."""


def check_that_it_mates(name: str, *fens: str) -> None:
    settings = shallow(name, STRONG[name])
    for fen in fens:
        with betacut.player(name, **settings) as one, betacut.player(name, **settings) as other:
            board = play_out(one, other, fen)
        assert board.is_checkmate(), board.fen()


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", sorted(set(BY_THEMSELVES) - TOO_WEAK))
def test_two_rooks_mate(name: str) -> None:
    """As White and as Black; no draw can be claimed on the way."""
    check_that_it_mates(name, ROOKS, chess.Board(ROOKS).mirror().fen())


QUEENS_MATE = [
    "alpha_beta_pruning",
    "iterative_deepening",
    "late_move_reductions",
    "didactic.prototype_v1",
    "didactic.move_ordering",
    "didactic.quiescence_move_ordering",
    "didactic.optimized_quiescence_move_ordering",
    "didactic.principal_variation_search",
    "didactic.prototype_v2",
    *(f"chessai.{name}" for name in ("alpha_beta_pruning", "alpha_beta_pruning_pd")),
]
"""Players that mate with a queen at depth 4, and repeat at that depth if they are faithful."""


@pytest.mark.parametrize("name", [*QUEENS_MATE, "search"])
def test_a_queen_mates(name: str) -> None:
    check_that_it_mates(name, QUEEN)


@pytest.mark.parametrize("name", [name for name in QUEENS_MATE if name.startswith("didactic")])
def test_faithful_players_repeat(name: str) -> None:
    """What the others would do without a look at the game so far."""
    with betacut.player(name, depth=4, faithful=True) as one, betacut.player(name, depth=4) as two:
        board = play_out(one, two, QUEEN)
    assert board.can_claim_threefold_repetition()
    assert not board.is_checkmate()


def test_the_naive_search_goes_round_in_circles() -> None:
    """The same value and moves, with no game so far, never mates here."""
    naive: Any = SimpleNamespace(choose=lambda board, limit: engine.search(board, 6), name="naive")
    with betacut.player("search", depth=2) as defender:
        board = play_out(naive, defender, QUEEN)
    assert board.can_claim_threefold_repetition()


LOSING = [name for name in BY_THEMSELVES if name not in ("random", "didactic.one_ply")]


@pytest.mark.parametrize("name", LOSING)
def test_a_losing_side_takes_the_repetition(name: str) -> None:
    """Black has seen this position before, and is a rook down; or White is."""
    board = pushed("a2b2 h8g8 b2a2 g8h8 a2b2 h8g8 b2a2", fen="7k/5ppp/8/8/8/8/R4PPP/6K1 w - - 0 1")
    assert [move.uci() for move in root_moves(board).drawn] == ["g8h8"]
    played = chosen(name, board, **shallow(name, 2))
    assert played.move == chess.Move.from_uci("g8h8")
    assert played.info["score"].relative == Cp(0)


@pytest.mark.parametrize("name", LOSING)
def test_a_winning_side_does_not(name: str) -> None:
    """It is a rook up; the position stands on the board for the third time already."""
    board = pushed("a2b2 h8g8 b2a2 g8h8 " * 2, fen="7k/5ppp/8/8/8/8/R4PPP/6K1 w - - 0 1")
    assert chess.Move.from_uci("a2b2") in root_moves(board).drawn
    assert chosen(name, board, **shallow(name, 3)).move in root_moves(board).free


@pytest.mark.parametrize(
    ("fen", "moves_a_pawn"),
    [("7k/8/8/8/8/8/P7/KQ6 w - - 99 90", True), ("6k1/p7/8/8/8/8/8/KQ6 b - - 99 90", False)],
)
def test_fifty_moves(fen: str, moves_a_pawn: bool) -> None:
    """The side with the queen moves a pawn before it is too late; the other one waits."""
    board = chess.Board(fen)
    for name in ("search", "negascout", "chessai.alpha_beta_pruning", "didactic.prototype_v1"):
        move = chosen(name, board, depth=3).move
        assert board.is_zeroing(move) == moves_a_pawn, (name, move)


@pytest.mark.parametrize("name", BY_THEMSELVES)
def test_no_player_stops_after_fifty_moves(name: str) -> None:
    """By the searches' rules the game is over; it was not claimed, so it goes on."""
    board = chess.Board("7k/8/8/8/8/8/P7/KQ6 w - - 120 99")
    assert chosen(name, board, Limit(depth=2)).move in board.legal_moves
