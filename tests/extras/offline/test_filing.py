"""Files and folders in a file manager: gone to by what it shows, and done when that is seen in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_agent.protocol import ops
from desktop_agent.vision.observation import Observation
from tests.extras.offline.things import Talk, element, look, question, summary

HOME = "/home/ada"


def files(folder: str, *names: str, bar: bool = True) -> Observation:
    """A file manager that shows these names in a folder of the home folder, with a bar that tells its path or without."""
    title = folder.rsplit("/", 1)[-1]
    about = {"window": title, "application": "pcmanfm"}
    icons = [
        element("icon", name, (20 + 100 * at, 100, 80, 60), id=name, **about) for at, name in enumerate(names)
    ]
    path = element("text", "Folder location bar", (20, 20, 400, 30), value=f"{HOME}/{folder}", states=("editable",), **about)  # fmt: skip
    return look(*icons, *((path,) if bar else ()), window=title)


@pytest.mark.parametrize("bar", [True, False])
def test_a_folder_that_the_file_manager_shows_is_opened_there(bar: bool) -> None:
    talk = Talk("go to the folder Projects")
    assert talk.see(files("Documents", "Letters", "Projects", bar=bar)) == (
        ops.ClickElement("Projects", count=2),
    )
    assert isinstance(talk.see(files("Documents", "Letters", "Projects", bar=bar))[0], ops.Wait)
    assert summary(talk.see(files("Documents/Projects", "garden.txt", bar=bar)))


def test_a_file_that_the_file_manager_shows_is_opened_there() -> None:
    talk = Talk("open garden.txt")
    assert talk.see(files("Work", "garden.txt")) == (ops.ClickElement("garden.txt", count=2),)
    assert isinstance(talk.see(files("Work", "garden.txt"))[0], ops.Wait)
    assert summary(talk.see(look(window="garden.txt - Editor")))


def test_a_file_is_open_in_the_application_that_was_named() -> None:
    for window, right in (("garden.txt - Mousepad", True), ("garden.txt - Writer", False)):
        talk = Talk("open garden.txt in mousepad")
        talk.see(files("Work", "garden.txt"))
        said = talk.until_it_acts(look(window=window))
        assert summary(said) if right else "not in mousepad" in question(said)


def test_a_dialog_that_asks_how_to_open_a_file_is_told() -> None:
    talk = Talk("open garden.txt")
    talk.see(files("Work", "garden.txt"))
    asks = look(element("dialog", "Choose Application", (100, 100, 400, 300), window="Choose Application"), window="Choose Application")  # fmt: skip
    assert "“Choose Application” has come up" in question(talk.until_it_acts(asks))


def test_a_folder_that_does_not_come_up_is_not_said_to_be_shown() -> None:
    talk = Talk("go to the folder Projects")
    talk.see(files("Documents", "Projects"))
    assert "I see “Documents”" in question(talk.until_it_acts(files("Documents", "Projects")))


def test_a_folder_of_every_desktop_is_none_of_that_name_among_those_shown() -> None:
    talk = Talk("go to the Downloads folder")
    assert talk.see(files("Work", "Downloads")) == (ops.Open(str(Path(HOME) / "Downloads")),)


def test_a_copy_goes_into_the_folder_that_is_shown_beside_the_file() -> None:
    talk = Talk("copy budget.csv into Backup")
    here = files("Documents", "Backup", "budget.csv")
    assert talk.see(here) == (ops.ClickElement("budget.csv"), ops.KeyCombo(("ctrl", "c")))
    assert talk.see(here) == (ops.ClickElement("Backup"), ops.KeyCombo(("enter",)))
    assert talk.see(files("Documents/Backup")) == (ops.KeyCombo(("ctrl", "v")),)
    assert "is in Backup now" in summary(talk.see(files("Documents/Backup", "budget.csv")))


def test_what_the_tree_does_not_tell_of_is_read_in_the_picture() -> None:
    talk = Talk("copy budget.csv into Backup")
    for _ in range(2):
        talk.see(files("Documents", "Backup", "budget.csv"))
    empty = files("Documents/Backup")
    assert talk.see(empty) == (ops.KeyCombo(("ctrl", "v")),)
    while not isinstance(talk.see(empty)[0], ops.Read):
        assert isinstance(talk.last.actions[0], ops.Wait)
    read = element("text", "budget.csv", (60, 160, 80, 14), window="", source="ocr")
    assert "is in Backup now" in summary(talk.see(look(*empty.elements, read, window="Backup")))


def _renaming() -> Talk:
    talk = Talk("rename draft.txt to chapter.txt")
    assert talk.see(files("Documents", "draft.txt")) == (
        ops.ClickElement("draft.txt"),
        ops.KeyCombo(("f2",)),
    )
    assert ops.Type("chapter.txt") in talk.until_it_acts(files("Documents", "draft.txt"))
    return talk


def test_a_file_is_renamed_when_it_is_seen_under_the_new_name_alone() -> None:
    assert "is called “chapter.txt” now" in summary(_renaming().see(files("Documents", "chapter.txt")))
    for there in (("draft.txt",), ("draft.txt", "chapter.txt")):
        assert "do not see" in question(_renaming().until_it_acts(files("Documents", *there)))


def test_a_file_of_nearly_that_name_is_not_renamed() -> None:
    assert "cannot find" in question(
        Talk("rename draft.txt to chapter.txt").until_it_acts(files("Documents", "drafts.txt"))
    )


def test_a_file_is_deleted_when_it_is_seen_to_be_gone() -> None:
    for left, gone in ((("older.log",), True), (("old.log", "older.log"), False)):
        talk = Talk("delete the file old.log")
        talk.see(files("Documents", "old.log", "older.log"))
        said = talk.until_it_acts(files("Documents", *left))
        assert "Deleted" in summary(said) if gone else "still there" in question(said)


def test_a_folder_is_made_when_it_is_seen() -> None:
    for there, made in ((("Invoices",), True), ((), False)):
        talk = Talk("create a folder called Invoices")
        talk.see(files("Documents"))
        box = element("text", "", (200, 200, 200, 30), states=("editable", "focused"), window="New Folder", application="pcmanfm")  # fmt: skip
        talk.see(look(element("dialog", "New Folder", (100, 100, 400, 200), window="New Folder"), box, window="New Folder"))  # fmt: skip
        said = talk.until_it_acts(files("Documents", *there))
        assert "is there" in summary(said) if made else "do not see" in question(said)
