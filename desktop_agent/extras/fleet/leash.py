"""Runs a command that the kernel ends with the process that started it: `python -I -S leash.py PARENT COMMAND …`.

A process of its own does this and becomes the command: between fork and exec of a process with many threads, as one
of Ray's is, no Python may run.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1
CANNOT = 127
"""The exit code where the command cannot be started, as a shell gives it."""


def main(words: list[str]) -> None:
    """Become the command; end at once where the parent has gone already."""
    parent, command = int(words[0]), words[1:]
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        sys.exit(1)
    try:
        os.execvp(command[0], command)
    except OSError as error:
        sys.stderr.write(f"{command[0]} cannot be started: {error.strerror}\n")
        sys.exit(CANNOT)


if __name__ == "__main__":
    main(sys.argv[1:])
