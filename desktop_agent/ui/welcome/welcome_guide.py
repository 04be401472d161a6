"""What the first page asks of the program below it, as one typed face; no Qt."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, Protocol

import msgspec

from desktop_agent.agent.port import AgentPort
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.support.language import later
from desktop_agent.support.providers import Provider

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from desktop_agent.ui.widgets.theme import Theme

NO_TELEMETRY = later("No telemetry: nothing is sent anywhere but to the model you choose.")


class Finding(msgspec.Struct, frozen=True):
    """One thing that was looked for, in words for the user.

    "ok" is there, "optional" is not there and not needed, "attention" limits what can be done here. `advice` says
    what to do about it, "" for nothing.
    """

    state: Literal["ok", "optional", "attention"]
    words: str
    advice: str = ""


class SoughtSubject(msgspec.Struct, frozen=True):
    """Something that is looked for: `name` for `WelcomeGuide.look`, `title` for the user."""

    name: str
    title: str


class KeyVerdict(msgspec.Struct, frozen=True):
    """What came of a pasted key, in words. "ok": kept, and it works; "kept": kept, but it could not be tried.

    "refused": it does not work, "unkept": there is no place to keep it, "stopped": the user cancelled. Of these three
    nothing is kept.
    """

    state: Literal["ok", "kept", "refused", "unkept", "stopped"]
    words: str


class EscapeSeen(Protocol):
    """A watch for Esc that is under way."""

    def close(self) -> None:
        """End it; may take a second."""


class Practice(msgspec.Struct, frozen=True):
    """A run to watch: an agent of its own that waits to be served, the goal to give it, and what makes a view of the screen it works on."""

    port: AgentPort
    goal: str
    view: Callable[[Theme], QWidget] | None = None


class WelcomeGuide(ABC):
    """What the first page and the empty chat need to know and do. Everything but `subjects` may take seconds."""

    @property
    @abstractmethod
    def subjects(self) -> tuple[SoughtSubject, ...]:
        """What is looked for here, in the order in which it is shown."""

    @abstractmethod
    def look(self, name: str) -> Finding:
        """Look for one subject."""

    @abstractmethod
    def leaves(self) -> str:
        """What leaves this computer with the model in force, in one line."""

    @abstractmethod
    def key_makers(self) -> tuple[Provider, ...]:
        """Whose keys can be pasted."""

    @abstractmethod
    def keep_key(self, name: str, secret: str, stop: StopFlag) -> KeyVerdict:
        """Keep a key in the system's key store and try it with one short question."""

    @abstractmethod
    def watch_escape(self, seen: Callable[[], None]) -> EscapeSeen:
        """Call `seen` once, from another thread, when Esc is pressed in any application.

        Raises TargetError, HandError or ConfigError where only this program's own window can see it.
        """

    @abstractmethod
    def practice(self) -> Practice:
        """A run where nothing real is touched. Raises TargetError or ConfigError where there can be none; the user's choices stay as they are."""

    @abstractmethod
    def examples(self) -> tuple[str, ...]:
        """Goals that work with what is chosen and installed, the best first; at most three."""
