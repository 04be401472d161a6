"""The policies of intents that read first and then do something with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from desktop_agent.llm.offline import intents as say
from desktop_agent.llm.offline.moves import Move
from desktop_agent.llm.offline.policies import (
    carding,
    copying,
    guessing,
    mails,
    reading,
    solving,
    sorting,
    styling,
)
from desktop_agent.llm.offline.scene import Scene

POLICIES: Mapping[type, Callable[[Any, Scene], Move]] = {
    say.FindOut: reading.find_out,
    say.FillFromTable: reading.fill_from_table,
    say.CopyText: copying.copy_text,
    say.Solve: solving.solve,
    say.Sort: sorting.sort,
    say.Guess: guessing.guess,
    say.OnCard: carding.on_card,
    say.Mail: mails.mail,
    say.Highlight: styling.highlight,
    say.Style: styling.style,
}
