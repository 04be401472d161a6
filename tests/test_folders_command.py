"""`desktop-agent folders` names the folders that the program uses."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_agent.cli import main
from desktop_agent.support import paths


def test_each_folder_has_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("settings", "data", "logs"):
        monkeypatch.setattr(paths, name, lambda name=name: tmp_path / name)
    assert main(["folders"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines == [[name, str(tmp_path / name)] for name in ("settings", "data", "logs")]
