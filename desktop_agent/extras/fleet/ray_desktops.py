"""Desktops that are actors of a Ray cluster, placed by the resource `desktop`."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

import ray
from ray import exceptions

from desktop_agent.extras.fleet.child_run import GRACE
from desktop_agent.extras.fleet.desktop_actor import DesktopActor, Launch
from desktop_agent.extras.fleet.desktops import (
    DesktopGone,
    DesktopLost,
    DesktopReady,
    GoalEnded,
    Happening,
    NotWorked,
)
from desktop_agent.extras.fleet.ended_goal import EndedGoal

RESOURCE = "desktop"
LEASE = 15.0
"""Seconds after which a desktop that hears nothing from the driver ends what it is at."""
_PIECE_SECONDS = 60.0
_CALLS = 4
"""Calls an actor takes at once: a goal, a piece of a record, the lease, its end."""


class RayDesktops:
    """Actors that Ray neither restarts nor runs twice: what is lost is for the dispatcher to give out anew."""

    def __init__(self, launch: Launch, lease: float = LEASE) -> None:
        self._launch, self._lease = launch, lease
        # It takes no processor and no memory by Ray's book: how many a machine bears is what `desktop` says.
        self._actor = ray.remote(DesktopActor).options(
            num_cpus=0, resources={RESOURCE: 1}, max_restarts=0, max_task_retries=0, max_concurrency=_CALLS
        )
        self._opened = 0
        self._handles: dict[str, Any] = {}
        self._nodes: dict[str, str] = {}
        self._pending: dict[Any, str] = {}
        self._closed = threading.Event()
        threading.Thread(target=self._renew, name="leases", daemon=True).start()

    def open(self) -> str:
        """Ask for an actor; it is placed whenever a node has a desktop to spare."""
        self._opened += 1
        name = f"desktop-{self._opened}"
        handle = self._actor.remote(self._launch, self._lease)
        self._handles[name] = handle
        self._pending[handle.where.remote()] = name
        return name

    def give(self, desktop: str, arguments: Sequence[str]) -> None:
        """Begin a goal there."""
        self._pending[self._handles[desktop].work.remote(tuple(arguments))] = desktop

    def recording(self, desktop: str, size: int) -> Iterator[bytes]:
        """The packed record of the last run, in pieces. Raises DesktopGone."""
        offset = 0
        while offset < size:
            try:
                piece = ray.get(self._handles[desktop].piece.remote(offset), timeout=_PIECE_SECONDS)
            except exceptions.RayError as error:
                raise DesktopGone(_first_line(error)) from error
            if not piece:
                raise DesktopGone(f"it ended after {offset} of {size} bytes")
            yield piece
            offset += len(piece)

    def happenings(self, seconds: float) -> Sequence[Happening]:
        """What is known of the calls that have ended; waits so long for the first."""
        if not self._pending:
            self._closed.wait(seconds)
            return ()
        waited_for = list(self._pending)
        if not ray.wait(waited_for, num_returns=1, timeout=seconds, fetch_local=False)[0]:
            return ()
        ended, _ = ray.wait(waited_for, num_returns=len(waited_for), timeout=0, fetch_local=False)
        return [self._told(self._pending.pop(each), each) for each in ended]

    def drop(self, desktop: str) -> None:
        """End an actor, with what runs there."""
        handle = self._handles.pop(desktop)
        self._nodes.pop(desktop, None)
        for call in [call for call, name in self._pending.items() if name == desktop]:
            del self._pending[call]
        _end([handle])

    def close(self) -> None:
        """End all actors, with what runs there."""
        self._closed.set()
        _end(list(self._handles.values()))
        self._handles.clear()
        self._pending.clear()

    def _told(self, desktop: str, call: Any) -> Happening:
        try:
            found = ray.get(call)
        except exceptions.ActorUnavailableError as error:  # it may live where it is
            return DesktopLost(desktop, _first_line(error), self._lease)
        except exceptions.ActorDiedError as error:
            return DesktopLost(desktop, _cause(error), 0.0 if self._node_lives(desktop) else self._lease)
        except exceptions.RayTaskError as error:
            return NotWorked(desktop, _first_line(error.cause if error.cause is not None else error))
        except exceptions.RayError as error:
            return DesktopLost(desktop, _first_line(error), self._lease)
        if isinstance(found, EndedGoal):
            return GoalEnded(desktop, found)
        node_id, name = found
        self._nodes[desktop] = node_id
        return DesktopReady(desktop, name)

    def _node_lives(self, desktop: str) -> bool:
        """Does its node live, so that Ray saw the actor's process end?"""
        node = self._nodes.get(desktop)
        return node is None or any(each["NodeID"] == node and each["Alive"] for each in ray.nodes())

    def _renew(self) -> None:
        while not self._closed.wait(self._lease / 3):
            for handle in list(self._handles.values()):
                with suppress(exceptions.RayError):
                    handle.renew.remote()


def _end(handles: Sequence[Any]) -> None:
    """Let actors end what runs there and tidy up, within the grace; then their processes are ended."""
    calls = [each.close.remote() for each in handles]
    if calls:
        ray.wait(calls, num_returns=len(calls), timeout=1.5 * GRACE)
    for each in handles:
        ray.kill(each, no_restart=True)


def _cause(error: exceptions.ActorDiedError) -> str:
    """Why an actor died: where it could not even begin, Ray puts the error last, below its traceback."""
    lines = str(error).strip().splitlines()
    return lines[-1].strip()[:500] if len(lines) > 1 and "creation task" in lines[0] else _first_line(error)


def _first_line(error: BaseException) -> str:
    words = str(error).strip() or type(error).__name__
    return words.partition("\n")[0][:500]
