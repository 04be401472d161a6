"""A real MCP client works a real desktop through the program: under its policy, its approvals and its stop."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp")

from desktop_agent.extras.mcp.server.served_session import GO_ON
from tests.desk import Desk, until
from tests.extras.mcp.server.served import Human, counter, pressed, served
from tests.support.trusted_config import trusted

ALONE = ("--no-window",)
FULL = (*ALONE, "--permission", "full")


def test_a_client_looks_acts_and_is_done(shared_display: Desk, tmp_path: Path) -> None:
    file = counter(shared_display, tmp_path)

    async def work() -> None:
        async with served(shared_display, tmp_path, *FULL, mode="auto") as here:
            assert here.client.protocol_version == "2026-07-28"
            seen = await here.call("look")
            assert seen.picture and "Counter" in seen.screen
            button = seen.element("Count me")
            after = await here.act(seen.look, {"op": "click_element", "element": button})
            assert [each["outcome"] for each in after.facts["outcomes"]] == ["done"], (after, seen.screen)
            pressed(file, 1)
            assert after.look != seen.look and "Pressed 1" in after.screen and after.picture
            text = await here.call("elements")
            assert "Pressed 1" in text.screen and not text.picture
            stale = await here.act(after.look, {"op": "click_element", "element": button})
            assert "no longer" in stale.refused and "Call look" in stale.refused
            wrong = await here.act(text.look, {"op": "click_element"}, {"op": "approve"})
            assert "actions[0].element: missing" in wrong.refused
            done = await here.act(text.look, {"op": "done", "summary": "It is counted."})
            assert done.facts["ended"] == "done" and done.facts["why"] == "It is counted."
            assert done.facts["verdict"] == "unverified", "its word alone proves nothing"
            again = await here.call("look")
            assert again.look
            assert here.logged("goal")[0]["text"].startswith("MCP client “trial client”: ")
            assert len(here.logged("reply")) == 3 and len(here.logged("intent")) == 1
            assert here.logged("done")[0]["summary"] == "It is counted."
        pressed(file, 1)

    asyncio.run(work())


def test_what_would_be_asked_is_refused_with_advice_where_nobody_is(
    shared_display: Desk, tmp_path: Path
) -> None:
    file = counter(shared_display, tmp_path)

    async def work() -> None:
        async with served(shared_display, tmp_path, *ALONE, mode="legacy") as here:
            assert here.client.protocol_version == "2025-11-25", (
                "a client of the version before is served, too"
            )
            seen = await here.call("look")
            after = await here.act(seen.look, {"op": "click_element", "element": seen.element("Count me")})
            assert [each["outcome"] for each in after.facts["outcomes"]] == ["refused"]
            assert "with the window" in after.facts["advice"][0] and "--allow" in after.facts["advice"][0]
            assert "Count me" in after.screen and not file.exists()
            asked = await here.act(after.look, {"op": "ask", "question": "May I?"})
            assert "Nobody is here to answer" in asked.facts["advice"][0] and asked.look

    asyncio.run(work())


def test_esc_stops_and_keeps_stopped(shared_display: Desk, tmp_path: Path) -> None:
    human = Human(shared_display)

    async def work() -> None:
        async with served(shared_display, tmp_path, *FULL) as here:
            seen = await here.call("look")
            waits = {"op": "wait", "seconds": 30}
            call = asyncio.create_task(here.act(seen.look, {"op": "mouse_down", "x": 640, "y": 400}, waits))
            await asyncio.to_thread(until_held, shared_display)
            assert "Another call is under way" in (await here.call("look")).refused
            human.press("escape")
            ended = await call
            assert ended.facts["ended"] == "stopped" and "ESC" in ended.facts["why"]
            assert shared_display.held() == (set(), 0)
            for tool in ("look", "elements"):
                refused = (await here.call(tool)).refused
                assert "It is stopped: ESC was pressed" in refused and "start the server again" in refused
            assert "It is stopped" in (await here.act(seen.look, waits)).refused
            assert "It is stopped" in (await here.call("run", goal="press it")).refused

    asyncio.run(work())
    human.close()


def until_held(desk: Desk) -> None:
    until(lambda: desk.held()[1], "a button that is held")


def test_the_users_yes_in_the_window_is_what_a_client_waits_for(shared_display: Desk, tmp_path: Path) -> None:
    file = counter(shared_display, tmp_path)
    human = Human(shared_display)

    async def work() -> None:
        async with served(shared_display, tmp_path) as here:
            seen = await here.call("look")
            button = {"op": "click_element", "element": seen.element("Count me")}
            act = asyncio.create_task(here.act(seen.look, button))
            await asyncio.to_thread(human.click, "Approve (")
            after = await act
            assert [each["outcome"] for each in after.facts["outcomes"]] == ["done"], after
            pressed(file, 1)
            refused = asyncio.create_task(
                here.act(after.look, {"op": "open", "target": "https://evil.example"})
            )
            await asyncio.to_thread(human.click, "Skip (")
            outcomes = (await refused).facts["outcomes"]
            assert [each["detail"] for each in outcomes] == ["The user said no."]
            human.press("escape")
            await asyncio.to_thread(
                until, lambda: here.logged("status")[-1]["state"] == "stopped", "the stop"
            )
            assert "can let it go on in the window" in (await here.call("look")).refused
            await asyncio.to_thread(human.click, GO_ON)
            await asyncio.to_thread(until_idle, shared_display)
            assert "Pressed 1" in (await here.call("elements")).screen

    asyncio.run(work())
    human.close()


def until_idle(desk: Desk) -> None:
    def asked() -> bool:
        return any(GO_ON in each.name and each.role == "push button" for each in desk.target.elements())

    until(lambda: not asked(), "the end of the question")


UNSHOWN = "I believe it is done (It was that.), but I could not check it. Is it done?"


def test_a_run_with_the_configured_model_is_followed_answered_and_stopped(
    shared_display: Desk, tmp_path: Path
) -> None:
    replies: list[dict[str, object]] = [
        {"op": "ask", "question": "Which one?", "choices": ["this", "that"]},
        {"op": "done", "summary": "It was that."},
        {"op": "wait", "seconds": 30},
    ]
    recording, config = tmp_path / "answers.jsonl", tmp_path / "config.toml"
    recording.write_text("".join(json.dumps({"actions": [each]}) + "\n" for each in replies))
    config.write_text(f'[agent]\nmodel = "replay"\n[llm.replay]\npath = {json.dumps(str(recording))}\n')

    async def work() -> None:
        async with served(shared_display, tmp_path, *ALONE, *trusted(config)) as here:
            await here.call("look")  # its own run ends when the other begins
            run = (await here.call("run", goal="do one of them")).facts["run"]

            async def when(**wanted: str) -> dict[str, Any]:
                while True:
                    facts = (await here.call("run_status", run=run)).facts
                    if wanted.items() <= {k: v for k, v in facts.items() if isinstance(v, str)}.items():
                        return facts
                    assert facts["state"] != "error", facts
                    await asyncio.sleep(0.05)

            asked = await when(question="Which one?", state="waiting_for_user")
            assert asked["choices"] == ["this", "that"]
            assert "under way" in (await here.call("look")).refused
            await here.call("run_answer", run=run, text="that")
            asked = await when(state="waiting_for_user", question=UNSHOWN)
            await here.call("run_answer", run=run, text=asked["choices"][0])
            await when(state="executing")  # only the user's own yes makes it done
            assert "asks nothing" in (await here.call("run_answer", run=run, text="more")).refused
            assert "There is no run" in (await here.call("run_status", run="run-0")).refused
            await here.call("run_stop", run=run)
            await when(state="stopped")
            assert (await here.call("look")).look  # that stop was its own

    asyncio.run(work())
