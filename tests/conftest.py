"""Fixtures shared by all tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from desktop_agent.target import display as embedded
from tests.desk import Desk


@pytest.fixture
def display() -> Iterator[Desk]:
    """A private desktop of 1280x800: X server, window manager, session bus, accessibility."""
    target = embedded.create(embedded.Options())
    target.start()
    yield Desk(target)
    target.stop()


@pytest.fixture(scope="module")
def shared_display() -> Iterator[Desk]:
    """The same, one for all tests of a module; each test cleans up after itself."""
    target = embedded.create(embedded.Options())
    target.start()
    yield Desk(target)
    target.stop()
