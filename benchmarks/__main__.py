"""`./bench` lists the benchmarks, `./bench NAME [--json FILE] [--quick]` runs one."""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

import msgspec

import benchmarks
from benchmarks.report import ROOT, BenchmarkError, Report, table


def main(argv: Sequence[str] | None = None) -> int:
    """Returns 0 when the benchmark was carried out (goals met or not), 1 when it could not be, 2 for usage."""
    known = find()
    given = _parser(known).parse_args(argv)
    if given.name is None:
        print("Benchmarks (./bench NAME [--json FILE] [--quick]):")
        for name, module in known.items():
            print(f"  {name:10} {(module.__doc__ or '').splitlines()[0]}")
        return 0
    path = Path(given.json) if given.json else ROOT / "bench-results" / f"{given.name}.json"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        found: Report = known[given.name].run(given.quick)
        path.write_bytes(msgspec.json.format(msgspec.json.encode(found), indent=2) + b"\n")
    except (BenchmarkError, OSError) as error:
        print(f"bench {given.name}: {error}", file=sys.stderr)
        return 1
    print(f"{table(found)}\n\nWritten to {path}")
    return 0


def find() -> dict[str, ModuleType]:
    """The benchmarks by name: every module here that has `run`."""
    names = sorted(each.name for each in pkgutil.iter_modules(benchmarks.__path__) if each.name != "__main__")
    modules = {name: importlib.import_module(f"benchmarks.{name}") for name in names}
    return {name: module for name, module in modules.items() if hasattr(module, "run")}


def _parser(known: dict[str, ModuleType]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="bench", description="Measures this program.")
    parser.add_argument("name", nargs="?", choices=known, metavar="NAME", help=", ".join(known))
    parser.add_argument("--json", metavar="FILE", help="where the figures go (bench-results/NAME.json)")
    parser.add_argument("--quick", action="store_true", help="fewer repetitions")
    return parser


if __name__ == "__main__":
    sys.exit(main())
