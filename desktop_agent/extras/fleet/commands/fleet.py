"""`desktop-agent fleet run`: works many goals over many desktops of a Ray cluster, or of this machine alone.

Exit codes: 0 all done, 1 some failed, 2 wrong usage, 3 stopped by you.
"""

from __future__ import annotations

import argparse
import os
import shlex
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

from desktop_agent.commands.run_command import run_command
from desktop_agent.extras.fleet.fleet_folder import FleetFolder, Order, kept_order
from desktop_agent.extras.fleet.goals_file import Defaults, FleetGoal, read_goals
from desktop_agent.protocol.errors import ConfigError
from desktop_agent.startup.exit_code import DONE, FAILED, STOPPED
from desktop_agent.startup.installation.launch_command import launch_command
from desktop_agent.support import log_file, optional_package, paths

EXAMPLES = (("fleet run GOALS", "many goals over many desktops (Ray)"),)

_OFFERED_HERE = os.cpu_count() or 1
"""Desktops of a cluster of this machine alone, unless told: an agent that acts once a second takes a third of a core, and most of one while it starts."""


def main(words: Sequence[str], launch: Callable[..., Sequence[str]] = launch_command) -> int:
    """Carry out what the arguments say; `launch` gives the command that starts the program on a desktop's machine."""
    parser = _parser()
    given = parser.parse_args(list(words))
    if (given.goals is None) == (given.resume is None):
        parser.error("say either the file of the GOALS or --resume")
    log_file.set_up(paths.logs())
    return run_command("fleet", lambda: _run(given, launch), ConfigError)


def _parser() -> argparse.ArgumentParser:
    outer = argparse.ArgumentParser(
        prog="desktop-agent fleet",
        description="Many goals over many desktops, each with an agent of its own, on a Ray cluster or on this machine alone.",
    )
    run = outer.add_subparsers(metavar="{run}", required=True).add_parser(
        "run",
        help="work the goals of a file",
        description="Work the goals of a file: one a line, or JSON lines with goal, id, target, model, allow and project.",
    )
    add = run.add_argument
    add("goals", nargs="?", metavar="GOALS", help="the file; blank lines and # comments are passed over")
    add("--out", metavar="DIR", help="the folder of the results (a new one in this folder); goals with a result are not worked again")  # fmt: skip
    add("--resume", metavar="DIR", help="go on with the goals of such a folder that have no result")
    add("--target", metavar="NAME", help="where to act, as in display (usually) or container")
    add("--model", metavar="NAME", help="who thinks")
    add("--allow", action="append", metavar="KIND:WHAT[:HOW]", help="where it may work without asking; may be given several times")  # fmt: skip
    add("--at-once", type=_count, metavar="N", help="desktops at once (all that the cluster offers; here one a processor)")  # fmt: skip
    add("--address", metavar="ADDRESS", help="a Ray cluster that is there, as in auto or 192.0.2.7:6379")
    add("--tries", type=_count, default=3, metavar="N", help="how often a goal is begun whose desktops are lost (3)")  # fmt: skip
    return outer


def _count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 10_000:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 to 10000")
    return int(text)


def _run(given: argparse.Namespace, launch: Callable[..., Sequence[str]]) -> int:
    optional_package.require("ray", "a fleet", "fleet")
    from desktop_agent.extras.fleet.fleet_run import FleetOptions, run_fleet
    from desktop_agent.extras.fleet.progress import FleetProgress, words_of

    out = Path(given.resume or given.out or time.strftime("fleet-%Y%m%d-%H%M%S")).absolute()
    order = _order(given, out)
    goals = _goals(order)
    options = FleetOptions(given.address, given.at_once, given.tries)
    with FleetFolder(out) as folder, closing(FleetProgress(sys.stdout)) as progress:
        folder.results(goals)  # before anything is said of this order
        folder.keep_order(order)
        print(f"{len(goals)} goals; results in {out}", flush=True)
        counts, stopped = run_fleet(goals, folder, options, launch, progress, _OFFERED_HERE)
    print(f"{words_of(counts)}; results in {out}")
    if stopped:
        print(f"Stopped. Go on with: desktop-agent fleet run --resume {shlex.quote(str(out))}")
        return STOPPED
    return FAILED if counts.failed else DONE


def _order(given: argparse.Namespace, out: Path) -> Order:
    """What is asked for: on going on what was, but for what is said anew. Raises ConfigError."""
    if given.resume is not None and given.out is not None:
        raise ConfigError(
            "Results that are gone on with stay where they are.", "Say either --out or --resume."
        )
    kept = Order(str(Path(given.goals).absolute()), "display") if given.goals else kept_order(out)
    return Order(
        kept.goals,
        given.target or kept.target,
        given.model or kept.model,
        tuple(given.allow) if given.allow is not None else kept.allow,
    )


def _goals(order: Order) -> tuple[FleetGoal, ...]:
    return read_goals(Path(order.goals), Defaults(order.target, order.model, order.allow))
