"""The hand on the display that the tests of a module share, and a text box to type into."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from desktop_agent.platforms.base import Input
from tests.support.waiting import until

if TYPE_CHECKING:
    from tests.desk import Desk

APPS = Path(__file__).parent.parent / "apps"


@pytest.fixture
def hand(shared_display: Desk) -> Iterator[Input]:
    from desktop_agent.targets import display as embedded  # its X library is not there on Windows

    made = embedded.attach(shared_display.target.address())
    yield made
    made.close()


@pytest.fixture
def box(shared_display: Desk, tmp_path: Path) -> Iterator[Path]:
    """The file that always holds the text of a focused Qt text box."""
    file = tmp_path / "text"
    pid = open_box(shared_display, file)
    yield file
    shared_display.end(pid)


def open_box(desk: Desk, file: Path) -> int:
    pid = desk.launch(sys.executable, str(APPS / "text_box.py"), str(file), title="^text box$")
    until(file.exists, "the focus on the text box")
    return pid
