"""Whether malformed model output reaches an input: what is not valid is refused, what is valid does what it says."""

from __future__ import annotations

import importlib.util
import random
import sys
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from benchmarks import fuzz_texts
from benchmarks.fuzz_check import FAULTS, Checker
from benchmarks.report import Figure, Goal, Report, counted, measured, report

SEED = 20_261_122
NONE = Goal(0)
_SHOWN = 5


def run(quick: bool) -> Report:
    """Say texts made by chance, and some that Hypothesis makes, through adapters and decoder to a hand."""
    tally = Tally()
    for number in range(20_000 if quick else 1_000_000):
        tally.take(*case(number))
    made = _with_hypothesis(tally, 300 if quick else 20_000)
    tally.show()
    return report("fuzz", *tally.figures(), *made)


def case(number: int) -> tuple[str, random.Random]:
    """The text with this number, and the chance that decides how it is split and spoken."""
    chance = random.Random(SEED * 10_000_000 + number)  # noqa: S311 - chance, not secrecy
    return fuzz_texts.text(chance), chance


@dataclass
class Tally:
    """What came of all texts."""

    checker: Checker = field(default_factory=Checker)
    kinds: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    faults: list[tuple[str, str]] = field(default_factory=list)

    def take(self, text: str, chance: random.Random) -> None:
        began = time.perf_counter()
        kind, detail = self.checker.check(text, chance)
        self.seconds.append((time.perf_counter() - began) * 1e6)
        self.kinds[kind] += 1
        if kind in FAULTS:
            self.faults.append((f"{kind}: {detail}", text))

    def show(self) -> None:
        """The first faults, for whoever has to mend them."""
        for words, text in self.faults[:_SHOWN]:
            print(f"fuzz: {words[:500]}\n      {text[:500]!r}", file=sys.stderr)

    def figures(self) -> Iterable[Figure]:
        said = self.kinds.total()
        for kind, words in FAULTS.items():
            yield counted(words, self.kinds[kind], said, "texts", NONE)
        yield counted("of these: refused as they should be", self.kinds["refused"] / said, said, "share")
        yield counted("of these: valid, and done as said", self.kinds["obeyed"] / said, said, "share")
        yield counted("input events that valid texts asked for", self.checker.events, said, "events")
        yield measured("a text from words to the last event", self.seconds, "us")


def _with_hypothesis(tally: Tally, examples: int) -> list[Figure]:
    """The same with texts that Hypothesis makes from the schema and shrinks; it comes with the tests' packages."""
    if importlib.util.find_spec("hypothesis") is None:
        print(
            "fuzz: Hypothesis is not installed, so its part is left out. ./test installs it.", file=sys.stderr
        )
        return []
    from benchmarks.fuzz_strategies import explore

    before = len(tally.faults)
    said = explore(lambda text: tally.take(text, random.Random(len(text))), examples)  # noqa: S311
    return [
        counted("made from the schema by Hypothesis: faults", len(tally.faults) - before, said, "texts", NONE)
    ]
