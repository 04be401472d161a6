"""The log loses nothing and shows every cut and edit."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from desktop_agent.agent.runlog.hash_chained_log import RunStore, read
from desktop_agent.protocol.errors import StoreError
from tests.systems import kept_private


def filled(folder: Path, count: int = 5) -> Path:
    store = RunStore(folder)
    for number in range(count):
        store.append("note", {"text": f"fact {number} ünï"})
    store.close()
    return store.path


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    path = filled(tmp_path)
    assert [record.data["text"] for record in read(path)] == [f"fact {n} ünï" for n in range(5)]
    assert kept_private(tmp_path)


def test_a_torn_tail_is_cut_at_every_byte_and_writing_goes_on(tmp_path: Path) -> None:
    data = filled(tmp_path / "whole").read_bytes()
    for cut in range(data.rindex(b"\n", 0, len(data) - 1) + 1, len(data)):
        folder = tmp_path / str(cut)
        folder.mkdir()
        (folder / "events.jsonl").write_bytes(data[:cut])
        store = RunStore(folder)
        store.append("note", {"text": "after"})
        store.close()
        *facts, last = read(store.path)
        assert [record.data["text"] for record in facts[:4]] == [f"fact {n} ünï" for n in range(4)]
        torn = cut - data.rindex(b"\n", 0, cut) - 1
        assert [record.data["bytes"] for record in facts[4:]] == ([torn] if torn else [])
        assert last.data["text"] == "after"


def test_every_edit_shows(tmp_path: Path) -> None:
    path = filled(tmp_path)
    data = path.read_bytes()
    for changed in (data.replace(b"fact 2", b"fact 9"), data.replace(data.splitlines()[1] + b"\n", b"")):
        path.write_bytes(changed)
        with pytest.raises(StoreError, match="cut or changed"):
            list(read(path))


def test_a_picture_is_kept_once_by_content(tmp_path: Path) -> None:
    store = RunStore(tmp_path)
    assert store.keep_frame("abc", b"one", "jpg") == store.keep_frame("abc", b"two", "jpg")
    assert (tmp_path / "frames/abc.jpg").read_bytes() == b"one"
    store.close()


@pytest.mark.linux("a limit to the size of files is Linux's way to be short of space")
def test_a_full_disk_is_an_error_that_leaves_the_log_whole(tmp_path: Path) -> None:
    import resource

    store = RunStore(tmp_path)
    store.append("note", {"text": "before"})
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (store.path.stat().st_size + 40, hard))
    try:
        with pytest.raises(StoreError, match="cannot be recorded"):
            store.append("note", {"text": "x" * 500})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, handler)
    store.append("note", {"text": "room again"})
    store.close()
    assert [record.data["text"] for record in read(store.path)] == ["before", "room again"]


def test_a_folder_that_cannot_be_made_is_explained(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError, match="cannot be recorded"):
        RunStore(tmp_path / "file" / "run")


def test_a_killed_writer_loses_no_finished_record(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom pathlib import Path\nfrom desktop_agent.agent.runlog.hash_chained_log import RunStore\n"
        "store = RunStore(Path(sys.argv[1]))\nn = 0\n"
        "while True:\n    store.append('note', {'text': 'x' * 300}); print(n, flush=True); n += 1\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        told = [child.stdout.readline() for _ in range(50)]
        child.kill()
        told += child.stdout.read().splitlines(keepends=True)
    store = RunStore(tmp_path)
    store.close()
    whole = [line for line in told if line.endswith("\n")]
    assert len(list(read(store.path))) >= len(whole)
