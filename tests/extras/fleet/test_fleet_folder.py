"""The folder of results: the log is whole after a crash, a result counts once, and records come whole or not at all."""

from __future__ import annotations

import io
import os
import sys
import tarfile
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from desktop_agent.extras.fleet.fleet_folder import LOG, FleetFolder, GoalResult, Order, events, kept_order
from desktop_agent.extras.fleet.goals_file import FleetGoal
from desktop_agent.extras.fleet.packed_recording import PIECE, pack
from desktop_agent.protocol.errors import ConfigError, StoreError

GOAL = FleetGoal("a", "do it", "do it")
RESULT = GoalResult("a", "do it", 0, 1.5, "node", 1, "done")


def test_a_torn_line_is_taken_out_and_the_log_goes_on(tmp_path: Path) -> None:
    with FleetFolder(tmp_path) as folder:
        folder.note("started", id="a")
    for torn in (b'{"event": "en', b"x" * 10_000):
        with (tmp_path / LOG).open("ab") as file:
            file.write(torn)
        with FleetFolder(tmp_path) as folder:
            folder.note("ended", id="a")
    assert [each["event"] for each in events(tmp_path / LOG)] == ["started", "ended", "ended"]
    assert (tmp_path / LOG).read_bytes().count(b"\n") == 3


@given(some.integers(min_value=0, max_value=200))
def test_wherever_it_was_torn_the_whole_lines_stay(tmp_path_factory: pytest.TempPathFactory, at: int) -> None:
    path = tmp_path_factory.mktemp("fleet")
    with FleetFolder(path, clock=lambda: 1.0) as folder:
        for number in range(4):
            folder.note("started", id=str(number))
    whole = (path / LOG).read_bytes()[:at]
    (path / LOG).write_bytes(whole)
    with FleetFolder(path):
        assert (path / LOG).read_bytes() == whole[: whole.rfind(b"\n") + 1]


def test_two_fleets_do_not_share_a_folder(tmp_path: Path) -> None:
    with FleetFolder(tmp_path), pytest.raises(StoreError, match="Another fleet"):
        FleetFolder(tmp_path)
    with FleetFolder(tmp_path):
        pass


def test_a_result_is_known_again_and_not_taken_for_that_of_another_goal(tmp_path: Path) -> None:
    with FleetFolder(tmp_path) as folder:
        assert folder.results([GOAL]) == {}
        folder.keep(RESULT)
        assert folder.results([GOAL]) == {"a": RESULT}
        with pytest.raises(ConfigError, match="another goal"):
            folder.results([FleetGoal("a", "do that", "do that")])
        (tmp_path / "a" / "result.json").write_text("{")
        with pytest.raises(StoreError, match="cannot be read"):
            folder.results([GOAL])


def test_an_end_that_was_not_logged_any_more_is_added_once(tmp_path: Path) -> None:
    for _ in range(2):
        with FleetFolder(tmp_path) as folder:
            folder.complete_log([RESULT])
    assert [each["id"] for each in events(tmp_path / LOG)] == ["a"]


