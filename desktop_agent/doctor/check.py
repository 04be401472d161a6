"""The record of one finding of the doctor."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

State: TypeAlias = Literal["ok", "missing", "broken"]


class Check(msgspec.Struct, frozen=True):
    """One thing that was examined, and its state.

    `mend` says in one sentence what to do when it is not ok. The agent cannot work while a `needed` one is
    not ok; the others are optional.
    """

    name: str
    state: State
    detail: str
    mend: str = ""
    needed: bool = False
