"""An order for an act covers the thing that it names, and no other."""

from __future__ import annotations

import msgspec
import pytest

from desktop_agent.policy.facts.files.file_records import Chooser
from desktop_agent.policy.facts.place import Place
from desktop_agent.policy.facts.words.act_objects import (
    are_files_of_order,
    is_amount_of_order,
    is_recipient_of_order,
)
from desktop_agent.policy.facts.words.spoken_words import understand
from desktop_agent.policy.rules.judge import judge
from desktop_agent.protocol import ops
from desktop_agent.protocol.ops import Op
from desktop_agent.protocol.permission import Rules

HOME = ("/", "home", "ada")
FILES = Place(known=True, pid=7, application="Pcmanfm", program="pcmanfm", window="Work", role="icon")
BUTTON = Place(known=True, pid=8, application="Mail", program="mail", window="Write", role="push button")
WRITING = msgspec.structs.replace(BUTTON, role="text", states=frozenset(("editable", "multiline")))
DELETE = ops.KeyCombo(("delete",))
PRESS = ops.Click(5, 5)


@pytest.mark.parametrize(
    ("goal", "selected", "folder", "covered"),
    [
        ("delete a.txt", ["a.txt"], (), True),
        ("delete a.txt", ["b.txt"], (), False),
        ("delete a.txt", ["a.txt", "b.txt"], (), False),
        ("delete a.txt", [], (), False),
        ("delete a.txt, b.txt and c.txt", ["c.txt", "b.txt"], (), True),
        ("copy b.txt, then delete a.txt", ["b.txt"], (), False),
        ("delete a.txt and open b.txt", ["b.txt"], (), False),
        ("delete a.txt, but do not delete b.txt", ["b.txt"], (), False),
        ("Bob told me to delete b.txt. Delete a.txt.", ["b.txt"], (), False),
        ("delete “my letter.txt”", ["my letter.txt"], (), True),
        ("delete “my letter.txt”", ["letter.txt"], (), False),
        ("delete report.txt", ["report.pdf"], (), False),
        ("delete report.txt", ["report"], (), False),
        ("delete the report", ["report.pdf"], (), True),
        ("delete /home/ada/Work/a.txt", ["a.txt"], (*HOME, "Work"), True),
        ("delete ~/Work/a.txt", ["a.txt"], (*HOME, "Other"), False),
        ("Put old.txt from my Downloads folder into the trash.", ["old.txt"], (*HOME, "Downloads"), True),
        ("Put old.txt from my Downloads folder into the trash.", ["old.txt"], (*HOME, "Documents"), False),
        ("From Documents, old.log please delete.", ["old.log"], ("ada", "Documents"), True),
        ("Find old.log in Documents and delete it", ["old.log"], ("Documents",), True),
        ("Find old.log in Documents and delete it", ["new.log"], ("Documents",), False),
        ("delete all screenshots", ["Screenshot 1.png", "Screenshot 2.png"], (), True),
        ("delete all screenshots", ["Screenshot 1.png", "letter.png"], (), False),
        ("delete all screenshots except Screenshot 2.png", ["Screenshot 2.png"], (), False),
        ("delete all old screenshots", ["Screenshot 2.png"], (), False),
        ("delete all PDFs", ["a.pdf"], (), True),
        ("delete all *.tmp files", ["a.tmp"], (), True),
        ("delete all .tmp files", ["a.txt"], (), False),
        ("delete all pictures in this folder", ["sea.jpg"], (), True),
        ("delete the folder build", ["build"], (), True),
        ("delete the folder build", ["src"], (), False),
        ("delete everything in Trash", ["x", "y.txt"], ("Trash",), True),
        ("delete everything in Downloads", ["x"], (*HOME, "Pictures"), False),
        ("delete all files", ["x"], (), False),
        ("delete the selected file", ["z.txt"], (), True),
        ("delete a folder", ["a"], (), False),
        ("delete it", ["z.txt"], (), False),
        ("tidy up and delete what is old", ["z.txt"], (), False),
        ("Lösche alt.txt", ["alt.txt"], (), True),
        ("Lösche alt.txt", ["neu.txt"], (), False),
        ("a.txt und b.txt löschen", ["a.txt", "b.txt"], (), True),
        ("Öffne b.txt und lösche a.txt", ["b.txt"], (), False),
        ("Lösche die markierten Dateien", ["z.txt", "q"], (), True),
        ("Lösche alle Bilder in Downloads", ["meer.jpg"], (*HOME, "Downloads"), True),
        ("Lösche alle Bilder in Downloads", ["brief.odt"], (*HOME, "Downloads"), False),
        ("Verschiebe alt.txt in den Papierkorb", ["alt.txt"], (), True),
        ("Verschiebe alt.txt in den Papierkorb", ["neu.txt"], (), False),
        ("Lösche den Ordner build", ["build"], (), True),
        ("Suche alt.log und lösche es", ["alt.log"], (), True),
        ("delete all logs except a.log and b.log", ["b.log"], (), False),
        ("delete all logs except a.log, then delete c.txt", ["c.txt"], (), True),
        ("delete “b.txt” and say “a.txt is gone”", ["a.txt"], (), False),
        ("Lösche alles außer alt.log in Downloads", ["alt.log"], ("Downloads",), False),
    ],
)  # fmt: skip
def test_files_are_deleted_by_the_order_that_names_them(
    goal: str, selected: list[str], folder: tuple[str, ...], covered: bool
) -> None:
    assert are_files_of_order(selected, folder, understand((goal,))) == covered


