"""The exit codes of the program, and which one an exception becomes."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Callable
from pathlib import Path

DONE, FAILED, USAGE, STOPPED, NEEDS_USER, INTERRUPTED = 0, 1, 2, 3, 4, 130
"""Exit codes: 2 is wrong usage, 3 stopped by the human, 4 a question for the user is open, 130 Ctrl+C."""


def exit_code_of(run: Callable[[], int]) -> int:
    """Call `run` and return its exit code; `sys.exit`, Ctrl+C and uncaught errors give those that Python would give.

    An uncaught error goes to `sys.excepthook`. Without this a packaged Windows program without a console
    shows the error in a message box and waits there: a hand or guard would be taken to live, and a run that
    nobody looks at would never end. Output that nobody reads any more (`… | head`) is no error to report.
    """
    try:
        return run()
    except SystemExit as end:
        if isinstance(end.code, str) and sys.stderr is not None:
            sys.stderr.write(f"{end.code}\n")
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:  # noqa: BLE001 - the boundary of the process
        if not (isinstance(error, BrokenPipeError) and _nobody_reads()):
            sys.excepthook(type(error), error, error.__traceback__)
        return FAILED


def _nobody_reads() -> bool:
    """Has whoever read our output gone? Then it goes nowhere from here on, or Python would complain when it ends."""
    if not hasattr(select, "poll"):
        return False
    poll = select.poll()
    poll.register(1, select.POLLOUT)
    gone = any(events & select.POLLERR for _, events in poll.poll(0))
    if gone:
        with Path(os.devnull).open("wb") as sink:
            os.dup2(sink.fileno(), 1)
    return gone
