"""A guide for the first page whose answers a test or a picture gives; what it was asked is written down."""

from __future__ import annotations

import threading
from collections.abc import Callable

from desktop_agent.agent.port import AgentPort
from desktop_agent.protocol.errors import TargetError
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.support.providers import Provider, providers
from desktop_agent.ui.welcome.welcome_guide import (
    Finding,
    KeyVerdict,
    Practice,
    SoughtSubject,
    WelcomeGuide,
)

FINDINGS = {
    "screen": Finding("ok", "I can see it, and work mouse and keyboard on it, once you give me a goal."),
    "elements": Finding("ok", "Programs tell me what their buttons and fields are called, so I need not guess from the picture."),
    "ocr": Finding("optional", "I cannot read text that is only a picture. Most programs do not need it.",
                   "Install them: sudo apt-get install --no-install-recommends tesseract-ocr"),
    "keys": Finding("optional", "None yet. You can paste one in a moment, or go on without."),
    "servers": Finding("ok", "Ollama runs here, with 3 models to choose from. Nothing leaves this computer then."),
    "display": Finding("ok", "I can also work beside you, on a display where nothing of yours is."),
}  # fmt: skip
TITLES = {
    "screen": "Your screen", "elements": "Buttons and fields by name", "ocr": "Reading text in pictures",
    "keys": "Keys of model providers", "servers": "Models on this computer", "display": "A display of its own",
}  # fmt: skip
WAYLAND = Finding(
    "attention",
    "This is a Wayland session: it lets no program see or work the windows of others. I work on a display of my own "
    "instead, whose picture you see here; your own windows stay as they are.",
    "To let me work on your own desktop, choose an Xorg session when you log in.",
)


class ToldGuide(WelcomeGuide):
    """Tells `findings`, judges keys by `verdict`, and practises with `port` (None: there is no display for it)."""

    def __init__(self, port: AgentPort | None = None) -> None:
        self.findings = dict(FINDINGS)
        self.verdict = KeyVerdict("ok", "The key works.")
        self.port = port
        self.kept: list[tuple[str, str]] = []
        self.goals: tuple[str, ...] = ("Open the text editor", "Open the calculator")
        self.problem = ""
        self.hold = threading.Event()
        self.hold.set()
        self.watches: list[Watch] = []
        self.stop = StopFlag()

    @property
    def subjects(self) -> tuple[SoughtSubject, ...]:
        return tuple(SoughtSubject(*each) for each in TITLES.items())

    def look(self, name: str) -> Finding:
        return self.findings[name]

    def leaves(self) -> str:
        return "With the model in use nothing leaves this computer."

    def key_makers(self) -> tuple[Provider, ...]:
        return providers()

    def keep_key(self, name: str, secret: str, stop: StopFlag) -> KeyVerdict:
        self.kept.append((name, secret))
        self.stop = stop
        while not self.hold.wait(0.01):
            if stop.is_set():
                return KeyVerdict("stopped", "Cancelled. The key was not kept.")
        return self.verdict

    def watch_escape(self, seen: Callable[[], None]) -> Watch:
        if self.problem:
            raise TargetError(self.problem)
        self.watches.append(Watch(seen))
        return self.watches[-1]

    def practice(self) -> Practice:
        if self.port is None:
            raise TargetError(
                "The embedded display needs programs that are not installed: xvfb.", "Install them."
            )
        return Practice(self.port, "Open the text editor and type Hello from the practice run")

    def examples(self) -> tuple[str, ...]:
        return self.goals


class Watch:
    """A watch for Esc that the test presses."""

    def __init__(self, seen: Callable[[], None]) -> None:
        self.seen = seen
        self.closed = False

    def close(self) -> None:
        self.closed = True
