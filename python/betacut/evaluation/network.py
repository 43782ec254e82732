"""A network that the engine plays with, in plain Python, to be read.

The twin of `rust/play/src/network`: both give every position the same value, to the centipawn.

- **Inputs.** Each side sees the board as its own: Black's is turned over, and mirrored, for either,
  so that the side's king stands on the files from a to d. Every kind of man, own ones first, has 64
  inputs, a square each.
- **Neurons.** Each input that is there adds its row of weights to the row of the side's neurons.
- **Outputs.** A neuron counts with the square of what it holds, cut to what lies between 0 and 1.
  One output of eight, by the number of men, adds up the neurons of the side to move and those of
  the other, times its weights.

All are whole numbers: 1 is 255 in a neuron and 64 in the weights of an output.
"""

import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import chess

from betacut.core.arguments import BoardLike, as_board, check_flag, check_type
from betacut.core.messages import shown_path
from betacut.core.numbers import check_between

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INPUTS, OUTPUTS = 768, 8
ROWS = 1 + INPUTS + 2 * OUTPUTS  # of a number for each neuron, which a file has
NEURON, WEIGHT = 255, 64  # what 1 is in a neuron, and in the weight of an output
SCALE = 400  # the value of an output of 1, in centipawns
MOST = 30_000  # the greatest value, in centipawns
MARK = b"bcnet-2\n"  # what a file begins with
LARGEST = 1 << 20  # more than a file can have, in bytes


@dataclass(frozen=True, repr=False)
class Network:
    """A network for the engine's option `EvalFile`, to look into; called, it values a position.

    Attributes:
        hidden: The neurons of a side.
        note: How it was made.
        input_biases: What each neuron holds on an empty board.
        input_weights: What each of the 768 inputs adds to each neuron. Input 64 k + s is the man of
            kind k, from 0 (the side's own pawn) to 11 (the other's king), on the square s, from 0
            (a1) to 63 (h8).
        output_weights: How much each neuron counts for the side to move, by output: two rows, its
            own neurons' and the other side's.
        output_biases: What each output begins with.

    Examples:
        >>> from betacut import Network
        >>> network = Network.read("examples/network.bin")
        >>> network, network("startpos")
        (Network(hidden=128), 12)
    """

    hidden: int
    note: str
    input_biases: tuple[int, ...]
    input_weights: tuple[tuple[int, ...], ...]
    output_weights: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
    output_biases: tuple[int, ...]

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> "Network":
        """Read the file of a network, as `betacut-tune train` writes it.

        Args:
            path: The file.

        Raises:
            ValueError: If it is no such file, or damaged.
            OSError: If it cannot be read.
        """
        check_type(path, "path", "a str or a path", (str, os.PathLike))
        with open(path, "rb") as file:
            data = file.read(LARGEST)
        if problem := _problem(data):
            raise ValueError(f"no network in {shown_path(path)}: {problem}")
        hidden, length = struct.unpack_from("<2I", data, len(MARK))
        count = ROWS * hidden
        # The low bytes of all, then the high bytes.
        numbers = struct.unpack_from(f"<{count}B{count}b{OUTPUTS}i", data, 16 + length)
        halves = [low + 256 * numbers[count + at] for at, low in enumerate(numbers[:count])]
        rows = [tuple(halves[at : at + hidden]) for at in range(0, count, hidden)]
        outputs = rows[1 + INPUTS :]
        return cls(
            hidden=hidden,
            note=data[16 : 16 + length].decode(),
            input_biases=rows[0],
            input_weights=tuple(rows[1 : 1 + INPUTS]),
            output_weights=tuple(zip(outputs[::2], outputs[1::2], strict=True)),
            output_biases=numbers[-OUTPUTS:],
        )

    def __call__(self, board: BoardLike) -> int:
        """Value a position, whether or not the game is over.

        Args:
            board: The position. Only the men and the side to move are looked at.

        Returns:
            Centipawns, White's view.

        Cost:
            About a millisecond.
        """
        board = as_board(board)
        output = (chess.popcount(board.occupied) - 2) // 4
        own, other = self.output_weights[output]
        seen = self.neurons(board, board.turn) + self.neurons(board, not board.turn)
        total = sum(
            weight * min(max(neuron, 0), NEURON) ** 2
            for neuron, weight in zip(seen, own + other, strict=True)
        )
        total = _divided(total, NEURON) + self.output_biases[output]
        value = max(-MOST, min(_divided(total * SCALE, NEURON * WEIGHT), MOST))
        return value if board.turn else -value

    def neurons(self, board: BoardLike, color: chess.Color) -> tuple[int, ...]:
        """Tell what the neurons of a side hold.

        Args:
            board: The position.
            color: The side.

        Returns:
            A number for each; 0 and less count nothing, 255 and more count in full.
        """
        side = check_flag(color, "color")
        rows = [self.input_weights[index] for index in _inputs(as_board(board), side)]
        return tuple(map(sum, zip(self.input_biases, *rows, strict=True)))

    def plot(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        ax: "Axes | None" = None,
        count: int = 16,
    ) -> "Axes":
        """Draw the first layer: what each man on each square does to the neurons that count most.

        A row is a neuron, on a scale of its own: blue is good for the side that sees the board, red
        is bad. Capitals are its own men.

        Args:
            path: The file to write, such as "network.svg", or None.
            ax: The axes to draw on, or None for a figure with axes.
            count: How many neurons are drawn.

        Raises:
            ImportError: If matplotlib is not installed.
            ValueError: If matplotlib cannot write such a file, or there are not so many neurons.
            OSError: If the file cannot be written.
        """
        from betacut.views import plot

        check_between(count, "count", "neurons", 1, self.hidden)
        # What a neuron is good for: its side may be the one to move or not.
        good = [
            sum(own[neuron] - other[neuron] for own, other in self.output_weights)
            for neuron in range(self.hidden)
        ]
        chosen = sorted(range(self.hidden), key=lambda neuron: -abs(good[neuron]))[:count]
        rows = {
            str(neuron): [good[neuron] * row[neuron] for row in self.input_weights]
            for neuron in chosen
        }
        title = f"What a man on a square does to {count} of {self.hidden} neurons"
        return plot.boards(rows, "PNBRQKpnbrqk", title=title, path=path, ax=ax)

    def __repr__(self) -> str:
        return f"Network(hidden={self.hidden})"