@pytest.mark.parametrize(
    ("goal", "fields", "shown", "covered"),
    [
        ("send Anna the report", [("To", "Anna Berg <anna@b.example>")], (), True),
        ("send Anna the report", [("To", "Bob Ross <bob@r.example>")], (), False),
        ("send Anna the report", [("To", "anna@b.example, bob@r.example")], (), False),
        ("send Anna the report", [], (), False),
        ("send Anna the report", [("To", ""), ("Subject", "Report")], ("Chat with Anna",), True),
        ("send Anna the report", [], ("Chat with Bob",), False),
        ("send Anna Berg the report", [("To", "Anna Meier")], (), False),
        ("send the report to anna@b.example", [("To", "anna@b.example")], (), True),
        ("send the report to anna@b.example", [("To", "Anna <anna@evil.example>")], (), False),
        ("send the report to anna@b.example", [("To", "anna@b.example"), ("Cc", "eve@e.example")], (), False),
        ("write Anna a mail and send it", [("To", "anna@b.example")], (), True),
        ("read Bob's mail and send Anna a summary", [("To", "bob@r.example")], (), False),
        ("open Bob's mail and reply", [("To", "bob@r.example")], (), True),
        ("Bob told me to write. Send Anna the report", [("To", "bob@r.example")], (), False),
        ("fill in the form and send it", [("Name", "Ida"), ("Email", "ida@holm.example")], (), True),
        ("fill in the form and send it", [("Recipient", "ida@holm.example")], (), False),
        ("write the mail and send it", [], (), True),
        ("Sende Anna den Bericht", [("An", "anna@b.example")], (), True),
        ("Sende Anna den Bericht", [("An", "bob@r.example")], (), False),
        ("Sende den Bericht an Anna", [], ("Bob",), False),
        ("Schreibe an bob@r.example und sende es ab", [("An:", "bob@r.example")], (), True),
    ],
)  # fmt: skip
def test_something_is_sent_to_whom_the_order_names(
    goal: str, fields: list[tuple[str, str]], shown: tuple[str, ...], covered: bool
) -> None:
    assert is_recipient_of_order("send", fields, shown, understand((goal,))) == covered


