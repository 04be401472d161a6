"""Runs are found by words, application, outcome, cost and time; the index is only a cache."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from desktop_agent.history import run_index
from desktop_agent.history.run_index import RunIndex, find_runs, index_path
from desktop_agent.history.run_query import EVERY_RUN, RunQuery, day, outcomes_named
from desktop_agent.history.run_summary import RunSummary, summarize
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.errors import Refused
from tests.support.recorded_run import RecordedRun, recorded
from tests.systems import kept_private

FIRST, SECOND, THIRD = (f"2026110{n}-120000-000000000000000{n}" for n in (1, 2, 3))


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    place = tmp_path / "runs"
    recorded(place, 1, goal="Send the Formular to Jürgen", name=FIRST)
    recorded(place, 5, goal="Copy photos", name=SECOND)
    run = RecordedRun(place, THIRD)
    run.begin("Sort mails", window="Inbox – Thunderbird")
    run.feed.emit(say.Status(state="stopped", detail="you pressed Esc"))
    run.close()
    return place


@pytest.fixture(params=["fts", "scan"])
def words_by(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """With and without FTS5."""
    if request.param == "scan":
        monkeypatch.setattr(run_index, "WORDS_TABLE", "CREATE VIRTUAL TABLE words USING no_such_module(text)")
    yield request.param


def names(runs: Path, query: RunQuery = EVERY_RUN) -> list[str]:
    return [each.name for each in find_runs(runs, query)]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("", [THIRD, SECOND, FIRST]), ("photos", [SECOND]), ("PHO", [SECOND]), ("jürgen formular", [FIRST]),
        ("thunderbird", [THIRD]), ("photos jürgen", []), ('"; DROP TABLE run; --', []), ("NEAR(a b)", []), ("*", [THIRD, SECOND, FIRST]),
    ],
)  # fmt: skip
def test_words_are_found_in_goals_texts_and_titles(
    runs: Path, words_by: str, words: str, found: list[str]
) -> None:
    with closing(RunIndex(runs)) as index:
        index.refresh()
        assert index._words == (words_by == "fts")
    assert sorted(names(runs, RunQuery(words=words))) == sorted(found)


def test_applications_outcomes_cost_and_time(runs: Path) -> None:
    assert names(runs, RunQuery(outcomes=("stopped",))) == [THIRD]
    assert (
        len(names(runs, RunQuery(application="MousePad"))) == 3
        and names(runs, RunQuery(application="gimp")) == []
    )
    assert names(runs, RunQuery(least_dollars=0.03)) == [SECOND]
    assert names(runs, RunQuery(most_dollars=0.03)) == [FIRST], "a run of unknown cost matches no bound"
    started = find_runs(runs)[0].started
    assert (
        len(names(runs, RunQuery(since=started - 3_600))) == 3
        and names(runs, RunQuery(until=started - 3_600)) == []
    )


def test_only_what_is_new_or_changed_is_read(runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    find_runs(runs)
    read: list[str] = []

    def noting(folder: Path) -> tuple[RunSummary, str]:
        read.append(folder.name)
        return summarize(folder)

    monkeypatch.setattr(run_index, "summarize", noting)
    assert len(find_runs(runs)) == 3 and read == []
    fourth = recorded(runs, 1, goal="New")
    with (runs / SECOND / "events.jsonl").open("ab") as log:
        log.write(b"x")
    assert len(find_runs(runs)) == 4 and sorted(read) == sorted([fourth.name, SECOND])


def test_a_run_that_is_gone_is_taken_out(runs: Path) -> None:
    find_runs(runs)
    (runs / FIRST).rename(runs.parent / "elsewhere")
    assert FIRST not in names(runs)


@pytest.mark.parametrize("damage", ["garbage", "version", "rows", "folder"])
def test_a_damaged_index_is_made_anew(runs: Path, damage: str) -> None:
    find_runs(runs)
    path = index_path(runs)
    if damage == "garbage":
        path.write_bytes(b"no database at all" * 500)
    elif damage == "folder":
        path.unlink()
        path.mkdir()
    else:
        with closing(sqlite3.connect(path)) as db:
            db.execute("PRAGMA user_version = 77" if damage == "version" else "DROP TABLE run")
    assert len(names(runs)) == 3


def test_the_index_is_for_its_user_alone(runs: Path) -> None:
    find_runs(runs)
    path = index_path(runs)
    assert kept_private(path) and kept_private(path.parent)


def test_foreign_folders_are_listed_with_what_is_wrong(runs: Path, tmp_path: Path) -> None:
    (runs / "holiday").mkdir()
    (runs / "holiday" / "photo.jpg").write_bytes(b"x")
    (runs / "link").symlink_to(tmp_path)
    found = {each.name: each for each in find_runs(runs)}
    assert found["holiday"].trouble[0] == "This folder was not made by this program."
    assert "link" not in found and len(found) == 4


def test_days_and_outcomes_of_the_command_line() -> None:
    assert day("2026-11-25") - day("2026-11-24") == 86_400
    assert outcomes_named("done") == ("verified", "said", "unchecked") and outcomes_named("under-way") == (
        "under_way",
    )
    for wrong in (lambda: day("yesterday"), lambda: outcomes_named("nice")):
        with pytest.raises(Refused):
            wrong()
