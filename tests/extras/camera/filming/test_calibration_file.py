"""The calibration's file: what is written is read again, and what is wrong with it is said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from desktop_agent.extras.camera.filming.calibration_file import (
    CameraCalibration,
    calibration_path,
    read_calibration,
    write_calibration,
)
from desktop_agent.extras.camera.filming.light import LightMap
from desktop_agent.extras.camera.filming.screen_place import ScreenPlace
from desktop_agent.protocol.errors import ConfigError, Refused
from desktop_agent.protocol.geometry import Size

PLACE = ScreenPlace(
    ((100.25, 90.5), (1800.0, 100.0), (1790.0, 1000.0), (90.0, 1010.0)), Size(1280, 800), Size(1920, 1080), (0.01, 0.0), 0.2, 17, 18
)  # fmt: skip
LIGHT = LightMap(2, 2, (1.0,) * 12, (200.0,) * 12)
WHOLE = CameraCalibration("/dev/video0", PLACE, LIGHT, "2026-01-02T03:04:05+00:00")


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "camera" / "desk.json"
    for each in (WHOLE, CameraCalibration("0", PLACE, None, WHOLE.when)):
        write_calibration(path, each)
        assert read_calibration(path) == each
    assert [each.name for each in path.parent.iterdir()] == ["desk.json"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"version": 2}, "is of version 2"),
        ({"place": None}, "damaged"),
        ({"light": {"columns": 3, "rows": 2, "black": [1.0] * 12, "white": [1.0] * 12}}, "number of places"),
        ({"extra": 1}, "damaged"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, change: dict[str, object], words: str) -> None:
    path = tmp_path / "desk.json"
    write_calibration(path, WHOLE)
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(ConfigError, match=words) as told:
        read_calibration(path)
    assert "desktop-agent calibrate" in told.value.advice


def test_a_place_that_cannot_be_is_damage(tmp_path: Path) -> None:
    path = tmp_path / "desk.json"
    write_calibration(path, WHOLE)
    path.write_text(path.read_text().replace("1800.0", "-1800.0"))
    with pytest.raises(ConfigError, match="not in the camera's picture"):
        read_calibration(path)


def test_missing_and_unreadable_files_are_said(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no calibration"):
        read_calibration(tmp_path / "none.json")
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="damaged"):
        read_calibration(tmp_path / "bytes.json")


@pytest.mark.parametrize("name", ["", "../x", "a b", "a/b", ".x"])
def test_a_name_is_no_path(name: str) -> None:
    with pytest.raises(Refused, match="no name"):
        calibration_path(name)
