"""Files of networks, written by the words of their format."""

import struct
from collections.abc import Sequence


def network_file(
    hidden: int, weights: Sequence[int], biases: Sequence[int], note: bytes = b""
) -> bytes:
    """Write a network: its numbers of 16 bits in their order, and the biases of the outputs."""
    body = struct.pack(
        f"<8s2I{len(note)}s{len(weights)}h8i",
        b"bcnet-1\n",
        hidden,
        len(note),
        note,
        *weights,
        *biases,
    )
    checksum = 0xCBF29CE484222325
    for byte in body:
        checksum = (checksum ^ byte) * 0x100000001B3 % 2**64
    return body + struct.pack("<Q", checksum)
