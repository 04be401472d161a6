"""The command line of a fleet: wrong usage, a package that is not there, and results that are all there."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from pathlib import Path

import pytest

from desktop_agent.cli import main
from desktop_agent.extras.fleet.commands import fleet as fleet_cli
from desktop_agent.extras.fleet.fleet_folder import FleetFolder, GoalResult
from desktop_agent.support import optional_package


@pytest.fixture(autouse=True)
def ray_is_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(optional_package, "require", lambda *_: None)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def goals(folder: Path, text: str = "do it\n") -> str:
    (folder / "goals.txt").write_text(text)
    return str(folder / "goals.txt")


@pytest.mark.parametrize(
    "words",
    [
        ["run"],
        [],
        ["run", "a", "--resume", "b"],
        ["run", "a", "--at-once", "0"],
        ["run", "a", "--tries", "x"],
    ],
)
def test_wrong_usage(words: Sequence[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["fleet", *words])
    assert caught.value.code == 2


def test_without_ray_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.undo()
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    assert main(["fleet", "run", goals(tmp_path), "--out", str(tmp_path / "out")]) == 2
    said = capsys.readouterr().err
    assert "The package ray, which a fleet needs" in said and '"desktop-agent[fleet]"' in said
    assert not (tmp_path / "out").exists()


def test_a_wrong_file_of_goals_makes_no_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fleet", "run", goals(tmp_path, "a\n{\n"), "--out", str(tmp_path / "out")]) == 2
    assert "goals.txt, line 2: not a goal in JSON" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(("codes", "code"), [((0, 0), 0), ((0, 4), 1)])
def test_goals_that_have_a_result_are_not_worked_again(
    codes: Sequence[int], code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, file = tmp_path / "out", goals(tmp_path, "a\nb\n")
    with FleetFolder(out) as folder:
        for number, (goal, each) in enumerate(zip("ab", codes, strict=True), 1):
            folder.keep(GoalResult(f"{number:04d}-{goal}", goal, each, 1.0, "n", 1))
    assert fleet_cli.main(["run", file, "--out", str(out), "--model", "offline"]) == code
    assert fleet_cli.main(["run", "--resume", str(out)]) == code
    assert f"{codes.count(0)} done, {2 - codes.count(0)} failed, 0 running, 0 left" in capsys.readouterr().out
    assert '"offline"' in (out / "order.json").read_text()
    assert fleet_cli.main(["run", "--resume", str(tmp_path)]) == 2
