"""A container: a small computer of the agent's own, of which only the workspace is on this one."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_agent.extras.sandbox.targets import rfb
from desktop_agent.platforms import host
from desktop_agent.platforms.allowed_network.allow_list import AllowList
from desktop_agent.platforms.base import Input, InputWatch, Releaser
from desktop_agent.platforms.posix.bubblewrap import require_home
from desktop_agent.platforms.sandbox_manifest import (
    EngineName,
    Manifest,
    Pixels,
)
from desktop_agent.platforms.script_limits import ScriptEnd, ScriptLimits
from desktop_agent.protocol.errors import ConfigError, DesktopAgentError, TargetError
from desktop_agent.protocol.geometry import Size
from desktop_agent.support import paths
from desktop_agent.support.operating_system import LINUX
from desktop_agent.targets.base import Address

if TYPE_CHECKING:
    from desktop_agent.extras.sandbox.targets._container import ContainerScreen


class Options(Manifest, frozen=True, forbid_unknown_fields=True):
    """`[target.container]`: the engine, the image its own is built on ("": the one in the Dockerfile), and the limits.

    `workspace` is the whole path of the folder that is the agent's home, "" for `workspace` in the program's data folder.
    Memory, the largest file and all files together in megabytes; one whose home grows larger is ended.
    The network is off, on, or what is in `allowed`: names, addresses and ranges, with a port where it is not the web's. These limits hold from the start; while it runs they can only be narrowed.
    """

    engine: EngineName = "auto"
    base: str = ""
    workspace: str = ""
    width: Pixels = 1280
    height: Pixels = 800


def create(options: Options) -> ContainerScreen:
    """The container, not started yet. Raises TargetError where there cannot be one, ConfigError for a path that is not whole."""
    if not LINUX:
        raise TargetError(
            f"Sandboxes in containers run on Linux, not on {host.NAME}.",
            "Work another target: --target local.",
        )
    workspace = Path(options.workspace).expanduser() if options.workspace else paths.data() / "workspace"
    if not workspace.is_absolute():
        raise ConfigError(
            f"The folder {options.workspace!r} is not a whole path.", "Set `workspace` in [target.container]."
        )
    require_home(workspace)
    from desktop_agent.extras.sandbox.targets._container import ContainerScreen

    AllowList(options.allowed)
    size = Size(options.width, options.height)
    return ContainerScreen(options.engine, options.base, options, size, workspace, os.environ)


def has_engine(engine: EngineName) -> bool:
    """Can a container be started here, by this engine?"""
    from desktop_agent.extras.sandbox.containers import engines

    try:
        engines.connect(engine).close()
    except DesktopAgentError:
        return False
    return True


def run_script(code: str, limits: ScriptLimits, check: Callable[[], None]) -> ScriptEnd:
    """Run Python code in a container of its own, calling `check` meanwhile. Raises TargetError, and what `check` raises."""
    from desktop_agent.extras.sandbox.containers.contained_script import run_contained

    return run_contained(code, limits, check)


def attach(address: Address) -> Input:
    """What injects, in the hand's process. Raises TargetError."""
    return rfb.attach(address)


def watch(address: Address) -> InputWatch:
    """What watches the user's own display for ESC and releases in the container, in the guard's process. Raises TargetError."""
    return rfb.watch(address)


def releaser(address: Address) -> Releaser:
    """What releases when the guard is gone, in the hand's process. Raises TargetError."""
    return rfb.releaser(address)


def is_over(address: Address, place: int) -> bool:  # noqa: ARG001 - no container has a number
    """Whether the container that was at this address has certainly ended: its folder goes with it."""
    return rfb.is_gone(address)
