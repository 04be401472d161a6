"""A desktop works one goal after another in processes of its own, which never outlive it, its lease or its owner."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from desktop_agent.extras.fleet import child_run
from desktop_agent.extras.fleet.child_run import ChildRun, environment
from desktop_agent.extras.fleet.desktop_actor import DesktopActor, LeaseRanOut, remove_left_over
from desktop_agent.extras.fleet.ended_goal import EndedGoal
from tests.support import fleet_stand_in as stand_in
from tests.support.waiting import until

pytestmark = pytest.mark.linux("the kernel of Linux ends a child with its parent")


def lives(pid: int) -> bool:
    """Is it there, and more than a name that nobody has asked about yet?"""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.fixture
def actor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[DesktopActor]:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    made = DesktopActor(stand_in.launch, 60.0)
    yield made
    made.close()


def work(actor: DesktopActor, words: str) -> EndedGoal:
    return actor.work(("--json", "--", words))


def begun(journal: Path, what: str = "begun") -> int:
    found = until(lambda: [each for each in stand_in.journal_of(journal) if each["what"] == what], what)
    return int(found[0]["pid" if what == "begun" else "child"])


def test_one_goal_after_another_with_its_record(actor: DesktopActor, tmp_path: Path) -> None:
    for name, code in (("a", 0), ("b", 4)):
        ended = work(actor, stand_in.words_for(name, tmp_path / "journal", exit=code, bytes=3 << 20))
        assert (ended.exit_code, ended.summary, ended.dollars, ended.dollars_complete, ended.steps) == (
            code,
            f"{name} is done",
            0.25,
            False,
            3,
        )
        assert ended.recording == stand_in.RUN and ended.size > 3 << 20
        assert len(actor.piece(0)) < ended.size
    assert not [each for each in stand_in.journal_of(tmp_path / "journal") if each["what"] == "twice"]


def test_ray_s_variables_and_the_user_s_data_are_not_the_program_s(tmp_path: Path) -> None:
    found = environment({"RAY_AUTH_TOKEN": "x", "PATH": "p", "XDG_DATA_HOME": "/mine"}, tmp_path)
    assert "RAY_AUTH_TOKEN" not in found and found["PATH"] == "p"
    assert found["XDG_DATA_HOME"] == str(tmp_path / "data")
    assert found["XDG_DATA_DIRS"] == "/mine:/usr/local/share:/usr/share"


def test_what_cannot_be_started_is_no_end_of_a_goal(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="cannot be started"):
        ChildRun(["/nowhere/desktop-agent"], tmp_path).run()


def test_a_program_that_says_nothing_is_known_by_its_errors(tmp_path: Path) -> None:
    script = (
        "import sys; print('[1]'); print('x' * 3_000_000); sys.stderr.write('no such option'); sys.exit(2)"
    )
    ended = ChildRun([sys.executable, "-c", script], tmp_path).run()
    assert (ended.exit_code, ended.summary, ended.recording) == (2, "no such option", "")


def test_a_record_outside_of_its_data_folder_is_not_taken(tmp_path: Path) -> None:
    (tmp_path / "scratch").mkdir()
    run = ChildRun(["/bin/echo", '{"type": "recording", "path": "/etc"}'], tmp_path / "scratch")
    run.run()
    assert run.recording is None


@pytest.mark.parametrize("name", ["circle", "a\0b"])
def test_a_recording_that_is_no_path_is_none(tmp_path: Path, name: str) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    (scratch / "circle").symlink_to("circle")
    said = msgspec.json.encode({"type": "recording", "path": str(scratch / name)}).decode()
    run = ChildRun(["/bin/echo", said], scratch)
    assert run.run() is not None
    assert run.recording is None


def test_closing_ends_the_program_and_what_it_started(
    actor: DesktopActor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(child_run, "GRACE", 0.2)
    words = stand_in.words_for("a", tmp_path / "journal", gate=str(tmp_path / "gate"), child=True)
    thread = threading.Thread(target=lambda: work(actor, words))
    thread.start()
    started = begun(tmp_path / "journal", "child"), begun(tmp_path / "journal")
    actor.close()
    thread.join(30)
    assert not thread.is_alive() and not any(map(lives, started))
    with pytest.raises(InterruptedError):
        work(actor, words)


def test_a_lease_that_runs_out_ends_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    actor = DesktopActor(stand_in.launch, 0.2)
    with pytest.raises(LeaseRanOut):
        work(actor, stand_in.words_for("a", tmp_path / "journal", gate=str(tmp_path / "gate")))
    actor._lease = 60.0
    assert work(actor, stand_in.words_for("b", tmp_path / "journal")).exit_code == 0
    actor.close()


def test_the_program_ends_with_the_actor_s_process_and_its_folder_is_removed_later(tmp_path: Path) -> None:
    words = stand_in.words_for("a", tmp_path / "journal", gate=str(tmp_path / "gate"))
    script = (
        "import sys; from tests.support import fleet_stand_in as stand_in; from desktop_agent.extras.fleet.desktop_actor import DesktopActor\n"
        "DesktopActor(stand_in.launch, 60.0).work(('--', sys.argv[1]))"
    )
    root = Path(__file__).parents[3]
    owner = subprocess.Popen(
        [sys.executable, "-c", script, words], cwd=root, env={**os.environ, "TMPDIR": str(tmp_path)}
    )
    child = begun(tmp_path / "journal")
    remove_left_over(tmp_path)
    assert len(list(tmp_path.glob("desktop-agent-fleet-*"))) == 1  # in use
    owner.kill()
    owner.wait()
    until(lambda: not lives(child), "the program ends")
    remove_left_over(tmp_path)
    assert not list(tmp_path.glob("desktop-agent-fleet-*"))
