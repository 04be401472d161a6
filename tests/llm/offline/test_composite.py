"""Instructions that read first and then do: how they are understood, and what is done about them."""

from __future__ import annotations

import pytest

from desktop_agent.llm.offline.equations import answer
from desktop_agent.llm.offline.language.understand import parse
from desktop_agent.llm.offline.intents import (
    CopyText,
    FindOut,
    Guess,
    Intent,
    Mail,
    OnCard,
    Press,
    Scroll,
    Solve,
    Sort,
    TypeText,
)
from desktop_agent.llm.offline.passages import part
from desktop_agent.protocol import ops
from desktop_agent.vision.observation import Element
from tests.llm.offline.things import P, Talk, element, look, plain

MAILS = (
    ("Forward the mail from Ada to Bob", Mail("forward", "Ada", "Bob")),
    ("Could you please send Bob Ada's last message?", Mail("forward", "Ada", "Bob")),
    ("Bob should get the email that Ada wrote", Mail("forward", "Ada", "Bob")),
    ("Throw the message from Ada away", Mail("delete", "Ada")),
    ("Flag Ada's email", Mail("star", "Ada")),
    ('Find the email by Ada and answer it with "See you."', Mail("reply", "Ada", text="See you.")),
    ("reply to the mail from ada saying I will come", Mail("reply", "ada", text="I will come")),
)
READ = (
    ("Read the 3rd word in the paragraph", (FindOut("word", P("", "label"), 3),)),
    ("Copy the text in the first text area", (CopyText(P("", "field", ordinal=1)),)),
    ("Solve 3x + 4 = 19 for x", (Solve("3x + 4 = 19"),)),
    ("Mark each number as positive or negative", (Sort(("positive", "negative")),)),
    ("Guess the number between 1 and 10", (Guess(1, 10),)),
    ("scroll the list to the end", (Scroll(unit="end", over="list"),)),
    ('type "it" and press enter', (TypeText("it"), Press(("enter",)))),
    ("For the user @ada, press Mute", (OnCard(P("Mute"), "@ada"),)),
    ("like all posts by @ada", (OnCard(P("Like", "button"), "@ada", 0),)),
)  # fmt: skip


@pytest.mark.parametrize(("said", "intent"), MAILS)
def test_who_wrote_a_message_and_to_whom_it_goes_is_told_in_any_order(said: str, intent: Mail) -> None:
    assert parse(said) == (intent,)


@pytest.mark.parametrize(("said", "intents"), READ)
def test_reading_and_using_what_was_read_is_understood(said: str, intents: tuple[Intent, ...]) -> None:
    assert tuple(map(plain, parse(said))) == intents


@pytest.mark.parametrize(
    ("problem", "number"),
    [
        ("1 + 2 =", 3),
        ("9 - 12 = ?", -3),
        ("3 x 4 =", 12),
        ("7 - x = 3", 4),
        ("2x + 1 = x + 5", 4),
        ("6 ÷ 3", 2),
    ],
)
def test_problems_are_worked_out(problem: str, number: int) -> None:
    assert answer(problem) == number


@pytest.mark.parametrize("text", ["hello", "1 = 2", "x * x = 4", "x", "5 / 0 ="])
def test_what_is_no_solvable_problem_has_no_answer(text: str) -> None:
    assert answer(text) is None


def test_parts_of_a_text_are_counted_from_both_ends() -> None:
    text = "One two, three. Four five!"
    assert (part(text, "word", 2), part(text, "word", -1), part(text, "sentence", 2)) == (
        "two",
        "five",
        "Four five!",
    )
    assert part(text, "word", 9) is None


def post(name: str, y: int, card: int) -> tuple[Element, ...]:
    """A card with its writer's name and a button."""
    return (
        element("static", name, (10, y, 60, 15), trail=(0, card, 0, 0)),
        element("push button", "Like", (10, y + 20, 40, 15), id=f"like-{name}", trail=(0, card, 1)),
    )


def test_the_button_of_the_right_card_is_pressed() -> None:
    seen = look(
        *post("@bob", 10, 0),
        *post("@ada", 60, 1),
        *post("@eve", 110, 2),
        element("static", "end", (10, 300, 40, 15)),
    )
    assert Talk("For the user @ada, click Like").see(seen) == (ops.ClickElement("like-@ada"),)


def test_a_word_that_was_read_is_typed() -> None:
    states = ("editable", "focusable", "focused")
    box = element("entry", "Answer", (10, 100, 200, 20), id="box", states=states)
    seen = look(element("static", "Sunny days are coming soon.", (10, 10, 300, 20)), box)
    talk = Talk("Read the last word in the paragraph and type it into the Answer field")
    assert talk.see(seen) == (ops.Type("soon"),)


def test_the_words_of_the_instruction_on_the_page_are_not_what_is_read() -> None:
    goal = "Read the first word in the paragraph and type it into the Answer field"
    box = element("entry", "Answer", (10, 100, 200, 20), states=("editable", "focusable", "focused"))
    seen = look(
        element("static", goal, (10, 10, 300, 20)),
        element("static", "Grey cats sleep all day.", (10, 50, 300, 20)),
        box,
    )
    assert Talk(goal).see(seen) == (ops.Type("Grey"),)


def test_what_opened_at_the_end_of_a_list_is_looked_for_below() -> None:
    cards = look(
        *(
            element(role, name, (x, y + down, 60 if role == "static" else 16, 16), trail=(y, x))
            for y, owner in ((100, "@ada"), (160, "@bob"))
            for role, name, x, down in (("static", owner, 20, 0), ("image", "like", 20, 20), ("image", "more", 60, 20))
        )
    )  # fmt: skip
    talk = Talk('For the user @bob, click on the "Block" button.')
    assert isinstance(talk.see(cards, effect="unchanged")[0], ops.Scroll)  # the end of the list
    assert isinstance(talk.see(cards)[0], ops.HoverElement)
    assert isinstance(talk.see(cards)[0], ops.ClickElement)
    further = talk.see(cards)[0]
    assert isinstance(further, ops.Scroll)
    assert further.dy < 0
