"""Files of networks, written by the words of their format."""

import struct
from collections.abc import Sequence


def network_file(
    hidden: int, weights: Sequence[int], biases: Sequence[int], note: bytes = b""
) -> bytes:
    """Write a network: its numbers of 16 bits in their order, and the biases of the outputs."""
    halves = struct.pack(f"<{len(weights)}h", *weights)
    head = struct.pack(f"<8s2I{len(note)}s", b"bcnet-2\n", hidden, len(note), note)
    body = head + halves[::2] + halves[1::2] + struct.pack("<8i", *biases)
    checksum = 0xCBF29CE484222325
    for byte in body:
        checksum = (checksum ^ byte) * 0x100000001B3 % 2**64
    return body + struct.pack("<Q", checksum)
