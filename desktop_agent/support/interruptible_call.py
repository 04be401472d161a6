"""Runs a blocking call in a thread, so that a stop or a time limit ends the wait for it at once."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

from desktop_agent.protocol.stop_flag import StopFlag

T = TypeVar("T")
Say = Callable[[str], None]


class TookTooLong(Exception):
    """A call did not end within its time limit."""


@dataclass(frozen=True)
class _End(Generic[T]):
    """How the call ended: with a result, or with an error."""

    result: T | None = None
    error: Exception | None = None


class _Wake:
    """Put into the inbox by a stop, to wake the waiting thread."""


_Inbox = queue.SimpleQueue[Any]


def run(
    work: Callable[[Say], T],
    *,
    say: Say,
    stop: StopFlag,
    seconds: float,
    abandon: Callable[[], None],
) -> T:
    """Run `work` in a thread of its own, wait for it, and return what it returns.

    `work` gets a function for pieces of text; `say` receives them in the calling thread, so none
    arrives after this function has returned or raised. Raises Stopped as soon as `stop` is set,
    TookTooLong after `seconds`, and what `work` raises. Whenever the result is not waited for any
    more `abandon` is called: it should make the work end soon and must not block.
    """
    stop.check()
    inbox: _Inbox = queue.SimpleQueue()
    forget = stop.on_set(partial(inbox.put, _Wake()))
    threading.Thread(target=_carry_out, args=(work, inbox), name="model call", daemon=True).start()
    ended = False
    try:
        end: _End[T] = _listen(inbox, say, stop, time.monotonic() + seconds)
        ended = True
    finally:
        forget()
        if not ended:
            abandon()
    if end.error is not None:
        raise end.error
    return end.result  # type: ignore[return-value]  # None only when T allows it


def _carry_out(work: Callable[[Say], T], inbox: _Inbox) -> None:
    end: _End[T] = _End(error=RuntimeError("the call ended without a result"))
    try:
        end = _End(result=work(inbox.put))
    except Exception as error:  # noqa: BLE001  # thread boundary: raised again by the caller
        end = _End(error=error)
    finally:
        inbox.put(end)


def _listen(inbox: _Inbox, say: Say, stop: StopFlag, deadline: float) -> _End[T]:
    while True:
        left = deadline - time.monotonic()
        try:
            item = inbox.get(timeout=max(0.0, left))
        except queue.Empty:
            item = None
        stop.check()
        if isinstance(item, _End):
            return item
        if left <= 0:
            raise TookTooLong
        if isinstance(item, str):
            say(item)
