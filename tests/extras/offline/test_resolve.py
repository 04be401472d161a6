"""Which element is meant by what was said."""

from __future__ import annotations

import pytest

from desktop_agent.extras.offline.llm.offline.intents import Phrase
from desktop_agent.extras.offline.llm.offline.likeness import likeness
from desktop_agent.extras.offline.llm.offline.phrase import phrase
from desktop_agent.extras.offline.llm.offline.quoting import mask
from desktop_agent.extras.offline.llm.offline.resolve import Resolved, resolve
from desktop_agent.extras.offline.llm.offline.sight import Sight
from desktop_agent.vision.observation import Element, Observation
from tests.extras.offline.things import element, look, recorded


def find(said: str, seen: Observation) -> Resolved:
    masked = mask(said)
    return resolve(phrase(masked.text, masked), Sight(seen))


def found(said: str, seen: Observation) -> Element:
    resolved = find(said, seen)
    assert resolved.element is not None, resolved
    return resolved.element


@pytest.mark.parametrize(
    ("said", "id"),
    [
        ("the Register button", "e37"),
        ("Register", "e37"),
        ("first name", "e17"),
        ("the last name field", "e19"),
        ("Email", "e20"),
        ("the password", "e22"),
        ("Age", "e24"),
        ("Professional", "e27"),
        ("the Country dropdown", "e30"),
        ("About you", "e32"),
        ("newsletter", "e33"),
        ("I accept the Terms and Conditions", "e34"),
        ("the terms checkbox", "e34"),
        ("volume slider", "e36"),
        ("the address bar", "e10"),
        ("the first radio button", "e26"),
        ("the last checkbox", "e34"),
        ("reset", "e38"),
    ],
)
def test_things_of_a_real_form_are_found(said: str, id: str) -> None:
    assert found(said, recorded("chromium_form")).id == id


@pytest.mark.parametrize(
    ("said", "id"), [("=", "e30"), ("the + button", "e34"), ("times", "e24"), ("AC", "e9"), ("7", "e16")]
)
def test_keys_of_a_real_calculator_are_found(said: str, id: str) -> None:
    assert found(said, recorded("galculator")).id == id


@pytest.mark.parametrize(
    ("said", "name"), [("the File menu", "File"), ("Search", "Search"), ("the help menu", "Help")]
)
def test_menus_of_a_real_editor_are_found(said: str, name: str) -> None:
    assert found(said, recorded("mousepad")).name == name


def test_several_of_a_name_are_not_guessed_between() -> None:
    resolved = find("Delete", recorded("chromium_table"))
    assert resolved.element is None and resolved.ambiguous
    assert len(resolved.candidates) == 3


@pytest.mark.parametrize(
    ("said", "row"),
    [
        ("the second Delete button", 1),
        ("the last Delete button", 2),
        ("the Delete button next to Grace Hopper", 2),
        ("the Delete button next to Ada Lovelace", 0),
    ],
)
def test_one_of_several_is_told_by_number_or_neighbour(said: str, row: int) -> None:
    seen = recorded("chromium_table")
    buttons = sorted((e for e in seen.elements if e.name == "Delete"), key=lambda e: e.bounds.y)
    assert found(said, seen).id == buttons[row].id


def test_the_exact_name_goes_before_a_longer_one() -> None:
    seen = look(
        element("push button", "Save As…", (10, 10, 60, 20)), element("push button", "Save", (80, 10, 60, 20))
    )
    assert found("Save", seen).name == "Save"
    assert found("Save As", seen).name == "Save As…"


def test_a_quoted_name_must_fit_as_a_whole() -> None:
    seen = look(element("push button", "Save files now"))
    assert find('"Save"', seen).element is None
    assert found("Save", seen).name == "Save files now"


def test_the_kind_decides_between_things_of_one_name() -> None:
    seen = look(
        element("link", "Settings", (10, 10, 60, 20)),
        element("page tab", "Settings", (10, 50, 60, 20)),
        element("push button", "Settings", (10, 90, 60, 20)),
    )
    assert found("the Settings tab", seen).role == "page tab"
    assert found("the Settings link", seen).role == "link"
    assert find("Settings", seen).ambiguous


def test_a_field_is_known_by_the_text_left_of_it_or_above() -> None:
    seen = look(
        element("label", "Street", (10, 10, 60, 20)),
        element("entry", "", (80, 10, 200, 20), id="street", states=("editable",)),
        element("label", "Town", (10, 50, 60, 20)),
        element("entry", "", (10, 72, 200, 20), id="town", states=("editable",)),
    )
    assert found("the street field", seen).id == "street"
    assert found("Town", seen).id == "town" or find("Town", seen).ambiguous
    assert found("the town field", seen).id == "town"


def test_the_window_in_front_goes_before_the_one_behind() -> None:
    seen = look(
        element("push button", "OK", (10, 10, 60, 20), window="Behind"),
        element("push button", "OK", (500, 10, 60, 20), window="Front"),
        window="Front",
        windows=("Front", "Behind"),
    )
    assert found("OK", seen).window == "Front"


def test_a_link_and_the_list_item_around_it_are_one_thing() -> None:
    seen = look(
        element("list item", "Weather", (10, 10, 400, 20)),
        element("link", "Weather", (10, 10, 60, 20), states=("focusable",)),
    )
    assert found("Weather", seen).role == "link"


def test_words_recognised_in_the_picture_are_found_too() -> None:
    seen = look(element("text", "Continue", source="ocr", window=""))
    assert found("the Continue button", seen).source == "ocr"


def test_first_name_is_a_name_and_not_the_first_of_several() -> None:
    seen = look(
        element("entry", "User name", (10, 10, 60, 20), states=("editable",)),
        element("entry", "First name", (10, 50, 60, 20), states=("editable",)),
    )
    assert found("the first name field", seen).name == "First name"


def test_what_is_nowhere_is_not_found() -> None:
    assert find("Teleport", recorded("chromium_form")) == Resolved(None)


@pytest.mark.parametrize(
    ("said", "seen", "least", "most"),
    [
        ("Save", "Save", 100, 100),
        ("save", "_Save", 95, 99),
        ("sign in", "Sign-in", 90, 99),
        ("e-mail", "Email", 84, 99),
        ("log in", "Sign in", 80, 90),
        ("search", "Search library", 70, 80),
        ("terms", "I accept the terms", 60, 75),
        ("Recieve", "Receive", 60, 75),
        ("OK", "Cancel", 0, 0),
        ("", "Save", 0, 0),
    ],
)
def test_likeness(said: str, seen: str, least: float, most: float) -> None:
    assert least <= likeness(said, seen) <= most


def test_a_phrase_without_any_words_means_nothing() -> None:
    assert resolve(Phrase(""), Sight(recorded("mousepad"))).element is None
