"""What sends is not pressed twice without a question, and what is pressed again and again is."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from desktop_agent.policy.facts.batching import Piece
from desktop_agent.policy.facts.dry_run import Touch
from desktop_agent.policy.facts.place import Place
from desktop_agent.policy.facts.place_lookup import Places
from desktop_agent.policy.facts.provenance import Origin
from desktop_agent.policy.gatekeeper import Gatekeeper
from desktop_agent.policy.rules.second_press import SINK, SecondPress
from desktop_agent.protocol import ops
from desktop_agent.protocol.batch import OpResult
from desktop_agent.protocol.geometry import Rect, Size, Viewport
from desktop_agent.protocol.ops import Op
from desktop_agent.protocol.permission import Rules
from desktop_agent.support.language import tr_sentence, use_language
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.observation import Element, Observation
from tests.policy.test_secret_places import Desk

PAGE = Place(
    known=True, pid=9, application="Chromium", program="chromium", window="Seats", in_page=True,
    origin="https://seats.example", buttons=("Book now",),
)  # fmt: skip
CLICK, ENTER, ALL = ops.ClickElement("e1"), ops.KeyCombo(("enter",)), ops.KeyCombo(("ctrl", "a"))
REGION = Rect(0, 0, 10, 10)
CARD = "4242 4242 4242 4242"


def on(place: Place, role: str, name: str, **more: Any) -> Place:
    return msgspec.structs.replace(
        place, **{"role": role, "name": name, "handle": f":1 /{role}/{name}", **more}
    )


BOOK = on(PAGE, "push button", "Book now")
FIELD = on(PAGE, "entry", "Card number", states=frozenset(("editable",)))


def step(op: Op, place: Place) -> Touch:
    return Touch(op, place, Origin("model"))


def look(*told: tuple[str, str]) -> Observation:
    """A page with a form and these things."""
    page = Element("d", "document web", "Seats", REGION, pid=9)
    form = (("push button", "Book now"), ("entry", "Card number"))
    parts = [
        Element(f"e{n}", role, name, Rect(n, n, 1, 1), parent="d", pid=9, handle=f":1 /{role}/{name}")
        for n, (role, name) in enumerate((*form, *told))
    ]
    return Observation(Frame(bytes(400), REGION, 1, 0.0), Viewport(REGION, Size(10, 10), 1), (page, *parts))


def drawn_anew(element: Element) -> Element:
    return msgspec.structs.replace(element, handle=f":1 /drawn/anew/{element.id}")


def pressed(op: Op = CLICK, place: Place = BOOK, *told: tuple[str, str]) -> SecondPress:
    """After one press, with these things to be seen before."""
    found = SecondPress()
    found.looked(look(*told))
    assert not found.question(step(op, place))
    found.note(step(op, place))
    return found


def test_a_press_of_what_sends_is_asked_about_the_second_time() -> None:
    found = pressed()
    assert "Book now" in found.question(step(CLICK, BOOK))
    found.looked(look())
    assert found.question(step(CLICK, BOOK)) and found.question(step(ENTER, BOOK))
    assert found.question(step(ENTER, FIELD)), "Enter in its form sends the same"
    bare = look()
    found.looked(msgspec.structs.replace(bare, elements=tuple(map(drawn_anew, bare.elements))))
    assert found.question(step(CLICK, on(BOOK, "push button", "Book now", handle=":1 /drawn/anew")))


@pytest.mark.parametrize(
    "news", ["Seat 12 confirmed", "Your booking is complete", "Payment failed", "Please fill in"]
)
def test_what_is_new_answers_it(news: str) -> None:
    found = pressed()
    found.looked(look(("static", news)))
    assert not found.question(step(CLICK, BOOK))


@pytest.mark.parametrize(
    "news", ["Sending…", "Please wait", "Einen Augenblick", "Wird gesendet", "Processing..."]
)
def test_that_it_is_under_way_does_not(news: str) -> None:
    found = pressed()
    found.looked(look(("static", news)))
    assert found.question(step(CLICK, BOOK))
    found.looked(look(("static", "Seat 12 confirmed")))
    assert not found.question(step(CLICK, BOOK))


def test_what_changes_by_itself_does_not_either() -> None:
    found = SecondPress()
    for advertisement in ("Buy shoes", "Fly to Rome"):
        found.looked(look(("static", advertisement), ("static", "3 people look at this")))
    found.note(step(CLICK, BOOK))
    found.looked(look(("static", "Drink tea"), ("static", "4 people look at this")))
    assert found.question(step(CLICK, BOOK))


def test_other_input_makes_another_thing_of_it_and_the_same_does_not() -> None:
    found = SecondPress()
    found.looked(look())
    for each in (step(ops.Type(CARD), FIELD), step(CLICK, BOOK)):
        found.note(each)
    found.looked(look())
    found.note(step(ALL, FIELD))
    found.note(step(ops.Type(CARD), FIELD))
    assert found.question(step(CLICK, BOOK))
    found.note(step(ops.Type("4000 0000 0000 0002"), FIELD))
    assert not found.question(step(CLICK, BOOK))


def test_another_button_of_that_name_is_another_one() -> None:
    found = pressed()
    other = on(PAGE, "push button", "Book now", handle=":1 /second/row")
    assert not found.question(step(CLICK, other))
    site = msgspec.structs.replace(BOOK, origin="https://other.example")
    assert not found.question(step(CLICK, site))


def test_each_line_of_a_chat_is_another_one() -> None:
    chat = on(PAGE, "entry", "Message", states=frozenset(("editable",)), buttons=("Send",))
    found = SecondPress()
    found.looked(look())
    for text in ("hello\n", "how are you\n", "fine\n"):
        assert not found.question(step(ops.Type(text), chat)), text
        found.note(step(ops.Type(text), chat))
    assert found.question(step(ENTER, chat))


@pytest.mark.parametrize(
    "name", ["+", "−", "Next", "7", "Weiter", "Load more", "Roll dice", "Spin", "▶", "Zurück", "Refresh", "Undo"]
)  # fmt: skip
def test_what_is_pressed_again_and_again_is_not_asked_about(name: str) -> None:
    found = SecondPress()
    found.looked(look())
    found.note(step(ops.Type("Ada"), FIELD))  # though the page was filled in
    button = on(PAGE, "push button", name)
    for _ in range(3):
        assert not found.question(step(CLICK, button))
        found.note(step(CLICK, button))
        found.looked(look())


def test_a_button_of_a_page_that_was_filled_in_sends_whatever_it_is_called() -> None:
    seat = on(PAGE, "push button", "Secure my place")
    assert not pressed(CLICK, seat).question(step(CLICK, seat))
    found = SecondPress()
    found.looked(look())
    for each in (step(ops.Type("Ada"), FIELD), step(CLICK, seat)):
        found.note(each)
    assert found.question(step(CLICK, seat))


def test_a_text_is_not_typed_into_a_field_that_holds_it() -> None:
    found, held = SecondPress(), on(FIELD, "entry", "Card number", value="4242424242424242")
    assert "Card number" in found.question(step(ops.Type(CARD), held))
    assert not found.question(step(ops.Type(CARD), on(held, "entry", "Card number", value="4242")))
    assert not found.question(step(ops.Type("42"), on(held, "entry", "Card number", value="42")))
    lines = frozenset(("editable", "multiline"))
    assert not found.question(step(ops.Type(CARD), on(held, "text", "Notes", value=CARD, states=lines)))
    found.note(step(ops.Type(CARD), FIELD))
    assert found.question(step(ops.Type(CARD), FIELD)), "no element tells of it yet"


@pytest.mark.parametrize("keys", [("ctrl", "a"), ("tab",), ("backspace",)])
def test_what_takes_its_place_is_not_twice_there(keys: tuple[str, ...]) -> None:
    found, held = SecondPress(), on(FIELD, "entry", "Card number", value=CARD)
    found.note(step(ops.KeyCombo(keys), held))
    assert not found.question(step(ops.Type(CARD), held))
    found.note(step(ops.ClickElement("e2"), held))
    assert found.question(step(ops.Type(CARD), held))


def test_a_user_who_wants_it_again_has_answered() -> None:
    found = pressed()
    found.hear(("thank you",))
    assert found.question(step(CLICK, BOOK))
    found.hear(("Please book it again",))
    assert not found.question(step(CLICK, BOOK))


def test_a_trial_changes_nothing() -> None:
    found = SecondPress()
    trial = found.trial()
    trial.note(step(CLICK, BOOK))
    assert trial.question(step(CLICK, BOOK)) and not found.question(step(CLICK, BOOK))


@pytest.mark.parametrize("again", [False, True])
def test_at_every_level_a_run_asks_before_it_sends_a_second_time(again: bool) -> None:
    desk = Desk()
    button = {
        "id": "b",
        "role": "push button",
        "name": "Book now",
        "states": frozenset(("showing", "enabled")),
    }
    desk.things = [*desk.things, msgspec.structs.replace(desk.things[1], handle=":1 /book", **button)]
    gate = Gatekeeper(Places(desk, frozenset()), "full", Rules())

    def looked() -> Observation:
        frame = desk.observe()
        seen = Observation(frame, Viewport(frame.region, frame.region.size, frame.epoch), tuple(desk.things))
        gate.looked(seen)
        return seen

    click, seen = ops.ClickElement("b"), looked()
    gate.begin(gate.plan((click,), seen))
    assert gate.refusal((Piece(click, 0),), seen) == []
    gate.sent([OpResult("b", 0, "done" if again else "failed")])
    (ruling,) = gate.plan((click,), looked())
    assert (SINK in ruling.verdict.sink.split("+"), ruling.asks) == (again, again)


def test_the_question_is_asked_in_german_too() -> None:
    twice = pressed().question(step(CLICK, BOOK))
    held = SecondPress().question(step(ops.Type(CARD), on(FIELD, "entry", "Karte", value=CARD)))
    use_language("de")
    try:
        assert "wurde schon gedrückt" in tr_sentence(twice) and "zweimal" in tr_sentence(held)
    finally:
        use_language("en")
