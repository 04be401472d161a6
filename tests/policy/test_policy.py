"""Every row of the policy's table, and that nothing strange is ever let through."""

from __future__ import annotations

import string
from typing import get_args

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_agent.policy.facts.place import Place
from desktop_agent.policy.rules.judge import judge
from desktop_agent.protocol import ops
from desktop_agent.protocol.ops import Op
from desktop_agent.protocol.permission import Level, Rule, Rules, Source

NONE = Rules()
EDITOR = Place(known=True, pid=9, application="Mousepad", program="mousepad", window="Notes", role="text",
               states=frozenset(("focused", "editable", "multiline")))  # fmt: skip
PAGE = Place(known=True, pid=9, application="Chromium", program="chromium", window="A page", in_page=True)
TERMINAL = Place(known=True, pid=9, application="XTerm", program="xterm", window="~")
FILES = Place(
    known=True, pid=9, application="Pcmanfm", program="pcmanfm", window="Home", role="icon", name="photo.png"
)
MENU = Place(known=True, pid=9, program="openbox")
CLICK, ENTER, SPACE = ops.Click(5, 5), ops.KeyCombo(("enter",)), ops.KeyCombo(("space",))
TYPE = ops.Type("hello")


def on(place: Place, **more: object) -> Place:
    return msgspec.structs.replace(place, **more)


def button(name: str, place: Place = PAGE, **more: object) -> Place:
    return on(place, role="push button", name=name, **more)


ENTRY = on(PAGE, role="entry", name="Name", states=frozenset(("editable", "focused")))
BAR = on(PAGE, role="entry", name="Address and search bar", in_page=False, states=frozenset(("editable",)))
PASSWORD = on(PAGE, role="password text", name="Password", states=frozenset(("password", "editable")))
YES = button("Yes", EDITOR, dialog=("Delete", "Do you want to delete 3 files?"))

