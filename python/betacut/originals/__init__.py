"""The other published teaching programs: their searches, faithful to the node, run by Rust.

Each module holds one program under its authors' names: same score, same move, same counts, quirks
included; every quirk is named where it happens.

- [`chessai`][betacut.originals.chessai]: minimax and alpha-beta on the sum of what moves gain, with
  a memory, progressive deepening and capture extensions, by students of DHBW Mannheim.
- [`cosc76`][betacut.originals.cosc76]: minimax, alpha-beta, a memory of printed boards and
  count-limited deepening on bare material, from a report for Dartmouth's COSC 76.
- [`didactic`][betacut.originals.didactic.searches]: fourteen engines, from random moves to
  principal variation search with quiescence and a tablebase, of "Chess Engine - a didactic
  introduction".

What holds for all of them:

- `board` is a `chess.Board` of standard chess, a FEN or EPD string, or the name of a position. It
  is never changed. The positions on its move stack count towards a fivefold repetition.
- A game is over as python-chess says without claims: checkmate, stalemate, insufficient material,
  75 moves, fivefold repetition.
- Moves are tried in the order of `board.legal_moves`; where an original draws among equals,
  the first one is taken, unless `rng=` draws.
- `depth` is at most 100 plies.
- All functions raise `TypeError` for arguments of the wrong type, `ValueError` for numbers out of
  range and illegal moves, `InvalidPositionError` for impossible positions, and `MemoryError` if a
  memory cannot grow. A position without legal moves, on which some of the originals crash, gives a
  result whose `move` is None.
- Searches run without the GIL; Ctrl-C stops them within 100 ms. An object that keeps state over a
  game serves one search at a time.

`tree` records what one of these searches does, node by node. `twins` has them in plain Python.

`betacut parity` compares all of them with what the originals answered.
"""

from importlib import import_module
from typing import TYPE_CHECKING

__all__ = ["RECORDABLE", "RandomMover", "tree"]

if TYPE_CHECKING:
    from betacut.originals.random_mover import RandomMover
    from betacut.originals.recording import RECORDABLE, tree
else:

    def __getattr__(name: str) -> object:
        """Import the programs, which need the compiled module, when they are asked for."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        page = "random_mover" if name == "RandomMover" else "recording"
        return getattr(import_module(f"{__name__}.{page}"), name)
