"""The AI Virtual Input System: a virtual UI that a program of yours loads, and works or lets an AI work by commands.

    from desktop_agent.extras.avis.service import virtual_input_service

    avis = virtual_input_service(permissions={"can_execute_code": True, "can_read_sim_hw_status": False})
    avis.load_scene("code_lab")
    avis.type_string("print(6 * 7)", "code_editor")
    print(avis.click_element("run_code_button")["outcome"])

Nothing here moves the real mouse or presses a real key: it is all `simulation_only`. Code runs in a sandbox without a
network, and only where `can_execute_code` is granted. Permissions are those of `[simulation]` in config.toml, as far as
its user has confirmed them, unless the calling program grants its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from desktop_agent.extras.avis.hardware_usage import HardwareUsage
from desktop_agent.extras.avis.sandboxed_python import SandboxedPython
from desktop_agent.extras.avis.simulation.services.resource_awareness import (
    ResourceAwarenessService,
    hardware_words,
)
from desktop_agent.extras.avis.simulation.services.simulation_control import (
    AISimulationControlService,
    permission_words,
    result_words,
)
from desktop_agent.extras.avis.simulation.services.virtual_input_types import (
    AIPermissionSet,
    AVISActionLogEntry,
    ExecutionRequest,
    ExecutionResult,
    VirtualInputElementDescription,
    VirtualInputOutcome,
    VirtualInputPermissionLevel,
    VirtualKeyboardActionType,
    VirtualKeyboardCommand,
    VirtualMouseCommand,
    VirtualMouseEventType,
)
from desktop_agent.extras.avis.simulation.simulated_desktop import SimulatedDesktop
from desktop_agent.extras.avis.virtual_input import AIVirtualInputService
from desktop_agent.platforms.script_limits import ScriptLimits
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.startup import settings_confirmation
from desktop_agent.startup.arguments import Arguments
from desktop_agent.support import config, paths
from desktop_agent.support.confirmed_settings import ConfirmedSettings

__all__ = [
    "AIPermissionSet",
    "AISimulationControlService",
    "AIVirtualInputService",
    "AVISActionLogEntry",
    "ExecutionRequest",
    "ExecutionResult",
    "HardwareUsage",
    "ResourceAwarenessService",
    "SandboxedPython",
    "ScriptLimits",
    "SimulatedDesktop",
    "VirtualInputElementDescription",
    "VirtualInputOutcome",
    "VirtualInputPermissionLevel",
    "VirtualKeyboardActionType",
    "VirtualKeyboardCommand",
    "VirtualMouseCommand",
    "VirtualMouseEventType",
    "configured_permissions",
    "hardware_words",
    "permission_words",
    "result_words",
    "simulation_control_service",
    "virtual_input_service",
]


def virtual_input_service(
    *,
    permissions: AIPermissionSet | None = None,
    config_file: str | None = None,
    hardware: Mapping[str, Any] | None = None,
    limits: ScriptLimits | None = None,
    stop: StopFlag | None = None,
) -> AIVirtualInputService:
    """An AVIS without a UI yet; the rest as in `simulation_control_service`. `stop` ends code that is being executed."""
    control = simulation_control_service(
        permissions=permissions, config_file=config_file, hardware=hardware, limits=limits
    )
    return AIVirtualInputService(control, stop)


def simulation_control_service(
    *,
    permissions: AIPermissionSet | None = None,
    config_file: str | None = None,
    hardware: Mapping[str, Any] | None = None,
    limits: ScriptLimits | None = None,
) -> AISimulationControlService:
    """Permissions and code in a sandbox with these limits. Raises ConfigError.

    `permissions` None: those of the config file, read anew by `refresh`; given, they are looked at anew. `hardware` are
    declared values (`HardwareUsage`) in place of what is measured.
    """
    return AISimulationControlService(
        configured_permissions(config_file) if permissions is None else lambda: permissions,
        ResourceAwarenessService(hardware),
        SandboxedPython(limits),
    )


def configured_permissions(config_file: str | None = None) -> Callable[[], AIPermissionSet]:
    """What reads `[simulation]` of the config file (None: the usual one), as far as its user has confirmed it.

    Calling it raises ConfigError for a file that cannot be read or is wrong.
    """

    def read() -> AIPermissionSet:
        settings = config.load(config.find_file(config_file, paths.of_config()))
        confirmed = ConfirmedSettings(paths.data())
        found = settings_confirmation.review(settings, Arguments(config=config_file), confirmed)
        before = found.before or {}
        return {
            "can_execute_code": settings.simulation.can_execute_code
            and before.get("simulation.can_execute_code") is True,
            "can_read_sim_hw_status": settings.simulation.can_read_sim_hw_status
            and before.get("simulation.can_read_sim_hw_status") is True,
        }

    return read
