"""Boots the machine: a fresh user profile, the source, a screen, Wine's server; takes it all away again."""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from desktop_agent.targets._embedded import write_authority
from installer.windows_check import limits
from installer.windows_check.machine import HEIGHT, PYCACHE, WIDTH, Machine
from installer.windows_check.namespace import DIE_WITH_PARENT, Namespace
from installer.windows_check.outcome import Broken
from installer.windows_check.workshop import temporary

LIBRARY = Path("win", "cp313", "Lib")
SOCKETS = Path("/tmp/.X11-unix")  # noqa: S108 - the fixed place of X's sockets


@contextlib.contextmanager
def booted(root: Path, source: Path, kept: Path) -> Iterator[Machine]:
    """A running machine from a chroot with Wine in it (see `ready`), with the project of `source`.

    Afterwards every process in it is dead, everything is unmounted, and its files are removed; only what
    went to `kept` stays, and byte code. Raises Broken when it does not come up.
    """
    with temporary(root.parent) as work:
        _fill(work, root, source)
        with contextlib.ExitStack() as stack:
            display = stack.enter_context(_screen(work / "tmp" / "xauthority"))
            namespace = stack.enter_context(Namespace(_mounts(root, work)))
            machine = Machine(
                display, work / "tmp" / "xauthority", work / "shared", kept, namespace, work / "root"
            )
            _start_wine(machine)
            yield machine


def _fill(work: Path, root: Path, source: Path) -> None:
    for name in ("root", "shared", "tmp", "home"):
        (work / name).mkdir()
    (work / "tmp" / PYCACHE).mkdir()
    begin_byte_code(root)
    shutil.copytree(root / "prefix", work / "prefix", symlinks=True)
    copy_tracked(source, work / "src")


def begin_byte_code(root: Path) -> None:
    """Make the folder of byte code beside `root` where there is none.

    Python looks for byte code there alone, so that of Windows Python's library in the chroot is put there.
    """
    place = root.parent / PYCACHE
    if place.is_dir():
        return
    unfinished = Path(tempfile.mkdtemp(prefix="run-", dir=root.parent))
    for file in (root / LIBRARY).rglob("__pycache__/*.pyc"):
        to = unfinished / file.parent.parent.relative_to(root)
        to.mkdir(parents=True, exist_ok=True)
        os.link(file, to / file.name)  # it is replaced, not written to, when it is of no use any more
    try:
        unfinished.rename(place)
    except OSError:  # another check has made it meanwhile
        shutil.rmtree(unfinished)


def copy_tracked(source: Path, to: Path) -> None:
    """Copy what belongs to the project, as it is now: what git tracks or would, or everything without git."""
    git = ["git", "-C", str(source), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    ran = subprocess.run(git, capture_output=True, check=False)
    if ran.returncode != 0:
        shutil.copytree(source, to, ignore=shutil.ignore_patterns(".*", "__pycache__", "bench-results"))
        return
    for name in filter(None, os.fsdecode(ran.stdout).split("\0")):
        if (source / name).is_file():  # not one that was deleted
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source / name, to / name)  # with its time, by which byte code is known as its own


def _mounts(root: Path, work: Path) -> list[list[str]]:
    """The chroot read-only, so that no run leaves anything in it, and what a run may write beside it."""
    inside = work / "root"
    SOCKETS.mkdir(mode=0o1777, exist_ok=True)
    binds = [("src", "src"), ("shared", "shared"), ("prefix", "prefix"), ("tmp", "tmp"), ("home", "root")]
    (work / "tmp" / SOCKETS.name).mkdir()
    return [
        ["mount", "--bind", str(root), str(inside)],
        ["mount", "-o", "remount,bind,ro", str(inside)],
        *(["mount", "--bind", str(work / name), str(inside / place)] for name, place in binds),
        ["mount", "-o", "remount,bind,ro", str(inside / "src")],
        ["mount", "--bind", str(SOCKETS), str(inside / "tmp" / SOCKETS.name)],
        # Byte code of the source stays for the boots after this one: compiling takes each of them as long as its start.
        ["mount", "--bind", str(root.parent / PYCACHE), str(inside / "tmp" / PYCACHE)],
        ["mount", "--rbind", "/dev", str(inside / "dev")],
        ["mount", "-t", "proc", "proc", str(inside / "proc")],
    ]


@contextlib.contextmanager
def _screen(authority: Path) -> Iterator[str]:
    """A bare X server, without a window manager: Wine manages its own windows. Yields ":NUMBER"."""
    write_authority(authority)
    reader, writer = os.pipe()
    # -noreset: without it the server resets when its last client leaves, which hides stuck keys.
    command = ["Xvfb", "-displayfd", str(writer), "-noreset", "-nolisten", "tcp", "-dpi", "96",
               "-auth", str(authority), "-screen", "0", f"{WIDTH}x{HEIGHT}x24"]  # fmt: skip
    server = subprocess.Popen(
        [*DIE_WITH_PARENT, *command], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, pass_fds=[writer],
    )  # fmt: skip
    try:
        os.close(writer)
        ready = select.select([reader], [], [], limits.SCREEN)[0]
        number = os.read(reader, 16).decode().strip() if ready else ""
        if not number:
            raise Broken("the X server (Xvfb) did not start")
        yield f":{number}"
    finally:
        server.terminate()
        server.wait()
        os.close(reader)


def _start_wine(machine: Machine) -> None:
    machine.unix(["wineserver", "-p"], limits.WINE)  # it stays between two programs
    said = machine.run([machine.python, "-c", "import sys; print(sys.platform)"], limits.WINE)
    if said.returncode != 0 or "win32" not in said.stdout:
        raise Broken(f"Windows Python did not start under Wine: {said.stdout[-500:]!r}")
