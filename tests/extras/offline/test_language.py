"""How instructions are read: every word accounted for, references, order, mistypings, and two meanings."""

from __future__ import annotations

import msgspec
import pytest

from desktop_agent.extras.offline.llm.offline.intents import (
    Check,
    Click,
    Compute,
    CreateFolder,
    Delete,
    Fill,
    Intent,
    Open,
    Read,
    Rename,
    Save,
    Submit,
    TypeText,
    Unknown,
    WaitFor,
    Window,
)
from desktop_agent.extras.offline.llm.offline.intents_desk import (
    OpenFile,
    Replace,
    RunCommand,
    Transfer,
    WriteAt,
)
from desktop_agent.extras.offline.llm.offline.language.inflection import forms
from desktop_agent.extras.offline.llm.offline.language.lexicon import Lexicon, LexiconEntry, lexicon
from desktop_agent.extras.offline.llm.offline.language.understand import parse, understand
from tests.extras.offline.things import P, plain

_MOVED = (Transfer("report.txt", "DOCUMENTS", "DOWNLOAD"),)
_RENAMED = (Rename("draft.txt", "final.txt", "DOCUMENTS"),)
_EGGS = (OpenFile("shopping.txt", "DOCUMENTS"), WriteAt("eggs"), Save())


@pytest.mark.parametrize(
    ("words", "intents"),
    [
        ("Shift report.txt out of the Downloads directory over to Documents", _MOVED),
        ("Into my Documents folder please move report.txt, which is in Downloads at the moment.", _MOVED),
        ("I'd like to have report.txt moved from Downloads into Documents", _MOVED),
        ("report.txt is in Downloads. Move it to Documents.", _MOVED),
        ("Give the document draft.txt in the Documents directory the new title final.txt", _RENAMED),
        ("In Documents there's a file called draft.txt. Its name should be final.txt.", _RENAMED),
        ("would you mind renaming draft.txt in Documents to final.txt?", _RENAMED),
        ("In Documents, I need a folder, and its name should be Bills", (CreateFolder("Bills", "DOCUMENTS"),)),
        ("From Downloads, the file old.txt should go into the trash", (Delete(P("old.txt", quoted=True), "DOWNLOAD"),)),
        ("throw old.txt away, it's in Downloads", (Delete(P("old.txt", quoted=True), "DOWNLOAD"),)),
        ("At the end of shopping.txt in Documents, please add the line \"eggs\" and save the file.", _EGGS),
        ("I'd be ever so grateful if you could rename draft.txt in Documents to final.txt, when you have a moment", _RENAMED),
        ("It would make my day if you renamed draft.txt in Documents to final.txt.", _RENAMED),
        ("Sorry to be a nuisance, but could draft.txt in Documents possibly be renamed to final.txt? Thank you very much indeed.", _RENAMED),
        ("Would you have any objection to renaming draft.txt in Documents to final.txt?", _RENAMED),
        ("The file draft.txt in Documents: rename it to final.txt.", _RENAMED),
        ("final.txt is what draft.txt in Documents should be called.", _RENAMED),
        ("I want draft.txt in Documents to be called final.txt.", _RENAMED),
        ("Rename the file in Documents called draft.txt to final.txt", _RENAMED),
        ("As for report.txt in Downloads, it belongs in Documents.", _MOVED),
        ("Make sure that report.txt in Downloads ends up in Documents.", _MOVED),
        ("Add eggs to shopping.txt in Documents, which I have open, and save it, but don't close it.", (OpenFile("shopping.txt", "DOCUMENTS"), WriteAt("eggs"), Save())),
        ("Where it says cat in pets.txt, it should say dog, and do the same in zoo.txt.", (OpenFile("pets.txt"), Replace("cat", "dog"), OpenFile("zoo.txt"), Replace("cat", "dog"))),
        ("I want Large print ticked, Play sounds unticked and the Save button pressed", (Check(P("Large print"), True), Check(P("Play sounds"), False), Click(P("Save", "button")))),
        ("Fill in Name with Ida, leave the others as they are, but don't send it yet.", (Fill(P("Name"), "Ida"),)),
        ("I've paid 18.5 for lunch and 7.25 for coffee. What does that come to in all?", (Compute("18.5+7.25"), Read(P("", "result")))),
        ("Create a folder Trips in Documents, then put both a.txt and b.txt from Downloads there.", (CreateFolder("Trips", "DOCUMENTS"), Transfer("a.txt", "DOCUMENTS/Trips", "DOWNLOAD"), Transfer("b.txt", "DOCUMENTS/Trips", "DOWNLOAD"))),
        ("Move a.txt to the Archive folder in Documents.", (Transfer("a.txt", "DOCUMENTS/Archive"),)),
        ("The calculator is in my way; close it.", (Window("close", "calculator", "application"),)),
        ("Save it under the same name.", (Save(),)),
        ("one just has to call ./backup.sh in the terminal window", (RunCommand("./backup.sh"),)),
        ('Every "Smith" should become "Jones" in letter.txt', (OpenFile("letter.txt"), Replace("Smith", "Jones"))),
        ("Execute wc -l poem.txt in the console and report its output", (RunCommand("wc -l poem.txt", True),)),
        ("12 + 30 into total.txt", (Compute("12+30"), Open("text editor"), TypeText("", result=True), Save("total.txt"))),
        ("open mousepad type hello press enter", parse("open mousepad, type hello and press enter")),
        ("The button to press on this page is Postpone.", (Click(P("Postpone", "button")),)),
        ("ls -la > all.txt - that's the command to run in the terminal", parse("run ls -la > all.txt in the terminal")),
        ("final.txt should be the new name of draft.txt in Documents", _RENAMED),
        ("Under the new name draft.txt, in Documents, save the open text.", (Save("draft.txt", "DOCUMENTS"),)),
        ("In the terminal, ./backup.sh is to be run.", parse("run ./backup.sh in the terminal")),
        ("A friend came by yesterday. move report.txt from Downloads to Documents", _MOVED),
        ("I don't need the calculator any more. Close it.", (Window("close", "calculator", "application"),)),
        ("Country: Norway, then press Save", (Fill(P("Country"), "Norway"), Click(P("Save")))),
        ('Add the line "eggs" to my shopping list and save it. It is open in the editor.', (WriteAt("eggs"), Save())),
        ("Replace Tea with Milk everywhere in the open letter", (Replace("Tea", "Milk"),)),
        ("Both a.txt and b.txt in Downloads should be moved to Documents", (Transfer("a.txt", "DOCUMENTS", "DOWNLOAD"), Transfer("b.txt", "DOCUMENTS", "DOWNLOAD"))),
        ("Delivery: Express, then Continue.", (Fill(P("Delivery"), "Express"), Click(P("Continue", "button")))),
        ("There's a link Imprint at the bottom of the page. Click it.", (Click(P("Imprint", "link")),)),
        ("My user name is ada and my password is s3. Log in.", (Fill(P("user name"), "ada"), Fill(P("password"), "s3"), Submit())),
        ("The box News should not be ticked", (Check(P("News", "field"), False),)),
        ("In Downloads, since it is old, delete old.txt", (Delete(P("old.txt", quoted=True), "DOWNLOAD"),)),
        ("Would you mind clicking News, and then clicking Send?", (Click(P("News")), Click(P("Send")))),
        ("Rename draft.txt to final.txt, Documents.", _RENAMED),
        ("Phone number on this page?", (Read(P("Phone number")),)),
        ("The page has a drop-down for the colour. Set it to Dark.", (Fill(P("colour", "combo"), "Dark"),)),
        ("calculator: 2 + 3, what is it?", (Compute("2+3"), Read(P("", "result")))),
        ("I have two numbers: 2 and 3. Add them up.", (Compute("2+3"),)),
        ("What does draft.txt in Documents say?", (OpenFile("draft.txt", "DOCUMENTS"), Read(P("", "document")))),
        ("the price of the tea into sum.txt (use the editor)", parse("write the price of the tea into sum.txt")),
    ],
)  # fmt: skip
def test_the_same_is_understood_however_it_is_said(words: str, intents: tuple[Intent, ...]) -> None:
    assert tuple(map(plain, parse(words))) == tuple(map(plain, intents))


