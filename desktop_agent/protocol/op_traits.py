"""The traits of an operation: what the agent, the policy, the verification and the texts ask about it.

Each operation states its record where it is defined, in `ops`: nothing else classifies operations.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

CarriedOutBy: TypeAlias = Literal["hand", "agent", "environment", "human"]
"""`hand`: input for the target. `agent`: looking, asking and ending, in the run loop. `environment`: files and
commands. `human`: refused when a model says it."""


@dataclass(frozen=True)
class Verbs:
    """An operation's verb for people: `Pressing`, `Pressed`, `Press`."""

    present: str
    past: str
    request: str


@dataclass(frozen=True, kw_only=True)
class Traits:
    """One operation, as the code that handles operations asks about it."""

    carried_out_by: CarriedOutBy
    verbs: Verbs

    pointer: bool = False
    """Acts on what is at its place on the screen, or where the pointer is."""
    presses: bool = False
    """Pushes a mouse button down at its place: what is there must still look as it did."""
    gives_focus: bool = False
    """Pushes a mouse button down or lets it go, so the keyboard may be elsewhere afterwards.

    Beside all that `presses` this is `mouse_up`, whose place may look different: a drag changes it.
    """
    drops: bool = False
    """May let go of something that was dragged along."""
    keyboard: bool = False
    """Presses keys, which go to what has the keyboard. Letting go of a key is not pressing."""
    opens: bool = False
    """Has the system's opener start a program or show a file or an address."""
    holds: Literal[-1, 0, 1] = 0
    """1 when it leaves a key or a button down, -1 when it lets go of one."""

    visible: bool = False
    """May change the screen by itself, so the screen has to settle afterwards.

    Not so: moving the pointer (what it changes is a highlight) and pushing a button down (its release follows).
    """
    wants_look: bool = False
    """Its effect is read from a look afterwards: there is a rule for it in `agent/verifying`, or it may scroll."""
    moves_nothing: bool = False
    """Changes no element's place but its own, so a tree that tells of movement is not doubted."""
    passive: bool = False
    """Waits or looks: it may be repeated on an unchanged screen without end."""

    points_only: bool = False
    """Moves the pointer or turns the wheel: harmless even where it cannot be told what is there."""
    crosses_applications: bool = False
    """Allowed outside the applications that the user has named: the pointer passes over others on its way.

    `scroll_element` is not among these, though it only points: its element was chosen by name.
    """
    sink: str = ""
    """The name under which the policy asks for the operation itself, wherever it acts; "" when it does not."""
    asks: str = ""
    """The reason for `sink`, for people."""
    texts: tuple[str, ...] = ()
    """The fields whose origin (the user, the model, something read) the policy looks at."""

    @property
    def gives_input(self) -> bool:
        """Does it press, point at or open something on the target? Letting go of a key does not."""
        return self.pointer or self.keyboard or self.opens

    @property
    def idle(self) -> bool:
        """Is it for the hand, and yet does nothing to the target? Waiting, and releasing what may be held."""
        return self.carried_out_by == "hand" and not self.gives_input and not self.holds

    @property
    def acts(self) -> bool:
        """May it do something outside of the agent: neither its own (a look, a question, the end) nor idle?"""
        return self.carried_out_by != "agent" and not self.idle

    @property
    def brings_text(self) -> bool:
        """May it carry a text whose origin matters?"""
        return self.keyboard or self.opens or bool(self.texts)
