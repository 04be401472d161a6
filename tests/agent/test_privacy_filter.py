"""What may be seen of real windows: passwords, private windows and regions are painted over, raw frames are kept."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from desktop_agent.agent.looking.privacy_filter import FilteredLook, PrivacyFilter
from desktop_agent.platforms.x11.connection import Display
from desktop_agent.platforms.x11.windows.ewmh import EwmhWindows
from desktop_agent.protocol.agent_events import ApprovalAsked
from desktop_agent.protocol.geometry import Rect
from desktop_agent.redaction import redactor
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.capture.masks import Privacy
from desktop_agent.vision.encoding.encode import crop
from desktop_agent.vision.observation import Element
from tests.desk import Desk, until
from tests.vision.reading import wait_until_quiet

pytestmark = pytest.mark.usefixtures("no_secrets")
Launch = Callable[..., int]
APPS = Path(__file__).parent.parent / "vision" / "apps"
GREY = b"\x80\x80\x80\x00"
RED, GREEN = 0xFF0000, 0x00FF00


def grey(frame: Frame, area: Rect) -> bool:
    """Is all of the area that lies on the frame grey?"""
    pixels = crop(frame, area.intersection(frame.region)).pixels
    return pixels == GREY * (len(pixels) // 4)


def plain(frame: Frame, area: Rect) -> bool:
    """Is nothing of it grey?"""
    pixels = crop(frame, area).pixels
    return GREY not in {pixels[i : i + 4] for i in range(0, len(pixels), 4)}


def password(desk: Desk, sight: PrivacyFilter) -> tuple[FilteredLook, Element]:
    def found() -> tuple[FilteredLook, Element] | None:
        seen = sight.look(desk.target.observe)
        field = next((each for each in seen.elements if "password" in each.states), None)
        return (seen, field) if field else None

    return until(found, "a password field")


def raise_window(desk: Desk, title: str) -> None:
    display = Display(desk.environment)
    windows = EwmhWindows(display)
    by_title = {windows._describe(each).title: each for each in windows._managed()}
    windows.activate(by_title[title])
    display.close()
    desk.wait_for_window(title)


# ---- passwords -------------------------------------------------------------------------------


@pytest.mark.parametrize(("app", "title"), [("qt_form.py", "Qt form"), ("gtk_password.py", "GTK login")])
def test_a_password_field_is_grey_and_has_no_value(
    app: str, title: str, shared_display: Desk, launch: Launch
) -> None:
    launch(sys.executable, str(APPS / app), title=title)
    seen, field = password(shared_display, PrivacyFilter(shared_display.target))
    assert field.value == ""
    assert grey(seen.frame, field.bounds) and not grey(seen.raw_frame, field.bounds)
    outside = Rect(field.bounds.x, field.bounds.y - 12, field.bounds.width, 10)
    assert crop(seen.frame, outside).pixels == crop(seen.raw_frame, outside).pixels
    assert not any("secret" in each.value or "hidden" in each.value for each in seen.elements)


def test_a_part_of_the_screen_is_masked_too(shared_display: Desk, launch: Launch) -> None:
    launch(sys.executable, str(APPS / "gtk_password.py"), title="GTK login")
    sight = PrivacyFilter(shared_display.target)
    _, field = password(shared_display, sight)
    part = Rect(field.bounds.x + 20, field.bounds.y - 30, 60, 50)
    seen = sight.look(lambda: shared_display.target.observe(part))
    assert seen.frame.region == part
    assert grey(seen.frame, field.bounds.intersection(part))


def test_the_preview_masks_a_field_where_its_window_was_moved_to(
    shared_display: Desk, launch: Launch
) -> None:
    launch(sys.executable, str(APPS / "gtk_password.py"), title="GTK login")
    sight = PrivacyFilter(shared_display.target)
    _, field = password(shared_display, sight)
    frame = sight.preview(shared_display.target.observe)
    assert grey(frame, field.bounds)
    move(shared_display, "GTK login", 700, 500)
    wait_until_quiet(shared_display)
    _, moved = password(shared_display, PrivacyFilter(shared_display.target))
    assert moved.bounds != field.bounds
    assert grey(sight.preview(shared_display.target.observe), moved.bounds)


def test_a_field_behind_part_of_a_window_is_masked_wherever_it_shows(
    shared_display: Desk, launch: Launch
) -> None:
    launch(sys.executable, str(APPS / "gtk_password.py"), title="GTK login")
    sight = PrivacyFilter(shared_display.target)
    _, field = password(shared_display, sight)
    whole, center = field.bounds, field.bounds.center
    launch("xterm", "-T", "Cover", "-geometry", f"8x2+{center.x - 30}+{center.y - 30}", title="^Cover$")
    cover = shared_display.target.windows()[0].bounds
    assert whole.x < cover.x and cover.right < whole.right and cover.contains(center)
    seen, field = password(shared_display, sight)
    assert field.bounds != whole, "told is the part that can be clicked"
    assert grey(seen.frame, Rect(whole.x, whole.y, cover.x - whole.x, whole.height))
    assert grey(seen.frame, Rect(cover.right, whole.y, whole.right - cover.right, whole.height))


def test_a_field_stays_masked_while_its_program_does_not_answer(shared_display: Desk, launch: Launch) -> None:
    import signal

    pid = launch(sys.executable, str(APPS / "gtk_password.py"), title="GTK login")
    sight = PrivacyFilter(shared_display.target)
    _, field = password(shared_display, sight)
    os.kill(pid, signal.SIGSTOP)
    try:
        for _ in range(2):
            seen = sight.look(shared_display.target.observe)
            assert not any("password" in each.states for each in seen.elements), "it must not have been read"
            assert grey(seen.frame, field.bounds)
    finally:
        os.kill(pid, signal.SIGCONT)


def test_known_secrets_on_the_screen_are_taken_out_and_painted_over(
    shared_display: Desk, launch: Launch, tmp_path: Path
) -> None:
    (tmp_path / "note.txt").write_text("the key is\nplanted-0123456789\n")
    launch("mousepad", str(tmp_path / "note.txt"), title="note.txt")
    redactor.redactor().know("planted-0123456789")

    def text() -> tuple[FilteredLook, Element] | None:
        seen = PrivacyFilter(shared_display.target).look(shared_display.target.observe)
        shown = next((each for each in seen.elements if each.value), None)
        return (seen, shown) if shown else None

    seen, shown = until(text, "the text")
    assert shown.value == "the key is\n[secret]\n"
    assert grey(seen.frame, shown.bounds)


# ---- privacy ---------------------------------------------------------------------------------


def move(desk: Desk, title: str, x: int, y: int) -> None:
    import subprocess

    subprocess.run(
        ["xdotool", "search", "--name", f"^{title}$", "windowmove", str(x), str(y)],
        env={**os.environ, **desk.environment}, check=True,
    )  # fmt: skip

    def there() -> bool:
        return any(w.title == title and abs(w.bounds.x - x) < 20 for w in desk.target.windows())

    until(there, "the window at its new place")


@pytest.mark.parametrize("pattern", ["*diary*", "XTerm"])
def test_a_private_window_is_grey_and_nameless(pattern: str, shared_display: Desk, launch: Launch) -> None:
    launch("xterm", "-T", "My Diary", title="^My Diary$")
    bounds = shared_display.target.windows()[0].bounds
    seen = PrivacyFilter(shared_display.target, Privacy((pattern,))).look(shared_display.target.observe)
    assert grey(seen.frame, bounds) and not grey(seen.raw_frame, bounds)
    assert seen.titles == ("(private)",)
    assert "Diary" not in str(seen.elements)


def test_a_private_window_s_elements_are_not_told(
    shared_display: Desk, launch: Launch, tmp_path: Path
) -> None:
    (tmp_path / "diary.txt").write_text("Dear diary")
    launch("mousepad", str(tmp_path / "diary.txt"), title="diary.txt")
    open_eyes = PrivacyFilter(shared_display.target)
    until(lambda: "Dear diary" in str(open_eyes.look(shared_display.target.observe).elements), "the text")
    seen = PrivacyFilter(shared_display.target, Privacy(("*Mousepad*",))).look(shared_display.target.observe)
    assert seen.elements == ()
    assert sight_of_preview(shared_display, Privacy(("*Mousepad*",)))


def sight_of_preview(desk: Desk, privacy: Privacy) -> bool:
    return grey(
        PrivacyFilter(desk.target, privacy).preview(desk.target.observe), desk.target.windows()[0].bounds
    )


def test_a_window_in_front_of_a_private_one_is_seen(shared_display: Desk, launch: Launch) -> None:
    launch("xterm", "-T", "Diary", "-geometry", "80x30+100+100", title="^Diary$")
    launch("xterm", "-T", "Front", "-bg", "white", "-geometry", "30x8+200+200", title="^Front$")
    sight = PrivacyFilter(shared_display.target, Privacy(("Diary",)))
    by_title = {each.title: each.bounds for each in shared_display.target.windows()}
    seen = sight.look(shared_display.target.observe)
    assert plain(seen.frame, by_title["Front"]), "an opaque window covers what is private behind it"
    assert grey(seen.frame, Rect(by_title["Diary"].x, by_title["Diary"].y, 90, by_title["Diary"].height))
    raise_window(shared_display, "Diary")
    seen = sight.look(shared_display.target.observe)
    assert grey(seen.frame, by_title["Diary"])


def test_a_window_that_may_shine_through_covers_nothing(shared_display: Desk, launch: Launch) -> None:
    launch("xterm", "-T", "Diary", "-geometry", "80x30+100+100", title="^Diary$")
    panel = shared_display.panel(Rect(150, 150, 200, 200), RED)
    display = Display(shared_display.environment)
    opacity = display.atom("_NET_WM_WINDOW_OPACITY")
    display.core.ChangeProperty(0, panel.id, opacity, 6, 32, 1, [0x80000000])
    display.sync()
    display.close()
    try:
        seen = PrivacyFilter(shared_display.target, Privacy(("Diary",))).look(shared_display.target.observe)
        assert grey(seen.frame, Rect(150, 150, 200, 200))
    finally:
        panel.close()


def test_a_private_region_is_grey_and_its_elements_are_not_told(shared_display: Desk, launch: Launch) -> None:
    launch(sys.executable, str(APPS / "qt_form.py"), title="Qt form")

    def name(privacy: Privacy) -> Callable[[], Element | None]:
        def find() -> Element | None:
            seen = PrivacyFilter(shared_display.target, privacy).look(shared_display.target.observe)
            return next((each for each in seen.elements if each.value == "Ann"), None)

        return find

    field = until(name(Privacy()), "the name")
    privacy = Privacy((), (field.bounds,))
    assert name(privacy)() is None
    assert grey(
        PrivacyFilter(shared_display.target, privacy).look(shared_display.target.observe).frame, field.bounds
    )
    assert grey(
        PrivacyFilter(shared_display.target, privacy).preview(shared_display.target.observe), field.bounds
    )


@pytest.mark.parametrize("moves", [(1, 0), (0, 1), (1, 1)])
def test_a_private_window_that_never_holds_still_is_nowhere_to_be_seen(
    moves: tuple[int, int], shared_display: Desk, launch: Launch
) -> None:
    launch("xterm", "-T", "Diary", "-geometry", "40x10+100+100", title="^Diary$")
    sight = PrivacyFilter(shared_display.target, Privacy(("Diary",)))
    places = iter([(500, 300), (150, 400), (600, 100), (100, 100)] * 3)

    def grab() -> Frame:
        for _ in range(moves[0]):
            move(shared_display, "Diary", *next(places))
        frame = shared_display.target.observe()
        for _ in range(moves[1]):
            move(shared_display, "Diary", *next(places))
        return frame

    seen = sight.look(grab)
    white = b"\xff\xff\xff"
    assert seen.raw_frame.pixels.count(white) > 1_000, "the terminal is on the raw frame"
    assert seen.frame.pixels.count(white) == 0


def test_a_question_about_a_private_window_does_not_name_it(shared_display: Desk, launch: Launch) -> None:
    launch("xterm", "-T", "Accounts", title="^Accounts$")
    sight = PrivacyFilter(shared_display.target, Privacy(("XTerm",)))
    asked = ApprovalAsked(id="1", words="Click", exact=(), window="Accounts", why="")
    sight.look(shared_display.target.observe)
    assert sight.without_private_title(asked) == ApprovalAsked(
        id="1", words="Click", exact=(), window="(private)", why=""
    )
    other = ApprovalAsked(id="1", words="Click", exact=(), window="Notes", why="")
    assert sight.without_private_title(other) is other
