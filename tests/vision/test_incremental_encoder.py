"""An incrementally encoded picture equals one encoded in one go."""

from __future__ import annotations

import io
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from desktop_agent.protocol.geometry import Rect, Size
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.encoding import encode as encode_module
from desktop_agent.vision.encoding import incremental_encoder
from desktop_agent.vision.encoding.encode import encode
from desktop_agent.vision.encoding.incremental_encoder import BAND, IncrementalEncoder

Cells = np.ndarray[tuple[int, ...], np.dtype[np.uint8]]


def cells(width: int = 320, height: int = 300, seed: int = 1) -> Cells:
    """Something with edges everywhere."""
    small = np.random.default_rng(seed).integers(0, 255, (height // 4 + 1, width // 4 + 1, 4), np.uint8)
    return small.repeat(4, 0).repeat(4, 1)[:height, :width].copy()


def frame(picture: Cells) -> Frame:
    return Frame(picture.tobytes(), Rect(0, 0, picture.shape[1], picture.shape[0]), 1, 0.0)


def opened(data: bytes) -> Cells:
    image = Image.open(io.BytesIO(data))
    image.load()
    return np.asarray(image)


@settings(max_examples=40, deadline=None)
@given(
    width=st.integers(1, 200),
    height=st.integers(1, 400),
    edge=st.sampled_from([1, 50, 130, 400]),
    changes=st.lists(st.tuples(st.floats(0, 1), st.integers(1, 90)), max_size=4),
)
def test_it_shows_what_a_fresh_one_shows(
    width: int, height: int, edge: int, changes: list[tuple[float, int]]
) -> None:
    size = Size(min(width, edge), min(height, edge))
    before, after = cells(width, height), cells(width, height)
    for place, rows in changes:
        top = int(place * (height - 1))
        after[top : top + rows] ^= 0x5A
    ours = IncrementalEncoder()
    ours.encode(frame(before), size)
    data = ours.encode(frame(after), size)
    assert data == IncrementalEncoder().encode(frame(after), size)
    assert (opened(data) == opened(encode(frame(after), size))).all()


def test_only_bands_with_a_change_are_encoded(monkeypatch: pytest.MonkeyPatch) -> None:
    encoded: list[int] = []
    real = encode_module.jpeg

    def counting(pixels: bytes, size: Size, rows: int) -> bytes:
        encoded.append(size.height)
        return real(pixels, size, rows)

    monkeypatch.setattr(incremental_encoder, "jpeg", counting)
    ours, picture = IncrementalEncoder(), cells()
    size = Size(320, 300)
    first = ours.encode(frame(picture), size)
    assert sum(encoded) == 300
    encoded.clear()
    assert ours.encode(frame(picture), size) is first
    assert encoded == []
    picture[BAND + 1, 7] ^= 0xFF
    picture[299, 7] ^= 0xFF
    assert ours.encode(frame(picture), size) != first
    assert sorted(encoded) == sorted([BAND, 300 % BAND])  # at the same time, so in any order


def test_every_row_counts() -> None:
    size, picture = Size(40, 2 * BAND + 10), cells(40, 2 * BAND + 10)
    ours = IncrementalEncoder()
    shown = ours.encode(frame(picture), size)
    for row in range(size.height):
        picture[row] ^= 0x5A
        data = ours.encode(frame(picture), size)
        assert data != shown
        assert data == IncrementalEncoder().encode(frame(picture), size)
        shown = data


def test_another_size_or_format_is_another_picture() -> None:
    ours, shown = IncrementalEncoder(), frame(cells())
    sizes = (Size(320, 300), Size(160, 150), Size(320, 300))
    assert [opened(ours.encode(shown, size)).shape[:2] for size in sizes] == [
        (300, 320),
        (150, 160),
        (300, 320),
    ]
    assert ours.encode(shown, sizes[0], "png")[1:4] == b"PNG"
    assert ours.encode(shown, sizes[0], "png") is ours.encode(frame(cells()), sizes[0], "png")


def test_many_changes_in_a_row() -> None:
    chance = random.Random(3)  # noqa: S311
    ours, picture, size = IncrementalEncoder(), cells(), Size(250, 231)
    for _ in range(30):
        y, x = chance.randrange(280), chance.randrange(300)
        picture[y : y + chance.randrange(1, 60), x : x + 20] = chance.randrange(256)
        data = ours.encode(frame(picture), size)
    assert (opened(data) == opened(encode(frame(picture), size))).all()
