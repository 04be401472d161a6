"""What is done in each application, round after round: every round ends where it began."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from desktop_agent.protocol import ops
from desktop_agent.protocol.ops import Op

QT = Path(__file__).with_name("qt_window.py")


@dataclass(frozen=True)
class Step:
    """An action of a kind: on the element `name` when given. `moving` names the element that moves by itself."""

    kind: str
    op: Op | None = None
    name: str = ""
    moving: str = ""


@dataclass(frozen=True)
class Scene:
    """An application: how it is started, the title of its window (a regular expression), and a round of steps."""

    name: str
    argv: tuple[str, ...]
    title: str
    steps: tuple[Step, ...]


def click(kind: str, name: str, moving: str = "") -> Step:
    return Step(kind, None, name, moving)


def keys(kind: str, *names: str) -> Step:
    return Step(kind, ops.KeyCombo(names))


def text(kind: str, words: str) -> Step:
    return Step(kind, ops.Type(words))


NOTHING = "no change"


def scenes(folder: Path, address: str) -> tuple[Scene, ...]:
    """All of them; `folder` has a few files, `address` is that of the pages."""
    return (
        Scene(
            "mousepad",
            ("mousepad",),
            "Mousepad",
            (
                click("menu opens", "File"),
                keys("menu closes", "escape"),
                text("text is typed", "a few words "),
                keys(NOTHING, "shift"),
                keys("dialog opens", "ctrl", "o"),
                keys("dialog closes", "escape"),
                keys("text changes", "ctrl", "z"),
            ),
        ),
        Scene(
            "galculator", ("galculator",), "galculator", (text("digits appear", "12"), keys(NOTHING, "shift"))
        ),
        Scene(
            "pcmanfm",
            ("pcmanfm", str(folder)),
            folder.name,
            (
                keys("folder is left", "alt", "up"),
                keys("folder is entered", "alt", "left"),
                click("menu opens", "View"),
                keys("menu closes", "escape"),
                keys(NOTHING, "shift"),
            ),
        ),
        Scene(
            "xterm",
            ("xterm", "-e", "sh"),
            "sh",
            (text("command runs", "ls /usr/bin | head -30\n"), keys(NOTHING, "shift")),
        ),
        Scene(
            "Qt",
            (sys.executable, str(QT)),
            "qt window",
            (
                click("menu opens", "Things"),
                keys("menu closes", "escape"),
                click("box is ticked", "Tick me"),
                click("dialog opens", "Open a dialog"),
                keys("dialog closes", "escape"),
                click(NOTHING, "Nothing"),
            ),
        ),
        Scene("Chromium", ("chromium", "--window-size=1200,900", address), "Page /", _pages()),
    )


def _pages() -> tuple[Step, ...]:
    return (
        click("page loads", "instant page"),
        click("page loads", "home"),
        click("page loads slowly", "slow page"),
        click("page loads", "home"),
        click("text changes", "change at once"),
        click("text changes late", "ask the server"),
        click("something slides", "slide"),
        click(NOTHING, "does nothing"),
        click("page with a spinner loads", "spinner page", moving="turning"),
        click("text changes by a spinner", "change beside it", moving="turning"),
        click("no change by a spinner", "nothing beside it", moving="turning"),
        click("page loads", "home", moving="turning"),
    )
