"""A wire: what carries presses to another computer, on which nothing is installed.

Adding one is one new file `wire/NAME.py`, or a module of an installed package that an entry point of the group
`desktop_agent.wires` names. It defines

    class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True)   its `[wire.NAME]` table in config.toml
    def create(options: Options) -> KeyboardOutput                           not connected yet
    def reached(environment: Mapping[str, str], secrets: Mapping[str, str]) -> KeyboardOutput
                                                                             the same in another process: hand and guard

Nothing that comes back over a wire is what the other computer shows: it carries acknowledgements alone.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from types import TracebackType
from typing import Literal, Self, TypeAlias

import msgspec

from desktop_agent.platforms.base import Input, Releaser
from desktop_agent.protocol.geometry import Size

Modifier: TypeAlias = Literal["ctrl", "alt", "shift", "win"]


class Keystroke(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="keystroke", tag_field="action_type"
):
    """One key, pressed and released: a name of protocol/keys, or one character."""

    key: str


class ModifiedKey(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="key_combo", tag_field="action_type"
):
    """A key pressed and released while modifiers are held."""

    modifiers: tuple[Modifier, ...]
    key: str


class TextInput(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="text", tag_field="action_type"):
    """A text, typed character by character."""

    text: str


KeyboardAction: TypeAlias = Keystroke | ModifiedKey | TextInput


class KeyboardOutput(ABC):
    """Presses keys at the other end; not for several threads. Methods raise TargetError where that cannot be reached."""

    kind: str
    """The name of its module."""
    title: str
    """What people call it, with where it leads."""
    has_pointer: bool = False
    """Has it a mouse, with absolute coordinates?"""

    @abstractmethod
    def environment(self) -> Mapping[str, str]:
        """What another process needs to reach the same, but for secrets."""

    def secrets(self) -> Mapping[str, str]:
        """More of it, which stands in no file and no repr."""
        return {}

    @abstractmethod
    def connect(self) -> None:
        """Check that somebody takes what is sent. Safe to call twice."""

    @abstractmethod
    def send(self, action: KeyboardAction) -> None:
        """Press what the action says; afterwards nothing is held. Raises Refused for what it has no key for."""

    def send_line(self, text: str) -> None:
        """Type a text and press Enter."""
        self.send(TextInput(text))
        self.send(Keystroke("enter"))

    @abstractmethod
    def release_all(self) -> None:
        """Release every key and button, whoever pressed them."""

    @abstractmethod
    def input(self, screen: Size, human: Input | None) -> Input:
        """What the hand injects with, into a screen of so many pixels.

        `human` is the user's own display, where nothing is injected: their ESC is heard there. It is closed with this.
        """

    @abstractmethod
    def releaser(self) -> Releaser:
        """What releases what `input` of another process holds, by the codes that it gave."""

    @abstractmethod
    def close(self) -> None:
        """Let go of the connection, with nothing held; safe to call twice."""

    def __enter__(self) -> Self:
        self.connect()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.close()
