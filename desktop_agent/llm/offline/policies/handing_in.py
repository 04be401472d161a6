"""The end of a task that the page itself poses: an answer counts once it is handed in."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_agent.llm.offline import intents as say
from desktop_agent.llm.offline.intents import Intent, Submit
from desktop_agent.llm.offline.intents_hand import Arrange, ClickAll, Gather, Place, Resize, Shift
from desktop_agent.llm.offline.policies.sending import send_button
from desktop_agent.llm.offline.scene import Scene

_PUT = (Arrange, ClickAll, Gather, Place, Resize, Shift)
_ANSWERS = (say.Fill, say.TypeText, say.Choose, say.Check, say.Match, say.Drag, *_PUT)


def handing_in(done: Sequence[Intent], scene: Scene) -> Intent | None:
    """Send the form when the page says the goal itself, filling in or putting in place was the last of it and a button is there."""
    if (
        not scene.sight.repeated
        or not done
        or not isinstance(done[-1], _ANSWERS)
        or send_button(scene) is None
    ):
        return None
    return Submit()
