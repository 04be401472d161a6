"""The cheapest of several, a price that is waited for, one of each: by what the page says."""

from __future__ import annotations

import pytest

from desktop_agent.llm.offline.describe import plan_of
from desktop_agent.llm.offline.language.understand import parse
from desktop_agent.llm.offline.intents import Fill, Intent, Submit
from desktop_agent.llm.offline.intents_buying import Amount, Best, Measure, PlaceOrder, Watch
from desktop_agent.llm.offline.policies.comparing import measured
from desktop_agent.protocol import ops
from tests.llm.offline.test_filling import box, clicked, page, part
from tests.llm.offline.things import P, Talk, plain, question, summary

ROUTE = (Fill(P("from"), "Oslo", offered=True), Fill(P("to"), "Rome", offered=True))
DAY = Fill(P("departure date"), "5 May 2027")


@pytest.mark.parametrize(
    ("said", "intents"),
    [
        ("buy the ticket with the lowest price", (Best("buy", "ticket", "money", label="price"),)),
        ("Book the room with the longest duration.", (Best("book", "room", "duration", True, "duration"),)),
        ("select the cheapest plan", (Best("select", "plan", "money"),)),
        ("book the fastest train", (Best("book", "train", "duration"),)),
        ("book the cheapest flight from Oslo to Rome on 5 May 2027",
         (*ROUTE, DAY, Submit(), Best("book", "flight", "money"))),
        ("book a flight from Oslo to Rome", (*ROUTE, Submit())),
        ("sell the shares when the price is above $1,200.50", (Watch("Sell", "the price", 1200.5, True),)),
        ("buy ABC stock once the price drops below 47.10", (Watch("Buy", "the price", 47.1),)),
        ("order two of each: apple pie, tea", (Amount("apple pie", 2), Amount("tea", 2), PlaceOrder())),
        ("Order one of each item: bread and butter, tea",
         (Amount("bread and butter", 1), Amount("tea", 1), PlaceOrder())),
    ],
)  # fmt: skip
def test_an_instruction_is_understood(said: str, intents: tuple[Intent, ...]) -> None:
    found = parse(said)
    assert tuple(map(plain, found)) == intents
    assert all(plan_of(found))


@pytest.mark.parametrize(
    ("text", "measure", "value"),
    [
        ("Book for $1,117", "money", 1117.0),
        ("12.50 €", "money", 12.5),
        ("17h 37m", "duration", 1057.0),
        ("0h 7m", "duration", 7.0),
        ("2 hours", "duration", 120.0),
        ("45 min", "duration", 45.0),
        ("7:05 pm", "time", 1145.0),
        ("12:10 am", "time", 10.0),
        ("3.5 stars", "number", 3.5),
        ("Oslo", "money", None),
        ("Oslo", "duration", None),
    ],
)
def test_what_a_text_measures(text: str, measure: Measure, value: float | None) -> None:
    assert measured(text, measure) == value


def offer(number: int, lasts: str, price: str) -> tuple[object, ...]:
    return (
        part("label", "Duration:", 20, 100 + 50 * number),
        part("static", lasts, 90, 100 + 50 * number),
        part("push button", f"Book for {price}", 20, 120 + 50 * number, id=price),
    )


@pytest.mark.parametrize(
    ("goal", "chosen"),
    [
        ("buy the ticket with the lowest price", "$90"),
        ("buy the most expensive ticket", "$1,400"),
        ("buy the ticket with the shortest duration", "$400"),
        ("buy the ticket with the longest duration", "$90"),
    ],
)
def test_the_best_of_several_offers_is_pressed(goal: str, chosen: str) -> None:
    offers = (*offer(1, "3h 43m", "$1,400"), *offer(2, "17h 5m", "$90"), *offer(3, "0h 50m", "$400"))
    talk = Talk(goal)
    seen = page(part("heading", "Tickets", 20, 90), *offers)  # type: ignore[arg-type]
    assert [clicked(op) for op in talk.see(seen)] == [chosen]
    assert summary(talk.see(seen))


def test_one_offer_is_not_compared() -> None:
    talk = Talk("buy the cheapest ticket")
    assert "to compare" in question(talk.until_it_acts(page(*offer(1, "3h", "$5"))))  # type: ignore[arg-type]


def test_a_price_is_watched_until_it_is_low_enough() -> None:
    talk = Talk("buy ABC stock when the price is less than $47.10")

    def at(price: str) -> tuple[ops.Op, ...]:
        label, shown = part("label", "Stock price:", 20, 200), part("static", price, 90, 200)
        return talk.see(page(label, shown, part("push button", "Buy", 20, 250, id="buy")))

    assert isinstance(at("$48.00")[0], ops.Wait)
    assert isinstance(at("$47.10")[0], ops.Wait)
    assert [clicked(op) for op in at("$46.90")] == ["buy"]
    assert summary(at("$46.80"))


def test_as_many_of_an_item_as_asked_for_by_the_plus_beside_it() -> None:
    talk = Talk("order two of each: Tea, Cake")

    def shop(teas: int, cakes: int) -> tuple[ops.Op, ...]:
        lines = []
        for y, name, count in ((200, "Tea", teas), (240, "Cake", cakes)):
            lines += [part("static", name, 20, y), part("static", "-", 120, y, id=f"less {name}")]
            lines += [part("static", str(count), 190, y)] if count else []
            lines += [part("static", "+", 260, y, id=f"more {name}")]
        return talk.see(page(*lines, part("push button", "Checkout", 20, 400, id="order")))

    assert [clicked(op) for op in shop(0, 0)] == ["more Tea", "more Tea"]
    assert [clicked(op) for op in shop(2, 0)] == ["more Cake", "more Cake"]
    waits = shop(2, 3)
    assert isinstance(waits[0], ops.Wait)
    assert [clicked(op) for op in shop(2, 3)] == ["less Cake"]
    assert [clicked(op) for op in shop(2, 2)] == ["order"]


def test_a_place_is_chosen_out_of_what_its_box_offers() -> None:
    talk = Talk("book a flight from Oslo to Rome")
    labels = (part("label", "From", 20, 180), part("label", "To", 220, 180))
    there = box(220, 200, id="there")
    talk.see(page(*labels, box(20, 200, id="here"), there))
    talk.see(page(*labels, box(20, 200, "focused", id="here"), there))
    typed = box(20, 200, "focused", id="here", value="Oslo")
    assert isinstance(talk.see(page(*labels, typed, there))[0], ops.Wait)
    offers = part("list", "", 20, 222, size=(150, 60), id="offers")
    first = part("static", "Oslo (OSL)", 22, 224, id="first", parent="offers")
    assert [clicked(op) for op in talk.see(page(*labels, typed, there, offers, first))] == ["first"]
