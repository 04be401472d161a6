"""Permission levels, the provenance of a text, and the user's allow and deny rules."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

Level: TypeAlias = Literal["simulation_only", "restricted", "full"]
Source: TypeAlias = Literal["user", "model", "seen"]
"""Where a text comes from: the user, the model, or something read on the screen, in a file or a terminal."""


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
    are grants for every run, as `--allow` takes them.
    """

    allow_applications: tuple[str, ...] = ()
    allow: tuple[Rule, ...] = ()
    deny: tuple[Rule, ...] = ()
    allow_scope: tuple[str, ...] = ()
