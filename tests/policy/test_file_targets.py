"""Where a Save would write is told before it is confirmed, in the file dialogs of real programs."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path, PurePath

import msgspec
import pytest

from desktop_agent.policy.consent.consent import Ruling
from desktop_agent.policy.facts.batching import segments
from desktop_agent.policy.facts.dry_run import DryRun
from desktop_agent.policy.facts.files.file_records import Chooser, FileTarget
from desktop_agent.policy.facts.files.file_targets import FileTargets
from desktop_agent.policy.facts.place import Place
from desktop_agent.policy.gatekeeper import Gatekeeper
from desktop_agent.policy.rules.judge import judge
from desktop_agent.protocol import ops
from desktop_agent.protocol.batch import OpResult
from desktop_agent.protocol.permission import Level, Rule, Rules
from desktop_agent.vision.observation import Element
from tests.desk import Desk, until
from tests.policy.test_permission_real import Watch
from tests.support.waiting import Late

ENTER = ops.KeyCombo(("enter",))
ALL = ops.KeyCombo(("ctrl", "a"))
QT = """
import sys
from PySide6.QtWidgets import QApplication, QFileDialog
app = QApplication(sys.argv)
QFileDialog.getSaveFileName(None, "Save As", sys.argv[1], options=QFileDialog.Option.DontUseNativeDialog)
"""
TK = """
import sys, tkinter.filedialog
tkinter.Tk().withdraw()
tkinter.filedialog.asksaveasfilename(initialdir=sys.argv[1], initialfile="new.txt")
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home folder with a document, a link to it, and a start-up folder."""
    folder = tmp_path / "someone"
    (folder / "papers").mkdir(parents=True)
    (folder / ".config" / "autostart").mkdir(parents=True)
    (folder / "papers" / "a.txt").write_text("words\n")
    (folder / "papers" / "other.txt").write_text("words\n")
    (folder / "papers" / "up").symlink_to(folder)
    return folder


@pytest.fixture
def watch(shared_display: Desk) -> Iterator[Watch]:
    watch = Watch(shared_display)
    yield watch
    watch.place.hands.close()


def judged(watch: Watch, *operations: ops.Op) -> Ruling:
    """The strictest ruling on a batch, by a look taken now."""
    rulings = list(watch.gate.plan(operations, watch.look()))
    return max(rulings, key=lambda each: ("allow", "ask", "refuse").index(each.verdict.kind))


def target(watch: Watch, *operations: ops.Op) -> FileTarget:
    """The file that the last of them reaches."""
    *_, last = watch.gate.plan(operations, watch.look())
    assert last.place.file is not None
    return last.place.file


def named(watch: Watch, name: str) -> None:
    """Write this name into the field of the dialog, and wait until the dialog tells so."""
    assert watch.place.do(ALL, ops.Type(name)) == ["done", "done"]
    until(
        lambda: any("editable" in e.states and e.value.startswith(name) for e in watch.look().elements),
        f"the name {name!r}",
    )


def at_level(watch: Watch, level: Level, rules: Rules | None = None) -> None:
    watch.gate = Gatekeeper(watch.gate.places, level, rules or Rules())


@pytest.fixture
def mousepad(watch: Watch, home: Path) -> Watch:
    """Mousepad with a document of that home, about to be saved under another name."""
    file = home / "papers" / "a.txt"
    watch.desk.launch("env", f"HOME={home}", "mousepad", str(file), title="a.txt")
    watch.place.do(ops.KeyCombo(("ctrl", "shift", "s")))
    watch.desk.wait_for_window("Save As")
    watch.element("text", "Name")
    return watch


def test_the_name_field_and_the_folder_of_a_gtk_dialog_give_the_real_path(
    mousepad: Watch, home: Path
) -> None:
    papers = home / "papers"
    for name, path, why in (
        ("../.bashrc", home / ".bashrc", "profile"),
        ("up/.profile", home / ".profile", "profile"),
        (f"{home}/.config/autostart/x.desktop", home / ".config/autostart/x.desktop", "session starts"),
        ("~/.ssh/authorized_keys", home / ".ssh/authorized_keys", "keys"),
        ("new.txt", papers / "new.txt", ""),
    ):
        named(mousepad, name)
        for level in ("restricted", "full"):
            at_level(mousepad, level)
            save = ops.ClickElement(mousepad.element("push button", "Save")[0].id)
            for op in (ENTER, ops.Type("\n"), ops.KeyCombo(("alt", "s")), save):
                ruling = judged(mousepad, op)
                assert ruling.place.file is not None, (name, op)
                assert ruling.place.file.path == str(path) and not (why and ruling.lasting), (name, op)
                assert why in ruling.place.file.why
                assert (ruling.verdict.kind == "ask") == bool(why), (name, op, ruling.verdict)
                if why:
                    assert (
                        str(path) in ruling.verdict.reason and ruling.place.file.why in ruling.verdict.reason
                    )
    assert (
        judged(mousepad, ops.ClickElement(mousepad.element("push button", "Cancel")[0].id)).place.file is None
    )


def test_a_name_typed_in_the_same_batch_is_judged_with_what_it_may_become(
    mousepad: Watch, home: Path
) -> None:
    (home / "papers" / "report.txt").write_text("")
    assert target(mousepad, ALL, ops.Type("../.bashrc"), ENTER).why
    assert target(mousepad, ops.Type("../.bashrc\n")).why
    assert target(mousepad, ALL, ops.Type("rep"), ENTER).overwrites  # the dialog may complete it
    assert target(mousepad, ops.KeyCombo(("backspace",)), ENTER).unknown
    assert judged(mousepad, ALL, ops.Type("new.txt"), ENTER).verdict.kind == "allow"
    (segment,) = segments([ALL, ops.Type("../.bashrc"), ENTER])
    refused = mousepad.gate.refusal(segment, mousepad.look())
    assert refused  # at the name already, before Enter


def test_a_file_that_this_run_did_not_make_is_replaced_only_when_the_user_named_it(
    mousepad: Watch, home: Path
) -> None:
    named(mousepad, "other.txt")
    ruling = judged(mousepad, ENTER)
    assert ruling.verdict.kind == "ask" and ruling.verdict.sink == "overwriting"
    mousepad.gate.provenance.hear(["Save it as other.txt, please"])
    assert judged(mousepad, ENTER).verdict.kind == "allow"
    named(mousepad, "fresh.txt")
    (segment,) = segments([ENTER])
    assert mousepad.gate.refusal(segment, mousepad.look()) == []
    mousepad.gate.sent([OpResult("", index, "done") for index in range(len(segment))])
    (home / "papers" / "fresh.txt").write_text("made by this run")
    assert judged(mousepad, ENTER).verdict.kind == "allow"


def test_a_yes_to_one_file_is_none_to_another_and_no_rule_gives_it(mousepad: Watch) -> None:
    at_level(mousepad, "restricted", Rules(allow=(Rule(application="*"),)))
    named(mousepad, "../.bashrc")
    (segment,) = segments([ENTER])
    ruling = judged(mousepad, ENTER)
    assert ruling.verdict.kind == "ask" and not ruling.lasting
    mousepad.gate.begin([ruling], "always")
    assert mousepad.gate.refusal(segment, mousepad.look()) == []
    named(mousepad, "../.profile")
    assert mousepad.gate.refusal(segment, mousepad.look())


def test_our_own_settings_are_refused_at_every_level(mousepad: Watch, tmp_path: Path) -> None:
    own = tmp_path / "mine.toml"
    files = mousepad.gate.places.files
    files.protected = files.protected.of_this_user([own])
    named(mousepad, str(own))
    for level in ("restricted", "full"):
        at_level(mousepad, level, Rules(allow=(Rule(application="*"),)))
        ruling = judged(mousepad, ENTER)
        assert ruling.verdict.kind == "refuse" and str(own) in ruling.verdict.reason


def test_an_opened_file_is_saved_where_the_window_says(watch: Watch, home: Path) -> None:
    profile = home / ".profile"
    profile.write_text("")
    watch.desk.launch("env", f"HOME={home}", "mousepad", str(profile), title="profile")
    save = ops.KeyCombo(("ctrl", "s"))
    ruling = judged(watch, save)
    assert ruling.verdict.kind == "ask" and str(profile) in ruling.verdict.reason
    assert judged(watch, ops.Type("hello")).place.file is None


def test_a_document_that_was_in_front_is_saved_and_another_is_asked_about(watch: Watch, home: Path) -> None:
    file = home / "papers" / "a.txt"
    watch.desk.launch("env", f"HOME={home}", "mousepad", str(file), title="a.txt")
    save = ops.KeyCombo(("ctrl", "s"))
    ruling = judged(watch, save)
    assert ruling.verdict.kind == "ask" and str(file) in ruling.verdict.reason
    watch.gate.places.files.in_front = next(iter(watch.desk.target.windows())).title
    assert judged(watch, save).verdict.kind == "allow"


def test_printing_to_a_file_writes_the_file_on_the_button(watch: Watch, home: Path) -> None:
    file = home / "papers" / "a.txt"
    watch.desk.launch("env", f"HOME={home}", "mousepad", str(file), title="a.txt")
    watch.place.do(ops.KeyCombo(("ctrl", "p")))
    watch.desk.wait_for_window("^Print$")
    watch.go_to("table cell", "Print to File")
    button, _ = watch.element("push button", "output.pdf")
    print_ = ops.ClickElement(watch.element("push button", "Print")[0].id)
    assert PurePath(target(watch, print_).path).name == "output.pdf"
    watch.place.do(ops.Click(button.bounds.center.x, button.bounds.center.y))
    watch.desk.wait_for_window("Select a filename")
    watch.element("text", "Name")
    named(watch, f"{home}/.config/autostart/x.desktop")
    assert judged(watch, ENTER).verdict.kind == "ask"
    watch.place.do(ENTER)
    watch.element("push button", "x.desktop")
    print_ = ops.ClickElement(watch.element("push button", "Print")[0].id)
    for level in ("restricted", "full"):
        at_level(watch, level)
        ruling = judged(watch, print_)
        assert ruling.verdict.kind == "ask" and "does not tell its whole folder" in ruling.verdict.reason
    assert judged(watch, ops.ClickElement(watch.element("push button", "Cancel")[0].id)).place.file is None


def test_a_qt_dialog_tells_its_folder(watch: Watch, home: Path, tmp_path: Path) -> None:
    qt = tmp_path / "qt.py"
    qt.write_text(QT)
    watch.desk.launch(
        "env", f"HOME={home}", sys.executable, str(qt), str(home / "papers" / "new.txt"), title="Save As"
    )
    watch.element("text", "File name")
    assert target(watch, ENTER).path == str(home / "papers" / "new.txt")
    at_level(watch, "full")
    assert judged(watch, ENTER).verdict.kind == "allow"
    named(watch, "../.bashrc")
    assert target(watch, ENTER).path == str(home / ".bashrc")
    assert judged(watch, ops.ClickElement(watch.element("push button", "Save")[0].id)).verdict.kind == "ask"


def test_a_tk_dialog_tells_nothing_and_is_asked_about(watch: Watch, home: Path, tmp_path: Path) -> None:
    pytest.importorskip("tkinter")
    tk = tmp_path / "tk.py"
    tk.write_text(TK)
    watch.desk.launch("env", f"HOME={home}", sys.executable, str(tk), str(home / "papers"), title="Save As")
    for level in ("restricted", "full"):
        at_level(watch, level)
        for op in (ENTER, ops.Click(640, 400)):
            ruling = judged(watch, op)
            assert ruling.verdict.kind == "ask" and "cannot be told" in ruling.verdict.reason, op
        assert judged(watch, ops.Type("new")).place.file is None


def test_a_dialog_of_the_browser_that_tells_nothing_is_asked_about(watch: Watch, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<title>Page</title><input type=file autofocus>")
    watch.desk.launch("chromium", "--window-size=900,700", f"file://{page}", title="Page")
    watch.element("push button", "file")
    at_level(watch, "full")
    assert judged(watch, ENTER).place.file is None
    watch.place.do(ops.KeyCombo(("ctrl", "s")))
    watch.desk.wait_for_window("Save")
    for op in (ENTER, ops.Click(600, 400)):
        ruling = judged(watch, op)
        assert ruling.verdict.kind == "ask" and ruling.verdict.sink == "protected file", op


def row(watch: Watch, name: str) -> Element:
    """The row of a file once the folder is read and two looks find it at the same place: others may move it."""
    before: Element | None = None

    def at_rest() -> Element | None:
        nonlocal before
        seen = watch.look().elements
        read = any(each.role == "status bar" and "item" in each.name for each in seen)
        last, before = before, next((e for e in seen if e.role == "table cell" and name in e.name), None)
        return before if read and last and before and last.bounds == before.bounds else None

    return until(at_rest, f"the row of {name}")


def select(watch: Watch, name: str) -> None:
    """Click the row of a file."""
    middle = row(watch, name).bounds.center
    watch.place.do(ops.Click(middle.x, middle.y))
    until(lambda: "selected" in watch.element("table cell", name)[0].states, "the file selected")


def begin_renaming(watch: Watch) -> None:
    """Press F2 until there is a dialog: the program enables its menu some time after it shows the selection."""

    def dialog() -> bool:
        watch.place.do(ops.KeyCombo(("f2",)))
        with suppress(Late):
            watch.desk.wait_for_window("Rename", seconds=2)
            return True
        return False

    until(dialog, "the dialog")


def test_a_file_manager_renames_pastes_and_deletes_where_its_window_says(watch: Watch, home: Path) -> None:
    watch.desk.launch("env", f"HOME={home}", "pcmanfm", str(home / "papers"), title="papers")
    select(watch, "a.txt")
    at_level(watch, "full")
    paste = ops.KeyCombo(("ctrl", "v"))
    assert judged(watch, paste).verdict.kind == "allow"
    begin_renaming(watch)
    named(watch, "x.desktop")
    ruling = judged(watch, ENTER)
    assert ruling.verdict.kind == "ask" and str(home / "papers" / "x.desktop") in ruling.verdict.reason
    named(watch, "x.txt")
    assert judged(watch, ENTER).verdict.kind == "allow"


def test_files_pasted_into_a_start_up_folder_are_asked_about(watch: Watch, home: Path) -> None:
    (home / ".config" / "autostart" / "there.desktop").write_text("")
    watch.desk.launch(
        "env", f"HOME={home}", "pcmanfm", str(home / ".config" / "autostart"), title="autostart"
    )
    row(watch, "there")
    at_level(watch, "full")
    assert judged(watch, ops.KeyCombo(("ctrl", "v"))).verdict.kind == "ask"
    select(watch, "there")
    ruling = judged(watch, ops.KeyCombo(("delete",)))
    assert ruling.verdict.kind == "ask" and re.search(
        r"removes or renames .*autostart", ruling.verdict.reason
    )


def test_opening_a_protected_file_is_asked_about_with_its_real_path(watch: Watch, home: Path) -> None:
    del home
    at_level(watch, "full")
    watch.gate.places.files.workspace = ""
    ruling = judged(watch, ops.Open("~/.bashrc"))
    assert ruling.verdict.kind == "ask" and str(Path.home() / ".bashrc") in ruling.verdict.reason
    assert judged(watch, ops.Open("mousepad")).place.file is None


def test_files_of_the_workspace_are_judged_by_their_real_path(watch: Watch, home: Path) -> None:
    watch.gate.places.files.workspace = str(home)
    watch.gate.places.files.protected = watch.gate.places.files.protected.with_home(str(home))
    at_level(watch, "full")
    assert judged(watch, ops.WriteFile("papers/up/.bashrc", "x")).verdict.kind == "ask"
    assert judged(watch, ops.EditFile("papers/a.txt", "words", "more")).verdict.kind == "allow"
    assert judged(watch, ops.WriteFile("papers/a.txt", "x")).verdict.sink == "overwriting"
    assert judged(watch, ops.WriteFile("papers/new.txt", "x")).verdict.kind == "allow"


def file_place(folder: Path, name: str) -> Place:
    """A file in a window of a file manager."""
    shown = Chooser("manager", 0, folder=str(folder), selected=(name,))
    return Place(
        known=True, pid=1, application="Pcmanfm", program="pcmanfm", role="icon", name=name, chooser=shown
    )


PAGE = Place(
    known=True,
    pid=2,
    application="Chromium",
    program="chromium",
    role="section",
    in_page=True,
    origin="https://a.example",
)


def test_a_file_dropped_on_or_pasted_into_a_page_is_asked_about_unless_it_was_named(home: Path) -> None:
    files = FileTargets()
    lifted = file_place(home / "papers", "a.txt")
    drop = ops.MouseUp("left")
    copy, paste = ops.KeyCombo(("ctrl", "c")), ops.KeyCombo(("ctrl", "v"))
    files.passed(copy, lifted)
    for dropped in (files.target_of(drop, PAGE, lifted=lifted), files.target_of(paste, PAGE)):
        assert dropped is not None and (dropped.action, dropped.named) == ("leave", False)
        verdict = judge(drop, msgspec.structs.replace(PAGE, file=dropped), "full", "model", Rules())
        assert (verdict.kind, verdict.sink) == ("ask", "file leaves")
        assert str(home / "papers" / "a.txt") in verdict.reason and "a.example" in verdict.reason
    files.said = lambda text: text == "a.txt"
    named = files.target_of(drop, PAGE, lifted=lifted)
    assert named is not None and named.named
    assert judge(drop, msgspec.structs.replace(PAGE, file=named), "full", "model", Rules()).kind == "allow"
    files.passed(copy, PAGE)  # something else was copied since
    assert files.target_of(paste, PAGE) is None


def test_a_drag_in_steps_is_known_by_where_the_button_went_down(watch: Watch, home: Path) -> None:
    watch.desk.launch("env", f"HOME={home}", "pcmanfm", str(home / "papers"), title="papers")
    start = row(watch, "a.txt").bounds.center
    steps: list[ops.Op] = [
        ops.MouseDown("left", start.x, start.y),
        ops.Move(start.x + 40, start.y + 40),
        ops.MouseUp("left", 5, 5),
    ]
    dry_run = DryRun(watch.gate.places, watch.gate.provenance, watch.look(), now=False, stale=False)
    for op in steps:
        assert list(dry_run.steps(op))
    assert dry_run._lifted is not None and dry_run._lifted.name == "a.txt"


def test_records_of_files_say_what_matters_most() -> None:
    plain = FileTarget("write", "/a")
    order = (
        plain,
        msgspec.structs.replace(plain, overwrites=True),
        msgspec.structs.replace(plain, unknown="no folder"),
        msgspec.structs.replace(plain, why="a profile"),
        msgspec.structs.replace(plain, why="mine", own=True),
    )
    assert [each.concern for each in order] == sorted({each.concern for each in order})
