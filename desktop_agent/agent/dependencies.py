"""The dependencies that a session is given, and the circumstances that it works in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import msgspec

from desktop_agent.agent.acting.executor import Hand
from desktop_agent.agent.acting.field_watch import TextLimits
from desktop_agent.agent.looking.observer import ReadWords
from desktop_agent.agent.ticking.tick_diff import RATE
from desktop_agent.llm.base import Model
from desktop_agent.policy.facts.files.protected_places import ProtectedPlaces
from desktop_agent.policy.facts.scope import Grant
from desktop_agent.policy.rules.grant_limits import seconds_since_boot
from desktop_agent.protocol.chat_messages import Message
from desktop_agent.protocol.dialects.base import Dialect
from desktop_agent.protocol.dialects.json import JSON
from desktop_agent.protocol.errors import Off
from desktop_agent.protocol.geometry import Rect
from desktop_agent.protocol.permission import GivenBy
from desktop_agent.targets.base import Address, Target
from desktop_agent.tools.base import Environment


class HandProcesses(Hand, TextLimits, Protocol):
    """The hand and its guard, as the session needs them."""

    on_takeover: Callable[[str], None]
    on_off: Callable[[Off], None]

    @property
    def human_at_work(self) -> bool: ...
    def start(self) -> None: ...
    def protect(self, pids: Sequence[int]) -> None: ...
    def confine(self, region: Rect | None) -> None: ...
    def stop(self, reason: str) -> None: ...
    def reset(self) -> None: ...
    def pause(self, paused: bool) -> None: ...
    def check_off(self) -> None: ...
    def allow_full_screen(self, allowed: bool) -> None: ...
    def stand_down(self) -> None: ...
    def close(self) -> None: ...


MakeHand = Callable[[Address, Callable[[str], None]], HandProcesses]


@dataclass(frozen=True)
class Parts:
    """What a session works with; `make_hand(address, on_stop)` starts nothing yet.

    `remembered()` is the conversation that a new run goes on with; `clock()` tells seconds for the time of a permission.
    """

    target: Target
    model: Model
    make_hand: MakeHand
    read_words: ReadWords
    dialect: Dialect = JSON
    environments: tuple[Environment, ...] = ()
    remembered: Callable[[], Sequence[Message]] = tuple
    clock: Callable[[], float] = seconds_since_boot


class Circumstances(msgspec.Struct, frozen=True):
    """The circumstances of a session, worked out by the start that makes it: no setting says them by itself. Times in seconds.

    The session keeps to `region` of the screen and never touches windows of `own_pids`. `conversing`: somebody reads its words,
    so words alone may end a run. `previews` is how many live pictures a second the listeners get (1 to 5, 0 for none), also
    while the human is asked unless not `previews_while_waiting`. `hint_lead` is how long before it acts they get an `Upcoming`,
    None for never. `given_by` says who chose the permission. `grants` are in the scope of every run. `protected` are the places
    whose change stops a run; None: they are protected, but not watched. `notes` is the folder of the notes; None: none are read
    or kept. `tick_rate` is how many ticks a second a numeric policy is asked for. `rest_seconds` after a run its processes are
    ended and its pictures dropped; the next one brings them up again.
    """

    runs_folder: Path
    region: Rect | None = None
    own_pids: tuple[int, ...] = ()
    conversing: bool = True
    previews: float = 0.0
    previews_while_waiting: bool = True
    hint_lead: float | None = None
    given_by: GivenBy = "default"
    grants: tuple[Grant, ...] = ()
    protected: ProtectedPlaces | None = None
    notes: Path | None = None
    tick_rate: float = RATE
    rest_seconds: float = 20.0
