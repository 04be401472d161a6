"""The project's git working tree. A command is written as after `git`, as in: commit -m "what is done".

status, diff, log, show, init, add, rm, mv, commit, restore, branch, switch and stash are there.
"""

import os
import re
import shlex
import subprocess
from pathlib import Path

COMMANDS = "status, diff, log, show, init, add, rm, mv, commit, restore, branch, switch, stash"
OUTSIDE = re.compile(r"(^|[=:]|^-\w)[/~]|(^|[=:/]|^-\w)\.\.(/|$)")  # whole paths, and those through ..
KEPT = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
OWN = {"GIT_CEILING_DIRECTORIES": str(Path.cwd().parent), "GIT_ALLOW_PROTOCOL": "none", "GIT_EDITOR": "false"}


def run(command):
    """Carry out a command of git; return what it prints."""
    words = shlex.split(command)
    if not words or words[0] not in COMMANDS.split(", "):
        raise ValueError(f"{words[0] if words else 'Nothing'} is refused. There is: {COMMANDS}.")
    for number, word in enumerate(words[1:]):
        if OUTSIDE.search(word) and words[number] not in ("-m", "-am", "--message"):
            raise ValueError(f"{word} is refused: it may lead out of the project.")
    done = subprocess.run(["git", *words], env={**KEPT, **OWN}, capture_output=True)
    told = (done.stdout + done.stderr).decode(errors="replace").strip()
    if done.returncode:
        raise ValueError(told or f"exit code {done.returncode}")
    return told


def screen():
    """The branch, and the files that are changed."""
    try:
        return run("status --short --branch")
    except ValueError as error:
        return str(error)
