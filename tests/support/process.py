"""A module of the lab in a process of its own, spoken with in lines."""

from __future__ import annotations

import select
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import IO, cast

import msgspec

from benchmarks.report import ROOT, BenchmarkError

SECONDS = 60.0


class LabProcess:
    """A module of the lab in a process of its own, spoken with in lines."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self.pid = process.pid
        self._in, self._out = cast(IO[bytes], process.stdin), cast(IO[bytes], process.stdout)

    def say(self, message: msgspec.Struct) -> None:
        self._in.write(msgspec.json.encode(message) + b"\n")
        self._in.flush()

    def ask(self) -> str:
        """The answer to an empty line."""
        self._in.write(b"\n")
        self._in.flush()
        return self.line().decode().strip()

    def line(self) -> bytes:
        """The next line. Raises BenchmarkError when there is none."""
        ready = select.select([self._out], [], [], SECONDS)[0]
        if line := self._out.readline() if ready else b"":
            return line
        raise BenchmarkError("a process of the benchmark ended or fell silent (its words are above)")

    def hear(self, word: str) -> list[str]:
        """Skip lines until one begins with a word; the words after it."""
        while (words := self.line().decode().split())[:1] != [word]:
            if words[:1] == ["over"]:
                raise BenchmarkError(f"the batch ended too early: {' '.join(words[1:])}")
        return words[1:]


@contextmanager
def started(name: str, environment: Mapping[str, str]) -> Iterator[LabProcess]:
    command = [sys.executable, "-m", f"tests.support.{name}"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, env=environment, bufsize=0
    ) as process:
        try:
            yield LabProcess(process)
        finally:
            process.kill()
