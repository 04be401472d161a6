"""What a hand and a guard leave on Windows: removed once none of the three processes is there."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

import pytest

from desktop_agent.hand.ipc import stale_folders
from desktop_agent.hand.ipc.shared_block import Shared

pytestmark = pytest.mark.skipif(sys.platform != "win32", reason="other systems remove files in use")


def test_a_folder_that_nobody_uses_is_removed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    folders = [tmp_path / f"of-hands-{name}" for name in ("used", "young", "left")]
    for folder in folders:
        folder.mkdir()
        (folder / "hand.log").write_bytes(b"")
    blocks = [Shared.create(folder / "shared") for folder in folders]
    blocks[1].close()
    blocks[2].close()
    for folder in (folders[0], folders[2]):
        os.utime(folder, (time.time() - 2 * stale_folders.NEW_SECONDS,) * 2)
    stale_folders.remove_left("of-hands-", "shared")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["of-hands-used", "of-hands-young"]
    blocks[0].close()
