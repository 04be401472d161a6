"""What this computer's hardware is told to be, by psutil and without it."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from desktop_agent.extras.avis.hardware_usage import HardwareMeter, HardwareUsage

pytestmark = pytest.mark.linux("reads /proc where psutil is not installed")
with_psutil = pytest.mark.skipif(importlib.util.find_spec("psutil") is None, reason="psutil is not installed")


def check(usage: HardwareUsage) -> None:
    assert usage.processor and usage.cores and usage.gpu
    assert usage.processor_load is not None and 0 <= usage.processor_load <= 1
    assert usage.memory_total and usage.memory_available and usage.memory_available <= usage.memory_total
    assert usage.disk_total and usage.disk_free is not None and usage.disk_free <= usage.disk_total


def test_the_files_of_the_system_tell() -> None:
    meter = HardwareMeter(use_psutil=False)
    check(meter.read())
    check(meter.read())


@with_psutil
def test_psutil_tells_the_same() -> None:
    with_it, without = HardwareMeter(use_psutil=True), HardwareMeter(use_psutil=False)
    check(with_it.read())
    check(with_it.read())
    assert with_it.read().memory_total == without.read().memory_total


def test_a_disk_that_is_not_there_is_unknown() -> None:
    usage = HardwareMeter(Path("/nowhere")).read()
    assert usage.disk_total is None and usage.disk_free is None
