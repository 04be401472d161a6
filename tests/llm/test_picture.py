"""The picture that goes out: made once for the same screen, with words that can be read."""

from __future__ import annotations

import base64
import io
from collections import Counter
from pathlib import Path

import pytest
from PIL import Image

from desktop_agent.llm import anthropic, compatible, openai
from desktop_agent.llm.base import Support
from desktop_agent.llm.transport.picture import Pictures
from desktop_agent.protocol.chat_messages import PictureBlock
from desktop_agent.protocol.geometry import Rect, Size, Viewport
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.encoding.encode import image_size
from desktop_agent.vision.observation import Element, Observation
from desktop_agent.vision.ocr.tesseract import WordReader
from tests.desk import Desk, until
from tests.llm.asking import ask, make
from tests.llm.fake_server import FakeServer
from tests.vision.reading import wait_until_quiet

WORDS = """account between calendar deliver example furniture general holiday instance journey kitchen
library machine notebook October particular question restaurant schedule telephone umbrella vegetable
weather yesterday address building computer document evening favourite""".split()  # noqa: SIM905
EDGE = 960  # three quarters of the display: as 1440 of 1920


def look(frame: Frame, edge: int = EDGE) -> Observation:
    return Observation(frame, Viewport(frame.region, image_size(frame.size, edge), frame.epoch))


def opened(picture: PictureBlock) -> Image.Image:
    return Image.open(io.BytesIO(base64.b64decode(picture.data)))


@pytest.fixture
def letter(display: Desk, tmp_path: Path) -> Desk:
    """An editor that shows the words."""
    path = tmp_path / "words.txt"
    lines = ("    " + " ".join(WORDS[i : i + 5]) for i in range(0, len(WORDS), 5))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    display.launch("mousepad", str(path), title="words")
    wait_until_quiet(display)
    return display


def read(picture: PictureBlock) -> Counter[str]:
    image = opened(picture).convert("RGBA")
    frame = Frame(image.tobytes("raw", "BGRA"), Rect(0, 0, image.width, image.height), 0, 0.0)
    reader = WordReader(seconds=120)
    found = reader(frame, StopFlag())
    assert reader.reason == ""
    return Counter(word.casefold() for line in found for word in line.name.split())


@pytest.mark.parametrize("form", ["jpeg", "png"])
def test_text_stays_legible(letter: Desk, form: str) -> None:
    picture = Pictures().of(look(letter.target.observe()), Support(image_format=form))
    assert opened(picture).size == (EDGE, 600)
    wanted = Counter(word.casefold() for word in WORDS)
    missing = wanted - read(picture)
    assert missing.total() <= 2, missing


def test_an_unchanged_screen_is_the_same_picture(letter: Desk) -> None:
    pictures, target = Pictures(), letter.target
    first, again = until(lambda: unchanged(pictures, target.observe(), target.observe()), "a still screen")
    assert again is first
    panel = letter.panel(Rect(10, 10, 5, 5), 0xFF0000)
    assert pictures.of(look(target.observe()), Support()) is not first
    panel.close()


def unchanged(pictures: Pictures, one: Frame, two: Frame) -> tuple[PictureBlock, PictureBlock] | None:
    """The pictures of two looks between which not even a text cursor blinked."""
    if one.pixels != two.pixels:
        return None
    return pictures.of(look(one), Support()), pictures.of(look(two), Support())


def test_a_small_region_is_shown_pixel_by_pixel(letter: Desk) -> None:
    region = Rect(37, 21, 611, 302)
    frame = letter.target.observe(region)
    observation = look(frame)
    assert observation.viewport.image == Size(611, 302)
    picture = opened(Pictures().of(observation, Support(image_format="png")))
    assert picture.convert("RGBX").tobytes("raw", "BGR") == b"".join(
        frame.pixels[i : i + 3] for i in range(0, len(frame.pixels), 4)
    )


def test_marks_are_for_the_models_that_are_helped_by_them() -> None:
    button = Element("e1", "push button", "Book", Rect(30, 20, 40, 20))
    frame = Frame(b"\xf0" * (200 * 100 * 4), Rect(0, 0, 200, 100), 1, 0.0)
    seen = Observation(frame, Viewport(frame.region, frame.size, 1), (button,))
    plain, marked = (Pictures().of(seen, Support(marks=on)) for on in (False, True))
    assert opened(plain).convert("L").getextrema() != opened(marked).convert("L").getextrema()
    assert not any(each.create(each.Options()).support.marks for each in (anthropic, openai, compatible))


def test_a_model_is_told_what_the_marks_are(server: FakeServer) -> None:
    ask(make("compatible", server.url, marks=True))
    ask(make("compatible", server.url))
    told, not_told = (seen.body["messages"][0]["content"] for seen in server.seen)
    assert told.startswith(not_told) and "label" in told.removeprefix(not_told)
