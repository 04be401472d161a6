"""Puts an agent of the agents' folder together: its computer, its home, its model, and the run it remembers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec

from desktop_agent.agent.session import AgentSession
from desktop_agent.extras.console.agents.agent_folders import AgentFolder
from desktop_agent.extras.console.agents.original_log import OriginalLog
from desktop_agent.extras.console.agents.roster import Build, BuiltAgent
from desktop_agent.protocol.permission import GivenBy
from desktop_agent.startup.arguments import Arguments
from desktop_agent.startup.assembly import assemble, automatic_model, make_model, make_target
from desktop_agent.support import plugins
from desktop_agent.support.config import Config
from desktop_agent.targets.faces import HasVncServer
from desktop_agent.tools.base import Environment
from desktop_agent.tools.files import Files
from desktop_agent.tools.terminal import TerminalLog


def agent_builder(settings: Config, arguments: Arguments) -> Build:
    """Puts agents together by these settings; each has a target and a model of its own."""

    def build(folder: AgentFolder, original: OriginalLog) -> BuiltAgent:
        own = _settings_of(folder, settings, arguments)
        target = make_target(own)
        environments: tuple[Environment, ...] = (Files(folder.workspace),)
        if _is_sandbox(own):
            environments += (TerminalLog(folder.terminal_log),)
        parts, _, circumstances, info = assemble(own, arguments, False, make_model(own), target, environments)
        left_to_itself = arguments.permission is None and _is_sandbox(own)
        given_by: GivenBy = "sandbox" if left_to_itself else circumstances.given_by
        session = AgentSession(
            replace(parts, remembered=original.remembered),
            own,
            msgspec.structs.replace(
                circumstances, runs_folder=folder.runs, conversing=True, given_by=given_by
            ),
            info,
        )
        screen = target.vnc_server if isinstance(target, HasVncServer) else _no_screen
        return BuiltAgent(session, target.kind, info.model, screen)

    return build


def _no_screen() -> None:
    """People cannot watch a place without a VNC server."""


def _settings_of(folder: AgentFolder, settings: Config, arguments: Arguments) -> Config:
    """The settings with the agent's own computer: a container where an engine is, else a display of its own."""
    kind = settings.agent.target
    if kind in ("auto", "local"):
        kind = "container" if _has_engine(settings) else "display"
    tables = dict(settings.target)
    if kind == "container":
        tables["container"] = {**tables.get("container", {}), "workspace": str(folder.workspace)}
    if kind == "display":
        boxed = {"boxed": True, "workspace": str(folder.workspace)} if _can_be_boxed() else {}
        tables["display"] = {**boxed, **tables.get("display", {}), "viewers": True}
    made = msgspec.structs.replace(
        settings, agent=msgspec.structs.replace(settings.agent, target=kind), target=tables
    )
    agent = msgspec.structs.replace(
        settings.agent,
        target=kind,
        # In a sandbox without a network nothing is at stake but what the agent made there itself.
        permission=settings.agent.permission
        if arguments.permission is not None
        else ("full" if _is_sandbox(made) else settings.agent.permission),
    )
    return msgspec.structs.replace(settings, agent=agent, target=tables, llm=_models_of(folder, settings))


def _is_sandbox(settings: Config) -> bool:
    """Is nothing but the agent's own home at stake in its target? Terminals are logged there, too."""
    kind = settings.agent.target
    return kind == "container" or (
        kind == "display" and bool(settings.target.get("display", {}).get("boxed"))
    )


def _can_be_boxed() -> bool:
    from desktop_agent.platforms.posix import bubblewrap

    return bubblewrap.is_usable()


def _models_of(folder: AgentFolder, settings: Config) -> dict[str, dict[str, Any]]:
    """The models' tables, with the agent's own folder for what a model has read, where it keeps that."""
    name = settings.agent.model.partition(":")[0]
    if name == "auto":
        name = automatic_model(settings)
    known = plugins.load("llm", name).Options.__struct_fields__
    table = {each: str(folder.context) for each in ("cache_folder", "context_folder") if each in known}
    return {**settings.llm, name: {**table, **settings.llm.get(name, {})}}


def _has_engine(settings: Config) -> bool:
    container = plugins.find("target", "container")
    engine = settings.target.get("container", {}).get("engine", "auto")
    return container is not None and bool(container.has_engine(engine))
