"""Players: one protocol for everything that can choose a move.

    >>> import betacut, chess
    >>> with betacut.player("alpha_beta_pruning", depth=3) as player:
    ...     result = player.choose(chess.Board())
    >>> result.move.uci(), result.info["score"].relative, result.info["depth"]
    ('b1c3', Cp(+50), 3)

`names` lists them, `describe` says which settings each has, `player` makes one, `parse` makes one
from a text such as `"search,depth=4"`. They raise `TypeError` for what is of the wrong type and for
a setting that the player has not, `ValueError` for a player that there is not, a setting out of
range and quotes that do not match, `OSError` if a file or a directory cannot be opened, and
`PlayerError` if an engine cannot be started. What holds for all players:

- `analyse(board, limit)` says what the player thinks of a position, `analysis` what after each
  depth, and `compare` what of one of the moves, by the same search as of the best.
- `choose(board, limit)` returns a `chess.engine.PlayResult`: the move, None if the game is over
  without claims, and in `info` what the player knows about it. The board is not changed.
- Searches of a fixed depth take the least of `limit.depth` and their setting `depth`. With other
  limits alone they search to depth 1, 2, 3, … as long as the next depth is likely to finish, one
  ply always. Without any limit they search 4 plies, `search` 6; engines think a second.
- A clock is shared out as the playing engine does it: a 28th of it (or a `remaining_moves`-th) with
  three quarters of the increment, never more than three fifths of it, nine tenths for the last of
  the `remaining_moves`. Engines share their clocks out by themselves.
- The game so far is read off the board's move stack: a move that repeats a position, or ends the
  fiftieth move without capture or pawn move, counts as a draw. So a player that is better avoids
  it, and one that is worse looks for it. `random` does not look; the players of the published
  programs do not with `faithful=True`.
- A player serves one game at a time, in any thread; many players play in many threads.
- Ctrl-C ends a move as it ends a search: with `KeyboardInterrupt`.
"""

from betacut.games.players.catalogue import describe, names, opened, parse, player
from betacut.games.players.moves import MoveError, read_move
from betacut.games.players.protocol import BasePlayer, ChoosesMoves, Opinion, Player

__all__ = [
    "BasePlayer",
    "ChoosesMoves",
    "MoveError",
    "Opinion",
    "Player",
    "describe",
    "names",
    "opened",
    "parse",
    "player",
    "read_move",
]
