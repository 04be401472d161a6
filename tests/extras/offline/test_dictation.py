"""Work dictated step by step with the names on the screen, in English and German."""

from __future__ import annotations

import pytest

from desktop_agent.extras.offline.llm.offline.intents import (
    Check,
    Choose,
    Click,
    Fill,
    FillApart,
    Intent,
    Phrase,
    Read,
    TypeText,
    Unknown,
)
from desktop_agent.extras.offline.llm.offline.language.understand import parse


def said(intents: tuple[Intent, ...]) -> list[tuple[str, ...]]:
    """Each intent's kind, with the names of what it is about and its value."""
    return [(type(each).__name__, *_of(each)) for each in intents]


def _of(intent: Intent) -> tuple[str, ...]:
    match intent:
        case Click(what) | Check(what) | Read(what):
            return (what.name,)
        case Fill(field, value):
            return (field.name, value)
        case Choose(option, source):
            return (option.name, source)
        case TypeText(text, into):
            return (text, into)
        case FillApart(text):
            return (text,)
        case _:
            return ()


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        (
            "Click New appointment. Type Call with the bank into Title. Set From to 14:00 and To to 15:00. Press Save.",
            [("Click", "New appointment"), ("Fill", "Title", "Call with the bank"), ("Fill", "From", "14:00"),
             ("Fill", "To", "15:00"), ("Click", "Save")],
        ),
        (
            "Type Ida Berg into Name, Lindenweg 8 into Street and number, and Leipzig into Town. Tick I agree. Click Order now.",
            [("Fill", "Name", "Ida Berg"), ("Fill", "Street and number", "Lindenweg 8"), ("Fill", "Town", "Leipzig"),
             ("Check", "I agree"), ("Click", "Order now")],
        ),
        (
            "Click the row Schmitt, Anna and press Edit. Replace what is in E-mail by a@b.example. Click Save.",
            [("Click", "Schmitt, Anna"), ("Click", "Edit"), ("Fill", "E-mail", "a@b.example"), ("Click", "Save")],
        ),
        (
            "Klicken Sie auf Neuer Termin. Schreiben Sie Zahnarzt in Betreff. Wählen Sie bei Von 14:00. Drücken Sie Speichern.",
            [("Click", "Neuer Termin"), ("Fill", "Betreff", "Zahnarzt"), ("FillApart", "Von 14:00"), ("Click", "Speichern")],
        ),
        (
            "Nimm das Häkchen bei Bestückungsdruck weg und klick auf Übernehmen.",
            [("Check", "Bestückungsdruck"), ("Click", "Übernehmen")],
        ),
    ],
)  # fmt: skip
def test_steps_are_read_one_after_the_other(text: str, steps: list[tuple[str, ...]]) -> None:
    assert said(parse(text)) == steps


def test_a_place_said_first_is_that_of_the_thing() -> None:
    click, _ = parse("In the row Honey spoon, click Remove. Press Close.")
    assert isinstance(click, Click)
    assert (click.what.name, click.what.near, click.what.side) == ("Remove", "Honey spoon", "near")
    click, _ = parse("Klick in der Zeile Honigheber auf Entfernen. Drück auf Schließen.")
    assert isinstance(click, Click)
    assert (click.what.name, click.what.near) == ("Entfernen", "Honigheber")


def test_words_with_a_capital_are_part_of_a_name() -> None:
    assert said(parse("Wählen Sie Bei der Anreise zahlen.")) == [("Choose", "Bei der Anreise zahlen", "")]


def test_a_part_of_the_window_tells_which_one_is_meant() -> None:
    fill, _ = parse("On the right, set Assigned to to Ravi. Press Send.")
    assert isinstance(fill, Fill)
    assert fill.field == Phrase("Assigned to", spoken="Assigned to", zone="right")


@pytest.mark.parametrize("text", ["Schreibe ein Gedicht über den Herbst.", "Klicke auf das, was ich meine."])
def test_what_is_no_dictation_is_asked_about(text: str) -> None:
    assert any(isinstance(each, Unknown) for each in parse(text))


def test_a_text_of_the_screen_is_told_of_by_its_last_number() -> None:
    read, typed = parse(
        "Read the number in the last line of Output and type it into the field Sum. Click Save."
    )[:2]
    assert isinstance(read, Read) and read.what.near == "Output"
    assert typed == TypeText("", "Sum", result=True)
