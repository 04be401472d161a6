"""What is said at the end of a form that was filled in and not sent, because nobody asked for that."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_agent.llm.offline import intents as say
from desktop_agent.llm.offline.intents import Intent
from desktop_agent.llm.offline.policies.sending import send_button
from desktop_agent.llm.offline.scene import Scene

_FILLED = (say.Fill, say.TypeText, say.Choose, say.Check, say.Match)


def unsent(done: Sequence[Intent], scene: Scene) -> str:
    """Words about the button that would send what was filled in last, "" when there is nothing to send."""
    page = scene.sight.document
    if not done or not isinstance(done[-1], _FILLED) or page is None or page.role != "document web":
        return ""
    button = send_button(scene)
    if button is None or not scene.sight.is_inside(button, page) or "enabled" not in button.states:
        return ""
    return f"I have not pressed “{button.name}”: tell me to if it shall be sent."
