"""Virtual UIs, permissions and sandboxes for the tests of the services."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from desktop_agent.extras.avis.service import (
    AIPermissionSet,
    AIVirtualInputService,
    VirtualInputElementDescription,
    virtual_input_service,
)
from desktop_agent.platforms.posix import bubblewrap

boxed = pytest.mark.skipif(
    sys.platform != "linux" or not bubblewrap.is_usable(), reason="no box can be made here"
)
NOTHING: AIPermissionSet = {"can_execute_code": False, "can_read_sim_hw_status": False}
ALL: AIPermissionSet = {"can_execute_code": True, "can_read_sim_hw_status": True}
CODE_UI: list[VirtualInputElementDescription] = [
    {"element_id": "code_editor", "element_type": "text_area", "label_text": "Code", "value": ""},
    {"element_id": "run_code_button", "element_type": "button", "label_text": "Run"},
    {"element_id": "code_output_display", "element_type": "text_area", "label_text": "Output"},
    {"element_id": "ai_permissions_display", "element_type": "text_area", "label_text": "Permissions"},
    {"element_id": "sim_hw_status_display", "element_type": "label", "label_text": "Hardware"},
]
FORM: list[VirtualInputElementDescription] = [
    {"element_id": "name", "element_type": "text_field", "label_text": "Name", "value": "Ann"},
    {"element_id": "short", "element_type": "text_field", "attributes": {"max_length": 5}},
    {"element_id": "agree", "element_type": "checkbox", "label_text": "I agree"},
    {"element_id": "title", "element_type": "label", "label_text": "A form"},
    {"element_id": "off", "element_type": "button", "label_text": "Off", "is_enabled": False},
    {"element_id": "gone", "element_type": "button", "label_text": "Gone", "is_visible": False},
    {"element_id": "volume", "element_type": "slider", "label_text": "Volume", "value": 50},
    {
        "element_id": "fruit",
        "element_type": "list",
        "label_text": "Fruit",
        "attributes": {"options": [f"fruit {number}" for number in range(40)], "lines": 4},
    },
    {
        "element_id": "card",
        "element_type": "button",
        "label_text": "Card",
        "value": "ace",
        "attributes": {"draggable": True},
    },
    {
        "element_id": "pile",
        "element_type": "panel",
        "label_text": "Pile",
        "attributes": {"framed": True, "on": {"drop": [{"set": "title", "to": "{drop.value}"}]}},
        "children": [{"element_id": "pile_label", "element_type": "label", "label_text": "Put it here"}],
    },
]


def service(
    elements: Sequence[VirtualInputElementDescription], permissions: AIPermissionSet = NOTHING, **more: Any
) -> AIVirtualInputService:
    """An AVIS that shows these elements."""
    avis = virtual_input_service(permissions=permissions, **more)
    avis.load_virtual_ui(elements)
    return avis


def described(avis: AIVirtualInputService, element_id: str) -> VirtualInputElementDescription:
    """The element as the service tells it now."""
    return next(each for each in flat(avis.get_current_virtual_ui()) if each["element_id"] == element_id)


def value_of(avis: AIVirtualInputService, element_id: str) -> Any:
    """The element's value as the service tells it now."""
    return described(avis, element_id)["value"]


def flat(
    elements: Sequence[VirtualInputElementDescription],
) -> Iterator[VirtualInputElementDescription]:
    """All elements, parents first."""
    for each in elements:
        yield each
        yield from flat(each.get("children") or [])