# operation, place, source of the text, what `restricted` says, the sink
ROWS: list[tuple[Op, Place, Source, str, str]] = [
    (CLICK, on(EDITOR, own=True), "user", "refuse", "own window"),
    (TYPE, on(EDITOR, foreign=True), "user", "refuse", "other user"),
    (TYPE, on(EDITOR, program="polkit-gnome-authentication-agent-1"), "user", "refuse", "authentication"),
    (CLICK, on(EDITOR, application="Pinentry-gtk-2"), "user", "refuse", "authentication"),
    (CLICK, on(EDITOR, application="Gksu"), "user", "refuse", "authentication"),
    (TYPE, on(EDITOR, window="Authentication Required"), "user", "refuse", "authentication"),
    (ENTER, on(EDITOR, application="i3lock"), "user", "refuse", "lock screen"),
    (ops.Approve(), EDITOR, "user", "refuse", "unknown operation"),
    (TYPE, EDITOR, "seen", "allow", ""),
    (TYPE, Place(), "user", "ask", "unknown place"),
    (CLICK, Place(), "model", "ask", "unknown place"),
    (TYPE, Place(known=True, desktop=True), "user", "ask", "unknown place"),
    (TYPE, PAGE, "user", "ask", "unknown place"),
    (TYPE, TERMINAL, "user", "allow", ""),
    (ENTER, TERMINAL, "model", "ask", "execution"),
    (ops.Click(5, 5, "middle"), TERMINAL, "seen", "ask", "execution"),
    (ops.KeyCombo(("ctrl", "v")), on(EDITOR, role="terminal"), "seen", "ask", "execution"),
    (ops.Open("terminal"), Place(known=True), "user", "allow", ""),
    (ops.Open("system tool"), Place(known=True, program="terminal"), "model", "ask", "terminal"),
    (ops.KeyCombo(("ctrl", "alt", "t")), EDITOR, "model", "ask", "terminal"),
    (ops.KeyCombo(("Control_L", "option", "T")), EDITOR, "model", "ask", "terminal"),
    (ops.KeyCombo(("win", "r")), EDITOR, "model", "ask", "run dialog+system keys"),
    (ops.KeyCombo(("alt", "f2")), EDITOR, "model", "ask", "run dialog"),
    (TYPE, on(EDITOR, application="Gmrun"), "user", "allow", ""),
    (TYPE, on(EDITOR, application="Gmrun"), "model", "ask", "execution"),
    (TYPE, on(EDITOR, window="Run…"), "seen", "ask", "execution"),
    (ops.KeyCombo(("super",)), EDITOR, "model", "ask", "system keys"),
    (ops.KeyDown("win"), EDITOR, "model", "ask", "system keys"),
    (ops.KeyCombo(("win", "l")), EDITOR, "model", "ask", "system keys"),
    (ops.KeyCombo(("ctrl", "alt", "delete")), EDITOR, "model", "ask", "system keys"),
    (ops.KeyCombo(("ctrl", "alt", "f3")), EDITOR, "model", "ask", "system keys"),
    (ops.KeyCombo(("alt", "f4")), EDITOR, "model", "allow", ""),
    (ops.KeyCombo(("ctrl", "s")), EDITOR, "model", "allow", ""),
    (ops.KeyCombo(("ctrl", "shift", "j")), ENTRY, "model", "ask", "developer tools"),
    (ops.KeyCombo(("f12",)), ENTRY, "model", "ask", "developer tools"),
    (TYPE, PASSWORD, "user", "ask", "password"),
    (ops.KeyCombo(("shift", "insert")), PASSWORD, "seen", "ask", "password"),
    (CLICK, PASSWORD, "model", "allow", ""),
    (TYPE, BAR, "user", "allow", ""),
    (TYPE, BAR, "model", "ask", "address bar"),
    (TYPE, BAR, "seen", "ask", "address bar"),
    (ENTER, BAR, "model", "ask", "address bar"),
    (ENTER, BAR, "user", "allow", ""),
    (CLICK, BAR, "model", "allow", ""),
    (TYPE, on(BAR, name="Find"), "seen", "allow", ""),
    (TYPE, ENTRY, "seen", "allow", ""),
    (ops.Open("https://a.example"), Place(known=True), "user", "allow", ""),
    (ops.Open("https://a.example"), Place(known=True), "model", "ask", "open"),
    (ops.Open("/etc/passwd"), Place(known=True), "model", "ask", "open"),
    (ops.Open("/home/ada/Reports"), Place(known=True, program="folder/"), "seen", "allow", ""),
    (ops.Open("terminal"), Place(known=True, program="folder"), "seen", "ask", "terminal"),
    (ops.Open("notes.txt"), Place(known=True), "seen", "ask", "open"),
    (ops.Open("javascript:alert(1)"), Place(known=True), "model", "ask", "open"),
    (ops.Open("calculator"), Place(known=True), "model", "allow", ""),
    (ops.Open("calculator"), Place(known=True), "seen", "allow", ""),
    (CLICK, button("Cancel"), "model", "allow", ""),
    (ENTER, button("Send order"), "model", "ask", "button"),
    (SPACE, button("Send order"), "model", "ask", "button"),
    (ops.Type(" "), button("Pay"), "model", "ask", "button"),
    (ops.Type("\n"), button("Pay"), "model", "ask", "button"),
    (ops.KeyCombo(("kp_enter",)), button("Pay"), "model", "ask", "button"),
    (ENTER, on(ENTRY, buttons=("Cancel", "Place order")), "model", "ask", "button"),
    (ops.Type("Ada\n"), on(ENTRY, buttons=("Transfer money",)), "user", "ask", "button"),
    (ENTER, on(ENTRY, buttons=("Search",)), "model", "allow", ""),
    (ops.Type("one\n"), on(EDITOR, buttons=("Delete",)), "model", "allow", ""),
    (ops.KeyCombo(("ctrl", "enter")), on(EDITOR, states=frozenset(("multiline",))), "model", "ask", "button"),
    (CLICK, YES, "model", "ask", "button"),
    (CLICK, on(YES, dialog=("Save changes?",)), "model", "allow", ""),
    (CLICK, on(TERMINAL, application="Game", program="game", words=("Delete all",)), "model", "ask", "button"),
    (CLICK, on(TERMINAL, application="Game", program="game"), "model", "allow", ""),
    (ops.Drag((ops.Spot(1, 1), ops.Spot(2, 2))), button("Trash", FILES), "model", "ask", "button+file deletion"),
    (ops.Click(1, 1, count=2), on(FILES, name="setup.sh"), "model", "ask", "button"),
    (CLICK, on(FILES, name="setup.sh"), "model", "allow", ""),
    (CLICK, MENU, "model", "ask", "launcher"),
    (TYPE, MENU, "model", "ask", "execution"),
    (CLICK, on(MENU, words=("Web browser",)), "model", "allow", ""),
    (CLICK, on(MENU, words=("Terminal emulator",)), "model", "ask", "button"),
    (ops.KeyCombo(("delete",)), FILES, "model", "ask", "file deletion"),
    (ops.KeyCombo(("shift", "del")), Place(known=True, application="pcmanfm"), "model", "ask", "file deletion"),
    (ops.KeyCombo(("delete",)), on(FILES, role="entry", states=frozenset(("editable",))), "model", "allow", ""),
    (ops.KeyCombo(("delete",)), EDITOR, "model", "allow", ""),
    (ops.Type("a\nb"), ENTRY, "model", "ask", "after enter"),
    (ops.Type("a\nb"), EDITOR, "model", "allow", ""),
    (ops.Scroll(dy=-3), TERMINAL, "model", "allow", ""),
    (ops.Look(), Place(), "model", "allow", ""),
    (ops.KeyUp("super"), Place(), "model", "allow", ""),
]  # fmt: skip


