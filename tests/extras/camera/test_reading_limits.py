"""Reading elements when something is wrong: hung and covered applications, no bus, a session that ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_agent.vision.atspi.atspi_reader import AtspiReader
from desktop_agent.vision.atspi.bus_session import _from_session, is_on, switch_off, switch_on
from desktop_agent.vision.elements.reader import ElementReader
from tests.desk import Desk, until
from tests.vision.reading import find, wait_for, whole

APPS = Path(__file__).parents[2] / "vision" / "apps"


@pytest.fixture
def reader(display: Desk) -> Iterator[ElementReader]:
    reader = AtspiReader(display.environment)
    yield reader
    reader.close()


def test_a_hung_application_is_left_out_and_comes_back(display: Desk, reader: ElementReader) -> None:
    calculator = display.launch("galculator", title="galculator")
    wait_for(display, reader, "toggle button", "7")
    display.launch("mousepad", title="Mousepad")
    wait_for(display, reader, "menu", "Search")
    os.kill(calculator, signal.SIGSTOP)
    try:
        until(lambda: {e.application for e in reader.read()} == {"mousepad"}, "the other one alone")
        assert reader.silent == ("galculator",)
        assert reader.reason == ""
        until(lambda: find(reader.read(), "menu", "Search"), "the other one again")
    finally:
        os.kill(calculator, signal.SIGCONT)
    until(lambda: find(reader.read(), "toggle button", "7"), "the calculator to be read again")
    until(lambda: reader.read() and not reader.silent, "nobody silent")


def test_a_process_that_is_ignored_is_not_asked(display: Desk, reader: ElementReader) -> None:
    calculator = display.launch("galculator", title="galculator")
    wait_for(display, reader, "toggle button", "7")
    other = AtspiReader(display.environment)
    other.read()  # connects to the display, which a program that is stopped in a grab of it would prevent
    os.kill(calculator, signal.SIGSTOP)
    try:
        assert other.read(ignored=(calculator,)) == ()
        assert other.silent == ()
    finally:
        os.kill(calculator, signal.SIGCONT)
        other.close()


def test_what_another_window_covers_is_left_out(display: Desk, reader: ElementReader) -> None:
    display.launch("galculator", title="galculator")
    wait_for(display, reader, "toggle button", "7")
    display.launch("mousepad", title="Mousepad")
    wait_for(display, reader, "menu", "Search")
    command = ["xdotool", "getactivewindow", "windowmove", "0", "0", "windowsize", "100%", "100%"]
    subprocess.run(command, env={**os.environ, **display.environment}, check=True)
    until(
        lambda: find(reader.read(display.target.windows()), "toggle button", "7") is None,
        "the calculator to be covered",
    )
    assert find(whole(reader, display), "menu", "Search")
    assert find(whole(reader), "toggle button", "7")


def test_an_application_that_ends_is_gone(display: Desk, reader: ElementReader) -> None:
    pid = display.launch("galculator", title="galculator")
    wait_for(display, reader, "toggle button", "7")
    display.end(pid)
    until(lambda: reader.read() == (), "no elements")
    assert reader.reason == ""


def test_a_session_that_ends_is_reported(display: Desk, reader: ElementReader) -> None:
    display.launch("galculator", title="galculator")
    wait_for(display, reader, "toggle button", "7")
    display.target.stop()
    assert reader.read() == ()
    assert "Elements cannot be read" in reader.reason
    assert reader.read() == ()


def test_without_a_session_there_is_a_reason() -> None:
    reader = AtspiReader({})
    assert reader.read() == ()
    assert "DBUS_SESSION_BUS_ADDRESS" in reader.reason
    assert "at-spi2-core" in reader.reason
    reader.close()


def test_an_address_that_leads_nowhere_is_a_reason(tmp_path: Path) -> None:
    reader = AtspiReader({"AT_SPI_BUS_ADDRESS": f"unix:path={tmp_path}/none", "DISPLAY": ":4711"})
    assert reader.read() == ()
    assert str(tmp_path) in reader.reason
    assert ":4711" in reader.reason
    reader.close()


@pytest.mark.parametrize("way", ["AT_SPI_BUS_ADDRESS", "DISPLAY"])
def test_the_bus_is_found_without_a_session_bus(display: Desk, reader: ElementReader, way: str) -> None:
    display.launch("galculator", title="galculator")
    wait_for(display, reader, "toggle button", "7")
    kept = {name: value for name, value in display.environment.items() if name in ("DISPLAY", "XAUTHORITY")}
    if way == "AT_SPI_BUS_ADDRESS":
        kept = {way: _from_session(display.environment)}
    other = AtspiReader(kept)
    assert find(other.read(), "toggle button", "7"), other.reason
    other.close()


def test_accessibility_is_switched_on_while_reading_and_put_back(display: Desk) -> None:
    switch_off(display.environment)
    reader = AtspiReader(display.environment)
    assert is_on(display.environment)
    reader.close()
    assert not is_on(display.environment)
    switch_on(display.environment)
    AtspiReader(display.environment).close()
    assert is_on(display.environment)


def test_a_window_opened_before_reading_began_is_read(display: Desk) -> None:
    display.launch(sys.executable, str(APPS / "qt_form.py"), title="Qt form")
    reader = AtspiReader(display.environment)
    wait_for(display, reader, "push button", "Send")
    reader.close()
