"""Namespaces: what is mounted in them is not seen outside, and nothing outlives them, however they end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from installer.windows_check import building, ready
from installer.windows_check.machine import Machine
from installer.windows_check.namespace import Namespace
from installer.windows_check.outcome import Broken, Budget, Refused, Skipped
from installer.windows_check.progress import Progress
from tests.desk import until

ROOT = Path(__file__).resolve().parent.parent.parent
# Ends only by being killed, as do its children; the last words tell it from all others.
TREE = 'setsid sleep 1000 & echo up; exec sh -c "sleep 1000; : $0"'
OWNER = """
import os, sys
from installer.windows_check.namespace import Namespace
space = Namespace([["mount", "-t", "tmpfs", "tmpfs", sys.argv[1]]])
space.start(["sh", "-c", sys.argv[2], sys.argv[1]], sys.stdout.buffer)
sys.stdin.read()
"""


@pytest.fixture
def namespace(tmp_path: Path) -> Iterator[Namespace]:
    try:
        made = Namespace([["mount", "-t", "tmpfs", "tmpfs", str(tmp_path)]])
    except Refused as reason:
        pytest.skip(str(reason))
    with made:
        yield made


def mounted(place: Path) -> bool:
    return str(place) in Path("/proc/self/mountinfo").read_text()


def alive(place: Path) -> list[int]:
    """Processes that have the place in their command lines, and those of its namespaces."""
    found = []
    for each in Path("/proc").glob("[0-9]*"):
        try:
            line, state = (
                (each / "cmdline").read_bytes(),
                (each / "stat").read_text().rpartition(")")[2].split()[0],
            )
        except (FileNotFoundError, ProcessLookupError):
            continue
        if str(place).encode() in line and state != "Z" and int(each.name) != os.getpid():
            found.append(int(each.name))
    return found


def test_what_is_mounted_is_seen_inside_and_not_outside(namespace: Namespace, tmp_path: Path) -> None:
    with tempfile.TemporaryFile() as output:
        assert namespace.start(["touch", str(tmp_path / "inside")], output).wait(20) == 0
        assert namespace.start(["ls", str(tmp_path)], output).wait(20) == 0
        output.seek(0)
        assert output.read() == b"inside\n"
    assert not list(tmp_path.iterdir()) and not mounted(tmp_path)


def test_leaving_kills_every_process_in_it(namespace: Namespace, tmp_path: Path) -> None:
    with (tmp_path.parent / "said").open("wb") as output:
        process = namespace.start(["sh", "-c", TREE, str(tmp_path)], output)
    until(lambda: (tmp_path.parent / "said").read_bytes(), "the processes are up")
    namespace.close()
    assert process.wait(20) != 0
    until(lambda: not alive(tmp_path), "all are gone")
    namespace.close()  # a second time changes nothing


def test_killing_what_was_started_kills_what_runs_inside(namespace: Namespace, tmp_path: Path) -> None:
    with (tmp_path.parent / "said").open("wb") as output:
        process = namespace.start(["sh", "-c", 'echo up; sleep 1000; : "$0"', str(tmp_path)], output)
    until(lambda: (tmp_path.parent / "said").read_bytes(), "it is up")
    process.kill()
    process.wait()
    until(lambda: not alive(tmp_path), "it is gone")
    with tempfile.TemporaryFile() as output:
        assert namespace.start(["true"], output).wait(20) == 0, "the others go on"


def test_when_its_owner_is_killed_nothing_is_left(namespace: Namespace, tmp_path: Path) -> None:
    place = tmp_path.parent / "another"
    place.mkdir()
    owner = subprocess.Popen(
        [sys.executable, "-c", OWNER, str(place), TREE],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    assert owner.stdin and owner.stdout
    assert owner.stdout.readline() == b"up\n"
    owner.send_signal(signal.SIGKILL)
    owner.wait()
    until(lambda: not alive(place), "all are gone")
    assert not mounted(place)
    owner.stdin.close()
    owner.stdout.close()


def test_a_mount_that_does_not_work_is_told_with_its_reason(namespace: Namespace) -> None:
    with pytest.raises(Refused, match=r"private mounts .*nowhere"):
        Namespace([["mount", "--bind", "/nowhere", "/nowhere"]])


def test_where_they_are_not_permitted_at_all_the_check_is_skipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(Skipped, match="unshare cannot be started"):
        ready.require_rights(tmp_path)


def test_where_they_are_permitted_nothing_is_said_or_left(namespace: Namespace, tmp_path: Path) -> None:
    place = tmp_path.parent / "cache"
    place.mkdir()
    ready.require_rights(place)
    assert not list(place.iterdir())


def test_a_part_of_the_building_that_takes_too_long_is_ended(namespace: Namespace, tmp_path: Path) -> None:
    progress = Progress(tmp_path.parent / "kept", Budget(60))
    with pytest.raises(Broken, match=r"mmdebstrap took longer than 0 s[\s\S]*kept/log.txt"):
        building._run(namespace, "mmdebstrap", ["sh", "-c", TREE, str(tmp_path)], 0.2, progress)
    namespace.close()
    until(lambda: not alive(tmp_path), "all are gone")


@pytest.mark.parametrize(
    ("said", "error"),
    [
        ("WARNING: Retrying (Retry(total=1, connect=None", Broken),
        ("WARNING: Retrying (Retry(total=0, connect=None", Skipped),
        ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES", Broken),
    ],
)
def test_only_without_a_network_a_failed_download_is_no_failure(
    tmp_path: Path, said: str, error: type[Exception]
) -> None:
    progress = Progress(tmp_path / "kept", Budget(60))
    progress.log.write_text(f"{said}\n")
    pip = subprocess.Popen([sys.executable, "-c", "raise SystemExit(1)"])
    with pytest.raises(error):
        building._finish(pip, progress)


def test_a_program_that_takes_too_long_is_killed_and_what_it_said_is_kept(
    namespace: Namespace, tmp_path: Path
) -> None:
    machine = Machine(":0", tmp_path, tmp_path, tmp_path, namespace, Path("/"))
    said = ["sh", "-c", 'echo up; cd /; sleep 1000; : "$0"', str(tmp_path)]
    with pytest.raises(subprocess.TimeoutExpired) as late:
        machine._run(said, said, 1.0)
    assert late.value.output == "up\n"
    until(lambda: not alive(tmp_path), "it is gone")


def test_what_a_program_leaves_running_does_not_hold_up_its_end(namespace: Namespace, tmp_path: Path) -> None:
    machine = Machine(":0", tmp_path, tmp_path, tmp_path, namespace, Path("/"))
    said = ["sh", "-c", "sleep 1000 & echo done; exit 3"]
    ended: list[subprocess.CompletedProcess[str]] = []
    thread = threading.Thread(target=lambda: ended.append(machine._run(said, said, 30)), daemon=True)
    thread.start()
    thread.join(25)
    assert [(each.returncode, each.stdout) for each in ended] == [(3, "done\n")]