@pytest.mark.parametrize(("op", "place", "source", "kind", "sink"), ROWS)
def test_restricted(op: Op, place: Place, source: Source, kind: str, sink: str) -> None:
    verdict = judge(op, place, "restricted", source, NONE)
    assert (verdict.kind, verdict.sink) == (kind, sink)
    assert bool(verdict.reason) == (kind != "allow")


@pytest.mark.parametrize(("op", "place", "source", "kind", "sink"), ROWS)
def test_simulation_only_looks(op: Op, place: Place, source: Source, kind: str, sink: str) -> None:
    looks = isinstance(op, ops.Look | ops.KeyUp)
    assert judge(op, place, "simulation_only", source, NONE).kind == ("allow" if looks else "refuse")
    simulated = judge(op, on(place, simulated=True), "simulation_only", source, NONE)
    assert simulated.kind == ("refuse" if kind == "refuse" else "allow")


@pytest.mark.parametrize(("op", "place", "source", "kind", "sink"), ROWS)
def test_full_asks_only_about_what_was_read(
    op: Op, place: Place, source: Source, kind: str, sink: str
) -> None:
    into = {"execution", "terminal", "run dialog", "address bar", "password", "unknown place", "open"} & set(
        sink.split("+")
    )
    seen = "ask" if into and kind == "ask" else kind if kind == "refuse" else "allow"
    opens = isinstance(op, ops.Open)  # also what the user named is asked about when only the screen names it
    assert judge(op, place, "full", "seen", NONE).kind == seen or source == "user" or opens
    assert judge(op, place, "full", "model", NONE).kind == ("refuse" if kind == "refuse" else "allow")


@pytest.mark.parametrize("level", ["restricted", "full"])
@pytest.mark.parametrize("source", get_args(Source))
def test_a_marked_secret_where_it_can_be_read_needs_a_yes(level: Level, source: Source) -> None:
    typing = ops.Type("my {{secret:1}}")
    assert judge(typing, ENTRY, level, source, NONE) == judge(typing, EDITOR, level, source, NONE)
    assert (judge(typing, ENTRY, level, source, NONE).sink) == "secret"
    assert judge(typing, PASSWORD, "full", "user", NONE).kind == "allow"
    rules = Rules(allow=(Rule(role="entry", name="Name"),))
    assert judge(typing, ENTRY, level, source, rules).kind == "allow"


