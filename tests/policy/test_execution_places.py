"""Where a text is carried out is known by kind, whatever it is called: at the table's rows, and in real windows."""

from __future__ import annotations

import os
import pty
import signal
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest

from desktop_agent.platforms.posix.pseudo_terminals import KEPT_SECONDS, TerminalHosts
from desktop_agent.policy.facts.execution_places import SURFACE, TERMINAL, WITH_SHELL, executes, runs_prepared
from desktop_agent.policy.facts.place import Place
from desktop_agent.policy.facts.place_lookup import Places
from desktop_agent.policy.rules.judge import judge
from desktop_agent.protocol import ops
from desktop_agent.protocol.geometry import Rect
from desktop_agent.protocol.ops import Op
from desktop_agent.protocol.permission import Rules
from desktop_agent.vision.observation import Element
from tests.desk import Desk, until
from tests.policy.test_permission_real import Watch, sink

EDITABLE = frozenset(("editable", "focused"))
LINES = EDITABLE | {"multiline"}
EDITOR = Place(
    known=True, pid=9, application="Mousepad", program="mousepad", window="Notes", role="text", states=LINES
)
PAGE = Place(
    known=True, pid=9, application="Chromium", program="chromium", window="A page", role="entry", states=EDITABLE, in_page=True
)  # fmt: skip
UNREAD = Place(known=True, pid=9, application="Tk", program="python3.11", window="Notes")
FIELD = "a field that carries out what it gets"


def on(place: Place, **more: object) -> Place:
    return msgspec.structs.replace(place, **more)


@pytest.mark.parametrize(
    ("place", "what"),
    [
        (EDITOR, ""), (PAGE, ""), (UNREAD, ""), (on(PAGE, name="Comment"), ""), (on(PAGE, name="Discount code"), ""),
        (on(PAGE, name="Postcode"), ""), (on(PAGE, value="$ 20.00", name="Price"), ""), (on(PAGE, name="# of guests"), ""),
        (on(EDITOR, window="terminal.txt - Mousepad"), ""), (on(EDITOR, value=": a list"), ""),
        (on(EDITOR, role="terminal"), TERMINAL), (on(UNREAD, application="XTerm"), TERMINAL),
        (on(UNREAD, hosts_shell=True), WITH_SHELL), (on(EDITOR, hosts_shell=True), WITH_SHELL),
        (on(EDITOR, hosts_shell=True, executing=("Terminal",)), ""),
        (on(UNREAD, hosts_shell=True, executing=("Terminal",)), WITH_SHELL),
        (on(UNREAD, executing=("Terminal",)), "a window with a terminal in it"),
        (on(UNREAD, window="IDLE Shell 3.11"), "a window that calls itself a shell"),
        (on(UNREAD, application="Gvim", program="vim.gtk3"), "an editor whose keys are commands"),
        (on(UNREAD, application="Vncviewer"), "a window onto another computer"),
        (on(UNREAD, application="Rofi"), "a dialog that starts programs"),
        (on(UNREAD, program="lxpanel"), "a menu that starts programs"),
        (on(PAGE, name="Terminal input"), FIELD), (on(PAGE, name="Console prompt"), FIELD), (on(PAGE, name="SQL"), FIELD),
        (on(PAGE, name="Befehl:"), FIELD), (on(PAGE, name="コマンドを入力"), FIELD), (on(PAGE, name="Cоmmand"), FIELD),
        (on(EDITOR, role="entry", states=EDITABLE, name="Execute command"), FIELD),
        (on(PAGE, markup="xterm-helper-textarea"), FIELD), (on(PAGE, markup="cm-content cm-lineWrapping"), FIELD),
        (on(PAGE, markup="ace_text-input"), FIELD), (on(PAGE, markup="form-control"), ""),
        (on(PAGE, role="section", name="Code cell", states=LINES), FIELD),
        (on(EDITOR, role="entry", states=EDITABLE, name="M-x"), "a command line"),
        (on(EDITOR, role="entry", states=EDITABLE, value=":!ls"), "a command line"),
        (on(PAGE, states=LINES, window="Untitled.ipynb - JupyterLab"), "a page that carries out code"),
        (on(PAGE, origin="devtools://devtools"), "the developer tools"),
        (on(PAGE, window="DevTools - shop.example/"), "the developer tools"),
        (on(PAGE, role="document web", states=frozenset(("focused",))), SURFACE),
        (on(PAGE, role="canvas", states=frozenset()), SURFACE), (on(PAGE, role="document web"), ""),
        (on(PAGE, role="password text", name="Console password", states=EDITABLE | {"password"}), ""),
    ],
)  # fmt: skip
def test_what_carries_out_a_text(place: Place, what: str) -> None:
    assert executes(place) == what


