"""The canonical order of moves.

Which of several equal moves is found first, and how many nodes alpha-beta visits, depends on the
order in which moves are tried. The canonical order is that of Chess.jl 0.7.6, the library under
the original program: legal moves, but in the order in which its generator produces them.

This file takes the legal moves from python-chess and sorts them. The sort key of a move is a
tuple: first the stage of the generator that produces it, then its place within the stage.
Where a stage goes "by square", squares are counted file by file from the top: a8 a7 … a1 b8 … h1.
Promotions of one pawn to one square come in the order queen, rook, bishop, knight.
"""

import chess

from betacut.core.arguments import BoardLike, as_board

SQUARE_ORDER = tuple(
    8 * chess.square_file(square) + 7 - chess.square_rank(square) for square in chess.SQUARES
)
"""The place of each square in the order a8 a7 … a1 b8 … h1, from 0 to 63."""

PROMOTION_ORDER = {
    None: 0,
    chess.QUEEN: 0,
    chess.ROOK: 1,
    chess.BISHOP: 2,
    chess.KNIGHT: 3,
}
"""The place of a promotion among those with the same origin and target."""

# The stages when the side to move is not in check …
PAWN_PUSHES, PAWN_CAPTURES, KNIGHTS, BISHOPS, ROOKS, QUEENS, KING, CASTLING, EN_PASSANT = range(9)

STAGE_OF_PIECE = {
    chess.KNIGHT: KNIGHTS,
    chess.BISHOP: BISHOPS,
    chess.ROOK: ROOKS,
    chess.QUEEN: QUEENS,
    chess.KING: KING,
}

# … and when it is. (In double check only the king can move.)
(
    KING_STEPS,
    CHECKER_BY_PAWN,
    CHECKER_EN_PASSANT,
    PAWN_BLOCKS,
    BY_KNIGHT,
    BY_BISHOP,
    BY_ROOK,
    BY_QUEEN,
    BLOCK_EN_PASSANT,
) = range(9)

EVASION_OF_PIECE = {
    chess.KNIGHT: BY_KNIGHT,
    chess.BISHOP: BY_BISHOP,
    chess.ROOK: BY_ROOK,
    chess.QUEEN: BY_QUEEN,
}


def legal_moves(board: BoardLike) -> list[chess.Move]:
    """List the legal moves in the canonical order, as `betacut.engine.legal_moves` does.

    Examples:
        >>> [move.uci() for move in legal_moves("7k/P7/8/8/8/8/8/K7 w - - 0 1")]
        ['a7a8q', 'a7a8r', 'a7a8b', 'a7a8n', 'a1a2', 'a1b2', 'a1b1']
    """
    return ordered_moves(as_board(board))


def ordered_moves(board: chess.Board) -> list[chess.Move]:
    """Do what `legal_moves` does, without checking the board."""
    moves = list(board.generate_legal_moves())
    checkers = board.checkers_mask()
    if checkers:
        by_slider = bool(checkers & (board.bishops | board.rooks | board.queens))
        moves.sort(key=lambda move: _key_in_check(board, move, by_slider))
    else:
        moves.sort(key=lambda move: _key(board, move))
    return moves


def _key(board: chess.Board, move: chess.Move) -> tuple[int, ...]:
    """Tell the place of a move when the side to move is not in check."""
    origin, target = SQUARE_ORDER[move.from_square], SQUARE_ORDER[move.to_square]
    pinned = board.is_pinned(board.turn, move.from_square)
    piece_type = board.piece_type_at(move.from_square)

    if piece_type == chess.PAWN:
        step = chess.square_file(move.to_square) - chess.square_file(move.from_square)
        # 1. Pushes: promotions, single steps, double steps, each by target.
        if step == 0:
            return (PAWN_PUSHES, *_push_key(move))
        # 9. En passant captures come last of all.
        if board.is_en_passant(move):
            return (EN_PASSANT, origin)
        # 2. Captures: those toward the a-file, then those toward the h-file, promotions first;
        #    then, by their origin, the captures by pinned pawns.
        promotion = PROMOTION_ORDER[move.promotion]
        if pinned:
            return (PAWN_CAPTURES, 2, origin, target, promotion)
        direction = 0 if step < 0 else 1
        quiet = 0 if move.promotion else 1
        return (PAWN_CAPTURES, direction, quiet, target, promotion)

    # 8. Castling: queenside, then kingside.
    if board.is_castling(move):
        return (CASTLING, 0 if board.is_queenside_castling(move) else 1)

    # 3.-7. Knights, bishops, rooks, queens, king. Of the sliders the unpinned ones come first.
    #       (A pinned knight has no move, and a king is not pinned.)
    assert piece_type is not None, "a legal move has a piece to move"
    return (STAGE_OF_PIECE[piece_type], 1 if pinned else 0, origin, target)


def _key_in_check(board: chess.Board, move: chess.Move, by_slider: bool) -> tuple[int, ...]:
    """Tell the place of a move in check, which no pinned piece can parry."""
    origin, target = SQUARE_ORDER[move.from_square], SQUARE_ORDER[move.to_square]
    piece_type = board.piece_type_at(move.from_square)
    straight = (
        chess.square_file(move.from_square) == chess.square_file(move.to_square)
        or chess.square_rank(move.from_square) == chess.square_rank(move.to_square)
    )  # fmt: skip

    # 1. The king steps away.
    if piece_type == chess.KING:
        return (KING_STEPS, target)

    if piece_type == chess.PAWN:
        # 2. Pawns take the checker. En passant, they take a checking pawn at this point, while
        #    a capture that blocks the line of a slider comes last of all (Chess.jl forgets it).
        if board.is_en_passant(move):
            return (BLOCK_EN_PASSANT if by_slider else CHECKER_EN_PASSANT, origin)
        if not straight:
            return (CHECKER_BY_PAWN, origin, PROMOTION_ORDER[move.promotion])
        # 3. Pawns step between.
        return (PAWN_BLOCKS, *_push_key(move))

    assert piece_type is not None, "a legal move has a piece to move"
    # 4. Pieces take a checking slider or step between: knights, bishops, rooks, queens.
    if by_slider or piece_type == chess.KNIGHT:
        return (EVASION_OF_PIECE[piece_type], origin, target)
    # 5. A checking knight or pawn is taken by knights, then along diagonals (bishops and queens
    #    together), then along files and ranks (rooks and queens together).
    return (BY_ROOK if straight else BY_BISHOP, origin)


def _push_key(move: chess.Move) -> tuple[int, int, int]:
    """Tell the place of a pawn push among the pushes: promotions, single steps, double steps."""
    length = abs(move.to_square - move.from_square) // 8
    step = 0 if move.promotion else length
    return (step, SQUARE_ORDER[move.to_square], PROMOTION_ORDER[move.promotion])
