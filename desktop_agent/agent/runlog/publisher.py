"""Publishes feed events: stamped with the time, redacted, written to the run's log, then passed to listeners."""

from __future__ import annotations

import time
from collections.abc import Callable

import msgspec

from desktop_agent.agent.runlog.hash_chained_log import RunStore
from desktop_agent.protocol.agent_events import ApprovalAsked, FeedEvent, LookTaken, NoteDelta, Status
from desktop_agent.redaction.redactor import StreamRedactor, redactor


class Feed:
    """The stream of events of one session. `store` is the log of the current run, None between runs.

    `status` is the last one that was told, whoever told it.
    """

    def __init__(self) -> None:
        self.store: RunStore | None = None
        self.status = Status(state="idle")
        self._listeners: list[Callable[[FeedEvent], None]] = []
        self._spoken = StreamRedactor(redactor())

    def subscribe(self, listener: Callable[[FeedEvent], None]) -> None:
        self._listeners.append(listener)

    def emit(self, event: FeedEvent) -> None:
        """Write the event to the log, then pass it to listeners. Raises StoreError: then nothing may be done."""
        stamped = self._clean(msgspec.structs.replace(event, time=round(time.time(), 6)))
        if self.store is not None and not isinstance(stamped, NoteDelta):
            self.store.append(str(type(stamped).__struct_config__.tag), without_pictures(stamped))
        self.tell(stamped)

    def record(self, kind: str, data: object) -> None:
        """Write data to the log only, such as what is about to be done. Raises StoreError."""
        if self.store is not None:
            self.store.append(kind, redactor().scrub(msgspec.to_builtins(data)))

    def tell(self, event: FeedEvent) -> None:
        """Pass an event to the listeners only, such as the one that says that the log cannot be written."""
        event = redactor().scrub(event)
        if isinstance(event, Status):
            self.status = event
        for listener in self._listeners:
            listener(event)

    def _clean(self, event: FeedEvent) -> FeedEvent:
        """The event without secrets; of a streamed note, what may be the beginning of a secret is held back."""
        if isinstance(event, NoteDelta):
            return msgspec.structs.replace(event, text=self._spoken.more(event.text))
        self._spoken.end()
        return redactor().scrub(event)


def without_pictures(event: FeedEvent) -> FeedEvent:
    """The event without its pictures, for JSON: they are kept as files."""
    if isinstance(event, LookTaken):
        return msgspec.structs.replace(event, preview=b"")
    if isinstance(event, ApprovalAsked):
        return msgspec.structs.replace(event, picture=b"")
    return event