RUN = on(EDITOR, role="push button", name="Run", states=frozenset())
TYPE, ENTER, PASTE, CLICK = (
    ops.Type("hello"),
    ops.KeyCombo(("enter",)),
    ops.KeyCombo(("ctrl", "v")),
    ops.Click(5, 5),
)


@pytest.mark.parametrize(
    ("op", "place", "asks"),
    [
        (TYPE, UNREAD, False), (TYPE, on(UNREAD, hosts_shell=True), True), (ENTER, on(UNREAD, hosts_shell=True), True),
        (PASTE, on(PAGE, name="Terminal input"), True), (ops.MouseUp("left", 5, 5), on(PAGE, name="Shell"), True),
        (ops.Click(5, 5, "middle"), on(PAGE, name="Shell"), True), (CLICK, on(PAGE, name="Shell"), False),
        (ops.KeyCombo(("up",)), on(EDITOR, role="terminal"), True), (ops.KeyCombo(("up",)), on(PAGE, name="Shell"), False),
        (ops.KeyCombo(("ctrl", "m")), on(PAGE, name="Shell"), True), (CLICK, RUN, True), (ops.ClickElement("e1"), RUN, True),
        (ENTER, RUN, True), (CLICK, on(RUN, name="Execute in Terminal"), True), (CLICK, on(RUN, name="Runner"), False),
        (CLICK, on(RUN, role="", name="", words=("Execute",)), True), (TYPE, on(PAGE, role="document web", states=frozenset()), True),
        (ops.KeyCombo(("space",)), on(PAGE, role="document web", states=frozenset()), False),
        (ops.KeyCombo(("page_down",)), on(PAGE, role="document web", states=frozenset()), False),
    ],
)  # fmt: skip
def test_what_is_asked_about(op: Op, place: Place, asks: bool) -> None:
    for source in ("seen", "model"):
        assert ("execution" in judge(op, place, "restricted", source, Rules()).sink.split("+")) == asks
    assert judge(op, place, "full", "seen", Rules()).kind == ("ask" if asks else "allow")
    assert judge(op, place, "full", "model", Rules()).kind == "allow"
    assert "execution" not in judge(op, place, "restricted", "user", Rules()).sink


DIALOG = Place(
    known=True, application="Pcmanfm", program="pcmanfm", window="Execute File", role="push button", name="Cancel",
    buttons=("Execute in Terminal", "Execute", "Open", "Cancel"), dialog=("Execute File", "“a.sh” is a program."),
)  # fmt: skip


@pytest.mark.parametrize(
    ("place", "asks"),
    [
        (DIALOG, True), (on(DIALOG, role="", name=""), True), (on(DIALOG, buttons=("Open", "Cancel")), False),
        (on(DIALOG, dialog=()), False), (on(DIALOG, role="text", states=LINES), False),
        (on(DIALOG, role="entry", name="Arguments", states=EDITABLE), True),
    ],
)  # fmt: skip
def test_enter_in_a_dialog_that_carries_something_out(place: Place, asks: bool) -> None:
    assert ("execution" in judge(ENTER, place, "restricted", "model", Rules()).sink) == asks
    assert judge(ENTER, place, "full", "seen", Rules()).kind == ("ask" if asks else "allow")


def test_what_stands_ready_is_told_with_the_button_that_carries_it_out() -> None:
    from tests.support.memory_desk import MemoryTarget

    area = MemoryTarget().input.layout.bounds
    cell = Element("c", "text", "Code cell", Rect(0, 0, 90, 20), "rm -r ~", LINES, "Paper", pid=4_000_000)
    run = Element("r", "push button", "Run all", Rect(0, 50, 90, 20), window="Paper", pid=4_000_000)
    note = Element("n", "label", "deploy.sh is a program", Rect(0, 90, 90, 20), window="Paper", pid=4_000_000)
    places = Places(MemoryTarget(), frozenset())
    assert area.contains(run.bounds.center) and runs_prepared(places.of(run, (cell, run)))
    assert places.of(run, (cell, run)).prepared == "rm -r ~"
    assert "deploy.sh is a program" in places.of(run, (note, run)).prepared
    assert places.of(cell, (cell, run)).executing == () and places.of(run, (cell, run)).executing == (
        "Code cell",
    )


# ---- what runs a shell -------------------------------------------------------------------------


@pytest.fixture
def shell() -> Iterator[int]:
    """A process in a pseudo-terminal of ours; its id."""
    pid, master = pty.fork()
    if pid == 0:
        os.execvp("sleep", ["sleep", "600"])
    # Until it is another program, it holds the master, too.
    until(lambda: Path(f"/proc/{pid}/comm").read_text() == "sleep\n", "the shell's program")
    yield pid
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    os.close(master)


