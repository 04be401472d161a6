"""doctor --deep on a real desktop, and what it says where something is wrong."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from desktop_agent.doctor.deep import run
from desktop_agent.doctor.deep.fixture import Control, Monitor, WindowProcess
from desktop_agent.platforms.host import Peer
from desktop_agent.protocol.errors import TargetError
from desktop_agent.protocol.geometry import Point, Rect
from desktop_agent.vision.observation import Element
from tests.desk import Desk
from tests.project_copy import ROOT

BOX = Control("Name", ("entry", "text"), Rect(10, 10, 100, 20))


def _doctor(environment: dict[str, str], home: Path, *words: str) -> tuple[int, str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.endswith("_API_KEY")}
    ran = subprocess.run(
        [sys.executable, "-m", "desktop_agent", "doctor", "--deep", *words],
        cwd=ROOT,
        env=kept
        | environment
        | {
            "HOME": str(home),
            "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring",
        },
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=280,
    )
    return ran.returncode, ran.stdout, ran.stderr


def test_a_desktop_that_is_well_passes_and_is_left_as_it_was(display: Desk, tmp_path: Path) -> None:
    before = display.target.pointer()
    narrow = {
        "PYTHONUTF8": "0",
        "PYTHONIOENCODING": "ascii:backslashreplace",
    }  # as a packaged program's pipes
    code, out, err = _doctor(display.environment | narrow, tmp_path, "--yes", "--json")
    found: dict[str, Any] = {check["name"]: check for check in json.loads(out)["checks"]}
    for name in (
        "rights",
        "elements",
        "own windows",
        "monitor 1",
        "typing",
        "own Esc",
        "Esc stops",
        "hand killed",
    ):
        assert found[name]["state"] == "ok", (found[name], err)
    assert "1280x800 at 0,0, scaled 100%" in found["monitor 1"]["detail"]
    assert found["own windows"]["detail"] == "painted over in every picture"
    assert code == 0, out
    assert display.held() == (set(), 0) and display.target.pointer() == before
    assert not [each for each in display.target.windows() if "Desktop Agent" in each.title]


def test_a_late_answer_is_not_taken_for_the_next(display: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in display.environment.items():
        monkeypatch.setenv(name, value)
    window = WindowProcess()
    try:
        with pytest.raises(TargetError, match="does not answer"):
            window.ask("exclude", seconds=0.0)
        assert window.ask("clear", seconds=60.0).number == 2
        Peer(window.pid).kill()
        with pytest.raises(TargetError, match=r"it ended with code|still running"):
            window.ask()
    finally:
        window.close()


def test_without_a_yes_nothing_is_taken(tmp_path: Path) -> None:
    code, out, err = _doctor({"DISPLAY": ":4711"}, tmp_path)
    assert code == 2 and not out and "--yes" in err


@pytest.mark.parametrize(("said", "agrees"), [("y\n", True), ("Yes\n", True), ("\n", False), ("no\n", False)])
def test_only_a_yes_is_a_yes(said: str, agrees: bool) -> None:
    assert run.agreed(io.StringIO(said)) is agrees


@pytest.mark.linux("asks for X11")
def test_without_a_display_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", ":4711")
    (check,) = run.checks()
    assert check.state == "broken" and check.needed and check.mend


def told(name: str = "Name", role: str = "entry", place: Rect = BOX.bounds) -> Element:
    return Element("1", role, name, place)


@pytest.mark.parametrize(
    ("found", "words"),
    [
        ([told()], ""),
        ([told(place=Rect(11, 9, 101, 20))], ""),
        ([told(role="button"), told(role="text")], ""),
        ([], "'Name' is not told"),
        ([told(role="button")], "'Name' is told as 'button'"),
        ([told(place=Rect(15, 15, 150, 30))], "'Name' is told at 15,15 150x30 and is at 10,10 100x20"),
    ],
)
def test_a_tree_that_says_otherwise_is_told(found: list[Element], words: str) -> None:
    assert run.difference(BOX, found) == words


def test_the_first_character_that_came_otherwise_is_told() -> None:
    assert run.first_difference("abc", "abc") == "3 arrived"
    assert run.first_difference("abc", "ab") == "2 arrived"
    assert run.first_difference("aüc", "aÜc") == "the 2. of them ('ü') came as 'Ü'"


def test_monitors_left_of_the_primary_one_and_scaled_ones_are_known() -> None:
    known = (Monitor(Rect(0, 0, 2560, 1440), 1.25), Monitor(Rect(-1920, -200, 1920, 1081), 1.0))
    assert run.scale_of(Rect(-1920, -200, 1920, 1080), known) == 1.0  # rounded by a pixel
    assert run.scale_of(Rect(0, 0, 2560, 1440), known) == 1.25
    assert run.scale_of(Rect(0, 0, 2048, 1152), known) == 0.0  # coordinates that are no pixels
    assert run.corners(Rect(-10, -5, 10, 5)) == (
        Point(-10, -5), Point(-1, -5), Point(-10, -1), Point(-1, -1),
    )  # fmt: skip
