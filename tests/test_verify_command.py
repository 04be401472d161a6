"""`desktop-agent verify`: plain words, JSON, and exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from desktop_agent.cli import main
from tests.agent.test_audit import recorded


def test_a_whole_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = recorded(tmp_path)
    assert main(["verify", "--strict", str(run)]) == 0
    assert capsys.readouterr().out == f"{run / 'events.jsonl'}: whole, 7 records, witnessed to the end.\n"


def test_a_broken_log_among_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = recorded(tmp_path / "one"), recorded(tmp_path / "two")
    log = bad / "events.jsonl"
    log.write_bytes(log.read_bytes().replace(b"fact 2", b"fact 9"))
    assert main(["verify", str(bad), str(good)]) == 1
    out = capsys.readouterr().out
    assert f"{log}: BROKEN, 7 records.\n  line 5: was changed.\n  Trust what stands before" in out
    assert "witnessed to the end" in out


def test_a_log_that_was_cut_short(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = recorded(tmp_path, close=False)
    assert main(["verify", str(run)]) == 0
    assert "whole, 7 records.\n  The run was not closed" in capsys.readouterr().out
    assert main(["verify", "--strict", str(run)]) == 1


def test_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = recorded(tmp_path)
    assert main(["verify", "--json", str(run)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["whole"], found["certain"], found["lines"], found["problems"]) == (True, True, 7, [])


def test_what_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(tmp_path / "no")]) == 2
    said = capsys.readouterr().err
    assert "cannot be read: No such file" in said and "Name the log" in said
    with pytest.raises(SystemExit) as ended:
        main(["verify"])
    assert ended.value.code == 2
