"""The example of the README of the extra: a test harness that loads a UI, has code run in it, and reads what came of it."""

from __future__ import annotations

from desktop_agent.extras.avis.service import virtual_input_service
from tests.extras.avis.virtual_uis import boxed


@boxed
def test_a_harness_of_twenty_lines() -> None:
    avis = virtual_input_service(permissions={"can_execute_code": True, "can_read_sim_hw_status": False})
    avis.load_virtual_ui(
        [
            {"element_id": "code_editor", "element_type": "text_area", "label_text": "Code"},
            {"element_id": "run_code_button", "element_type": "button", "label_text": "Run"},
            {"element_id": "code_output_display", "element_type": "text_area", "label_text": "Output"},
        ]
    )
    known = [each["element_id"] for each in avis.get_current_virtual_ui() if each["is_visible"]]
    assert "run_code_button" in known and avis.current_ai_permissions["can_execute_code"]
    avis.process_keyboard_command(
        {"action_type": "type_string", "target_element_id": "code_editor", "text_to_type": "print(6 * 7)"}
    )
    outcome = avis.process_mouse_command({"action_type": "click", "target_element_id": "run_code_button"})
    shown = {each["element_id"]: each["value"] for each in avis.get_current_virtual_ui()}
    assert outcome["outcome"] == "done" and "42" in str(shown["code_output_display"])
    assert [each["outcome"] for each in avis.action_log] == ["done", "done", "done"]
