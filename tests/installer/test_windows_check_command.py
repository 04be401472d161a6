"""The command: what it says where the check cannot be made, what a failure comes to, and what it keeps."""

from __future__ import annotations

import json
import os
import platform
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from installer.windows_check import __main__ as command
from installer.windows_check import parts, ready, workshop
from installer.windows_check.outcome import Broken, Budget, Outcome, OutOfTime, Refused, Skipped
from installer.windows_check.progress import Progress

ROOT = Path(__file__).resolve().parent.parent.parent
RIGHTS = ready.require_rights


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own, on a machine where everything is permitted, with everything built."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(ready, "require_rights", lambda folder: None)
    monkeypatch.setattr(ready, "require_tools", lambda progress: None)
    (workshop.cache() / workshop.version(ROOT)).mkdir()
    return workshop.cache()


def part(monkeypatch: pytest.MonkeyPatch, do: Callable[[Progress], None]) -> None:
    monkeypatch.setattr(parts, "whole", lambda root, source, progress: do(progress))


def summary(cache: Path) -> dict[str, object]:
    (file,) = (cache / "results").glob("*/summary.json")
    said: dict[str, object] = json.loads(file.read_text(encoding="utf-8"))
    return said


def test_who_is_not_root_is_told_so_and_nothing_is_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert command.main([]) == 0
    assert capsys.readouterr().out.startswith("skipped: it needs root")
    assert not list(tmp_path.iterdir())


def test_another_processor_is_skipped(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "aarch64")
    assert command.main([]) == 0
    assert capsys.readouterr().out.startswith("skipped: it needs Linux on x86-64")


def test_where_namespaces_are_not_permitted_it_is_skipped(
    cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(ready, "require_rights", RIGHTS)
    monkeypatch.setenv("PATH", "/nowhere")
    assert command.main([]) == 0
    assert capsys.readouterr().out.startswith("skipped: unshare cannot be started")


def test_all_passed(cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    part(monkeypatch, lambda progress: progress.tell("tests", [Outcome("pytest", True, "900 passed", 12.5)]))
    assert command.main([]) == 0
    said = capsys.readouterr().out
    assert "ok       12.5 s  tests: pytest: 900 passed" in said and str(cache / "results") in said
    assert summary(cache)["words"] == "passed"


def test_one_failed(cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    outcomes = [Outcome("Esc", False, "shift stayed down", 3.0), Outcome("text", True, "exact", 3.0)]
    part(monkeypatch, lambda progress: progress.tell("tests", outcomes))
    assert command.main([]) == 1
    assert "FAILED: tests: Esc" in capsys.readouterr().out and summary(cache)["words"] == "FAILED: tests: Esc"


@pytest.mark.parametrize(
    "error",
    [Broken("no Xvfb"), Refused("no mounts"), OSError("no room"), subprocess.TimeoutExpired("wine", 3)],
)
def test_what_breaks_is_told_and_fails(
    cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], error: Exception
) -> None:
    def fail(progress: Progress) -> None:
        raise error

    part(monkeypatch, fail)
    assert command.main([]) == 1
    assert f"FAILED: {error}" in capsys.readouterr().out


def test_what_nobody_foresaw_fails_too_and_the_summary_is_kept(
    cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(progress: Progress) -> None:
        raise ValueError("the screen went away")

    part(monkeypatch, fail)
    assert command.main([]) == 1
    assert summary(cache)["words"] == "FAILED: ValueError: the screen went away"
    assert "Traceback" in capsys.readouterr().err


def test_a_full_disk_changes_neither_the_words_nor_the_status(
    cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fill(progress: Progress) -> None:
        (progress.kept / "summary.json").symlink_to("/dev/full")
        raise OSError("No space left on device")

    part(monkeypatch, fill)
    assert command.main([]) == 1
    said = capsys.readouterr().out
    assert "FAILED: No space left on device" in said and "The summary could not be written" in said


def test_a_cache_that_cannot_be_written_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert command.main([]) == 1
    assert capsys.readouterr().out.startswith("FAILED: ")


def test_what_turns_out_not_to_be_there_is_skipped(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def skip(progress: Progress) -> None:
        raise Skipped("the network is not there")

    part(monkeypatch, skip)
    assert command.main([]) == 0
    assert summary(cache)["words"] == "skipped: the network is not there"


@pytest.mark.parametrize(
    ("number", "status", "words"),
    [(signal.SIGALRM, 1, "took longer than its 40 minutes"), (signal.SIGTERM, 130, "interrupted")],
)
def test_out_of_time_or_told_to_end_it_ends_in_order(
    cache: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    number: int,
    status: int,
    words: str,
) -> None:
    def goes_on(progress: Progress) -> None:
        try:
            os.kill(os.getpid(), number)
            signal.sigtimedwait([], 20)
        except Exception:  # noqa: BLE001 - as a part does that goes on with the next scenario
            progress.tell("tests", [Outcome("went on", True, "", 0.0)])

    part(monkeypatch, goes_on)
    before = signal.getsignal(number)
    assert command.main([]) == status
    assert words in capsys.readouterr().out
    assert signal.getsignal(number) is before


def test_only_the_newest_results_are_kept(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for day in range(10, 20):
        (cache / "results" / f"202601{day}-120000-1").mkdir(parents=True)
    part(monkeypatch, lambda progress: None)
    assert command.main([]) == 0
    left = sorted(each.name for each in (cache / "results").iterdir())
    assert len(left) == workshop.RESULTS_KEPT and left[0] == "20260116-120000-1"


def test_a_budget_gives_each_part_its_own_or_what_is_left() -> None:
    assert Budget(60).part(5) == 5
    assert Budget(60).part(600) <= 60
    with pytest.raises(Broken, match="longer than its 0 minutes"):
        Budget(0).part(5)
    assert not issubclass(OutOfTime, Exception)
