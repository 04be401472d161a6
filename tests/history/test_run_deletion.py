"""Deleting removes a run with its head and its words; limits delete the oldest, and never what is under way."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from desktop_agent.agent.runlog import heads
from desktop_agent.agent.runlog.own_writes import OwnWrites
from desktop_agent.agent.runlog.run_names import run_locked
from desktop_agent.history.logged_run import folder_size
from desktop_agent.history.retention import apply_retention, start_retention
from desktop_agent.history.run_deletion import delete_run
from desktop_agent.history.run_index import find_runs, index_path
from desktop_agent.protocol.errors import Refused
from desktop_agent.support.config import HistorySettings
from tests.support.recorded_run import RecordedRun, recorded


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    return tmp_path / "runs"


def name_of(days_ago: float, number: int = 1) -> str:
    return time.strftime(f"%Y%m%d-%H%M%S-{number:016x}", time.localtime(time.time() - days_ago * 86_400))


def test_nothing_of_a_deleted_run_is_left(runs: Path) -> None:
    folder = recorded(runs, 2, goal="Something xylophonic")
    other = recorded(runs, 1)
    find_runs(runs)
    assert b"xylophonic" in index_path(runs).read_bytes()
    delete_run(runs, folder.name)
    assert not folder.exists() and not heads.path_of(heads.folder_of(folder), folder.name).exists()
    assert b"xylophonic" not in index_path(runs).read_bytes()
    assert [each.name for each in find_runs(runs)] == [other.name]


@pytest.mark.parametrize("name", ["..", "holiday", "", "20200101-000000-0123456789abcdef"])
def test_only_runs_of_ours_are_deleted(runs: Path, name: str) -> None:
    recorded(runs, 1)
    (runs / "holiday").mkdir()
    with pytest.raises(Refused):
        delete_run(runs, name)
    assert (runs / "holiday").is_dir()


def test_a_link_is_not_followed(runs: Path, tmp_path: Path) -> None:
    target = tmp_path / "documents"
    target.mkdir()
    (target / "letter.txt").write_text("dear")
    folder = recorded(runs, 1)
    (folder / "more").symlink_to(target)
    delete_run(runs, folder.name)
    linked = runs / "20200101-000000-0123456789abcdef"
    linked.symlink_to(target)
    with pytest.raises(Refused):
        delete_run(runs, linked.name)
    assert (target / "letter.txt").read_text() == "dear"


def test_no_run_is_deleted_while_one_is_under_way(runs: Path) -> None:
    old = recorded(runs, 1)
    busy = RecordedRun(runs)
    with run_locked(busy.folder):
        os.utime(busy.folder / "lock", (1, 1))
        for name in (busy.name, old.name):
            with pytest.raises(Refused, match="under way"):
                delete_run(runs, name)
    busy.close()
    delete_run(runs, old.name)


def test_a_run_that_begins_meanwhile_does_not_take_it_for_tampering(runs: Path) -> None:
    old, kept = recorded(runs, 1), recorded(runs, 1)
    watch = OwnWrites(runs / name_of(0))
    assert not watch.holds(str(old / "events.jsonl"))
    delete_run(runs, old.name)
    assert watch.holds(str(old / "events.jsonl")) and not watch.holds(str(kept / "events.jsonl"))
    assert watch.holds(str(index_path(runs)))


def test_old_runs_go_at_the_limit_of_days(runs: Path) -> None:
    names = [recorded(runs, 0, name=name_of(days, days)).name for days in (40, 20, 5)]
    assert apply_retention(runs, HistorySettings(keep_days=30)) == names[:1]
    assert sorted(each.name for each in runs.iterdir()) == sorted(names[1:])


def test_the_newest_run_stays_however_old_and_large(runs: Path) -> None:
    names = [recorded(runs, 3, name=name_of(days, days)).name for days in (400, 300)]
    assert apply_retention(runs, HistorySettings(keep_days=1)) == names[:1]
    assert (runs / names[1]).is_dir()


def test_the_oldest_go_at_the_limit_of_room(runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folders = [recorded(runs, 20, name=name_of(days, days)) for days in (3, 2, 1)]
    size = max(map(folder_size, folders))
    monkeypatch.setattr("desktop_agent.history.retention.MEGABYTE", size)
    assert apply_retention(runs, HistorySettings(keep_megabytes=2)) == [folders[0].name]


def test_without_limits_nothing_is_deleted(runs: Path) -> None:
    recorded(runs, 1, name=name_of(4_000))
    recorded(runs, 1)
    thread = start_retention(runs, HistorySettings())
    thread.join(30)
    assert len(list(runs.iterdir())) == 2
