"""Which policy works on which intent about comparing and ordering."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from desktop_agent.llm.offline import intents_buying as say
from desktop_agent.llm.offline.moves import Move
from desktop_agent.llm.offline.policies import comparing, ordering
from desktop_agent.llm.offline.scene import Scene

POLICIES: Mapping[type, Callable[[Any, Scene], Move]] = {
    say.Best: comparing.best,
    say.Watch: comparing.watch,
    say.Amount: ordering.amount,
    say.PlaceOrder: ordering.place_order,
}
