"""Which paths are protected, and why: by their real place, whatever way they are written."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from desktop_agent.policy.facts.files.protected_places import ProtectedPlaces, Roots, own_places
from desktop_agent.policy.facts.files.real_paths import comparable, joined
from desktop_agent.support import paths

pytestmark = pytest.mark.linux("these are the paths of Linux; those of Windows are compared as texts below")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    (folder / "Documents").mkdir(parents=True)
    return folder


@pytest.fixture
def places(home: Path) -> ProtectedPlaces:
    return ProtectedPlaces((Roots.of(str(home), {"PATH": f"{home}/tools:/usr/bin"}),))


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        (".bashrc", "shell_profiles"),
        ("Documents/../.profile", "shell_profiles"),
        ("./Documents/.././.zshrc", "shell_profiles"),
        (".config/fish/conf.d/a.fish", "shell_profiles"),
        (".config/autostart/a.desktop", "session_start"),
        (".config/systemd/user/a.service", "session_start"),
        (".config/systemd/user/default.target.wants/a.service", "session_start"),
        (".local/share/applications/a.desktop", "menu_entries"),
        (".ssh/authorized_keys", "keys"),
        (".gnupg/gpg.conf", "keys"),
        (".local/share/keyrings/login.keyring", "key_stores"),
        (".mozilla/firefox/x.default/user.js", "profiles"),
        (".config/google-chrome-beta/Default/Preferences", "profiles"),
        (".gitconfig", "tool_settings"),
        ("Documents/project/.git/hooks/pre-commit", "repositories"),
        ("Documents/project/.vscode/tasks.json", "workspace_settings"),
        ("Documents/project/conftest.py", "workspace_settings"),
        ("tools/ls", "program_folders"),
        ("bin/ls", "program_folders"),
        ("Desktop/Firefox.desktop", "starters"),
        (".something-new", "hidden"),
        ("Documents/.hidden/x", "hidden"),
    ],
)
def test_a_place_that_something_reads_at_start_is_protected(
    places: ProtectedPlaces, home: Path, path: str, kind: str
) -> None:
    found = places.of(f"{home}/{path}")
    assert found is not None and (found.kind, found.own) == (kind, False) and found.why


@pytest.mark.parametrize(
    "path", ["/etc/profile", "/usr/bin/ls", "/var/spool/cron/crontabs/me", "/etc/cron.d/x"]
)
def test_folders_of_the_system_are_protected(places: ProtectedPlaces, path: str) -> None:
    assert places.of(path) is not None


@pytest.mark.parametrize(
    "path",
    [
        "letter.txt",
        "Documents/report.odt",
        "Documents/bash.rc",
        "Documents/autostart/x.txt",
        "Documents/a.b.c",
        "bins/ls",
    ],
)
def test_the_users_documents_are_not(places: ProtectedPlaces, home: Path, path: str) -> None:
    assert places.of(f"{home}/{path}") is None


def test_links_to_a_protected_place_are_followed(places: ProtectedPlaces, home: Path) -> None:
    (home / ".config").mkdir()
    (home / "Documents" / "nice").symlink_to(home / ".config")
    (home / "Documents" / "letter.txt").symlink_to(home / ".bashrc")
    for path, kind in (("nice/autostart/x.desktop", "session_start"), ("letter.txt", "shell_profiles")):
        found = places.of(str(home / "Documents" / path))
        assert found is not None and found.kind == kind
    (home / "dots").mkdir()
    (home / "dots" / "bashrc").write_text("")
    (home / ".bashrc").symlink_to(home / "dots" / "bashrc")
    real = places.of(str(home / ".bashrc"))  # a link in the protected place: both of its ends count
    assert real is not None and real.kind == "shell_profiles"


def test_a_second_name_of_a_protected_file_is_protected(places: ProtectedPlaces, home: Path) -> None:
    (home / ".bashrc").write_text("")
    os.link(home / ".bashrc", home / "Documents" / "letter.txt")
    found = places.of(str(home / "Documents" / "letter.txt"))
    assert found is not None and found.kind == "shell_profiles"
    os.link(home / "Documents" / "letter.txt", home / "Documents" / "other.txt")
    (home / ".bashrc").unlink()
    assert places.of(str(home / "Documents" / "other.txt")) is None


def test_everything_of_our_own_is_protected_and_says_so(tmp_path: Path) -> None:
    named = tmp_path / "mine.toml"
    places = ProtectedPlaces.of_this_user([named], paths.data() / "workspace")
    for path in (
        paths.settings() / "config.toml",
        paths.data() / "runs" / "x" / "events.jsonl",
        paths.data() / "heads" / "key",
        paths.logs() / "desktop-agent.log",
        paths.of_config()[1] / "config.toml",
        Path(paths.__file__),
        named,
    ):
        found = places.of(str(path))
        assert found is not None and found.own, path
    assert places.of(str(paths.data() / "workspace" / "notes.txt")) is None
    hidden = places.of(str(paths.data() / "workspace" / ".git" / "config"))
    assert hidden is not None and not hidden.own
    assert all(Path(path).is_absolute() for path in own_places())


def test_a_program_with_another_home_has_its_places_protected_too(
    places: ProtectedPlaces, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    assert places.of(f"{other}/bin/x") is None
    both = places.with_home(str(other))
    assert both.of(f"{other}/bin/x") is not None and both.with_home(str(other)) is both


WINDOWS = ProtectedPlaces(
    (
        Roots(
            "C:/Users/u",
            roaming=r"C:\Users\u\AppData\Roaming",
            local=r"C:\Users\u\AppData\Local",
            common=r"C:\ProgramData",
            system=r"C:\Windows",
        ),
    ),
    {r"C:\Users\u\AppData\Local\desktop-agent": "one of my own settings"},
    system="windows",
)


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        (r"C:\Users\u\AppData\Roaming\Microsoft\Windows\Start Menu\Programs\Startup\a.bat", "windows_start"),
        (r"c:\USERS\U\appdata\roaming\microsoft\windows\start menu\programs\STARTUP\a.bat", "windows_start"),
        (r"\\?\C:\Users\u\Documents\PowerShell\profile.ps1", "windows_start"),
        (r"C:\Users\u\Documents\PowerShell\profile.ps1. . ", "windows_start"),
        (r"C:\Users\u\Documents\PowerShell \profile.ps1::$DATA", "windows_start"),
        (r"C:\Windows\System32\Tasks\x", "windows_tasks"),
        (r"C:\Users\u\Desktop\a.reg", "windows_endings"),
        (r"C:\Users\u\NTUSER.DAT", "windows_stores"),
        (r"C:/Users/u/.ssh/config", "windows_keys"),
        (r"C:\Users\u\AppData\Local\desktop-agent\config.toml:x", "own"),
    ],
)
def test_paths_of_windows_are_compared_as_windows_takes_them(path: str, kind: str) -> None:
    found = WINDOWS._of_plain(comparable(path, "windows"))
    assert found is not None and found.kind == kind
    assert WINDOWS._of_plain(comparable(r"C:\Users\u\Documents\letter.txt", "windows")) is None


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("a.txt", "/home/u/docs/a.txt"),
        ("../.bashrc", "/home/u/docs/../.bashrc"),
        ("~/.bashrc", "/home/u/.bashrc"),
        ("~", "/home/u"),
        ("/etc/x", "/etc/x"),
        ("file:///home/u/%2Ebashrc", "/home/u/.bashrc"),
        ("sftp://host/x", ""),
    ],
)
def test_a_name_means_what_file_dialogs_take_it_for(name: str, path: str) -> None:
    assert joined(name, "/home/u/docs", "/home/u", "linux") == path


def test_without_a_folder_only_a_whole_path_means_something() -> None:
    assert joined("a.txt", "", "/home/u", "linux") == ""
    assert joined("/a.txt", "", "/home/u", "linux") == "/a.txt"
    assert joined(r"D:\x", r"C:\y", "C:/u", "windows") == r"D:\x"
