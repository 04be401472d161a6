"""Goals about a form in free words, worked on a form that is only seen: what is filled in, what is sent, what is refused."""

from __future__ import annotations

import pytest

from desktop_agent.extras.offline.llm.offline.asked_forms.form_in_sight import FormField
from desktop_agent.protocol import ops
from tests.extras.offline.filmed_form import FilmedForm, worked


def workshop() -> FilmedForm:
    """A registration with all kinds of fields."""
    return FilmedForm(
        (
            FormField("Name", "text"),
            FormField("E-mail", "text"),
            FormField("Phone (optional)", "text"),
            FormField(
                "Workshop",
                "list",
                ("Please choose", "Woodcarving", "Basket weaving", "Felting"),
                "Please choose",
            ),
            FormField("Day", "radio", ("Saturday", "Sunday"), "Saturday"),
            FormField("Lunch", "box"),
            FormField("Newsletter", "box", on=True),
            FormField("Places", "text", value="1"),
            FormField("Remarks", "area"),
        ),
        "Sign up",
        "Summer workshops",
        needed=("Name", "E-mail"),
    )


def kurs() -> FilmedForm:
    """A German form that is longer than the screen."""
    return FilmedForm(
        (
            FormField("Vorname", "text"),
            FormField("Nachname", "text"),
            FormField("Straße und Hausnummer", "text"),
            FormField("PLZ", "text"),
            FormField("Ort", "text"),
            FormField("Telefon", "text"),
            FormField("E-Mail", "text"),
            FormField("Geburtsdatum", "text", value="TT.MM.JJJJ"),
            FormField(
                "Kurs", "list", ("Bitte wählen", "Rudern für Anfänger", "Segeln", "Tauchen"), "Bitte wählen"
            ),
            FormField("Zahlung", "radio", ("Rechnung", "Lastschrift"), "Rechnung"),
            FormField("Leihboot", "box"),
            FormField("Rundbrief", "box"),
            FormField("Bemerkung", "area"),
        ),
        "Verbindlich buchen",
        "Wassersport am See",
    )


@pytest.mark.parametrize(
    ("goal", "changed"),
    [
        (
            "Hi, I'm Tilda Moss (tilda@moss.example). Please sign me up for the felting on Sunday, with lunch, and no newsletter.",
            {"Name": "Tilda Moss", "E-mail": "tilda@moss.example", "Workshop": "Felting", "Day": "Sunday", "Lunch": "on", "Newsletter": ""},
        ),
        (
            'Name: Bo Lindqvist, E-mail: bo@lind.example, Places: 2, Remarks: "We bring our own knives." Then press Sign up.',
            {"Name": "Bo Lindqvist", "E-mail": "bo@lind.example", "Places": "2", "Remarks": "We bring our own knives."},
        ),
        (
            "Type Ada and Bert Klee into Name and klee@post.example into E-mail. Set Workshop to Basket weaving, untick Newsletter, and press Sign up.",
            {"Name": "Ada and Bert Klee", "E-mail": "klee@post.example", "Workshop": "Basket weaving", "Newsletter": ""},
        ),
        (
            "Put Ivo Hart in the Name field and press Sign up. If it says something is missing: my email is ivo@hart.example. Press Sign up again then.",
            {"Name": "Ivo Hart", "E-mail": "ivo@hart.example"},
        ),
    ],
)  # fmt: skip
def test_a_goal_in_free_words_is_filled_in_and_sent(goal: str, changed: dict[str, str]) -> None:
    form = workshop()
    before = dict(form.values)
    end = worked(goal, form)
    assert form.sent == before | changed, end
    assert isinstance(end, ops.Done)


@pytest.mark.parametrize(
    ("goal", "changed"),
    [
        (
            "Bitte Jule Brandt, geboren am 3. Mai 2009, Seestraße 4, 24306 Plön, zum Rudern anmelden: jule@brandt.example, Telefon 04522 778899. Bezahlt wird per Bankeinzug, und ein Leihboot braucht sie auch.",
            {"Vorname": "Jule", "Nachname": "Brandt", "Geburtsdatum": "03.05.2009", "Straße und Hausnummer": "Seestraße 4", "PLZ": "24306",
             "Ort": "Plön", "Kurs": "Rudern für Anfänger", "E-Mail": "jule@brandt.example", "Telefon": "04522 778899",
             "Zahlung": "Lastschrift", "Leihboot": "on"},
        ),
        (
            "Trage bei Vorname Olaf und bei Nachname Zahn ein, wähle als Kurs Tauchen, setze den Haken bei Rundbrief und klicke auf Verbindlich buchen.",
            {"Vorname": "Olaf", "Nachname": "Zahn", "Kurs": "Tauchen", "Rundbrief": "on"},
        ),
    ],
)  # fmt: skip
def test_a_german_form_is_scrolled_and_its_lists_are_looked_into(goal: str, changed: dict[str, str]) -> None:
    form = kurs()
    before = dict(form.values)
    end = worked(goal, form)
    assert form.sent == before | changed, end
    assert isinstance(end, ops.Done)


@pytest.mark.parametrize(
    "goal",
    [
        "I'm Tilda Moss, tilda@moss.example, sign me up for the pottery workshop please.",
        "Sign up Tilda Moss, tilda@moss.example, for felting, and book the sauna as well.",
        "Type Tilda Moss into Name and 44-11 into Member card, then press Sign up.",
        "Sign me up for felting, I'm Tilda Moss, tilda@moss.example and moss@work.example.",
        "I'm Tilda Moss, tilda@moss.example: woodcarving or felting, whichever is cheaper. Sign me up.",
        "I'm Tilda Moss, tilda@moss.example. If felting costs more than 50 euros, don't sign me up.",
    ],
)
def test_what_has_no_place_on_the_form_is_asked_about_and_nothing_is_sent(goal: str) -> None:
    form = workshop()
    assert isinstance(worked(goal, form), ops.Ask)
    assert form.sent is None


def test_what_is_not_to_be_sent_is_only_filled_in() -> None:
    form = workshop()
    end = worked("Fill in Name: Tilda Moss, E-mail: tilda@moss.example, but don't send it yet.", form)
    assert isinstance(end, ops.Done)
    assert form.sent is None
    assert form.values["Name"] == "Tilda Moss"


def test_a_form_that_complains_is_not_said_to_be_sent() -> None:
    form = workshop()
    end = worked("Name: Tilda Moss, Workshop: Felting. Then press Sign up.", form)
    assert isinstance(end, ops.Ask)
    assert "E-mail" in end.question
    assert form.sent is None
