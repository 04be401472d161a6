"""Plays a run in a window of its own process and tells what was painted wrong: python -m tests.ui.growing.

Fonts and scale are settled before Qt starts: FONTCONFIG_FILE and QT_SCALE_FACTOR in the environment. Prints one
JSON object: the `family` and `scale` in force, the number of `paintings`, parts `pressed` together, words `clipped`.
"""

from __future__ import annotations

import json
import sys
import tempfile
from itertools import product
from pathlib import Path

from PySide6.QtGui import QFontInfo

from desktop_agent.ui.run_window import WindowOptions, make_app, open_window
from tests.ui import scenes
from tests.ui.conftest import Stage
from tests.ui.scripted import ScriptedPort
from tests.ui.test_window_content import Pressed, clipped, settled_at

HEIGHTS = (650, 700)
CLIPPED_AT = tuple(product((340, 400, 640), (884, 560)))


def grow(stage: Stage, height: int) -> Pressed:
    """Play a whole run at a height and watch every painting of it."""
    settled_at(stage, 400, height)
    content = stage.window.body.area.widget()
    assert content is not None
    watch = Pressed(content)
    for event in scenes.done():
        stage.play(event)
        stage.pump(5)
    return watch


def clipped_at(stage: Stage, width: int, height: int) -> list[str]:
    """The words that have too little room when nothing moves any more."""
    settled_at(stage, width, height)
    try:
        stage.wait(lambda: not clipped(stage), "room for all words")
    except AssertionError:
        return [f"{width}x{height}: {each}" for each in clipped(stage)]
    return []


def main() -> None:
    app = make_app()
    pressed: list[str] = []
    cut: list[str] = []
    paintings = 0
    for height in HEIGHTS:
        port = ScriptedPort()
        with tempfile.TemporaryDirectory() as settings:
            window, bridge = open_window(port, WindowOptions(Path(settings), theme="light"))
            stage = Stage(window, bridge, port)
            stage.wait(lambda window=window: window.windowHandle().isExposed(), "the window shown")  # type: ignore[misc]
            watch = grow(stage, height)
            pressed += [f"{height}: {part}" for part in watch.seen]
            paintings += watch.paintings
            if height == HEIGHTS[-1]:
                cut = [each for size in CLIPPED_AT for each in clipped_at(stage, *size)]
            told = {
                "family": QFontInfo(window.body.plan.font()).family(),
                "scale": window.devicePixelRatioF(),
            }
            window.close()
            bridge.close()
            window.deleteLater()
    json.dump(told | {"paintings": paintings, "pressed": pressed, "clipped": cut}, sys.stdout)
    app.shutdown()


if __name__ == "__main__":
    main()
