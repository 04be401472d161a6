"""The embedded display comes up with all it promises and goes without a trace."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from desktop_agent.platforms.x11.embedded.supervisor import descendants
from desktop_agent.protocol.errors import TargetError
from desktop_agent.protocol.geometry import Size
from desktop_agent.targets import display as embedded
from tests.desk import Desk, until


def alive(pids: list[int]) -> list[int]:
    return [pid for pid in pids if Path(f"/proc/{pid}").exists()]


def test_it_has_the_size_asked_for_and_a_window_manager() -> None:
    target = embedded.create(embedded.Options(width=1024, height=600, background="#123456"))
    target.start()
    try:
        assert target.geometry().bounds.size == Size(1024, 600)
        assert target.observe().pixels[:3] == bytes((0x56, 0x34, 0x12))
    finally:
        target.stop()


def test_a_launched_program_shows_its_window(display: Desk) -> None:
    pid = display.launch("xterm", "-T", "hello there", title="hello there")
    window = display.target.windows()[0]
    assert (window.pid, window.application) == (pid, "XTerm")
    assert not window.bounds.empty


def test_stopping_ends_every_process_and_removes_the_folder(display: Desk) -> None:
    # The second one leaves its parent and its session, as daemons do.
    display.launch("xterm", title="xterm|@|~")
    display.launch("setsid", "-f", "sh", "-c", "trap '' TERM; while :; do sleep 1; done")
    folder = Path(display.environment["XAUTHORITY"]).parent
    keeper = display.target.keeper_pid
    until(lambda: len(descendants(keeper)) >= 8, "all programs running")
    processes = [keeper, *descendants(keeper)]
    display.target.stop()
    display.target.stop()
    assert alive(processes) == []
    assert not folder.exists()


def test_the_session_ends_when_its_owner_is_killed() -> None:
    script = (
        "from desktop_agent.targets import display as d\n"
        "t = d.create(d.Options()); t.start()\n"
        "t.launch(['xterm'])\n"
        "print(t.keeper_pid, t.environment['XAUTHORITY'], flush=True)\n"
        "import signal; signal.pause()\n"
    )
    owner = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert owner.stdout is not None
    with owner:
        keeper, authority = owner.stdout.readline().split()
        processes = [int(keeper), *descendants(int(keeper))]
        owner.kill()
    assert len(processes) >= 4
    until(lambda: not alive(processes), "the end of every process of the session")
    until(lambda: not Path(authority).parent.exists(), "the end of the session's folder")


def test_a_dead_display_is_a_target_error(display: Desk) -> None:
    server = next(p for p in descendants(display.target.keeper_pid) if b"Xvfb" in command(p))
    display.end(server)
    with pytest.raises(TargetError):
        display.target.geometry()
    with pytest.raises(TargetError):
        display.target.observe()


def command(pid: int) -> bytes:
    return Path(f"/proc/{pid}/cmdline").read_bytes()


def test_missing_programs_are_named_with_their_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(TargetError, match="apt-get install xvfb openbox dbus"):
        embedded.create(embedded.Options()).start()


def test_keys_of_model_providers_stay_out_of_the_session(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-for-programs")
    monkeypatch.setenv("SOME_TOKEN", "secret")
    target = embedded.create(embedded.Options())
    target.start()
    try:
        pid = target.launch(["xterm"])
        until(lambda: target.windows(), "a window")
        assert b"sk-not-for" not in Path(f"/proc/{pid}/environ").read_bytes()
        assert b"SOME_TOKEN" not in Path(f"/proc/{pid}/environ").read_bytes()
    finally:
        target.stop()


def test_a_folder_that_cannot_be_made_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", "/proc")
    with pytest.raises(TargetError, match="Make room in /proc"):
        embedded.create(embedded.Options()).start()


@pytest.mark.parametrize("broken", ["/bin/false", "/no/such/python"])
def test_a_keeper_that_does_not_start_leaves_nothing(
    broken: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(sys, "executable", broken)
    target = embedded.create(embedded.Options())
    with pytest.raises(TargetError):
        target.start()
    assert list(tmp_path.iterdir()) == []


def test_a_program_that_cannot_be_started_is_told(shared_display: Desk) -> None:
    with pytest.raises(TargetError, match="no-such-program"):
        shared_display.target.launch(["no-such-program"])


def test_it_can_be_started_again(display: Desk) -> None:
    before = display.target.keeper_pid
    display.target.start()
    assert display.target.keeper_pid == before
    display.target.stop()
    display.target.start()
    assert display.target.keeper_pid != before
    assert display.target.observe().size == Size(1280, 800)
