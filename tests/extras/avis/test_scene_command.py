"""`desktop-agent scene`: what it lists, checks and begins, and what it says where there is no display."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from desktop_agent.cli import main
from desktop_agent.extras.avis.simulation import scene_file
from desktop_agent.extras.avis.simulation.expressions import holds
from desktop_agent.extras.avis.simulation.scene_file import load_scene
from desktop_agent.extras.avis.targets.simulated import Options, SimulatedTarget
from desktop_agent.support import paths

Captured = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's own scenes are in a folder of the test."""
    monkeypatch.setattr(paths, "data", lambda: tmp_path)
    return tmp_path / "scenes"


def test_the_gallery_has_every_scene_with_its_goals(capsys: Captured) -> None:
    assert main(["scene"]) == 0
    told = capsys.readouterr().out
    for name in scene_file.scene_names():
        scene = load_scene(name)
        assert f"{name}  {scene.title}" in told
    assert "Sign in as j.winter with the password quince-27" in told


def test_a_new_scene_works_at_once(own: Path, capsys: Captured) -> None:
    assert main(["scene", "--new", "notes"]) == 0
    assert str(own / "notes.json") in capsys.readouterr().out
    assert main(["scene", "--check", str(own / "notes.json"), "notes"]) == 0
    assert main(["scene"]) == 0
    assert "notes  A new scene  (your own)" in capsys.readouterr().out
    scene = load_scene("notes")
    target = SimulatedTarget(scene, Options())
    widgets = target.desktop.widgets
    target.desktop.give_focus(widgets["note"])
    target.desktop.type("Buy milk\n")
    assert holds(scene.goals[0].reached, target.desktop.names), target.desktop.store


def test_nothing_is_written_over(own: Path, capsys: Captured) -> None:
    assert main(["scene", "--new", "notes"]) == 0
    assert main(["scene", "--new", "notes"]) == 2
    assert "is there already" in capsys.readouterr().err
    assert main(["scene", "--new", "login"]) == 2
    assert main(["scene", "--new", "../up"]) == 2
    assert [each.name for each in own.iterdir()] == ["notes.json"]


def test_what_is_wrong_is_said_with_its_path(tmp_path: Path, capsys: Captured) -> None:
    file = tmp_path / "mine.json"
    file.write_text(
        json.dumps({"format": 1, "title": "x", "ui": [{"element_id": "A", "element_type": "window"}]})
    )
    assert main(["scene", "--check", str(file), "login"]) == 1
    told = capsys.readouterr().out
    assert "$.ui[0].element_id" in told and "login: right" in told
    file.write_text("{")
    assert main(["scene", "--check", str(file)]) == 1
    assert "line 1 column 2" in capsys.readouterr().out
    assert main(["scene", "--check", str(tmp_path / "none.json")]) == 1


@pytest.mark.linux("elsewhere there is always a display")
def test_without_a_display_it_says_how_else(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    assert main(["scene", "login"]) == 1
    assert "--no-window --target simulated:login" in capsys.readouterr().err