def _problem(data: bytes) -> str | None:
    """Why the bytes of a file are no network."""
    if not data.startswith(MARK):
        return f"it must begin with {MARK!r}, not {data[: len(MARK)]!r}"
    hidden, length = struct.unpack_from("<2I", data.ljust(16, b"\0"), len(MARK))
    if hidden not in range(16, 513, 16):
        return f"it must have a multiple of 16 neurons, at most 512, not {hidden}"
    expected = 16 + length + 2 * ROWS * hidden + 4 * OUTPUTS + 8
    if len(data) != expected:
        return f"one of {hidden} neurons with this note must have {expected} bytes, not {len(data)}"
    checksum = 0xCBF29CE484222325  # FNV-1a of 64 bits
    for byte in data[:-8]:
        checksum = (checksum ^ byte) * 0x100000001B3 & (1 << 64) - 1
    if checksum.to_bytes(8, "little") != data[-8:]:
        return f"it is damaged: its checksum must be {checksum:016x}"
    return None


def _inputs(board: chess.Board, color: chess.Color) -> Iterator[int]:
    """The inputs of a side that are there."""
    turn = 0 if color == chess.WHITE else 56
    king = chess.lsb(board.pieces_mask(chess.KING, color))
    mirror = 7 if chess.square_file(king) >= 4 else 0
    for square, man in board.piece_map().items():
        kind = man.piece_type - 1 + (0 if man.color == color else 6)
        yield 64 * kind + (square ^ turn ^ mirror)


def _divided(number: int, by: int) -> int:
    """The quotient, rounded towards zero."""
    return number // by if number >= 0 else -(-number // by)