@pytest.mark.parametrize(
    ("words", "left"),
    [
        ("move report.txt from Downloads to Documents backwards", "backwards"),
        ("save the file and water the plants", "water the plants"),
        ("type the same again", "type the same again"),
        ('write "Dear Tom," and below it "see you soon"', 'below it "see you soon"'),
        ("create notes.txt with the lines milk, eggs", ""),
        ("click the one beside it", "click the one beside it"),
        ("type his address into the Address field", "type his address"),
        ("print the file on the third-floor printer", "third-floor printer"),
        ("move all .txt files from Downloads to Documents", "move all .txt files"),
        ("A friend came by yesterday. Delete it.", "Delete it"),
        ("The window should not be touched. Click Save.", "The window should not be touched"),
        ("Name: Ada", "Name: Ada"),
        ("fill in the contact form", "the contact form"),
        ("My name is Ida Holm. Open the calculator.", "My name is Ida Holm"),
        ("Type hello, but not in the editor.", "not in the editor"),
        ("change the quantity to 3 and update the basket", "update the basket"),
        ("When does the museum open on Saturday?", "When does the museum open"),
        ("The file old.txt should not be deleted.", "should not be deleted"),
        ("Choose the cheapest lamp", "cheapest"),
        ("save it under that name", "that name"),
        ("Put what the page says about opening hours into hours.txt.", "what the page says"),
        ("Delete a.txt and don't delete a.txt", "don't delete a.txt"),
        ("Newsletter needs a tick, Ads doesn't.", "Ads doesn't"),
        ("The calculator knows what 12 times 7 is: tell me.", "tell me"),
        ("Would you be so frobnicate as to close the calculator?", "frobnicate"),
        ("I don't need the calculator any more, or do I?", "or do I"),
        ("Add up the numbers on the page.", "numbers"),
        ("Payment: Invoice, not card, then press Save", "not card"),
        ("ls -l into listing.txt", "ls -l into listing.txt"),
        ("Make a folder Garden. Inside it, make another one called Seeds.", "another one"),
        ("make a frobnicate folder called taxes", "frobnicate"),
        ('Delete the line with "milk" in the frobnicate', "frobnicate"),
        ('type "7" into the Amount field on the page and frobnicate', "frobnicate"),
        ("rename draft.txt", "draft.txt"),
        ("search for the book which is on top", "the book which is on top"),
        ("The bus goes to Oslo.", "The bus goes to Oslo"),
        ("Should I delete old.txt?", "Should I delete old.txt?"),
        ("Move the important files to Documents.", "Move the important files"),
        ("Write to Anna.", "Write to Anna"),
        ("Type faster.", "Type faster"),
        ("delete everything", "delete everything"),
        ("Delete old.txt after the meeting on Friday.", "after the meeting on Friday"),
        ("tell me what its heading says", "its heading"),
        ("the total goes into total.txt", "the total goes"),
        ("Delete old.txt? No, wait.", "No"),
        ("With apologies for my stiff fingers, press Send", "With apologies"),
        ("Delete old.txt, no, new.txt.", "no"),
        ("Delete old.txt. Sorry, new.txt.", "Sorry, new.txt"),
        ("Delete old.txt. Oh, leave it.", "leave it"),
        ("Delete old.txt when I say so.", "when I say"),
        ("Write Tom a letter.", "Write Tom a letter"),
        ("Take Tom off the list.", "Take Tom off the list"),
        ("enter tomorrow's birthday as Date", "tomorrow's birthday"),
        ("type Ida's phone number into Phone", "Ida's phone number"),
        ("type hello three times", "hello three times"),
        ("write hello in French", "hello in French"),
        ("type Ida backwards into Name", "Ida backwards"),
        ("put half of 20 in the Amount field", "half of 20"),
        ("enter what the page says as the name", "what the page says"),
        ("write the line it prints into x.txt", "it prints"),
        ("A new folder called Trips is what I need in Documents.", "Trips is what"),
        ("substitute Tuesday for Monday throughout the document", "Tuesday for Monday"),
    ],
)
def test_words_that_nothing_takes_are_asked_about(words: str, left: str) -> None:
    unknown = [each.text for each in parse(words) if isinstance(each, Unknown)]
    assert (unknown and left in " ".join(unknown)) or not left


