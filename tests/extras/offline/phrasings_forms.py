"""Instructions about forms: values and where they belong, lists of options, dates, sliders, letters' case."""

from __future__ import annotations

from desktop_agent.extras.offline.llm.offline.intents import (
    Check,
    Choose,
    Click,
    CopyText,
    Expand,
    Fill,
    Focus,
    Intent,
    Match,
    Press,
    Read,
    Scroll,
    TypeText,
)
from tests.extras.offline.things import P

OK = Click(P("OK"))

TABLE: tuple[tuple[str, tuple[Intent, ...]], ...] = (
    # quoted text, and where it goes
    ('Enter "Ada" into the text field and press OK.', (TypeText("Ada", "text field"), OK)),
    ('Enter the number "-7" into the 2nd textbox.', (TypeText("-7", "2nd textbox"),)),
    ('Type the word "tea" into the search field', (TypeText("tea", "search field"),)),
    ('Enter the password "aB3" into both text fields and press OK.', (Fill(P("", "field"), "aB3"), OK)),
    ("type 0 into all the boxes", (Fill(P("", "field"), "0"),)),
    ('write "n/a" in each of the input fields', (Fill(P("", "field"), "n/a"),)),
    (
        'Enter the username "ada" and the password "s3" into the text fields and press OK.',
        (TypeText("ada", "username", False, "ada"), Fill(P("password"), "s3"), OK),
    ),
    (
        "enter the username bob and the password secret",
        (TypeText("bob", "username", False, "bob"), Fill(P("password"), "secret")),
    ),
    (
        'enter the email "a@b.c", the phone number "12" and the city "Oslo" in the form',
        (TypeText("a@b.c", "email", False, "a@b.c"), Fill(P("phone number"), "12"), Fill(P("city"), "Oslo")),
    ),
    (
        'fill in the first name with Ada and the last name with "Lovelace", and the age: 36',
        (Fill(P("name", ordinal=1), "Ada"), Fill(P("name", ordinal=-1), "Lovelace"), Fill(P("age"), "36")),
    ),
    # letters' case
    ('Type "ada" in all upper case letters in the text input', (TypeText("ADA", "text input"),)),
    ('Write "ADA" in lowercase', (TypeText("ada"),)),
    ('enter "ada lovelace" in title case into the Name field', (TypeText("Ada Lovelace", "Name field"),)),
    ("type hello in capitals", (TypeText("HELLO"),)),
    ("type hello in all caps into the Name field", (TypeText("HELLO", "Name field"),)),
    ('type "in upper case"', (TypeText("in upper case"),)),
    # dates and times
    ("Enter 10/20/2017 as the date and press OK.", (Fill(P("date"), "10/20/2017"), OK)),
    ("Enter 7:55 PM as the time and hit OK.", (Fill(P("time"), "7:55 PM"), OK)),
    ("Select 4 March 2027 as the arrival date", (Fill(P("arrival"), "4 March 2027"),)),
    ("pick March 5, 2027 in the date picker", (Fill(P("date", "combo"), "March 5, 2027"),)),
    ("choose 12 May 2027 from the calendar", (Fill(P("calendar"), "12 May 2027"),)),
    ("set the birthday to 1 April 1999", (Fill(P("birthday"), "1 April 1999"),)),
    ("enter the departure date 11/19/2026", (Fill(P("departure date"), "11/19/2026"),)),
    # what was read or copied, and where it goes
    ("Copy the text in the first text area", (CopyText(P("", "field", ordinal=1)),)),
    (
        "copy the text of the Notes field and paste it into the Answer field",
        (CopyText(P("Notes", "field")), Focus(P("Answer", "field")), Press(("ctrl", "v"))),
    ),
    (
        "Enter the value of Gender into the text field and press OK.",
        (Read(P("Gender")), TypeText("", "text field", result=True), OK),
    ),
    # lists and sections
    ("scroll the list to the end", (Scroll(unit="end", over="list"),)),
    ("collapse the Advanced section", (Expand(P("Advanced"), False),)),
    (
        "Find Ada in the contact list and click her address",
        (Scroll(until="Ada in the contact list"), Click(P("address", near="Ada", side="near"))),
    ),
    # sliders, spinners, pickers
    ("Select 5 with the slider and hit OK.", (Fill(P("", "slider"), "5"), OK)),
    ("Select -3 using the spinner", (Fill(P("", "spin"), "-3"),)),
    ("use the slider to set the volume to 30", (Fill(P("volume", "slider"), "30"),)),
    ("use the spinner to select 4", (Fill(P("", "spin"), "4"),)),
    ("set the brightness with the slider to 40", (Fill(P("brightness", "slider"), "40"),)),
    ("set the sliders to 5, 11 and 10", (Fill(P("", "slider"), "5, 11 and 10"),)),
    ("Select green with the color picker and press OK", (Fill(P("color", "combo"), "green"), OK)),
    # one out of what is offered
    ('Enter an item that starts with "Sa" and ends with "ino".', (Match("Sa", "ino"),)),
    ('Enter an item that starts with "Sa".', (Match("Sa"),)),
    ("choose the country that begins with Nor", (Match("Nor"),)),
    ('pick a name containing "ann" from the list', (Match(contains="ann", into="list"),)),
    # lists of options
    ("Select ab, Cd, e5 and click OK.", (Choose(P("ab, Cd, e5")), OK)),
    ("Select Peru, Chad from the scroll list and click OK.", (Choose(P("Peru, Chad"), "scroll"), OK)),
    ("choose Tea, Coffee and Milk from the list", (Choose(P("Tea, Coffee and Milk")),)),
    ('check "Milk", "Eggs" and "Bread", leave the rest and press OK', (Check(P('"Milk", "Eggs" and "Bread"')), OK)),
    ("tick all the boxes except Spam", (Check(P("all the boxes except Spam")),)),
    ("Select nothing and click OK.", (OK,)),
    ("tick none of the boxes and click OK", (OK,)),
    ("tick Milk and leave the others unchecked", (Check(P("Milk")),)),
    ("select Tea, don't touch the rest, and click OK", (Choose(P("Tea")), OK)),
)  # fmt: skip
