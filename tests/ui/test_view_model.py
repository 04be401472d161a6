"""What the window shows follows from the feed."""

from __future__ import annotations

import pytest

from desktop_agent.protocol.agent_events import (
    Action,
    ApprovalAsked,
    Error,
    Goal,
    GoalReached,
    LookTaken,
    Note,
    NoteDelta,
    Plan,
    Question,
    Recording,
    Result,
    Status,
    Usage,
)
from desktop_agent.protocol.geometry import Point, Rect
from desktop_agent.ui.view_model import MAX_ENTRIES, MAX_ROWS, MAX_TEXT, RunView

ASKED = ApprovalAsked(id="b1", words="Click", exact=("click",), window="W", why="because")


def view(*events: object) -> RunView:
    run = RunView()
    run.apply(events)  # type: ignore[arg-type]
    return run


def texts(run: RunView) -> list[tuple[str, str]]:
    return [(message.kind, message.text) for message in run.messages]


def test_pieces_of_a_note_become_one_message_that_the_note_replaces() -> None:
    run = view(NoteDelta(text="Hel"), NoteDelta(text="lo"))
    assert texts(run) == [("agent", "Hello")]
    assert run.messages[0].live
    run.apply([Note(text="Hello there"), NoteDelta(text="Next")])
    assert texts(run) == [("agent", "Hello there"), ("agent", "Next")]


def test_a_note_cut_off_by_a_stop_is_no_longer_live() -> None:
    run = view(Goal(text="g"), Status(state="planning"), NoteDelta(text="I wi"), Status(state="stopped"))
    assert texts(run)[-1] == ("agent", "I wi")
    assert not any(message.live for message in run.messages)


def test_words_sent_from_the_window_are_not_shown_twice() -> None:
    run = RunView()
    run.user_said("open it")
    run.apply([Goal(text="open it"), Status(state="planning")])
    assert texts(run) == [("user", "open it")]
    run.apply([Goal(text="open it")])
    assert texts(run) == [("user", "open it"), ("user", "open it")]


def test_an_action_keeps_the_picture_of_the_look_before_it() -> None:
    look = LookTaken(frame="f", region=Rect(0, 0, 10, 10), elements=1, preview=b"jpeg")
    run = view(
        Status(state="executing"), look, Action(number=1, op="click", words="w", exact="e", at=Point(1, 2))
    )
    assert run.doing is not None
    assert run.doing.shot is not None
    assert run.doing.shot.jpeg == b"jpeg"
    run.apply([LookTaken(frame="g", region=Rect(0, 0, 10, 10), elements=1, preview=b"other")])
    assert run.rows[0].shot is not None
    assert run.rows[0].shot.jpeg == b"jpeg"


def test_a_result_ends_its_action_and_an_unknown_result_is_let_pass() -> None:
    run = view(
        Status(state="executing"),
        Action(number=1, op="click", words="Click", exact="e"),
        Result(number=7, outcome="done", words="?"),
        Result(number=1, outcome="done", words="Clicked", effect="confirmed", seconds=0.5),
    )
    row = run.rows[0]
    assert (row.words, row.outcome, row.effect, row.seconds) == ("Clicked", "done", "confirmed", 0.5)
    assert run.doing is None


def test_an_action_whose_end_was_never_told_counts_as_stopped() -> None:
    run = view(
        Status(state="executing"), Action(number=1, op="c", words="w", exact="e"), Status(state="stopped")
    )
    assert run.rows[0].outcome == "stopped"


def test_an_approval_lives_until_the_agent_goes_on() -> None:
    run = view(Status(state="waiting_for_user"), ASKED)
    assert run.approval == ASKED
    run.apply([Status(state="paused")])
    assert run.approval == ASKED
    run.apply([Status(state="executing")])
    assert run.approval is None


def test_an_approval_that_comes_before_its_state_is_kept() -> None:
    assert view(ASKED, Status(state="waiting_for_user")).approval == ASKED


def test_a_stop_takes_the_question_and_the_card_away() -> None:
    run = view(
        Status(state="waiting_for_user"),
        ASKED,
        Question(text="which?"),
        Status(state="stopped", detail="Esc"),
    )
    assert run.approval is None
    assert run.question is None
    assert run.ending is not None
    assert (run.ending.kind, run.ending.text) == ("stopped", "Esc")
    assert not run.working


def test_an_answer_takes_the_question_away() -> None:
    run = view(Status(state="waiting_for_user"), Question(text="which?"))
    run.user_said("the first")
    assert run.question is None


def test_an_error_is_kept_with_its_advice_whatever_order_it_comes_in() -> None:
    for events in (
        (Error(message="m", advice="a"), Status(state="error", detail="m")),
        (Status(state="error", detail="m"), Error(message="m", advice="a")),
    ):
        run = view(Goal(text="g"), *events)
        assert run.ending is not None
        assert (run.ending.kind, run.ending.text, run.ending.advice) == ("error", "m", "a")


def test_a_new_goal_begins_afresh_and_keeps_how_the_last_run_ended() -> None:
    run = view(
        Goal(text="one"), Status(state="executing"), Plan(steps=("a",), current=0),
        Action(number=1, op="c", words="w", exact="e"), Usage(step=1, max_steps=2),
        GoalReached(summary="It is done."), Status(state="done"), Recording(path="/r"),
    )  # fmt: skip
    assert run.recording == "/r"
    run.user_said("two")
    assert texts(run) == [
        ("user", "one"), ("plan", "Plan: 1. a"), ("done", "It is done."), ("user", "two"),
    ]  # fmt: skip
    assert run.plan is None
    assert run.usage is None
    assert run.ending is None
    assert not run.rows
    assert run.recording == ""


