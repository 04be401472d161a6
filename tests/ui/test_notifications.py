"""When the user is told, in which words, and that the desktop's real notification service gets them."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from jeepney import HeaderFields, MessageType, new_method_return  # type: ignore[import-untyped]
from jeepney.bus_messages import message_bus  # type: ignore[import-untyped]
from jeepney.io.blocking import open_dbus_connection  # type: ignore[import-untyped]

from desktop_agent.protocol.agent_events import ApprovalAsked, Error, GoalReached, Question, Status
from desktop_agent.ui.around.around_window import (
    ANSWERED,
    APPROVAL,
    ENDS,
    QUESTION,
    Around,
    NotificationChoice,
)
from desktop_agent.ui.view_model import RunView
from tests.desk import until
from tests.ui.conftest import Stage
from tests.ui.test_tray import surrounded  # noqa: F401 - a fixture

SECRET = "hunter2-on-the-screen"
ASKED = ApprovalAsked(id="1", words=SECRET, exact=(SECRET,), window=SECRET, why=SECRET)


def view_after(*events: Any) -> RunView:
    view = RunView()
    view.apply(events)
    return view


def test_nothing_is_told_that_can_be_seen() -> None:
    choice = NotificationChoice()
    assert choice.of(view_after(Status(state="waiting_for_user"), ASKED), in_sight=True) is None
    assert choice.of(view_after(GoalReached(summary="x"), Status(state="done")), in_sight=True) is None


def test_a_question_is_told_once_and_an_end_once() -> None:
    choice, view = NotificationChoice(), RunView()

    def told(*events: Any) -> object:
        view.apply(events)
        return choice.of(view, in_sight=False)

    assert told() is None
    assert told(Status(state="executing")) is None
    assert told(Status(state="waiting_for_user"), ASKED) == APPROVAL
    assert told() is None
    assert told(Status(state="executing")) is None
    assert told(Status(state="waiting_for_user"), Question(text=SECRET)) == QUESTION
    assert told(Status(state="executing")) is None
    assert told(GoalReached(summary=SECRET), Status(state="done")) == ENDS["done"]
    assert told() is None
    assert told(Status(state="planning")) is None
    assert told(GoalReached(summary=SECRET, answered=True), Status(state="done")) == ANSWERED


def test_a_failure_is_told() -> None:
    choice = NotificationChoice()
    choice.of(view_after(Status(state="executing")), in_sight=False)
    assert choice.of(view_after(Error(message=SECRET)), in_sight=False) == ENDS["error"]


class Service:
    """The desktop's notification service, on the session bus of the private display."""

    NAME = "org.freedesktop.Notifications"

    def __init__(self) -> None:
        self.got: list[tuple[Any, ...]] = []
        self._connection = open_dbus_connection(bus=os.environ["DBUS_SESSION_BUS_ADDRESS"])
        self._connection.send_and_get_reply(message_bus.RequestName(self.NAME))
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        while not self._ending.is_set():
            try:
                message = self._connection.receive(timeout=0.05)
            except TimeoutError:
                continue
            if message.header.message_type == MessageType.method_call:
                if message.header.fields[HeaderFields.member] == "Notify":
                    self.got.append(message.body)
                self._connection.send(new_method_return(message, "u", (1,)))

    def close(self) -> None:
        self._ending.set()
        self._thread.join()
        self._connection.close()


@pytest.fixture
def service(on_the_desk: None) -> Iterator[Service]:
    running = Service()
    yield running
    running.close()


def test_the_desktop_is_told_without_any_content(
    service: Service,
    surrounded: Callable[..., tuple[Stage, Around]],  # noqa: F811
) -> None:
    stage, _ = surrounded()
    stage.window.showMinimized()
    stage.wait(stage.window.isMinimized, "the window small")
    stage.play(Status(state="waiting_for_user"), ASKED)
    until(lambda: service.got, "the notification")
    assert [each[3:5] for each in service.got] == [(APPROVAL.title, APPROVAL.text)]
    assert SECRET not in repr(service.got)


def test_switched_off_nothing_is_told(
    service: Service,
    surrounded: Callable[..., tuple[Stage, Around]],  # noqa: F811
) -> None:
    stage, _ = surrounded(notifications=False)
    stage.window.showMinimized()
    stage.wait(stage.window.isMinimized, "the window small")
    stage.play(Status(state="waiting_for_user"), ASKED)
    stage.pump(300)
    assert service.got == []
