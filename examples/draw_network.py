"""Draw how a network learned, and its first layer: what `make network` ends with.

The folder has the network, `net.bin`, and what `betacut-tune train` printed, `train.log`. The
pictures go there too: `loss.svg` and `neurons.svg`. docs/network.md explains them.

    python examples/draw_network.py network

Needs `pip install "betacut[plot]"`.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import matplotlib
from matplotlib.figure import Figure

from betacut import Network
from betacut.views.palette import LINES, REFERENCE_LINE

LOSSES = r"([\d.]+) \(results alone ([\d.]+)"


def draw_losses(log: str, picture: Path) -> None:
    """Draw the loss on lessons, and on games set aside beside that of the evaluation by hand."""
    by_hand = re.search(rf"of the hand-written evaluation {LOSSES}", log)
    if by_hand is None:
        raise SystemExit("train.log has no losses: it must be what betacut-tune train printed")
    lessons = re.findall(r"^(\d+) lessons: loss ([\d.]+)", log, re.MULTILINE)
    epochs = re.findall(rf"^(?:epoch|lessons).*validation {LOSSES}.* s$", log, re.MULTILINE)
    figure = Figure(figsize=(11, 3.5), layout="constrained")
    panels = figure.subplots(1, 3)
    millions = [int(count) / 1e6 for count, _ in lessons]
    panels[0].plot(millions, [float(loss) for _, loss in lessons], "o-", color=LINES[0])
    panels[0].set_title("Loss on lessons", fontsize=10)
    panels[0].set_xlabel("million lessons")
    panels[0].set_ylim(0)
    for part, aim in enumerate(("targets", "results alone")):
        axes = panels[1 + part]
        losses = [float(one[part]) for one in epochs]
        axes.plot(range(len(losses)), losses, "o-", color=LINES[1], label="network")
        beaten = float(by_hand[1 + part])
        axes.axhline(beaten, color=REFERENCE_LINE, linestyle="--", label="hand-written evaluation")
        axes.set_title(f"Loss on games set aside: {aim}", fontsize=10)
        axes.set_xlabel("epochs after the lessons")
        axes.set_xticks(range(len(losses)))
        axes.legend(frameon=False, fontsize=8)
    for axes in panels:
        axes.grid(linewidth=0.5, alpha=0.4)
        axes.spines[["top", "right"]].set_visible(False)
    # The same figures give the same file.
    with matplotlib.rc_context({"svg.hashsalt": "betacut", "svg.fonttype": "none"}):
        figure.savefig(picture, metadata={"Date": None})


def main() -> None:
    """Read the argument, and draw both pictures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, help="where net.bin and train.log are")
    folder = parser.parse_args().folder
    draw_losses((folder / "train.log").read_text(encoding="utf-8"), folder / "loss.svg")
    Network.read(folder / "net.bin").plot(folder / "neurons.svg")


if __name__ == "__main__":
    main()
