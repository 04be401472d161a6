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
from desktop_agent.protocol.dialects.json import decode
from desktop_agent.protocol.geometry import Rect, Size, Viewport
from desktop_agent.protocol.op_traits import Traits
from desktop_agent.protocol.ops import OPS, RESERVED, Op, name_of
from tests.contract.families import recorded

NAMES = sorted(OPS)


def sample(name: str) -> Op:
    """The operation of that name that was recorded; the human's own are never recorded, and have no fields."""
    said = (decode(text).actions[0] for _, text in recorded("json"))
    made: Op = next((each for each in said if name_of(each) == name), None) or msgspec.convert(
        {"op": name}, Op
    )
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
    screen = Rect(0, 0, 800, 600)
    named = {each: screen for field in ("element", "to") if (each := getattr(op, field, None))}
    batch = Batch("1", (op,), Viewport(screen, Size(800, 600), 1), named, 0, 1.0)
    translator = Translator(batch, lambda rect: rect.center, lambda event: op.traits.holds < 0)
    assert list(translator.translate(op).steps)


def test_rules_of_verification_are_for_what_is_looked_at() -> None:
    assert all(op.traits.wants_look for op in rules._RULES)
