"""The command line of the check: `installer/check_windows`."""

from __future__ import annotations

import argparse
import contextlib
import signal
import subprocess
import sys
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path

from installer.windows_check import limits, parts, ready, workshop
from installer.windows_check.outcome import Broken, Budget, OutOfTime, Skipped
from installer.windows_check.progress import Progress

ROOT = Path(__file__).resolve().parent.parent.parent


def main(argv: Sequence[str] | None = None) -> int:
    """Run the check; 0 when it passed or cannot be made here, 1 when it failed."""
    given = _parser().parse_args(argv)
    try:
        ready.require_linux()
        progress = Progress(workshop.results(), Budget(limits.WHOLE))
    except Skipped as reason:
        print(f"skipped: {reason}")
        return 0
    except OSError as error:
        print(f"FAILED: {error}")
        return 1
    return _told(given, progress)


def _told(given: argparse.Namespace, progress: Progress) -> int:
    """Make the check and tell what came of it; the command's status."""
    try:
        with _in_time(progress.budget):
            _check(given, progress)
    except Skipped as reason:
        progress.finish(f"skipped: {reason}")
        return 0
    except (Broken, OutOfTime, OSError, subprocess.TimeoutExpired) as error:
        progress.finish(f"FAILED: {error}")
        return 1
    except KeyboardInterrupt:
        progress.finish("interrupted")
        return 130
    except Exception as error:  # noqa: BLE001 - the command's own boundary: what nobody foresaw is told like the rest
        traceback.print_exc()
        progress.finish(f"FAILED: {type(error).__name__}: {error}")
        return 1
    if progress.failed:
        progress.finish("FAILED: " + ", ".join(each.name for each in progress.failed))
        return 1
    progress.finish("prepared" if given.prepare else "passed")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="installer/check_windows",
        description="Runs desktop-agent on Windows, as far as Wine is one: its tests, the program from source, "
        "and the packaged .exe. Builds a Debian with Wine in the cache folder first (needs root, some minutes).",
    )
    parser.add_argument("--only", choices=list(parts.PARTS), help="just this part")
    parser.add_argument("--prepare", action="store_true", help="just build what it runs in")
    return parser


def _check(given: argparse.Namespace, progress: Progress) -> None:
    with ready.ready(ROOT, progress) as root:
        if not given.prepare:
            (parts.PARTS[given.only] if given.only else parts.whole)(root, ROOT, progress)


@contextlib.contextmanager
def _in_time(budget: Budget) -> Iterator[None]:
    """Raise OutOfTime when the budget is used up, whatever is going on, and end in order when told to."""

    def late(*_: object) -> None:
        raise OutOfTime(f"the whole check took longer than its {budget.seconds / 60:.0f} minutes")

    def end(*_: object) -> None:
        raise KeyboardInterrupt

    before = [signal.signal(signal.SIGALRM, late), signal.signal(signal.SIGTERM, end)]
    signal.setitimer(signal.ITIMER_REAL, budget.seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before[0])
        signal.signal(signal.SIGTERM, before[1])


if __name__ == "__main__":
    sys.exit(main())
