"""The COSC 76 players: a second implementation, laws, and rough treatment."""

import math
import threading

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from betacut import BetacutError, PlayerInUseError
from betacut.originals import cosc76
from betacut.originals.twins import Score
from betacut.originals.twins.cosc76 import Cosc76Twin, evaluate
from support.boards import examples, games, repetitions, standard_boards

FINISHED = "6k1/5ppp/8/8/8/8/r4PPP/1r4K1 w - - 0 1"


def facts(choice: cosc76.Choice) -> tuple[object, ...]:
    return choice.score, choice.move, dict(choice.calls), choice.pruned, choice.remembered


def facts_of_twin(twin: Cosc76Twin, found: tuple[Score, chess.Move | None]) -> tuple[object, ...]:
    return *found, dict(twin.calls), twin.pruned, twin.remembered


@given(board=standard_boards(), maximizing=st.booleans(), depth=st.sampled_from([1, 1, 2]))
@examples(2)
def test_minimax_and_alpha_beta(board: chess.Board, maximizing: bool, depth: int) -> None:
    depth = depth if board.legal_moves.count() < 15 else 1
    for name in ("minimax_ai", "alpha_beta_ai"):
        twin = Cosc76Twin(maximizing)
        found = getattr(twin, name)(board.copy(), depth)
        actual = cosc76.ALGORITHMS[name](board, depth, maximizing=maximizing)
        assert facts(actual) == facts_of_twin(twin, found)


@given(
    board=standard_boards(),
    maximizing=st.booleans(),
    move_count=st.sampled_from([1, 2, 4, math.inf]),
    memoized=st.booleans(),
    ids=st.booleans(),
)
@examples(2)
def test_enhanced_alpha_beta(
    board: chess.Board, maximizing: bool, move_count: float, memoized: bool, ids: bool
) -> None:
    twin = Cosc76Twin(maximizing, move_count)
    twin.memory = {"*": 0} if memoized else None
    twin.ids_moves = {} if ids else None
    depth = 2 if move_count < 5 else 1
    found = twin.enhanced_ai(board.copy(), depth)
    actual = cosc76.enhanced_alpha_beta_ai(
        board, depth, move_count=move_count, memoized=memoized, ids=ids, maximizing=maximizing
    )
    assert facts(actual) == facts_of_twin(twin, found)
    size = len((twin.memory or {}).keys() | {str(actual.move)}) if memoized else None
    assert actual.memory_size == size


def test_a_player_keeps_the_value_of_the_root() -> None:
    """The second position is among those that the order of moves looks up."""
    player = cosc76.EnhancedAlphaBetaAI(1, True, memoized=False, ids=True)
    twin = Cosc76Twin(True, ids_moves={})
    for king in ("K6R", "1K5R"):
        board = chess.Board(f"6k1/8/8/8/8/p7/8/{king} w - - 0 1")
        twin.calls.clear()
        found = twin.enhanced_ai(board.copy(), 1)
        actual = player.search(board)
        assert (tuple(actual), actual.calls["evaluate"]) == (found, twin.calls["evaluate"])


@given(board=games(max_plies=60))
@examples(0.2)
def test_a_player_remembers(board: chess.Board) -> None:
    """Some moves of a game by one player, against the twin that keeps the same."""
    player = cosc76.EnhancedAlphaBetaAI(2, board.turn, move_count=3)
    twin = Cosc76Twin(board.turn, 3, {"*": 0})
    for _ in range(4):
        found = twin.enhanced_ai(board, 2)
        twin.memory = {**(twin.memory or {}), str(found[1]): found[0]}
        assert tuple(player.search(board)) == found
        assert player.prev_moves == twin.prev_moves
        assert (player.remembered, player.pruned_branches) == (twin.remembered, twin.pruned)
        if found[1] is None:
            break
        board.push(found[1])
        if board.is_game_over():
            break
        board.push(next(iter(board.legal_moves)))


@given(board=st.one_of(standard_boards(), repetitions()))
@examples(4)
def test_evaluation(board: chess.Board) -> None:
    assert cosc76.evaluate(board) == evaluate(board)


def test_a_fifth_occurrence_of_a_position_with_castling_rights_that_do_not_exist() -> None:
    board = chess.Board("4k3/p7/8/8/8/8/P7/R3K3 w K - 0 1")
    for move in ("e1d1", "e8d8", "d1e1", "d8e8") * 4:
        board.push_uci(move)
    assert cosc76.evaluate(board) == evaluate(board) == 0


