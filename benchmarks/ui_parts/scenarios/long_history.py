"""10,000 entries in the chat: they arrive, and are scrolled from end to end"""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication

from benchmarks.report import BenchmarkError
from benchmarks.ui_parts.stage import UiStage
from desktop_agent.protocol.agent_events import Action, FeedEvent, Goal, Note, Result, Status

ENTRIES = 10_000
_WHEEL, _JUMPS = 150, 60
_NOTE = (
    "Step {n}: the *list* is open.\n\n- first `{n}`\n- second\n\n| name | value |\n|---|---|\n| a | {n} |\n"
)


def play(stage: UiStage) -> None:
    count = 2_000 if stage.quick else ENTRIES
    bar = stage.window.body.area.verticalScrollBar()
    with stage.watched():
        stage.port.tell(Status(state="executing"), *_entries(count))
        stage.until(lambda: stage.window.view.said == count, "all entries")
        stage.until(lambda: bar.value() == bar.maximum() > 0, "the end shown")
        for _ in range(_WHEEL):
            _wheel(stage, 3)
            stage.spin(0.02)
        for step in range(_JUMPS):  # the slider is dragged to the top
            bar.setValue(round(bar.maximum() * (1 - (step + 1) / _JUMPS)))
            stage.spin(0.03)
        stage.spin(0.3)
        if not any("Goal 0" in view.message.text for view in stage.window.body.chat.views()):
            raise BenchmarkError("the first entry is not reached by scrolling up")
        stage.window.resize(stage.window.width() + 120, stage.window.height())
        stage.spin(0.5)
        stage.port.tell(Note(text="One more."), Status(state="done"))
        stage.spin(0.3)


def _entries(count: int) -> Iterator[FeedEvent]:
    for n in range(count):
        match n % 5:
            case 0:
                yield Goal(text=f"Goal {n} and some words of the user about it")
            case 1:
                yield Note(text=_NOTE.format(n=n))
            case _:
                yield Action(number=n, op="click", words=f"Click {n}", exact="click left")
                yield Result(number=n, outcome="done", words=f"Clicked {n}", effect="confirmed", seconds=0.2)


def _wheel(stage: UiStage, notches: int) -> None:
    area = stage.window.body.area.viewport()
    at = QPointF(area.rect().center())
    event = QWheelEvent(
        at, area.mapToGlobal(at), QPoint(), QPoint(0, 120 * notches), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(area, event)
