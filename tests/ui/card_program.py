"""A program that opens the window with a scene, to be looked at from outside: python -m tests.ui.card_program FOLDER SCENE."""

from __future__ import annotations

import sys
from pathlib import Path

from desktop_agent.ui.run_window import WindowOptions, make_app, open_window
from tests.ui.scenes import SCENES
from tests.ui.scripted import ScriptedPort


def main() -> None:
    folder, scene = sys.argv[1:]
    app, port = make_app(), ScriptedPort()
    window, bridge = open_window(port, WindowOptions(Path(folder), theme="light"))
    port.play_all(SCENES[scene]())
    app.exec()
    bridge.close()
    window.deleteLater()


if __name__ == "__main__":
    main()