def test_a_list_of_lines_is_typed_as_lines_and_never_as_its_own_description() -> None:
    asked = "create notes.txt with the lines milk, eggs and bread, one per line"
    (_, typed, saved) = parse(asked)
    assert (typed, saved) == (TypeText("milk\neggs\nbread"), Save("notes.txt"))


@pytest.mark.parametrize(
    ("words", "intents"),
    [
        (
            "Click Next, and after the page has loaded, click Save",
            (Click(P("Next")), WaitFor(1.0), Click(P("Save"))),
        ),
        (
            "Send the form, but fill in Ida as the name first.",
            (Fill(P("name"), "Ida"), Submit()),
        ),
        ("press Next once you see Welcome", (WaitFor(text="Welcome"), Click(P("Next")))),
        ("Before you close the editor, save the file", (Save(), Window("close", "editor", "application"))),
        (
            "close the editor after you have saved the file",
            (Save(), Window("close", "editor", "application")),
        ),
        ('save the file, but first type "done"', (TypeText("done"), Save())),
        (
            'press Send, but before that enter "Ida" as the name and "a@b.org" as the mail',
            (Fill(P("name"), "Ida"), Fill(P("mail"), "a@b.org"), Click(P("Send"))),
        ),
        (
            "How much is the tea? Follow the link Tea to find out.",
            (Click(P("Tea", "link")), Read(P("price of the tea"))),
        ),
    ],
)
def test_things_are_done_in_the_order_that_is_meant(words: str, intents: tuple[Intent, ...]) -> None:
    assert tuple(map(plain, parse(words))) == tuple(map(plain, intents))


