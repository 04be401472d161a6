"""A sentence of the agent is read in German, whatever its values say."""

from __future__ import annotations

from desktop_agent.support.language import SentenceTemplates

GERMAN = SentenceTemplates({
    "{host} cannot be reached.": "{host} ist nicht erreichbar.",
    "“{0}” came after “{1}”.": "Nach „{1}“ kam „{0}“.",
    "I wait: {0}.": "Ich warte: {0:tr}.",
    "It failed: {0}.": "Es ging nicht: {0:try}.",
    "the screen is locked": "Der Bildschirm ist gesperrt",
    "Try again.": "Versuchen Sie es noch einmal.",
})  # fmt: skip


def test_values_keep_their_places_and_their_words() -> None:
    said = "“Try again.” came after “the screen is locked”. a.example cannot be reached. Try again."
    assert GERMAN.translated(said) == (
        "Nach „the screen is locked“ kam „Try again.“. a.example ist nicht erreichbar. Versuchen Sie es noch einmal."
    )


def test_a_value_that_is_a_sentence_of_ours_is_translated_or_nothing_is() -> None:
    assert GERMAN.translated("I wait: the screen is locked.") == "Ich warte: Der Bildschirm ist gesperrt."
    assert GERMAN.translated("I wait: the kettle boils.") == "I wait: the kettle boils."
    assert (
        GERMAN.translated("It failed: the screen is locked.") == "Es ging nicht: Der Bildschirm ist gesperrt."
    )
    assert GERMAN.translated("It failed: the kettle boils.") == "Es ging nicht: the kettle boils."


def test_a_sentence_within_another_begins_as_it_does_there() -> None:
    said = SentenceTemplates({"Click “{0}”": "auf „{0}“ klicken", "{0}, then {1}": "{0:tr}, dann {1:tr}"})
    assert said.translated("Click “A”") == "Auf „A“ klicken"
    assert said.translated("Click “A”, then click “B”") == "Auf „A“ klicken, dann auf „B“ klicken"


def test_words_of_others_are_not_translated_in_part() -> None:
    said = "The kettle boils. Try again."
    assert GERMAN.translated(said) == "The kettle boils. Versuchen Sie es noch einmal."
    assert GERMAN.translated(said, whole=True) == said


def test_a_text_made_to_be_hard_to_read_takes_no_time() -> None:
    """Whatever is shown may hold the words of a page; with alternatives tried in turn these would take hours."""
    known = SentenceTemplates({"{a} of {b} of {c} of {d} of {e}!": "{e} {d} {c} {b} {a}!"})
    assert known.translated(" of " * 499) == " of " * 499
    assert known.translated("x. " * 600) == "x. " * 600
