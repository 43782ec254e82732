"""A network in plain Python: its value is the engine's, and a file that is none is refused."""

import random
import re
from functools import cache
from pathlib import Path

import chess
import pytest
from hypothesis import given

from betacut import Network, uci
from support.boards import boards, examples
from support.networks import network_file

EXAMPLE = Path(__file__).parents[2] / "examples" / "network.bin"


def at_random(seed: int) -> bytes:
    """Make a network of weights so large that neurons and values are cut at both ends."""
    rng = random.Random(seed)
    inputs = [rng.randint(-124, 124) for _ in range(16 * 769)]
    outputs = [rng.randint(-127, 127) for _ in range(16 * 16)]
    biases = [rng.randint(-99_999, 99_999) for _ in range(8)]
    return network_file(16, inputs + outputs, biases, "by chance: ½".encode())


@pytest.fixture(scope="module")
def by_chance(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("networks") / "by chance.bin"
    path.write_bytes(at_random(1))
    return path


read = cache(Network.read)


def by_the_engine(path: Path, board: chess.Board) -> int:
    """White's view of the engine with a network."""
    said: list[str] = []
    options = {"UCI_Chess960": str(board.chess960).lower(), "EvalFile": path}
    commands = [f"setoption name {name} value {value}" for name, value in options.items()]
    position = f"position fen {board.fen(en_passant='fen')}"
    uci.main([*commands, position, "eval"], said.append)
    (value,) = re.findall(r"by the network in use: ([+-]?\d+) centipawns for White", "".join(said))
    return int(value)


@given(boards())
@examples(10)
def test_the_value_is_the_engines(by_chance: Path, board: chess.Board) -> None:
    for path in (EXAMPLE, by_chance):
        assert read(path)(board) == by_the_engine(path, board), path


def test_what_a_file_holds(by_chance: Path) -> None:
    network = Network.read(by_chance)
    assert (network.hidden, network.note) == (16, "by chance: ½")
    rng = random.Random(1)
    rows = [tuple(rng.randint(-124, 124) for _ in range(16)) for _ in range(769)]
    assert (network.input_biases, list(network.input_weights)) == (rows[0], rows[1:])
    assert network == Network.read(str(by_chance)) != Network.read(EXAMPLE)
    board = chess.Board("8/8/8/8/8/8/7k/4K2R b - - 0 1")
    # White's king stands on e1, so the board is mirrored: on d1, the rook on a1, and k on a2.
    seen = [64 * 5 + chess.D1, 64 * 3 + chess.A1, 64 * 11 + chess.A2]
    columns = zip(rows[0], *(rows[1 + index] for index in seen), strict=True)
    assert network.neurons(board, chess.WHITE) == tuple(map(sum, columns))


GOOD = at_random(2)
DAMAGED = GOOD[:5000] + bytes([GOOD[5000] ^ 1]) + GOOD[5001:]

NO_NETWORKS = {
    "nothing": (b"", r"it must begin with b'bcnet-2\n', not b''"),
    "another file": (b"PNG of a cat", r"it must begin with b'bcnet-2\n', not b'PNG of a'"),
    "the mark alone": (b"bcnet-2\n", "it must have a multiple of 16 neurons, at most 512, not 0"),
    "neurons": (b"bcnet-2\n\x12\0\0\0", "a multiple of 16 neurons, at most 512, not 18"),
    "its end lost": (GOOD[:-1], f"must have {len(GOOD)} bytes, not {len(GOOD) - 1}"),
    "too much": (GOOD + b"\n", f"must have {len(GOOD)} bytes, not {len(GOOD) + 1}"),
    "damaged": (DAMAGED, "it is damaged: its checksum must be "),
}


@pytest.mark.parametrize("name", NO_NETWORKS)
def test_no_network(name: str, tmp_path: Path) -> None:
    data, said = NO_NETWORKS[name]
    path = tmp_path / "net.bin"
    path.write_bytes(data)
    with pytest.raises(ValueError, match=re.escape(said)) as caught:
        Network.read(path)
    assert str(caught.value).startswith(f"no network in '{path}': ")
    assert "\n" not in str(caught.value)


def test_the_picture(tmp_path: Path) -> None:
    """A row is a neuron; its colours say what is good for the side that sees the board."""
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    network = Network.read(EXAMPLE)
    picture = tmp_path / "neurons.svg"
    axes = network.plot(picture, count=4)
    rows = [int(label.get_text()) for label in axes.get_yticklabels()]
    cells = axes.get_images()[0].get_array()
    assert cells is not None
    assert (cells.shape, len(set(rows))) == ((4 * 9 - 1, 12 * 9 - 1), 4)
    first = rows[0]
    weights = [row[first] for row in network.input_weights]
    good = sum(own[first] - other[first] for own, other in network.output_weights)
    most = max(map(abs, weights)) * (1 if good > 0 else -1)
    # The first board is that of the own pawns, with a8 at the top left; the last is k's.
    assert cells[0, 0] == pytest.approx(weights[chess.A8] / most)
    assert cells[7, 106] == pytest.approx(weights[64 * 11 + chess.H1] / most)
    assert f">{first}<" in picture.read_text(encoding="utf-8")


def test_bad_arguments() -> None:
    network = Network.read(EXAMPLE)
    with pytest.raises(TypeError, match="path must be a str or a path, not int 0"):
        Network.read(0)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="count must be between 1 and 128 neurons, not 129"):
        network.plot("neurons.svg", count=129)
    with pytest.raises(TypeError, match="color must be True or False, not str 'white'"):
        network.neurons("startpos", "white")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="NO_WHITE_KING"):
        network("4k3/8/8/8/8/8/8/8 w - - 0 1")
