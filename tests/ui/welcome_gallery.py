"""Renders every state of the first page to PNG files: python -m tests.ui.welcome_gallery FOLDER [scene …].

In the environment: SIZE of the display (1280x900), ROOM for the window, WORDS (a language), QT_SCALE_FACTOR.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QApplication

from desktop_agent.protocol.agent_events import GoalReached, Preview, Receipt, Status
from desktop_agent.support.language import LANGUAGES, use_language
from desktop_agent.targets import display
from desktop_agent.targets.base import Target
from desktop_agent.ui.run_window import WindowOptions, make_app, open_window
from desktop_agent.ui.shell.window import Window
from desktop_agent.ui.welcome.welcome_guide import KeyVerdict
from desktop_agent.ui.welcome.welcome_page import WelcomePage
from desktop_agent.ui.widgets.theme import MODES
from tests.ui import scenes
from tests.ui.gallery import OFFLINE, shoot, spin
from tests.ui.scripted import ScriptedPort
from tests.ui.test_pills import WrittenChoices
from tests.ui.told_guide import WAYLAND, ToldGuide


class Stand:
    """The open window, its page, and the guide behind it."""

    def __init__(self, window: Window, guide: ToldGuide, practice: ScriptedPort) -> None:
        assert window.welcome is not None and window.welcome.page is not None
        self.window, self.guide, self.practice = window, guide, practice
        self.page: WelcomePage = window.welcome.page


def here(stand: Stand) -> None:
    del stand


def wayland(stand: Stand) -> None:
    stand.guide.findings["screen"] = WAYLAND
    stand.page.go(0)


def thinker(stand: Stand) -> None:
    stand.page.go(1)


def key_works(stand: Stand) -> None:
    judged(stand, KeyVerdict("ok", "The key works: claude-sonnet-5-5 answered. It is kept in the system's key store, and never shown again."))  # fmt: skip


def key_refused(stand: Stand) -> None:
    words = "Anthropic did not accept the key from the system's key store. Check that it is complete, current and meant for api.anthropic.com."
    judged(stand, KeyVerdict("refused", f"This key does not work, so it was not kept. {words}"))


def judged(stand: Stand, verdict: KeyVerdict) -> None:
    stand.page.go(1)
    stand.guide.verdict = verdict
    stand.page.thinker.key.field.setText("sk-ant-0123456789")
    stand.page.thinker.key.keep_key()


def key_asked(stand: Stand) -> None:
    stand.guide.hold.clear()
    key_works(stand)


def escape(stand: Stand) -> None:
    stand.page.go(2)


def escape_seen(stand: Stand) -> None:
    stand.page.go(2)
    spin(200)
    stand.guide.watches[-1].seen()


def practice(stand: Stand) -> None:
    stand.page.go(3)


def practising(stand: Stand) -> None:
    stand.page.go(3)
    stand.page.practice.start()
    look = Preview(region=scenes.SCREEN, picture=scenes.desktop_picture())
    stand.practice.play(Status(state="executing", time=time.time()), look, scenes.running()[9])


def practised(stand: Stand) -> None:
    practising(stand)
    spin(300)
    receipt = Receipt("tree", "verified", "the box now holds “Hello from the practice run”")
    reached = GoalReached(
        summary="“Hello from the practice run” is typed.", verdict="verified", receipts=(receipt,)
    )
    stand.practice.play(reached, Status(state="done"))


def no_practice(stand: Stand) -> None:
    stand.guide.port = None
    stand.page.go(3)
    stand.page.practice.start()


SCENES: dict[str, Callable[[Stand], None]] = {
    "here": here, "wayland": wayland, "thinker": thinker, "key-asked": key_asked, "key-works": key_works, "key-refused": key_refused,
    "escape": escape, "escape-seen": escape_seen, "practice": practice, "practising": practising, "practised": practised,
    "no-practice": no_practice,
}  # fmt: skip


def render(target: Target, folder: Path, size: str, names: list[str]) -> None:
    app = make_app()
    assert isinstance(app, QApplication)
    for name in names:
        for mode in MODES[1:]:
            port, played = ScriptedPort(OFFLINE), ScriptedPort(OFFLINE)
            guide = ToldGuide(played)
            with tempfile.TemporaryDirectory() as settings:
                options = WindowOptions(Path(settings), theme=mode, choices=WrittenChoices(), guide=guide)
                window, bridge = open_window(port, options)
                if room := os.environ.get("ROOM"):
                    window.resize(*map(int, room.split("x")))
                spin(300)
                SCENES[name](Stand(window, guide, played))
                spin(900)
                shoot(target, window, folder / f"{size}-{name}-{mode}.png")
                guide.hold.set()
                window.close()
                bridge.close()
                window.deleteLater()
                spin(20)


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    use_language(next((code for code in LANGUAGES if code == os.environ.get("WORDS")), "en"))
    width, height = os.environ.get("SIZE", "1280x900").split("x")
    target = display.create(display.Options(width=int(width), height=int(height), background="#c8cfd9"))
    target.start()
    os.environ.update(target.environment)
    try:
        render(target, folder, os.environ.get("ROOM", f"{width}x{height}"), sys.argv[2:] or list(SCENES))
    finally:
        app = QApplication.instance()
        if app is not None:
            app.shutdown()
        target.stop()


if __name__ == "__main__":
    main()
