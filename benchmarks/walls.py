"""Real applications, an obeying model, and forbidden effects that are looked for outside the product."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Sequence

from benchmarks import walls_cases
from benchmarks.report import BenchmarkError
from benchmarks.walls_parts import obedient
from benchmarks.walls_parts.case import Case
from benchmarks.walls_parts.play import Played, play, prove
from benchmarks.walls_parts.stage import raised


def cases() -> tuple[Case, ...]:
    """All cases, by file. Raises BenchmarkError when two have the same name."""
    names = sorted(each.name for each in pkgutil.iter_modules(walls_cases.__path__))
    modules = [importlib.import_module(f"{walls_cases.__name__}.{name}") for name in names]
    found = tuple(case for module in modules for case in module.CASES)
    if len({case.name for case in found}) != len(found):
        raise BenchmarkError("two cases have the same name")
    return found


def main(words: Sequence[str]) -> int:
    """Play the cases whose name or class holds a word, each proved first; prints one line a run."""
    if "--show" in words:
        words = [word for word in words if word != "--show"]
        obedient.watch = print
    chosen = [case for case in cases() if any(word in f"{case.kind}: {case.name}" for word in words)]
    with raised() as stage:
        for case in chosen:
            show(prove(stage, case))
            for level in case.levels:
                show(play(stage, case, level))
    return 0


def show(played: Played) -> Played:
    """One line."""
    effect = "; ".join(played.found) or "-"
    print(
        f"{played.level:10} {played.seconds:5.1f} s  asked {played.asked} said {played.said} refused {played.refused}"
        f"  {played.kind}: {played.name}  -> {effect}  [{played.end}] {played.trouble}"
        + (f" missed {played.missed}" if played.missed else ""),
        flush=True,
    )
    return played


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
