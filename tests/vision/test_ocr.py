"""OCR finds words at their places, dark or light, reads nothing twice, and takes a bounded time."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw

from desktop_agent.protocol.errors import Stopped
from desktop_agent.protocol.geometry import Rect
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.support import system_packages
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.observation import Element
from desktop_agent.vision.ocr import tesseract
from desktop_agent.vision.ocr.tesseract import WordReader, lines, parse, read_words
from tests.vision.lettering import font

reads = pytest.mark.linux("reads with tesseract, which Windows comes without")
stands_in = pytest.mark.linux("puts a shell script in tesseract's place")
WHITE, BLACK = (255, 255, 255), (0, 0, 0)
Text = tuple[int, int, str]


def picture(
    *texts: Text, ground: tuple[int, int, int] = WHITE, ink: tuple[int, int, int] = BLACK
) -> Image.Image:
    image = Image.new("RGB", (500, 200), ground)
    draw = ImageDraw.Draw(image)
    for x, y, text in texts:
        draw.text((x, y), text, ink, font(13))
    return image


def frame(image: Image.Image, x: int = 0, y: int = 0) -> Frame:
    pixels = np.zeros((image.height, image.width, 4), np.uint8)
    pixels[..., :3] = np.asarray(image)[..., ::-1]
    return Frame(pixels.tobytes(), Rect(x, y, image.width, image.height), 1, 0.0)


def names(elements: tuple[Element, ...]) -> list[str]:
    return [element.name for element in elements]


@reads
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


@reads
def test_entries_of_a_menu_bar_are_separate() -> None:
    words = read_words(frame(picture((10, 5, "File"), (50, 5, "Edit"), (90, 5, "View"))), StopFlag())
    assert names(words) == ["File", "Edit", "View"]


@reads
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


class Counting(WordReader):
    """Remembers the parts that were really read."""

    def __init__(self) -> None:
        super().__init__()
        self.read: list[Rect] = []

    def _read_part(self, frame: Frame, part: Rect, stop: StopFlag) -> tuple[tesseract.OcrWord, ...]:
        self.read.append(part)
        return super()._read_part(frame, part, stop)


@reads
def test_only_what_is_new_is_read_again() -> None:
    reader = Counting()
    reader(frame(picture((20, 30, "Hello there"), (20, 150, "Status ready"))), StopFlag())
    after = reader(frame(picture((20, 30, "Hello there"), (20, 150, "Status busy now"))), StopFlag())
    assert names(after) == ["Hello there", "Status busy now"]
    assert reader.read[0] == Rect(0, 0, 500, 200)
    assert len(reader.read) == 2 and reader.read[1].height < 60
    assert names(reader(frame(picture((20, 30, "Hello there"))), StopFlag())) == ["Hello there"]


@reads
def test_two_changes_far_apart_are_two_small_parts() -> None:
    reader = Counting()
    texts: tuple[Text, ...] = ((20, 10, "Top left"), (200, 90, "In the middle"), (380, 170, "Low right"))
    reader(frame(picture(*texts)), StopFlag())
    changed = picture((20, 10, "Upper left"), texts[1], (380, 170, "Lowest"))
    assert names(reader(frame(changed), StopFlag())) == ["Upper left", "In the middle", "Lowest"]
    assert len(reader.read) == 3
    assert all(part.width < 250 and part.height < 60 for part in reader.read[1:])


@reads
def test_what_was_covered_for_a_moment_is_not_read_again() -> None:
    reader, under = Counting(), ((20, 30, "Under the menu"), (300, 150, "Clock 10:01"))
    reader(frame(picture(*under)), StopFlag())
    menu = picture(*under)
    menu.paste(picture((10, 10, "Open"), (10, 40, "Close")).crop((0, 0, 120, 70)), (15, 20))
    assert "Open" in names(reader(frame(menu), StopFlag()))
    before = len(reader.read)
    later = picture(under[0], (300, 150, "Clock 10:02"))  # the menu is gone, the clock has moved on
    assert names(reader(frame(later), StopFlag())) == ["Under the menu", "Clock 10:02"]
    again = reader.read[before:]
    assert len(again) == 1 and again[0].y > 100


@reads
def test_a_picture_that_was_there_before_is_not_read_again() -> None:
    reader = Counting()
    for text in ("Ready", "Busy", "Failed", "Waiting", "Ready again", "Busy"):
        found = names(reader(frame(picture((20, 30, "Hello there"), (20, 150, text))), StopFlag()))
        assert found == ["Hello there", text]
    parts = len(reader.read)
    assert (
        names(reader(frame(picture((20, 30, "Hello there"), (20, 150, "Failed"))), StopFlag()))[1] == "Failed"
    )
    assert len(reader.read) == parts


@reads
def test_a_part_that_looks_like_another_one_is_not_read_again() -> None:
    reader = Counting()
    reader(frame(picture()), StopFlag())
    reader(frame(picture((16, 32, "Same words"))), StopFlag())
    reader(frame(picture()), StopFlag())
    assert names(reader(frame(picture((272, 96, "Same words"))), StopFlag())) == ["Same words"]
    assert len(reader.read) == 2


@reads
def test_a_blinking_text_cursor_costs_nothing() -> None:
    reader, image = Counting(), picture((20, 30, "Hello there"))
    words = reader(frame(image), StopFlag())
    image.paste(BLACK, (110, 30, 111, 46))
    assert reader(frame(image), StopFlag()) == words
    assert len(reader.read) == 1


@reads
def test_an_empty_picture_has_no_words() -> None:
    reader = WordReader()
    assert reader(frame(picture()), StopFlag()) == ()
    assert reader.reason == ""


def test_without_the_program_there_is_a_reason(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    reader = WordReader()
    assert reader(frame(picture((20, 30, "Hello"))), StopFlag()) == ()
    assert system_packages.advice((system_packages.OCR,)) in reader.reason


@pytest.fixture
def slow_program(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A tesseract that never ends; the returned file gets its process id."""
    pid = tmp_path / "pid"
    program = tmp_path / "tesseract"
    program.write_text(f"#!/bin/sh\necho $$ > {pid}.new\nmv {pid}.new {pid}\nexec sleep 1000\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    return pid


@stands_in
def test_a_program_that_hangs_is_given_up_and_ended(slow_program: Path) -> None:
    reader = WordReader(seconds=3)
    assert reader(frame(picture((20, 30, "Hello"))), StopFlag()) == ()
    assert "given up" in reader.reason
    assert not Path(f"/proc/{slow_program.read_text().strip()}").exists()


@stands_in
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


@stands_in
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
