"""A dialog of a program that the run has nothing to do with came up by itself: it is put off, so that the work can go on."""

from __future__ import annotations

import re

from desktop_agent.extras.offline.llm.offline.intents import (
    Check,
    Choose,
    Clear,
    Fill,
    FillApart,
    Intent,
    TypeText,
)
from desktop_agent.extras.offline.llm.offline.moves import Act
from desktop_agent.extras.offline.llm.offline.roles import ROLES
from desktop_agent.extras.offline.llm.offline.scene import Scene
from desktop_agent.vision.observation import Element

BEGUN_AGAIN = (Check, Choose, Clear, Fill, FillApart, TypeText)
"""What is done again after such a dialog: it may have taken the text, and doing it twice does no harm."""
_PUTS_OFF = (
    r"(?:remind me )?later|not now|maybe later|(?:no,? )?(?:thanks?|thank you)(?:,? no)?|no,? thanks?|skip(?: this.*)?|dismiss",
    r"(?:erinnere mich )?(?:sp[äa]ter(?: erinnern)?|jetzt nicht|nicht jetzt|nein,? danke|[üu]berspringen|verwerfen)",
    r"close|don.t send|schlie(?:ß|ss)en|nicht senden",
)
"""Names of buttons that put a question off and decide nothing."""
_LETTERS = 4


def put_off(scene: Scene, worked_in: frozenset[str]) -> Act | None:
    """The click that puts such a dialog off; None where the window in front is of a program that the run works in or names."""
    sight = scene.sight
    if not worked_in or not sight.application or sight.application in worked_in:
        return None
    said = scene.goal.casefold()
    words = re.findall(r"\w+", f"{scene.look.window} {sight.application}".casefold())
    if any(len(word) >= _LETTERS and word in said for word in words):
        return None
    found = next((each for words in _PUTS_OFF for each in sight.front if _is_named(each, words)), None)
    if found is None:
        return None
    return Act((scene.click(found),), f"“{scene.look.window}” came up by itself, so I press “{found.name}”.")


def is_begun_again(intent: Intent | None) -> bool:
    """Is this to be done anew after a dialog came in between?"""
    return isinstance(intent, BEGUN_AGAIN)


def _is_named(element: Element, words: str) -> bool:
    usable = element.role in ROLES["button"] and "enabled" in element.states
    return usable and re.fullmatch(words, element.name.strip(" .…!"), re.I) is not None
