"""The cache: whole or not at all, one builder at a time, and nothing is removed that is mounted."""

from __future__ import annotations

import fcntl
import subprocess
from pathlib import Path

import pytest

from installer.windows_check import workshop
from installer.windows_check.boot import LIBRARY, begin_byte_code, copy_tracked
from installer.windows_check.machine import PYCACHE
from installer.windows_check.outcome import Broken, Budget

NAME, BEFORE = "0123456789ab", "ba9876543210"


@pytest.fixture
def budget() -> Budget:
    return Budget(60)


def fill(folder: Path) -> None:
    (folder / "whole").touch()


def never(folder: Path) -> None:
    raise AssertionError(f"built again in {folder}")


def test_it_is_built_once_and_what_was_before_goes(tmp_path: Path, budget: Budget) -> None:
    (tmp_path / BEFORE).mkdir()
    (tmp_path / "results").mkdir()
    for build in (fill, never):
        with workshop.prepared(tmp_path, NAME, build, budget) as place:
            assert place == tmp_path / NAME and (place / "whole").exists()
    assert sorted(each.name for each in tmp_path.iterdir()) == [NAME, "lock", "results"]


def test_a_build_that_fails_leaves_nothing(tmp_path: Path, budget: Budget) -> None:
    def fail(folder: Path) -> None:
        fill(folder)
        raise Broken("no room")

    with pytest.raises(Broken, match="no room"), workshop.prepared(tmp_path, NAME, fail, budget):
        pass
    assert [each.name for each in tmp_path.iterdir()] == ["lock"]


def test_what_a_killed_check_has_left_is_removed(tmp_path: Path, budget: Budget) -> None:
    with workshop.prepared(tmp_path, NAME, fill, budget):
        pass
    for left in ("building-x/root", "run-y", f"{NAME}/run-z/prefix"):
        (tmp_path / left).mkdir(parents=True)
    with workshop.prepared(tmp_path, NAME, never, budget) as place:
        assert sorted(each.name for each in tmp_path.iterdir()) == [NAME, "lock"]
        assert [each.name for each in place.iterdir()] == ["whole"]


def test_while_one_check_is_running_another_may_but_removes_nothing(tmp_path: Path, budget: Budget) -> None:
    with workshop.prepared(tmp_path, NAME, fill, budget):
        (tmp_path / "run-of-the-first").mkdir()
        with workshop.prepared(tmp_path, NAME, never, budget):
            assert (tmp_path / "run-of-the-first").exists()


def test_while_one_is_building_another_waits_and_then_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with (tmp_path / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with (
            pytest.raises(Broken, match="another check of Windows did not end"),
            workshop.prepared(tmp_path, NAME, never, Budget(0.3)),
        ):
            pass
    assert "waiting" in capsys.readouterr().out


def test_nothing_is_deleted_through_a_mount(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "with a space" / "dev"
    place.mkdir(parents=True)
    table = tmp_path / "mountinfo"
    words = str(place).replace(" ", "\\040")
    table.write_text(f"22 27 0:21 / /proc rw - proc proc rw\n24 27 0:6 / {words} rw - devtmpfs devtmpfs rw\n")
    monkeypatch.setattr(workshop, "MOUNTS", table)
    with pytest.raises(Broken, match=f"umount {place}"):
        workshop.remove(tmp_path / "with a space")
    assert place.exists()
    assert workshop.mounts_below(tmp_path / "with", table.read_text()) == [], "only below, not beside"


def test_a_mount_is_known_by_any_name() -> None:
    table = "24 27 0:6 / /var/キャッシュ/a\\134b rw - devtmpfs devtmpfs rw\n"
    assert workshop.mounts_below(Path("/var/キャッシュ"), table) == ["/var/キャッシュ/a\\b"]


def test_what_is_built_stays_while_another_version_is_asked_for(tmp_path: Path) -> None:
    with (
        workshop.prepared(tmp_path, NAME, fill, Budget(60)) as place,
        pytest.raises(Broken, match="did not end"),
        workshop.prepared(tmp_path, BEFORE, fill, Budget(0.3)),
    ):
        pass
    assert (place / "whole").exists()


def test_the_recipe_decides_the_version(tmp_path: Path) -> None:
    for name in workshop.RECIPE:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("numpy==1")
    first = workshop.version(tmp_path)
    assert len(first) == len(NAME)
    (tmp_path / workshop.RECIPE[0]).write_text("numpy==2")
    assert workshop.version(tmp_path) != first


def test_what_is_checked_is_the_project_as_it_is_now(tmp_path: Path) -> None:
    source, to = tmp_path / "source", tmp_path / "copy"
    source.mkdir()
    for name in ("kept.py", "gone.py", "new.py", "junk.pyc"):
        (source / name).write_text(name)
    (source / ".gitignore").write_text("*.pyc\n")
    for command in (["init", "-q"], ["add", "kept.py", "gone.py", ".gitignore"]):
        subprocess.run(["git", "-C", source, *command], check=True)
    (source / "gone.py").unlink()
    copy_tracked(source, to)
    assert sorted(each.name for each in to.iterdir()) == [".gitignore", "kept.py", "new.py"]


def test_byte_code_of_the_library_is_where_python_looks_for_it(tmp_path: Path) -> None:
    written = tmp_path / "root" / LIBRARY / "json" / "__pycache__" / "decoder.cpython-313.pyc"
    written.parent.mkdir(parents=True)
    written.write_bytes(b"code")
    begin_byte_code(tmp_path / "root")
    there = tmp_path / PYCACHE / LIBRARY / "json" / written.name
    assert there.read_bytes() == b"code"
    (tmp_path / PYCACHE / "kept").touch()
    begin_byte_code(tmp_path / "root")
    assert (tmp_path / PYCACHE / "kept").exists(), "what boots have added stays"
    assert sorted(each.name for each in tmp_path.iterdir()) == [PYCACHE, "root"]


def test_a_folder_deeper_than_calls_go_is_removed_too(tmp_path: Path) -> None:
    with workshop.temporary(tmp_path) as folder:
        at = folder
        for _ in range(1_500):
            at /= "d"
            at.mkdir()
    assert not any(tmp_path.iterdir())
