"""A policy that says where pointer, buttons and keys are is worked through the hand with all its checks."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from desktop_agent.agent.runlog.hash_chained_log import read
from desktop_agent.extras.ticks import tick_loop
from desktop_agent.extras.ticks.llm import policy_program
from desktop_agent.extras.ticks.numeric_policy import NumericPolicy, Tick
from desktop_agent.extras.ticks.tick_diff import NOTHING_HELD, operations_between
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol import ops
from desktop_agent.protocol.geometry import Size
from desktop_agent.protocol.input_events import ButtonDown, ButtonUp, KeyDown, KeyUp, Move
from desktop_agent.protocol.permission import Level
from desktop_agent.tools.files import Files
from tests.support.memory_desk import Bench


class Played(NumericPolicy):
    """Says the given ticks, the last one for ever; `seen` are the sizes and lengths of its frames."""

    def __init__(self, *ticks: Tick, think: Callable[[int], None] = lambda tick: None) -> None:
        super().__init__("played")
        self.ticks, self.goal = ticks, ""
        self.seen: list[tuple[Size, int]] = []
        self._think = think

    def begin(self, goal: str) -> None:
        self.goal = goal

    def act(self, frame: bytes, size: Size, tick: int) -> Tick:
        self.seen.append((size, len(frame)))
        self._think(tick)
        return self.ticks[min(tick, len(self.ticks) - 1)]


def at(x: int, *keys: str, y: int = 50, buttons: Iterable[str] = (), **more: Any) -> Tick:
    return Tick(x, y, frozenset(buttons), frozenset(keys), **more)  # type: ignore[arg-type]


def bench(policy: Played, runs: Path, *, simulated: bool = True, **more: Any) -> Bench:
    made = Bench(policy, runs, **more)
    made.target.simulated = simulated
    return made


def wait(event: threading.Event, seconds: float) -> None:
    event.wait(seconds)


def leave(path: Path, text: str) -> None:
    path.write_text(text)


def records(runs: Path, kind: str) -> list[Any]:
    (log,) = runs.glob("*/events.jsonl")
    return [each.data for each in read(log) if each.kind == kind]


def test_the_difference_of_two_ticks() -> None:
    assert operations_between(NOTHING_HELD, at(5, "a", "ctrl", buttons=("left",))) == (
        ops.Move(5, 50),
        ops.KeyDown("ctrl"),
        ops.KeyDown("a"),
        ops.MouseDown("left"),
    )
    assert operations_between(at(5, "a", "ctrl", buttons=("left",)), at(9, "b")) == (
        ops.Move(9, 50),
        ops.MouseUp("left"),
        ops.KeyUp("a"),
        ops.KeyUp("ctrl"),
        ops.KeyDown("b"),
    )
    assert operations_between(at(5, "a"), at(5, "a")) == ()


def test_a_run_of_ticks(tmp_path: Path) -> None:
    policy = Played(
        at(10),
        at(20, buttons=("left",), value=0.5),
        at(30, "w", buttons=("left",), value=0.5),
        at(30, "w", buttons=("left",), value=0.5),
        at(40, "w", value=0.75, done=True),
    )
    made = bench(policy, tmp_path)
    made.run("draw a line")
    events = [each for each in made.target.input.events if not isinstance(each, Move)]
    assert events == [ButtonDown("left"), KeyDown("w"), ButtonUp("left"), KeyUp("w")]
    assert made.target.input.down == set() and not made.hand.shared.holding
    assert policy.goal == "draw a line" and policy.seen[0] == (Size(800, 600), 800 * 600 * 4)
    assert made.states[-1] == "done" and "Nobody has checked it" in made.of(say.GoalReached)[0].summary
    assert records(tmp_path, "tick") == [
        [0, 10, 50, [], [], None, None],
        [1, 20, 50, ["left"], [], 0.5, None],
        [2, 30, 50, ["left"], ["w"], 0.5, None],
        [4, 40, 50, [], ["w"], 0.75, None],
    ]


def test_the_reward_stands_beside_the_value(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    policy = Played(
        at(10, value=0.1),
        at(20, value=0.2, done=True),
        think=lambda tick: leave(workspace / "reward.txt", str(tick * 10)),
    )
    bench(policy, tmp_path / "runs", environments=(Files(workspace),), reward_file="reward.txt").run()
    assert [each[-2:] for each in records(tmp_path / "runs", "tick")] == [[0.1, 0.0], [0.2, 10.0]]


def test_a_stop_ends_it_and_nothing_stays_pressed(tmp_path: Path) -> None:
    made = bench(Played(at(10, "w", buttons=("left",))), tmp_path)
    done = threading.Event()

    def stop() -> None:
        while not made.target.input.down and not done.wait(0.005):
            pass
        made.session.stop("Esc")

    thread = threading.Thread(target=stop)
    thread.start()
    made.run()
    done.set()
    thread.join()
    assert made.states[-1] == "stopped" and made.of(say.Status)[-1].detail == "Esc"
    made.session._close()
    assert made.target.input.down == set() and not made.hand.shared.holding


def test_a_policy_that_hangs_is_stopped_too(tmp_path: Path) -> None:
    hanging = threading.Event()
    policy = Played(at(10, "w"), think=lambda tick: wait(hanging, 60) if tick else None)
    made = bench(policy, tmp_path)
    made.on_event = lambda event: (
        threading.Timer(0.3, made.session.stop, ["Esc"]).start()
        if isinstance(event, say.Status) and event.state == "executing"
        else None
    )
    made.run()
    hanging.set()
    assert made.states[-1] == "stopped"
    assert KeyUp("w") in made.target.input.events, "the lease was over while it thought"


@pytest.mark.parametrize("way", ["stop", "time limit"])
def test_a_policy_that_does_not_begin_is_not_waited_for(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The program reads nothing, and the goal is more than its pipe holds."""
    program = tmp_path / "deaf.py"
    program.write_text("import time; time.sleep(600)")
    policy = policy_program.create(policy_program.Options(command=(sys.executable, str(program))))
    made = Bench(policy, tmp_path / "runs")
    made.target.simulated = True
    if way == "stop":
        made.on_event = lambda event: (
            threading.Timer(0.3, made.session.stop, ["Esc"]).start()
            if isinstance(event, say.LookTaken)
            else None
        )
    else:
        monkeypatch.setattr(tick_loop, "BEGIN_SECONDS", 0.3)
    made.run("long " * 100_000)
    policy.close()
    if way == "stop":
        assert made.states[-1] == "stopped"
    else:
        assert made.of(say.Error)[0].message == f"The policy {policy.name} took more than 0.3 s to begin."


