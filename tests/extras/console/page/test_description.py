"""The console keeps to its own description (OpenAPI): whatever is sent, what comes back is in it, and nothing breaks."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, given, settings

pytest.importorskip("fastapi", reason="the extra console is not installed")
pytest.importorskip("schemathesis", reason="schemathesis is not installed")

import schemathesis

from desktop_agent.extras.console.agents.agent_folders import AgentFolders
from desktop_agent.extras.console.agents.roster import Roster
from desktop_agent.extras.console.page.changes import Changes
from desktop_agent.extras.console.page.console_app import create_app
from tests.extras.console.agents.test_roster import Building

EXAMPLES = 12
"""For each operation."""


def test_what_comes_back_is_described_whatever_is_sent(tmp_path: Path) -> None:
    roster = Roster(AgentFolders(tmp_path), Building("{}"))
    for name in ("a", "b"):
        roster.create(name)
    described = schemathesis.openapi.from_asgi("/api/openapi.json", create_app(roster, Changes(roster)))
    operations = [cast(Any, each).ok() for each in described.get_all_operations()]
    assert len(operations) >= 15
    try:
        for operation in operations:

            @settings(
                max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), database=None
            )
            @given(case=operation.as_strategy())
            def answered(case: Any) -> None:
                response = case.call()
                assert response.status_code < 500, response.text
                case.validate_response(response)

            answered()
    finally:
        roster.close()
