"""How many of the words on a screen can be read in the picture a model gets: by text recognition, the same for all."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator, Mapping

from PIL import Image

from benchmarks.observing.stage import Stage
from benchmarks.report import Figure, counted
from desktop_agent.protocol.geometry import Rect, Size
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.encoding.encode import encode, image_size
from desktop_agent.vision.ocr.tesseract import WordReader, unavailable

SECONDS = 300.0  # for one picture, on a busy machine


def figures(shown: Stage, families: Mapping[str, int], notes: list[str]) -> Iterator[Figure]:
    """For each family and format the share of the words on the screen, and the picture's size."""
    if why := unavailable():
        notes.append(f"Not measured: how legible the pictures are. {why}")
        return
    shown.show_few()
    frame = shown.desk.observe()
    truth = Counter(shown.words())
    there = _read(encode(frame, form="png"), truth)
    yield counted("words read on the screen itself", there / truth.total(), truth.total(), "share")
    for name, edge in families.items():
        for form in ("jpeg", "png"):
            picture = encode(frame, image_size(frame.size, edge), form)
            what = f"{name} ({edge}), {form}"
            yield counted(f"{what}: of those read", _read(picture, truth) / there, there, "share")
            yield counted(f"{what}: size", len(picture) / 1000, 1, "kB")


def _read(picture: bytes, truth: Counter[str]) -> int:
    image = Image.open(io.BytesIO(picture)).convert("RGBA")
    size = Size(*image.size)
    frame = Frame(image.tobytes("raw", "BGRA"), Rect(0, 0, size.width, size.height), 0, 0.0)
    lines = WordReader(SECONDS)(frame, StopFlag())
    found = Counter(word.casefold() for line in lines for word in line.name.split())
    return (truth & found).total()
