"""The button that sends what was filled in, whatever it is called."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_agent.extras.offline.llm.offline.intents import Phrase
from desktop_agent.extras.offline.llm.offline.likeness import likeness
from desktop_agent.extras.offline.llm.offline.moves import Act
from desktop_agent.extras.offline.llm.offline.roles import ROLES
from desktop_agent.extras.offline.llm.offline.scene import Scene
from desktop_agent.vision.observation import Element

SENDS = (
    "submit", "send", "log in", "sign in", "sign up", "register", "save", "ok", "apply", "continue", "done", "go",
    "confirm", "search",
)  # fmt: skip
_ANY_FORM = frozenset(("submit", "send", "ok", "continue", "done", "go", "confirm"))
"""Names that say no more than that something is sent; "sign up" is not what "log in" means."""

_DRAWN = frozenset(("static", "label", "section", "heading"))
_LIKE, _SOME, _SURE = 60, 70, 95


def send_button(scene: Scene, names: Sequence[str] = SENDS) -> Element | None:
    """The button in front whose name says that it sends; on a page also a word that stands for one."""
    page = scene.sight.document
    inside = [e for e in scene.sight.front if page is None or scene.sight.is_inside(e, page)]
    buttons = [e for e in scene.sight.front if e.role in ROLES["button"] and e.name]
    found = _first([e for e in buttons if e in inside], _SOME, names)
    drawn = [e for e in inside if e.role in _DRAWN and e.name]
    if found is None and page is not None and page.role == "document web":
        return _first(drawn, _SURE, names)
    return found or _first(buttons, _SOME, names)


def _first(elements: list[Element], least: int, names: Sequence[str]) -> Element | None:
    return next((e for name in names for e in elements if likeness(name, e.name.rstrip("!")) >= least), None)


def stand_in(what: Phrase, scene: Scene) -> Element | Act | None:
    """The button that sends a form, for "press login" where it is called OK; None when there is a better one."""
    sends = any(likeness(what.name, each, exact=True) for each in SENDS)
    if not sends or what.ordinal or what.near or what.kind not in ("", "button"):
        return None
    pressed = ROLES["button"] | ROLES["link"] | ROLES["menuitem"] | ROLES["tab"] | ROLES["icon"]
    page = scene.sight.document
    if page is None or not any(scene.sight.is_inside(box, page) for box in scene.sight.editable):
        return None
    for each in scene.sight.on_page(scene.sight.front):
        like = likeness(what.name, each.name)
        drawn = each.source == "ocr" or each.role in _DRAWN
        if like >= (_SURE if drawn else _LIKE) and (drawn or each.role in pressed):
            return None
    asked = what.name.lower()
    names = SENDS if asked in _ANY_FORM else tuple(each for each in SENDS if each in _ANY_FORM)
    return scene.wait(1) or send_button(scene, names)
