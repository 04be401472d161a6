"""Connects the elements of a simulated desktop by which code is executed and permissions and hardware status are shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from desktop_agent.extras.avis.simulation.services.simulation_control import (
    AISimulationControlService,
    code_refusal,
    go_on,
    new_request_id,
    permission_words,
    refused,
    result_words,
    status_words,
)
from desktop_agent.extras.avis.simulation.services.virtual_input_types import (
    AIPermissionSet,
    ExecutionRequest,
    ExecutionResult,
)
from desktop_agent.extras.avis.simulation.simulated_desktop import SimulatedDesktop
from desktop_agent.extras.avis.simulation.widget import Widget

CODE_EDITOR, RUN_CODE_BUTTON = "code_editor", "run_code_button"
CODE_OUTPUT_DISPLAY = "code_output_display"
AI_PERMISSIONS_DISPLAY, SIM_HW_STATUS_DISPLAY = "ai_permissions_display", "sim_hw_status_display"
DISPLAYS = (CODE_OUTPUT_DISPLAY, AI_PERMISSIONS_DISPLAY, SIM_HW_STATUS_DISPLAY)
"""Elements that are written here, and by no pointer and no key."""
EXECUTE_CODE = "execute_code"
"""The action under which an attempt stands in the desktop's log."""


class CodeElements:
    """Acts for the elements of one desktop that have these ids; where there are none it does nothing.

    Whatever activates `run_code_button` (a click, a key, Enter in a field) executes what stands in `code_editor`.
    `permissions` and `hardware` are as they were at the last `refresh`; `check` is called while a script
    runs, and ends it by raising.
    """

    def __init__(
        self,
        desktop: SimulatedDesktop,
        control: AISimulationControlService,
        check: Callable[[], None] = go_on,
    ) -> None:
        """Connect them. Raises ConfigError where the scene declares hardware that is none."""
        self._desktop, self._control, self.check = desktop, control, check
        control.hardware.use_scene(desktop.scene.hardware)
        for name in DISPLAYS:
            if (widget := desktop.widget(name)) is not None and widget.kind.text:
                widget.attributes["is_read_only"] = True
        desktop.on_click = self._clicked
        self.permissions: AIPermissionSet = control.permissions
        self.hardware: dict[str, Any] = {}
        self._show()

    def refresh(self) -> None:
        """Read permissions and hardware status anew, and show them."""
        self._control.refresh()
        self._show()

    def _show(self) -> None:
        self.permissions = self._control.permissions
        status = self._control.hardware_status()
        self.hardware = {"is_available": True, **_values(status)}
        self._write(AI_PERMISSIONS_DISPLAY, permission_words(self.permissions))
        self._write(SIM_HW_STATUS_DISPLAY, status_words(status))

    def execute(self, code: str) -> ExecutionResult:
        """Have code executed, show the result and log the attempt. Raises what `check` raises."""
        if why := code_refusal(self.permissions):
            result = refused(new_request_id(), why)
        else:
            try:
                result = self._control.execute_ai_code(code, self.permissions, self.check)
            except BaseException:
                self._log(refused(new_request_id(), "it was stopped"), code, "failed", "It was stopped.")
                raise
        message = result["status_message"]
        succeeded = result["script_exit_code"] == 0
        outcome = ("done" if succeeded else "failed") if result["execution_success"] else "refused"
        self._log(result, code, outcome, message)
        self._write(CODE_OUTPUT_DISPLAY, result_words(result))
        return result

    def _clicked(self, widget: Widget) -> bool:
        if widget.id != RUN_CODE_BUTTON:
            return False
        if why := code_refusal(self.permissions):
            # Refused here already: what stands in the editor is not even read.
            result = refused(new_request_id(), why)
            self._log(result, "", "refused", result["status_message"])
            self._write(CODE_OUTPUT_DISPLAY, result_words(result))
            return True
        editor = self._desktop.widget(CODE_EDITOR)
        if editor is None:
            self._desktop.log.note(EXECUTE_CODE, widget.id, "failed", f"There is no element {CODE_EDITOR!r}.")
            return True
        self.execute(str(editor.value or ""))
        return True

    def _write(self, name: str, text: str) -> None:
        widget = self._desktop.widget(name)
        if widget is None:
            return
        if widget.write("", text):
            widget.scroll = widget.caret = widget.anchor = 0
            self._desktop.fire(widget, "change")

    def _log(self, result: ExecutionResult, code: str, outcome: Any, message: str) -> None:
        request: ExecutionRequest = {
            "request_id": result["request_id"],
            "code_to_execute": code,
            "permissions_context": self.permissions,
        }
        self._desktop.log.note(EXECUTE_CODE, RUN_CODE_BUTTON, outcome, message, dict(request))


def _values(status: Any) -> dict[str, Any]:
    return {} if status is None else {name: getattr(status, name) for name in status.__struct_fields__}
