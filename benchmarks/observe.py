"""From the screen to a picture in base64 that a model can read: changed, unchanged, legible, and beside other ways."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from benchmarks.observing import legibility
from benchmarks.observing.others import Other, others
from benchmarks.observing.stage import Stage, stage
from benchmarks.report import Figure, Goal, Report, counted, measured, report
from desktop_agent.llm import anthropic, compatible, openai
from desktop_agent.llm.base import Support
from desktop_agent.llm.transport.picture import Pictures
from desktop_agent.protocol.chat_messages import PictureBlock
from desktop_agent.protocol.geometry import Size, Viewport
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.encoding.encode import image_size
from desktop_agent.vision.observation import Observation

FULL_HD, FOUR_K = Size(1920, 1080), Size(3840, 2160)
CHANGED, UNCHANGED = Goal(10.0), Goal(4.0)
FAMILIES = {
    "anthropic": anthropic.Options(model="m").image_edge,
    "compatible": compatible.Options().image_edge,
    "openai": openai.Options(model="m").image_edge,
}
"""Longest edge of the picture by default."""


def run(quick: bool) -> Report:
    """Our own way and the others in turn on the same display and the same changes; times in ms."""
    times = 3 if quick else 40
    notes: list[str] = [
        "A picture of the others has the size of ours for anthropic and shows the same screen.",
        "How many times as long: their median by ours for a screen crammed with other words, the slowest for us.",
    ]
    figures: list[Figure] = []
    with stage(FULL_HD) as shown:
        ways = {name: Way(edge) for name, edge in FAMILIES.items()}
        with tempfile.TemporaryDirectory() as folder:
            size = image_size(FULL_HD, FAMILIES["anthropic"])
            with others(shown.desk.environment, Path(folder), size, notes) as peers:
                theirs = _measure(shown, ways, peers, times)
        figures += _figures("1080p", ways, goals=True)
        figures += _beside(ways["anthropic"], theirs)
        figures += legibility.figures(shown, FAMILIES, notes)
    with stage(FOUR_K) as shown:
        ways = {name: Way(edge) for name, edge in FAMILIES.items()}
        _measure(shown, ways, (), max(3, times // 3))
        figures += _figures("4K", ways, goals=False)
    return report("observe", *figures, notes=notes)


@dataclass
class Way:
    """Our way to a picture for one model, and how long it took (ms)."""

    edge: int
    pictures: Pictures = field(default_factory=Pictures)
    page_new: list[float] = field(default_factory=list)
    all_new: list[float] = field(default_factory=list)
    little_new: list[float] = field(default_factory=list)
    same: list[float] = field(default_factory=list)
    hashed: list[float] = field(default_factory=list)
    again: int = 0  # unchanged, and yet another picture or hash

    def take(self, shown: Stage, into: list[float]) -> tuple[Frame, PictureBlock]:
        began = time.perf_counter()
        frame = shown.desk.observe()
        view = Viewport(frame.region, image_size(frame.size, self.edge), frame.epoch)
        picture = self.pictures.of(Observation(frame, view), Support())
        into.append(1000 * (time.perf_counter() - began))
        return frame, picture


def _measure(
    shown: Stage, ways: dict[str, Way], peers: Sequence[Other], times: int
) -> dict[Other, list[float]]:
    """In each round a word changes, then a page of text, then the whole screen; each of the others is asked ten times."""
    theirs: dict[Other, list[float]] = {peer: [] for peer in peers}
    for number in range(times):
        for way in ways.values():
            way.take(shown, [])  # the others' turns have changed the screen
            shown.change_little()
            way.take(shown, way.little_new)
            shown.show_few()
            way.take(shown, way.page_new)
            shown.change_all()
            frame, picture = way.take(shown, way.all_new)
            began = time.perf_counter()
            digest = frame.digest
            way.hashed.append(1000 * (time.perf_counter() - began))
            later, unchanged = way.take(shown, way.same)
            way.again += unchanged is not picture or later.digest != digest
        if number % max(1, times // 10) == 0:
            for peer in peers:
                theirs[peer].append(1000 * peer.seconds())
    return theirs


def _figures(screen: str, ways: dict[str, Way], *, goals: bool) -> Iterator[Figure]:
    changed, unchanged = (CHANGED, UNCHANGED) if goals else (None, None)
    for name, way in ways.items():
        what = f"{screen}, {name} ({way.edge})"
        yield measured(f"{what}: another page", way.page_new, "ms", changed)
        yield measured(f"{what}: crammed with other words", way.all_new, "ms", changed)
        yield measured(f"{what}: a word changed", way.little_new, "ms", changed)
        yield measured(f"{what}: unchanged", way.same, "ms", unchanged)
    every = list(ways.values())
    yield measured(
        f"{screen}: content hash, crammed with other words", [ms for way in every for ms in way.hashed], "ms"
    )
    again, looks = sum(way.again for way in every), sum(len(way.same) for way in every)
    yield counted(f"{screen}: unchanged and encoded all the same", again, looks, "looks", Goal(0))


def _beside(ours: Way, theirs: dict[Other, list[float]]) -> Iterator[Figure]:
    mine = median(ours.all_new)
    for other, took in theirs.items():
        yield measured(other.name, took, "ms")
        goal = Goal(other.at_least, at_least=True) if other.at_least else None
        yield counted("of that, times as long as ours", median(took) / mine, len(took), "x", goal)
