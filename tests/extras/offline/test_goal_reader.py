"""Which words of a goal are the value of which field, by the labels and choices of the form alone: no screen, no run."""

from __future__ import annotations

import datetime

import pytest

from desktop_agent.extras.offline.llm.offline.asked_forms.entities import day_said, day_written, time_said
from desktop_agent.extras.offline.llm.offline.asked_forms.form_in_sight import FormField, FormInSight
from desktop_agent.extras.offline.llm.offline.asked_forms.form_reading import FormReading
from desktop_agent.extras.offline.llm.offline.asked_forms.form_vocabulary import alike, misread
from desktop_agent.extras.offline.llm.offline.asked_forms.goal_reader import read_goal

HOTEL = FormInSight(
    (
        FormField("Gast", "text"),
        FormField("E-Mail-Adresse", "text"),
        FormField("Anreise", "text", value="TT.MM.JJJJ"),
        FormField("Abreise", "text", value="TT.MM.JJJJ"),
        FormField("Zimmer", "list", ("Bitte wählen", "Einzelzimmer", "Doppelzimmer", "Familienzimmer")),
        FormField("Personen", "text", value="1"),
        FormField("Verpflegung", "radio", ("ohne", "Frühstück", "Halbpension")),
        FormField("Hund kommt mit", "box"),
        FormField("Ich möchte Angebote per E-Mail erhalten", "box", on=True),
        FormField("Nachricht", "area"),
    ),
    ("Jetzt buchen", "Abbrechen"),
    ("Pension Möwe",),
)
SHOP = FormInSight(
    (
        FormField("Customer number", "text"),
        FormField("First name", "text"),
        FormField("Last name", "text"),
        FormField("Article", "list", ("please choose", "Rain jacket", "Fleece", "Cap")),
        FormField("Size", "radio", ("S", "M", "L", "XL")),
        FormField("Colour", "list", ("black", "navy", "olive")),
        FormField("Quantity", "text", value="1"),
        FormField("Gift wrap", "box"),
        FormField("Delivery", "radio", ("Standard", "Express")),
        FormField("Delivery notes", "area"),
        FormField("I have read the terms", "box"),
    ),
    ("Buy", "Clear"),
    ("Outdoor shop",),
)


def placed(reading: FormReading, form: FormInSight) -> dict[str, str | bool]:
    """The values by the labels of their fields."""
    return {form.fields[e.field].label: e.value if e.on is None else e.on for e in reading.placed}


