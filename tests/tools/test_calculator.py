"""Terms are worked out exactly, and nothing else is."""

from __future__ import annotations

import pytest

from desktop_agent.protocol import ops
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.tools.base import Response
from desktop_agent.tools.calculator import Options, create


def worked_out(term: str) -> Response:
    return create(Options()).execute(ops.Run("calculator", term), StopFlag())


@pytest.mark.parametrize(
    ("term", "value"),
    [
        ("0.1 + 0.2", "0.3"),
        ("(12.5 + 3) * -4", "-62"),
        ("19.99 * 3", "59.97"),
        ("1 / 3", "about 0.333333333333"),
        ("9" * 30, "9" * 30),
    ],
)
def test_a_term_has_its_exact_value(term: str, value: str) -> None:
    assert worked_out(term) == Response("done", "Worked out.", value)


@pytest.mark.parametrize(
    "term", ["", "1 +", "1 / 0", "2 ** 99", "open('x')", "True", "1e999", "1+" * 300 + "1"]
)
def test_anything_else_is_refused_with_a_reason(term: str) -> None:
    response = worked_out(term)
    assert response.outcome == "refused" and response.detail
