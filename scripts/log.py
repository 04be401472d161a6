"""The set-up's quiet progress line, and the log of all that it leaves out."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path


class Log:
    """A file that every command's output goes to; `keep` are file descriptors that commands inherit."""

    def __init__(self, path: Path, keep: Sequence[int] = ()) -> None:
        self.path = path
        self.progress = False
        self._keep = tuple(keep)
        path.write_text("", encoding="utf-8")

    def step(self, words: str) -> None:
        """Tell that a part begins that takes a while."""
        self.say(f"{'' if self.progress else 'Setting up once: '}{words} … ")
        self.progress = True

    def say(self, words: str) -> None:
        """Write to the person who waits."""
        print(words, end="", file=sys.stderr, flush=True)

    def run(self, command: Sequence[str]) -> int:
        """Run to the end without input; returns the exit status (127 when there is no such program)."""
        with self.path.open("a", encoding="utf-8") as out:
            print("\n$", *command, file=out, flush=True)
            try:
                return subprocess.run(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=out,
                    stderr=subprocess.STDOUT,
                    pass_fds=self._keep,
                    check=False,
                ).returncode
            except OSError as error:
                print(error, file=out)
                return 127

    def where(self) -> str:
        """The last words of the log, and its path."""
        lines = self.path.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        return "\n    ".join(["The last lines were:", *lines[-5:]]) + f"\nAll of it is in {self.path}"
