"""`desktop-agent runs` lists, shows, exports and deletes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from desktop_agent.commands import runs as runs_cli
from desktop_agent.startup.exit_code import DONE, FAILED, USAGE
from tests.support.recorded_run import RecordedRun, recorded

NAME = "20261105-120000-00000000000000a5"


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    place = tmp_path / "runs"
    recorded(place, 2, goal="Send the form", name=NAME)
    recorded(place, 1, goal="Copy photos", name="20261106-120000-00000000000000a6")
    return place


def said(runs: Path, capsys: pytest.CaptureFixture[str], *words: str, code: int = DONE) -> str:
    assert runs_cli.main(words, runs) == code
    out, err = capsys.readouterr()
    return err if code else out


def test_runs_are_listed_and_searched(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    listed = said(runs, capsys)
    assert (
        listed.index("Copy photos") < listed.index("Send the form")
        and "$0.02" in listed
        and "mousepad" in listed
    )
    assert "Send the form" not in said(runs, capsys, "list", "photos", "--outcome", "done")
    assert said(runs, capsys, "form", "--min-cost", "1") == "No such runs.\n"
    (line,) = said(runs, capsys, "send", "--min-cost", "0.02", "--json").splitlines()
    assert json.loads(line)["name"] == NAME


def test_texts_of_a_run_cannot_steer_the_terminal(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = RecordedRun(runs)
    run.begin("\x1b]52;c;x\x07\nfake line")
    run.close()
    for words in (("list",), ("list", "--json"), ("show", run.name), ("show", run.name, "--json")):
        assert "\x1b" not in said(runs, capsys, *words)


def test_a_run_is_shown_by_the_beginning_of_its_name(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = said(runs, capsys, "show", "20261105")
    assert "Action 2: Clicked “Send”" in shown and "Verified: the page says" in shown and "[2 steps" in shown
    assert "There are 2 runs" in said(runs, capsys, "show", "2026", code=USAGE)
    assert "There is no run" in said(runs, capsys, "show", "1999", code=USAGE)


def test_the_ending_says_what_is_exported(
    runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "run.html"
    said(runs, capsys, "export", NAME, str(page))
    assert page.read_text("utf-8").startswith("<!doctype html>")
    assert "is there already" in said(runs, capsys, "export", NAME, str(page), code=FAILED)
    assert "Endings: .html" in said(runs, capsys, "export", NAME, str(tmp_path / "run.doc"), code=USAGE)


def test_a_run_is_deleted_after_a_yes(
    runs: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs_cli, "_agreed", lambda question: "Send the form" not in question)
    said(runs, capsys, "delete", NAME, code=FAILED)
    assert (runs / NAME).is_dir()
    said(runs, capsys, "delete", NAME, "--yes")
    assert not (runs / NAME).exists()