@pytest.mark.parametrize(
    ("form", "goal", "values"),
    [
        (
            HOTEL,
            "Ich bin Sven Ohlsen (sven@ohlsen.example) und hätte gern ein Doppelzimmer mit Halbpension vom 3.8.2027 bis 7.8.2027 für zwei Personen. Der Hund kommt mit. Keine Angebote per E-Mail. Bitte buchen.",
            {"Gast": "Sven Ohlsen", "E-Mail-Adresse": "sven@ohlsen.example", "Anreise": "03.08.2027", "Abreise": "07.08.2027", "Zimmer": "Doppelzimmer",
             "Personen": "2", "Verpflegung": "Halbpension", "Hund kommt mit": True, "Ich möchte Angebote per E-Mail erhalten": False},
        ),
        (
            HOTEL,
            "Please book a double room with breakfast for Sven Ohlsen, sven@ohlsen.example, 3 August 2027 to 7 August 2027, two people, we're bringing the dog. No offers by mail please.",
            {"Gast": "Sven Ohlsen", "E-Mail-Adresse": "sven@ohlsen.example", "Anreise": "03.08.2027", "Abreise": "07.08.2027", "Zimmer": "Doppelzimmer",
             "Personen": "2", "Verpflegung": "Frühstück", "Hund kommt mit": True, "Ich möchte Angebote per E-Mail erhalten": False},
        ),
        (
            HOTEL,
            "Buche ein Einzelzimmer für Ina Krug vom 1. bis 4. Mai 2027, Mail ina@krug.example",
            {"Gast": "Ina Krug", "E-Mail-Adresse": "ina@krug.example", "Anreise": "01.05.2027", "Abreise": "04.05.2027", "Zimmer": "Einzelzimmer"},
        ),
        (
            SHOP,
            'I need two rain jackets in size L, navy. Customer number 88-1204, Ellen Vance. Express please, gift wrapped. Tell the driver: "Leave it with the neighbour." I accept the terms. Place the order.',
            {"Customer number": "88-1204", "First name": "Ellen", "Last name": "Vance", "Article": "Rain jacket", "Size": "L", "Colour": "navy", "Quantity": "2",
             "Gift wrap": True, "Delivery": "Express", "Delivery notes": "Leave it with the neighbour.", "I have read the terms": True},
        ),
        (
            SHOP,
            "First name: Ellen; last name: Vance; article: Cap; colour: black; quantity: 4; I have read the terms: yes; gift wrap: no; click Buy",
            {"First name": "Ellen", "Last name": "Vance", "Article": "Cap", "Colour": "black", "Quantity": "4", "Gift wrap": False, "I have read the terms": True},
        ),
        (
            SHOP,
            "Bestelle drei Fleece in Größe M, schwarz, für Ellen Vance, Kundennummer 88-1204, als Geschenk verpackt, AGB akzeptieren.",
            {"Customer number": "88-1204", "First name": "Ellen", "Last name": "Vance", "Article": "Fleece", "Size": "M", "Colour": "black", "Quantity": "3",
             "Gift wrap": True, "I have read the terms": True},
        ),
    ],
)  # fmt: skip
def test_every_word_has_its_place(form: FormInSight, goal: str, values: dict[str, str | bool]) -> None:
    reading = read_goal(goal, form)
    assert reading.whole, (reading.left, reading.trouble)
    assert placed(reading, form) == values
    assert reading.send == form.buttons[0]


@pytest.mark.parametrize(
    ("form", "goal", "left"),
    [
        (HOTEL, "Reserviere mir ein Zimmer mit Meerblick: Ina Krug, ina@krug.example, Anreise 1.5.2027, Abreise 4.5.2027", "Meerblick"),
        (SHOP, "Order the cap in pink for Ellen Vance", "pink"),
        (SHOP, "Order a cap for Ellen Vance, tomorrow if possible", "tomorrow"),
        (SHOP, "Order a cap or a fleece for Ellen Vance", "or"),
    ],
)  # fmt: skip
def test_what_has_no_place_is_left_over(form: FormInSight, goal: str, left: str) -> None:
    assert left in read_goal(goal, form).left


def test_two_values_for_one_field_are_trouble() -> None:
    assert "Colour" in read_goal("Set Colour to navy and Colour to olive.", SHOP).trouble


def test_nothing_is_sent_that_nobody_asked_to_send() -> None:
    reading = read_goal(
        "Trage als Gast Ina Krug ein und entferne den Haken bei Angebote. Nicht abschicken!", HOTEL
    )
    assert reading.whole and not reading.sends
    assert placed(reading, HOTEL)["Ich möchte Angebote per E-Mail erhalten"] is False


@pytest.mark.parametrize(
    ("said", "times"),
    [("quarter to four in the afternoon", ((15, 45),)), ("halb elf", ((10, 30), (22, 30))), ("16:05", ((16, 5),)), ("soon", ())],
)  # fmt: skip
def test_times_of_day_are_told_in_words(said: str, times: tuple[tuple[int, int], ...]) -> None:
    assert time_said(said) == times


def test_a_day_is_written_as_the_field_hints() -> None:
    day = day_said("9. Oktober 2027")
    assert day == datetime.date(2027, 10, 9)
    assert [day_written(day, hint) for hint in ("YYYY-MM-DD", "TT.MM.JJJJ", "")] == [
        "2027-10-09",
        "09.10.2027",
        "",
    ]
    assert day_said("3/4/2026") is None  # either way it makes sense


def test_words_are_alike_in_other_forms_and_misread_by_a_letter() -> None:
    assert alike("Segelkurs", "Segeln") and alike("contacted", "contact") and not alike("Sunday", "Saturday")
    assert misread("Straßenbahn", "StraBenbahn") and not misread("Name", "Same")
