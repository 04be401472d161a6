"""`desktop-agent new environment NAME`: writes a module for a project's `env` folder, a template or one of the examples.

Exit codes: 0 written, 1 it could not be written, 2 wrong usage.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
from collections.abc import Sequence
from pathlib import Path

from desktop_agent.commands.run_command import run_command
from desktop_agent.extras.project.orchestrator import own_modules
from desktop_agent.protocol.errors import DesktopAgentError, Refused
from desktop_agent.startup.exit_code import DONE
from desktop_agent.support import resources
from desktop_agent.support.operating_system import LINUX

EXAMPLES = (("new environment NAME", "a module for a project's env folder: commands of its own"),)

_EXAMPLES, _TEMPLATE = "environments", "_template"
LIKE = {
    "sqlite": "Its database is data.db in the project: FILE at its top.",
    "http": 'Name servers in ALLOWED at its top, and in [environment.project]: network = "listed", allowed = […].',
    "git": "Commits need a user: git config user.name and user.email in the project.",
    "spreadsheet": "It needs openpyxl: pip install --target {env} openpyxl",
    "browser": 'It needs chromium, and servers in [environment.project]: network = "listed", allowed = […].',
}
"""The examples, and what each needs."""
_SHARED = re.compile(r"^from (_\w+) import ", re.MULTILINE)


def main(words: Sequence[str]) -> int:
    """Write what the arguments name, and print what to do next."""
    given = _parser().parse_args(list(words))
    return run_command("new", lambda: _act(given), Refused)


def _act(given: argparse.Namespace) -> int:
    folder = Path(given.project).expanduser()
    try:
        written = write_environment(given.name, folder, given.like)
    except OSError as error:
        raise DesktopAgentError(f"{error.filename or folder} cannot be written: {error.strerror}.") from error
    print(_next(written, folder.resolve(), given.like))
    return DONE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="desktop-agent new", description="Write the beginning of something of your own."
    )
    kinds = parser.add_subparsers(required=True, metavar="environment")
    words = "a module for a project's env folder: a place that carries out commands of its own"
    environment = kinds.add_parser("environment", help=words, description=words[0].upper() + words[1:] + ".")
    environment.add_argument("name", metavar="NAME", help="what it is called: small letters, digits and _")
    environment.add_argument(
        "--project", metavar="DIR", default=".", help="the project's folder (else the one you are in)"
    )
    environment.add_argument(
        "--like", choices=list(LIKE), help="begin with this example instead of a template"
    )
    return parser


def write_environment(name: str, project: Path, like: str | None = None) -> Path:
    """Write `env/NAME.py`, and beside it what that shares; returns its path. Raises Refused, OSError; nothing is replaced."""
    if why := own_modules.problem_of_name(name):
        raise Refused(why)
    _require_project(project)
    folder = project.resolve() / own_modules.FOLDER
    path = folder / f"{name}.py"
    if path.is_symlink() or path.exists():
        raise Refused(f"{path} is there already.", "Choose another name, or change it.")
    if len(own_modules.found_in(project).modules) >= own_modules.MOST:
        raise Refused(f"{folder} has {own_modules.MOST} environments already, and more are not loaded.")
    text = resources.text(_EXAMPLES, f"{like or _TEMPLATE}.py")
    texts = {folder / f"{each}.py": resources.text(_EXAMPLES, f"{each}.py") for each in _SHARED.findall(text)}
    for place, shared in texts.items():
        if place.exists() and place.read_text(encoding="utf-8") != shared:
            raise Refused(f"{place} is there already, and is another one than {like} needs.", "Rename it.")
    try:
        folder.mkdir(exist_ok=True)
        _hand_over(folder, project)
    except FileExistsError:
        raise Refused(
            f"{folder} is no folder.", "Rename it: environments are in a folder of that name."
        ) from None
    for place, shared in texts.items():
        if not place.exists():
            _write(place, shared, project)
    _write(path, text, project)
    return path


def _require_project(project: Path) -> None:
    if not project.is_dir():
        raise Refused(f"{project} is no folder.", "Name the project's folder: --project DIR.")
    if Path.home().resolve().is_relative_to(project.resolve()):
        raise Refused(
            f"{project.resolve()} is your home or holds it: no project of its own.",
            "Name a folder: --project DIR.",
        )


def _write(place: Path, text: str, project: Path) -> None:
    try:
        with place.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise Refused(f"{place} is there already.", "Choose another name, or change it.") from None
    _hand_over(place, project)


def _hand_over(place: Path, project: Path) -> None:
    """Give what was made to the one whom the project belongs to; only root may, and only root has to."""
    if LINUX and os.geteuid() == 0:
        owner = project.stat()
        os.chown(place, owner.st_uid, owner.st_gid, follow_symlinks=False)


def _next(written: Path, project: Path, like: str | None) -> str:
    lines = [f"{written} is written."]
    if like:
        lines.append(LIKE[like].format(env=shlex.quote(str(written.parent))))
    lines += [
        "Change it as you like: it is loaded anew with the next command.",
        f'Try it: desktop-agent --project {shlex.quote(str(project))} "try {written.stem}"',
        f"What a module has to hold: {resources.path(_EXAMPLES, 'README.md')}",
    ]
    return "\n".join(lines)
