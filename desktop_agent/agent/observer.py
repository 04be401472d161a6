"""Looks: a frame, the elements on it and the windows around, made into one observation."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from desktop_agent.agent.expectation import steady
from desktop_agent.llm.base import Model
from desktop_agent.protocol.geometry import Point, Rect, Viewport
from desktop_agent.protocol.stopping import StopFlag
from desktop_agent.target.base import Target
from desktop_agent.vision.encode import image_size
from desktop_agent.vision.frame import Frame
from desktop_agent.vision.observation import Element, Observation
from desktop_agent.vision.settle import Settled, settle

ReadWords = Callable[[Frame, StopFlag], tuple[Element, ...]]


@dataclass
class Observer:
    """`region` limits every look to a part of the screen; `read_words` is OCR, used when the tree is silent."""

    target: Target
    model: Model
    region: Rect | None
    read_words: ReadWords

    def look(
        self, stop: StopFlag, *, detail: Rect | None = None, read: bool = False, changed: str = ""
    ) -> Observation:
        """One fresh look, at `detail` alone (and so larger) when given; `read` asks for OCR too.

        Raises TargetError when the screen is gone, Stopped.
        """
        stop.check()
        frame, scene = steady(self.target, detail or self.region)
        windows = self.target.windows()
        elements = self._elements(frame, windows[0].title if windows else "", stop, read)
        return Observation(
            frame=frame,
            viewport=self._viewport(frame),
            elements=elements,
            window=windows[0].title if windows else "",
            windows=tuple(window.title for window in windows),
            changed=changed,
            time=time.time(),
            scene=scene,
        )

    def settle(self, before: Observation, stop: StopFlag, patience: float) -> Settled:
        """Wait until the screen is quiet after acting; says what changed since `before`, in its picture's pixels.

        `patience` is how many seconds a first change may take to show.
        """
        frame, target = before.frame, self.target
        return settle(
            lambda: target.observe(frame.region), frame, stop, patience=patience, viewport=before.viewport
        )

    def _elements(self, frame: Frame, window: str, stop: StopFlag, read: bool) -> tuple[Element, ...]:
        tree = tuple(
            each for each in self.target.elements() if not each.bounds.intersection(frame.region).empty
        )
        if not read and (not window or _speaks(tree, window)):
            return tree  # an empty desktop has nothing to read either
        return tree + self.read_words(frame, stop)

    def _viewport(self, frame: Frame) -> Viewport:
        """Models without eyes work in screen pixels; the others in pixels of the picture they get.

        What the model supports is asked at each look: it may have found out that it sees no pictures.
        """
        support = self.model.support
        size = image_size(frame.size, support.image_edge) if support.images else frame.size
        return Viewport(frame.region, size, frame.epoch)


def _speaks(tree: tuple[Element, ...], window: str) -> bool:
    """Does the accessibility tree say anything about the active window?"""
    return any(each.name and each.window == window for each in tree)


def region_on_screen(viewport: Viewport, x: int, y: int, width: int, height: int) -> Rect:
    """A region of the picture as a screen rectangle. Raises OutOfBounds."""
    first: Point = viewport.to_screen(x, y)
    last: Point = viewport.to_screen(x + width - 1, y + height - 1)
    return Rect(first.x, first.y, last.x - first.x + 1, last.y - first.y + 1)
