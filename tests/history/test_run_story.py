"""A run is read as a story, whatever state its log is in."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from desktop_agent.agent.runlog.run_names import run_locked
from desktop_agent.history import logged_run
from desktop_agent.history.run_picture_files import picture_bytes
from desktop_agent.history.run_story import (
    LEAST,
    MOST,
    Moment,
    StoryPicture,
    clock,
    moment_at,
    offsets_of,
    read_story,
)
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.geometry import Point
from tests.support.recorded_run import SCREEN, STEPS, RecordedRun, recorded


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    return tmp_path / "runs"


def test_a_whole_run_is_told_moment_by_moment(runs: Path) -> None:
    run = RecordedRun(runs)
    run.begin("Send it")
    run.click(480, 270)
    run.drag(Point(192, 108), Point(960, 540))
    run.done("Sent.")
    story = read_story(run.close())
    assert (story.goal, story.outcome, story.trouble, story.actions) == ("Send it", "verified", (), 2)
    assert [each.kind for each in story.moments] == [
        "goal",
        "plan",
        "note",
        "action",
        "action",
        "plan",
        "done",
    ]
    _, plan, _, click, drag, step, done = story.moments
    assert plan.words.startswith(f"Plan: 1. {STEPS[0]} · 2.") and step.words == f"Step 4 of 4: {STEPS[3]}"
    assert click.words == "Clicked “Send”" and click.effect == "confirmed"
    assert click.at == pytest.approx((0.25, 0.25), abs=0.001) and click.to is None
    assert drag.at == pytest.approx((0.1, 0.1), abs=0.001)
    assert drag.to == pytest.approx((0.5, 0.5), abs=0.002)
    assert [each.detail for each in done.receipts] == ["the page says “Thank you”"]
    assert story.plans[done.plan] == STEPS and done.step == 3
    assert done.usage is not None and done.usage.dollars == pytest.approx(0.01)
    assert story.applications == ("mousepad", "https://shop.example") and story.titles == ("The shop",)


def test_a_command_is_told_with_what_it_printed(runs: Path) -> None:
    run = RecordedRun(runs)
    run.begin("List it")
    words = "Running a command in bash"
    run.feed.emit(say.Action(number=1, op="run", words=words, exact="run(bash, 'ls')", environment="bash", command="ls"))  # fmt: skip
    run.feed.emit(say.EnvironmentsShown(text="[bash]"))
    run.feed.emit(say.Result(number=1, outcome="done", words="Ran a command in bash", output="a\nb\n"))
    (moment,) = (each for each in read_story(run.close()).moments if each.kind == "action")
    assert (moment.words, moment.command, moment.output) == ("Ran a command in bash", "ls", "a\nb\n")


def test_what_is_said_before_the_first_look_has_its_picture(runs: Path) -> None:
    story = read_story(recorded(runs, 1))
    assert [each.picture for each in story.moments] == [0, 0, 0, 0, 1, 1]
    assert {each.region for each in story.pictures} == {SCREEN}


def test_a_torn_run_was_cut_short(runs: Path) -> None:
    run = RecordedRun(runs)
    run.begin()
    run.click()
    os.close(run.store._file)  # the process ended: nothing was closed
    with (run.folder / "events.jsonl").open("ab") as log:
        log.write(b'{"seq":99')
    story = read_story(run.folder)
    assert story.outcome == "cut" and story.moments[-1].kind == "cut"
    assert any("torn" in each for each in story.trouble)


def test_a_changed_line_is_told_and_the_rest_is_read(runs: Path) -> None:
    folder = recorded(runs, 2)
    log = folder / "events.jsonl"
    log.write_bytes(log.read_bytes().replace(b"step 1.", b"step 9.", 1))
    story = read_story(folder)
    assert any("was changed" in each for each in story.trouble)
    assert story.outcome == "verified" and not story.can_continue


def test_a_moved_run_says_so(runs: Path) -> None:
    folder = recorded(runs, 1)
    other = folder.with_name("20200101-000000-0123456789abcdef")
    folder.rename(other)
    assert any("was moved" in each for each in read_story(other).trouble)


@pytest.mark.parametrize("kind", ["empty", "foreign", "link", "garbage"])
def test_what_is_no_run_of_ours_harms_nothing(runs: Path, tmp_path: Path, kind: str) -> None:
    folder = runs / "20200101-000000-0123456789abcdef"
    folder.mkdir(parents=True)
    log = folder / "events.jsonl"
    if kind == "foreign":
        log.write_text('{"seq": 0, "data": [[[]]]}\n')
    elif kind == "link":
        log.symlink_to(recorded(tmp_path / "elsewhere" / "runs", 1) / "events.jsonl")
    elif kind == "garbage":
        log.write_bytes(os.urandom(5_000) + b"\n" + b"[" * 200_000 + b"\n")
    before = sorted(folder.iterdir())
    story = read_story(folder)
    assert story.trouble and story.outcome == "unreadable" and story.moments == ()
    assert sorted(folder.iterdir()) == before


def test_a_log_that_is_too_large_is_not_read(runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = recorded(runs, 1)
    monkeypatch.setattr(logged_run, "LARGEST", 100)
    assert any("too large" in each for each in read_story(folder).trouble)


def test_records_with_data_of_another_kind_are_left_out(runs: Path) -> None:
    run = RecordedRun(runs)
    run.begin()
    for kind, data in (("action", {"number": "x"}), ("plan", 7), ("look", {}), ("intent", {"operations": 3})):
        run.store.append(kind, data)
    run.done()
    story = read_story(run.close())
    assert story.outcome == "verified"
    assert "4 of its records cannot be understood and are left out." in story.trouble


def test_a_run_under_way_is_seen_and_its_lock_left_alone(runs: Path) -> None:
    run = RecordedRun(runs)
    with run_locked(run.folder):
        run.begin()
        os.utime(run.folder / "lock", (time.time() - 999,) * 2)  # it has been going on for a while
        assert read_story(run.folder).outcome == "under_way"
    assert read_story(run.folder).outcome == "cut"
    assert not read_story(recorded(runs, 1)).can_continue


def test_a_lock_that_was_just_taken_is_not_tried(runs: Path) -> None:
    run = RecordedRun(runs)
    run.begin()
    (run.folder / "lock").touch()
    assert logged_run.is_under_way(run.folder)


def test_a_run_that_was_stopped_can_go_on(runs: Path) -> None:
    run = RecordedRun(runs)
    run.begin()
    run.feed.emit(say.Status(state="stopped", detail="you pressed Esc"))
    story = read_story(run.close())
    assert story.outcome == "stopped" and story.can_continue
    assert story.moments[-1].words == "you pressed Esc"


# ---- pictures ----------------------------------------------------------------------------------


def test_pictures_are_those_that_were_recorded(runs: Path, tmp_path: Path) -> None:
    folder = recorded(runs, 1)
    first, second = read_story(folder).pictures
    assert picture_bytes(folder, first).startswith(b"\xff\xd8\xff")
    (folder / first.file).write_bytes(b"\xff\xd8\xff another picture")
    assert picture_bytes(folder, first) == b""
    whole = (folder / second.file).read_bytes()
    (tmp_path / "other.jpg").write_bytes(whole)
    (folder / second.file).unlink()
    (folder / second.file).symlink_to(tmp_path / "other.jpg")
    assert picture_bytes(folder, second) == b"", "a link is not followed, even to the same picture"


@pytest.mark.parametrize(
    "name", ["../../secret.jpg", "frames/../x.jpg", "/etc/passwd", "frames/xyz.jpg", "frames/ab.svg"]
)
def test_a_picture_has_no_other_name(runs: Path, name: str) -> None:
    assert picture_bytes(recorded(runs, 1), StoryPicture(name, "", SCREEN)) == b""


# ---- time --------------------------------------------------------------------------------------


def test_playing_leaves_out_long_waits_and_hurries_nothing() -> None:
    moments = [Moment(at, "note", "") for at in (0.0, 0.1, 2.1, 700.0)]
    offsets = offsets_of(moments)
    assert offsets == pytest.approx((0.0, LEAST, LEAST + 2.0, LEAST + 2.0 + MOST))
    assert [moment_at(offsets, at) for at in (0.0, 0.39, 0.41, 99.0)] == [0, 0, 1, 3]
    assert offsets_of([]) == () and moment_at((), 5.0) == 0


@pytest.mark.parametrize(("seconds", "words"), [(0, "0:00"), (67.4, "1:07"), (3_725, "1:02:05")])
def test_the_clock(seconds: float, words: str) -> None:
    assert clock(seconds) == words
