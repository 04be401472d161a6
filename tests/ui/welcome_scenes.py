"""States of the first page."""

from __future__ import annotations

import time
from collections.abc import Callable

from desktop_agent.protocol.agent_events import GoalReached, Preview, Receipt, Status
from desktop_agent.ui.shell.window import Window
from desktop_agent.ui.welcome.welcome_guide import KeyVerdict
from desktop_agent.ui.welcome.welcome_page import WelcomePage
from tests.ui import scenes
from tests.ui.scripted import ScriptedPort
from tests.ui.spinning import spin
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
