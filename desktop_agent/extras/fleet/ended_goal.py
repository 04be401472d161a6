"""How a goal ended on a desktop, as it goes from there to the driver."""

from __future__ import annotations

import msgspec


class EndedGoal(msgspec.Struct, frozen=True):
    """The exit code of the program, the seconds it took, its last words and what it cost.

    `dollars` is None where no price is known, and a lower bound where `dollars_complete` is false. `recording` is the name
    of the run's folder, "" for none, and `size` that of it packed, in bytes.
    """

    exit_code: int
    seconds: float
    summary: str = ""
    dollars: float | None = None
    dollars_complete: bool = True
    steps: int = 0
    recording: str = ""
    size: int = 0
