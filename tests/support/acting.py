"""The brain's process in a measurement: a Qt event loop, hand and guard, and what shall be wrong with it.

Reads one JSON line an order and answers each with one JSON line when it is over; see `agent.py`.
"""

from __future__ import annotations

import ctypes
import json
import os
import select
import sys
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import msgspec
import openai
from PySide6.QtCore import QCoreApplication, QObject, Signal, Slot

from desktop_agent.hand.client import Hands
from desktop_agent.hand.ipc.shared_block import Shared
from desktop_agent.protocol import ops
from desktop_agent.protocol.batch import Batch
from desktop_agent.protocol.errors import HandError
from desktop_agent.protocol.geometry import Viewport
from desktop_agent.targets.base import Address

NOTICE_SECONDS = 2.0
BEGIN_SECONDS = 0.02
CALM_SECONDS = 0.03


class Place(msgspec.Struct, frozen=True):
    """The first line: where hand and guard work, and what the batches' coordinates mean."""

    address: Address
    view: Viewport


class Order(msgspec.Struct, frozen=True, tag=True):
    """Carry out `operations` while something is wrong: "interface" is blocked or "lock" is held in C
    for `seconds`, or "model" asks the server at `url` and acts on the answer after the reset."""

    operations: tuple[ops.Op, ...]
    trouble: str = ""
    seconds: float = 0.0
    url: str = ""


class Reset(msgspec.Struct, frozen=True, tag=True):
    """Reset the stop; with `late` the model's answer is then waited for, and acted on as if there had been no stop."""

    late: bool = False


class Interface(QObject):
    """The thread that would show the window. Signal `blocked`: stay away from the event loop so long (s)."""

    blocked = Signal(float)

    def __init__(self) -> None:
        super().__init__()
        self.blocked.connect(self._block)

    @Slot(float)
    def _block(self, seconds: float) -> None:
        say({"trouble": "interface"})
        select.select([], [], [], seconds)


class Brain:
    """Carries out orders, one after another, in the thread that calls `run`."""

    def __init__(self, place: Place, interface: Interface) -> None:
        self._interface = interface
        self._view = place.view
        self._noticed = threading.Event()
        self._hands = Hands(place.address, on_stop=lambda _: self._noticed.set())
        self._reply: Future[str] = Future()
        self._old = 0

    def run(self) -> None:
        """Until standard input ends."""
        self._hands.start()
        try:
            say({"pids": self._hands.pids})
            with ThreadPoolExecutor(1) as pool:
                for line in sys.stdin:
                    match msgspec.json.decode(line, type=Order | Reset):
                        case Order() as order:
                            self._reply = pool.submit(self._be_in_trouble, order)
                            say(self._carry_out(order))
                        case Reset(late):
                            say(self._reset(late))
        finally:
            self._hands.close()

    def _carry_out(self, order: Order) -> dict[str, Any]:
        before, self._old = self._shared.stops, self._hands.generation
        self._noticed.clear()
        results = self._hands.execute(Batch("b", order.operations, self._view, {}, self._old))
        ending = next((result for result in results if result.outcome != "done"), results[-1])
        after = self._await_stops(before) if ending.outcome == "stopped" else before
        return {
            "outcome": ending.outcome,
            "detail": ending.detail,
            "seconds": sum(result.seconds for result in results),
            "guard": after[1] - before[1],
            "hand": after[2] - before[2],
        }

    def _reset(self, late: bool) -> dict[str, Any]:
        """What a human does who has let go of ESC and seen that everything has stopped."""
        self._await_calm()
        self._hands.reset()
        return {"reset": self._act_late() if late else ""}

    def _act_late(self) -> str:
        """The model's answer comes after the stop and the reset: what becomes of the batch it asks for."""
        say({"trouble": "waiting"})
        batch = Batch("late", (ops.Type(self._reply.result()),), self._view, {}, self._old)
        return self._hands.execute(batch)[0].outcome

    @property
    def _shared(self) -> Shared:
        """What guard and hand say by themselves; the program has no use for it, a measurement has."""
        pair = self._hands._pair
        if pair is None:
            raise HandError("Hand and guard are gone.")
        return pair.shared

    def _await_stops(self, before: tuple[int, int, int]) -> tuple[int, int, int]:
        """The counts once brain, guard and hand have all noticed, or NOTICE_SECONDS later."""
        deadline = time.monotonic() + NOTICE_SECONDS
        while time.monotonic() < deadline:
            now = self._shared.stops
            if now[1] > before[1] and now[2] > before[2] and self._noticed.is_set():
                break
            select.select([], [], [], 0.002)
        return self._shared.stops

    def _await_calm(self) -> None:
        """Both ways of the guard have noticed what there was to notice."""
        stops, since = self._shared.stops, time.monotonic()
        while time.monotonic() - since < CALM_SECONDS:
            select.select([], [], [], 0.005)
            if self._shared.stops != stops:
                stops, since = self._shared.stops, time.monotonic()

    # ---- what may be wrong -------------------------------------------------------------------

    def _be_in_trouble(self, order: Order) -> str:
        match order.trouble:
            case "interface":
                self._interface.blocked.emit(order.seconds)
            case "lock":
                hold_lock(order.seconds)
            case "model":
                return ask_model(order.url)
        return ""


def hold_lock(seconds: float) -> None:
    """Hold the interpreter's lock in C: nothing else of this process's Python runs meanwhile."""
    select.select([], [], [], BEGIN_SECONDS)  # the batch is on its way by then
    say({"trouble": "lock"})
    ctypes.PyDLL(None).usleep(int(seconds * 1e6))


def ask_model(url: str) -> str:
    """Ask through the real SDK; it hangs as long as the server is silent."""
    client = openai.OpenAI(base_url=url, api_key="none", max_retries=0)
    reply = client.chat.completions.create(model="silent", messages=[{"role": "user", "content": "go on"}])
    return reply.choices[0].message.content or ""


def say(message: dict[str, Any]) -> None:
    """One line to the measurement."""
    os.write(1, json.dumps(message).encode() + b"\n")


def main() -> int:
    """Hand and guard in a thread, the interface in the main one, as in the program."""
    place = msgspec.json.decode(sys.stdin.readline(), type=Place)
    application = QCoreApplication(sys.argv)
    interface = Interface()
    threading.Thread(target=_run, args=(Brain(place, interface), application), name="agent").start()
    return application.exec()


def _run(brain: Brain, application: QCoreApplication) -> None:
    try:
        brain.run()
    finally:
        application.quit()


if __name__ == "__main__":
    sys.exit(main())
