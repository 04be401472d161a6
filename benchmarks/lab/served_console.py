"""A console at work for benchmarks: real agents in memory or on displays, and viewers of what it tells."""

from __future__ import annotations

import json
import threading
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin, Subprotocol

from benchmarks.lab.desk import LabDesk
from benchmarks.lab.memory_desk import Bench, ScriptedModel
from benchmarks.lab.waiting import until
from desktop_agent.agent.dependencies import Parts, Settings
from desktop_agent.agent.port import AgentInfo
from desktop_agent.agent.session import AgentSession
from desktop_agent.agents.agent_folders import AgentFolder, AgentFolders
from desktop_agent.agents.original_log import OriginalLog
from desktop_agent.agents.roster import BuiltAgent, Roster
from desktop_agent.console.console_server import Console
from desktop_agent.hand.client import Hands

DONE = json.dumps({"notes": "There is nothing to do.", "actions": [{"op": "done", "summary": "All done."}]})

ASK = json.dumps({"actions": [{"op": "ask", "question": "What is next?"}]})


def in_memory(folder: AgentFolder, _: OriginalLog) -> BuiltAgent:
    """An agent on a desktop in memory that is done at once with whatever is said."""
    model = ScriptedModel(DONE)
    return BuiltAgent(Bench(model, folder.runs, permission="full").session, "memory", model.name)


class OnDisplays:
    """Puts agents together on embedded displays, which `desks` names by agent; whatever is said, they ask what is next."""

    def __init__(self) -> None:
        self.desks: dict[str, LabDesk] = {}

    def __call__(self, folder: AgentFolder, _: OriginalLog) -> BuiltAgent:
        desk = self.desks[folder.name] = LabDesk()
        parts = Parts(
            desk,
            ScriptedModel(ASK),
            lambda address, on_stop: Hands(address, on_stop=on_stop),
            lambda *_: (),
        )
        info = AgentInfo("display", "scripted", "off", 20, True)
        session = AgentSession(parts, Settings(folder.runs, permission="full"), info)
        return BuiltAgent(session, "display", "scripted", desk.vnc_server)


@contextmanager
def serving(
    root: Path, build: Callable[[AgentFolder, OriginalLog], BuiltAgent], *names: str
) -> Iterator[tuple[Console, Roster]]:
    """A console of new agents with these names, none of which runs; all is ended with the block."""
    roster = Roster(AgentFolders(root), build)
    for name in names:
        roster.create(name)
    console = Console(roster)
    up = threading.Event()
    thread = threading.Thread(target=console.serve, args=(up.set,), daemon=True)
    thread.start()
    try:
        until(up.is_set, "the console")
        yield console, roster
    finally:
        console.end()
        thread.join(60)
        roster.close()


def given(console: Console, path: str) -> Any:
    """What the console answers to its page."""
    request = urllib.request.Request(
        f"http://127.0.0.1:{console.port}{path}", headers={"Authorization": f"Bearer {console.token}"}
    )
    with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310
        return json.load(answer)


def watching(console: Console) -> ClientConnection:
    """A viewer's WebSocket that tells what changes; its largest unread part is one message."""
    return connect(
        f"ws://127.0.0.1:{console.port}/api/events",
        origin=Origin(f"http://127.0.0.1:{console.port}"),
        subprotocols=[Subprotocol("desktop-agent"), Subprotocol(f"token.{console.token}")],
        compression=None,
        max_queue=1,
        max_size=None,
    )
