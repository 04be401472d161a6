"""Permission levels and the limits of what they open, the provenance of a text, and the user's allow and deny rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias, get_args

import msgspec

Level: TypeAlias = Literal["simulation_only", "restricted", "full"]
LEVELS: tuple[Level, ...] = get_args(Level)
LONG_NAMES: Mapping[str, Level] = {
    "allow_actual_input_restricted": "restricted",
    "allow_actual_input_full": "full",
}
"""Other names of the levels, which are understood wherever one is read; shown and written are the short ones."""
InputKind: TypeAlias = Literal["pointer", "keyboard", "open", "commands"]
INPUT_KINDS: tuple[InputKind, ...] = get_args(InputKind)
"""`open` starts programs and shows files and addresses, `commands` are those of environments, changes of files included."""
GivenBy: TypeAlias = Literal["default", "settings file", "environment", "arguments", "window", "sandbox"]
"""Who chose the level: nobody, a file, a variable, the start (its command line, or the program that starts it), the
settings in the window, or that the agent has a computer of its own."""
Source: TypeAlias = Literal["user", "model", "seen"]
"""Where a text comes from: the user, the model, or something read on the screen, in a file or a terminal."""


def short_level(name: str) -> str:
    """The short name of a level, or the text as it is where it names none."""
    return LONG_NAMES.get(name, name)


class GrantLimits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The `[policy.grant]` section: how far that reaches which the permission opens.

    `minutes` from the begin of a run of the user's, 0: all of it. `applications` are patterns of the window's
    application or the program's name (of a command, of its environment's), empty: all. `inputs` are the kinds that it
    opens, empty: all. What lies beyond is asked about.
    """

    minutes: Annotated[float, msgspec.Meta(ge=0, le=1_440)] = 0.0
    applications: tuple[Annotated[str, msgspec.Meta(min_length=1)], ...] = ()
    inputs: tuple[InputKind, ...] = ()

    @property
    def limited(self) -> bool:
        """Is there any limit?"""
        return bool(self.minutes or self.applications or self.inputs)


class InputGrant(msgspec.Struct, frozen=True):
    """What a run may do by itself: the level, who chose it, and its limits. `until` in seconds since the epoch.

    None: to the end of the run.
    """

    level: Level
    given_by: GivenBy = "default"
    until: float | None = None
    applications: tuple[str, ...] = ()
    inputs: tuple[InputKind, ...] = ()


class Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One `[[policy.allow]]` or `[[policy.deny]]`: every pattern given must match (`*`, `?`, `[abc]`).

    `application` is the window's application or the program's name, `window` the window's title, `role`
    and `name` those of the element acted on, `op` the operation. For `open`, `name` is what is opened; for a
    command `application` is the environment; for a file `name` is its path.
    """

    application: str = ""
    window: str = ""
    role: str = ""
    name: str = ""
    op: str = ""

    def __post_init__(self) -> None:
        if not any((self.application, self.window, self.role, self.name, self.op)):
            raise ValueError("a rule needs one of application, window, role, name, op")


class Rules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The `[policy]` section: rules for all runs. A deny rule wins over everything.

    `allow_applications` are patterns of the applications that may be worked in; empty: all. `allow_scope`
    are grants for every run, as `--allow` takes them. `grant` limits what the permission opens.
    """

    allow_applications: tuple[str, ...] = ()
    allow: tuple[Rule, ...] = ()
    deny: tuple[Rule, ...] = ()
    allow_scope: tuple[str, ...] = ()
    grant: GrantLimits = GrantLimits()
