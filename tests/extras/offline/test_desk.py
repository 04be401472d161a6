"""Files, texts, terminals and spreadsheets: what is done and told at what is seen."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from desktop_agent.extras.offline.llm.offline import apps
from desktop_agent.extras.offline.llm.offline.files_said import folder_of
from desktop_agent.extras.offline.llm.offline.intents_desk import Total
from desktop_agent.extras.offline.llm.offline.language.sheets_said import rows_of
from desktop_agent.extras.offline.llm.offline.policies.filing import names_it
from desktop_agent.extras.offline.llm.offline.policies.lookup import looked_up
from desktop_agent.extras.offline.llm.offline.policies.sheets import formula
from desktop_agent.extras.offline.llm.offline.policies.shell import printed
from desktop_agent.extras.offline.llm.offline.quoting import Masked, mask
from desktop_agent.extras.offline.llm.offline.scene import Scene, folder_path
from desktop_agent.protocol import ops
from desktop_agent.vision.observation import Observation
from tests.extras.offline.things import Talk, element, look, question, summary

EDITOR = element("text", "", (100, 100, 600, 400), id="text", value="one\ntwo\nthree\n", states=("editable", "focused", "multiline"), window="list.txt - Editor")  # fmt: skip


def scene(seen: Observation) -> Scene:
    return Scene(seen, (), 1, 1)


@pytest.mark.parametrize(
    ("screen", "command", "output"),
    [
        ("ada@pc:~$ wc -l poem.txt\n37 poem.txt\nada@pc:~$", "wc -l poem.txt", "37 poem.txt"),
        ("$ pwd\n/home/ada\n$ ", "pwd", "/home/ada"),
        ("root@vm:~# cd /tmp\nroot@vm:/tmp# ls\na  b\n\nc\nroot@vm:/tmp#", "ls", "a  b\n\nc"),
        ("ada@pc:~$ true\nada@pc:~$", "true", ""),
        ("ada@pc:~$ sleep 9; date\n", "sleep 9; date", None),
        ("ada@pc:~$ date\nMon 3 May\n", "date", None),
        ("", "date", None),
    ],
)
def test_what_a_command_prints_stands_between_two_prompts(
    screen: str, command: str, output: str | None
) -> None:
    assert printed(screen, command) == output


@pytest.mark.parametrize(
    ("said", "width", "rows"),
    [
        ("Ada, 36 and Grace, 45", 2, (("Ada", "36"), ("Grace", "45"))),
        ("Ada, 36; Grace, 45", 0, (("Ada", "36"), ("Grace", "45"))),
        ("'Smith, Ada', 36; Bob, 4", 0, (("Smith, Ada", "36"), ("Bob", "4"))),
        ("Ada, 36, Grace", 2, None),
    ],
)
def test_rows_are_told_apart(said: str, width: int, rows: tuple[tuple[str, ...], ...] | None) -> None:
    masked = mask(said)
    assert rows_of(masked.text, masked, width) == rows


def test_a_total_does_not_count_itself() -> None:
    assert formula(Total("B", "B5"), "B5") == "=SUM(B1:B4)"
    assert formula(Total("B", "D1"), "D1") == "=SUM(B:B)"
    assert formula(Total("B2:B4", "B2", "MAX"), "B9") == "=MAX(B2:B4)"


@pytest.mark.parametrize(
    ("said", "folder"),
    [
        ("my Documents folder", "DOCUMENTS"),
        ("the Work folder inside Documents", "DOCUMENTS/Work"),
        ("Documents/Work", "DOCUMENTS/Work"),
        ("~/notes/", "~/notes"),
        ("the home folder", "~"),
        ("the box", None),
        ("", ""),
    ],
)
def test_a_folder_is_known_by_what_it_is_called(said: str, folder: str | None) -> None:
    assert folder_of(said, Masked(said)) == folder


def test_a_folder_in_a_usual_one_has_its_path() -> None:
    assert folder_path("DOWNLOAD/Old", "/home/nobody") == str(Path("/home/nobody/Downloads/Old"))


def test_a_window_is_known_by_its_files_name() -> None:
    assert names_it("notes.txt", "/home/ada/notes.txt - Mousepad")
    assert names_it("report.odt", "report — Writer")
    assert not names_it("notes.txt", "my-notes.txt.bak - Mousepad".replace("notes.txt", "notes.txtx"))
    assert apps.window_sort("ada@pc: ~/work", "") == "terminal"


def table() -> Observation:
    cells = [
        ("Article", 0, 0),
        ("Price", 1, 0),
        ("Kettle", 0, 1),
        ("31.50", 1, 1),
        ("Toaster", 0, 2),
        ("24.90", 1, 2),
    ]
    return look(
        element("heading", "Address", (10, 400, 200, 30)),
        element("paragraph", "12 Harbour Street", (10, 440, 300, 20)),
        *(element("table cell", text, (10 + 100 * x, 100 + 30 * y, 100, 30)) for text, x, y in cells),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("price of the kettle", "31.50"),
        ("the toaster's price", "24.90"),
        ("kettle price", "31.50"),
        ("price of the kettles", "31.50"),
        ("the address", "12 Harbour Street"),
        ("price of the lamp", ""),
        ("weight of the kettle", ""),
    ],
)
def test_a_thing_is_looked_up_by_row_and_column_or_not_at_all(asked: str, found: str) -> None:
    assert looked_up(asked, scene(table())) == found


def test_a_line_at_the_end_goes_on_a_line_of_its_own() -> None:
    talk = Talk("add a line with four at the end")
    assert talk.see(look(EDITOR, window="list.txt - Editor")) == (
        ops.KeyCombo(("ctrl", "end")),
        ops.Type("four"),
    )


def test_a_line_is_deleted_by_keys_that_every_editor_has() -> None:
    talk = Talk("delete line 2")
    keys = [
        op.keys for op in talk.see(look(EDITOR, window="list.txt - Editor")) if isinstance(op, ops.KeyCombo)
    ]
    assert keys == [("ctrl", "home"), ("down",), ("home",), ("shift", "down"), ("delete",)]


def test_a_line_is_deleted_when_the_text_has_one_less() -> None:
    for text, gone in (("one\nthree\n", True), ("one\n\nthree\n", False)):
        talk = Talk("delete line 2")
        talk.see(look(EDITOR, window="list.txt - Editor"))
        after = look(msgspec.structs.replace(EDITOR, value=text), window="list.txt - Editor")
        said = talk.until_it_acts(after)
        assert summary(said) if gone else "no line has gone" in question(said)


def test_a_line_that_is_not_there_is_asked_about() -> None:
    assert "no line with “five”" in question(Talk("delete the line with five").see(look(EDITOR, window="list.txt - Editor")))  # fmt: skip


def test_words_that_are_not_there_are_not_replaced() -> None:
    assert "no “five”" in question(Talk("replace every five with six").see(look(EDITOR, window="list.txt - Editor")))  # fmt: skip


def test_a_file_of_no_known_folder_is_looked_for_and_then_asked_about() -> None:
    talk, desktop = Talk("open diary.txt"), look(window="", windows=())
    opened = []
    for _ in range(4):
        (only,) = talk.see(desktop, outcome="refused", detail="There is no file or folder there.")
        assert isinstance(only, ops.Open)
        opened.append(only.target)
    assert (
        opened[0] == str(Path("/home/ada/diary.txt")) and str(Path("/home/ada/Documents/diary.txt")) in opened
    )
    assert "In which folder" in question(talk.see(desktop))


def test_a_tip_that_is_in_the_way_is_closed_first() -> None:
    tip = look(
        element("dialog", "Tip of the Day: 1/225", (300, 300, 500, 200), window="Tip of the Day: 1/225"),
        element("push button", "OK", (700, 450, 80, 30), id="ok", window="Tip of the Day: 1/225"),
        window="Tip of the Day: 1/225",
    )
    assert Talk("change cell B3 to 12").see(tip) == (ops.ClickElement("ok"),)


def test_a_name_is_typed_only_into_the_name_box() -> None:
    box = element("text", "", (4, 128, 126, 34), id="box", value="A1", states=("editable", "focusable"), window="a.csv - Calc")  # fmt: skip
    talk = Talk("change cell B3 to 12")
    sheet = look(box, window="a.csv - Calc")
    assert talk.see(sheet) == (ops.ClickElement("box"),)
    assert not any(isinstance(op, ops.Type) for op in talk.see(sheet)), "the keyboard is still elsewhere"
