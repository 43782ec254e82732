"""Does a deeper search change its mind? Ask some games at depths 1 to 6, and draw the answer.

The question from start to end: games are played and written to a file, all their positions are
annotated at each depth, and what two depths say of the same positions is compared. An evaluation
without quiescence believes the last capture it sees, so odd and even depths are two minds.

    python examples/odd_and_even.py odd_and_even.svg --games 40

Needs `pip install betacut[data,plot]`; the defaults take about a minute.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path
from tempfile import TemporaryDirectory

import chess
import chess.pgn
from matplotlib.figure import Figure

from betacut import datasets, engine, openings
from betacut.views.palette import LINES

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


def draw(outs: list[Path], depths: range, picture: Path) -> None:
    """Draw how often the best moves change, and how the score swings."""
    before = {
        back: {
            depth: datasets.summarize(outs[index - back], outs[index])[1][0]
            for index, depth in enumerate(depths)
            if index >= back
        }
        for back in (1, 2)
    }
    figure = Figure(figsize=(9, 4), layout="constrained")
    moves, scores = figure.subplots(1, 2)
    for back, name, colour, marker in (
        (1, "one ply less", LINES[1], "s"),
        (2, "two plies less", LINES[0], "o"),
    ):
        pairs = before[back]
        shares = [100 * one.disjoint / one.rows for one in pairs.values()]
        moves.plot(pairs.keys(), shares, color=colour, marker=marker, label=name)
    moves.set_title("Positions with no best move in common with …", fontsize=10)
    moves.set_ylabel("% of the positions")
    moves.set_ylim(0)
    moves.legend(frameon=False)
    means = [advantage(out) for out in outs]
    for parity, name in ((1, "odd: the side to move has the last move"), (0, "even")):
        mine = [
            (depth, mean) for depth, mean in zip(depths, means, strict=True) if depth % 2 == parity
        ]
        scores.plot(*zip(*mine, strict=True), "o", color=LINES[parity], label=name)
    scores.plot(depths, means, color="#767676", linewidth=0.8, zorder=1)
    scores.axhline(0, color="#cccccc", linewidth=0.8, zorder=0)
    scores.set_title("Mean score for the side to move", fontsize=10)
    scores.set_ylabel("centipawns")
    scores.legend(frameon=False)
    for axes in (moves, scores):
        axes.set_xlabel("depth (plies)")
        axes.set_xticks(list(depths))
        axes.set_xlim(depths[0] - 0.3, depths[-1] + 0.3)
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
    figure.savefig(picture, dpi=150)


def main() -> None:
    """Read the arguments, and do everything in a folder that is thrown away."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("picture", type=Path, help="the file to draw to, .svg or .png")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--depth", type=int, default=6, help="the deepest one, 3 or more")
    given = parser.parse_args()
    depths = range(1, given.depth + 1)
    with TemporaryDirectory() as folder:
        outs = annotate(given.games, depths, Path(folder))
        draw(outs, depths, given.picture)
        for path in outs[1:]:
            _, (found,) = datasets.summarize(outs[0], path)
            print(
                f"depth 1 and {path.stem[-1]}: {found.changed / found.rows:.0%} changed, "
                f"{found.disjoint / found.rows:.0%} nothing in common"
            )


if __name__ == "__main__":
    main()
