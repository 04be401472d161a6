"""A question that came up in the way of a form: it is declined, so that the form can be used again."""

from __future__ import annotations

import re

from desktop_agent.extras.offline.llm.offline.moves import Act
from desktop_agent.extras.offline.llm.offline.roles import ROLES
from desktop_agent.extras.offline.llm.offline.scene import Scene
from desktop_agent.vision.observation import Element

_DECLINES = (
    r"(?:no,? )?cancel", r"no|nope", r"no,? thanks?(?: you)?|no thank you|not now|maybe later|later|skip", r"stay(?: .*)?|keep .*",
    r"close|dismiss|got it|[x×✕✖]",
)  # fmt: skip
"""Names of buttons that change nothing, the plainest first."""


def clear_way(wanted: Element, scene: Scene) -> Act | None:
    """Decline what has taken the use of a field or button away; None when nothing has."""
    if "enabled" in wanted.states or wanted.source != "tree" or not wanted.states or "cleared" in scene.memo:
        return None
    buttons = [
        e
        for e in scene.sight.on_page(scene.sight.front)
        if e.role in ROLES["button"] and "enabled" in e.states
    ]
    for words in _DECLINES:
        for each in buttons:
            if re.fullmatch(words, each.name.strip(), re.I):
                scene.memo["cleared"] = str(len({deed.turn for deed in scene.clicks()}) + 1)
                return Act((scene.click(each),), f"Something came up in the way, so I press “{each.name}”.")
    return None
