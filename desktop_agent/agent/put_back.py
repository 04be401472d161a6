"""Puts windows and pointer back when a goal is reached, except for what the goal changed.

What the user's words name, and what the run opened, stays as it is. After a stop of any kind nothing here moves anything.
"""

from __future__ import annotations

import logging
import re
import tomllib
from collections.abc import Callable
from functools import cache

import msgspec

from desktop_agent.agent.acting.executor import Hand
from desktop_agent.platforms.base import Standing, StandingWindow
from desktop_agent.protocol import ops
from desktop_agent.protocol.agent_events import FeedEvent, Goal, State, Status
from desktop_agent.protocol.batch import Batch, OpResult, Progress
from desktop_agent.protocol.errors import ConfigError, DesktopAgentError, HandError, TargetError
from desktop_agent.protocol.geometry import Point, Viewport
from desktop_agent.support import resources
from desktop_agent.targets.base import Target
from desktop_agent.targets.faces import HasWindowOrder, pointer_of

SECONDS = 2.0
"""What putting the pointer back may take at most."""
_log = logging.getLogger(__name__)


SHORTEST = 3
_WORD = re.compile(rf"[^\W_]{{{SHORTEST},}}")


class PointerPlace:
    """A `Hand` round another one that remembers where the human had left the pointer before the agent moved it."""

    def __init__(self, hand: Hand, target: Target) -> None:
        self._hand = hand
        self._target = target
        self._humans: Point | None = None
        self._left: Point | None = None

    @property
    def generation(self) -> int:
        return self._hand.generation

    @property
    def stop_reason(self) -> str:
        return self._hand.stop_reason

    def execute(self, batch: Batch, on_progress: Callable[[Progress], None]) -> list[OpResult]:
        """Carry out the batch; a pointer that is not where the last batch left it was moved by the human."""
        if (at := pointer_of(self._target)) != self._left:
            self._humans = at
        try:
            return self._hand.execute(batch, on_progress)
        finally:
            self._left = self._pointer()

    def _pointer(self) -> Point | None:
        try:
            return pointer_of(self._target)
        except TargetError:
            return None

    def put_back(self) -> None:
        """Move the pointer to where the human had left it, unless they have moved it since. Raises HandError."""
        to = self._humans
        if to is None or self._left is None or to == self._left or self._pointer() != self._left:
            return
        layout = self._target.geometry()
        view = Viewport(layout.bounds, layout.bounds.size, layout.epoch)
        if not layout.visible(to):
            return
        x, y = to.x - layout.bounds.x, to.y - layout.bounds.y
        self._hand.execute(Batch("pointer", (ops.Move(x, y),), view, {}, self.generation, SECONDS), _ignore)


class WindowOrder:
    """How the human's windows stood when the human last had the desk, and the words of this run.

    The human has it before the run, and while it waits for them.
    """

    def __init__(self, target: HasWindowOrder, own_pids: tuple[int, ...]) -> None:
        self._target = target
        self._own = frozenset(own_pids)
        self._words: list[str] = []
        self._state: State | None = None
        self._at_wait: Standing | None = None
        self._before = self._standing()

    def _standing(self) -> Standing | None:
        try:
            return self._target.standing()
        except TargetError:
            return None

    def hear(self, event: FeedEvent) -> None:
        """Follow words and waits: what the human rearranges meanwhile is how it shall stand."""
        if isinstance(event, Goal):
            self._words.append(event.text)
        elif isinstance(event, Status) and event.state != self._state:
            if event.state in ("paused", "waiting_for_user"):
                self._at_wait = self._standing()
            elif self._state == "paused" or (self._state == "waiting_for_user" and self._rearranged()):
                self._before = self._standing()
            self._state = event.state

    def _rearranged(self) -> bool:
        now = self._standing()
        return (
            now is None or self._at_wait is None or now.without(self._own) != self._at_wait.without(self._own)
        )

    def put_back(self) -> None:
        """Bring back what was in front, and put away what was minimised, by requests to the window manager. Raises TargetError."""
        before, now, words = self._before, self._standing(), " ".join(self._words)
        if before is None or now is None or about_windows(words):
            return
        known = {each.key for each in before.windows}
        front = now.front
        if (
            front is not None
            and front.pid not in self._own
            and (front.key not in known or named(front, words))
        ):
            return  # what the goal opened or named stays in front
        touched = frozenset(each.key for each in now.windows if each.key not in known or named(each, words))
        if now.order(touched) != before.order(touched) or now.active != before.active:
            self._target.stand_as(before, touched)


class TraceKeeper:
    """Both, for one run, which acts through `pointer_place`, tells `hear` its events and ends with `put_back`."""

    def __init__(
        self, hand: Hand, target: Target, own_pids: tuple[int, ...], still: Callable[[], bool]
    ) -> None:
        self.pointer_place = PointerPlace(hand, target)
        self._windows = WindowOrder(target, own_pids) if isinstance(target, HasWindowOrder) else None
        self._still = still

    def hear(self, event: FeedEvent) -> None:
        """Follow what the run tells."""
        if self._windows is not None:
            self._windows.hear(event)

    def put_back(self) -> None:
        """At a reached goal; leaves all as it is while the human is at work. Raises nothing but Stopped."""
        try:
            if self._still():
                if self._windows is not None:
                    self._windows.put_back()
                self.pointer_place.put_back()
        except (HandError, TargetError, DesktopAgentError) as error:
            _log.info("the desk was not put back: %s", error)


def _ignore(progress: Progress) -> None:
    del progress


class WindowWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`assets/traces/window_words.toml`."""

    about_windows: tuple[str, ...]
    in_titles: tuple[str, ...]


@cache
def window_words() -> WindowWords:
    """The word lists. Raises ConfigError when the file is not whole."""
    try:
        return msgspec.convert(tomllib.loads(resources.text("traces", "window_words.toml")), WindowWords)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise ConfigError(f"window_words.toml: {error}", "Install the program again.") from error


def about_windows(text: str) -> bool:
    """Is a text about windows themselves, as in "minimise it"?"""
    return any(word.startswith(window_words().about_windows) for word in _words(text))


def named(window: StandingWindow, text: str) -> bool:
    """Does a text name a window, by a word of its title or its application?"""
    own = _words(f"{window.title} {window.application}") - set(window_words().in_titles)
    return any(_alike(word, each) for word in _words(text) for each in own)


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))


def _alike(one: str, other: str) -> bool:
    """The same word, or one begins with the other ("note" and "notes")."""
    return one.startswith(other) or other.startswith(one)
