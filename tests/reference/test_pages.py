"""The building blocks of the pages, each by itself."""

import chess

from betacut.reference.evaluation import balance_of, piece_balance
from betacut.reference.order import move_code, splitmix64
from betacut.reference.position import en_passant_square
from betacut.reference.rules import GameEnd, game_end, value_of_end


def test_the_balance() -> None:
    assert piece_balance(chess.KNIGHT, chess.BLACK, chess.F6, endgame=False) == -330
    assert balance_of(chess.Board()) == 0


def test_the_numbers_of_a_random_order() -> None:
    assert hex(splitmix64(0)) == "0xe220a8397b1dcdaf"
    assert move_code(chess.Move.from_uci("e2e4")) == 1804
    assert move_code(chess.Move.from_uci("a7a8q")) == 24112


def test_an_en_passant_square_that_no_pawn_attacks() -> None:
    board = chess.Board()
    board.push_uci("e2e4")
    assert board.ep_square == chess.E3
    assert en_passant_square(board) is None


def test_how_a_game_ends() -> None:
    mate = chess.Board("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1")
    assert game_end(mate) is GameEnd.CHECKMATE
    assert game_end(chess.Board("8/8/8/4k3/8/4K3/4P3/8 w - - 100 90")) is GameEnd.FIFTY_MOVES
    assert game_end(chess.Board()) is None
    assert value_of_end(GameEnd.CHECKMATE, chess.WHITE) == -100000
