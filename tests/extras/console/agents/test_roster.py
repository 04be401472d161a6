"""Several agents at once: what each is at, who may answer for whom, and what a restart brings back."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from desktop_agent.agent.context.context import SUMMARY
from desktop_agent.agent.dependencies import Circumstances, Parts
from desktop_agent.agent.port import AgentInfo
from desktop_agent.agent.session import AgentSession
from desktop_agent.extras.console.agents.agent_folders import AgentFolder, AgentFolders
from desktop_agent.extras.console.agents.original_log import OriginalLog, lines_of
from desktop_agent.extras.console.agents.roster import DONE_BY_HUMAN, BuiltAgent, Roster
from desktop_agent.hand.client import Hands
from desktop_agent.llm.base import Support
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.agent_events import FeedEvent
from desktop_agent.protocol.chat_messages import TextBlock, text_of
from desktop_agent.protocol.errors import Refused
from desktop_agent.protocol.geometry import Size
from desktop_agent.protocol.permission import Level
from desktop_agent.support.config import AgentSettings, Config
from tests.agent.test_run_loop import CLICK, DONE, turn
from tests.support.memory_desk import Bench, ScriptedModel
from tests.support.waiting import until

ENDS: dict[int, list[str]] = {}
"""Of each roster: the agents whose runs have ended, and were not waited for yet."""
LOGIN = turn({"op": "ask", "question": "Please sign in.", "on_screen": True})
KILLED = """
import sys, time
from pathlib import Path
from desktop_agent.extras.console.agents.agent_folders import AgentFolders
from desktop_agent.extras.console.agents.roster import Roster
from tests.extras.console.agents.test_roster import LOGIN, DONE, RealBuilding
roster = Roster(AgentFolders(Path(sys.argv[1])), RealBuilding(LOGIN, DONE))
roster.start("a")
roster.say("a", "read my mail")
kept = Path(sys.argv[1]) / "context" / "a" / "state.json"
while roster.agent("a").state != "needs_human" or b'"needs_human":true' not in kept.read_bytes():
    time.sleep(0.01)
