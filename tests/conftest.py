"""Fixtures shared by all tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.desk import Desk


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
