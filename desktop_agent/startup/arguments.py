"""The command line as a typed record."""

from __future__ import annotations

import msgspec

from desktop_agent.protocol.geometry import Rect
from desktop_agent.protocol.instance_request import InstanceRequest
from desktop_agent.protocol.permission import InputKind


class Arguments(msgspec.Struct, frozen=True):
    """What the command line says; None for what it leaves to the config file. `timeout` in seconds.

    `allow` are grants as they are written: `KIND:WHAT[:HOW]`. `mcp`: an MCP client on stdin and stdout gives the goals.
    `quietly`: the window takes no focus, and starts in the tray where it is kept there.
    `grant_minutes`, `grant_applications` and `grant_inputs` limit the permission, as `[scope]` does.
    `project` is the directory that is worked by commands in a sandbox.
    `ask`: what is asked of the agent that is open on the screen.
    """

    goal: str | None = None
    window: bool = True
    json: bool = False
    target: str | None = None
    model: str | None = None
    step: str | None = None
    permission: str | None = None
    region: Rect | None = None
    timeout: float | None = None
    max_steps: int | None = None
    allow: tuple[str, ...] = ()
    grant_minutes: float | None = None
    grant_applications: tuple[str, ...] = ()
    grant_inputs: tuple[InputKind, ...] = ()
    project: str | None = None
    config: str | None = None
    trust_config: str | None = None
    send_key: tuple[str, ...] = ()
    mcp: bool = False
    resume: str = ""
    quietly: bool = False
    ask: InstanceRequest | None = None
