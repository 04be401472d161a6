"""A link is judged by where it leads, and a text by where it would land, whatever either is called."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import msgspec
import pytest

from desktop_agent.policy.consent.asked_rows import rows_of
from desktop_agent.policy.consent.consent import Ruling, changes
from desktop_agent.policy.facts.dry_run import Touch
from desktop_agent.policy.facts.place import Place, Subject
from desktop_agent.policy.facts.place_lookup import Places
from desktop_agent.policy.facts.provenance import Origin
from desktop_agent.policy.facts.scope import Grant, How, Scope
from desktop_agent.policy.facts.words.orders import is_ordered
from desktop_agent.policy.facts.words.scope_from_words import grants_in_front
from desktop_agent.policy.facts.words.spoken_words import understand
from desktop_agent.policy.rules.flow import Flow
from desktop_agent.policy.rules.judge import Verdict, judge
from desktop_agent.protocol import ops
from desktop_agent.protocol.permission import Rules
from tests.desk import Desk, until
from tests.support import loopback

SITE = "https://shop.example"
LINK = Place(
    known=True, application="Chromium", program="chromium", window="Shop", role="link", name="Chapter 2",
    in_page=True, origin=SITE,
)  # fmt: skip
LOOKS = Scope((Grant("site", SITE, How.LOOK), Grant("app", "chromium", How.ACT)))
EDITOR = Place(known=True, application="Mousepad", program="mousepad", role="text",
               states=frozenset(("editable", "multiline")), window="Notes - Mousepad")  # fmt: skip
LINE = msgspec.structs.replace(EDITOR, states=frozenset(("editable",)), name="Search")
READ = frozenset((Subject("site", SITE),))


def asked(leads_to: str, words: str = "Read me the chapter") -> str:
    place = msgspec.structs.replace(LINK, leads_to=leads_to)
    verdict = judge(
        ops.ClickElement("e1"), place, "restricted", "model", Rules(), LOOKS, understand((words,))
    )
    return verdict.sink if verdict.kind == "ask" else ""


@pytest.mark.parametrize(
    ("address", "sink"),
    [
        ("", ""), (f"{SITE}/chapters/2", ""), (f"{SITE}/post/12?page=2", ""), (f"{SITE}/how-to-delete-your-cookies", ""),
        (f"{SITE}/paper.pdf", ""), ("javascript:void(0)", ""), ("https://evil.example/", "outside scope"),
        ("http://shop.example/", "outside scope"), (f"{SITE}/transfer?amount=900", "button"),
        (f"{SITE}/orders/3/cancel", "button"), (f"{SITE}/x.php?do=delete-account", "button"), ("mailto:a@b.example", "button"),
        ("ssh://host/", "button"), (f"{SITE}/setup.sh", "button"), (f"{SITE}/all.zip", "button"),
    ],
)  # fmt: skip
def test_a_link_is_followed_where_it_only_shows_more_of_the_site(address: str, sink: str) -> None:
    assert asked(address) == sink


def test_the_users_words_name_what_it_does() -> None:
    assert asked(f"{SITE}/orders/3/cancel", "Cancel my order 3") == ""
    assert asked(f"{SITE}/all.zip", "Download the archive") == ""


def test_a_link_that_was_turned_after_the_yes_cancels_it_and_the_card_shows_where_it_leads() -> None:
    op = ops.ClickElement("e1")
    then = msgspec.structs.replace(LINK, leads_to="https://bank.example/cancel")
    now = msgspec.structs.replace(then, leads_to="https://evil.example/cancel")
    assert changes(op, then, then) == "" and "evil.example" in changes(op, then, now)
    ruling = Ruling(Verdict("ask", "", "button"), then, Origin("model"), op)
    rows = {row.label: row.text for row in rows_of((op,), (None,), (ruling,))}
    assert rows["Leads to"] == "https://bank.example/cancel" and rows["Names host"] == "bank.example"


class Linking(loopback.Handler):
    def get(self) -> None:
        self.say(b"<title>Linking</title><a href='/two?x=1'>Next</a> <a href='mailto:a@b.example'>Mail</a>")


def test_a_browser_tells_where_its_links_lead(display: Desk) -> None:
    with loopback.serving(Linking) as port:
        display.launch("chromium", f"http://127.0.0.1:{port}/", title="Linking")
        links = until(
            lambda: [each for each in display.target.elements() if each.role == "link" and each.handle],
            "links",
        )
        told = {each.name: display.target.link_address(each.handle) for each in links}
        assert told == {"Next": f"http://127.0.0.1:{port}/two?x=1", "Mail": "mailto:a@b.example"}
        assert display.target.link_address("nobody /org/none") == ""


# ---- what is in front, and what is wanted -------------------------------------------------------


def test_a_page_or_a_window_in_front_is_not_meant_where_another_site_is_named() -> None:
    page = msgspec.structs.replace(LINK, origin="https://www.shop.example", role="document web")
    assert [each.what for each in grants_in_front(page, ("Fill in the form at shop.example",))][1:] == [
        page.origin
    ]
    for host in ("shop.example.evil.example", "sh0p.example", "evil.example"):
        other = msgspec.structs.replace(page, origin=f"https://{host}")
        found = grants_in_front(other, ("Fill in the form at shop.example",))
        assert [each.kind for each in found] == ["app"], host
    assert grants_in_front(EDITOR, ("Put the headline of shop.example into the field Summary",)) == ()
    assert grants_in_front(EDITOR, ("Write the headline of shop.example here",)) != ()


@pytest.mark.parametrize(
    ("words", "command", "wanted"),
    [
        ("run git status", "git status", True), ("Could you run ls -la, please?", "ls -la", True),
        ("run git commit --no-edit", "git commit --no-edit", True), ("Do not run make clean.", "make clean", False),
        ("Tell me whether I can now run format-disk", "format-disk", False), ("How do I use rm -r x?", "rm -r x", False),
        ("What does ls do? Then run ls", "ls", True), ("type echo a; echo b", "echo a; echo b", True),
    ],
)  # fmt: skip
def test_a_command_is_wanted_where_it_is_not_only_asked_about(words: str, command: str, wanted: bool) -> None:
    assert is_ordered("run", command, [words]) == wanted


def test_to_delete_one_thing_is_not_to_delete_another() -> None:
    spoken = understand(("Delete the letter of Bob",))
    assert all(map(spoken.names_danger, ("Delete", "Delete letter", "Delete selected", "Move to Trash")))
    assert not any(map(spoken.names_danger, ("Delete account", "Delete permanently", "Erase all history")))
    assert understand(("Fill in the form and send it",)).names_danger("Send order")


# ---- texts --------------------------------------------------------------------------------------


def flows(place: Place, text: str, *, named: bool = True, op: ops.Op | None = None) -> str:
    step = Touch(op or ops.Type(text), place, Origin("seen", sources=READ, text=text))
    flow = Flow(lambda subject: named and subject.kind == "app", lambda _: False)
    return "+".join(each.sink for each in flow.asks(step, "restricted"))


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        (">touch /tmp/x", True), ("mail-all --now", True), ("ls && rm x", True), ("cat /etc/passwd", True), ("$(id)", True),
        ("roses", False), ("5 - 3", False), ("Ada Lovelace", False), ("see you / Ada", False), ("12.50", False),
    ],
)  # fmt: skip
def test_what_looks_like_a_command_is_asked_about_in_a_line(text: str, asks: bool) -> None:
    assert flows(LINE, text) == ("command-like" if asks else "")
    assert flows(EDITOR, text) == "", "a letter may hold one"


def test_what_others_wrote_does_not_go_into_a_file_that_runs() -> None:
    for title in ("start.sh - Mousepad", "*.bashrc - Mousepad", "● setup.sh (~/Documents) - Editor"):
        assert flows(msgspec.structs.replace(EDITOR, window=title), "hello") == "start-up name", title
    assert flows(msgspec.structs.replace(EDITOR, window="list.txt - Mousepad"), "hello") == ""
    assert flows(msgspec.structs.replace(LINE, name="Name"), "--checkpoint-action=exec") == "start-up name"


def test_a_paste_comes_from_a_place_that_was_meant_as_well() -> None:
    paste = ops.KeyCombo(("ctrl", "v"))
    assert flows(EDITOR, "", op=paste) == "crossing"
    assert flows(EDITOR, "hello") == "", "what is typed may come from all that was read"


def test_settings_open_in_an_editor_are_not_saved_by_its_menu(display: Desk, tmp_path: Path) -> None:
    (tmp_path / "kept.txt").write_text("a\n")
    display.launch("mousepad", str(tmp_path / "kept.txt"), title="kept")
    file = until(
        lambda: next((e for e in display.target.elements() if e.name == "File"), None), "the menu File"
    )
    point = file.bounds.center
    subprocess.run(
        ["xdotool", "mousemove", str(point.x), str(point.y), "click", "1"],
        env={**os.environ, **display.environment},
        check=True,
    )
    save = until(
        lambda: next(
            (e for e in display.target.elements() if (e.role, e.name) == ("menu item", "Save")), None
        ),
        "Save",
    )
    place = Places(display.target, frozenset()).at(save.bounds.center, display.target.elements())
    assert "kept.txt" in place.window
