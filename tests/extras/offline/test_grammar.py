"""Instructions in everyday English and what they ask for."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_agent.extras.offline.llm.offline.describe import plan_of
from desktop_agent.extras.offline.llm.offline.intents import Intent, Press, TypeText, Unknown
from desktop_agent.extras.offline.llm.offline.language.understand import MAX_INSTRUCTION, parse
from tests.extras.offline import phrasings_desk, phrasings_forms, phrasings_hands, phrasings_tasks
from tests.extras.offline.things import plain

PHRASINGS = phrasings_hands.TABLE + phrasings_tasks.TABLE + phrasings_forms.TABLE + phrasings_desk.TABLE
WORDS = st.text(max_size=200)
QUOTABLE = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters='"'), min_size=1, max_size=80
)
PIECES = st.sampled_from(
    [
        "open", "the", "type", "click", "and", "then", ",", ";", ".", "\n", '"', "'", "“", "press", "ctrl+s", "save it as",
        "a.txt", "in", "into", "field", "wait until", "appears", "if", "scroll down", "search for", "3", "times", "fill in",
        "with", "the second", "button", "next to", ">", "1.", "it", "home folder", "compute", "12*7", "select", "from", "check",
    ]
)  # fmt: skip


@pytest.mark.parametrize(("instruction", "intents"), PHRASINGS, ids=[each[0][:60] for each in PHRASINGS])
def test_an_instruction_is_understood(instruction: str, intents: tuple[Intent, ...]) -> None:
    assert tuple(map(plain, parse(instruction))) == intents


@pytest.mark.parametrize(
    "politeness", ["please {}", "Could you {}?", "I'd like you to {}.", "now {} for me", "{}, thanks"]
)
def test_politeness_changes_nothing(politeness: str) -> None:
    for instruction in ("click the Save button", "scroll down 3", "close the window", "go to example.com"):
        asked = parse(politeness.format(instruction))
        assert tuple(map(plain, asked)) == tuple(map(plain, parse(instruction)))


def test_the_plan_says_each_step_in_words() -> None:
    plan = plan_of(parse("Open the text editor, type Hello and save it as hello.txt in the home folder"))
    assert plan == ("Open the text editor", "Type “Hello”", "Save it as hello.txt in the home folder")


def test_every_intent_has_words_for_the_plan() -> None:
    for instruction, _ in PHRASINGS:
        assert all(0 < len(step) <= 120 for step in plan_of(parse(instruction)))


def test_a_list_of_steps_is_read_line_by_line() -> None:
    assert parse("1. type a\n2. press tab\n3. type b") == (TypeText("a"), Press(("tab",)), TypeText("b"))


def test_an_endless_instruction_is_refused() -> None:
    (only,) = parse("x" * (MAX_INSTRUCTION + 1))
    assert isinstance(only, Unknown) and "too long" in only.why


@given(QUOTABLE)
def test_quoted_text_survives_exactly(text: str) -> None:
    (typed, pressed) = parse(f'type "{text}" and press enter')
    assert (typed, pressed) == (TypeText(text), Press(("enter",)))


@pytest.mark.parametrize("text", ["RESULT", "the sum", "it"])
def test_a_word_in_quotation_marks_is_that_word(text: str) -> None:
    assert parse(f'type "{text}"') == (TypeText(text),)
    assert parse(f'type "{text}" into the Name field') == (TypeText(text, "Name field"),)


@given(QUOTABLE)
def test_quoted_text_survives_on_its_way_into_a_field(text: str) -> None:
    assert parse(f'type "{text}" into the Name field') == (TypeText(text, "Name field"),)


@given(WORDS)
def test_any_text_is_read_without_a_crash(text: str) -> None:
    plan_of(parse(text))


@settings(max_examples=150, deadline=None)
@given(st.lists(PIECES, max_size=25).map(" ".join))
def test_any_mixture_of_our_words_is_read_without_a_crash(text: str) -> None:
    plan_of(parse(text))


@settings(max_examples=8, deadline=None)
@given(st.integers(1, 400))
def test_long_instructions_are_read_in_time(count: int) -> None:
    assert len(parse("press tab, " * count)) >= min(count, 200)
