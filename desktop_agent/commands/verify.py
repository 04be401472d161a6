"""`desktop-agent verify LOG`: prints whether the logs of runs are whole, for people or as JSON.

Exit codes: 0 whole, 1 broken (with --strict also: not witnessed to its end), 2 wrong usage or unreadable.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from desktop_agent.protocol.errors import StoreError
from desktop_agent.support.terminal_text import json_safe, one_line

if TYPE_CHECKING:
    from desktop_agent.agent.runlog.audit import AuditResult

EXAMPLES = (("verify FOLDER", "whether the log of a run is whole"),)

WHOLE, BROKEN, UNREADABLE = 0, 1, 2
_SHOWN = 20


def main(words: Sequence[str]) -> int:
    """Verify the logs that the arguments name, and return the worst exit code."""
    from desktop_agent.agent.runlog.audit import verify

    given = _parser().parse_args(list(words))
    worst = WHOLE
    for name in given.logs:
        try:
            verdict = verify(Path(name), Path(given.heads) if given.heads else None)
        except StoreError as error:
            print(f"desktop-agent verify: {one_line(str(error))}", file=sys.stderr)
            worst = UNREADABLE
            continue
        fine = verdict.certain if given.strict else verdict.whole
        worst = max(worst, WHOLE if fine else BROKEN)
        print(_json(verdict) if given.json else "\n".join(_lines(verdict)))
    return worst


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="desktop-agent verify",
        description="Whether the log of a run is as it was written, whole to its end.",
        epilog="exit codes: 0 whole, 1 broken, 2 wrong usage or a log that cannot be read",
    )
    add = parser.add_argument
    add("logs", nargs="+", metavar="LOG", help="the folder of a run, or its events.jsonl")
    add("--heads", metavar="FOLDER", help="where the heads of the logs are kept, when the run was moved")
    add("--strict", action="store_true", help="fail also when the log is not witnessed to its end")
    add("--json", action="store_true", help="print each verdict as one JSON line")
    return parser


def _json(verdict: AuditResult) -> str:
    more = {"whole": verdict.whole, "certain": verdict.certain}
    return json_safe(msgspec.json.encode({**msgspec.to_builtins(verdict), **more}).decode())


def _lines(verdict: AuditResult) -> Iterator[str]:
    count = f"{verdict.lines} record{'' if verdict.lines == 1 else 's'}"
    if verdict.certain:
        yield f"{one_line(verdict.log)}: whole, {count}, witnessed to the end."
    else:
        yield f"{one_line(verdict.log)}: {'whole' if verdict.whole else 'BROKEN'}, {count}."
    yield from (f"  {one_line(str(problem))}" for problem in verdict.problems[:_SHOWN])
    if len(verdict.problems) > _SHOWN:
        yield f"  … and {len(verdict.problems) - _SHOWN} more."
    if any(problem.line for problem in verdict.problems):
        yield "  Trust what stands before the first line named, and nothing after it."
    yield from (f"  {one_line(note)}" for note in verdict.notes)
