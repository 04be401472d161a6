"""`desktop-agent calibrate`: writes the page, finds the screen, keeps and shows what it found."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import pytest

from benchmarks.camera_parts.screen_painter import Look, paint
from desktop_agent.cli import main
from desktop_agent.extras.camera.filming.calibration_file import glyphs_path, read_calibration
from desktop_agent.extras.camera.terminal_text import learned_glyphs
from desktop_agent.extras.camera.terminal_text.glyph_templates import ASCII
from desktop_agent.protocol.geometry import Size
from desktop_agent.support import resources
from tests.support.filmed_changes import page
from tests.support.simulated_camera import FAIR, SimulatedCamera, filming

SMALL = replace(FAIR, size=(960, 540))
"""Before a screen of half the usual size each of its pixels is seen as well."""


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("desktop_agent.support.paths.data", lambda: tmp_path)
    return tmp_path / "camera" / "desk.json"


def test_it_finds_shows_and_keeps(kept: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written = tmp_path / "page.png"
    assert main(["calibrate", "--page", str(written), "--size", "640x400"]) == 0
    screen = cv2.imread(str(written))
    assert screen is not None
    with filming(lambda: screen, SMALL) as served:
        words = [
            "calibrate",
            "--camera",
            served.address,
            "--name",
            "desk",
            "--show",
            str(tmp_path / "seen.png"),
        ]
        assert main(words) == 0
    said = capsys.readouterr().out
    assert "A screen of 640x400 pixels" in said and "18 of 18 markers" in said and "Kept as desk" in said
    found = read_calibration(kept)
    assert found.place.size == Size(640, 400) and found.light is not None
    flat = cv2.imread(str(tmp_path / "seen-screen.png"))
    assert flat is not None and flat.shape == (400, 640, 3)
    assert (cv2.absdiff(cv2.blur(flat, (9, 9)), cv2.blur(page(2), (9, 9))) < 40).mean() > 0.99


def test_corners_by_hand(kept: Path, tmp_path: Path) -> None:
    film = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(film), cv2.VideoWriter.fourcc(*"MJPG"), 30, SMALL.size)
    picture = SimulatedCamera(lambda: page(2), SMALL).shot()
    for _ in range(20):
        writer.write(picture)
    writer.release()
    corners = ["125,48.5", "864,75.5", "835,502", "96,486"]
    words = ["calibrate", "--camera", str(film), "--name", "desk", "--size", "640x400", "--corners", *corners]
    assert main(words) == 0
    assert read_calibration(kept).place.corners[0] == (125.0, 48.5)
    assert main([*words[:-1], "9000,1"]) == 1


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--camera", "nothing.avi"], 1, "no camera or video file"),
        (["--page", "page.png"], 1, "--size"),
        (["--page", "page.txt"], 1, "html"),
        (["--camera", "0", "--name", "../x"], 1, "no name"),
    ],
)
def test_what_fails_is_said(
    words: list[str], code: int, said: str, kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["calibrate", *words]) == code
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    "words", [[], ["--camera", "0", "--size", "big"], ["--camera", "0", "--corners", "1,2"]]
)
def test_wrong_usage_is_two(words: list[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["calibrate", *words])
    assert end.value.code == 2


def test_the_font_of_a_terminal_is_learned_from_the_sheet(kept: Path, tmp_path: Path) -> None:
    sheet, film = tmp_path / "sheet.txt", tmp_path / "film.avi"
    assert main(["calibrate", "--sheet", str(sheet)]) == 0
    look = Look(font=resources.path("fonts", "DejaVuSansMono.ttf"), coloured=False)
    shown = paint(sheet.read_text(encoding="utf-8").splitlines(), look)
    picture = SimulatedCamera(lambda: shown, FAIR, bank=1).shot()
    writer = cv2.VideoWriter(str(film), cv2.VideoWriter.fourcc(*"MJPG"), 30, FAIR.size)
    for _ in range(30):
        writer.write(picture)
    writer.release()
    camera = ["calibrate", "--camera", str(film), "--name", "desk"]
    corners = [f"{x * FAIR.size[0]:.1f},{y * FAIR.size[1]:.1f}" for x, y in FAIR.corners]
    assert main([*camera, "--size", "1280x800", "--corners", *corners]) == 0
    assert main([*camera, "--learn"]) == 0
    assert set(learned_glyphs.load(glyphs_path("desk")).letters) == set(ASCII + learned_glyphs.OTHER_LETTERS)


def test_the_sheet_is_read_from_a_camera_that_is_named(kept: Path) -> None:
    with pytest.raises(SystemExit):
        main(["calibrate", "--sheet", "sheet.txt", "--learn"])
