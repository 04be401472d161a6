"""A terminal's text read from a camera's picture: characters right at three qualities, in other fonts, and how fast.

Screens of real terminal text (`camera_parts/screens`; those set aside in `camera_loop_cases/screens/held_out` have figures of their own) are
drawn as a terminal draws, filmed, rectified with the true corners and compared cell by cell with what was drawn. Counted
are the characters of the truth and those read where nothing stands. Tesseract reads the same pictures as peer.
"""

from __future__ import annotations

import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.camera_parts.filmed_screen import filmed
from benchmarks.camera_parts.screen_painter import LIGHT, Look, paint, wrapped
from benchmarks.report import BenchmarkError, Figure, Goal, Report, counted, measured, report
from desktop_agent.extras.camera.terminal_text import learned_glyphs
from desktop_agent.extras.camera.terminal_text.glyph_templates import GlyphSet
from desktop_agent.extras.camera.terminal_text.terminal_reader import TerminalReader, learn_glyphs
from desktop_agent.protocol.geometry import Rect
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.ocr import tesseract
from tests.support.simulated_camera import QUALITIES, CameraQuality

SCREENS = Path(__file__).parent / "camera_parts" / "screens"
HELD_OUT = Path(__file__).parent / "camera_loop_cases" / "screens" / "held_out"
GOALS = {"good": 99.0, "fair": 98.0, "poor": 95.0}
FIRST, LATER = Goal(1500.0), Goal(50.0)
SURE = 0.8
"""A confidence from which on a line counts as sure."""
OTHER_FONTS = (
    "/usr/share/fonts/truetype/liberation/LiberationMono-Regular.ttf",
    "/usr/share/fonts/truetype/liberation2/LiberationMono-Regular.ttf",
    "/usr/share/fonts/truetype/jetbrains-mono/JetBrainsMono-Regular.ttf",
    "/usr/share/fonts/opentype/urw-base35/NimbusMonoPS-Bold.otf",
)
SMALL = Look(size=16, cell=(10, 20), origin=(2, 2))
_QUICK = ("german", "listing", "random")


@dataclass(frozen=True)
class _Read:
    """One screen read: how many characters there are, how many are wrong, seconds, and (wrong, confidence) of lines."""

    there: int
    wrong: int
    seconds: float
    lines: tuple[tuple[int, float], ...] = ()

    @property
    def share(self) -> float:
        return 100 * (1 - min(self.wrong, self.there) / max(1, self.there))


def run(quick: bool) -> Report:
    """All screens; with `quick` three of them."""
    texts = {path.stem: path for path in sorted(SCREENS.glob("*.txt")) if not quick or path.stem in _QUICK}
    if not texts:
        raise BenchmarkError(f"there are no screens in {SCREENS}")
    held = {path.stem: path for path in sorted(HELD_OUT.glob("*.txt"))}
    figures, notes = [], []
    plain = _all(texts.values(), Look())
    figures += _figures("80x24", plain, GOALS)
    if held:
        figures += _figures("80x24, held out", _all(held.values(), Look()), GOALS)
    figures += _figures("light theme", _all(texts.values(), Look(theme=LIGHT)))
    figures += _figures("127x39 (10x20 pixels a cell)", _all(texts.values(), SMALL))
    font = next((path for path in map(Path, OTHER_FONTS) if path.exists()), None)
    if font is None:
        notes.append("No other font of terminals is installed here: reading one was left out.")
    else:
        other = Look(font=font, size=25)
        figures += _figures(f"another font ({font.stem}), not learned", _all(texts.values(), other))
        figures += _figures(
            f"another font ({font.stem}), learned", _all(texts.values(), other, learn=True), GOALS
        )
    if tesseract.unavailable():
        notes.append("tesseract is not installed: the peer was left out.")
    else:
        figures += _figures("tesseract alone, 80x24 (without order of blanks)", _peer(texts.values()))
    figures += _times(next(iter(texts.values())), 3 if quick else 15)
    return report("camera", *figures, notes=notes)


def screen(path: Path, look: Look) -> list[str]:
    """The lines of a screen's file as a terminal of that size shows them."""
    columns = (look.screen[0] - look.origin[0]) // look.cell[0]
    rows = (look.screen[1] - look.origin[1]) // look.cell[1]
    return wrapped(path.read_text(encoding="utf-8").rstrip("\n").split("\n"), columns)[:rows]


def _pictures(paths: Iterable[Path], look: Look) -> Iterator[tuple[CameraQuality, list[str], NDArray[Any]]]:
    for number, path in enumerate(paths):
        lines = screen(path, look)
        drawn = paint(lines, look, (len(lines) - 1, len(lines[-1])))
        for quality in QUALITIES:
            yield quality, lines, filmed(drawn, quality, number + 1)


