"""The public module has the types of the specification under its names, with its fields."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from desktop_agent.extras.avis import service as avis

ELEMENT = "label_text value is_enabled is_focused is_visible bounds_relative children attributes"
MOUSE = "target_element_id relative_x relative_y click_type scroll_direction scroll_amount_ratio scroll_pages drag_to_element_id drag_to_relative_x drag_to_relative_y"


@pytest.mark.parametrize(
    ("record", "required", "optional"),
    [
        (avis.VirtualInputElementDescription, "element_id element_type", ELEMENT),
        (avis.VirtualMouseCommand, "action_type", MOUSE),
        (avis.VirtualKeyboardCommand, "action_type", "target_element_id text_to_type keys key_name"),
        (avis.AIPermissionSet, "can_execute_code can_read_sim_hw_status", ""),
        (avis.ExecutionRequest, "request_id code_to_execute permissions_context", ""),
        (
            avis.ExecutionResult,
            "request_id execution_success script_exit_code stdout stderr status_message",
            "",
        ),
    ],
)
def test_the_records_have_the_fields_of_the_specification(record: Any, required: str, optional: str) -> None:
    assert set(record.__annotations__) == {*required.split(), *optional.split()}
    if optional:
        assert record.__total__ is False
        assert all(
            "Required" in str(record.__annotations__[name].__forward_arg__) for name in required.split()
        )


def test_the_literals_have_the_values_of_the_specification() -> None:
    assert get_args(avis.VirtualMouseEventType) == (
        *("move_relative_to_element", "move_relative_to_window", "click", "scroll"),
        *("drag_start", "drag_end", "hover"),
    )
    assert get_args(avis.VirtualKeyboardActionType) == ("type_string", "press_keys", "special_key")
    assert get_args(avis.VirtualInputPermissionLevel) == (
        *("simulation_only", "allow_actual_input_restricted", "allow_actual_input_full"),
    )


def test_everything_it_promises_is_there() -> None:
    assert [name for name in avis.__all__ if not hasattr(avis, name)] == []
