"""What is said at the end of a form that was filled in and not sent, because nobody asked for that."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_agent.extras.offline.llm.offline import intents as say
from desktop_agent.extras.offline.llm.offline.intents import Intent
from desktop_agent.extras.offline.llm.offline.likeness import plain
from desktop_agent.extras.offline.llm.offline.policies.sending import SENDS, send_button
from desktop_agent.extras.offline.llm.offline.scene import Scene

_FILLED = (say.Fill, say.TypeText, say.Choose, say.Check, say.Match)
_ELSEWHERE = ("search", "go", "find", "look up")
"""Names of buttons that belong to a box for searching rather than to a form."""


def unsent(done: Sequence[Intent], scene: Scene) -> str:
    """Words about the button that would send what was filled in last, "" when there is nothing to send."""
    page, box = scene.sight.document, scene.sight.focused
    if not done or not isinstance(done[-1], _FILLED) or page is None or page.role != "document web":
        return ""
    button = send_button(scene, [name for name in SENDS if name not in _ELSEWHERE])
    if (
        button is None
        or box is None
        or plain(button.name) in _ELSEWHERE
        or not scene.sight.is_inside(button, page)
    ):
        return ""
    order = [each.id for each in scene.sight.front]
    if "enabled" not in button.states or order.index(button.id) < order.index(box.id):
        return ""  # what stands before the box that was filled in last belongs to something else
    return f"I have not pressed “{button.name}”: tell me to if it shall be sent."
