"""What the user chooses between runs: who thinks, where it acts, and every other setting."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec

from desktop_agent.support.config import Config

ChoiceName: TypeAlias = Literal["model", "target", "permission", "step"]


class Offer(msgspec.Struct, frozen=True):
    """One thing to choose: `value` as config.toml takes it, its title, what it does and what it costs, in words.

    `problem` says why it cannot be used now, "" when it can.
    """

    value: str
    title: str
    does: str = ""
    costs: str = ""
    problem: str = ""


class Choices(ABC):
    """The settings as the window reads and changes them. Everything may take seconds: call it off the UI thread.

    A change is validated, written into the settings file (comments stay), counts as confirmed by the user, and is used
    from the next run on. Raises ConfigError, and nothing is changed, where a value is wrong or a run is under way.
    """

    @abstractmethod
    def offers(self, name: ChoiceName) -> tuple[Offer, ...]:
        """What can be chosen, the best first; also what cannot be used now, with the reason."""

    @abstractmethod
    def settings(self) -> Config:
        """The settings in force."""

    @abstractmethod
    def change(self, values: Mapping[str, object]) -> None:
        """Set values by their dotted names, as in {"agent.model": "offline"}; None sets one back to its default."""

    @abstractmethod
    def reset(self, names: Collection[str]) -> None:
        """Set these dotted names, or whole tables, back to their defaults."""

    @property
    @abstractmethod
    def file(self) -> Path:
        """The settings file; it need not be there yet."""
