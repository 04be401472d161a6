"""The folder of a fleet's results: `fleet.jsonl`, and for each goal a folder with `result.json` and the run's record.

`fleet.jsonl` is only ever added to, one line an event. `result.json` is what counts: a goal that has one is not worked again.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from desktop_agent.extras.fleet.goals_file import FleetGoal
from desktop_agent.extras.fleet.packed_recording import unpack
from desktop_agent.platforms import host
from desktop_agent.protocol.errors import ConfigError, StoreError
from desktop_agent.support.paths import private_folder, write_private

LOG, RESULT, ORDER, LOCK = "fleet.jsonl", "result.json", "order.json", "fleet.lock"
_BLOCK = 4096


class GoalResult(msgspec.Struct, frozen=True):
    """How a goal ended; `recording` is the name of the run's folder beside it, "" for none."""

    id: str
    goal: str
    exit_code: int
    seconds: float
    node: str
    tries: int
    summary: str = ""
    cost: float | None = None
    cost_complete: bool = True
    steps: int = 0
    target: str | None = None
    model: str | None = None
    recording: str = ""


class Order(msgspec.Struct, frozen=True):
    """What was asked for, so that it can be gone on with: the file of the goals, and what holds for all of them."""

    goals: str
    target: str | None = None
    model: str | None = None
    allow: tuple[str, ...] = ()


class FleetFolder:
    """The folder, which one driver has at a time; closed at the end of the block. Raises StoreError."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.time) -> None:
        self.path, self._clock = path, clock
        try:
            private_folder(path)
            self._lock = (path / LOCK).open("ab")
        except OSError as error:
            raise StoreError(f"Results cannot be kept in {path}: {error.strerror}.") from error
        if not host.lock_file(self._lock):
            self._lock.close()
            raise StoreError(f"Another fleet is at work in {path}.", "Let it end, or choose another --out.")
        try:
            self._log = _opened(path / LOG)
        except OSError as error:
            self._lock.close()
            raise StoreError(f"{path / LOG} cannot be written: {error.strerror}.") from error

    def __enter__(self) -> FleetFolder:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._log)
        self._lock.close()

    def note(self, event: str, **facts: Any) -> None:
        """Add an event to the log, whole and on the disk when this returns. Raises StoreError."""
        line = msgspec.json.encode({"event": event, "time": round(self._clock(), 3), **facts}) + b"\n"
        try:
            while line:
                line = line[os.write(self._log, line) :]
            os.fsync(self._log)
        except OSError as error:
            raise self._full(error) from error

    def keep_order(self, order: Order) -> None:
        """Keep what was asked for. Raises StoreError."""
        self._write(self.path / ORDER, order)

    def results(self, goals: Sequence[FleetGoal]) -> dict[str, GoalResult]:
        """The results that are there, by id. Raises ConfigError where one is of another goal."""
        found = {}
        for goal in goals:
            result = _result(self.path / goal.id / RESULT)
            if result is not None and result.goal != goal.shown:
                raise ConfigError(
                    f"{self.path / goal.id} has the result of another goal: {result.goal}",
                    "Choose another --out, or another id.",
                )
            if result is not None:
                found[goal.id] = result
        return found

    def complete_log(self, results: Iterable[GoalResult]) -> None:
        """Add the ends that have a result and stand in no line, as after a driver that was killed between the two."""
        told = {each.get("id") for each in events(self.path / LOG) if each.get("event") == "ended"}
        for result in results:
            if result.id not in told:
                self.note("ended", **ended_facts(result))

    def keep(self, result: GoalResult) -> None:
        """Keep how a goal ended, whole or not at all. Raises StoreError."""
        try:
            private_folder(self.path / result.id)
        except OSError as error:
            raise self._full(error) from error
        self._write(self.path / result.id / RESULT, result)

    def keep_recording(self, goal_id: str, name: str, pieces: Iterable[bytes]) -> None:
        """Keep the record of a run that is sent in pieces. Raises OSError, ValueError and what `pieces` raises."""
        unpack(pieces, name, self.path / goal_id)

    def _write(self, path: Path, value: msgspec.Struct) -> None:
        try:
            write_private(path, msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n")
        except OSError as error:
            raise self._full(error) from error

    def _full(self, error: OSError) -> StoreError:
        return StoreError(
            f"Results cannot be kept in {self.path}: {error.strerror}.",
            "Free some space, then go on with --resume.",
        )


def ended_facts(result: GoalResult) -> dict[str, Any]:
    """What the log tells of an end."""
    names = ("id", "exit_code", "seconds", "node", "tries", "summary", "cost", "cost_complete")
    return {name: getattr(result, name) for name in names}


def kept_order(path: Path) -> Order:
    """What was asked for in this folder. Raises ConfigError where nothing was."""
    try:
        return msgspec.json.decode((path / ORDER).read_bytes(), type=Order)
    except (OSError, msgspec.DecodeError) as error:
        raise ConfigError(f"There is no fleet to go on with in {path}.") from error


def events(path: Path) -> list[Mapping[str, Any]]:
    """The whole lines of a log. Raises OSError."""
    found: list[Mapping[str, Any]] = []
    for line in path.read_bytes().splitlines():
        try:
            event = msgspec.json.decode(line)
        except msgspec.DecodeError:  # no line of ours
            continue
        if isinstance(event, dict):
            found.append(event)
    return found


def _opened(path: Path) -> int:
    """The log to be added to, without the torn line of a driver that was killed. Raises OSError."""
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
    descriptor = os.open(path, flags, 0o600)
    with os.fdopen(os.dup(descriptor), "rb") as file:
        size = file.seek(0, os.SEEK_END)
        whole = size
        while whole > 0:
            start = max(0, whole - _BLOCK)
            file.seek(start)
            at = file.read(whole - start).rfind(b"\n")
            if at >= 0:
                whole = start + at + 1
                break
            whole = start
    if whole < size:
        os.ftruncate(descriptor, whole)
    return descriptor


def _result(path: Path) -> GoalResult | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=GoalResult)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.DecodeError) as error:
        raise StoreError(
            f"{path} cannot be read: {error}.", "Remove it to have the goal worked again."
        ) from error
