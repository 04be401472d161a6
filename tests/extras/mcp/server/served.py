"""The program as an MCP server on a private desk, spoken to by the SDK's own client."""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.types import CallToolResult, ImageContent, Implementation, TextContent

from desktop_agent.protocol.geometry import Point
from desktop_agent.protocol.input_events import ButtonDown, ButtonUp, KeyDown, KeyUp, Move
from desktop_agent.targets import display as embedded
from desktop_agent.ui.panels.approval_card import ARMED_MS
from tests.desk import Desk, until
from tests.jobs.commands import ROOT, environment

SERVER = (sys.executable, "-m", "desktop_agent", "mcp")
BUTTON = Path(__file__).with_name("button.py")


@dataclass(frozen=True)
class Brought:
    """What a call brought: facts, the screen as text, whether there was a picture, and whether it was refused."""

    facts: dict[str, Any]
    screen: str
    picture: bytes | str
    refused: str

    @property
    def look(self) -> str:
        return str(self.facts["look"])

    def element(self, name: str) -> str:
        """The id of an element in the text of the screen."""
        found = re.search(rf"(\S+) [^\n]*{re.escape(name)}", self.screen)
        assert found is not None, self.screen
        return found[1].strip("[]:")


def brought(result: CallToolResult) -> Brought:
    texts = [each.text for each in result.content if isinstance(each, TextContent)]
    pictures = [each.data for each in result.content if isinstance(each, ImageContent)]
    if result.is_error:
        return Brought({}, "", "", texts[0])
    return Brought(json.loads(texts[0]), "".join(texts[1:]), "".join(pictures), "")


@dataclass
class Served:
    """A connected client."""

    client: Client
    home: Path

    async def call(self, tool: str, **arguments: Any) -> Brought:
        return brought(await self.client.call_tool(tool, arguments))

    async def act(self, look: str, *actions: dict[str, Any]) -> Brought:
        return await self.call("act", look=look, actions=list(actions))

    def logged(self, kind: str) -> list[dict[str, Any]]:
        """The facts of one kind in the logs of all runs, oldest first."""
        logs = sorted(self.home.glob(".local/**/events.jsonl"))
        facts = [
            json.loads(line) for log in logs for line in log.read_text().splitlines() if line.endswith("}")
        ]
        return [fact["data"] for fact in facts if fact["kind"] == kind]


def around(desk: Desk, home: Path) -> dict[str, str]:
    """The environment of a program on this desk, with a home of its own."""
    return environment(home) | desk.environment | {"HOME": str(home)}


@asynccontextmanager
async def served(desk: Desk, home: Path, *words: str, mode: str = "auto") -> AsyncIterator[Served]:
    """The server, started with these words; it ends with the client."""
    command, *arguments = SERVER
    parameters = StdioServerParameters(
        command=command, args=[*arguments, *words], env=around(desk, home), cwd=ROOT
    )
    me = Implementation(name="trial client", version="1")
    said = home / "server.err"
    try:
        with said.open("w") as errors:
            async with Client(stdio_client(parameters, errors), mode=mode, client_info=me) as client:
                yield Served(client, home)
    except BaseException as error:
        error.add_note(f"The server said: {said.read_text()}")
        raise


def counter(desk: Desk, folder: Path) -> Path:
    """The window with the button, in front; returns the file it writes into."""
    file = folder / "pressed"
    desk.launch(sys.executable, str(BUTTON), str(file), title="Counter")
    return file


def pressed(file: Path, times: int) -> None:
    until(lambda: file.exists() and file.read_text() == str(times), f"{times} presses")


class Human:
    """The human's mouse and keyboard."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._input = embedded.attach(desk.target.address())

    def press(self, key: str) -> None:
        self._input.emit(KeyDown(key))
        self._input.emit(KeyUp(key))

    def click(self, name: str) -> None:
        """Click on the button of that name, once it has been shown long enough for a press to count."""
        until(lambda: self._place_of(name), name)
        shown = time.monotonic()
        until(lambda: time.monotonic() - shown > ARMED_MS / 1000, "an armed button")
        at = until(lambda: self._place_of(name), name)
        for event in (Move(at.x, at.y), ButtonDown("left"), ButtonUp("left")):
            self._input.emit(event)

    def _place_of(self, name: str) -> Point | None:
        return next((e.bounds.center for e in self._desk.target.elements() if name in e.name), None)

    def close(self) -> None:
        self._input.close()
