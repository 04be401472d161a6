"""Which sandbox a project is worked in, and how its orchestrator is started there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from desktop_agent.platforms import host
from desktop_agent.platforms.allowed_network.allow_list import AllowList
from desktop_agent.platforms.posix import bubblewrap
from desktop_agent.protocol.errors import ConfigError, TargetError
from desktop_agent.support import plugins
from desktop_agent.support.operating_system import LINUX

if TYPE_CHECKING:
    from desktop_agent.extras.project.sandboxes.project_git import ProjectGit
    from desktop_agent.extras.project.tools._orchestrator_link import Channel
    from desktop_agent.extras.project.tools.project import Options

SandboxName: TypeAlias = Literal["auto", "bubblewrap", "container", "none"]


def starter(project: Path, options: Options, git: ProjectGit | None) -> Callable[[], Channel]:
    """What starts the orchestrator of a project, apart from its repository (None: without a sandbox). Raises ConfigError where the wanted sandbox cannot do what is wanted.

    Where neither bubblewrap nor a container can isolate it, calling it raises TargetError: only the user may do without.
    """
    if git is None:
        return lambda: _free(project)
    if options.sandbox == "container" or (options.sandbox == "auto" and not _boxes(options)):
        return lambda: _contained(project, options, git)
    if options.network == "on":
        raise ConfigError(
            "In bubblewrap there is no network but a list of servers.",
            'Set network = "listed" with `allowed`, or sandbox = "container", in [environment.project].',
        )
    return lambda: _boxed(project, options, git)


def _boxes(options: Options) -> bool:
    return LINUX and bubblewrap.is_usable() and options.network != "on"


def _boxed(project: Path, options: Options, git: ProjectGit) -> Channel:
    from desktop_agent.extras.project.sandboxes.orchestrator_process import (
        BoxedOrchestrator,
        OrchestratorLimits,
    )

    limits = bubblewrap.BoxLimits(options.processes, options.memory, options.file, options.home)
    allowed = AllowList(options.allowed) if options.network == "listed" else None
    return BoxedOrchestrator(project, OrchestratorLimits(limits, allowed), git)


def _free(project: Path) -> Channel:
    if not LINUX:
        raise TargetError(
            f"The environments of a project run on Linux, not on {host.NAME}.", "Use a container."
        )
    from desktop_agent.extras.project.sandboxes.orchestrator_process import FreeOrchestrator

    return FreeOrchestrator(project)


def _contained(project: Path, options: Options, git: ProjectGit) -> Channel:
    if not LINUX:
        raise TargetError(f"Sandboxes in containers run on Linux, not on {host.NAME}.", "Work on Linux.")
    if "sandbox" not in plugins.extras():
        raise TargetError(
            "Containers belong to the extra “sandbox”, which is not here.", "Install bubblewrap."
        )
    from desktop_agent.extras.project.sandboxes.orchestrator_container import OrchestratorContainer

    return OrchestratorContainer(options.engine, options.base, options, project, git)
