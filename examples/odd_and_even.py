"""Does a deeper search change its mind? Ask some games at depths 1 to 6, and draw the answer.

The question from start to end: games are played and written to a file, all their positions are
annotated at each depth, and what two depths say of the same positions is compared. A search without
quiescence believes the last capture that it sees, so the score depends on who has the last move:
odd depths think well of the side to move, even ones of its opponent.

    python examples/odd_and_even.py odd_and_even.svg

Needs `pip install "betacut[data,plot]"`, and takes half a minute.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path
from tempfile import TemporaryDirectory

import chess
import chess.pgn
import matplotlib
from matplotlib.figure import Figure

from betacut import datasets, engine, openings
from betacut.views.palette import LINES, REFERENCE_LINE

PLIES = 70
"""A game that is not over after so many plies ends there."""


def play(number: int) -> chess.pgn.Game:
    """Let the exact search at depth 3 play against itself, from one of the package's openings."""
    rng = random.Random(number)
    board = rng.choice(openings.balanced()).board()
    while board.ply() < PLIES and not board.is_game_over(claim_draw=True):
        board.push(engine.search(board, 3, rng=rng).move)
    game = chess.pgn.Game.from_board(board)
    game.headers["Round"] = str(number)
    return game


def annotate(games: int, depths: range, folder: Path) -> list[Path]:
    """Play the games, and annotate them at each depth; an output for each."""
    source = folder / "games.pgn"
    source.write_text("\n\n".join(str(play(number)) for number in range(games)), encoding="utf-8")
    outs = [folder / f"depth-{depth}.parquet" for depth in depths]
    for depth, out in zip(depths, outs, strict=True):
        report = datasets.annotate(source, out, depth=depth, skip_book=openings.PLIES)
        print(f"depth {depth}: {report.rows:,} positions in {report.seconds:.1f} s")
    return outs


def advantage(out: Path) -> float:
    """The mean score for the side to move, mates left out. Centipawns."""
    table = datasets.read(out).select(["fen", "cp"])
    scores = [
        cp if " w " in fen else -cp
        for fen, cp in zip(table["fen"].to_pylist(), table["cp"].to_pylist(), strict=True)
        if cp is not None
    ]
    return sum(scores) / len(scores)


def disjoint(one: Path, other: Path) -> float:
    """The share of the positions in which two depths have no best move in common. Percent."""
    _, (found,) = datasets.summarize([one, other])
    return 100 * found.disjoint / found.rows


def draw(outs: list[Path], depths: range, means: list[float], picture: Path) -> None:
    """Draw how often the best moves change, and how the score swings."""
    figure = Figure(figsize=(9, 4), layout="constrained")
    moves, scores = figure.subplots(1, 2)
    for back, name, style in ((1, "… one ply less", "s-"), (2, "… two plies less", "o-")):
        shares = [disjoint(*pair) for pair in zip(outs, outs[back:], strict=False)]
        moves.plot(depths[back:], shares, style, color=LINES[2 - back], label=name)
    moves.set_title("No best move in common with the search of …", fontsize=10)
    moves.set_ylabel("% of the positions")
    moves.set_ylim(0)
    scores.plot(depths, means, color=REFERENCE_LINE, linewidth=0.8, zorder=1)
    scores.axhline(0, color=REFERENCE_LINE, linewidth=0.5, linestyle=":", zorder=0)
    for parity, name in ((1, "odd: the side to move has the last move"), (0, "even")):
        mine = [index for index, depth in enumerate(depths) if depth % 2 == parity]
        points = [depths[index] for index in mine], [means[index] for index in mine]
        scores.plot(*points, "so"[parity], color=LINES[parity], label=name)
    scores.set_title("Mean score for the side to move", fontsize=10)
    scores.set_ylabel("centipawns")
    for axes, first in ((moves, depths[1]), (scores, depths[0])):
        axes.legend(frameon=False, fontsize=8)
        axes.set_xlabel("depth (plies)")
        axes.set_xticks(range(first, depths.stop))
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
    # The same figures give the same file.
    with matplotlib.rc_context({"svg.hashsalt": "betacut", "svg.fonttype": "none"}):
        dated = {"metadata": {"Date": None}} if picture.suffix == ".svg" else {}
        figure.savefig(picture, dpi=150, **dated)


def main() -> None:
    """Read the arguments, and do everything in a folder that is thrown away."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("picture", type=Path, help="the file to draw to, .svg or .png")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--depth", type=int, default=6, help="the deepest one, 3 or more")
    given = parser.parse_args()
    depths = range(1, given.depth + 1)
    with TemporaryDirectory() as folder:
        outs = annotate(given.games, depths, Path(folder))
        means = [advantage(out) for out in outs]
        for depth, mean in zip(depths, means, strict=True):
            print(f"depth {depth}: {mean:+.0f} for the side to move")
        for found in datasets.summarize(outs)[1]:
            print(
                f"{found.first} and {found.second}: other best moves in "
                f"{found.changed / found.rows:.0%}, none in common in "
                f"{found.disjoint / found.rows:.0%}, scores {found.mean_difference:.0f} apart"
            )
        draw(outs, depths, means, given.picture)


if __name__ == "__main__":
    main()