def test_what_was_asked_for_is_kept(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no fleet to go on with"):
        kept_order(tmp_path)
    with FleetFolder(tmp_path) as folder:
        folder.keep_order(Order("/goals", "display", None, ("app:x",)))
    assert kept_order(tmp_path) == Order("/goals", "display", None, ("app:x",))


def recorded(folder: Path) -> Path:
    run = folder / "run-1"
    (run / "frames").mkdir(parents=True)
    (run / "events.jsonl").write_text("{}\n")
    (run / "frames" / "a.jpg").write_bytes(b"x" * (PIECE + 5))
    (run / "lock").touch()
    (run / "outside").symlink_to("/etc/passwd")
    return run


def test_a_record_comes_whole_in_pieces_and_without_links(tmp_path: Path) -> None:
    packed = tmp_path / "packed"
    size = pack(recorded(tmp_path / "there"), packed)
    data = packed.read_bytes()
    with FleetFolder(tmp_path / "out") as folder:
        folder.keep(RESULT)
        folder.keep_recording("a", "run-1", (data[at : at + PIECE] for at in range(0, size, PIECE)))
    found = tmp_path / "out" / "a" / "run-1"
    assert sorted(str(each.relative_to(found)) for each in found.rglob("*")) == ["events.jsonl", "frames", "frames/a.jpg"]  # fmt: skip
    assert (found / "frames" / "a.jpg").stat().st_size == PIECE + 5


def test_a_record_that_is_cut_or_leads_elsewhere_leaves_nothing(tmp_path: Path) -> None:
    packed = tmp_path / "packed"
    pack(recorded(tmp_path / "there"), packed)
    damaged = [packed.read_bytes()[:PIECE], b"nonsense", b""]
    with FleetFolder(tmp_path / "out") as folder:
        folder.keep(RESULT)
        for data in (*damaged, *(archive_of(*each) for each in ELSEWHERE)):
            with pytest.raises((ValueError, OSError)):
                folder.keep_recording("a", "run-1", [data])
    assert sorted(each.name for each in (tmp_path / "out" / "a").iterdir()) == ["result.json"]
    assert not (tmp_path / "out" / "evil").exists() and not (tmp_path / "evil").exists()


def member(name: str, kind: bytes = tarfile.REGTYPE, link: str = "") -> tarfile.TarInfo:
    each = tarfile.TarInfo(name)
    each.type, each.linkname = kind, link
    return each


def archive_of(*members: tarfile.TarInfo) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as file:
        for each in members:
            file.addfile(each)
    return packed.getvalue()


RUN_1 = member("run-1", tarfile.DIRTYPE)
ELSEWHERE = (
    (RUN_1, member("../../evil")),
    (RUN_1, member("run-1/../../../evil")),
    (RUN_1, member(str(Path(tempfile.gettempdir(), "evil")))),
    (RUN_1, member("run-1/evil", tarfile.SYMTYPE, "../../.."), member("run-1/evil/evil")),
    (RUN_1, member("run-1/evil", tarfile.LNKTYPE, "../../result.json")),
    (RUN_1, member("run-1/evil", tarfile.FIFOTYPE)),
    (RUN_1, member("run-1/evil", tarfile.CHRTYPE)),
    (RUN_1, member("run-1/twice"), member("run-1/twice")),
    (member("run-2", tarfile.DIRTYPE),),
)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such rights")
def test_a_record_brings_no_rights_and_no_owner_along(tmp_path: Path) -> None:
    packed = member("run-1/program")
    packed.mode, packed.uid, packed.gid = 0o6777, 12345, 12345
    with FleetFolder(tmp_path / "out") as folder:
        folder.keep(RESULT)
        folder.keep_recording("a", "run-1", [archive_of(RUN_1, packed)])
    found = (tmp_path / "out" / "a" / "run-1" / "program").stat()
    assert found.st_mode & 0o7111 == 0 and found.st_uid == os.getuid()


def test_unpacking_leans_on_nothing_that_the_oldest_python_lacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Debian 12 has Python 3.11.2, and `tarfile` its filters since 3.11.4."""
    monkeypatch.delattr(tarfile, "data_filter", raising=False)
    monkeypatch.setattr(
        tarfile.TarFile, "extractall", lambda opened, path=".", members=None, *, numeric_owner=False: None
    )
    monkeypatch.setattr(
        tarfile.TarFile,
        "extract",
        lambda opened, member, path="", set_attrs=True, *, numeric_owner=False: None,
    )
    packed = tmp_path / "packed"
    pack(recorded(tmp_path / "there"), packed)
    with FleetFolder(tmp_path / "out") as folder:
        folder.keep(RESULT)
        folder.keep_recording("a", "run-1", [packed.read_bytes()])
    assert (tmp_path / "out" / "a" / "run-1" / "events.jsonl").read_text() == "{}\n"
