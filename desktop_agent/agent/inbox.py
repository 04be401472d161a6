"""What the human says to a running agent: words, decisions, pause; every wait wakes on stop."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from desktop_agent.llm.base import Model
from desktop_agent.protocol.chat_messages import PictureBlock
from desktop_agent.protocol.op_change import OpChange
from desktop_agent.protocol.stop_flag import StopFlag


@dataclass(frozen=True)
class Edited:
    """No answer yet: the user has changed what is asked about, and is to be asked about that."""

    changes: tuple[OpChange, ...]


@dataclass(frozen=True)
class NotShown:
    """No answer, and none to come: `why` the question cannot be seen."""

    why: str


Decision: TypeAlias = Literal["approve", "always", "skip"] | Edited | NotShown
_UNSEEN = "the window did not show it within {seconds:g} s"


@dataclass(frozen=True)
class Words:
    """What was said to the agent: by the user, or by the program that `by` names, whose words grant nothing.

    `thinker` is the model of the run that they begin, None for that of the session. `pictures` were given with them.
    """

    text: str
    by: str = ""
    thinker: Model | None = None
    pictures: tuple[PictureBlock, ...] = ()

    @property
    def shown(self) -> str:
        """The text as the feed tells it."""
        return f"{self.by}: {self.text}" if self.by else self.text

    @property
    def granting(self) -> tuple[str, ...]:
        """The text, as far as it can grant something."""
        return () if self.by else (self.text,)


class ResumeRequest(Words):
    """No words: `text` is the path or name of a run that is to go on."""


class Inbox:
    """Filled by the human from any thread, emptied by the agent's thread."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._words: deque[Words] = deque()
        self._decisions: dict[str, Decision] = {}
        self._shown: set[str] = set()
        self.show_within = 0.0
        """Seconds within which a question has to be in sight, as `shown` tells; 0 where nothing tells."""
        self._paused = False
        self.pauses = 0
        """How many pauses there were in this run: what was planned before the last of them is stale."""
        self.pause_reason = ""
        self._on_pause: list[Callable[[], None]] = []
        self._closed = False
        self._cut = False
        self._waited = 0.0
        self._waiting_since: float | None = None

    # ---- the human's side, never blocking ----------------------------------------------------

    def say(self, words: Words) -> None:
        with self._changed:
            self._words.append(words)
            self._changed.notify_all()

    def decide(self, id: str, decision: Decision) -> None:
        with self._changed:
            self._decisions[id] = decision
            self._changed.notify_all()

    def shown(self, id: str) -> None:
        """The question `id` is in the user's sight."""
        with self._changed:
            self._shown.add(id)
            self._changed.notify_all()

    def set_paused(self, paused: bool, why: str = "") -> None:
        """`why` is said to the user; the first reason of a pause counts."""
        with self._changed:
            if paused and not self._paused:
                self.pauses, self.pause_reason = self.pauses + 1, why
            self._paused = paused
            callbacks = tuple(self._on_pause) if paused else ()
            self._changed.notify_all()
        for callback in callbacks:
            callback()

    def cut(self) -> None:
        """End what is under way as a pause does, and go on at once: the next turn has something to ask."""
        with self._changed:
            self.pauses, self._cut = self.pauses + 1, True
            callbacks = tuple(self._on_pause)
        for callback in callbacks:
            callback()

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    # ---- the agent's side --------------------------------------------------------------------

    @property
    def paused(self) -> bool:
        return self._paused

    @property
    def waited(self) -> float:
        """Seconds that the agent has waited for the human so far."""
        since = self._waiting_since
        return self._waited + (time.monotonic() - since if since is not None else 0.0)

    def was_cut(self) -> bool:
        """Was the last interruption no pause, but a `cut`? It is told once."""
        with self._changed:
            cut, self._cut = self._cut and not self._paused, False
            return cut

    @property
    def closed(self) -> bool:
        return self._closed

    def next_goal(self, seconds: float | None = None, rest: Callable[[], None] | None = None) -> Words | None:
        """Wait for words while idle; None when the inbox was closed. Every so many seconds without words `rest` is called."""
        while True:
            with self._changed:
                if self._changed.wait_for(lambda: self._words or self._closed, seconds):
                    return None if self._closed else self._words.popleft()
            if rest is not None:
                rest()

    def heard(self) -> tuple[Words, ...]:
        """All words said since the last call, without waiting."""
        with self._changed:
            words = tuple(self._words)
            self._words.clear()
            return words

    @property
    def has_words(self) -> bool:
        """Has anything been said that was not heard yet?"""
        return bool(self._words)

    def wait_for_words(self, stop: StopFlag) -> Words:
        """Wait for the answer to a question. Raises Stopped."""
        self._wait(lambda: bool(self._words), stop)
        with self._changed:
            return self._words.popleft()

    def wait_for_decision(self, id: str, stop: StopFlag) -> Decision:
        """Wait for the answer to one approval; words said meanwhile count as no. Raises Stopped.

        The answer is NotShown where the question is not in sight within `show_within`.
        """

        def answered() -> bool:
            return id in self._decisions or any(not each.by for each in self._words)

        within = self.show_within
        if within:
            self._wait(lambda: answered() or id in self._shown, stop, within)
            with self._changed:
                if not answered() and id not in self._shown:
                    return NotShown(_UNSEEN.format(seconds=within))
        self._wait(answered, stop)
        with self._changed:
            return self._decisions.pop(id, "skip")

    def on_pause(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Run `callback` at each pause and each cut, and at once while one is under way; returns a function that takes it back."""
        with self._changed:
            self._on_pause.append(callback)
            interrupted = self._paused or self._cut
        if interrupted:
            callback()
        return lambda: self._on_pause.remove(callback)

    def wait_until_resumed(self, stop: StopFlag) -> None:
        """Wait for the end of a pause. Raises Stopped."""
        self._wait(lambda: not self._paused, stop)

    def forget(self) -> None:
        """Drop decisions and a pause left over from a run that ended."""
        with self._changed:
            self._decisions.clear()
            self._shown.clear()
            self._paused, self.pauses, self._cut = False, 0, False

    def _wait(self, ready: Callable[[], bool], stop: StopFlag, seconds: float | None = None) -> None:
        """Wait until it is ready, at most so many seconds. Raises Stopped."""
        take_back = stop.on_set(self._wake)
        self._waiting_since = time.monotonic()
        try:
            with self._changed:
                self._changed.wait_for(lambda: ready() or stop.is_set(), seconds)
        finally:
            take_back()
            self._waited, self._waiting_since = self.waited, None
        stop.check()

    def _wake(self) -> None:
        with self._changed:
            self._changed.notify_all()