@pytest.mark.parametrize(
    "words",
    [
        "plese mvoe report.txt form Downloads to Documents",
        "move reprot.txt from Downloads to Documents",
        "ring the bell and click OK",
    ],
)
def test_only_mistyped_words_are_mended_and_never_names(words: str) -> None:
    if "report.txt" in words:
        assert parse(words) == _MOVED
    elif "reprot" in words:
        assert parse(words) == (Transfer("reprot.txt", "DOCUMENTS", "DOWNLOAD"),)
    else:  # "ring" is no mistyped "bring"
        assert any(isinstance(each, Unknown) for each in parse(words))


def test_a_name_belongs_to_who_was_spoken_of() -> None:
    assert tuple(map(plain, parse("click Ada and click her address")))[1] == Click(
        P("address", near="Ada", side="near")
    )
    assert isinstance(parse("click her address")[0], Unknown)


def test_two_meanings_are_asked_about_with_both() -> None:
    (asked,) = parse("change Bob to Bill")
    assert isinstance(asked, Unknown) and "Replace “Bob” with “Bill”" in asked.why and " or " in asked.why


def test_a_condition_stands_before_what_it_is_for() -> None:
    assert understand("if a dialog appears").intents == (Unknown("if dialog"),)
    assert parse("press Save if Done is there") == parse("if Done is there, press Save")
    assert isinstance(parse("press Save if it is enabled")[-1], Unknown)
    assert tuple(map(plain, parse("tell me the total"))) == (Read(P("total")),)


@pytest.mark.parametrize(
    ("verb", "known"),
    [("drag", "dragged"), ("open", "opened"), ("copy", "copied"), ("save", "saved"), ("tie", "tied")],
)
def test_regular_verbs_have_their_forms(verb: str, known: str) -> None:
    assert (known, "participle") in forms(verb, {})


def test_a_lexicon_with_an_unknown_key_or_a_wrong_argument_is_refused() -> None:
    entry = {**_EMPTY, "frames": [{"meaning": "save", "verbs": ["save"], "arguments": ["what <text>"]}]}
    with pytest.raises(ValueError, match="no argument"):
        Lexicon(msgspec.convert(entry, LexiconEntry))
    with pytest.raises(msgspec.ValidationError, match="colour"):
        msgspec.convert({**_EMPTY, "colour": "red"}, LexiconEntry)


def test_every_frame_has_a_meaning_and_takes_known_types() -> None:
    from desktop_agent.extras.offline.llm.offline.language.meanings import MEANINGS
    from desktop_agent.extras.offline.llm.offline.language.slots import TYPES

    frames = [verb.frame for several in lexicon().verbs.values() for verb in several]
    assert {frame.meaning for frame in frames} <= {*MEANINGS, "same"}
    assert {name for frame in frames for argument in frame.arguments for name in argument.types} <= set(TYPES)


_EMPTY: dict[str, object] = {name: [] for name in LexiconEntry.__struct_fields__} | {
    "irregular": {},
    "courtesy": {},
    "context": {},
    "denying": {},
    "retracting": {},
    "beside": {},
    "mistaken": {},
    "synonyms": {},
    "told": {"subjects": [], "verbs": [], "never": []},
}
