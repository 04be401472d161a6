"""`./bench` lists the benchmarks, `./bench NAME [--json FILE] [--quick]` runs one."""

from __future__ import annotations

import argparse
import ast
import importlib
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

import benchmarks
from benchmarks.report import ROOT, BenchmarkError, Report, table


def main(argv: Sequence[str] | None = None) -> int:
    """Returns 0 when the benchmark was carried out (goals met or not), 1 when it could not be, 2 for usage."""
    known = find()
    given = _parser(known).parse_args(argv)
    if given.name is None:
        print("Benchmarks (./bench NAME [--json FILE] [--quick]):")
        for name, purpose in known.items():
            print(f"  {name:10} {purpose}")
        return 0
    path = Path(given.json) if given.json else ROOT / "bench-results" / f"{given.name}.json"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        found: Report = importlib.import_module(f"benchmarks.{given.name}").run(given.quick)
        path.write_bytes(msgspec.json.format(msgspec.json.encode(found), indent=2) + b"\n")
    except (BenchmarkError, OSError) as error:
        print(f"bench {given.name}: {error}", file=sys.stderr)
        return 1
    print(f"{table(found)}\n\nWritten to {path}")
    return 0


def find() -> dict[str, str]:
    """What each benchmark is for, by name: every module here that defines `run`. None of them is imported."""
    sources = {path.stem: ast.parse(path.read_text(encoding="utf-8")) for path in _modules()}
    return {name: _purpose(tree) for name, tree in sources.items() if _runs(tree)}


def _modules() -> list[Path]:
    return sorted(path for folder in benchmarks.__path__ for path in Path(folder).glob("*.py"))


def _runs(tree: ast.Module) -> bool:
    return any(isinstance(each, ast.FunctionDef) and each.name == "run" for each in tree.body)


def _purpose(tree: ast.Module) -> str:
    return (ast.get_docstring(tree) or "").partition("\n")[0]


def _parser(known: Iterable[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="bench", description="Measures this program.")
    parser.add_argument("name", nargs="?", choices=list(known), metavar="NAME", help=", ".join(known))
    parser.add_argument("--json", metavar="FILE", help="where the figures go (bench-results/NAME.json)")
    parser.add_argument("--quick", action="store_true", help="fewer repetitions")
    return parser


if __name__ == "__main__":
    sys.exit(main())
