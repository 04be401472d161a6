"""Ids stay with their element and are never reused."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision.elements.reader import StableIds
from desktop_agent.vision.observation import Element


def thing(id: str, role: str = "push button", parent: str = "") -> Element:
    return Element(id, role, id, Rect(0, 0, 10, 10), parent=parent)


def test_a_thing_keeps_its_id_and_a_new_one_gets_a_new_one() -> None:
    ids = StableIds()
    first = ids.assign([thing("/a"), thing("/b", parent="/a")])
    assert [(e.id, e.parent) for e in first] == [("e1", ""), ("e2", "e1")]
    second = ids.assign([thing("/c"), thing("/b", parent="/c"), thing("/a", "menu")])
    assert [(e.id, e.parent) for e in second] == [("e3", ""), ("e2", "e3"), ("e4", "")]


@given(st.lists(st.sets(st.integers(0, 30), max_size=12), max_size=30))
def test_ids_are_of_one_thing_alone(looks: list[set[int]]) -> None:
    ids, meant = StableIds(most=15), dict[str, str]()
    for look in looks:
        told = ids.assign([thing(str(each)) for each in sorted(look)])
        assert len({each.id for each in told}) == len(look)
        for each in told:
            assert meant.setdefault(each.id, each.name) == each.name
