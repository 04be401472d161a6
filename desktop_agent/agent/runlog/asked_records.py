"""Records what a model was asked in each turn, as far as a replay compares it and a resumed run needs it."""

from __future__ import annotations

from dataclasses import dataclass, field

from desktop_agent.agent.runlog.publisher import Feed
from desktop_agent.vision.elements.element_table import ElementTable
from desktop_agent.vision.observation import Observation


@dataclass
class AskedRecords:
    """The `asked` records of one run: the operations where they are others than before, of each look what changed."""

    feed: Feed
    _table: ElementTable = field(default_factory=ElementTable)
    _operations: tuple[str, ...] | None = None

    def add(self, turn: int, operations: tuple[str, ...], observation: Observation) -> None:
        """Record that the model is asked in this turn. Raises StoreError."""
        record: dict[str, object] = {"turn": turn, "look": self._table.take(observation)}
        if operations != self._operations:
            record["operations"] = self._operations = operations
        self.feed.record("asked", record)
