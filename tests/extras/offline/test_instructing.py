"""What is written to tell the reader what to do is no thing to press, on any page and whatever was asked."""

from __future__ import annotations

import pytest

from desktop_agent.extras.offline.llm.offline.instructing import instructions
from desktop_agent.protocol import ops
from desktop_agent.vision.observation import Element
from tests.extras.offline.things import Talk, element, look

PAGE = element("document web", "Page", (0, 50, 900, 700), id="page")


def sentence(*pieces: str, y: int = 60) -> list[Element]:
    """The pieces of a text one beside the other, as a tree tells them."""
    return [
        element("static", name, (20 + 110 * n, y, 105, 14), id=f"{y}-{n}", trail=(0, y, n), parent="page")
        for n, name in enumerate(pieces)
    ]


@pytest.mark.parametrize(
    ("pieces", "tells"),
    [
        (("Click", "here", "to go on"), True),
        (("Press the", "Save", "button when you are done"), True),
        (("For a quick tour, click", "Tour"), True),
        (("Please enter your name below.",), True),
        (("Press release: Save the whales",), False),
        (("Type: compact car",), False),
        (("Mark Miller wrote a review",), False),
        (("Save changes",), False),
        (("The shop is open. We sell hats and shirts of every size.",), False),
    ],
)
def test_a_text_that_tells_its_reader_what_to_do_is_known(pieces: tuple[str, ...], tells: bool) -> None:
    assert bool(instructions(sentence(*pieces))) == tells


def test_texts_of_different_places_are_no_one_sentence() -> None:
    apart = [*sentence("Click the"), *sentence("Save", y=300)]
    assert not instructions(apart)


def test_a_name_in_an_instruction_is_that_of_the_thing() -> None:
    save = element("push button", "Save", (20, 300, 80, 20), id="save")
    seen = look(PAGE, *sentence("Press the", "Save", "button when you are done"), save)
    assert Talk("click Save").see(seen) == (ops.ClickElement("save"),)
    alone = look(PAGE, *sentence("Press the", "Save", "button when you are done"))
    assert isinstance(Talk("click Save").see(alone)[0], ops.Wait)


def test_a_link_that_is_called_just_what_was_asked_is_pressed() -> None:
    link = element("link", "Open the settings menu", (20, 100, 150, 14), id="settings")
    assert Talk("click Open the settings menu").see(look(PAGE, link)) == (ops.ClickElement("settings"),)


def test_a_text_to_press_is_pressed_where_nothing_else_is_called_so() -> None:
    (text,) = sentence("Click here to continue")
    assert Talk("click continue").until_it_acts(look(PAGE, text)) == (
        ops.Scroll(0, -5, 450, 400),
    )  # it might be further down
    whole = Talk("click Click here to continue")
    assert whole.see(look(PAGE, text)) == (ops.ClickElement(text.id),)
    unscrolled = Talk("click continue", operations=("click_element", "wait"))
    assert unscrolled.until_it_acts(look(PAGE, text)) == (ops.ClickElement(text.id),)
