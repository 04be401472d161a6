"""Decides on permissions for code and hardware status, and has permitted code executed in a sandbox."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Protocol

from desktop_agent.extras.avis.hardware_usage import HardwareUsage
from desktop_agent.extras.avis.simulation.services.resource_awareness import (
    ResourceAwarenessService,
    hardware_words,
)
from desktop_agent.extras.avis.simulation.services.virtual_input_types import (
    AIPermissionSet,
    ExecutionRequest,
    ExecutionResult,
)
from desktop_agent.platforms.script_limits import ScriptEnd
from desktop_agent.protocol.errors import DesktopAgentError

MOST_CODE = 100_000
"""Characters of one script."""
STATUS_WITHHELD = "There is a hardware status; reading it is not permitted (can_read_sim_hw_status)."
CODE_WITHHELD = "Executing code is not permitted (can_execute_code)."
NOTHING_GRANTED: AIPermissionSet = {"can_execute_code": False, "can_read_sim_hw_status": False}


def go_on() -> None:
    """The check of a script that nobody ends."""


class ScriptRunner(Protocol):
    """Something that runs Python in a sandbox (`sandboxed_python.SandboxedPython`)."""

    def run(self, code: str, check: Callable[[], None]) -> ScriptEnd:
        """Run it to its end or its limits. Raises DesktopAgentError where it cannot be begun.

        `check` is called all the while; what it raises ends the script, and is raised.
        """


class AISimulationControlService:
    """Permissions as they were read last, the hardware status as far as they go, and the execution of code."""

    def __init__(
        self,
        read_permissions: Callable[[], AIPermissionSet],
        hardware: ResourceAwarenessService,
        runner: ScriptRunner,
    ) -> None:
        """Read the permissions. `read_permissions` reads them anew at each call; it may raise ConfigError."""
        self._read, self._runner = read_permissions, runner
        self.hardware = hardware
        self._permissions = NOTHING_GRANTED
        self.problem = ""
        """Why nothing is granted: what was wrong with the settings when they were read last, "" for nothing."""
        self.refresh()

    def refresh(self) -> AIPermissionSet:
        """Read the permissions anew. What cannot be read, and what is missing, is not granted."""
        try:
            self._permissions, self.problem = granted(self._read()), ""
        except DesktopAgentError as error:
            self._permissions, self.problem = NOTHING_GRANTED, str(error)
        return self.permissions

    @property
    def permissions(self) -> AIPermissionSet:
        """The permissions as they were read last: a copy, whose changes change nothing."""
        return granted(self._permissions)

    def hardware_status(self) -> HardwareUsage | None:
        """The values where reading them is permitted, else None: then there is a status, and no more is told."""
        return self.hardware.status() if self._permissions["can_read_sim_hw_status"] else None

    def execute_ai_code(
        self, code_string: str, current_permissions: AIPermissionSet, check: Callable[[], None] = go_on
    ) -> ExecutionResult:
        """Execute Python in a sandbox where both the caller's permissions and this service's own allow it. `check` as in `ScriptRunner`."""
        request: ExecutionRequest = {
            "request_id": new_request_id(),
            "code_to_execute": code_string,
            "permissions_context": stricter(current_permissions, self._permissions),
        }
        if why := code_refusal(request["permissions_context"]) or _unusable(code_string):
            return refused(request["request_id"], why)
        try:
            end = self._runner.run(code_string, check)
        except DesktopAgentError as error:
            return refused(request["request_id"], str(error))
        return {
            "request_id": request["request_id"],
            "execution_success": True,
            "script_exit_code": end.exit_code,
            "stdout": end.stdout,
            "stderr": end.stderr,
            "status_message": _status(end),
        }


def new_request_id() -> str:
    """An id that no other attempt has."""
    return uuid.uuid4().hex


def code_refusal(permissions: AIPermissionSet) -> str:
    """Why no code is executed with these permissions; "" where it may be."""
    return "" if granted(permissions)["can_execute_code"] else CODE_WITHHELD


def _unusable(code: str) -> str:
    if not code.strip():
        return "There is no code to execute."
    if len(code) > MOST_CODE:
        return f"The code has {len(code)} characters; the most is {MOST_CODE}."
    try:
        code.encode("utf-8")
    except UnicodeEncodeError as error:
        return f"The code cannot be written to a file: {error.reason} at character {error.start}."
    return ""


def granted(permissions: AIPermissionSet) -> AIPermissionSet:
    """A copy of permissions; one that is missing, or is anything else than True, is not granted."""
    return {
        "can_execute_code": permissions.get("can_execute_code") is True,
        "can_read_sim_hw_status": permissions.get("can_read_sim_hw_status") is True,
    }


def stricter(one: AIPermissionSet, other: AIPermissionSet) -> AIPermissionSet:
    """What both grant."""
    first, second = granted(one), granted(other)
    return {
        "can_execute_code": first["can_execute_code"] and second["can_execute_code"],
        "can_read_sim_hw_status": first["can_read_sim_hw_status"] and second["can_read_sim_hw_status"],
    }


def permission_words(permissions: AIPermissionSet) -> str:
    """The permissions in lines for a display."""
    return "\n".join(
        f"{name}: {'granted' if value else 'not granted'}" for name, value in granted(permissions).items()
    )


def status_words(status: HardwareUsage | None) -> str:
    """A hardware status in lines for a display; None is one that may not be read."""
    return STATUS_WITHHELD if status is None else hardware_words(status)


def result_words(result: ExecutionResult) -> str:
    """An execution's status and outputs in lines for a display."""
    parts = [result["status_message"]]
    if result["stdout"]:
        parts.append(f"stdout:\n{result['stdout'].rstrip()}")
    if result["stderr"]:
        parts.append(f"stderr:\n{result['stderr'].rstrip()}")
    return "\n".join(parts)


def _status(end: ScriptEnd) -> str:
    if end.killed_because:
        return f"The script was ended: {end.killed_because}. Exit code {end.exit_code}."
    if end.exit_code:
        return f"The script failed with exit code {end.exit_code}."
    return "The script ended with exit code 0."


def refused(request_id: str, why: str) -> ExecutionResult:
    """The result of an attempt that was refused before it began."""
    return {
        "request_id": request_id,
        "execution_success": False,
        "script_exit_code": None,
        "stdout": "",
        "stderr": "",
        "status_message": f"Not executed: {why}",
    }
