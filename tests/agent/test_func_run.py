"""A run in the func dialect: waiting costs no call, a button is held over answers, and answers may be long."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from desktop_agent.agent.run_loop import WAITING
from desktop_agent.llm.base import Conversation
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.chat_messages import text_of
from desktop_agent.protocol.dialects import func_tags
from desktop_agent.protocol.dialects.base import dialect_of
from desktop_agent.protocol.input_events import ButtonDown, ButtonUp
from desktop_agent.tools.terminal import TITLE, TerminalLog
from tests.support.memory_desk import Bench, ScriptedModel

FUNC = dialect_of("func_tags", func_tags)
DONE = "<func>DONE</func><param>All done.</param>"
WAIT = "Let us see.\n<func>WAIT</func>"


def bench(
    folder: Path, *answers: str, log: Path | None = None, timeout: float = 100.0
) -> tuple[Bench, ScriptedModel]:
    model = ScriptedModel(*answers)
    environments = (TerminalLog(log),) if log else ()
    return Bench(
        model, folder / "runs", dialect=FUNC, environments=environments, permission="full", timeout=timeout
    ), model


def newest(conversation: Conversation) -> str:
    """The words of its last message."""
    return text_of(conversation.messages[-1:])


def when_waiting(made: Bench, act: object) -> list[threading.Thread]:
    """Calls `act` from a thread of its own once the run waits for news."""
    begun: list[threading.Thread] = []

    def hear(event: say.FeedEvent) -> None:
        if isinstance(event, say.Status) and event.detail == WAITING and not begun:
            assert callable(act)
            begun.append(threading.Thread(target=act))
            begun[0].start()

    made.on_event = hear
    return begun


def test_a_wait_ends_with_what_the_terminal_prints_which_is_told_once(tmp_path: Path) -> None:
    log = tmp_path / "term.log"
    log.write_text("$ make\n")
    made, model = bench(tmp_path, WAIT, "Seen.\n<func>LOOK</func>", DONE, log=log)

    def build() -> None:
        with log.open("a") as file:
            file.write("built 7 targets\n$ ")

    when_waiting(made, build)
    made.run()
    assert made.states[-1] == "done"
    assert [newest(each).count("built 7 targets") for each in model.asked] == [0, 1, 0]
    assert newest(model.asked[1]).count(TITLE) == 1


def test_the_echo_of_a_command_does_not_end_a_wait(tmp_path: Path) -> None:
    log = tmp_path / "term.log"
    log.write_text("$ ")
    made, model = bench(tmp_path, "Look.\n<func>LOOK</func>", WAIT, DONE, log=log)
    model._wait = lambda stop: (log.open("a").write("make\n"), None)[1] if len(model.asked) == 2 else None

    def build() -> None:
        with log.open("a") as file:
            file.write("built\n$ ")

    when_waiting(made, build)
    made.run()
    assert ["built" in newest(each) for each in model.asked] == [False, False, True]


def test_a_wait_ends_with_words_of_the_user(tmp_path: Path) -> None:
    made, model = bench(tmp_path, WAIT, DONE)
    when_waiting(made, lambda: made.session.send("go on with the second one"))
    made.run()
    assert len(model.asked) == 2 and "second one" in model.asked[1].text


def test_a_wait_ends_at_the_time_limit_and_the_user_is_asked(tmp_path: Path) -> None:
    made, model = bench(tmp_path, WAIT, DONE, timeout=0.3)

    def answer(event: say.FeedEvent) -> None:
        if isinstance(event, say.Question):
            made.session.send(event.choices[1])

    made.on_event = answer
    made.run()
    assert len(model.asked) == 1 and "limit of 0.3 s" in made.of(say.Question)[0].text


def test_a_stop_ends_a_wait(tmp_path: Path) -> None:
    made, model = bench(tmp_path, WAIT, DONE)
    when_waiting(made, made.session.stop)
    made.run()
    assert made.states[-1] == "stopped" and len(model.asked) == 1


def test_a_button_is_held_over_answers(tmp_path: Path) -> None:
    made, _ = bench(
        tmp_path,
        "<func>MOVE 10 10</func><func>LDOWN</func>",
        "<func>MOVE 40 10</func>",
        "<func>LUP</func>",
        DONE,
    )
    held: list[tuple[str, ...]] = []
    made.model._wait = lambda stop: held.append(made.hand._controller.held)  # type: ignore[attr-defined,union-attr]
    made.run()
    assert held[1:3] == [("left button",)] * 2 and held[3] == ()
    buttons = [each for each in made.target.input.events if isinstance(each, ButtonDown | ButtonUp)]
    assert buttons == [ButtonDown("left"), ButtonUp("left")]


@pytest.mark.parametrize("end", ["pause", "end"])
def test_a_held_button_does_not_outlive_a_pause_or_the_run(end: str, tmp_path: Path) -> None:
    last = "<func>PAUSE</func>" if end == "pause" else DONE
    made, _ = bench(tmp_path, "<func>MOVE 10 10</func><func>LDOWN</func>", last, DONE)

    def hear(event: say.FeedEvent) -> None:
        if isinstance(event, say.Status) and event.state == "paused":
            made.session.resume()

    made.on_event = hear
    made.run()
    from tests.support.waiting import until

    until(lambda: made.hand._controller is None or not made.hand._controller.held, "the button let go")


def test_an_answer_may_hold_more_commands_than_a_batch(tmp_path: Path) -> None:
    many = "".join(f"<func>MOVE {10 + n % 50} 10</func>" for n in range(300))
    made, model = bench(tmp_path, f"<func>MOVE 10 10</func><func>LDOWN</func>{many}<func>LUP</func>", DONE)
    made.run()
    assert made.states[-1] == "done" and len(model.asked) == 2
    assert [each.outcome for each in made.of(say.Result)] == ["done"] * 303
