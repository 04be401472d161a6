"""Renders every state of the window to PNG files: python -m tests.ui.gallery FOLDER [scene …].

With `--baselines` in place of the folder it writes anew how all windows look (tests/ui/baselines), to be read before
it is committed.

In the environment: SIZE of the display (1280x900), ROOM for the window (as docked), QT_SCALE_FACTOR, QT_FONT_DPI,
TONGUES (en,de) and LOOKS (light,dark,contrast).
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from itertools import product
from pathlib import Path

import msgspec
from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QWidget

from desktop_agent.protocol.agent_events import FeedEvent
from desktop_agent.protocol.geometry import Rect
from desktop_agent.support.language import LANGUAGES, use_language
from desktop_agent.targets import display
from desktop_agent.targets.base import Target
from desktop_agent.ui.run_window import WindowOptions, make_app, open_window
from desktop_agent.ui.widgets.theme import MODES
from tests.desk import until
from tests.ui import scenes
from tests.ui.scripted import INFO, ScriptedPort

OFFLINE = msgspec.structs.replace(INFO, model="offline", key_found=False)
SCENES: dict[str, tuple[Callable[[], list[FeedEvent]], str]] = {
    "empty": (list, ""), "running": (scenes.running, ""), "needs-you": (scenes.approval, ""), "needs-you-seen": (scenes.seen_approval, ""),
    "question": (scenes.question, ""), "choices": (scenes.choices, ""), "markdown": (scenes.markdown, ""),
    "paused": (scenes.paused, ""), "stopped": (scenes.stopped, ""),
    "taken-over": (scenes.taken_over, ""),
    "error": (scenes.failed, ""), "done": (scenes.done, ""), "said-done": (scenes.said_done, ""), "long": (scenes.long, ""),
    "typing": (scenes.typing_approval, ""), "edited": (scenes.edited_approval, ""), "refused": (scenes.refused_approval, ""),
    "two": (scenes.two_approvals, ""), "grants": (scenes.many_grants, ""),
    "sending": (scenes.sending_approval, ""), "tricky": (scenes.tricky_approval, ""), "lengthy": (scenes.lengthy_approval, ""),
    "unpriced": (scenes.unpriced, ""), "long-unpriced": (scenes.long_unpriced, ""),
    "commands": (scenes.commands, ""), "tricky-commands": (scenes.tricky_commands, ""), "long-approval": (scenes.long_approval, ""), "long-error": (scenes.long_error, ""),
}  # fmt: skip


def spin(milliseconds: int) -> None:
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def until_true(condition: Callable[[], object], what: str) -> None:
    def holds() -> bool:
        spin(5)
        return bool(condition())

    until(holds, what)


def shoot(target: Target, window: QWidget, path: Path) -> None:
    """Save the window and a little of what is around it, from the X server: what a person would see."""
    area = window.frameGeometry().adjusted(-8, -8, 8, 8).intersected(window.screen().geometry())
    ratio = window.devicePixelRatioF()
    x, y, width, height = (round(n * ratio) for n in (area.x(), area.y(), area.width(), area.height()))
    pixels = target.observe(Rect(x, y, width, height)).pixels
    QImage(pixels, width, height, QImage.Format.Format_RGB32).save(str(path))


def render(target: Target, folder: Path, size: str, names: list[str]) -> None:
    app = make_app()
    assert isinstance(app, QApplication)
    tongues = os.environ.get("TONGUES", ",".join(LANGUAGES)).split(",")
    looks = os.environ.get("LOOKS", ",".join(MODES[1:])).split(",")
    wanted = product(
        names, [mode for mode in MODES if mode in looks], [code for code in LANGUAGES if code in tongues]
    )
    for name, mode, code in wanted:
        events, _ = SCENES[name]
        use_language(code)
        port = ScriptedPort(OFFLINE if name == "empty" else INFO)
        with tempfile.TemporaryDirectory() as settings:
            window, bridge = open_window(port, WindowOptions(Path(settings), theme=mode))
            if room := os.environ.get("ROOM"):
                window.resize(*map(int, room.split("x")))
            port.play_all(events())
            spin(1500)
            shoot(target, window, folder / f"{size}-{name}-{mode}-{code}.png")
            window.close()
            bridge.close()
            window.deleteLater()
            spin(20)


def store_looks() -> None:
    from tests.ui.baselines import write_baselines  # it uses this module

    target = display.create(display.Options(width=1280, height=900))
    target.start()
    try:
        write_baselines(target.environment)
    finally:
        target.stop()


def main() -> None:
    if sys.argv[1] == "--baselines":
        store_looks()
        return
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    width, height = os.environ.get("SIZE", "1280x900").split("x")
    target = display.create(display.Options(width=int(width), height=int(height), background="#c8cfd9"))
    target.start()
    os.environ.update(target.environment)
    try:
        render(target, folder, f"{width}x{height}", sys.argv[2:] or list(SCENES))
    finally:
        app = QApplication.instance()
        if app is not None:
            app.shutdown()
        target.stop()


if __name__ == "__main__":
    main()
