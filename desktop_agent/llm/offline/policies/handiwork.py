"""The policies of intents that ask for a skilled hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from desktop_agent.llm.offline import intents_hand as hand
from desktop_agent.llm.offline.moves import Move
from desktop_agent.llm.offline.policies import dragging, figuring
from desktop_agent.llm.offline.scene import Scene

POLICIES: Mapping[type, Callable[[Any, Scene], Move]] = {
    hand.ClickAll: figuring.click_all,
    hand.Count: figuring.count,
    hand.Identify: figuring.identify,
    hand.GridPoint: figuring.grid_point,
    hand.Shift: dragging.shift,
    hand.Place: dragging.place,
    hand.Gather: dragging.gather,
    hand.Arrange: dragging.arrange,
    hand.Resize: dragging.resize,
}
