"""What the check tells while it goes on, and what it keeps: a log, pictures, a summary."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path

from installer.windows_check.outcome import Budget, Outcome


class Progress:
    """Prints each step with its outcome and seconds; `kept` is the folder of results, `log` a file in it."""

    def __init__(self, kept: Path, budget: Budget) -> None:
        self.kept, self.budget = kept, budget
        self.log = kept / "log.txt"
        self.outcomes: list[Outcome] = []
        self._began = time.monotonic()
        kept.mkdir(parents=True, exist_ok=True)
        self.log.touch()

    @contextlib.contextmanager
    def timed(self, name: str) -> Iterator[None]:
        """Tell that a step begins, and how long it took."""
        began = time.monotonic()
        print(f"{name} … ", end="", flush=True)
        try:
            yield
        except BaseException:
            print("failed", flush=True)
            raise
        print(f"{time.monotonic() - began:.0f} s", flush=True)

    def tell(self, part: str, outcomes: Iterable[Outcome]) -> None:
        """Print what was tried in a part and what came of it, each as it comes, and keep it."""
        for each in outcomes:
            self.outcomes.append(Outcome(f"{part}: {each.name}", each.passed, each.words, each.seconds))
            word = "ok    " if each.passed else "FAILED"
            print(f"  {word} {each.seconds:6.1f} s  {part}: {each.name}: {each.words}", flush=True)

    @property
    def failed(self) -> list[Outcome]:
        """Those that did not do what they should."""
        return [each for each in self.outcomes if not each.passed]

    def finish(self, words: str) -> None:
        """Say how it ended and where everything is, and write the summary, `summary.json`."""
        seconds = time.monotonic() - self._began
        summary = {
            "words": words,
            "seconds": round(seconds, 1),
            "outcomes": [asdict(o) for o in self.outcomes],
        }
        print(f"{words} ({seconds:.0f} s; screenshots, log and summary are in {self.kept})", flush=True)
        text = json.dumps(summary, indent=1, ensure_ascii=False) + "\n"
        try:
            (self.kept / "summary.json").write_text(text, encoding="utf-8")
        except OSError as error:  # a full disk does not change how it ended
            print(f"The summary could not be written: {error}", flush=True)

    def where(self) -> str:
        """The last words of the log, and its path."""
        lines = self.log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        return "\n    ".join(["The last lines were:", *lines[-8:]]) + f"\nAll of it is in {self.log}"