def test_after_a_slow_tick_it_presses_anew(tmp_path: Path) -> None:
    slow = threading.Event()
    policy = Played(
        at(10, "w"), at(11, "w"), at(12, done=True), think=lambda tick: wait(slow, 0.3) if tick == 1 else None
    )
    made = bench(policy, tmp_path)
    made.run()
    presses = [each for each in made.target.input.events if isinstance(each, KeyDown | KeyUp)]
    down, up = KeyDown("w"), KeyUp("w")
    assert presses == [down, up, down, up], "held for a lease, let go, and pressed anew when the tick came"
    assert made.states[-1] == "done"


def test_a_pause_lets_go(tmp_path: Path) -> None:
    policy = Played(*[at(10 + n, "w") for n in range(6)], at(20, done=True))
    made = bench(policy, tmp_path)
    seen: list[set[Any]] = []

    def hear(event: object) -> None:
        if isinstance(event, say.Status) and event.state == "paused":
            seen.append(set(made.target.input.down))
            made.session.resume()

    policy._think = lambda tick: made.session.pause() if tick == 2 else None
    made.on_event = hear
    made.run()
    assert "paused" in made.states and made.states[-1] == "done"
    presses = [each for each in made.target.input.events if isinstance(each, KeyDown)]
    assert len(presses) == 2, "pressed anew after the pause"


