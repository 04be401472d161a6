"""A run in the fenced dialect: system, task, history and one screen; what cannot be used runs nothing; old turns are dropped."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from desktop_agent.extras.project.protocol.dialects import fenced
from desktop_agent.llm.base import ContextLimits, Conversation
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.chat_messages import text_of
from desktop_agent.protocol.dialects.base import dialect_of
from desktop_agent.protocol.ops import Op, Run
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.tools.base import Environment, Response
from tests.support.memory_desk import Bench, ScriptedModel

FENCED = dialect_of("fenced", fenced)
DONE = "All there.\n```done\nIt is done.\n```"


class Counted(Environment):
    """Two names, whose screen counts the commands and the looks; contained."""

    name = "counted"
    operations = frozenset(("run",))
    contained = True

    def __init__(self) -> None:
        self.commands: list[str] = []
        self.looks = 0
        self.names: dict[str, str] = {"first": "Does what it is told.", "second": "Does it as well."}

    def named(self) -> tuple[str, ...]:
        return tuple(self.names)

    def about(self) -> Mapping[str, str]:
        return self.names

    def execute(self, op: Op, stop: StopFlag) -> Response:
        assert isinstance(op, Run)
        self.commands.append(op.command)
        return Response("done", "", f"output of {op.command}\n")

    def screen(self) -> str:
        self.looks += 1
        return f'> a.c: function "main", lines 1-2\nint main() {{}}\nlook {self.looks}, {len(self.commands)} commands'


def run(
    folder: Path, *answers: str, limits: ContextLimits | None = None, mends: bool = False
) -> tuple[Bench, ScriptedModel, Counted]:
    environment = Counted()
    model = ScriptedModel(*answers, mends=mends)
    if limits is not None:
        model.support = type(model.support)(images=False, proves_done=True, context=limits)
    bench = Bench(model, folder / "runs", dialect=FENCED, environments=(environment,))
    bench.run()
    return bench, model, environment


def command(number: int, language: str = "first", thoughts: str = "Next.") -> str:
    return f"{thoughts}\n```{language}\nstep {number}\n```"


def parts(conversation: Conversation) -> list[tuple[str, str]]:
    return [(each.role, text_of((each,))) for each in conversation.messages]


def test_a_request_is_system_task_history_and_one_screen(tmp_path: Path) -> None:
    bench, model, environment = run(tmp_path, command(1), command(2, "second"), DONE)
    assert bench.states[-1] == "done" and environment.commands == ["step 1", "step 2"]
    for number, conversation in enumerate(model.asked):
        said = parts(conversation)
        assert "- first: Does what it is told." in conversation.system
        assert "# Goal" in said[0][1] and said[0][0] == "user"
        assert (
            [text.count("# Screen") for _, text in said][-1]
            == 1
            == sum(text.count("# Screen") for _, text in said)
        )
        assert f"{number} commands" in said[-1][1]
        assert "int main() {}" in said[-1][1].splitlines()  # bare source, not quoted
    roles = [role for role, _ in parts(model.asked[2])]
    assert roles[:3] == ["user", "assistant", "command"] and roles[-1] == "environment"
    history = "\n".join(text for _, text in parts(model.asked[2])[:-1])
    assert ("output of step 1" in history and "output of step 2" in history) or "output of step 2" in parts(
        model.asked[2]
    )[-1][1]


def test_the_operations_of_a_desktop_are_not_offered(tmp_path: Path) -> None:
    _, model, _ = run(tmp_path, DONE)
    assert set(model.asked[0].operations) == {"run", "done", "ask", "fail"}


@pytest.mark.parametrize(
    "bad",
    [
        "No block.",
        "```first\nunclosed",
        command(1) + "\n" + command(2),
        "```\nx\n```",
        command(1) + "\nI saw: it worked.",
    ],
)
def test_what_is_not_one_command_runs_nothing_and_the_answer_lists_what_exists(
    tmp_path: Path, bad: str
) -> None:
    bench, model, environment = run(tmp_path, bad, command(5), DONE)
    assert bench.states[-1] == "done" and environment.commands == ["step 5"]
    said = parts(model.asked[1])
    assert sum(text.count("# Screen") for _, text in said) == 1 and "# Screen" in said[-1][1]
    whole = "\n".join(text for _, text in said)
    assert "could not be used" in whole and "There is: first, second." in whole
    before, after = (parts(each)[-1][1].split("look ")[1] for each in model.asked[:2])
    assert before != after, "the screen was not rebuilt after a message that was refused"


def test_an_unknown_environment_runs_nothing_and_asks_nobody(tmp_path: Path) -> None:
    bench, model, environment = run(tmp_path, command(1, "third"), command(2), DONE)
    assert bench.states[-1] == "done" and environment.commands == ["step 2"]
    assert "There is: first, second." in "\n".join(text for _, text in parts(model.asked[1]))
    assert not bench.of(say.ApprovalAsked)


def test_the_system_message_lists_what_is_loaded_now(tmp_path: Path) -> None:
    environment = Counted()
    model = ScriptedModel(command(1), command(2), DONE)
    model._wait = lambda stop: environment.names.update(third="New.") if len(model.asked) == 1 else None
    Bench(model, tmp_path / "runs", dialect=FENCED, environments=(environment,)).run()
    assert ["- third: New." in each.system for each in model.asked] == [False, True, True]


def test_no_plan_is_demanded_of_thoughts(tmp_path: Path) -> None:
    _, model, environment = run(tmp_path, command(1), DONE, mends=True)
    assert len(model.asked) == 2 and environment.commands == ["step 1"]


def test_the_oldest_whole_turns_are_dropped_and_never_task_screen_or_words_of_the_user(
    tmp_path: Path,
) -> None:
    answers = [command(number, thoughts="long " * 150) for number in range(1, 16)]
    bench, model, environment = run(tmp_path, *answers, DONE, limits=ContextLimits(words=500))
    assert len(environment.commands) == 15 and bench.states[-1] == "done"
    for number, conversation in enumerate(model.asked):
        said = parts(conversation)
        whole = "\n".join(text for _, text in said)
        assert "# Goal" in said[0][1] and "# Screen" in said[-1][1]
        assert len(whole.split()) < 1_000
        if number:
            assert f"step {number}\n" in whole, "the last turn is dropped"
        roles = [role for role, _ in said[1:-1]]
        assert not roles or roles[0] == "assistant", "half a turn is left"
    assert "step 1\n" not in "\n".join(text for _, text in parts(model.asked[-1]))


def test_the_human_is_told_the_screen_when_it_changes(tmp_path: Path) -> None:
    bench, _, _ = run(tmp_path, command(1), DONE)
    told = bench.of(say.EnvironmentsShown)
    assert [f"{number} commands" in each.text for number, each in enumerate(told)] == [True, True]
    (result,) = bench.of(say.Result)
    assert result.output == "output of step 1\n"


def test_a_question_is_put_to_the_user_and_its_answer_told(tmp_path: Path) -> None:
    environment = Counted()
    model = ScriptedModel("Which?\n```ask\nThe first or the last?\n```", command(1), DONE)
    bench = Bench(model, tmp_path / "runs", dialect=FENCED, environments=(environment,))

    def answer(event: say.FeedEvent) -> None:
        if isinstance(event, say.Question):
            bench.session.send("the last one")

    bench.on_event = answer
    bench.run()
    assert (
        "the last one" in "\n".join(text for _, text in parts(model.asked[1])) and bench.states[-1] == "done"
    )
