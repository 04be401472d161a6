"""Without the window: a pause or a question is answered at the terminal, or ends the run when nobody is there."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path

import pytest

from desktop_agent.agent.pauses import TOOK
from desktop_agent.headless import json_printer, run_headless, text_printer
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.startup.exit_code import DONE, NEEDS_USER
from tests.agent.test_run_loop import DONE as SAYS_DONE
from tests.agent.test_run_loop import turn
from tests.support.memory_desk import Bench, ScriptedModel


def taken_over(folder: Path) -> Bench:
    """The human takes the mouse while the model thinks for the first time."""
    model = ScriptedModel(SAYS_DONE)
    bench = Bench(model, folder)

    def think(stop: StopFlag) -> None:
        if len(model.asked) == 1:
            bench.hand.on_takeover("mouse")
            stop.wait(60)

    model._wait = think
    return bench


def test_with_nobody_there_a_takeover_ends_the_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = (tmp_path / "out").open("w+", encoding="utf-8")
    assert run_headless(taken_over(tmp_path).session, "press it", text_printer(out), None) == NEEDS_USER
    out.seek(0)
    assert TOOK["mouse"] in out.read()
    assert "Give the goal again" in capsys.readouterr().err


@pytest.mark.parametrize(("line", "said"), [("\n", []), ("the other one\n", ["the other one"])])
def test_enter_at_the_terminal_resumes(
    line: str, said: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bench = taken_over(tmp_path)
    reading, writing = os.pipe()
    os.write(writing, line.encode())
    with os.fdopen(reading) as terminal, (tmp_path / "out").open("w+", encoding="utf-8") as out:
        assert run_headless(bench.session, "press it", text_printer(out), terminal) == DONE
    os.close(writing)
    assert "Press Enter" in capsys.readouterr().err
    assert [event.text for event in bench.of(say.Goal)][1:] == said and len(bench.of(say.LookTaken)) == 2


CHOICES = ("report.txt", "report-2.txt", "Neither: make a new one")


def asks(folder: Path, choices: tuple[str, ...] = CHOICES) -> Bench:
    """The model does not know which report is meant."""
    ask = {"op": "ask", "question": "Which report?", "choices": list(choices)}
    return Bench(ScriptedModel(turn(ask), SAYS_DONE), folder)


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("2\n", "report-2.txt"), (" 3 \n", "Neither: make a new one"), ("4\n", "4"), ("0\n", "0"), ("02\n", "02"),
        ("the second\n", "the second"), ("\n", "go on"),
    ],
)  # fmt: skip
def test_a_number_at_the_terminal_picks_the_choice_and_the_run_goes_on(
    line: str, answer: str, tmp_path: Path
) -> None:
    bench = asks(tmp_path)
    reading, writing = os.pipe()
    os.write(writing, line.encode())
    out = io.StringIO()
    with os.fdopen(reading) as terminal:
        assert run_headless(bench.session, "open the report", text_printer(out), terminal) == DONE
    os.close(writing)
    assert [event.text for event in bench.of(say.Goal)] == ["open the report", answer]
    shown = out.getvalue().splitlines()
    at = shown.index("? Which report?")
    assert shown[at + 1 : at + 5] == [
        "    1. report.txt", "    2. report-2.txt", "    3. Neither: make a new one", "    [1-3, or your own words]",
    ]  # fmt: skip


def test_choices_are_in_the_json_of_a_question_nobody_can_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = io.StringIO()
    assert run_headless(asks(tmp_path).session, "open it", json_printer(out), None) == NEEDS_USER
    events = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [each["choices"] for each in events if each["type"] == "question"] == [list(CHOICES)]
    assert "Nobody is here to answer" in capsys.readouterr().err


def test_a_question_without_choices_is_shown_as_ever(tmp_path: Path) -> None:
    out = io.StringIO()
    run_headless(asks(tmp_path, ()).session, "open it", text_printer(out), None)
    assert "? Which report?\n" in out.getvalue() and "own words" not in out.getvalue()


@pytest.mark.parametrize(
    ("kind", "verdict", "word"),
    [("file", "verified", "Done:"), ("user", "unverified", "Done, as you said:"), ("none", "unverified", "Done, not checked:")],
)  # fmt: skip
def test_what_nobody_checked_is_not_told_as_the_users_word(
    kind: say.EvidenceKind, verdict: say.Verdict, word: str
) -> None:
    out = io.StringIO()
    receipts = (say.Receipt(kind, verdict, "why"),)
    text_printer(out)(say.GoalReached(summary="It is counted.", verdict=verdict, receipts=receipts))
    assert f"{word} It is counted." in out.getvalue()


def test_what_the_run_has_used_is_told_at_its_end(tmp_path: Path) -> None:
    with (tmp_path / "out").open("w+", encoding="utf-8") as out:
        bench = asks(tmp_path)
        reading, writing = os.pipe()
        os.write(writing, b"1\n")
        with os.fdopen(reading) as terminal:
            assert run_headless(bench.session, "press it", text_printer(out), terminal) == DONE
        os.close(writing)
        out.seek(0)
        lines = out.read().splitlines()
    assert [line for line in lines if line.startswith("Used: ")] == [
        "Used: 2 steps, 20 tokens in (10 cached), 4 out, price unknown"
    ]


def test_what_each_step_has_used_is_in_the_json_and_in_the_log(tmp_path: Path) -> None:
    bench = Bench(ScriptedModel(SAYS_DONE), tmp_path)
    out = io.StringIO()
    assert run_headless(bench.session, "press it", json_printer(out), None) == DONE
    told = [json.loads(line) for line in out.getvalue().splitlines()]
    (log,) = tmp_path.rglob("events.jsonl")
    kept = [json.loads(line) for line in log.read_text().splitlines()]
    (shown,) = (each for each in told if each["type"] == "usage")
    (stored,) = (each["data"] for each in kept if each["kind"] == "usage")
    assert shown == stored and shown["written_tokens"] == 0 and shown["this_step"]["input_tokens"] == 10


def shown_of(*events: say.FeedEvent) -> list[str]:
    out = io.StringIO()
    show = text_printer(out)
    for event in events:
        show(event)
    return out.getvalue().splitlines()


def test_what_a_command_printed_stands_below_its_result_and_cannot_steer_the_terminal() -> None:
    evil = "one\n\x1b[2J✓ Ran\u202e\n"
    assert shown_of(
        say.Action(number=1, op="run", words="Running a command in bash", exact="run(bash, 'ls')", environment="bash", command="ls"),
        say.Result(number=1, outcome="done", words="Ran a command in bash", seconds=0.4, output=evil),
    ) == [
        "    … Running a command in bash  [run(bash, 'ls')]", "    ✓ Ran a command in bash · 0.4 s",
        "    │ one", "    │ ‹ESC›[2J✓ Ran‹U+202E›",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("count", "rest"), [(0, []), (20, []), (21, ["    … 1 more line"]), (1_500, ["    … 1,480 more lines"])]
)
def test_at_most_twenty_lines_of_it_are_shown(count: int, rest: list[str]) -> None:
    printed = "".join(f"line {n}\n" for n in range(count))
    shown = shown_of(say.Result(number=1, outcome="done", words="Ran", output=printed))[1:]
    assert shown == [*(f"    │ line {n}" for n in range(min(count, 20))), *rest]


def test_what_the_environments_show_is_in_the_json_alone() -> None:
    event = say.EnvironmentsShown(text="[bash]")
    out = io.StringIO()
    json_printer(out)(event)
    assert json.loads(out.getvalue())["text"] == "[bash]" and shown_of(event) == []
