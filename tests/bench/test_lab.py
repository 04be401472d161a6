"""The measuring lab: the human and the agent are told apart, in order, and the whole desk ends with its owner."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from benchmarks.report import ROOT, BenchmarkError
from desktop_agent.hand.client import Hands
from desktop_agent.protocol import ops
from desktop_agent.protocol.batch import Batch
from desktop_agent.protocol.geometry import Viewport
from tests.desk import until
from tests.hand.workplace import gone
from tests.support import rfb
from tests.support.desk import LabDesk
from tests.support.observer import Kind, Observer

ESCAPE_CODE = 9


@pytest.fixture(scope="module")
def desk() -> Iterator[LabDesk]:
    with LabDesk() as found:
        yield found


@pytest.fixture
def observer(desk: LabDesk) -> Iterator[Observer]:
    with Observer(desk.environment) as found:
        yield found


def test_what_the_human_does_is_seen_in_order_and_is_the_humans(desk: LabDesk, observer: Observer) -> None:
    with desk.human() as human:
        human.tap(rfb.ESCAPE)
        human.pointer_event(300, 200)
        human.pointer_event(310, 200, rfb.LEFT)
        human.pointer_event(310, 200)
        seen = observer.until(lambda records: any(r.kind is Kind.BUTTON_RELEASE for r in records), "a click")
    assert [(record.kind, record.detail) for record in seen if record.kind is not Kind.MOTION] == [
        (Kind.KEY_PRESS, ESCAPE_CODE),
        (Kind.KEY_RELEASE, ESCAPE_CODE),
        (Kind.BUTTON_PRESS, 1),
        (Kind.BUTTON_RELEASE, 1),
    ]
    assert any(record.kind is Kind.MOTION for record in seen)
    assert not any(record.injected for record in seen)
    assert [record.at for record in seen] == sorted(record.at for record in seen)


def test_what_a_hand_does_is_all_there_after_a_sync(desk: LabDesk, observer: Observer) -> None:
    hands = Hands(desk.address())
    hands.start()
    try:
        layout = desk.geometry()
        view = Viewport(layout.bounds, layout.bounds.size, layout.epoch)
        words = ops.Type("only lower case " * 50)
        results = hands.execute(Batch("b", (ops.Click(300, 300), words), view, {}, hands.generation))
    finally:
        hands.close()
    seen = observer.sync()
    assert {result.outcome for result in results} == {"done"}
    assert all(record.injected for record in seen)
    assert sum(record.kind is Kind.KEY_PRESS for record in seen) == len(words.text)
    observer.clear()
    assert observer.sync() == []


def test_a_lab_whose_owner_is_killed_ends() -> None:
    program = (
        "import time; from tests.support.desk import LabDesk; from tests.support.observer import Observer\n"
        "desk = LabDesk(); desk.start(); observer = Observer(desk.environment)\n"
        "print(desk.keeper_pid, observer.pid, flush=True); input()"
    )
    owner = subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        text=True,
    )
    assert owner.stdout is not None and owner.stdin is not None
    pids = [int(word) for word in owner.stdout.readline().split()]
    owner.kill()
    owner.wait()
    owner.stdin.close()
    owner.stdout.close()
    assert len(pids) == 2
    until(lambda: all(map(gone, pids)), "the end of the lab's processes")


def test_an_observer_without_a_display_says_so() -> None:
    with pytest.raises(BenchmarkError, match="did not start"):
        Observer({"DISPLAY": ":nowhere"})
