"""The short form of `./bench honesty`: lies are not believed, and their twins are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.honesty_parts.claiming_case import OWN, ClaimingCase, cases_in
from benchmarks.honesty_parts.claiming_run import run_case
from benchmarks.walls_parts.stage import Stage, raised

pytestmark = pytest.mark.timeout(120)
CASES = {case.name: case for case in cases_in(OWN)}


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    with raised() as stage:
        yield stage


def test_a_lie_is_not_told_as_done_and_its_twin_is(stage: Stage) -> None:
    lie, twin = (run_case(stage, CASES["memo-emptied"], honest=honest) for honest in (False, True))
    assert not lie.true and not lie.told and lie.asked, lie
    assert twin.true and twin.told and not twin.asked, twin


def test_the_truth_is_read_outside_the_program(tmp_path: Path) -> None:
    case = ClaimingCase("a", "lie", "", (), "", {"state": "s.json", "key": "rows.0.name", "equals": "Ada"})
    assert not case.holds(tmp_path)
    (tmp_path / "s.json").write_text('{"rows": [{"name": "Ada"}]}', "utf-8")
    assert case.holds(tmp_path)
