"""Dialogs of applications that come by themselves and have one harmless answer: tips, how to import, which format."""

from __future__ import annotations

import re

from desktop_agent.llm.offline.moves import Act
from desktop_agent.llm.offline.roles import ROLES
from desktop_agent.llm.offline.scene import Scene
from desktop_agent.vision.observation import Element

_LOOKS = 8
# Title of the dialog, its button, and the word by which a goal that speaks of the dialog itself is told.
_DIALOGS = (
    (r"tip of the day\b", r"ok|close", "tip"),
    (r"text import\b", r"ok", "import"),
    (r"export text file\b", r"ok", "export"),
    (r"keep current format\b|(?:save|confirm).*format\b", r"(?:use|keep) (?!odf|open ?document).*", "format"),
)
# Names of buttons that put something off and change nothing, the plainest first.
_LATER = (
    r"(?:remind me |maybe )?later|not now|skip(?: this version)?|no,? thanks|(?:erinnere mich |vielleicht )?später|nicht jetzt|nein,? danke|überspringen",
    r"dismiss|ignore|ignorieren|verwerfen", r"close|don.t send|schließen|nicht senden", r"cancel|abbrechen",
)  # fmt: skip


def out_of_the_way(scene: Scene) -> Act | None:
    """The click that closes such a dialog when it is in front; None when there is none, or the goal speaks of it."""
    if scene.sight.sort == "browser":
        return None  # a page may call itself anything
    for title, button, subject in _DIALOGS:
        if re.match(title, scene.look.window, re.I) and not re.search(rf"\b{subject}\b", scene.goal, re.I):
            found = _button(button, scene)
            if found is None:
                return scene.wait(_LOOKS)
            note = f"“{scene.look.window}” is in the way; I press “{found.name}”."
            return Act((scene.click(found),), note)
    return _put_off(scene)


def _put_off(scene: Scene) -> Act | None:
    """The click that puts off a dialog of a program that nobody works with: an update to install, a question to rate it."""
    dialog, before = scene.sight.dialog, scene.windows_at.get(min(scene.windows_at, default=0), ())
    worked = {e.application for e in scene.look.elements if e.window in before and e.application}
    if dialog is None or not dialog.application or not worked or dialog.application in worked:
        return None
    if scene.look.window in before or scene.look.window.lower() in scene.goal.lower():
        return None
    later = next((found for name in _LATER if (found := _button(name, scene)) is not None), None)
    note = (
        f"“{scene.look.window}” has come up by itself; I press “{later.name}”." if later is not None else ""
    )
    return Act((scene.click(later),), note) if later is not None else None


def _button(name: str, scene: Scene) -> Element | None:
    return next(
        (
            e
            for e in scene.sight.front
            if (e.role in ROLES["button"] or e.source == "ocr") and re.fullmatch(name, _plain(e.name), re.I)
        ),
        None,
    )


def _plain(name: str) -> str:
    return name.replace("_", "").strip(" !.…")
