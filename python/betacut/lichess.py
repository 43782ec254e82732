"""betacut as a bot on lichess.org: an engine for lichess-bot's homemade protocol.

lichess-bot connects programs to the site. It speaks UCI, and `betacut uci` is all it needs; a
homemade engine is a class instead of a program, so that any player of betacut can be the bot. In
lichess-bot's `homemade.py`:

    from betacut.lichess import BetacutEngine

and in its `config.yml`:

    engine:
      protocol: "homemade"
      name: "BetacutEngine"
      homemade_options:
        player: "didactic.prototype_v2"   # or engine, search, minimax, ...: betacut.player's names
        depth: 4                          # the player's settings

Without `player` it is the playing engine, whose options (`Hash`, `Threads`) are settings too.

lichess-bot's base class has changed what it is made with, and may again: all of it is passed on,
and only the options are read. Tried with lichess-bot 2026.8.2.1, whose base class asks for
`debug`, and with its form before December 2025, which does not.
"""

from importlib import import_module
from typing import Any

import chess
from chess.engine import INFO_ALL, Limit, Mate, PlayResult, PovScore

import betacut

__all__ = ["BetacutEngine"]


class _Alone:
    """What lichess-bot's base class does, as far as it is needed, where lichess-bot is not."""

    def __init__(
        self, commands: list[str], options: dict[str, Any], *args: object, **kwargs: object
    ) -> None:
        self.engine_name = type(self).__name__

    def add_go_commands(self, time_limit: Limit) -> Limit:
        """Nothing is added."""
        return time_limit

    def offer_draw_or_resign(self, result: PlayResult, board: chess.Board) -> PlayResult:
        """Nothing is offered."""
        return result


def _base() -> type[Any]:
    """lichess-bot's `MinimalEngine`, if this runs in lichess-bot."""
    try:
        found: type[Any] = import_module("lib.engine_wrapper").MinimalEngine
    except (ImportError, AttributeError):
        # It is not there, or another program's `lib` is.
        return _Alone
    return found


class BetacutEngine(_base()):  # type: ignore[misc] # known only when it runs
    """A player of betacut, as lichess-bot wants it: one for each game.

    lichess-bot makes the object, asks it for moves with `search`, and tells it what happens through
    `notify`.

    Args:
        commands: The command line of an engine; there is none.
        options: `homemade_options` of the configuration: `player` and its settings.
        *args: What else lichess-bot's base class is made with: where to write errors, when to
            offer draws and to resign, the game, whether to debug; as its version has it.
        **kwargs: The same, by name.

    Raises:
        TypeError: If a setting of a player is of the wrong type, or unknown.
        ValueError: If there is no such player, or a setting of it is out of range.
        PlayerError: If the player cannot use what a setting names, such as a network.
        OSError: If a book or tablebases cannot be read.

    Examples:
        >>> BetacutEngine([], {"player": "random"}, None, None).engine_name
        'betacut (random)'
    """

    def __init__(
        self,
        commands: list[str],
        options: dict[str, Any],
        *args: Any,  # noqa: ANN401 - lichess-bot's
        **kwargs: Any,  # noqa: ANN401 - lichess-bot's
    ) -> None:
        # What lichess-bot understands itself stays in there for it to take.
        own = {key: value for key, value in options.items() if key != "go_commands"}
        others = {key: value for key, value in options.items() if key == "go_commands"}
        player = own.pop("player", "engine")
        super().__init__(commands, others, *args, **kwargs)
        self.engine_name = kwargs.get("name") or f"betacut ({player})"
        filler = getattr(self, "engine", None)
        if filler is not None:  # a base class that does not take the name for the chat
            filler.id = {"name": self.engine_name}
        self._player: Any = getattr(betacut, "player")(player, **own)  # noqa: B009 - loaded only now
        # With a book or a tablebase before it, it is asked for moves as any player is.
        self._engine = getattr(self._player, "engine", None) if player == "engine" else None

    def search(
        self,
        board: chess.Board,
        time_limit: Limit,
        ponder: bool,
        draw_offered: bool,
        root_moves: list[chess.Move] | PlayResult,
    ) -> PlayResult:
        """Choose a move.

        Args:
            board: The position, with the game so far.
            time_limit: The clocks, or the time for this move.
            ponder: Whether to go on thinking afterwards. Only the playing engine does.
            draw_offered: Whether the opponent has offered a draw. Whether to accept is decided by
                the rules of lichess-bot's configuration.
            root_moves: The moves to choose from, if it is a list that is not empty: all of them are
                good, says a tablebase or an opening explorer. Players that cannot be restricted and
                choose another move play the first of them.

        Returns:
            The move, with what is known about it.
        """
        limit = self.add_go_commands(time_limit)
        allowed = root_moves if isinstance(root_moves, list) and root_moves else None
        for move in allowed or ():
            if move not in board.legal_moves:
                raise ValueError(f"root_moves must be legal in {board.fen()}, not {move}")
        if self._engine is not None:
            result: PlayResult = self._engine.play(
                board,
                self._player.limits_for(limit, board.turn),
                info=INFO_ALL,
                ponder=ponder,
                draw_offered=draw_offered,
                root_moves=allowed,
            )
        else:
            result = self._player.choose(board, limit)
            if allowed and result.move not in allowed:
                result = PlayResult(allowed[0], None)
        # By the scores lichess-bot offers draws and resigns; where there is none it does neither.
        scores: list[PovScore] | None = getattr(self, "scores", None)
        if scores is not None:
            scores.append((result.info or {}).get("score", PovScore(Mate(1), board.turn)))
        judged: PlayResult = self.offer_draw_or_resign(result, board)
        return judged

    def notify(self, method_name: str, *args: object, **kwargs: object) -> None:
        """Learn what lichess-bot does with its engine; the end is all that matters.

        Args:
            method_name: What it calls: `ping`, `send_game_result`, `quit`, `__exit__`, ...
            *args: With what.
            **kwargs: With what.
        """
        if method_name in ("quit", "close", "__exit__"):
            self.close()

    def close(self) -> None:
        """Give back what the player holds. Closing again does nothing."""
        self._player.close()
