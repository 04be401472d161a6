"""Words on pictures: found where they are, dark or light, only once, and never for long."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from desktop_agent.protocol.errors import Stopped
from desktop_agent.protocol.geometry import Rect
from desktop_agent.protocol.stopping import StopFlag
from desktop_agent.vision import ocr
from desktop_agent.vision.frame import Frame
from desktop_agent.vision.observation import Element
from desktop_agent.vision.ocr import WordReader, lines, parse, read_words
from desktop_agent.vision.ocr_picture import changed_part

FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
WHITE, BLACK = (255, 255, 255), (0, 0, 0)
Text = tuple[int, int, str]


def picture(
    *texts: Text, ground: tuple[int, int, int] = WHITE, ink: tuple[int, int, int] = BLACK
) -> Image.Image:
    image = Image.new("RGB", (500, 200), ground)
    draw = ImageDraw.Draw(image)
    for x, y, text in texts:
        draw.text((x, y), text, ink, ImageFont.truetype(FONT, 13))
    return image


def frame(image: Image.Image, x: int = 0, y: int = 0) -> Frame:
    pixels = np.zeros((image.height, image.width, 4), np.uint8)
    pixels[..., :3] = np.asarray(image)[..., ::-1]
    return Frame(pixels.tobytes(), Rect(x, y, image.width, image.height), 1, 0.0)


def names(elements: tuple[Element, ...]) -> list[str]:
    return [element.name for element in elements]


def test_lines_are_found_where_they_are_on_the_screen() -> None:
    words = read_words(
        frame(picture((20, 30, "Save the document"), (300, 120, "Cancel")), -1000, 50), StopFlag()
    )
    assert names(words) == ["Save the document", "Cancel"]
    assert [word.id for word in words] == ["w1", "w2"]
    assert {word.source for word in words} == {"ocr"}
    cancel = words[1].bounds
    assert abs(cancel.x - (-1000 + 300)) <= 3
    assert abs(cancel.y - (50 + 122)) <= 3
    assert 35 <= cancel.width <= 50


def test_entries_of_a_menu_bar_are_separate() -> None:
    words = read_words(frame(picture((10, 5, "File"), (50, 5, "Edit"), (90, 5, "View"))), StopFlag())
    assert names(words) == ["File", "Edit", "View"]


@pytest.mark.parametrize(
    ("ground", "ink"),
    [
        (BLACK, (0, 230, 0)), ((45, 52, 54), (130, 140, 145)), ((53, 132, 228), WHITE), (WHITE, (150, 150, 150)),
    ],
)  # fmt: skip
def test_light_on_dark_and_faint_texts_are_found(
    ground: tuple[int, int, int], ink: tuple[int, int, int]
) -> None:
    image = picture((20, 30, "Welcome back"), ground=WHITE)
    image.paste(picture((10, 10, "Create account"), ground=ground, ink=ink).crop((0, 0, 200, 60)), (0, 100))
    assert names(read_words(frame(image), StopFlag())) == ["Welcome back", "Create account"]


def test_the_same_picture_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    reader, image = WordReader(), picture((20, 30, "Hello there"))
    first = reader(frame(image), StopFlag())
    monkeypatch.setenv("PATH", "")
    assert reader(frame(image), StopFlag()) == first
    assert names(reader(frame(image, 7, 7), StopFlag())) == names(first)


def test_only_what_is_new_is_read_again() -> None:
    read: list[Rect] = []

    class Counting(WordReader):
        def _read_part(self, frame: Frame, part: Rect, stop: StopFlag) -> tuple[ocr.Word, ...]:
            read.append(part)
            return super()._read_part(frame, part, stop)

    reader = Counting()
    reader(frame(picture((20, 30, "Hello there"), (20, 150, "Status ready"))), StopFlag())
    after = reader(frame(picture((20, 30, "Hello there"), (20, 150, "Status busy now"))), StopFlag())
    assert names(after) == ["Hello there", "Status busy now"]
    assert read[0] == Rect(0, 0, 500, 200)
    assert read[1].height < 60
    assert names(reader(frame(picture((20, 30, "Hello there"))), StopFlag())) == ["Hello there"]


def test_an_empty_picture_has_no_words() -> None:
    reader = WordReader()
    assert reader(frame(picture()), StopFlag()) == ()
    assert reader.reason == ""


def test_without_the_program_there_is_a_reason(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    reader = WordReader()
    assert reader(frame(picture((20, 30, "Hello"))), StopFlag()) == ()
    assert "apt-get install tesseract-ocr" in reader.reason


@pytest.fixture
def slow_program(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A tesseract that never ends; the returned file gets its process id."""
    pid = tmp_path / "pid"
    program = tmp_path / "tesseract"
    program.write_text(f"#!/bin/sh\necho $$ > {pid}.new\nmv {pid}.new {pid}\nexec sleep 1000\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    return pid


def test_a_program_that_hangs_is_given_up_and_ended(slow_program: Path) -> None:
    reader = WordReader(seconds=3)
    assert reader(frame(picture((20, 30, "Hello"))), StopFlag()) == ()
    assert "given up" in reader.reason
    assert not Path(f"/proc/{slow_program.read_text().strip()}").exists()


def test_a_stop_ends_the_program_at_once(slow_program: Path) -> None:
    stop = StopFlag()

    def stop_when_running() -> None:
        while not slow_program.exists():
            threading.Event().wait(0.01)
        stop.set("the human")

    thread = threading.Thread(target=stop_when_running)
    thread.start()
    with pytest.raises(Stopped, match="the human"):
        WordReader(seconds=600)(frame(picture((20, 30, "Hello"))), stop)
    thread.join()
    assert not Path(f"/proc/{slow_program.read_text().strip()}").exists()


def test_a_program_that_fails_is_a_reason(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "tesseract"
    program.write_text("#!/bin/sh\necho no language data >&2\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    reader = WordReader()
    assert reader(frame(picture((20, 30, "Hello"))), StopFlag()) == ()
    assert "no language data" in reader.reason


def test_broken_rows_are_passed_over() -> None:
    rows = "level\tpage\n5\t1\t1\t1\t1\t1\t20\t40\t60\t20\t91.5\t|Ann\n5\t1\t1\t1\t1\t2\t1\t1\t1\t1\t10\tjunk\n5\t1\n"
    (word,) = parse(rows, Rect(100, 200, 50, 50))
    assert (word.text, word.bounds) == ("Ann", Rect(110, 220, 30, 10))
    assert lines([word]) == [("Ann", word.bounds)]


def test_the_changed_part_is_the_box_around_all_that_differs() -> None:
    one, two = picture((20, 30, "A")), picture((20, 30, "A"))
    two.putpixel((5, 7), BLACK)
    two.putpixel((400, 150), BLACK)
    assert changed_part(frame(one), frame(two)) == Rect(5, 7, 396, 144)
    assert changed_part(frame(one), frame(one)).empty
    assert changed_part(frame(one, 1, 1), frame(two)) == Rect(0, 0, 500, 200)
