"""Fixtures shared by all tests."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.desk import Desk

_OF_X11 = re.compile(
    r"xcffib|jeepney|x11|atspi|xauth|Xvfb|tests\.(?:desk|jobs)|_display\b|\bfcntl\b|\b(?:desk|workplace)\."
)
"""What a test module mentions that works on an X display."""


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """On Windows only the tests that need no X display are collected."""
    if sys.platform != "win32" or collection_path.suffix != ".py":
        return None
    return True if _OF_X11.search(collection_path.read_text(encoding="utf-8")) else None


@pytest.fixture
def display() -> Iterator[Desk]:
    """A private desktop of 1280x800: X server, window manager, session bus, accessibility."""
    with _desk() as desk:
        yield desk


@pytest.fixture(scope="module")
def shared_display() -> Iterator[Desk]:
    """The same, one for all tests of a module; each test cleans up after itself."""
    with _desk() as desk:
        yield desk


@contextmanager
def _desk() -> Iterator[Desk]:
    from desktop_agent.target import display as embedded
    from tests.desk import Desk  # its X library is not there on Windows

    target = embedded.create(embedded.Options())
    target.start()
    yield Desk(target)
    target.stop()
