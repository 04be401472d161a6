"""The count of requests that the endpoint accepts and should not: none, and it sees those of servers without their checks."""

from __future__ import annotations

import pytest

pytest.importorskip("fastapi", reason="the extra endpoint is not installed")

from benchmarks.endpoint_parts.typed_grid import typed_grid
from desktop_agent.platforms.posix import bubblewrap
from desktop_agent.support.loopback_access import Access

FEW = 2
pytest.importorskip("pyte", reason="the extra endpoint is not installed")


@pytest.mark.skipif(not bubblewrap.is_usable(), reason="no sandbox can be made here")
def test_nothing_is_typed_by_who_may_not_type(monkeypatch: pytest.MonkeyPatch) -> None:
    found = typed_grid(FEW)
    assert (found.accepted, found.broken, found.refused, found.mistyped) == ([], [], [], 0)
    assert found.asked > 500 and found.rightful > 3
    monkeypatch.setattr(Access, "_check_token", lambda self, scope: None)
    unchecked = typed_grid(FEW)
    assert unchecked.accepted and unchecked.mistyped, "an endpoint that asks for no token is seen"
