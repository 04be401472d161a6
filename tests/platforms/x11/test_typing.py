"""Text arrives exactly in Qt, GTK and Chromium, and the key map is restored."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer

from desktop_agent.platforms.base import Input
from desktop_agent.platforms.x11.connection import Display
from desktop_agent.protocol.errors import Refused, TargetError
from desktop_agent.protocol.input_events import ButtonDown, ButtonUp, KeyDown, KeyUp, Move, Text
from desktop_agent.targets import display as embedded
from tests.desk import Desk, until
from tests.platforms.x11.conftest import open_box

APPS = Path(__file__).parent.parent / "apps"
ASCII = "".join(map(chr, range(32, 127)))
MIXED = (
    "Grüße aus Köln: ¿qué tal? Ça va à l'œuvre — “naïve” ‘façade’ … €5 £3 ¥7\n"
    "Привет, мир! Ελληνικά; עברית العربية हिन्दी ไทย\t日本語テスト 中文字符 한국어\n"
    "e\u0301 n\u0303 a\u0308 ∑∫√≠≤≥ →←↑↓ ½⅓ ☃✓ 😀🎉👍🏽🚀 👩‍💻 🇩🇪 \U0001d54f \u00a0|\u2028| fin. ß"
)


def type_out(hand: Input, text: str) -> None:
    hand.prepare(text)
    for start in range(0, len(text), 32):
        hand.emit(Text(text[start : start + 32]))


def press(hand: Input, *keys: str) -> None:
    for key in keys:
        hand.emit(KeyDown(key))
    for key in reversed(keys):
        hand.emit(KeyUp(key))


def arrives(file: Path, text: str) -> None:
    """Fails showing both texts when the file does not come to hold the text."""
    try:
        until(lambda: file.read_text(encoding="utf-8") == text, "the whole text")
    except AssertionError:
        assert file.read_text(encoding="utf-8") == text


def key_map(desk: Desk) -> list[list[int]]:
    display = Display(desk.environment)
    try:
        reply = display.core.GetKeyboardMapping(8, 248).reply()
        width, flat = reply.keysyms_per_keycode, list(reply.keysyms)
    finally:
        display.close()
    return [flat[i : i + width] for i in range(0, len(flat), width)]


def test_ascii_arrives_exactly(hand: Input, box: Path, shared_display: Desk) -> None:
    type_out(hand, ASCII * 20)
    arrives(box, ASCII * 20)
    assert shared_display.held() == (set(), 0)


def test_unicode_arrives_exactly_and_again(hand: Input, box: Path, shared_display: Desk) -> None:
    assert len(MIXED) >= 189
    type_out(hand, MIXED)
    type_out(hand, MIXED[::-1])
    # A text box keeps a line separator as a line break.
    arrives(box, (MIXED + MIXED[::-1]).replace("\u2028", "\n").replace("\u00a0", " "))
    assert shared_display.held() == (set(), 0)


def test_more_characters_than_free_codes(hand: Input, box: Path) -> None:
    text = "".join(chr(0x4E00 + number) for number in range(200))
    type_out(hand, text)
    arrives(box, text)


def test_chunks_need_no_preparing(hand: Input, box: Path) -> None:
    for chunk in ("Жук ", "łódź ", "日本"):
        hand.emit(Text(chunk))
    arrives(box, "Жук łódź 日本")


def test_single_new_characters_do_not_use_up_the_free_codes(hand: Input, box: Path) -> None:
    text = "".join(chr(point) for point in range(0xC0, 0x180))
    for character in text:
        hand.emit(Text(character))
    arrives(box, text)


def test_an_application_that_does_not_read_gets_nothing_wrong(
    shared_display: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop_agent.platforms.x11.input.spare_keycodes.READ_SECONDS", 0.5)
    file = tmp_path / "text"
    pid = open_box(shared_display, file)
    hand = embedded.attach(shared_display.target.address())
    text = "".join(chr(0x4E00 + number) for number in range(300))
    os.kill(pid, signal.SIGSTOP)
    try:
        with pytest.raises(TargetError, match="does not read"):
            type_out(hand, text)
    finally:
        os.kill(pid, signal.SIGCONT)
    until(lambda: file.read_text(encoding="utf-8"), "what was typed before")
    press(hand, "F")
    until(lambda: file.read_text(encoding="utf-8").endswith("F"), "the last key")
    typed = file.read_text(encoding="utf-8").removesuffix("F")
    assert len(typed) >= 32
    assert text.startswith(typed)
    hand.close()
    shared_display.end(pid)


def test_caps_lock_does_not_change_what_is_typed(hand: Input, box: Path) -> None:
    press(hand, "caps_lock")
    try:
        type_out(hand, "Hello ÄÖ жЖ")
        arrives(box, "Hello ÄÖ жЖ")
        press(hand, "x")
        arrives(box, "Hello ÄÖ жЖX")
    finally:
        press(hand, "caps_lock")


def test_another_layout_is_followed(display: Desk, tmp_path: Path) -> None:
    def layout(*names: str) -> None:
        subprocess.run(["setxkbmap", *names], env=display.environment, check=True)

    open_box(display, tmp_path / "text")
    hand = embedded.attach(display.target.address())
    typed = ""
    for names, text in (
        ("us", "zoë@"),
        ("de", "zyß{}@€ 日本 Жzoë\n"),
        ("us,ru", "привет World €日\n"),
        ("ru", "привет World €日"),
    ):
        layout(names)
        type_out(hand, text)
        typed += text
        arrives(tmp_path / "text", typed)  # a client reads keys with the layout of the moment
    hand.close()


def test_the_key_map_is_put_back(box: Path, shared_display: Desk) -> None:
    before = key_map(shared_display)
    hand = embedded.attach(shared_display.target.address())
    type_out(hand, MIXED)
    press(hand, "f20")
    press(hand, "ő")
    assert key_map(shared_display) != before
    hand.close()
    assert key_map(shared_display) == before
    arrives(box, MIXED.replace("\u2028", "\n").replace("\u00a0", " ") + "ő")


def test_every_code_pressed_is_told_before(hand: Input, box: Path) -> None:
    spare = set(hand.spare_codes())
    assert not spare & set(hand.codes(Text("Plain text")))
    assert set(hand.codes(Text("日"))) & spare
    assert len(hand.codes(KeyDown("A"))) == 2
    assert len(hand.codes(KeyDown("enter"))) == 1
    assert hand.codes(Move(1, 1)) == ()


def test_without_free_codes_unknown_characters_are_refused(display: Desk, tmp_path: Path) -> None:
    box = tmp_path / "text"
    open_box(display, box)
    connection = Display(display.environment)
    free = [8 + index for index, row in enumerate(key_map(display)) if not any(row)]
    for code in free:
        connection.core.ChangeKeyboardMapping(1, code, 1, [0x1008FF80])
    connection.sync()
    hand = embedded.attach(display.target.address())
    with pytest.raises(Refused, match=r"日本.*Leave these characters out.*paste"):
        hand.emit(Text("abc 日本"))
    hand.emit(Text("abc"))
    arrives(box, "abc")
    with pytest.raises(Refused, match="no free key code"):
        hand.emit(KeyDown("f30"))
    hand.close()
    # With a single one left everything can be typed, two new characters at a time.
    connection.core.ChangeKeyboardMapping(1, free[0], 1, [0])
    connection.sync()
    hand = embedded.attach(display.target.address())
    type_out(hand, "日本語テスト")
    arrives(box, "abc日本語テスト")
    hand.close()
    connection.close()


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("\x07", "a control.*Leave it out"),
        ("\x85", "a control.*Leave it out"),
        ("\ud800", "no character.*Leave it out"),
        ("\uffff", "no character.*Leave it out"),
        ("\r", r"Write \\n"),
        ("\x1b", "key_combo with escape"),
        ("\x7f", "key_combo with delete"),
    ],
)
def test_what_is_no_character_is_refused(hand: Input, text: str, advice: str) -> None:
    with pytest.raises(Refused, match=f"cannot be typed.*{advice}"):
        hand.emit(Text(f"a{text}"))


def test_keys_by_name(hand: Input, box: Path) -> None:
    hand.emit(Text("one two"))
    press(hand, "home")
    press(hand, "shift", "ctrl", "right")
    press(hand, "delete")
    press(hand, "end")
    press(hand, "enter")
    press(hand, "A")
    press(hand, "?")
    press(hand, "kp_7")
    press(hand, "kp_add")
    press(hand, "é")
    press(hand, "space")
    press(hand, "x")
    press(hand, "backspace")
    arrives(box, "two\nA?7+é ")


def test_a_key_shared_by_two_presses_stays_down_until_both_are_up(
    hand: Input, box: Path, shared_display: Desk
) -> None:
    hand.emit(KeyDown("shift"))
    press(hand, "A")
    assert len(shared_display.held()[0]) == 1
    hand.emit(KeyUp("shift"))
    assert shared_display.held() == (set(), 0)
    arrives(box, "A")


def test_mousepad_saves_exactly_what_was_typed(display: Desk, tmp_path: Path) -> None:
    file = tmp_path / "note.txt"
    file.write_text("")
    display.launch("mousepad", str(file), title="note.txt")
    hand = embedded.attach(display.target.address())
    text = (ASCII + "\n" + MIXED).replace("\t", "  ").replace("\u2028", "")
    type_out(hand, text)
    press(hand, "ctrl", "s")
    arrives(file, text)
    hand.close()


PAGE = """<!doctype html><meta charset=utf-8><title>a form</title>
<textarea style="position:fixed;inset:0;width:100%;height:100%"></textarea>
<script>
const box = document.querySelector("textarea");
box.oninput = () => { document.title = "form " + box.value.length; };
box.onclick = () => { document.title = "clicked"; };
addEventListener("keydown", e => {
  if (e.key == "F9") fetch("/typed", {method: "POST", body: box.value});
});
</script>"""


def clicked(desk: Desk, hand: Input) -> bool:
    middle = desk.target.windows()[0].bounds.center
    for event in (Move(middle.x, middle.y), ButtonDown("left"), ButtonUp("left")):
        hand.emit(event)
    before = time.monotonic()
    until(lambda: "clicked" in desk.target.windows()[0].title or time.monotonic() > before + 1, "a second")
    return "clicked" in desk.target.windows()[0].title


def test_chromium_gets_exactly_what_was_typed(display: Desk, httpserver: HTTPServer) -> None:
    httpserver.expect_request("/").respond_with_data(PAGE, content_type="text/html")
    httpserver.expect_request("/typed").respond_with_data("")
    display.launch("chromium", httpserver.url_for("/"), title="a form")
    hand = embedded.attach(display.target.address())
    until(lambda: clicked(display, hand), "a click on the page")  # it takes none before its first paint
    text = (ASCII + MIXED).replace("\t", "")
    type_out(hand, text)

    def told() -> str:
        press(hand, "f9")
        until(lambda: any(request.path == "/typed" for request, _ in httpserver.log), "the page's answer")
        body = next(r.get_data() for r, _ in httpserver.log if r.path == "/typed").decode()
        httpserver.clear_log()
        return body

    expected = len(text.encode("utf-16-le")) // 2
    try:
        display.wait_for_window(rf"form {expected}\b")
    except AssertionError:
        assert told() == text
    assert told() == text
    hand.close()
