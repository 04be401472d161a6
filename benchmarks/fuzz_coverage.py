"""The fuzzing guided by coverage: `python -m benchmarks.fuzz_coverage [SECONDS]`, with the package atheris installed.

An option beside `./bench fuzz`: atheris is large, exists for Linux and macOS only, and no part of the
locked environment. It ends with 0 when no fault was found, else with the text that shows one.
"""

from __future__ import annotations

import importlib
import random
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

_SEEDS = 500
_MISSING = (
    "fuzz_coverage: the package atheris is not installed, and it is no part of this project's environment.\n"
    "Install it beside it with: .venv/bin/python -m pip install atheris   (Linux or macOS)\n"
    "Without it, ./bench fuzz tries texts made by chance and by Hypothesis."
)


class Fault(Exception):
    """A text did what it should not."""


def main(argv: Sequence[str]) -> int:
    """Fuzz for so many seconds (60); atheris ends the process itself."""
    try:
        atheris: Any = importlib.import_module("atheris")
    except ImportError:
        print(_MISSING, file=sys.stderr)
        return 1
    seconds = argv[0] if argv else "60"
    if not seconds.isascii() or not seconds.isdigit():
        print(f"fuzz_coverage: {seconds!r} is no number of seconds.", file=sys.stderr)
        return 2
    with atheris.instrument_imports(
        include=["desktop_agent.protocol", "desktop_agent.llm", "desktop_agent.hand"]
    ):
        check = importlib.import_module("benchmarks.fuzz_check")
        fuzz = importlib.import_module("benchmarks.fuzz")
    checker = check.Checker()

    def one(data: bytes) -> None:
        """The first bytes decide how the text is spoken."""
        text = data[2:].decode("utf-8", "surrogateescape")
        verdict = checker.check(text, random.Random(data[:2]))  # noqa: S311 - chance, not secrecy
        if verdict.kind in check.FAULTS:
            raise Fault(f"{verdict.kind}: {verdict.detail}\n{text!r}")

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as corpus:
        for number in range(_SEEDS):
            text = fuzz.case(number)[0]
            (Path(corpus) / str(number)).write_bytes(b"\1\2" + text.encode("utf-8", "replace"))
        atheris.Setup(
            [sys.argv[0], f"-max_total_time={seconds}", "-max_len=4096", "-verbosity=1", corpus], one
        )
        atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
