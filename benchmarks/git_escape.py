"""Files written in a project's sandbox, and the user's own git and other tools outside: is anything of the sandbox run there?

The ways (`git_cases/ways.jsonl`, by somebody who had not seen the protection) say what the user had set up, what is done
inside, and which commands the user gives outside; `expect` is `no-mark` (nothing may run) or `shown` (a file that such a
tool runs: its change has to be told).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from benchmarks.report import BenchmarkError, Goal, Report, counted, report
from desktop_agent.extras.project.tools import project
from desktop_agent.platforms.posix import bubblewrap
from desktop_agent.protocol import ops
from desktop_agent.protocol.stop_flag import StopFlag

WAYS = Path(__file__).parent / "git_cases" / "ways.jsonl"
_SECONDS = 60
_SETTINGS = "[user]\n\tname = User\n\temail = user@example.invalid\n[init]\n\tdefaultBranch = main\n[gc]\n\tauto = 0\n"
_BEGUN = """git init -q; echo one > app.txt; git add .; git commit -qm one; echo two >> app.txt; git commit -qam two
git init -q --bare ../remote.git; git remote add origin "$(cd ../remote.git; pwd)"; git push -qu origin main"""


class Way(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A way out; `file` is the one whose change has to be told where that is expected."""

    name: str
    inside: str
    outside: tuple[tuple[str, ...], ...]
    expect: Literal["no-mark", "shown"]
    setup: str = ""
    file: str = ""


def run(quick: bool) -> Report:
    """Try each way once; with `quick` every third."""
    if not bubblewrap.is_usable():
        raise BenchmarkError("No box can be made here, so there is nothing to try.")
    lines = WAYS.read_bytes().splitlines()[:: 3 if quick else 1]
    ways = [msgspec.json.decode(each, type=Way) for each in lines]
    bad = [each.name for each in ways if not held(each)]
    return report(
        "git_escape",
        counted(
            "ways by which something ran outside, or a change was not told",
            len(bad),
            len(ways),
            "ways",
            Goal(0),
        ),
        notes=bad,
    )


def held(way: Way) -> bool:
    """Does the protection hold against this way? Prints a line."""
    top = Path(tempfile.mkdtemp(prefix="desktop-agent-ways-"))
    top.chmod(0o755)
    try:
        ran, told = _tried(way, top)
    finally:
        subprocess.run(["rm", "-rf", "--", str(top)], check=False)
    good = any(way.file in each for each in told) if way.expect == "shown" else not ran
    print(f"{'held' if good else 'OUT '} {way.name} {', '.join(ran)}", flush=True)
    return good


def _tried(way: Way, top: Path) -> tuple[list[str], tuple[str, ...]]:
    """The user's commands that ran something of the sandbox, and what the sandbox told of changes."""
    folder, mark, environment = _begun(top)
    if way.setup:
        _outside(("bash", "-ec", way.setup), folder, environment)
    bubblewrap.give(folder)
    subprocess.run(["chown", "-R", "--reference", str(folder), str(folder)], check=True)
    box = project.create(project.Options(folder=str(folder), sandbox="bubblewrap"))
    box.start()
    try:
        box.begin()
        script = f"bash <<'END_OF_WAY'\nexport MARK={mark}\n{way.inside}\nEND_OF_WAY"
        box.execute(ops.Run("bash", script), StopFlag())
        told = box.findings()
    finally:
        box.close()
    ran = []
    for words in way.outside:
        if shutil.which(words[0]):
            _outside(words, folder, environment)
        if os.path.lexists(mark):
            ran.append(" ".join(words))
            mark.unlink()
    return ran, (*told, *box.findings())


def _begun(top: Path) -> tuple[Path, Path, dict[str, str]]:
    """A project with two commits and a remote, the mark that nobody may make, and the user's variables."""
    home, folder, out = top / "home", top / "project", top / "out"
    for each in (home, folder, out):
        each.mkdir()
    (home / ".gitconfig").write_text(_SETTINGS)
    environment = {
        "PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8", "TERM": "xterm", "TMPDIR": str(out),
        "GIT_CONFIG_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0", "GIT_EDITOR": "true", "PAGER": "cat",
        "GIT_CEILING_DIRECTORIES": str(top), "PYTHONDONTWRITEBYTECODE": "1",
        "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*",
    }  # fmt: skip
    _outside(("bash", "-ec", _BEGUN), folder, environment)
    return folder, out / "mark", environment


def _outside(words: Sequence[str], folder: Path, environment: Mapping[str, str]) -> None:
    """Give a command as the user does; how it ends does not matter."""
    try:
        subprocess.run(
            words,
            cwd=folder,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        print(f"git_escape: {words[0]} took too long", file=sys.stderr)
