"""The count of requests that the console accepts and should not: none, and it sees those of a server without its checks."""

from __future__ import annotations

import pytest

pytest.importorskip("fastapi", reason="the extra console is not installed")

from benchmarks.endpoint_parts.console_grid import grid
from desktop_agent.support.loopback_access import Access

FEW = 2


def test_what_is_not_the_pages_own_is_refused_and_changes_nothing() -> None:
    found = grid(FEW)
    assert (found.accepted, found.broken, found.refused, found.changed) == ([], [], [], 0)
    assert found.asked > 1_000 and found.rightful > 10


def test_a_console_that_asks_for_no_token_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Access, "_check_token", lambda self, scope: None)
    found = grid(FEW)
    assert any("/api/agents" in each for each in found.accepted) and found.changed
