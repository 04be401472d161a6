"""How far the agent may go by itself: the levels, where a text comes from, and the user's own rules."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

Level: TypeAlias = Literal["simulation_only", "restricted", "full"]
Source: TypeAlias = Literal["user", "model", "seen"]
"""Of a text: the user's own words, the model's, or something read on the screen, in a file or a terminal."""


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
    """`[policy]`: what the user has decided for good. A deny wins over everything.

    `allow_applications` are patterns of the applications that may be worked in; empty: all.
    """

    allow_applications: tuple[str, ...] = ()
    allow: tuple[Rule, ...] = ()
    deny: tuple[Rule, ...] = ()
