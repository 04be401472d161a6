"""Where things are kept, whatever the length of the path."""

from __future__ import annotations

import ctypes
import sys
import uuid
from pathlib import Path
from typing import Any

import pytest

from desktop_agent.agent.runlog.hash_chained_log import RunStore, read
from desktop_agent.platforms.windows.opener import WindowsOpener
from desktop_agent.protocol.errors import Refused
from desktop_agent.support import paths
from desktop_agent.support.paths import LONGEST, lengthened, shortened

SHORT = r"C:\Users\me\AppData\Local\desktop-agent"
LONG = "C:\\" + "\\".join(["a folder with a rather long name"] * 5)


def test_a_short_path_stays_as_people_write_it() -> None:
    assert lengthened(SHORT) == SHORT == shortened(SHORT)


@pytest.mark.parametrize(
    ("path", "long_form"),
    [
        (LONG, "\\\\?\\" + LONG),
        (LONG.replace("\\", "/"), "\\\\?\\" + LONG),
        ("\\\\server\\share" + LONG[2:], "\\\\?\\UNC\\server\\share" + LONG[2:]),
        ("\\\\?\\" + LONG, "\\\\?\\" + LONG),
    ],
)
def test_a_long_one_gets_the_form_without_a_limit(path: str, long_form: str) -> None:
    assert lengthened(path) == long_form
    assert shortened(long_form) == path.removeprefix("\\\\?\\").replace("/", "\\")


def test_settings_runs_and_log_are_below_one_local_folder() -> None:
    kept = {paths.settings(), paths.data(), paths.logs()}
    assert all("desktop-agent" in path.parts for path in kept)
    if sys.platform == "win32":
        assert paths.settings() == paths.data() == paths.logs().parent
        assert "Roaming" not in paths.data().parts and paths.data().parts.count("desktop-agent") == 1


@pytest.fixture
def german(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home whose Documents are called otherwise and whose Downloads are elsewhere."""
    settings = 'XDG_DOCUMENTS_DIR="$HOME/Meine Dokumente"\nXDG_DOWNLOAD_DIR="/data/in"\n'
    (tmp_path / "settings").mkdir()
    (tmp_path / "settings/user-dirs.dirs").write_text(settings, encoding="utf-8")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    for kind in paths.USUAL:
        monkeypatch.delenv(f"XDG_{kind}_DIR", raising=False)
    return tmp_path


@pytest.mark.linux("these settings are Linux's")
def test_the_user_s_folders_are_where_the_system_has_them(german: Path) -> None:
    assert paths.of_user("DOCUMENTS") == paths.of_user("DOCUMENTS", str(german)) == german / "Meine Dokumente"
    assert paths.of_user("DOWNLOAD") == Path("/data/in")
    assert paths.of_user("PICTURES") == german / "Pictures"
    assert paths.elsewhere(german / "Documents/a.txt").endswith(
        f"Documents folder is {german}/Meine Dokumente."
    )
    assert not paths.elsewhere(german / "Pictures/a.png") and not paths.elsewhere(Path("/tmp/a.txt"))


@pytest.mark.skipif(sys.platform != "win32", reason="asks Windows itself")
@pytest.mark.parametrize(
    ("kind", "known"),
    [
        ("DOCUMENTS", "fdd39ad0-238f-46af-adb4-6c85480369c7"),
        ("DOWNLOAD", "374de290-123f-4565-9164-39c4925e467b"),
        ("DESKTOP", "b4bfcc3a-db2c-424c-b029-7fe99a87c641"),
        ("PICTURES", "33e28130-4e1e-4676-835a-98395c3bc3bb"),
    ],
)
def test_on_windows_they_are_its_known_folders(kind: str, known: str, tmp_path: Path) -> None:
    assert paths.of_user(kind) == known_folder(known)
    assert paths.of_user(kind, str(tmp_path)) == tmp_path / paths.USUAL[kind]


def known_folder(guid: str) -> Path:
    """SHGetKnownFolderPath itself."""
    windows: Any = ctypes
    found = ctypes.c_wchar_p()
    wanted = uuid.UUID(guid).bytes_le
    assert not windows.windll.shell32.SHGetKnownFolderPath(wanted, 0, None, ctypes.byref(found))
    return Path(str(found.value))


@pytest.mark.skipif(sys.platform != "win32", reason="asks Windows itself")
def test_on_windows_moved_documents_are_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("WIN_PD_OVERRIDE_PERSONAL", str(tmp_path))
    assert paths.elsewhere(Path.home() / "Documents/a.txt") == f"The user's Documents folder is {tmp_path}."
    with pytest.raises(Refused, match="no file or folder") as refused:
        WindowsOpener({}, print).open("~/Documents/no such file.txt")
    assert str(tmp_path) in refused.value.advice


@pytest.mark.skipif(sys.platform != "win32", reason="only Windows has the limit")
def test_a_run_is_recorded_and_read_in_a_deep_folder(tmp_path: Path) -> None:
    deep = str(tmp_path)
    while len(deep) < LONGEST + 20:
        deep += "\\deep"
    store = RunStore(Path(lengthened(deep)))
    store.append("goal", {"text": "x"})
    store.keep_frame("f" * 32, b"picture", "jpg")
    store.close()
    assert "goal" in [record.kind for record in read(store.path)]
    assert (store.folder / "frames" / ("f" * 32 + ".jpg")).read_bytes() == b"picture"
