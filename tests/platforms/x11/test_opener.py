"""Everyday names open the right application; ambiguous ones are refused with advice."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_agent.platforms.base import Input
from desktop_agent.platforms.x11.embedded.supervisor import descendants
from desktop_agent.platforms.x11.opener import app_match, desktop_entries
from desktop_agent.platforms.x11.opener.opener import X11Opener, type_of
from desktop_agent.protocol.errors import Refused
from desktop_agent.targets import display as embedded
from tests.desk import Desk, until


@pytest.fixture
def hand(display: Desk) -> Iterator[Input]:
    hand = embedded.attach(display.target.address())
    yield hand
    hand.close()


@pytest.fixture
def shop(tmp_path: Path) -> dict[str, str]:
    """The environment of a session with a few desktop entries of ours, whose program writes its arguments."""
    applications = tmp_path / "data" / "applications"
    applications.mkdir(parents=True)
    program = tmp_path / "show"
    program.write_text(
        '#!/bin/sh\nprintf "%s\\n" "$@" > "$HOME/shown.part"; mv "$HOME/shown.part" "$HOME/shown"\n'
    )
    program.chmod(0o755)
    home = tmp_path / "home"
    home.mkdir()

    def entry(name: str, **fields: str) -> None:
        lines = {"Type": "Application", "Name": name, "Exec": str(program), **fields}
        text = "[Desktop Entry]\n" + "".join(f"{key}={value}\n" for key, value in lines.items())
        (applications / f"{name.lower().replace(' ', '-')}.desktop").write_text(text + "[Other]\nName=no\n")

    entry("Ledger", GenericName="Accounts", Keywords="money;bank;", Exec=f'{program} "a \\\\$b %%" %i %c %U')
    entry("Ledger Tools")
    entry("Paint One", Categories="Graphics;RasterGraphics;", MimeType="image/png;")
    entry(
        "Paint Two",
        Categories="Graphics;RasterGraphics;",
        MimeType="image/png;text/plain;",
        Exec=f"{program} %f",
    )
    entry("Hidden", NoDisplay="true")
    entry("Missing", Exec="/nowhere/program")
    entry("Rechnung", **{"Name[en]": "Invoice"})
    return {
        "XDG_DATA_HOME": str(tmp_path / "data"),
        "XDG_DATA_DIRS": "/nowhere",
        "HOME": str(home),
        "PATH": "/usr/bin:/bin",
    }


def shown(shop: dict[str, str]) -> list[str]:
    file = Path(shop["HOME"], "shown")
    until(file.exists, "the program's start")
    arguments = file.read_text().splitlines()
    file.unlink()
    return arguments


@pytest.mark.parametrize(
    ("what", "program"),
    [
        ("text editor", "mousepad"),
        ("the Text Editor app", "mousepad"),
        ("notepad", "mousepad"),
        ("calculator", "galculator"),
        ("file manager", "pcmanfm"),
        ("files", "pcmanfm"),
        ("browser", "chromium"),
        ("web browser", "chromium"),
        ("Chromium", "chromium"),
        ("terminal", "xterm"),
        ("mouse pad", "mousepad"),
        ("pcmanfm", "pcmanfm"),
    ],
)
def test_everyday_names_on_a_debian_desktop(what: str, program: str) -> None:
    assert re.fullmatch(rf"(.+[.-])?{program}\.desktop", app_match.best(what, installed_on_debian()).id)


def installed_on_debian() -> list[desktop_entries.Entry]:
    found = desktop_entries.installed(
        {"XDG_DATA_HOME": "/nowhere", "XDG_DATA_DIRS": "/usr/share", "PATH": os.environ["PATH"]}
    )
    known = ("mousepad", "galculator", "pcmanfm", "chromium", "xterm", "vim", "openbox")
    return [entry for entry in found if entry.shown(()) and any(name in entry.id for name in known)]


def test_a_name_that_fits_nothing_names_what_is_close() -> None:
    with pytest.raises(Refused, match="no application or file called 'chrom browsr'"):
        app_match.best("chrom browsr", installed_on_debian())
    with pytest.raises(Refused, match="Did you mean Chromium"):
        app_match.best("chromum x", installed_on_debian())
    with pytest.raises(Refused, match=r"Installed are: .*Mousepad"):
        app_match.best("EasyEDA", installed_on_debian())


def test_an_application_opens_in_the_session_and_not_in_the_hand(display: Desk, hand: Input) -> None:
    assert hand.open("calculator") == "Galculator"
    window = display.wait_for_window("galculator")
    assert window.pid in descendants(display.target.keeper_pid)
    assert window.pid not in descendants(os.getpid()) or display.target.keeper_pid in descendants(os.getpid())


def test_a_file_opens_in_its_application(display: Desk, hand: Input, tmp_path: Path) -> None:
    file = tmp_path / "my notes é.txt"
    file.write_text("x")
    assert hand.open(str(file)).startswith("my notes é.txt with ")
    display.wait_for_window("my notes é.txt")


def test_a_folder_opens_in_the_file_manager(display: Desk, hand: Input, tmp_path: Path) -> None:
    folder = tmp_path / "a folder"
    folder.mkdir()
    name = app_match.best("pcmanfm", installed_on_debian()).name  # releases differ in it
    assert hand.open(folder.as_uri()) == f"a folder with {name}"
    display.wait_for_window("a folder")


def test_an_address_opens_in_the_browser_of_the_session(display: Desk, hand: Input) -> None:
    assert hand.open("http://127.0.0.1:9/nothing") == "http://127.0.0.1:9/nothing with Chromium Web Browser"
    window = display.wait_for_window("Chromium")
    started = Path(f"/proc/{window.pid}/cmdline").read_text()
    assert "--force-renderer-accessibility" in started
    assert f"--user-data-dir={Path(display.environment['XAUTHORITY']).parent}/" in started


def test_field_codes_and_quotes_of_exec(shop: dict[str, str]) -> None:
    opener = X11Opener(shop)
    assert opener.open("bank") == "Ledger"
    assert shown(shop) == ["a $b %", "Ledger"]


def test_a_file_goes_to_the_default_application(shop: dict[str, str], tmp_path: Path) -> None:
    picture = tmp_path / "a b.png"
    picture.write_bytes(b"\x89PNG")
    opener = X11Opener(shop)
    assert opener.open(str(picture)) == "a b.png with Paint One"
    assert shown(shop) == [str(picture)]
    config = Path(shop["HOME"], ".config")
    config.mkdir()
    (config / "mimeapps.list").write_text(
        "[Default Applications]\nimage/png=gone.desktop;paint-two.desktop;\n"
    )
    assert opener.open(str(picture)) == "a b.png with Paint Two"
    assert shown(shop) == [str(picture)]


def test_a_file_in_the_home_folder_by_its_name(shop: dict[str, str]) -> None:
    Path(shop["HOME"], "notes.txt").write_text("x")
    assert X11Opener(shop).open("notes.txt") == "notes.txt with Paint Two"
    assert X11Opener(shop).open("~/notes.txt") == "notes.txt with Paint Two"


def test_translated_names_are_understood(shop: dict[str, str]) -> None:
    assert X11Opener(shop).open("Invoice") == "Rechnung"


@pytest.mark.parametrize(
    ("what", "why"),
    [
        ("ledge", "Ledger, Ledger Tools"),
        ("hidden", "no application"),
        ("missing", "no application"),
        ("/no/such/file", "no file or folder"),
        ("mailto:someone@example.org", "only http, https and file"),
        ("javascript:alert(1)", "only http, https and file"),
        ("https://", "not a complete address"),
        ("Ledgr Tols Supreme", "no application"),
        ("; rm -rf ~", "no application"),
        ("", "no application"),
    ],
)
def test_refused_rather_than_guessed(shop: dict[str, str], what: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        X11Opener(shop).open(what)
    assert not Path(shop["HOME"], "shown").exists()


def test_types_of_files(tmp_path: Path) -> None:
    (tmp_path / "README").write_text("words")
    (tmp_path / "blob").write_bytes(b"\0\1")
    assert [type_of(tmp_path / name) for name in ("README", "blob", ".")] == [
        "text/plain",
        "application/octet-stream",
        "inode/directory",
    ]


def test_a_folder_is_told_from_a_file_before_it_is_opened(shop: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "letter.sh").write_text("exit")
    opener = X11Opener(shop)
    assert opener.program_for(str(tmp_path)) == opener.program_for(f"file://{tmp_path}") == "folder/"
    assert opener.program_for(str(tmp_path / "letter.sh")) == opener.program_for(str(tmp_path / "no")) == ""
