"""Builds what users get from the program in a folder: a setup for one user, and a portable zip: `python installer/build_setup.py`.

The setup is made by NSIS (makensis), which runs on Linux and on Windows alike.
"""

# ruff: noqa: T201 - a script of its own: it talks to who runs it

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from installer import contents

HERE, ROOT = Path(__file__).resolve().parent, contents.ROOT
OLDEST, NEXT = (3, 8), (4, 0)
"""The versions of NSIS that the script is written for: from the first on, below the second."""
PLACES = (Path(r"C:\Program Files (x86)\NSIS\makensis.exe"), Path(r"C:\Program Files\NSIS\makensis.exe"))
STUB = "amd64-unicode"
"""A setup of 64 bits, where this NSIS can make one (Debian's can): 32-bit programs do not start everywhere."""
SECONDS = 900
NAME, LICENCES, MARKER = "desktop-agent", "LICENCES.txt", "portable"


class Failed(Exception):
    """It cannot be built; the message says why and what to do."""


def main(argv: Sequence[str] | None = None) -> int:
    """Build both and say how big they are; 0, or 1 when it failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    usual = ROOT / "dist" / "onedir" / NAME
    parser.add_argument("--program", type=Path, default=usual, metavar="FOLDER", help=f"default: {usual}")
    parser.add_argument("--into", type=Path, default=ROOT / "dist", metavar="FOLDER", help="default: dist")
    given = parser.parse_args(sys.argv[1:] if argv is None else argv)
    try:
        for built in (build_zip(given.program, given.into), build_setup(given.program, given.into)):
            print(f"{built.stat().st_size / 1_000_000:6.1f} MB  {built}")
    except (Failed, OSError) as error:
        print(f"build_setup: {error}", file=sys.stderr)
        return 1
    return 0


def files_of(program: Path) -> list[Path]:
    """Every file of the program, relative to its folder. Raises Failed when it is not one."""
    if not (program / f"{NAME}.exe").is_file():
        raise Failed(f"{program} holds no {NAME}.exe: build it first, with installer/build_windows.py.")
    return sorted(each.relative_to(program) for each in program.rglob("*") if each.is_file())


def build_zip(program: Path, into: Path) -> Path:
    """The program in a zip, with the file by which it keeps its data beside itself. Raises Failed."""
    to = into / f"{NAME}-{contents.version()}-portable.zip"
    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as packed:
        for each in files_of(program):
            packed.write(program / each, f"{NAME}/{each.as_posix()}")
        packed.writestr(
            f"{NAME}/{MARKER}", "Settings, runs and logs are kept in the folder data beside this file.\n"
        )
        if (licences := program / "_internal" / LICENCES).is_file():
            packed.write(licences, f"{NAME}/{LICENCES}")
    return to


def build_setup(program: Path, into: Path) -> Path:
    """The setup of the program. Raises Failed."""
    maker, files = makensis(), files_of(program)
    to = into / f"{NAME}-{contents.version()}-setup.exe"
    to.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        write_lists(files, program.resolve(), Path(folder))
        stub = {"TARGET": STUB} if has_stub(maker) else {}
        defines = {"VERSION": contents.version(), "NUMBERS": numbers(), "OUT": to.resolve(), "LISTS": folder,
                   "ICON": ROOT / "assets" / "icons" / "app.ico", **stub}  # fmt: skip
        words = [f"-D{name}={value}" for name, value in defines.items()]
        command = [
            str(maker),
            "-V2",
            "-INPUTCHARSET",
            "UTF8",
            *words,
            str(HERE / "setup" / "desktop-agent.nsi"),
        ]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    if ran.returncode or not to.is_file():
        raise Failed(f"makensis ended with {ran.returncode}:\n{ran.stdout[-2000:]}{ran.stderr[-2000:]}")
    return to


def write_lists(files: Sequence[Path], program: Path, to: Path) -> None:
    """Write what installs and what removes exactly these files and their folders, the innermost folder first."""
    folders = sorted({each.parent for each in files}, key=lambda each: (len(each.parts), each))
    put, take = [], [f'Delete "{_inside(each)}"' for each in files]
    for folder in folders:
        put.append(f'SetOutPath "{_inside(folder)}"')
        put += [f'File "{_quoted(os.fspath(program / each))}"' for each in files if each.parent == folder]
    parents = {parent for folder in folders for parent in (folder, *folder.parents) if parent.parts}
    take += [f'RMDir "{_inside(each)}"' for each in sorted(parents, key=lambda each: -len(each.parts))]
    (to / "install.nsh").write_text("\n".join(put) + "\n", encoding="utf-8")
    (to / "remove.nsh").write_text("\n".join(take) + "\n", encoding="utf-8")


def _inside(path: Path) -> str:
    return "\\".join(("$INSTDIR", *(_quoted(part) for part in path.parts)))


def _quoted(text: str) -> str:
    return text.replace("$", "$$").replace('"', '$\\"')


def numbers() -> str:
    """
    >>> len(numbers().split("."))
    4
    """
    return ".".join([*contents.version().split("."), "0", "0", "0", "0"][:4])


def makensis() -> Path:
    """The NSIS of this machine. Raises Failed without one of a fitting version."""
    found = shutil.which("makensis") or next((str(each) for each in PLACES if each.is_file()), None)
    if found is None:
        raise Failed(
            "NSIS (makensis) is not installed: the package nsis of Debian and others, or NSIS for Windows."
        )
    said = subprocess.run([found, "-VERSION"], capture_output=True, text=True, timeout=60, check=False).stdout
    version = tuple(int(part) for part in re.findall(r"\d+", said)[:2])
    if not OLDEST <= version < NEXT:
        raise Failed(f"NSIS {said.strip()} does not fit: it must be 3.08 or a later 3.")
    return Path(found)


def has_stub(maker: Path) -> bool:
    """Whether this NSIS can make setups of 64 bits."""
    folders = (Path("/usr/share/nsis"), maker.parent)
    return any((folder / "Stubs" / f"zlib-{STUB}").is_file() for folder in folders)


if __name__ == "__main__":
    sys.exit(main())
