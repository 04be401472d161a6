"""The next run of a session is told what was said before, which grants nothing, and keeps that when it goes on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from desktop_agent.agent.context.earlier_goals import MOST_CHARACTERS, MOST_GOALS, EarlierGoals
from desktop_agent.agent.runlog.past_run import read_past_run
from desktop_agent.policy.facts.place import Subject
from desktop_agent.policy.facts.provenance import Origin
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.chat_messages import text_of
from tests.agent.test_resumed_run import DONE, LETTER, PRESS, go_on, turn
from tests.support.memory_desk import Bench, ReadingModel

HEADING = "# Earlier in this conversation"


def first_words(model: ReadingModel, call: int = -1) -> str:
    return text_of(model.asked[call].messages[:1])


def test_the_next_goal_comes_after_an_account_of_the_last_one(tmp_path: Path) -> None:
    model = ReadingModel(turn(PRESS, notes="I press it."), turn(DONE), turn(DONE))
    bench = Bench(model, tmp_path)
    bench.run("press it")
    assert HEADING not in first_words(model)
    bench.run("what did you just do?")
    told = first_words(model)
    account, _, goal = told.partition("# Goal")
    mark = model.asked[-1].system not in told and account.splitlines()[0].removeprefix(
        "The mark of this run: "
    )
    inside = account[account.index(f"<<<earlier {mark}") : account.index(f"{mark}>>>")]
    assert inside.index("The user said: press it") < inside.index("You said: I press it.")
    assert inside.rstrip().endswith(
        "It was said to be done, but not checked: Pressed."
    )  # a button called Save
    assert goal.strip() == "what did you just do?"
    assert model.asked[0].system == model.asked[-1].system, "the system prompt stays the same, for the cache"


def test_earlier_words_grant_nothing_and_hold_no_secret(tmp_path: Path) -> None:
    """They neither are the user's words of this run nor widen its scope; what had been read then taints it."""
    model = ReadingModel(turn(DONE), turn(DONE))
    bench = Bench(model, tmp_path)
    bench.target.things = (LETTER,)
    bench.run("type “for Eve alone” with {{secret: hush-hush-1}} into Mail")
    scopes: list[str] = []
    origins: list[Origin] = []

    def look(event: say.FeedEvent) -> None:
        if isinstance(event, say.ScopeSet):
            scopes.extend(event.grants)
        if isinstance(event, say.LookTaken):
            builder = bench.session._builder
            assert builder is not None and builder.gate is not None
            origins.append(builder.gate.provenance.of("for Eve alone"))

    bench.on_event = look
    bench.run("go on")
    told = first_words(model)
    assert "for Eve alone" in told and "hush-hush-1" not in told
    assert "{{secret:earlier-" in told
    assert origins and all(each.source != "user" for each in origins)
    assert not [each for each in scopes if "mail" in each.casefold()]


def test_another_model_is_not_told_what_was_said_to_the_first(tmp_path: Path) -> None:
    """That one may think on this computer, and the next one far away."""
    bench = Bench(ReadingModel(turn(DONE)), tmp_path)
    bench.run("press it")
    session, other = bench.session, ReadingModel(turn(DONE))
    session.reconfigure(
        replace(session.parts, model=other), session._settings, session._circumstances, session.info
    )
    bench.run("go on")
    assert HEADING not in first_words(other)


def test_a_new_conversation_and_a_programs_run_are_told_nothing(tmp_path: Path) -> None:
    model = ReadingModel(*[turn(DONE)] * 4)
    bench = Bench(model, tmp_path)
    bench.run("press it")
    bench.session.send_for("a program", "do its work")
    bench.session.run_next()
    assert HEADING not in first_words(model)
    bench.run("again")
    assert "press it" in first_words(model) and "do its work" not in first_words(model)
    bench.session.new_conversation()
    bench.run("once more")
    assert HEADING not in first_words(model)


def test_a_run_that_goes_on_is_told_the_same_again(tmp_path: Path) -> None:
    model = ReadingModel(turn(DONE), turn(PRESS), turn(DONE), turn(DONE))
    bench = Bench(model, tmp_path)
    bench.run("press it")
    bench.on_event = lambda event: bench.session.stop("Esc") if isinstance(event, say.Result) else None
    bench.run("press and type the second")
    before = first_words(model)
    assert "press it" in before
    folder = max(tmp_path.iterdir(), key=lambda each: each.stat().st_mtime_ns)
    assert "press it" in read_past_run(folder).earlier
    bench.on_event = lambda event: None
    go_on(bench, folder)
    assert first_words(model) == before


def test_the_account_is_bounded_and_the_newest_come_first() -> None:
    earlier = EarlierGoals()
    read = Subject("site", "https://shop.example")
    for number in range(MOST_GOALS + 3):
        earlier.hear(say.Goal(text=f"goal {number} " + "x" * 5_000))
        for _ in range(50):
            earlier.hear(say.Note(text="y" * 5_000))
        earlier.hear(say.Status(state="stopped", detail="you pressed Stop"))
        earlier.end((read,))
    told, sources = earlier.account()
    assert len(told) < MOST_CHARACTERS + 100
    assert f"goal {MOST_GOALS + 2} " in told and "goal 0 " not in told
    assert told.endswith("It was stopped: you pressed Stop")
    assert sources == {read}
