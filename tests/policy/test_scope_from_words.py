"""What a user's own words grant: how far they go, and the applications, addresses, files and folders they name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from desktop_agent.platforms.x11.opener.named_programs import in_words
from desktop_agent.platforms.x11.opener.opener import X11Opener
from desktop_agent.policy.facts.place import Place
from desktop_agent.policy.facts.scope import How
from desktop_agent.policy.facts.words.scope_from_words import grants_from, grants_in_front, origins_named
from desktop_agent.policy.facts.words.spoken_words import understand

HOME = Path("/home/ann")
APPS: Mapping[str, tuple[str, ...]] = {
    "mousepad": ("Mousepad", "text/plain;", "Utility;TextEditor;", "Texteditor"),
    "pcmanfm": ("File Manager PCManFM", "inode/directory;", "System;FileManager;", "Dateimanager"),
    "chromium": ("Chromium", "text/html;x-scheme-handler/http;", "Network;WebBrowser;", "Internet"),
    "galculator": ("Galculator", "", "Utility;", "Taschenrechner"),
    "python3": ("Odd Tool", "", "Utility;", "Odd"),
    "priceless": ("Price List", "", "Office;", "Preise"),
}


class Session:
    """What a target tells of a session with a few applications."""

    def __init__(self, opener: X11Opener) -> None:
        self._opener = opener

    def programs_named(self, words: str) -> frozenset[str]:
        return in_words(words, self._opener)

    def home(self) -> Path:
        return HOME


@pytest.fixture
def session(tmp_path: Path) -> Session:
    folder = tmp_path / "applications"
    folder.mkdir()
    for program, (name, mime, categories, german) in APPS.items():
        text = (
            f"[Desktop Entry]\nType=Application\nName={name}\nGenericName[de]={german}\nExec={program} %f\n"
        )
        (folder / f"{program}.desktop").write_text(f"{text}MimeType={mime}\nCategories={categories}\n")
    return Session(X11Opener({"XDG_DATA_HOME": str(tmp_path), "XDG_DATA_DIRS": str(tmp_path / "none")}))


def told(session: Session, *words: str) -> set[str]:
    return set(map(str, grants_from(words, session)))


@pytest.mark.parametrize(
    ("words", "how"),
    [
        ("What does this page cost?", How.LOOK),
        ("Tell me what is in it", How.LOOK),
        ("Fill in the form with my name", How.FILL),
        ("Fill in the form, but do not send it", How.FILL),
        ("Fill in the form without sending it and without saving", How.FILL),
        ("Type it, don't press Enter", How.FILL),
        ("Type “click here” into the field", How.FILL),
        ("Do not save it, but send it", How.ACT),
        ("Save it", How.ACT),
        ("Fülle das Formular aus, aber sende es nicht ab", How.FILL),
        ("Speichere die Datei", How.ACT),
        ("Remplis le formulaire sans envoyer", How.FILL),
        ("Guarda el archivo", How.ACT),
        ("Сохрани файл", How.ACT),
        ("填写表单，不要提交", How.FILL),
        ("保存してください", How.ACT),
        ("Frobnicate the thing", How.LOOK),
    ],
)
def test_how_far_words_go(words: str, how: How) -> None:
    assert understand((words,)).how == how


@pytest.mark.parametrize(
    ("words", "grants"),
    [
        ("What is open in Chromium?", {"app:chromium:act"}),
        ("Use the calculator", {"app:galculator:act"}),
        ("Benutze den Taschenrechner", {"app:galculator:act"}),
        ("Put the summary into the text editor", {"app:mousepad:fill"}),
        ("What does notes.txt say?", {"app:mousepad:look", "folder:/home/ann/notes.txt:look"}),
        ("Write the price into price.txt", {"app:mousepad:act", "folder:/home/ann/price.txt:act"}),
        (
            "Rename draft.md in Documents",
            {
                "app:mousepad:act",
                "app:pcmanfm:act",
                "folder:/home/ann/Documents:act",
            },
        ),
        ("Open ~/work/plan.txt", {"app:mousepad:act", "folder:/home/ann/work/plan.txt:act"}),
        ("Use the Odd Tool", set()),
        ("Look up the price of a kettle", set()),
        ("Look at the mousepads", set()),
    ],
)
def test_applications_and_folders_that_words_name(words: str, grants: set[str], session: Session) -> None:
    found = told(session, words)
    assert {each for each in found if "chromium:act" not in each or "Chromium" in words} == grants


def test_an_address_brings_its_origin_and_the_browser_and_no_more(session: Session) -> None:
    assert told(session, "Fill in the form on https://shop.example/contact and send it") == {
        "app:chromium:act", "site:https://shop.example:fill",
    }  # fmt: skip
    assert told(session, "What is new on shop.example?") == {
        "app:chromium:act", "site:https://shop.example:look", "site:http://shop.example:look",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("words", "origins"),
    [
        ("see shop.example.", ("https://shop.example", "http://shop.example")),
        ("see www.shop.example/a", ("https://www.shop.example", "http://www.shop.example")),
        ("see (https://shop.example)", ("https://shop.example",)),
        ("see http://shop.example/a", ("http://shop.example", "https://shop.example")),
        ("see http://127.0.0.1:8080/x,", ("http://127.0.0.1:8080",)),
        ("see shop.example:8443/x", ("https://shop.example:8443", "http://shop.example:8443")),
        ("see bücher.example", ("https://xn--bcher-kva.example", "http://xn--bcher-kva.example")),
        ("see notes.txt and a.py", ()),
        ("it costs 12.50, e.g. today", ()),
        ("https://bank.example@evil.example/", ()),
        ("mail ann@shop.example", ()),
        ("and so on...then", ()),
    ],
)
def test_origins_that_words_name(words: str, origins: tuple[str, ...]) -> None:
    assert origins_named(words) == origins


def test_a_look_alike_of_what_was_said_is_not_what_was_said() -> None:
    assert "https://apple.example" not in origins_named("see аpple.example")


def test_what_is_in_front_is_meant_by_this_page_but_not_what_is_pressed_in_it() -> None:
    page = Place(
        known=True, application="Chromium", program="chromium", role="document web", in_page=True,
        origin="https://shop.example",
    )  # fmt: skip
    assert list(map(str, grants_in_front(page, ("fill in this form and send it",)))) == [
        "app:chromium:act", "site:https://shop.example:fill",
    ]  # fmt: skip
    assert list(map(str, grants_in_front(page, ("what does it say",)))) == [
        "app:chromium:look", "site:https://shop.example:look",
    ]  # fmt: skip


def test_a_page_in_front_is_only_looked_at_where_another_application_is_spelled(session: Session) -> None:
    page = Place(
        known=True, application="Chromium", program="chromium", role="document web", in_page=True,
        origin="https://shop.example",
    )  # fmt: skip
    for words, how in (
        ("Write 'my diary' into Mousepad.", How.LOOK),
        ("Write 'my diary' into this form, then open Mousepad.", How.FILL),
        ("Write 'my diary' into the text editor or here.", How.FILL),
        ("Write 'my diary' into Chromium.", How.FILL),
        ("Fill in the form with the files of the list.", How.FILL),
    ):
        assert grants_in_front(page, (words,), session)[-1].how == how, words


@pytest.mark.parametrize(
    "place",
    [
        Place(known=True, application="XTerm", program="xterm"),
        Place(known=True, program="agent", own=True),
        Place(known=True, program="root-tool", foreign=True),
        Place(),
    ],
)
def test_what_is_in_front_by_itself_grants_nothing(place: Place) -> None:
    assert grants_in_front(place, ("press it",)) == ()


@pytest.mark.parametrize(
    "desktop",
    [Place(known=True, desktop=True), Place(known=True, application="Openbox", program="openbox")],
)
def test_the_bare_desktop_is_in_front_where_no_window_is(desktop: Place) -> None:
    assert list(map(str, grants_in_front(desktop, ("press it",)))) == ["app:desktop:act"]


def test_later_words_count_with_the_first_ones(session: Session) -> None:
    assert told(session, "What does notes.txt say?", "Now save it.") == {
        "app:mousepad:act",
        "folder:/home/ann/notes.txt:act",
    }
