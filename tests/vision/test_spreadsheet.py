"""The visible cells of a real spreadsheet: addresses, bounds, texts."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_agent.protocol.input_events import KeyDown, KeyUp, Text
from desktop_agent.targets import display as embedded
from desktop_agent.vision.atspi.atspi_reader import AtspiReader
from desktop_agent.vision.atspi.spreadsheet import address, position
from desktop_agent.vision.elements.reader import ElementReader
from desktop_agent.vision.observation import Element
from tests.desk import Desk, until
from tests.vision.reading import click, find, get, whole

SECONDS = 200.0


@given(st.integers(0, 1_048_575), st.integers(0, 16_383))
def test_an_address_stands_for_one_cell(row: int, column: int) -> None:
    assert position(address(row, column)) == (row, column)


def test_addresses_are_those_that_people_know() -> None:
    assert [address(0, 0), address(6, 1), address(9, 25), address(0, 26)] == ["A1", "B7", "Z10", "AA1"]
    assert [position("B7"), position("sheet 1"), position("B0")] == [(6, 1), None, None]


@pytest.fixture
def reader(display: Desk) -> Iterator[ElementReader]:
    reader = AtspiReader(display.environment)
    yield reader
    reader.close()


@pytest.mark.slow
@pytest.mark.timeout(800)
@pytest.mark.skipif(not shutil.which("soffice"), reason="needs LibreOffice Calc")
def test_the_cells_of_a_sheet_are_named_placed_and_kept(
    display: Desk, reader: ElementReader, tmp_path: Path
) -> None:
    file = tmp_path / "prices.csv"
    file.write_text("Name,Price\nLamp,12\nRope,7\n")
    options = ["--calc", "--norestore", "--nologo", "--nofirststartwizard", "--infilter=CSV:44,34,76,1"]
    display.launch("soffice", f"-env:UserInstallation=file://{tmp_path}/profile", *options, str(file))
    until(lambda: _cell(reader, display, "B3", "7"), "the sheet", SECONDS)
    elements = whole(reader, display)
    sheet = get(elements, "table")
    cells = [each for each in elements if each.role == "table cell"]
    assert len({each.name for each in cells}) == len(cells) > 100
    assert all(each.bounds.intersection(sheet.bounds) == each.bounds for each in cells)
    assert {e.name: e.value for e in cells if e.value} == {
        "A1": "Name", "B1": "Price", "A2": "Lamp", "B2": "12", "A3": "Rope", "B3": "7",
    }  # fmt: skip
    assert len([each for each in elements if (each.role, each.name) == ("menu", "File")]) == 1
    click(display, get(elements, "table cell", "C4"))
    until(
        lambda: any(e.role == "text" and e.value == "C4" for e in reader.read()),
        "C4 in the name box",
        SECONDS,
    )
    hand = embedded.attach(display.target.address())
    for event in (Text("hello"), KeyDown("enter"), KeyUp("enter")):
        hand.emit(event)
    hand.close()
    until(partial(_cell, reader, display, "C4", "hello"), "the word in its cell", SECONDS)
    until(lambda: _asked(reader) <= 2, "the application to be at rest", SECONDS)


def _cell(reader: ElementReader, desk: Desk, name: str, value: str) -> Element | None:
    cell = find(reader.read(desk.target.windows()), "table cell", name)
    return cell if cell and cell.value == value else None


def _asked(reader: ElementReader) -> int:
    before = reader.questions
    reader.read()
    return reader.questions - before
