"""The model whose replies are a client's calls: it waits for them, knows stale ones, and does not wait for ever."""

from __future__ import annotations

from pathlib import Path

from desktop_agent.extras.mcp.server.client_model import SILENT, ClientModel, ClientTurn
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol import ops
from desktop_agent.protocol.agent_events import FeedEvent
from desktop_agent.protocol.reply import Reply
from tests.support.memory_desk import Bench, ScriptedModel

DONE = Reply(actions=(ops.Done("It is done."),))


def bench_of(folder: Path) -> Bench:
    return Bench(ScriptedModel("{}"), folder)


def test_without_a_wish_the_run_ends(tmp_path: Path) -> None:
    bench, model = bench_of(tmp_path), ClientModel(idle_seconds=0.01)
    bench.session.send_for("A client", "look", model)
    bench.session.run_next()
    assert bench.of(say.GoalReached)[0].summary == SILENT and model.turn is None


def test_only_the_look_of_this_turn_is_acted_on(tmp_path: Path) -> None:
    bench, model = bench_of(tmp_path), ClientModel()
    turns: list[ClientTurn] = []

    def go_on(turn: ClientTurn) -> None:
        turns.append(turn)
        if len(turns) == 1:
            assert not model.give(DONE, "look-0")
            assert model.give(Reply(actions=(ops.Look(),)), turn.handle)
            assert not model.give(DONE, turn.handle)  # it is taken
        else:
            assert not model.give(DONE, turns[0].handle)
            assert model.give(DONE, turn.handle)

    model.on_turn = go_on
    bench.session.send_for("A client", "look", model)
    bench.session.run_next()
    assert len(turns) == 2 and bench.of(say.GoalReached)[0].summary == "It is done."
    assert not bench.model.asked  # type: ignore[attr-defined]  # the session's own model thinks in other runs


def test_while_it_waits_the_hand_stands_down_and_a_stop_ends_it(tmp_path: Path) -> None:
    bench, model = bench_of(tmp_path), ClientModel()
    model.on_wait = bench.session.stand_down
    stood_down: list[int] = []

    def stop(_: ClientTurn) -> None:
        stood_down.append(bench.hand.stood_down)
        bench.session.stop("you pressed Stop")

    model.on_turn = stop
    bench.session.send_for("A client", "look", model)
    bench.session.run_next()
    assert bench.states[-1] == "stopped" and stood_down[0] >= 1 and model.turn is None


def test_after_a_pause_the_look_is_another(tmp_path: Path) -> None:
    bench, model = bench_of(tmp_path), ClientModel()
    turns: list[ClientTurn] = []

    def pause(turn: ClientTurn) -> None:
        turns.append(turn)
        if len(turns) == 1:
            bench.session.pause()
        else:
            assert not model.give(DONE, turns[0].handle)
            model.give(DONE)

    def resume(event: FeedEvent) -> None:
        if isinstance(event, say.Status) and event.state == "paused":
            bench.session.resume()

    model.on_turn, bench.on_event = pause, resume
    bench.session.send_for("A client", "look", model)
    bench.session.run_next()
    assert len(turns) == 2 and bench.states[-1] == "done"
