"""Dialogs of applications that come by themselves and have one harmless answer: tips, how to import, which format."""

from __future__ import annotations

import re

from desktop_agent.extras.offline.llm.offline.moves import Act
from desktop_agent.extras.offline.llm.offline.roles import ROLES
from desktop_agent.extras.offline.llm.offline.scene import Scene
from desktop_agent.vision.observation import Element

_LOOKS = 8
# Title of the dialog, its button, and the word by which a goal that speaks of the dialog itself is told.
_DIALOGS = (
    (r"tip of the day\b", r"ok|close", "tip"),
    (r"text import\b", r"ok", "import"),
    (r"export text file\b", r"ok", "export"),
    (r"keep current format\b|(?:save|confirm).*format\b", r"(?:use|keep) (?!odf|open ?document).*", "format"),
)


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
    return None


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
