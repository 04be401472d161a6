"""Every operation says its traits where it is defined, they agree with each other, and the hand knows its operations."""

from __future__ import annotations

import dataclasses

import msgspec
import pytest

from desktop_agent.agent.verifying import rules
from desktop_agent.hand.injector.translate import Translator
from desktop_agent.policy.facts.op_text import exact, past, present, request
from desktop_agent.protocol import ops
from desktop_agent.protocol.batch import Batch
from desktop_agent.protocol.geometry import Rect, Size, Viewport
from desktop_agent.protocol.op_traits import Traits
from desktop_agent.protocol.ops import OPS, RESERVED, Op

FIELDS = {
    "x": 1, "y": 1, "element": "e1", "to": "e2", "path": [{"x": 1, "y": 1}, {"x": 9, "y": 9}], "key": "a", "keys": ["a"],
    "text": "a", "seconds": 0.0, "target": "notes", "dx": 0, "dy": -1, "environment": "bash", "command": "ls", "content": "a",
    "old": "a", "new": "b", "question": "a", "summary": "a", "reason": "a", "title": "a",
    "region": {"x": 1, "y": 2, "width": 3, "height": 4},
}  # fmt: skip
NAMES = sorted(OPS)


def sample(name: str) -> Op:
    """An operation of that name with all of its fields that are known here."""
    fields = {key: FIELDS[key] for key in OPS[name].__struct_fields__ if key in FIELDS}
    if name == "read_file":
        fields = {"path": "a"}
    if "path" in fields and name in ("write_file", "edit_file"):
        fields["path"] = "a"
    made: Op = msgspec.convert({"op": name, **fields}, Op)
    return made


def test_an_operation_without_traits_cannot_be_defined() -> None:
    with pytest.raises(TypeError, match="Flick has no traits"):

        class Flick(ops._Op, frozen=True, tag="flick"):
            pass


@pytest.mark.parametrize("name", NAMES)
def test_traits_agree_with_each_other(name: str) -> None:
    each: Traits = OPS[name].traits
    assert dataclasses.asdict(each)
    assert (each.carried_out_by == "human") == (name in RESERVED)
    assert each.carried_out_by == "hand" or not (each.gives_input or each.holds or each.visible)
    assert (each.carried_out_by == "environment") >= bool(each.sink)
    assert bool(each.sink) == bool(each.asks)
    assert each.pointer or not (each.presses or each.gives_focus or each.drops or each.points_only)
    assert each.gives_focus >= each.presses
    assert each.points_only >= each.crosses_applications
    assert not (each.points_only and each.gives_focus)
    assert each.visible >= each.wants_look
    assert set(each.texts) <= set(OPS[name].__struct_fields__)


@pytest.mark.parametrize("name", NAMES)
def test_every_operation_has_words(name: str) -> None:
    op = sample(name)
    words = (present(op, {}), past(op, {}), request(op, {}))
    assert all(words) and exact(op, None).startswith(f"{name}(")


@pytest.mark.parametrize("name", [n for n in NAMES if OPS[n].traits.pointer or OPS[n].traits.keyboard])
def test_the_hand_has_a_gesture_for_all_input(name: str) -> None:
    op = sample(name)
    screen = Rect(0, 0, 100, 100)
    batch = Batch("1", (op,), Viewport(screen, Size(100, 100), 1), {"e1": screen, "e2": screen}, 0, 1.0)
    translator = Translator(batch, lambda rect: rect.center, lambda event: op.traits.holds < 0)
    assert list(translator.translate(op).steps)


def test_rules_of_verification_are_for_what_is_looked_at() -> None:
    assert all(op.traits.wants_look for op in rules._RULES)
