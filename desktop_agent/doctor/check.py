"""One finding of the doctor."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

State: TypeAlias = Literal["ok", "missing", "broken"]


class Check(msgspec.Struct, frozen=True):
    """What was looked at and how it is.

    `mend` says in one sentence what to do when it is not ok. Without a `needed` one the main job
    cannot be done; the others are choices that are open or not.
    """

    name: str
    state: State
    detail: str
    mend: str = ""
    needed: bool = False
