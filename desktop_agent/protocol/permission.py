"""Permission levels, the scope that a level counts in, and the provenance of a text."""

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
    """One `[[scope.allow]]` or `[[scope.deny]]`: every pattern given must match (`*`, `?`, `[abc]`).

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
    """The `[scope]` section: where, how long and with what kind of input the level counts, for all runs.

    `places` are grants for every run, as `--allow` takes them. `applications` are patterns of the window's
    application or the program's name (of a command, of its environment's), empty: all. `minutes` count from the
    begin of a run of the user's, 0: all of it. `inputs` are the kinds of input, empty: all. What lies beyond these
    is asked about each time. Of the rules, `allow` needs no question, and `deny` wins over everything.
    """

    places: tuple[str, ...] = ()
    applications: tuple[Annotated[str, msgspec.Meta(min_length=1)], ...] = ()
    minutes: Annotated[float, msgspec.Meta(ge=0, le=1_440)] = 0.0
    inputs: tuple[InputKind, ...] = ()
    allow: tuple[Rule, ...] = ()
    deny: tuple[Rule, ...] = ()

    @property
    def limited(self) -> bool:
        """Does the level count for less than all of a run: some time, applications or kinds of input?"""
        return bool(self.minutes or self.applications or self.inputs)