def test_a_change_of_goal_during_a_run_keeps_the_run() -> None:
    run = view(Goal(text="one"), Status(state="executing"), Plan(steps=("a",), current=0), Goal(text="other"))
    assert run.plan is not None
    assert texts(run) == [("user", "one"), ("plan", "Plan: 1. a"), ("user", "other")]


def test_the_plan_and_each_change_of_its_step_are_one_line() -> None:
    steps = ("open it", "type the text", "save it")
    run = view(Goal(text="go"), Status(state="planning"), Plan(steps=steps, current=0))
    plan = ("plan", "Plan: 1. open it · 2. type the text · 3. save it")
    assert texts(run) == [("user", "go"), plan]
    run.apply([Plan(steps=steps, current=0), NoteDelta(text="Now "), Plan(steps=steps, current=1)])
    assert texts(run)[-1] == ("agent", "Now "), "a message that is still streamed is not broken off"
    run.apply([Note(text="Now I type."), Plan(steps=steps, current=1), Plan(steps=(), current=0)])
    assert texts(run)[2:] == [("agent", "Now I type."), ("plan", "Step 2 of 3: type the text")]
    run.apply([GoalReached(summary="Saved."), Status(state="done")])
    run.user_said("and now?")
    run.apply([Goal(text="and now?"), Status(state="planning"), Plan(steps=steps, current=0)])
    assert plan in texts(run)[:2] and texts(run)[-1] == plan, (
        "those of the last goal stay, and it is posted anew"
    )


def test_an_answer_in_words_is_not_done() -> None:
    run = view(
        Goal(text="how?"), Status(state="planning"), Plan(steps=("a",), current=0),
        GoalReached(summary="By hand.", answered=True), Status(state="done"),
    )  # fmt: skip
    assert run.answered and not run.finished
    run.user_said("then do that")
    assert ("agent", "By hand.") in texts(run) and not run.answered


def test_a_new_conversation_clears_all_but_not_during_a_run() -> None:
    run = view(Goal(text="one"), Status(state="planning"), Note(text="I begin."))
    run.new_conversation()
    assert len(run.entries) == 2
    run.apply([GoalReached(summary="Done."), Status(state="done")])
    run.new_conversation()
    assert not run.entries and run.ending is None and run.state == "idle" and run.said == 2
    run.user_said("two")
    assert texts(run) == [("user", "two")] and run.entries[0].key == 3


def test_a_flood_is_kept_within_bounds() -> None:
    run = view(Status(state="executing"))
    run.apply(Note(text=str(n)) for n in range(5_000))
    run.apply(Action(number=n, op="c", words="w", exact="e") for n in range(1, 5_001))
    assert len(run.entries) == 10_000 < MAX_ENTRIES
    assert run.said == 10_000
    assert len(run.rows) == MAX_ROWS
    assert run.actions == 5_000
    run.apply([NoteDelta(text="x" * 40_000), NoteDelta(text="x" * 40_000)])
    assert len(run.messages[-1].text) == MAX_TEXT


@pytest.mark.usefixtures("in_german")
def test_what_the_agent_says_of_itself_is_in_the_language_of_the_user() -> None:
    run = view(Goal(text="g"), Status(state="planning", detail="getting ready"))
    assert run.detail == "macht sich bereit"
    run.apply([Note(text="All right, I will not do that."), Note(text="I pause. Try again.")])
    assert texts(run)[1:] == [("agent", "Gut, das tue ich nicht."), ("agent", "I pause. Try again.")]
    run.apply([Status(state="stopped", detail="the window was closed")])
    assert run.ending is not None
    assert run.ending.text == "das Fenster wurde geschlossen"
    failed = RunView()
    failed.apply([Error(message="The screen could not be captured.", advice="Unlock it, then try again.")])
    assert failed.ending is not None
    assert failed.ending.text == "Der Bildschirm ließ sich nicht aufnehmen."
    assert failed.ending.advice == "Entsperren Sie ihn, und versuchen Sie es noch einmal."


@pytest.mark.usefixtures("in_german")
def test_what_is_done_and_asked_is_in_the_language_of_the_user_and_texts_of_others_stay() -> None:
    run = view(
        Action(number=1, op="click_element", words="Clicking “Press Enter”", exact="click(left) at 1,2"),
        Result(number=1, outcome="done", words="Clicked “Press Enter”", detail="it has the keyboard now"),
        ApprovalAsked(
            id="b2",
            words="Type “Send” into “Message”, then press Enter",
            exact=("type", "key_combo"),
            window="W",
            why="Work in mousepad as well? This presses “May I?”, which may send or submit something.",
            covers="click “Send” in mousepad",
        ),
    )
    assert (run.rows[0].words, run.rows[0].detail) == (
        "„Press Enter“ angeklickt",
        "es hat jetzt die Tastatur",
    )
    assert run.approval is not None
    assert run.approval.words == "„Send“ in „Message“ tippen, dann Enter drücken"
    assert run.approval.why == (
        "Auch in mousepad arbeiten? Das drückt „May I?“, und das kann etwas senden oder abschicken."
    )
    assert run.approval.covers == "in mousepad „Send“ anklicken"
