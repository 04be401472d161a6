"""Work in the background is told in the UI thread, in its order, and not to those who are gone."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import partial

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication

from desktop_agent.protocol.errors import Refused
from desktop_agent.ui.background_work import BackgroundWork, wait_for_background
from tests.desk import until


@pytest.fixture
def owner(qapp: QApplication) -> Iterator[QObject]:
    owner = QObject()
    yield owner
    wait_for_background()
    qapp.processEvents()


def arrived(qapp: QApplication, condition: Callable[[], object], what: str) -> None:
    def holds() -> bool:
        qapp.processEvents()
        return bool(condition())

    until(holds, what)


def test_one_thread_keeps_the_order_and_tells_in_the_ui_thread(qapp: QApplication, owner: QObject) -> None:
    told: list[tuple[int, bool]] = []
    here = threading.current_thread()
    background = BackgroundWork(owner, threads=1)
    for number in range(20):
        background.run(partial(int, number), lambda n: told.append((n, threading.current_thread() is here)))
    arrived(qapp, lambda: len(told) == 20, "all told")
    assert told == [(number, True) for number in range(20)]


def test_at_most_so_many_work_at_a_time(qapp: QApplication, owner: QObject) -> None:
    both = threading.Barrier(3)
    begun: list[int] = []
    go = threading.Event()

    def work() -> None:
        begun.append(1)
        if len(begun) <= 2:
            both.wait(30)
        go.wait(30)

    background = BackgroundWork(owner, threads=2)
    for _ in range(3):
        background.run(work)
    both.wait(30)
    assert len(begun) == 2
    go.set()
    wait_for_background()
    assert len(begun) == 3


def test_failures_come_with_message_and_advice(qapp: QApplication, owner: QObject) -> None:
    failures: list[tuple[str, str]] = []

    def refuse() -> None:
        raise Refused("No.", "Ask again.")

    def break_down() -> None:
        raise ValueError

    background = BackgroundWork(owner, threads=1)
    for work in (refuse, break_down):
        background.run(work, failed=lambda *words: failures.append(words))
    arrived(qapp, lambda: len(failures) == 2, "both told")
    assert failures == [("No.", "Ask again."), ("ValueError", "The log has the details.")]


@pytest.mark.parametrize("ending", ["closed", "deleted"])
def test_nothing_is_told_to_who_is_gone(qapp: QApplication, owner: QObject, ending: str) -> None:
    go = threading.Event()
    told: list[object] = []
    background = BackgroundWork(owner, threads=1)
    background.run(lambda: go.wait(30), told.append)
    background.run(lambda: None, told.append)
    if ending == "closed":
        background.close()
    else:
        background.deleteLater()
        qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    go.set()
    wait_for_background()
    qapp.processEvents()
    assert told == []