def _all(paths: Iterable[Path], look: Look, learn: bool = False) -> dict[str, list[_Read]]:
    glyphs: dict[str, GlyphSet] = {}
    if learn:
        sheet = learned_glyphs.sheet(78, 23).split("\n")
        drawn = paint(sheet, replace(look, coloured=False))
        glyphs = {each.name: learn_glyphs(filmed(drawn, each, 99), sheet) for each in QUALITIES}
    found = defaultdict(list)
    for quality, lines, picture in _pictures(paths, look):
        began = time.perf_counter()
        read = TerminalReader(learned=glyphs.get(quality.name)).read(picture)
        seconds = time.perf_counter() - began
        got = read.lines if read else ()
        sure = read.confidence if read else ()
        each = [compared(line, got[row] if row < len(got) else "") for row, line in enumerate(lines)]
        extra = [compared("", line) for line in got[len(lines) :]]
        found[quality.name].append(
            _Read(
                sum(there for there, _ in each + extra),
                sum(wrong for _, wrong in each + extra),
                seconds,
                tuple((wrong, sure[row] if row < len(sure) else 0.0) for row, (_, wrong) in enumerate(each)),
            )
        )
    return found


def compared(truth: str, got: str) -> tuple[int, int]:
    """How many cells have a character in the truth or in what was read, and in how many of them these differ."""
    width = max(len(truth), len(got))
    pairs = [each for each in zip(truth.ljust(width), got.ljust(width), strict=True) if each != (" ", " ")]
    return len(pairs), sum(a != b for a, b in pairs)


def _figures(name: str, read: dict[str, list[_Read]], goals: dict[str, float] | None = None) -> list[Figure]:
    figures = []
    for quality, each in read.items():
        there, wrong = sum(one.there for one in each), sum(one.wrong for one in each)
        goal = Goal(goals[quality], at_least=True) if goals else None
        title = f"{name}, {quality}"
        figures.append(
            counted(f"{title}: characters right", 100 * (1 - wrong / max(1, there)), there, "%", goal)
        )
        figures.append(
            counted(f"{title}: median screen", statistics.median(one.share for one in each), len(each), "%")
        )
        figures.append(counted(f"{title}: worst screen", min(one.share for one in each), len(each), "%"))
        lines = [line for one in each for line in one.lines]
        if lines:
            bad = [sure for count, sure in lines if count]
            figures.append(
                counted(
                    f"{title}: wrong lines read as sure",
                    sum(sure >= SURE for sure in bad),
                    len(lines),
                    "lines",
                )
            )
            good = [sure for count, sure in lines if not count]
            figures.append(
                counted(
                    f"{title}: right lines read as unsure",
                    sum(sure < SURE for sure in good),
                    len(lines),
                    "lines",
                )
            )
    return figures


def _peer(paths: Iterable[Path]) -> dict[str, list[_Read]]:
    """Tesseract's characters without blanks, counted by line as far as they are the same; its best case."""
    found, reader = defaultdict(list), tesseract.WordReader()
    for quality, lines, picture in _pictures(paths, Look()):
        height, width = picture.shape[:2]
        pixels = np.dstack([picture, np.zeros((height, width), np.uint8)]).tobytes()
        began = time.perf_counter()
        elements = reader(Frame(pixels, Rect(0, 0, width, height), 0, 0.0), StopFlag())
        seconds = time.perf_counter() - began
        rows: dict[int, str] = defaultdict(str)
        for element in elements:
            rows[round((element.bounds.y + element.bounds.height / 2 - 20) / 33)] += element.name
        there = sum(len(_solid(line)) for line in lines)
        wrong = sum(_lacking(_solid(line), _solid(rows[row])) for row, line in enumerate(lines))
        found[quality.name].append(_Read(there, wrong, seconds))
    return found


def _solid(line: str) -> str:
    return line.replace(" ", "")


def _lacking(truth: str, got: str) -> int:
    """How many of the truth's characters were not read anywhere in the line."""
    return sum((Counter(truth) - Counter(got)).values())


def _times(path: Path, times: int) -> list[Figure]:
    """The first look and later ones in which one line has changed."""
    look = Look()
    lines = screen(path, look)
    first: list[float] = []
    later: list[float] = []
    quality = QUALITIES[1]
    pictures: Sequence[NDArray[Any]] = [filmed(paint(lines, look), quality)]
    changed = filmed(paint([*lines[:-1], lines[-1] + "ls"], look), quality)
    mixed = pictures[0].copy()
    top = look.origin[1] + (len(lines) - 1) * look.cell[1]
    mixed[top : top + look.cell[1]] = changed[top : top + look.cell[1]]
    for _ in range(times):
        reader = TerminalReader()
        for picture, kept in ((pictures[0], first), (mixed, later)):
            began = time.perf_counter()
            reader.read(picture)
            kept.append(1000 * (time.perf_counter() - began))
    return [
        measured("first look", first, "ms", FIRST),
        measured("later look, one line changed", later, "ms", LATER),
    ]
