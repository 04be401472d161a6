"""`desktop-agent calibrate`: sets a camera up that looks at a screen: finds the screen in its picture and keeps where it is.

Exit codes: 0 done, 1 the screen is not found, or the camera or a file fails, 2 wrong usage.
"""

from __future__ import annotations

import argparse
import re
import time
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop_agent.commands.run_command import run_command
from desktop_agent.extras.camera.filming.calibration_file import (
    CameraCalibration,
    calibration_path,
    glyphs_path,
    read_calibration,
    write_calibration,
)
from desktop_agent.extras.camera.filming.calibration_page import draw, html_page
from desktop_agent.extras.camera.filming.camera_source import CameraOptions, shown
from desktop_agent.extras.camera.filming.camera_stream import CameraStream
from desktop_agent.extras.camera.filming.light import LightMap, measure_light
from desktop_agent.extras.camera.filming.opencv import opencv
from desktop_agent.extras.camera.filming.picture_hints import picture_hints
from desktop_agent.extras.camera.filming.rectifier import Rectifier
from desktop_agent.extras.camera.filming.screen_finder import find_screen
from desktop_agent.extras.camera.filming.screen_place import Corner, ScreenPlace, manual_place
from desktop_agent.extras.camera.terminal_text import learned_glyphs
from desktop_agent.extras.camera.terminal_text.terminal_reader import learn_glyphs
from desktop_agent.protocol.errors import ConfigError, Refused
from desktop_agent.protocol.geometry import Size
from desktop_agent.startup.exit_code import DONE

if TYPE_CHECKING:
    from numpy.typing import NDArray

EXAMPLES = (
    ("calibrate --camera SOURCE", "set up a camera that looks at a screen; --page writes what it has to see"),
)

_SECONDS = 15.0
"""How long the camera may take for a picture: some need ten seconds to begin."""
_NAMES = ("top left", "top right", "bottom right", "bottom left")


def main(words: Sequence[str]) -> int:
    """Do what the arguments say."""
    parser = _parser()
    given = parser.parse_args(list(words))
    if not given.page and not given.sheet and given.camera is None:
        parser.error("say which camera (--camera 0), or write the page that it has to see (--page FILE)")
    if given.learn and given.camera is None:
        parser.error("--learn reads the sheet from a camera: say which (--camera 0)")
    return run_command("calibrate", lambda: _act(given))


def _act(given: argparse.Namespace) -> int:
    if given.page:
        _write_page(Path(given.page), given.size)
    if given.sheet:
        _write_sheet(Path(given.sheet))
    if given.learn:
        _learn(given)
    elif given.camera is not None:
        _calibrate(given)
    return DONE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="desktop-agent calibrate",
        description="Sets up a camera that looks at the screen of another computer.",
        epilog="First show the page on that computer at full screen: --page page.html, opened in its browser.",
    )
    add = parser.add_argument
    add(
        "--camera",
        metavar="SOURCE",
        help="device number, /dev/video0, video file, or address (http://…, rtsp://…)",
    )
    add("--page", metavar="FILE", help="write the page for the filmed screen: *.html, or *.png with --size")
    add(
        "--size",
        type=_size,
        metavar="WxH",
        help="the filmed screen's size in pixels, for *.png and --corners",
    )
    add("--corners", nargs=4, type=_corner, metavar="X,Y", help="the screen's corners in the camera's picture, clockwise from its top left")  # fmt: skip
    add("--resolution", type=_size, metavar="WxH", help="the size of the camera's pictures that is asked for")
    add("--show", metavar="FILE", help="save the camera's picture with what was found (*.png or *.jpg), and beside it FILE-screen")  # fmt: skip
    add("--sheet", metavar="FILE", help="write a text by which a terminal's font is learned: clear; cat FILE")
    add("--learn", action="store_true", help="learn the font of the terminal that shows the sheet; the camera is set up already")  # fmt: skip
    add("--name", default="screen", help="the name under which it is kept (default: %(default)s)")
    return parser


def _size(text: str) -> Size:
    if not (match := re.fullmatch(r"(\d{2,5})x(\d{2,5})", text)):
        raise argparse.ArgumentTypeError(f"{text!r} is no size; write it like 1280x800")
    return Size(int(match[1]), int(match[2]))


def _corner(text: str) -> Corner:
    number = r"-?\d{1,5}(?:\.\d+)?"
    if not (match := re.fullmatch(rf"({number}),({number})", text)):
        raise argparse.ArgumentTypeError(f"{text!r} is no corner; write it like 210,96.5")
    return float(match[1]), float(match[2])


def _write_page(path: Path, size: Size | None) -> None:
    """Write the page as HTML, or as a picture of one size."""
    if path.suffix.lower() == ".png":
        if size is None:
            raise Refused("A picture of the page has one size.", "Give the filmed screen's: --size 1280x800")
        import numpy as np

        pixels = np.frombuffer(draw(size.width, size.height), np.uint8).reshape(size.height, size.width, 4)
        _save(path, pixels[..., :3])
    elif path.suffix.lower() in (".html", ".htm"):
        try:
            path.write_text(html_page(), encoding="utf-8")
        except OSError as error:
            raise ConfigError(f"{path} cannot be written: {error.strerror}.") from error
    else:
        raise Refused(f"{path} is neither a page nor a picture.", "Name it *.html or *.png.")
    print(f"{path} is written. Show it at full screen on the computer that the camera looks at.")