def nobody() -> tuple[int, ...]:
    return ()


def test_who_holds_a_terminal_runs_a_shell(shell: int) -> None:
    hosts = TerminalHosts()
    assert hosts.hosts(os.getpid(), nobody) and not hosts.hosts(shell, nobody)
    assert not hosts.hosts(0, nobody) and not hosts.hosts(2**22 + 5, nobody)
    parent = os.getppid()
    assert hosts.hosts(parent, nobody), "what a helper of it holds is its own"
    others = tuple(_children(parent))  # this process, and those that the tests are shared with
    assert not TerminalHosts().hosts(parent, lambda: others), "not what another program holds"


def _children(parent: int) -> Iterator[int]:
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if int((folder / "stat").read_text().rpartition(")")[2].split()[1]) == parent:
                yield int(folder.name)


def test_an_answer_is_kept_until_a_terminal_comes_or_goes() -> None:
    now, looked = [0.0], []

    def windows() -> tuple[int, ...]:
        looked.append(now[0])
        return ()

    hosts, child = TerminalHosts(lambda: now[0]), os.fork()
    if child == 0:
        signal.pause()
    try:
        assert not hosts.hosts(child, windows) and not hosts.hosts(child, windows) and len(looked) == 1
        now[0] += KEPT_SECONDS + 1
        assert not hosts.hosts(child, windows) and len(looked) == 2
        master, slave = pty.openpty()
        assert not hosts.hosts(child, windows) and len(looked) == 3
        os.close(master)
        os.close(slave)
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


SHELL_IN_A_WINDOW = """import os, pty
from PySide6.QtWidgets import QApplication, QPlainTextEdit
pid, master = pty.fork()
if pid == 0:
    os.execvp("sh", ["sh"])
class Box(QPlainTextEdit):
    def keyPressEvent(self, event):
        os.write(master, event.text().encode())
application = QApplication(["diary"])
box = Box()
box.setWindowTitle("Notes")
box.show()
application.exec()"""

CONSOLE_PAGE = """<!doctype html><title>Garden club</title><h1>Garden club</h1>
<p><label>Name <input id="name"></label></p>
<div class="terminal xterm"><textarea class="xterm-helper-textarea" aria-label="Terminal input" rows="2"></textarea></div>
<p><textarea class="cm-content" aria-label="Notes" rows="2"></textarea></p>"""


@pytest.fixture
def bare(display: Desk) -> Iterator[Watch]:
    watch = Watch(display)
    yield watch
    watch.place.hands.close()


def test_a_terminal_under_another_name(bare: Watch) -> None:
    bare.desk.launch("xterm", "-class", "Diary", "-name", "diary", "-T", "Notes", title="Notes")
    typed = bare.plan(ops.Type("ls\n"))
    assert sink(typed) == "ask execution" and typed.place.application == "Diary"
    found = until(lambda: bare.desk.target.focused_window(), "a window with the keyboard")
    assert found.hosts_shell
    disguised = msgspec.structs.replace(typed.place, program="diary")
    assert executes(disguised) == WITH_SHELL


def test_a_window_with_a_shell_in_it_and_the_program_that_started_it(bare: Watch, tmp_path: Path) -> None:
    program = tmp_path / "diary.py"
    program.write_text(SHELL_IN_A_WINDOW)
    bare.desk.launch(sys.executable, str(program), title="Notes")
    until(lambda: bare.plan(ops.Type("ls")).place.hosts_shell, "a shell in the window")
    assert "execution" in sink(bare.plan(ops.Type("ls")))
    bare.desk.launch("mousepad", title="Mousepad")
    until(lambda: bare.plan(ops.Type("x")).place.role == "text", "the editor's text")
    assert sink(bare.plan(ops.Type("x"))) != "ask execution"


def test_fields_of_a_page_that_carry_out_what_they_get(display: Desk, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(CONSOLE_PAGE)
    display.launch(
        "chromium", "--window-size=900,700", "--window-position=0,0", f"file://{page}", title="Garden club"
    )
    watch = Watch(display, "Open the garden club's page and type Ada into Name")
    try:
        for name, expected in (("Name", ""), ("Terminal input", FIELD), ("Notes", FIELD)):
            field, observation = watch.element("entry", name)
            ruling = watch.plan(ops.Type("ls -la", element=field.id), observation)
            assert executes(ruling.place) == expected
            assert ("execution" in ruling.verdict.sink) == bool(expected)
            said = sink(watch.plan(ops.Type("Ada", element=field.id), observation))
            assert (said == "allow") == (not expected), "the user's words order it for the field Name alone"
    finally:
        watch.place.hands.close()