@given(board=standard_boards(), maximizing=st.booleans())
@examples(2)
def test_alpha_beta_is_minimax(board: chess.Board, maximizing: bool) -> None:
    depth = 3 if board.legal_moves.count() <= 12 else 2
    minimax = cosc76.minimax_ai(board, depth, maximizing=maximizing)
    alpha_beta = cosc76.alpha_beta_ai(board, depth, maximizing=maximizing)
    assert tuple(alpha_beta) == tuple(minimax)
    assert alpha_beta.best_moves == minimax.best_moves
    scores = [search.score for search in minimax.root_searches]
    assert scores == [search.score for search in alpha_beta.root_searches]


@given(board=standard_boards(), timeout=st.sampled_from([0, 1, 5, 30, 1000]))
@examples(1)
def test_the_timeout_counts_root_moves(board: chess.Board, timeout: int) -> None:
    choice = cosc76.iterative_deepening_ai(board, 3, timeout=timeout)
    moves = board.legal_moves.count()
    # A depth that ends as the counter reaches 0 is the last one.
    expected = timeout if timeout == moves else min(2 * moves, timeout + 1)
    assert len(choice.root_searches) - expected in (0, 1)
    assert choice.move is not None or moves == 0 or board.turn == chess.BLACK
    report = cosc76.iterative_deepening_ai(board, 3, timeout=timeout, variant="report")
    assert report.calls.get("minimax", 0) == choice.calls.get("minimax", 0)


def test_a_move_played_before_does_not_replace_its_equals() -> None:
    player = cosc76.MinimaxAI(1)
    first, second = player.search(chess.Board()), player.search(chess.Board())
    assert first.best_moves == second.best_moves
    assert (second.move, first.move) == first.best_moves[-2:]
    assert player.prev_moves == {"a2a4", "b2b4"}


def test_the_first_reply_helps() -> None:
    """White expects Black to leave the queen where it can be taken."""
    board = "3qk3/8/8/8/8/8/8/3RK3 b - -"
    assert cosc76.minimax_ai(board, 1, maximizing=True).score > cosc76.evaluate(board)


def test_black_deepens_in_vain() -> None:
    black = chess.Board("r4r2/pb1pk2p/1p4p1/1P6/2PR4/1P3n2/4BP1P/3K4 b - -")
    for choice in (cosc76.iterative_deepening_ai(black, 3), cosc76.better_ai(black, 3)):
        assert (choice.score, choice.move) == (-math.inf, None)


@pytest.mark.parametrize("name", cosc76.ALGORITHMS)
def test_a_finished_game_has_no_move(name: str) -> None:
    choice = cosc76.ALGORITHMS[name](FINISHED, 3)
    assert tuple(choice) == (-math.inf, None)
    assert (choice.root_searches, choice.best_moves) == ((), ())


def test_no_move_is_left_when_all_lost_ones_were_played() -> None:
    """White has to mate, which is the worst for a minimizing player: it does so only once."""
    player = cosc76.MinimaxAI(1, maximizing=False)
    board = "3b4/8/8/8/K7/1q1Q4/k7/6R1 w - -"
    assert tuple(player.search(board)) == (math.inf, chess.Move.from_uci("d3b3"))
    assert tuple(player.search(board)) == (math.inf, None)
    assert player.prev_moves == {"d3b3", "None"}


def test_a_game_against_the_random_mover() -> None:
    games = [cosc76.ChessGame(cosc76.AlphaBetaAI(2), cosc76.RandomAI(seed=7)) for _ in range(2)]
    for game in games:
        while not game.is_game_over() and game.board.ply() < 60:
            game.make_move()
        assert str(game).endswith("to move")
    assert games[0].board.move_stack == games[1].board.move_stack


def test_a_game_does_not_go_on_without_a_move() -> None:
    game = cosc76.ChessGame(cosc76.AlphaBetaAI(1), cosc76.RandomAI(), FINISHED)
    with pytest.raises(ValueError, match="AlphaBetaAI found no move in 6k1"):
        game.make_move()
    assert cosc76.RandomAI().choose_move(FINISHED) is None


def test_the_random_mover_follows_its_seed() -> None:
    moves = [cosc76.RandomAI(seed).choose_move(chess.Board()) for seed in (1, 1, 2, 3)]
    assert moves[0] == moves[1]
    assert len(set(moves)) > 1


def test_one_player_chooses_one_move_at_a_time() -> None:
    player = cosc76.MinimaxAI(4)
    thread = threading.Thread(target=player.search, args=[chess.Board()], daemon=True)
    thread.start()
    refused = False
    while thread.is_alive() and not refused:  # it may take several attempts on a busy machine
        try:
            player.choose_move(FINISHED)
        except PlayerInUseError as error:
            assert "choosing a move" in str(error)  # noqa: PT017
            refused = True
    thread.join(60)
    assert refused
    assert player.prev_moves - {"None"} == {"a2a4"}
    assert issubclass(PlayerInUseError, BetacutError)
