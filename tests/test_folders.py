"""Where things are kept, whatever the length of the path."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from desktop_agent import folders
from desktop_agent.agent.store import RunStore, read
from desktop_agent.folders import LONGEST, lengthened, shortened

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
    kept = {folders.settings(), folders.data(), folders.logs()}
    assert all("desktop-agent" in path.parts for path in kept)
    if sys.platform == "win32":
        assert folders.settings() == folders.data() == folders.logs().parent
        assert "Roaming" not in folders.data().parts and folders.data().parts.count("desktop-agent") == 1


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