NAMES = [
    "Send", "Buy now", "Pay €20", "Place order", "Delete", "Remove…", "Install", "Uninstall", "Allow", "Grant access",
    "I accept", "Authorize", "Submit", "Log out", "Jetzt kaufen", "Zahlungspflichtig bestellen", "Löschen", "Senden",
    "Supprimer", "Envoyer", "Acheter", "Autoriser", "Eliminar", "Pagar", "Enviar", "Elimina", "Paga ora", "Apagar",
    "Verwijderen", "Usuń", "Wyślij", "Zapłać", "Удалить", "Отправить", "Купить", "Видалити", "删除", "立即购买", "允许",
    "削除", "送信する", "支払いへ進む", "삭제", "보내기", "결제하기", "Sil", "Satın al", "Ta bort", "Smazat",
    "Dеlete", "Рay", "ＤＥＬＥＴＥ", "De\u200blete", "D e l e t e", "lnstall", "AIIow", "De1ete", "Subrnit", "𝐃𝐞𝐥𝐞𝐭𝐞", "Dęlętę",
    "Delete\u00ad", "→ Pay now ←", "[Delete]", "DELETE_ALL", "Send-order", "Ѕend", "dеIеtе",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_button_is_known_in_many_languages_and_disguises(name: str) -> None:
    assert judge(CLICK, button(name), "restricted", "model", NONE).kind == "ask"


@pytest.mark.parametrize(
    "name",
    ["Save", "Open", "Cancel", "Close", "Search", "New folder", "7", "=", "+", "Wrap as a gift", "Order by name", "Back",
     "Next page", "Speichern", "Abbrechen", "Fermer", "Guardar", "Сохранить", "保存", "キャンセル", "저장", "Sender", "Postcard",
     "Depay", "Format", "Select all", "Copy", "Bold", "Zoom in", "Reload", "Bookmark this tab", "Menu"],
)  # fmt: skip
def test_an_ordinary_button_is_just_clicked(name: str) -> None:
    assert judge(CLICK, button(name), "restricted", "model", NONE).kind == "allow"


def test_a_message_about_paying_is_no_button() -> None:
    row = on(
        EDITOR,
        role="table cell",
        name="Ada: please pay the bill I have sent you last week",
        states=frozenset(),
    )
    assert judge(CLICK, row, "restricted", "model", NONE).kind == "allow"


# ---- environments ----------------------------------------------------------------------------

BASH, FILE = Place(known=True, application="bash"), Place(known=True, name="notes/a.txt")
# operation, place, what `restricted` says, the sink; what `full` says when its text was only read somewhere
IN_ENVIRONMENTS: list[tuple[Op, Place, str, str, str]] = [
    (ops.Run("bash", "ls"), BASH, "ask", "command", "ask"),
    (ops.WriteFile("notes/a.txt", "b"), FILE, "ask", "file change", "ask"),
    (ops.EditFile("notes/a.txt", "b", "c"), FILE, "ask", "file change", "ask"),
    (ops.ReadFile("notes/a.txt"), FILE, "allow", "", "allow"),
]


@pytest.mark.parametrize(("op", "place", "kind", "sink", "seen"), IN_ENVIRONMENTS)
def test_files_and_commands(op: Op, place: Place, kind: str, sink: str, seen: str) -> None:
    for source in get_args(Source):
        verdict = judge(op, place, "restricted", source, NONE)
        assert (verdict.kind, verdict.sink, bool(verdict.reason)) == (kind, sink, kind == "ask")
        assert judge(op, place, "full", source, NONE).kind == (seen if source == "seen" else "allow")
        for simulated in (True, False):  # a simulated screen does not make a command one
            looks = judge(op, on(place, simulated=simulated), "simulation_only", source, NONE)
            assert looks.kind == ("allow" if isinstance(op, ops.ReadFile) else "refuse")
            assert isinstance(op, ops.ReadFile) or looks.reason


@pytest.mark.parametrize(("op", "place", "kind", "sink", "seen"), IN_ENVIRONMENTS)
def test_rules_are_for_files_and_commands_too(op: Op, place: Place, kind: str, sink: str, seen: str) -> None:
    deny = Rules(deny=(Rule(application="ba*"), Rule(name="notes/*")))
    assert {judge(op, place, level, "user", deny).kind for level in get_args(Level)} == {"refuse"}
    allow = Rules(allow=(Rule(application="ba*"), Rule(name="notes/*")))
    assert judge(op, place, "restricted", "model", allow).kind == "allow"
    assert judge(op, place, "restricted", "seen", allow).kind == seen
    assert judge(op, place, "restricted", "user", NONE).sink == sink


# ---- rules -----------------------------------------------------------------------------------


def test_an_allow_rule_makes_a_yes_unnecessary_but_lifts_no_refusal() -> None:
    rules = Rules(allow=(Rule(application="Chromium", name="Send *"), Rule(application="xterm")))
    assert judge(CLICK, button("Send order"), "restricted", "model", rules).kind == "allow"
    assert judge(CLICK, button("Delete"), "restricted", "model", rules).kind == "ask"
    assert judge(TYPE, TERMINAL, "restricted", "model", rules).kind == "allow"
    assert judge(TYPE, TERMINAL, "restricted", "seen", rules).kind == "ask", (
        "what was read is always asked about"
    )
    assert judge(TYPE, on(TERMINAL, own=True), "restricted", "user", rules).kind == "refuse"
    assert judge(TYPE, TERMINAL, "simulation_only", "user", rules).kind == "refuse"


@pytest.mark.parametrize("level", get_args(Level))
def test_a_deny_rule_wins_at_every_level(level: Level) -> None:
    rules = Rules(
        allow=(Rule(op="*"),), deny=(Rule(window="*Bank*", op="click*"), Rule(role="password text"))
    )
    assert judge(CLICK, button("Next", window="My bank – Chromium"), level, "user", rules).kind == "refuse"
    assert judge(TYPE, PASSWORD, level, "user", rules).kind == "refuse"
    if level != "simulation_only":
        assert judge(CLICK, button("Next"), level, "user", rules).kind == "allow"


def test_a_rule_that_says_nothing_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError, match="needs one of"):
        msgspec.convert({"allow": [{}]}, Rules)


