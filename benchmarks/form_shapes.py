"""Measures what is found of form controls in pictures: on a crisp screenshot and through a camera of three qualities.

The truth is what each page's DOM says of its controls. A control counts as found when it has its role and stands where
it stands; a wrong one is one that stands where none is, or has another role.
"""

from __future__ import annotations

import difflib
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec

from benchmarks.report import Figure, Report, counted, measured, report
from desktop_agent.extras.camera.picture_controls.controls import PictureControls
from desktop_agent.protocol.geometry import Rect, Size
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.targets._embedded import EmbeddedDisplay
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.observation import Element
from desktop_agent.vision.ocr.tesseract import read_words
from tests.support.filmed_frames import bgr, filmed
from tests.support.form_pages import FOLDER, FormSite, TrueControl, browser, served_forms
from tests.support.simulated_camera import QUALITIES, CameraQuality
from tests.support.waiting import until

SIZE, BACKGROUND = Size(1280, 800), 0x3B6EA5
_PLACE, _NAME = 0.4, 0.75
"""Share of a place, and likeness of a name, from which on it is the same."""
_TEXTS = frozenset(("static", "link"))
_SAME_ROLES = {"password text": "entry"}


class Score(msgspec.Struct, frozen=True):
    """Controls of the truth that were found with their role, of how many; wrong ones; those with their own name and state."""

    found: int
    wanted: int
    wrong: tuple[str, ...]
    missed: tuple[str, ...]
    named: int
    stated: int


def score(elements: Sequence[Element], truth: Sequence[TrueControl]) -> Score:
    """Compare what was read with what is there."""
    left = [each for each in elements if each.role not in _TEXTS]
    wanted = [each for each in truth if each.role != "link"]
    missed: list[str] = []
    found = named = stated = 0
    for each in wanted:
        near = [one for one in left if _common(one.bounds, each.bounds) >= _PLACE]
        best = max(near, key=lambda one: _common(one.bounds, each.bounds), default=None)
        if best is None or _SAME_ROLES.get(best.role, best.role) != each.role:
            missed.append(f"{each.role} {each.name}")
            continue
        left.remove(best)
        found += 1
        named += _alike(best.name, each.name.rstrip(" :"))
        stated += ("checked" in best.states) == each.checked
    wrong = tuple(f"{one.role} {one.name}" for one in left)
    return Score(found, len(wanted), wrong, tuple(missed), named, stated)


def _common(one: Rect, other: Rect) -> float:
    both = one.intersection(other)
    return 0.0 if both.empty else both.area / (one.area + other.area - both.area)


def _alike(one: str, other: str) -> bool:
    return difflib.SequenceMatcher(None, one.lower(), other.lower()).ratio() >= _NAME


@contextmanager
def forms_desk(folder: Path = FOLDER) -> Iterator[tuple[EmbeddedDisplay, FormSite, Path]]:
    """A private display, the pages of a folder on loopback, and a place for the browser's profile."""
    desk = EmbeddedDisplay(SIZE, BACKGROUND)
    with served_forms(folder) as site, tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        desk.start()
        try:
            yield desk, site, Path(profile)
        finally:
            desk.stop()


def opened(
    desk: EmbeddedDisplay, site: FormSite, profile: Path, page: str
) -> tuple[Frame, tuple[TrueControl, ...]]:
    """The picture of a page over the whole screen, at rest, and its controls."""
    site.truth = ()
    desk.launch(browser(site.url(page), profile))
    truth = site.controls()
    last = [b""]

    def still() -> Frame | None:
        frame = desk.observe()
        same, last[0] = frame.pixels == last[0], frame.pixels
        shown = len(set(frame.pixels[:: 4 * 997])) > 1
        threading.Event().wait(0.2)
        return frame if same and shown else None

    return until(still, f"the page {page} at rest"), truth


def seen(frame: Frame, quality: CameraQuality | None) -> Frame:
    """The frame, or what a camera of this quality sees of it."""
    return frame if quality is None else filmed(bgr(frame), quality)


def run(quick: bool) -> Report:
    """Every page at every quality; with `quick` two pages, crisp and at the best."""
    pages = sorted(each.stem for each in FOLDER.glob("*.html"))[: 2 if quick else None]
    qualities = (None, *QUALITIES)[: 2 if quick else None]
    scores: dict[str, list[Score]] = {}
    seconds: list[float] = []
    notes: list[str] = []
    with forms_desk() as (desk, site, profile):
        for page in pages:
            frame, truth = opened(desk, site, profile, page)
            for quality in qualities:
                name = quality.name if quality else "crisp"
                shot, began = seen(frame, quality), time.perf_counter()
                result = score(PictureControls(read_words)(shot, StopFlag()), truth)
                seconds.append(time.perf_counter() - began)
                scores.setdefault(name, []).append(result)
                if result.missed or result.wrong:
                    notes.append(f"{page}, {name}: missed {list(result.missed)}, wrong {list(result.wrong)}")
    return report("form_shapes", *_figures(scores, seconds), notes=notes)


def _figures(scores: dict[str, list[Score]], seconds: Sequence[float]) -> Iterator[Figure]:
    for name, every in scores.items():
        found, wanted = sum(each.found for each in every), sum(each.wanted for each in every)
        wrong = sum(len(each.wrong) for each in every)
        named, stated = sum(each.named for each in every), sum(each.stated for each in every)
        yield counted(f"{name}: controls found", 100 * found / max(1, wanted), wanted, "%")
        yield counted(f"{name}: right of those read", 100 * found / max(1, found + wrong), found + wrong, "%")
        yield counted(f"{name}: found with their name", 100 * named / max(1, found), found, "%")
        yield counted(f"{name}: found with their state", 100 * stated / max(1, found), found, "%")
    yield measured("a look", seconds, "s")
