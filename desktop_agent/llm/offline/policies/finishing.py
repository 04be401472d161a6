"""The end of a task that a page sets: what was done there is handed in by its one button for that."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_agent.llm.offline.intents import Click, Intent, Phrase, Submit
from desktop_agent.llm.offline.resolve import ROLES, likeness, plain
from desktop_agent.llm.offline.scene import Scene

_HANDS_IN = frozenset(("submit", "done", "ok", "finish", "submit answer", "check answer", "complete"))


def hand_in(intents: Sequence[Intent], scene: Scene) -> Click | None:
    """The click that hands a task in, when the page itself sets the task in the user's words and has one button to
    hand it in that nothing was said about. Anywhere else nothing is sent that the user did not ask to be sent."""
    if not scene.sight.sets_task:
        return None
    here = [each for each in scene.sight.front if each.role in ROLES["button"] and scene.sight.on_page(each)]
    buttons = [each.name for each in here if plain(each.name) in _HANDS_IN]
    said = [
        each
        for each in intents
        if isinstance(each, Submit) or (isinstance(each, Click) and _names(each, buttons))
    ]
    if len(buttons) != 1 or said:
        return None
    return Click(Phrase(buttons[0], "button", quoted=True, spoken=buttons[0]))


def _names(intent: Click, buttons: Sequence[str]) -> bool:
    return any(likeness(intent.what.name, name) >= 60 for name in buttons)