# ---- anything at all -------------------------------------------------------------------------

TEXT = st.text(max_size=30) | st.sampled_from(
    ["", "Chromium", "xterm", "Delete", "push button", "entry", "run", "\n", "💥"]
)
PLACES = st.builds(
    Place, known=st.booleans(), desktop=st.booleans(), application=TEXT, program=TEXT, window=TEXT, role=TEXT, name=TEXT,
    value=TEXT, states=st.frozensets(st.sampled_from(["password", "editable", "multiline", "focused"])),
    words=st.lists(TEXT, max_size=3).map(tuple), in_page=st.booleans(), buttons=st.lists(TEXT, max_size=3).map(tuple),
    dialog=st.lists(TEXT, max_size=3).map(tuple), own=st.booleans(), foreign=st.booleans(),
)  # fmt: skip
KEYS = st.lists(
    TEXT | st.sampled_from([*string.ascii_letters, "enter", "ctrl", "super", "f2"]), min_size=1, max_size=5
)
OPS: st.SearchStrategy[Op] = st.one_of(
    st.builds(ops.Type, TEXT), st.builds(ops.Open, TEXT), st.builds(ops.KeyDown, TEXT),
    KEYS.map(lambda keys: ops.KeyCombo(tuple(keys))),
    st.sampled_from([cls() for cls in (ops.Click, ops.MouseDown, ops.MouseUp, ops.Scroll, ops.Approve, ops.Stop)]),
    st.sampled_from([ops.Run("a", "b"), ops.ClickElement("e1"), ops.FocusElement("e1"), ops.DragElement("e1", "e2")]),
)  # fmt: skip
SOURCES = st.sampled_from(get_args(Source))


@settings(deadline=None)
@given(OPS, PLACES, st.sampled_from(get_args(Level)), SOURCES)
def test_it_never_raises_and_always_says_why(op: Op, place: Place, level: Level, source: Source) -> None:
    verdict = judge(op, place, level, source, NONE)
    assert verdict.kind == "allow" or (verdict.reason and verdict.sink)
    if place.own and not isinstance(op, ops.Stop):
        assert verdict.kind == "refuse"


PRESS = st.sampled_from([ops.Click(), ops.MouseDown(), ops.MouseUp(), ops.ClickElement("e1"), ENTER, SPACE])


@settings(deadline=None)
@given(PRESS, PLACES, st.sampled_from(NAMES))
def test_a_sink_is_never_pressed_at_a_strange_place(op: Op, place: Place, name: str) -> None:
    strange = msgspec.structs.replace(place, role="push button", name=name, states=frozenset())
    assert judge(op, strange, "restricted", "model", NONE).kind != "allow"
    unknown = msgspec.structs.replace(strange, known=False, role="")
    assert judge(op, unknown, "restricted", "user", NONE).kind != "allow"


@settings(deadline=None)
@given(OPS, PLACES)
def test_no_key_goes_to_an_unknown_place(op: Op, place: Place) -> None:
    keys = isinstance(op, ops.Type | ops.KeyCombo | ops.KeyDown)
    if keys:
        assert (
            judge(op, msgspec.structs.replace(place, known=False), "restricted", "user", NONE).kind != "allow"
        )
