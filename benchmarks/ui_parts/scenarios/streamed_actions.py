"""500 actions stream in, each with a note, a look and a result"""

from __future__ import annotations

import time

from benchmarks.ui_parts.pictures import jpeg_of_desktop
from benchmarks.ui_parts.stage import UiStage
from desktop_agent.protocol.agent_events import (
    Action,
    FeedEvent,
    Goal,
    LookTaken,
    Note,
    NoteDelta,
    Result,
    Status,
)
from desktop_agent.protocol.geometry import Point, Rect

ACTIONS = 500
EVERY = 0.02
"""Seconds between two actions: far more than any agent does."""
_NOTE = "The **form** has three fields. I fill in `Name` first, then *City*:\n\n1. click the field\n2. type the words\n"


def play(stage: UiStage) -> None:
    count = 50 if stage.quick else ACTIONS
    picture = jpeg_of_desktop()
    stage.port.tell(Goal(text="Fill in the form"), Status(state="executing"))
    stage.spin(0.2)
    with stage.watched():
        for number in range(1, count + 1):
            stage.port.tell(*_turn(number, picture))
            stage.spin(EVERY)
        stage.until(lambda: stage.window.view.actions == count, "all actions shown")
        stage.spin(0.3)


def _turn(number: int, picture: bytes) -> list[FeedEvent]:
    words = f"Click “Field {number}”"
    pieces = (
        [NoteDelta(text=_NOTE[at : at + 12]) for at in range(0, len(_NOTE), 12)] if number % 3 == 0 else []
    )
    note = [Note(text=_NOTE)] if pieces else []
    return [
        *pieces, *note,
        LookTaken(frame=str(number), region=Rect(0, 0, 1920, 1080), elements=40, preview=picture),
        Action(number=number, op="click", words=words, exact="click left", at=Point(500, 300), time=time.time()),
        Result(number=number, outcome="done", words=words, effect="confirmed", seconds=0.1),
    ]  # fmt: skip
