"""What the page offers: which players, and with which settings.

A client may name any player that lives in this process and searches. None that names a file, a
folder or a program of the server, and none that asks at the terminal; no setting that takes a file,
threads or memory. What is offered is listed here: a player or a setting that comes new is not
offered until it stands here.
"""

from functools import cache
from typing import Any

from betacut.core.messages import did_you_mean, one_line, shown
from betacut.games.players import catalogue
from betacut.games.players.settings import settings_in

# Where the players come from, by their names or what their names begin with.
GROUPS = {
    "engine": "betacut",
    "search": "betacut",
    "random": "betacut",
    "chessai": "The Julia program ChessAI",
    "cosc76": "The course COSC 76",
    "didactic": "A didactic introduction",
}
TEXTBOOK = "Textbook searches"

# The players that belong to the terminal or name something of the server.
NOT_OFFERED = frozenset({"human", "book", "uci", "xboard"})

# The settings that a client may give, and the options of the engine.
_SETTINGS = """
depth evaluation evaluator faithful full_moves guess ids max_depth memoized method move_count
negamax nodes order quiescence reduction seed time transpositions use_heuristic
use_static_exchange_evaluation variant width
"""
SETTINGS = frozenset(_SETTINGS.split())
OPTIONS = ("UCI_Elo", "UCI_LimitStrength", "Seed")

LONGEST = 200  # the longest text of a player, in characters


@cache
def offered() -> tuple[str, ...]:
    """The names of the players that are offered."""
    found = (name.partition(":")[0] for name in catalogue.names())
    return tuple(name for name in found if name not in NOT_OFFERED)


def check_player(text: object) -> str:
    """Make sure that a player is offered, with these settings."""
    if not isinstance(text, str) or len(text) > LONGEST:
        raise ValueError(f"player must be a text of up to {LONGEST} characters, not {shown(text)}")
    name, pairs = settings_in(text)
    if name not in offered():
        head = name.partition(":")[0].strip()
        if head in offered():
            reason = f"takes nothing after a colon, not {shown(name)}"
            raise ValueError(f"the player {shown(head)} {reason}")
        hint = did_you_mean(name, offered(), "choose one of the list")
        raise ValueError(f"the player {shown(head)} is not offered here{hint}")
    entry, _ = catalogue.entry_of(name)
    allowed = [key for key in entry.settings if key in SETTINGS]
    allowed += OPTIONS if entry.open else ()
    for key in pairs:
        if key not in allowed:
            known = f"there are {one_line(', '.join(allowed) or 'none', 200)}"
            raise ValueError(f"{name}: the setting {shown(key)} is not offered here; {known}")
    try:
        catalogue.parse(text).close()
    except TypeError as error:
        raise ValueError(str(error)) from None
    return text


def default_limit(text: str) -> bool:
    """Whether a player that is given no limit keeps to its own measure: it names no depth."""
    return not {"depth", "max_depth", "nodes", "time"} & settings_in(text)[1].keys()


def depth_text(text: str, depth: int | None) -> str:
    """Write how deep a player has searched; also how deep it should, if time ended it before.

    Examples:
        >>> depth_text("search,depth=9", 5), depth_text("search,depth=4", 4)
        ('depth 5 of 9', 'depth 4')
    """
    if depth is None:
        return ""
    pairs = settings_in(text)[1]
    wanted = pairs.get("depth", pairs.get("max_depth", ""))
    too_few = wanted.isdecimal() and depth < int(wanted)
    return f"depth {depth} of {wanted}" if too_few else f"depth {depth}"


def with_ply(text: str, ply: int) -> str:
    """Give a player that draws lots another lot at each move: it is made anew for each.

    Examples:
        >>> with_ply("random,seed=7", 10), with_ply("random", 10)
        ('random,seed=17', 'random')
    """
    name, pairs = settings_in(text)
    if "seed" in pairs and pairs["seed"].isdecimal():
        pairs["seed"] = str((int(pairs["seed"]) + ply) % 2**64)
        return ",".join([name, *(f"{key}={value}" for key, value in pairs.items())])
    return text


def short_name(text: str) -> str:
    """A player as people read it: without its quotes and with spaces.

    Examples:
        >>> short_name("engine,UCI_Elo=1500"), short_name("search,depth=4")
        ('engine, Elo 1500', 'search, depth 4')
    """
    name, pairs = settings_in(text)
    words = [f"{'Elo' if key == 'UCI_Elo' else key} {value}" for key, value in pairs.items()]
    return ", ".join([name, *words])


@cache
def players() -> list[dict[str, Any]]:
    """Describe the players that are offered: `depth` is the name of the setting, or empty."""
    found = []
    for name in offered():
        entry, _ = catalogue.entry_of(name)
        depth = next((key for key in ("depth", "max_depth") if key in entry.settings), "")
        group = GROUPS.get(name) or GROUPS.get(name.partition(".")[0], TEXTBOOK)
        text = entry.help.replace("`", "")
        about = {"group": group, "help": text, "depth": depth, "elo": entry.open}
        found.append({"name": name, **about})
    return found
