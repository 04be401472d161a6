"""Equal pictures have equal hashes, others do not, hashed incrementally or not."""

from __future__ import annotations

import random

from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision.capture.frame import BAND, Frame, FrameHasher

WIDTH, HEIGHT = 40, 3 * BAND + 7


def picture(seed: int = 1) -> bytearray:
    return bytearray(random.Random(seed).randbytes(WIDTH * HEIGHT * 4))  # noqa: S311


def test_a_hash_depends_on_the_content_alone() -> None:
    known, chance, now = FrameHasher(), random.Random(5), picture()  # noqa: S311
    seen: dict[bytes, str] = {}
    for _ in range(50):
        at = chance.randrange(len(now))
        now[at] ^= 1
        pixels = bytes(now)
        seen[pixels] = known.of(pixels, WIDTH)
        assert seen[pixels] == FrameHasher().of(bytes(now), WIDTH)
    assert len(set(seen.values())) == len(seen)
    for pixels, digest in seen.items():
        assert known.of(pixels, WIDTH) == digest


def test_the_shape_counts() -> None:
    pixels = bytes(picture())
    assert FrameHasher().of(pixels, WIDTH) != FrameHasher().of(pixels, WIDTH // 2)
    assert FrameHasher().of(b"", 0) == FrameHasher().of(b"", 0)


def test_frames_of_the_same_content() -> None:
    one, two = (Frame(bytes(picture()), Rect(x, 0, WIDTH, HEIGHT), 1, 0.0) for x in (0, 9))
    assert one.digest == two.digest
    assert one.digest != Frame(bytes(picture(2)), Rect(0, 0, WIDTH, HEIGHT), 1, 0.0).digest
