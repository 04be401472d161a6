"""The short form of `./bench faults`: whatever goes wrong in whichever call, nothing stays held."""

from __future__ import annotations

from benchmarks import faults
from desktop_agent.targets import display
from tests.support.faulty import Fault


def test_every_kind_of_fault_in_memory() -> None:
    found = faults.in_memory(7)
    assert {trial.fault for trial in found} == set(Fault)
    assert [trial for trial in found if trial.left] == []


def test_faults_on_a_real_display() -> None:
    target = display.create(display.Options())
    target.start()
    try:
        place = faults.Place(target)
        found = faults.on_display(place, 61)
        found += faults.real_hands(place, Fault.CLOSED, (20,), ("holding", "typing foreign"))
    finally:
        target.stop()
    assert found and [trial for trial in found if trial.left] == []
