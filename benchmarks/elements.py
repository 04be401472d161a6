"""The accessibility tree of a browser page, an editor and a Qt window: read anew, unchanged, and beside cua-driver."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.peers import Unavailable
from benchmarks.reading import page, qt_window
from benchmarks.reading.cua import VERSION, CuaDriver
from benchmarks.report import Figure, Goal, Report, counted, measured, report
from desktop_agent.protocol.geometry import Size
from desktop_agent.targets._embedded import EmbeddedDisplay
from desktop_agent.vision.atspi.atspi_reader import AtspiReader
from desktop_agent.vision.observation import Element
from tests.support.waiting import until

SIZE, BACKGROUND = Size(1920, 1080), 0x3B6EA5
SECONDS = 60.0
_REST = 1.6  # seconds: longer than any tree takes to follow what is drawn


@dataclass(frozen=True)
class Subject:
    """A program to read: how it is started, its window, how many elements it must show before it counts."""

    name: str
    command: Callable[[Path], Sequence[str]]
    title: str
    elements: int


SUBJECTS = (
    Subject(
        "Chromium, 450 nodes",
        lambda folder: ("chromium", "--start-maximized", _page(folder)),
        page.TITLE,
        220,
    ),
    Subject("mousepad, 320 nodes", lambda folder: ("mousepad", _letter(folder)), "letter.txt", 9),
    Subject("Qt, 200 nodes", lambda _: (sys.executable, qt_window.__file__), qt_window.TITLE, 175),
)


def run(quick: bool) -> Report:
    """Each program alone on a display of its own; ours and the peer's reads in turn."""
    figures: list[Figure] = []
    notes: list[str] = []
    for subject in SUBJECTS:
        with tempfile.TemporaryDirectory() as folder, shown(subject, Path(folder)) as desk:
            figures += _figures(subject, desk, Path(folder), 5 if quick else 30, notes)
    return report("elements", *figures, notes=notes)


@contextmanager
def shown(subject: Subject, folder: Path) -> Iterator[EmbeddedDisplay]:
    """A display with the program on it, everything it shows there."""
    desk = EmbeddedDisplay(SIZE, BACKGROUND)
    desk.start()
    try:
        desk.launch(list(subject.command(folder)))
        until(
            lambda: len(_of(subject, desk.elements())) >= subject.elements,
            f"the elements of {subject.name}",
            SECONDS,
        )
        yield desk
    finally:
        desk.stop()


def _of(subject: Subject, elements: Sequence[Element]) -> list[Element]:
    return [each for each in elements if subject.title in each.window]


def _figures(
    subject: Subject, desk: EmbeddedDisplay, folder: Path, times: int, notes: list[str]
) -> Iterator[Figure]:
    cold, unchanged = [], []
    wrong = 0
    peer = _Peer(subject, desk, folder, notes)
    for _ in range(times):
        peer.read()
        _wait(_REST)
        desk.elements()  # what moved meanwhile, a browser's tree that was late, is read now
        began = time.perf_counter()
        kept = desk.elements()
        unchanged.append((time.perf_counter() - began) * 1000)
        read, anew = _cold(desk)
        cold.append(read)
        wrong += unlike(kept, anew)
        peer.read_again()
    peer.close()
    yield measured(f"{subject.name}: read anew", cold, "ms", Goal(60))
    yield measured(f"{subject.name}: unchanged", unchanged, "ms", Goal(10))
    yield counted(f"{subject.name}: kept elements unlike those read anew", wrong, times, "reads", Goal(0))
    yield from peer.figures(cold, unchanged)


def _cold(desk: EmbeddedDisplay) -> tuple[float, Sequence[Element]]:
    """Milliseconds of the first read of a reader that knows nothing but the bus, and what it read."""
    reader = AtspiReader(desk.environment)
    try:
        windows = desk.windows()
        began = time.perf_counter()
        elements = reader.read(windows)
        return (time.perf_counter() - began) * 1000, elements
    finally:
        reader.close()


def unlike(some: Sequence[Element], others: Sequence[Element]) -> bool:
    """Do two reads differ in anything but ids, which are each reader's own?"""
    return _named(some) != _named(others)


def _named(elements: Sequence[Element]) -> list[tuple[object, ...]]:
    return [(e.role, e.name, e.value, e.bounds, e.states, e.window) for e in elements]


class _Peer:
    """cua-driver on the same display; says nothing where it cannot be had."""

    def __init__(self, subject: Subject, desk: EmbeddedDisplay, folder: Path, notes: list[str]) -> None:
        self._subject, self._notes = subject, notes
        self._whole: list[float] = []
        self._again: list[float] = []
        self._driver: CuaDriver | None = None
        try:
            self._driver = CuaDriver(desk.environment, folder)
            self._pid = _of(subject, desk.elements())[0].pid
            self._window = self._driver.window(self._pid, subject.title)
            self.read()  # its first reads of a window take longer; they do not count
            self._whole.clear()
        except Unavailable as error:
            notes.append(f"{subject.name}, cua-driver {VERSION} not measured: {error}")
            self.close()

    def read(self) -> None:
        """The whole tree."""
        if self._driver is not None:
            began = time.perf_counter()
            self._driver.tree(self._pid, self._window)
            self._whole.append((time.perf_counter() - began) * 1000)

    def read_again(self) -> None:
        """What is new since a moment ago: nothing."""
        if self._driver is not None:
            last = self._driver.snapshot(self._pid, self._window)
            began = time.perf_counter()
            self._driver.snapshot(self._pid, self._window, last)
            self._again.append((time.perf_counter() - began) * 1000)

    def figures(self, cold: Sequence[float], unchanged: Sequence[float]) -> Iterator[Figure]:
        """Its own, and how many times longer it takes than we do."""
        if self._whole:
            name = self._subject.name
            yield measured(f"{name}: read anew by cua-driver", self._whole, "ms")
            yield measured(f"{name}: unchanged, by cua-driver", self._again, "ms")
            for what, theirs, ours in (("anew", self._whole, cold), ("unchanged", self._again, unchanged)):
                ratio = median(theirs) / median(ours)
                yield counted(
                    f"{name}: {what}, times as long as ours", ratio, len(ours), "x", Goal(1, at_least=True)
                )

    def close(self) -> None:
        if self._driver is not None:
            self._driver.close()
            self._driver = None


def _wait(seconds: float) -> None:
    end = time.monotonic() + seconds
    until(lambda: time.monotonic() >= end, "the time", seconds + 5)


def _page(folder: Path) -> str:
    file = folder / "page.html"
    file.write_text(page.page(), encoding="utf-8")
    return f"file://{file}"


def _letter(folder: Path) -> str:
    file = folder / "letter.txt"
    file.write_text("Dear Ann,\nall is well here.\n" * 15, encoding="utf-8")
    return str(file)
