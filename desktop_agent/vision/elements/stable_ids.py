"""Gives elements short ids that stay the same from read to read."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from desktop_agent.vision.observation import Element

MOST = 20_000
"""Elements whose ids are remembered; those seen longest ago are forgotten, and get a new id when they come back."""

_Key = tuple[str, str]


class StableIds:
    """Assigns e1, e2, … in the order in which elements are first seen. An id is never reused."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._ids: dict[_Key, str] = {}
        self._given = 0

    def assign(self, elements: Sequence[Element]) -> tuple[Element, ...]:
        """The elements with short ids in place of the platform's, in `parent` too."""
        # Platforms reuse the ids of objects that have gone, but hardly ever for one of the same role.
        ids = {each.id: self._id((each.id, each.role)) for each in elements}
        self._forget()
        return tuple(replace(each, id=ids[each.id], parent=ids.get(each.parent, "")) for each in elements)

    def _id(self, key: _Key) -> str:
        id = self._ids.pop(key, "")
        if not id:
            self._given += 1
            id = f"e{self._given}"
        self._ids[key] = id  # now the last seen
        return id

    def _forget(self) -> None:
        for key in list(self._ids)[: max(0, len(self._ids) - self._most)]:
            del self._ids[key]