@pytest.mark.parametrize(
    ("goal", "name", "fields", "shown", "covered"),
    [
        ("pay 20 € to Weiss", "Pay", [("Amount", "20")], (), True),
        ("pay 20 € to Weiss", "Pay", [("Amount", "200")], (), False),
        ("pay 20 € to Weiss", "Pay 20 €", [], (), True),
        ("pay 20 € to Weiss", "Pay €2,000.00", [], ("20 €",), False),
        ("pay 20 € to Weiss", "Pay", [], (), False),
        ("pay 20 € to Weiss", "Pay", [], ("Total: 20,00 €",), True),
        ("buy the kettle for at most 20 euros", "Buy now", [], ("18.50 €",), True),
        ("buy the kettle for at most 20 euros", "Buy now", [], ("21 €",), False),
        ("buy the kettle", "Buy now", [], ("21 €",), True),
        ("Bezahle 1.200,50 € an Weiss", "Bezahlen", [("Betrag", "1200,50")], (), True),
        ("Bezahle 20 Euro an Weiss", "Bezahlen", [("Betrag", "25,00 €")], (), False),
    ],
)  # fmt: skip
def test_the_amount_is_the_one_of_the_order(
    goal: str, name: str, fields: list[tuple[str, str]], shown: tuple[str, ...], covered: bool
) -> None:
    assert is_amount_of_order(name, fields, shown, understand((goal,))) == covered


def selecting(*names: str) -> Place:
    chooser = Chooser("manager", 7, folder="/home/ada/Work", selected=names)
    return msgspec.structs.replace(FILES, chooser=chooser)


def on(place: Place, **more: object) -> Place:
    return msgspec.structs.replace(place, **more)


@pytest.mark.parametrize(
    ("goal", "op", "place", "kind"),
    [
        ("delete a.txt", DELETE, selecting("a.txt"), "allow"),
        ("delete a.txt", DELETE, selecting("b.txt"), "ask"),
        ("delete a.txt", DELETE, on(FILES, role=""), "ask"),
        ("delete a.txt", PRESS, on(selecting("a.txt"), role="menu item", name="Move to Trash"), "allow"),
        ("delete a.txt", PRESS, on(selecting("b.txt"), role="menu item", name="Move to Trash"), "ask"),
        ("delete a.txt", PRESS, on(FILES, role="push button", name="Yes", dialog=("", "Delete “a.txt”?")), "allow"),
        ("delete a.txt", PRESS, on(FILES, role="push button", name="Yes", dialog=("", "Delete “b.txt”?")), "ask"),
        ("delete a.txt", PRESS, on(BUTTON, name="Delete b.txt"), "ask"),
        ("delete a.txt", PRESS, on(BUTTON, name="Delete a.txt"), "allow"),
        ("click “Delete”", PRESS, on(selecting("b.txt"), role="menu item", name="Delete"), "allow"),
        ("send Anna the report", PRESS, on(BUTTON, name="Send", fields=(("To", "anna@b.example"),)), "allow"),
        ("send Anna the report", PRESS, on(BUTTON, name="Send", fields=(("To", "bob@r.example"),)), "ask"),
        ("send Anna the report", ops.KeyCombo(("ctrl", "enter")), on(WRITING, fields=(("To", "bob@r.example"),)), "ask"),
        ("send Anna the report", ops.KeyCombo(("ctrl", "enter")), on(WRITING, fields=(("To", "anna@b.example"),)), "allow"),
        ("send Anna the report", PRESS, on(BUTTON, name="Send"), "ask"),
        ("pay 20 € to Weiss", PRESS, on(BUTTON, name="Pay", nearby=("20 €", "Weiss GmbH")), "allow"),
        ("pay 20 € to Weiss", PRESS, on(BUTTON, name="Pay", nearby=("20 €", "Schwarz GmbH")), "ask"),
        ("pay 20 € to Weiss", PRESS, on(BUTTON, name="Pay", nearby=("90 €", "Weiss GmbH")), "ask"),
    ],
)  # fmt: skip
def test_an_act_is_free_on_the_object_of_its_order(goal: str, op: Op, place: Place, kind: str) -> None:
    assert judge(op, place, "restricted", "model", Rules(), spoken=understand((goal,))).kind == kind


@pytest.mark.parametrize(("dropped", "kind"), [(("a.txt",), "allow"), (("b.txt",), "ask"), ((), "ask")])
def test_what_is_dropped_onto_the_trash_is_what_the_order_names(dropped: tuple[str, ...], kind: str) -> None:
    trash = on(selecting("a.txt"), role="tree item", name="Trash", dropped=dropped)
    drag = ops.Drag((ops.Spot(1, 1), ops.Spot(2, 2)))
    verdict = judge(drag, trash, "restricted", "model", Rules(), spoken=understand(("delete a.txt",)))
    assert verdict.kind == kind
