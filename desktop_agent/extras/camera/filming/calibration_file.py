"""Keeps how a camera sees a screen in a file: where the screen stands, how bright black and white are, which camera."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

from desktop_agent.extras.camera.filming.light import LightMap
from desktop_agent.extras.camera.filming.screen_place import ScreenPlace, manual_place
from desktop_agent.protocol.errors import ConfigError, Refused
from desktop_agent.support import paths
from desktop_agent.support.paths import private_folder, write_private

VERSION = 1
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_AGAIN = "Set the camera up again: desktop-agent calibrate"


class CameraCalibration(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One camera before one screen.

    `source` is the camera as it was named, without a password; `when` is the time of the calibration (ISO 8601, with
    zone). `light` is None where the corners were given by hand.
    """

    source: str
    place: ScreenPlace
    light: LightMap | None
    when: str
    version: int = VERSION


def calibration_path(name: str) -> Path:
    """The file of a calibration by its name, in the folder of this program's data. Raises Refused for a bad name."""
    if not _NAME.fullmatch(name):
        raise Refused(f"{name!r} is no name for a camera.", "Use letters, digits, _ and -.")
    return paths.data() / "camera" / f"{name}.json"


def glyphs_path(name: str) -> Path:
    """The file of the glyphs that were learned for a camera, beside its calibration. Raises Refused for a bad name."""
    return calibration_path(name).with_suffix(".npz")


def write_calibration(path: Path, calibration: CameraCalibration) -> None:
    """Write the file, whole or not at all. Raises ConfigError."""
    try:
        private_folder(path.parent)
        write_private(path, msgspec.json.format(msgspec.json.encode(calibration), indent=0) + b"\n")
    except OSError as error:
        raise ConfigError(
            f"{path} cannot be written: {error.strerror}.", "Check the folder and its rights."
        ) from error


def read_calibration(path: Path) -> CameraCalibration:
    """The calibration in a file. Raises ConfigError where it is not there, of another version or damaged."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise ConfigError(
            f"There is no calibration {path}.", "Set the camera up: desktop-agent calibrate"
        ) from None
    except OSError as error:
        raise ConfigError(
            f"{path} cannot be read: {error.strerror}.", "Check the file and its rights."
        ) from error
    try:
        version = msgspec.json.decode(data, type=dict[str, msgspec.Raw]).get("version")
        if version is not None and bytes(version) != str(VERSION).encode():
            raise ConfigError(
                f"{path} is of version {bytes(version).decode(errors='replace')}; {VERSION} is read.", _AGAIN
            )
        found = msgspec.json.decode(data, type=CameraCalibration)
        _check(found)
    except (msgspec.DecodeError, ValueError) as error:  # of msgspec, or text that is no UTF-8
        raise ConfigError(f"{path} is damaged: {error}.", _AGAIN) from error
    except Refused as error:
        raise ConfigError(f"{path} is damaged: {error.message}", _AGAIN) from error
    return found


def _check(found: CameraCalibration) -> None:
    """Raises ValueError or Refused for numbers that cannot be."""
    place, light = found.place, found.light
    manual_place(place.corners, place.size, place.camera)
    if light is None:
        return
    if light.columns < 2 or light.rows < 2:
        raise ValueError("the light's grid is too small")
    if not len(light.black) == len(light.white) == light.columns * light.rows * 3:
        raise ValueError("the light's grid has another number of places than it says")
