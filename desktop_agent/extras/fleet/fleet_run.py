"""One fleet from its goals to their ends."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager

import msgspec

from desktop_agent.extras.fleet.desktop_actor import Launch
from desktop_agent.extras.fleet.dispatcher import Counts, Dispatcher, Told
from desktop_agent.extras.fleet.fleet_folder import FleetFolder
from desktop_agent.extras.fleet.goals_file import FleetGoal
from desktop_agent.extras.fleet.ray_cluster import connected, desktops_offered
from desktop_agent.protocol.errors import ConfigError

_ENDING = (signal.SIGINT, signal.SIGTERM)


class FleetOptions(msgspec.Struct, frozen=True):
    """Where a fleet works: the cluster's address, None for one of this machine alone; `at_once` None for all it offers."""

    address: str | None = None
    at_once: int | None = None
    tries: int = 3
    lease: float | None = None


def run_fleet(
    goals: Sequence[FleetGoal],
    folder: FleetFolder,
    options: FleetOptions,
    launch: Launch,
    told: Told,
    own: int,
) -> tuple[Counts, bool]:
    """Work what has no result yet; returns how far it is, and whether it was stopped.

    `own` is how many desktops a cluster of this machine alone has, unless the options say. Raises ConfigError,
    TargetError, StoreError.
    """
    before = folder.results(goals)
    folder.complete_log(before.values())
    left = [each for each in goals if each.id not in before]
    if not left:
        done = sum(each.exit_code == 0 for each in before.values())
        return Counts(done, len(before) - done, 0, 0), False
    with connected(options.address, min(options.at_once or own, len(left))):
        from desktop_agent.extras.fleet.ray_desktops import (
            LEASE,
            RayDesktops,
        )  # Ray is loaded only to be used

        at_once = min(options.at_once or _offered(options, own), len(left))
        with _asked_to_end() as ending, closing(RayDesktops(launch, options.lease or LEASE)) as desktops:
            dispatcher = Dispatcher(
                left,
                desktops,
                folder,
                at_once=at_once,
                tries=options.tries,
                told=told,
                before=list(before.values()),
            )
            counts = dispatcher.run(ending.is_set)
            return counts, ending.is_set() and bool(counts.left or counts.running)


def _offered(options: FleetOptions, own: int) -> int:
    if options.address is None:
        return own
    if offered := desktops_offered():
        return offered
    raise ConfigError(
        "No node of the cluster offers a desktop now.",
        """Start nodes with --resources '{"desktop": N}', or say --at-once where they come when asked for.""",
    )


@contextmanager
def _asked_to_end() -> Iterator[threading.Event]:
    """While it lasts Ctrl+C and SIGTERM set the event; a second time they end the program at once."""
    asked = threading.Event()

    def ask(_number: int, _frame: object) -> None:
        if asked.is_set():
            raise KeyboardInterrupt
        asked.set()

    before = {each: signal.signal(each, ask) for each in _ENDING}
    try:
        yield asked
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
