"""Answers a VNC server's challenge (RFC 6143, 7.2.2): DES with the password as its key.

DES is written out here: two blocks a connection is all that is needed, and no library of ours brings it on every
system. Tables and order are those of FIPS 46-3, whose bits count from 1 at the highest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

_INITIAL = tuple(first - 8 * row for first in (58, 60, 62, 64, 57, 59, 61, 63) for row in range(8))
_FINAL = tuple(_INITIAL.index(bit) + 1 for bit in range(1, 65))
_EXPANSION = tuple((4 * row + column - 1) % 32 + 1 for row in range(8) for column in range(6))
_PERMUTATION = (
    16, 7, 20, 21, 29, 12, 28, 17, 1, 15, 23, 26, 5, 18, 31, 10,
    2, 8, 24, 14, 32, 27, 3, 9, 19, 13, 30, 6, 22, 11, 4, 25,
)  # fmt: skip
_KEY_LEFT = (
    57, 49, 41, 33, 25, 17, 9, 1, 58, 50, 42, 34, 26, 18, 10, 2, 59, 51, 43, 35, 27, 19, 11, 3, 60, 52, 44, 36,
)  # fmt: skip
_KEY_RIGHT = (
    63, 55, 47, 39, 31, 23, 15, 7, 62, 54, 46, 38, 30, 22, 14, 6, 61, 53, 45, 37, 29, 21, 13, 5, 28, 20, 12, 4,
)  # fmt: skip
_ROUND_KEY = (
    14, 17, 11, 24, 1, 5, 3, 28, 15, 6, 21, 10, 23, 19, 12, 4, 26, 8, 16, 7, 27, 20, 13, 2,
    41, 52, 31, 37, 47, 55, 30, 40, 51, 45, 33, 48, 44, 49, 39, 56, 34, 53, 46, 42, 50, 36, 29, 32,
)  # fmt: skip
_SHIFTS = (1, 1, 2, 2, 2, 2, 2, 2, 1, 2, 2, 2, 2, 2, 2, 1)
# Each box: four rows of sixteen values, as hexadecimal digits.
_BOXES = (
    "E4D12FB83A6C59070F74E2D1A6CB953841E8D62BFC973A50FC8249175B3EA06D",
    "F18E6B34972DC05A3D47F28EC01A69B50E7BA4D158C6932FD8A13F42B67C05E9",
    "A09E63F51DC7B428D709346A285ECBF1D6498F30B12C5AE71AD069874FE3B52C",
    "7DE3069A1285BC4FD8B56F03472C1AE9A690CB7DF13E52843F06A1D8945BC72E",
    "2C417AB6853FD0E9EB2C47D150FA3986421BAD78F9C5630EB8C71E2D6F09A453",
    "C1AF92680D34E75BAF427C9561DE0B389EF528C3704A1DB6432C95FABE17608D",
    "4B2EF08D3C975A61D0B7491AE35C2F8614BDC37EAF6805926BD814A7950FE23C",
    "D2846FB1A93E50C71FD8A374C56B0E927B419CE206ADF35821E74A8DFC90356B",
)


def answer(challenge: bytes, password: str) -> bytes:
    """What proves that the password is known: the 16 bytes of the challenge, encrypted.

    Only the first 8 bytes of a password count, in Latin-1, and each with its bits in reverse.
    """
    key = password.encode("latin-1", "replace")[:8].ljust(8, b"\0")
    reversed_key = bytes(int(f"{byte:08b}"[::-1], 2) for byte in key)
    return b"".join(encrypt(challenge[at : at + 8], reversed_key) for at in range(0, len(challenge), 8))


def encrypt(block: bytes, key: bytes) -> bytes:
    """One block of 8 bytes in DES; the lowest bit of each of the key's 8 bytes does not count."""
    bits = _chosen(_bits_of(block), _INITIAL)
    left, right = bits[:32], bits[32:]
    for round_key in _round_keys(_bits_of(key)):
        left, right = right, _differing(left, _scrambled(right, round_key))
    return _bytes_of(_chosen(right + left, _FINAL))


def _round_keys(key: Sequence[int]) -> Iterator[list[int]]:
    left, right = _chosen(key, _KEY_LEFT), _chosen(key, _KEY_RIGHT)
    for shift in _SHIFTS:
        left, right = left[shift:] + left[:shift], right[shift:] + right[:shift]
        yield _chosen(left + right, _ROUND_KEY)


def _scrambled(half: Sequence[int], round_key: Sequence[int]) -> list[int]:
    mixed = _differing(_chosen(half, _EXPANSION), round_key)
    out: list[int] = []
    for number, box in enumerate(_BOXES):
        first, *middle, last = mixed[6 * number : 6 * number + 6]
        value = int(box[16 * (2 * first + last) + _number(middle)], 16)
        out += [value >> place & 1 for place in (3, 2, 1, 0)]
    return _chosen(out, _PERMUTATION)


def _chosen(bits: Sequence[int], table: Iterable[int]) -> list[int]:
    return [bits[place - 1] for place in table]


def _differing(one: Sequence[int], other: Sequence[int]) -> list[int]:
    return [a ^ b for a, b in zip(one, other, strict=True)]


def _number(bits: Iterable[int]) -> int:
    return int("".join(map(str, bits)), 2)


def _bits_of(data: bytes) -> list[int]:
    return [byte >> place & 1 for byte in data for place in range(7, -1, -1)]


def _bytes_of(bits: Sequence[int]) -> bytes:
    return _number(bits).to_bytes(len(bits) // 8, "big")
