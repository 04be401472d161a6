"""The lists of tiers and of long files: what they name is there, and the core keeps what it must."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from scripts import results
from tests import durations, tiers

ROOT = Path(__file__).parents[2]
PROTECTING = (
    "tests/policy/test_approval.py", "tests/policy/test_consent.py", "tests/agent/test_hash_chained_log.py", "tests/policy/test_permission.py",
    "tests/policy/test_permission_real.py", "tests/policy/test_policy.py", "tests/policy/test_policy_tables.py",
    "tests/bench/test_inject.py", "tests/bench/test_kill.py", "tests/bench/test_stop.py",
    "tests/contract/test_dialects.py", "tests/contract/test_models.py", "tests/contract/test_targets.py",
    "tests/hand/test_abandoned.py", "tests/hand/test_death.py", "tests/hand/test_exact_stop.py", "tests/hand/test_frozen_hand.py",
    "tests/hand/test_guard.py", "tests/hand/test_guard_loss.py", "tests/hand/test_off_switch.py", "tests/hand/test_stop.py",
    "tests/hand/test_stop_causes.py", "tests/hand/test_takeover.py", "tests/hand/test_watcher.py",
    "tests/jobs/test_acceptance.py", "tests/jobs/test_nothing_leaks.py", "tests/jobs/test_sealed_settings.py", "tests/jobs/test_secret_places.py",
    "tests/platforms/x11/test_escape_events.py", "tests/platforms/x11/test_human_watch.py", "tests/platforms/x11/test_typing.py",
    "tests/protocol", "tests/redaction",
)  # fmt: skip
"""Files and folders of what stops the hand, releases keys, asks, refuses, hides, and writes down what was done."""


def test_long_files_come_first_and_are_there() -> None:
    long = json.loads(durations.LONG_FILES.read_text())
    assert [name for name in long if not (ROOT / name).is_file()] == []
    first, second, *_ = sorted(long, key=long.__getitem__, reverse=True)
    names = [
        "tests/agent/test_inbox.py::test_a",
        f"{second}::test_b[x]",
        "test_c.py::test_c",
        f"{first}::test_d",
    ]
    items: Any = [SimpleNamespace(nodeid=name) for name in names]
    durations.longest_first(items)
    assert [item.nodeid for item in items] == [names[3], names[1], names[0], names[2]]


def test_long_files_are_written_from_the_record(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(results, "FOLDER", tmp_path)
    monkeypatch.setattr(durations, "LONG_FILES", tmp_path / "long_files.json")
    here, unrecorded, short = (f"tests/setup/test_{name}.py" for name in ("tiers", "checks", "start"))
    durations.LONG_FILES.write_text(json.dumps({here: 99, unrecorded: 30, short: 15}))
    runs = [
        {here: {"a": 20.1, "b": 1.2}, "tests/gone.py": {"a": 90}, short: {"a": 9}},
        {here: {"a": 19}},  # some of its tests
    ]
    results.path("durations").write_text("".join(json.dumps({"seconds": run}) + "\n" for run in runs))
    durations.main()
    assert list(json.loads(durations.LONG_FILES.read_text()).items()) == [(unrecorded, 30), (here, 21)]


def test_whatever_the_tiers_name_is_there() -> None:
    assert [place for place in tiers.listed() if not (ROOT / place).exists()] == []


@pytest.mark.parametrize("place", PROTECTING)
def test_the_core_keeps_what_protects_the_users_input(place: str) -> None:
    below = [name for name in tiers.listed() if name.startswith(f"{place}/")]
    assert "all" not in [tiers.tier_of(each) for each in (place, *below)]
