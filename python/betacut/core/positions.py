"""Positions with names. A name stands for its position wherever a FEN does, in capitals or not.

    >>> from betacut import engine
    >>> engine.alpha_beta_pruning("P4", 3).score
    -265
    >>> POSITIONS["P4"]
    '2bqk1nr/1p1p1pbp/6p1/1pp1p3/1P2P3/5N2/2PP1PPP/BN1QR1K1 b k - 0 10'

Sources:

- `start`: the starting position of chess; `startpos`, its name in UCI, is understood too.
- `kiwipete`: Peter McKenzie's test position for move generators, with castling, en passant,
  promotions and pins within reach; chessprogramming.org "Perft Results", position 2.
- `P1` to `P6`: the positions for which the paper on the original Julia program
  (GeekYiwen/ChessAIJulia) reports times and values at depths 1 to 6. P1 and P2 come from the
  opening, P3 and P4 from the middlegame, P5 and P6 from the endgame.
- `italian` and `london`: quiet middlegames from the Giuoco Pianissimo and the London System, in
  which nothing hangs and both sides have many moves.
"""

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["MIDDLEGAMES", "NAMES", "POSITIONS", "named_position"]

# Nothing is imported here, for the completion of names is to be quick.
_START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

POSITIONS: Mapping[str, str] = MappingProxyType(
    {
        "P1": "r1bqkb1r/pppp1ppp/2n2n2/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 1",
        "P2": "rnbqkb1r/pppppp1p/5np1/8/2PP4/2N5/PP2PPPP/R1BQKBNR b KQkq - 1 3",
        "P3": "4r1k1/p1p1r1pp/1p2Pp1q/2pP1n1b/2P2p2/2Q2B1P/P2NRPP1/4R1K1 w - - 3 26",
        "P4": "2bqk1nr/1p1p1pbp/6p1/1pp1p3/1P2P3/5N2/2PP1PPP/BN1QR1K1 b k - 0 10",
        "P5": "8/R7/6k1/3q3p/5P2/4P1P1/4NK2/8 w - - 1 83",
        "P6": "8/p5R1/1p4p1/4k3/r6P/6K1/5P2/8 b - - 4 50",
        "start": _START,
        "kiwipete": "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    }
)
"""Positions by name, as FEN. The benchmark and its signature use all of them."""

MIDDLEGAMES: Mapping[str, str] = MappingProxyType(
    {
        "italian": "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/3P1N2/PPP2PPP/RNBQK2R w KQkq - 1 5",
        "london": "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 3 8",
    }
)
"""More positions by name. The exact search is measured on these and on `POSITIONS`."""

NAMES: tuple[str, ...] = ("startpos", *POSITIONS, *MIDDLEGAMES)
"""All names that are understood."""

_BY_LOWER_NAME = {
    name.lower(): fen
    for name, fen in [*POSITIONS.items(), *MIDDLEGAMES.items(), ("startpos", _START)]
}


def named_position(text: str) -> str:
    """Replace the name of a position by its FEN.

    Raises:
        TypeError: If it is no string.

    Examples:
        >>> named_position("p6")
        '8/p5R1/1p4p1/4k3/r6P/6K1/5P2/8 b - - 4 50'
    """
    if not isinstance(text, str):
        from betacut.core.messages import described

        raise TypeError(f"text must be a str, not {described(text)}")
    return _BY_LOWER_NAME.get(text.lower(), text)