@pytest.mark.parametrize("limit", ["time", "turns"])
@pytest.mark.parametrize("answer", ["Stop here", "no", "Go on"])
def test_at_a_limit_the_user_is_asked(limit: str, answer: str, tmp_path: Path) -> None:
    limits: dict[str, Any] = {"timeout": 0.5} if limit == "time" else {"max_steps": 1}
    asked: list[str] = []

    class Endless(Played):
        """Holds a key until it was asked about twice."""

        def act(self, frame: bytes, size: Size, tick: int) -> Tick:
            return at(10 + tick, "w", done=len(asked) == 2)

    def hear(event: object) -> None:
        if isinstance(event, say.Status) and event.state == "waiting_for_user":
            asked.append(event.detail)
            made.session.send(answer)

    made = bench(Endless(), tmp_path, **limits)
    made.on_event = hear
    made.run()
    words = "The limit of 0.5 s is reached." if limit == "time" else "The limit of 1 steps is reached."
    question = made.of(say.Question)[0]
    assert question.text == f"{words} Shall I go on?" and question.choices == ("Go on", "Stop here")
    assert "paused" not in made.states
    if answer == "Go on":
        assert len(asked) == 2 and made.states[-1] == "done"
    else:
        assert len(asked) == 1 and made.of(say.Error)[0].message == words
        assert made.states[-1] == "error"


def test_other_words_and_those_of_a_program_let_nothing_go_on(tmp_path: Path) -> None:
    made = bench(Played(at(10)), tmp_path, timeout=0.5)

    def hear(event: object) -> None:
        if isinstance(event, say.Status) and event.state == "waiting_for_user":
            if len(made.of(say.Question)) == 1:
                made.session.send("which limit?")
            else:
                made.session.send_for("a program", "go on")

    made.on_event = hear
    made.run()
    assert [each.text for each in made.of(say.Goal)][1:] == ["which limit?", "a program: go on"]
    assert len(made.of(say.Question)) == 2 and "The limit of" in made.of(say.Error)[0].message


def test_words_from_before_are_no_answer_at_a_limit(tmp_path: Path) -> None:
    made = bench(
        Played(at(10), think=lambda tick: made.session.send("go on") if not tick else None),
        tmp_path,
        timeout=0.5,
    )

    def hear(event: object) -> None:
        if isinstance(event, say.Status) and event.state == "waiting_for_user":
            made.session.send("Stop here")

    made.on_event = hear
    made.run()
    assert len(made.of(say.Question)) == 1 and made.states[-1] == "error"


def test_what_is_refused_again_and_again_ends_the_run(tmp_path: Path) -> None:
    made = bench(Played(at(5_000)), tmp_path)
    made.run()
    assert made.states[-1] == "error" and "refused again and again" in made.of(say.Error)[0].message
    assert not made.target.input.events


def test_a_key_that_there_is_not_ends_the_run(tmp_path: Path) -> None:
    made = bench(Played(at(5, "flux")), tmp_path)
    made.run()
    assert made.states[-1] == "error" and "flux" in made.of(say.Error)[0].message


@pytest.mark.parametrize("level", ["simulation_only", "restricted"])
def test_a_real_screen_needs_full_access(level: Level, tmp_path: Path) -> None:
    policy = Played(at(10, done=True))
    made = bench(policy, tmp_path, simulated=False, permission=level)
    made.run()
    assert made.states[-1] == "error" and not made.of(say.ApprovalAsked) and not policy.seen


@pytest.mark.parametrize("yes", [True, False])
def test_with_full_access_the_user_is_asked_once(yes: bool, tmp_path: Path) -> None:
    policy = Played(at(10), at(20), at(30, done=True))
    made = bench(policy, tmp_path, simulated=False, permission="full")

    def answer(event: object) -> None:
        if isinstance(event, say.ApprovalAsked):
            (made.session.approve if yes else made.session.skip)(event.id)

    made.on_event = answer
    made.run()
    assert len(made.of(say.ApprovalAsked)) == 1
    assert made.states[-1] == ("done" if yes else "error") and bool(policy.seen) == yes