print("asks", flush=True)
time.sleep(1000)
"""


class Building:
    """Puts agents together on desktops in memory, with models that say what they are told to."""

    def __init__(self, *answers: str, permission: Level = "full", messages: bool = True) -> None:
        self.answers, self.permission, self.messages = answers, permission, messages
        self.models: dict[str, ScriptedModel] = {}
        self.benches: dict[str, Bench] = {}

    def __call__(self, folder: AgentFolder, original: OriginalLog) -> BuiltAgent:
        model = self.models[folder.name] = ScriptedModel(*self.answers)
        model.support = Support(images=False, proves_done=True, mends=False, messages=self.messages)
        bench = self.benches[folder.name] = Bench(model, folder.runs, permission=self.permission)
        bench.session._parts = replace(bench.session.parts, remembered=original.remembered)
        return BuiltAgent(bench.session, "memory", model.name)


class RealBuilding(Building):
    """The same, on embedded displays with hand and guard, which vouches for what is recorded."""

    def __call__(self, folder: AgentFolder, original: OriginalLog) -> BuiltAgent:
        from desktop_agent.targets._embedded import EmbeddedDisplay

        model = self.models[folder.name] = ScriptedModel(*self.answers)
        model.support = Support(images=False, proves_done=True, mends=False, messages=True)
        desk = EmbeddedDisplay(Size(640, 480), 0)
        parts = Parts(
            desk,
            model,
            lambda address, on_stop: Hands(address, on_stop=on_stop),
            lambda frame, stop: (),
            remembered=original.remembered,
        )
        session = AgentSession(
            parts,
            Config(agent=AgentSettings(permission="full")),
            Circumstances(folder.runs),
            AgentInfo("display", "scripted", "off", 20, True),
        )
        return BuiltAgent(session, "display", model.name, desk.vnc_server)


@pytest.fixture
def folders(tmp_path: Path) -> AgentFolders:
    return AgentFolders(tmp_path / "data")


@pytest.fixture
def make(folders: AgentFolders) -> Iterator[Callable[..., Roster]]:
    made: list[Roster] = []

    def build(building: Building) -> Roster:
        roster = Roster(folders, building)
        ends = ENDS[id(roster)] = []

        def hear(name: str, event: FeedEvent) -> None:
            if isinstance(event, say.Status) and event.state in ("done", "error", "stopped"):
                ends.append(name)

        roster.subscribe(hear)
        made.append(roster)
        return roster

    yield build
    for each in made:
        each.close()


def await_state(roster: Roster, name: str, state: str) -> None:
    until(lambda: roster.agent(name).state == state, f"{name} {state}")


def ended(roster: Roster, name: str) -> None:
    """Wait for the next end of a run of this agent, which is told after all of it was written down."""
    ends = ENDS[id(roster)]
    until(lambda: name in ends, f"the end of a run of {name}")
    ends.remove(name)


def test_two_agents_work_at_once_and_keep_apart_what_they_say(
    make: Callable[..., Roster], folders: AgentFolders
) -> None:
    roster = make(Building(turn(CLICK, notes="I click."), DONE))
    heard: list[tuple[str, FeedEvent]] = []
    take_back = roster.subscribe(lambda name, event: heard.append((name, event)))
    for name in ("a", "b"):
        assert roster.create(name).state == "stopped"
        roster.start(name)
        assert roster.agent(name).state == "waiting"
    roster.say("a", "press the first")
    roster.say("b", "press the second")
    for name in ("a", "b"):
        ended(roster, name)
    take_back()
    assert {name for name, event in heard if isinstance(event, say.GoalReached)} == {"a", "b"}
    for name, goal in (("a", "press the first"), ("b", "press the second")):
        lines = roster.messages(name)
        assert {each.role for each in lines} <= {"user", "assistant", "command", "environment"}
        words = json.dumps([each.content for each in lines])
        assert goal in words and ("first" in words) != ("second" in words)
        assert roster.messages(name, after=2) == lines[2:]
    raw = folders.agent("a").original.read_bytes()
    assert all(set(json.loads(line)) == {"role", "content"} for line in raw.splitlines())


def test_what_was_said_is_only_ever_added_to_and_the_next_run_remembers_it(
    make: Callable[..., Roster], folders: AgentFolders
) -> None:
    building = Building(turn(CLICK), DONE)
    roster = make(building)
    roster.create("a")
    roster.start("a")
    roster.say("a", "my favourite colour is teal")
    ended(roster, "a")
    before = folders.agent("a").original.read_bytes()
    roster.say("a", "what is my favourite colour?")
    ended(roster, "a")
    assert folders.agent("a").original.read_bytes().startswith(before)
    roster.stop("a")
    roster.start("a")
    roster.say("a", "and now?")
    ended(roster, "a")
    told = text_of(building.models["a"].asked[0].messages)
    assert "teal" in told and "what is my favourite colour?" in told


def test_a_summary_stands_for_what_was_before_it_but_for_the_last_messages(folders: AgentFolders) -> None:
    folder = folders.create("a")
    lines = [
        {"role": "user" if n % 2 else "assistant", "content": [{"type": "text", "text": f"word{n}"}]}
        for n in range(20)
    ]
    lines.insert(12, {"role": "assistant", "content": [{"type": "text", "text": f"{SUMMARY}it counted"}]})
    folder.original.write_text("".join(json.dumps(each) + "\n" for each in lines) + '{"role": "us')
    told = OriginalLog(folder.original).remembered()
    texts = [block.text for each in told for block in each.content if isinstance(block, TextBlock)]
    assert texts == [f"{SUMMARY}it counted", *(f"word{n}" for n in range(7, 20))]
    assert len(lines_of(folder.original)) == 21, "a torn last line is none"


def test_a_human_is_asked_onto_the_screen_takes_it_and_gives_it_back(make: Callable[..., Roster]) -> None:
    building = Building(LOGIN, DONE)
    roster = make(building)
    roster.create("a")
    roster.start("a")
    roster.say("a", "read my mail")
    await_state(roster, "a", "needs_human")
    assert roster.agent("a").detail == "Please sign in."
    roster.take("a")
    assert roster.agent("a").state == "taken"
    with pytest.raises(Refused, match="Somebody has"):
        roster.take("a")
    with pytest.raises(Refused, match="Give it back"):
        roster.resume("a")
    roster.give_back("a")
    roster.give_back("a")
    ended(roster, "a")
    assert DONE_BY_HUMAN in building.models["a"].asked[1].text


def test_a_screen_is_taken_from_an_agent_at_work_which_goes_on_afterwards(
    make: Callable[..., Roster],
) -> None:
    building = Building(turn({"op": "wait", "seconds": 0.2}), turn({"op": "wait", "seconds": 0.2}), DONE)
    roster = make(building)
    roster.create("a")
    roster.start("a")
    roster.say("a", "wait a while")
    await_state(roster, "a", "working")
    roster.take("a")
    until(lambda: roster._running["a"].state == "paused", "the pause")
    assert roster.agent("a").state == "taken"
    roster.give_back("a")
    ended(roster, "a")


def test_only_the_agent_that_asked_can_be_answered(make: Callable[..., Roster]) -> None:
    risky = turn({"op": "open", "target": "xterm"})
    building = Building(risky, DONE, permission="restricted")
    roster = make(building)
    for name in ("a", "b"):
        roster.create(name)
        roster.start(name)
        roster.say(name, "clean up")
        await_state(roster, name, "asking")
        until(lambda name=name: roster.agent(name).asked, "what is asked")  # type: ignore[misc]
    asked = {name: roster.agent(name).asked for name in ("a", "b")}
    first, second = asked["a"], asked["b"]
    assert isinstance(first, say.ApprovalAsked) and isinstance(second, say.ApprovalAsked)
    for wrong in (second.id + "x", "", "1"):
        with pytest.raises(Refused, match="does not ask"):
            roster.approve("a", wrong)
    if first.id != second.id:
        with pytest.raises(Refused):
            roster.approve("a", second.id)
    roster.skip("a", first.id)
    ended(roster, "a")
    assert roster.agent("b").state == "asking"


def test_one_that_runs_is_neither_renamed_nor_thrown_away_and_runs_once(
    make: Callable[..., Roster], folders: AgentFolders
) -> None:
    roster, other = make(Building(DONE)), make(Building(DONE))
    roster.create("a")
    roster.start("a")
    roster.start("a")
    acts: tuple[Callable[[Roster], object], ...] = (
        lambda each: each.rename("a", "b"),
        lambda each: each.trash("a"),
    )
    for act in acts:
        for each in (roster, other):
            with pytest.raises(Refused, match="Stop it"):
                act(each)
    with pytest.raises(Refused, match="another process"):
        other.start("a")
    assert other.agent("a").state == "elsewhere"
    roster.stop("a")
    assert other.agent("a").state == "stopped"
    with pytest.raises(Refused, match="does not run"):
        roster.say("a", "hello")
    other.start("a")
    other.stop("a")
    assert other.rename("a", "b").name == "b"


@pytest.mark.linux("works on a private display")
def test_a_killed_program_leaves_agents_that_the_next_brings_back_as_they_were(
    make: Callable[..., Roster], folders: AgentFolders
) -> None:
    folders.create("a")
    folders.create("idle")
    command = [sys.executable, "-c", KILLED, str(folders.root)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    ) as program:
        assert program.stdout is not None and program.stdout.readline() == b"asks\n"
        program.send_signal(signal.SIGKILL)
    building = RealBuilding(DONE)
    roster = make(building)
    assert roster.bring_back() == ()
    assert [(each.name, each.state) for each in roster.agents()] == [
        ("a", "needs_human"),
        ("idle", "stopped"),
    ]
    assert not building.models["a"].asked, "it waits for the human, and asks no model"
    roster.take("a")
    roster.give_back("a")
    ended(roster, "a")
    assert "read my mail" in building.models["a"].asked[0].text
    lines = [json.loads(each) for each in folders.agent("a").original.read_bytes().splitlines()]
    assert sum("read my mail" in json.dumps(each) for each in lines if each["role"] == "user") == 1


def test_closing_keeps_what_they_were_at(make: Callable[..., Roster], folders: AgentFolders) -> None:
    roster = make(Building(turn({"op": "wait", "seconds": 20})))
    roster.create("a")
    roster.start("a")
    roster.say("a", "wait for me")
    await_state(roster, "a", "working")
    until(lambda: roster._running["a"].run, "the run")
    run = roster._running["a"].run
    roster.close()
    building = Building(DONE)
    again = make(building)
    again.bring_back()
    ended(again, "a")
    assert [each.name for each in folders.agent("a").runs.glob("2*")] == [run], "the same run went on"
    again.stop("a")
    assert make(Building(DONE)).bring_back() == () and again.agent("a").state == "stopped"


def test_a_model_that_reads_no_conversation_leaves_what_was_said_and_done(
    make: Callable[..., Roster],
) -> None:
    roster = make(Building(turn(CLICK), DONE, messages=False))
    roster.create("a")
    roster.start("a")
    roster.say("a", "press it")
    ended(roster, "a")
    until(lambda: roster.messages("a"), "the conversation")
    assert "press it" in msgspec.json.encode(roster.messages("a")).decode()


def test_of_a_long_conversation_so_much_is_given_at_once_and_at_least_one_message(tmp_path: Path) -> None:
    place = tmp_path / "original.jsonl"
    place.write_text("".join(f'{{"role":"user","content":[{{"type":"text","text":"{n}{"x" * 900}"}}]}}\n' for n in range(10)))  # fmt: skip
    assert len(lines_of(place)) == 10
    assert len(lines_of(place, most=3_000)) == 3 and len(lines_of(place, most=1)) == 1
    read: list[str] = []
    while found := lines_of(place, len(read), most=2_500):
        read += [str(each.content[0]["text"])[0] for each in found]
    assert read == [str(n) for n in range(10)]