def _write_sheet(path: Path) -> None:
    """Write the text by which glyphs are learned; its last line has no end, so that a prompt does not move it up."""
    try:
        path.write_text(learned_glyphs.sheet(), encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"{path} cannot be written: {error.strerror}.") from error
    print(f"{path} is written. Show it in the filmed terminal: clear; cat {path.name}; sleep 600")


def _learn(given: argparse.Namespace) -> None:
    """Learn the glyphs of the terminal that shows the sheet, and keep them beside the camera's calibration."""
    path = glyphs_path(given.name)
    record = read_calibration(calibration_path(given.name))
    _, picture = _pictures(given.camera, given.resolution)
    flat = Rectifier(record.place, record.light).flat(picture)
    glyphs = learn_glyphs(flat, learned_glyphs.sheet())
    try:
        learned_glyphs.save(glyphs, path)
    except OSError as error:
        raise ConfigError(
            f"{path} cannot be written: {error.strerror}.", "Check the folder and its rights."
        ) from error
    print(f"{len(glyphs.letters)} characters are learned. Kept as {given.name}: {path}")


def _save(path: Path, picture: NDArray[Any]) -> None:
    if path.suffix.lower() not in (".png", ".jpg", ".jpeg"):
        raise Refused(f"{path} is no name for a picture.", "Name it *.png or *.jpg.")
    done, data = opencv().imencode(path.suffix, picture)
    try:
        if not done:
            raise ConfigError(f"{path} cannot be written as {path.suffix}.")
        path.write_bytes(bytes(data))
    except OSError as error:
        raise ConfigError(f"{path} cannot be written: {error.strerror}.") from error


def _calibrate(given: argparse.Namespace) -> None:
    """Find the screen, say how well it is seen, and keep it."""
    path = calibration_path(given.name)
    before, picture = _pictures(given.camera, given.resolution)
    light: LightMap | None = None
    try:
        if given.corners:
            if given.size is None:
                raise Refused("Corners alone do not tell the screen's size.", "Give it: --size 1280x800")
            place = manual_place(given.corners, given.size, Size(picture.shape[1], picture.shape[0]))
        else:
            place = find_screen(picture)
            light = measure_light(picture, place)
    except Refused:
        if given.show:
            _save(Path(given.show), picture)
            print(f"{given.show}: what the camera sees.")
        raise
    print(_told(place))
    for hint in picture_hints(picture, None if given.corners else place, before):
        print(f"  ! {hint}")
    if given.show:
        _show(Path(given.show), picture, place, light)
    when = datetime.now().astimezone().isoformat(timespec="seconds")
    write_calibration(path, CameraCalibration(shown(given.camera), place, light, when))
    print(f"Kept as {given.name}: {path}")


def _pictures(source: str, resolution: Size | None) -> tuple[NDArray[Any], NDArray[Any]]:
    """Two pictures of the camera, one after the other, once its exposure has had time to adapt."""
    wish = CameraOptions(width=resolution.width, height=resolution.height) if resolution else CameraOptions()
    stream = CameraStream(source, wish)
    try:
        found = [stream.frame_after(time.monotonic(), _SECONDS, _never).pixels for _ in range(6)]
    finally:
        stream.close()
    return found[-2], found[-1]


def _never() -> None:
    """Nothing stops the waiting but its end, or Ctrl+C."""


def _told(place: ScreenPlace) -> str:
    corners = ", ".join(f"{name} {x:.1f},{y:.1f}" for name, (x, y) in zip(_NAMES, place.corners, strict=True))
    lines = [
        f"A screen of {place.size.width}x{place.size.height} pixels in a picture of {place.camera.width}x{place.camera.height}.",
        f"  corners: {corners}",
        f"  {place.scale:.2f} camera pixels for each of its pixels",
    ]
    if place.markers:
        lines.append(f"  {place.seen} of {place.markers} markers, {place.error:.2f} pixels off")
    if any(place.lens):
        lines.append(f"  lens distortion {place.lens[0]:+.4f} {place.lens[1]:+.4f}")
    return "\n".join(lines)


def _show(path: Path, picture: NDArray[Any], place: ScreenPlace, light: LightMap | None) -> None:
    """Save the picture with the screen's outline, and the screen's pixels beside it."""
    import numpy as np

    cv2, drawn = opencv(), picture.copy()
    width, height = place.size.width, place.size.height
    steps = np.linspace(0, 1, 33)
    rim = [(s * width, 0) for s in steps] + [(width, s * height) for s in steps]
    rim += [((1 - s) * width, height) for s in steps] + [(0, (1 - s) * height) for s in steps]
    outline = np.round(place.to_camera(np.array(rim))).astype(np.int32)
    cv2.polylines(drawn, [outline], True, (0, 0, 255), 2, cv2.LINE_AA)
    for number, (x, y) in enumerate(place.corners):
        cv2.circle(drawn, (round(x), round(y)), 8, (0, 160, 0), 2, cv2.LINE_AA)
        cv2.putText(
            drawn,
            str(number + 1),
            (round(x) + 10, round(y) - 10),
            cv2.FONT_HERSHEY_SIMPLEX,
            0.8,
            (0, 160, 0),
            2,
        )
    _save(path, drawn)
    beside = path.with_stem(path.stem + "-screen")
    _save(beside, Rectifier(place, light).flat(picture))
    print(f"{path}: what was found. {beside}: the screen's pixels.")
