"""Log-on and the list of programs, in folders of the test's own, through the command line."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from configparser import ConfigParser
from pathlib import Path

import pytest

from desktop_agent.cli import main, parse
from desktop_agent.startup.installation import desktop_entry, launch_command
from tests.project_copy import ROOT

pytestmark = pytest.mark.linux("asks for freedesktop.org's folders")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def keys(file: Path) -> dict[str, str]:
    return dict(groups(file)["Desktop Entry"])


def groups(file: Path) -> ConfigParser:
    found = ConfigParser(interpolation=None)
    found.optionxform = str  # type: ignore[assignment,method-assign]
    found.read_string(file.read_text(encoding="utf-8"))
    return found


def test_log_on_is_switched_on_and_off(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = home / ".config/autostart/desktop-agent.desktop"
    assert main(["autostart", "status"]) == 0 and "does not start" in capsys.readouterr().out
    assert main(["autostart", "on"]) == 0
    assert keys(file)["Exec"].endswith("/run --quietly")
    assert main(["autostart", "status"]) == 0 and "--quietly" in capsys.readouterr().out
    assert main(["autostart", "off"]) == 0 and not file.exists()
    assert main(["autostart", "off"]) == 0 and "did not" in capsys.readouterr().out


def test_what_the_desktop_has_switched_off_is_off(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["autostart", "on"])
    file = home / ".config/autostart/desktop-agent.desktop"
    file.write_text(file.read_text().replace("enabled=true", "enabled=false"))
    capsys.readouterr()
    assert main(["autostart", "status"]) == 0 and "does not start" in capsys.readouterr().out


def test_a_folder_that_takes_nothing_is_told(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / ".config").write_text("a file in the way")
    assert main(["autostart", "on"]) == 1
    assert "cannot be changed" in capsys.readouterr().err


def test_the_program_comes_among_the_others_and_goes(home: Path) -> None:
    assert main(["desktop-entry", "install"]) == 0
    entry = keys(home / ".local/share/applications/desktop-agent.desktop")
    icon = home / ".local/share/icons/hicolor/scalable/apps/desktop-agent.svg"
    assert entry["Icon"] == icon.stem and icon.read_bytes().startswith(b"<svg")
    assert entry["StartupWMClass"] == "desktop-agent"
    assert main(["desktop-entry", "remove"]) == 0
    assert [each for each in home.rglob("*") if each.is_file()] == []


def test_the_command_of_the_entry_starts_this_program(home: Path) -> None:
    """As a desktop does: the words of Exec, split by its rules (a shell's, for these)."""
    main(["desktop-entry", "install"])
    command = keys(home / ".local/share/applications/desktop-agent.desktop")["Exec"]
    assert command == str(ROOT / "run")
    assert os.access(command, os.X_OK)


def test_the_icons_menu_asks_the_open_window(home: Path) -> None:
    main(["desktop-entry", "install"])
    found = groups(home / ".local/share/applications/desktop-agent.desktop")
    actions = found["Desktop Entry"]["Actions"].strip(";").split(";")
    for each in actions:
        words = shlex.split(found[f"Desktop Action {each}"]["Exec"])
        assert parse(words[1:]).ask == each and found[f"Desktop Action {each}"]["Name[de]"]
    assert actions == ["stop", "history", "settings"]


def test_an_installed_package_is_started_by_its_script(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "desktop-agent"
    script.touch()
    monkeypatch.setattr(launch_command, "_ROOT", tmp_path)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    assert launch_command.launch_command("--quietly") == [str(script), "--quietly"]
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert launch_command.launch_command() == [str(tmp_path / "python")]


@pytest.mark.parametrize(
    ("argv", "line"),
    [
        (["/a/run", "--quietly"], "/a/run --quietly"),
        (["/my files/run"], '"/my files/run"'),
        (["/100%/run"], "/100%%/run"),
        (['/a"b$c/run'], r'"/a\\"b\\$c/run"'),
    ],
)
def test_words_are_quoted_as_desktop_entries_want_it(argv: list[str], line: str) -> None:
    assert desktop_entry.exec_line(argv) == line


def test_other_systems_are_told_what_is_missing(tmp_path: Path) -> None:
    """As on macOS, with the system's name put in: a sentence, no traceback."""
    code = (
        "import sys, platform; platform.system = lambda: 'Darwin'\n"
        "from desktop_agent.support import operating_system as system\n"
        "system.LINUX = system.WINDOWS = False\n"
        "from desktop_agent.cli import main; sys.exit(main(sys.argv[1:]))"
    )

    def said(*words: str) -> tuple[int, str, str]:
        ran = subprocess.run(
            [sys.executable, "-c", code, *words], capture_output=True, text=True, cwd=ROOT, timeout=120
        )
        return ran.returncode, ran.stdout, ran.stderr

    for words in ((), ("--no-window", "press ctrl+l"), ("autostart", "on")):
        status, out, err = said(*words)
        assert (status, out) == (1, "") and err.startswith("desktop-agent: "), err
        assert "Traceback" not in err and len(err.splitlines()) <= 2
    status, out, err = said("doctor")
    assert status == 1 and "Traceback" not in err
    for word in ("macOS", "screen", "mouse and keyboard", "elements", "Esc"):
        assert word in out
