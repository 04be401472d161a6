"""A private desktop with the real hand on it, and the brain's own way from a look to a batch."""

from __future__ import annotations

import json
import os
import re
import select
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.report import BenchmarkError
from benchmarks.swapping.order import Order
from desktop_agent.agent.acting.moving_places import MovingPlaces
from desktop_agent.agent.acting.preconditions import Preconditions
from desktop_agent.agent.looking.observer import Observer
from desktop_agent.agent.looking.privacy_filter import PrivacyFilter
from desktop_agent.hand.client import Hands
from desktop_agent.llm.replay import ReplayModel
from desktop_agent.protocol.batch import Batch, OpResult
from desktop_agent.protocol.ops import Op
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.targets import display
from desktop_agent.targets._embedded import EmbeddedDisplay
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.observation import Element, Observation
from tests.support.waiting import until

VICTIM = Path(__file__).with_name("victim.py")
PATIENCE = 20.0
PATIENCE_TO_DRAW = 1.5
News = dict[str, Any]


class Stage:
    """The desktop, looks at it, the hand, and the order in which the server carries things out."""

    def __init__(self, target: EmbeddedDisplay, hands: Hands, order: Order) -> None:
        self.target, self.hands, self.order = target, hands, order
        self.stop = StopFlag()
        self.observer = Observer(target, ReplayModel(()), None, _no_words, PrivacyFilter(target))
        self._expectations = Preconditions(MovingPlaces())

    @property
    def environment(self) -> Mapping[str, str]:
        return {**os.environ, **self.target.environment}

    @property
    def focus(self) -> int:
        """The window with the keyboard, 0 when there is none."""
        scene = self.target.scene()
        return scene.focus if scene else 0

    def look(self) -> Observation:
        return self.observer.look(self.stop)

    def settle(self, before: Observation | None = None, patience: float = 0.2) -> None:
        """Wait until the screen is quiet."""
        self.observer.settle(before or self.look(), self.stop, patience)

    def batch(self, observation: Observation, *operations: Op) -> Batch:
        """As the executor makes it."""
        return Batch(
            "swap",
            operations,
            observation.viewport,
            {each.id: each.bounds for each in observation.elements},
            self.hands.generation,
            expects=self._expectations.of(operations, observation),
        )

    def act(self, batch: Batch) -> list[OpResult]:
        return self.hands.execute(batch)

    def launch(self, title: str, *argv: str) -> int:
        """Start a program and return when a window of that title (a regular expression) is active."""
        pid = self.target.launch(list(argv))
        until(
            lambda: any(re.search(title, w.title) for w in self.target.windows()[:1]),
            f"the window {title!r}",
            PATIENCE,
        )
        self.settle(patience=PATIENCE_TO_DRAW)
        return pid

    def find(self, name: str, observation: Observation) -> Element:
        """The element of that name. Raises BenchmarkError."""
        found = next((each for each in observation.elements if each.name == name), None)
        if found is None:
            raise BenchmarkError(f"there is no {name!r} on the screen")
        return found


def _no_words(frame: Frame, stop: StopFlag) -> tuple[Element, ...]:
    """No text recognition: it takes seconds, and is about other things."""
    del frame, stop
    return ()


@contextmanager
def stage(options: display.Options = display.Options()) -> Iterator[Stage]:  # noqa: B008 - it is frozen
    """A new desktop; all of it ends with the context."""
    target = display.create(options)
    target.start()
    hands, order = Hands(target.address()), Order(target.environment)
    try:
        hands.start()
        yield Stage(target, hands, order)
    finally:
        hands.close()
        order.close()
        target.stop()


class Program:
    """A victim in a process of its own."""

    def __init__(self, name: str, environment: Mapping[str, str]) -> None:
        theirs_in, self._to = os.pipe()
        self._from, theirs_out = os.pipe()
        self._process = subprocess.Popen(
            [sys.executable, str(VICTIM), name], stdin=theirs_in, stdout=theirs_out, env=dict(environment)
        )
        os.close(theirs_in)
        os.close(theirs_out)
        self._left = b""
        self.heard: list[News] = []
        self.answer("ready")

    def tell(self, what: str, after: float = 0.0) -> None:
        """Have it do something in so many milliseconds."""
        os.write(self._to, json.dumps({"do": what, "after": after}).encode() + b"\n")

    def do(self, what: str) -> News:
        """Have it do something, and return when that shows."""
        self.tell(what)
        return self.answer(what)

    def answer(self, what: str) -> News:
        """Wait for a word of it; everything else it says meanwhile is kept in `heard`."""
        deadline = time.monotonic() + PATIENCE
        while True:
            for news in self._lines(deadline - time.monotonic()):
                self.heard.append(news)
            for news in self.heard:
                if news["what"] == what:
                    self.heard.remove(news)
                    return news

    def _lines(self, seconds: float) -> list[News]:
        ready = select.select([self._from], [], [], max(0.0, seconds))[0]
        piece = os.read(self._from, 65_536) if ready else b""
        if not piece:
            raise BenchmarkError("the application that is acted on does not answer")
        *lines, self._left = (self._left + piece).split(b"\n")
        return [json.loads(line) for line in lines]

    def received(self) -> list[News]:
        """The presses and keys it got since the last time."""
        self.do("sync")
        got = [news for news in self.heard if news["what"] in ("press", "key")]
        self.heard.clear()
        return got

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._to)
        os.close(self._from)
