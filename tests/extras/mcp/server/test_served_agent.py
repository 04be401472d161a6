"""Calls of a client on a desktop in memory, where nobody sees a window."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import cast

import pytest

from desktop_agent.extras.mcp.server.client_model import ClientModel
from desktop_agent.extras.mcp.server.served_agent import ServedAgent
from desktop_agent.extras.mcp.server.served_session import ServedSession
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.agent_events import FeedEvent
from desktop_agent.protocol.errors import Refused
from tests.support.memory_desk import Bench, ScriptedModel

WAIT = {"op": "wait", "seconds": 30}


def served(bench: Bench, calls: Callable[[ServedAgent], Awaitable[None]]) -> None:
    """Make the calls while the session works."""
    agent = ServedAgent(cast(ServedSession, bench.session), ClientModel(), attended=False)
    thread = threading.Thread(target=bench.session.serve)
    thread.start()
    try:
        asyncio.run(asyncio.wait_for(_of(calls(agent)), 60))
    finally:
        bench.session.quit()
        thread.join(60)


async def _of(work: Awaitable[None]) -> None:
    await work


def test_a_takeover_ends_it_where_nobody_could_resume(tmp_path: Path) -> None:
    bench = Bench(ScriptedModel("{}"), tmp_path, permission="full")

    def take_over(event: FeedEvent) -> None:
        if isinstance(event, say.Action):
            bench.hand.on_takeover("mouse")

    bench.on_event = take_over

    async def calls(agent: ServedAgent) -> None:
        seen = await agent.look("A client")
        ended = await agent.act("A client", seen.facts["look"], [WAIT])
        assert ended.facts["ended"] == "stopped" and "nobody can resume" in ended.facts["why"]
        with pytest.raises(Refused, match="It is stopped: the user took over"):
            await agent.look("A client")

    served(bench, calls)


def test_a_call_that_is_given_up_leaves_no_question_open(tmp_path: Path) -> None:
    bench = Bench(ScriptedModel("{}"), tmp_path)
    asked = threading.Event()

    def hear(event: FeedEvent) -> None:
        if isinstance(event, say.ApprovalAsked):
            asked.set()

    bench.on_event = hear

    async def calls(agent: ServedAgent) -> None:
        agent.attended = True  # somebody could say yes, and does not
        seen = await agent.look("A client")
        click = {"op": "click_element", "element": "e1"}
        act = asyncio.create_task(agent.act("A client", seen.facts["look"], [click]))
        await asyncio.to_thread(asked.wait, 60)
        act.cancel()
        while agent.model.turn is None:
            await asyncio.sleep(0.01)
        assert (await agent.look("A client")).facts["look"]
        assert not bench.of(say.Result)

    served(bench, calls)


def test_what_the_user_says_meanwhile_is_told(tmp_path: Path) -> None:
    bench = Bench(ScriptedModel("{}"), tmp_path, permission="full")

    async def calls(agent: ServedAgent) -> None:
        seen = await agent.look("A client")
        bench.session.send("rather the other one")
        after = await agent.act("A client", seen.facts["look"], [{"op": "move", "x": 3, "y": 3}])
        assert after.facts["said"] == ["rather the other one"]
        later = await agent.look("A client")
        assert "said" not in later.facts and "outcomes" not in later.facts

    served(bench, calls)


def test_the_users_own_run_is_not_disturbed(tmp_path: Path) -> None:
    working, over = threading.Event(), threading.Event()

    def wait(_: object) -> None:
        working.set()
        over.wait(60)

    bench = Bench(ScriptedModel('{"actions": [{"op": "done", "summary": "."}]}', wait=wait), tmp_path)

    async def calls(agent: ServedAgent) -> None:
        bench.session.send("tell me the time")
        await asyncio.to_thread(working.wait, 60)
        for call in (agent.look("A client"), agent.run("A client", "help")):
            with pytest.raises(Refused, match="The user's own run is under way"):
                await call
        over.set()

    served(bench, calls)
