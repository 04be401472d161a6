"""The real Windows session that this process runs in, for the tests that ask Windows itself."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from desktop_agent.targets._windows import WindowsScreen


@pytest.fixture(scope="module")
def screen() -> Iterator[WindowsScreen]:
    """One for all tests of a module."""
    found = WindowsScreen()
    found.start()
    yield found
    found.stop()
