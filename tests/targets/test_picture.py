"""A picture is the screen, a part of it is what stands there, and a file that is none is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from desktop_agent.protocol.errors import TargetError
from desktop_agent.protocol.geometry import Point, Rect
from desktop_agent.protocol.input_events import Move
from desktop_agent.targets.picture import Options, create


def test_a_look_shows_the_picture_and_the_pointer_moves_over_it(tmp_path: Path) -> None:
    image = Image.new("RGB", (60, 40), (10, 20, 30))
    image.putpixel((7, 9), (200, 100, 50))
    image.save(tmp_path / "screen.png")
    target = create(Options(str(tmp_path / "screen.png")))
    target.start()
    assert target.geometry().bounds == Rect(0, 0, 60, 40)
    assert bytes(target.observe(Rect(7, 9, 1, 1)).pixels)[:3] == bytes((50, 100, 200))
    pointer = target.inline_input()
    pointer.emit(Move(3, 4))
    assert pointer.pointer() == Point(3, 4)


def test_a_file_that_is_no_picture_is_refused(tmp_path: Path) -> None:
    (tmp_path / "screen.png").write_text("none")
    with pytest.raises(TargetError, match=r"screen\.png cannot be read") as caught:
        create(Options(str(tmp_path / "screen.png"))).start()
    assert "[target.picture]" in caught.value.advice
