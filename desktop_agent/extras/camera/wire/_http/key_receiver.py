"""Sends requests to what receives keys over HTTP, each at most once unless the receiver knows one that it has seen."""

from __future__ import annotations

import threading
import time
import uuid
from typing import TYPE_CHECKING, Any, Literal, TypeAlias
from urllib.parse import urlsplit

import msgspec

from desktop_agent.protocol.errors import Refused, TargetError
from desktop_agent.support.terminal_text import one_line

if TYPE_CHECKING:
    import httpx2

Path: TypeAlias = Literal["keystroke", "key-combo", "text"]

LARGEST_ANSWER = 64 * 1024
IDLE_SECONDS = 1.0
"""How long an idle connection is used again: less than any common server keeps one, so that none is cut in mid-request."""
BUSY_SECONDS = 0.02
ATTEMPTS = 3
CONNECT_SHARE = 0.3
"""Of the time of a request: nobody who is there takes longer to be connected to."""
SHORTEST = 0.05


class ReceiverHealth(msgspec.Struct, frozen=True):
    """What GET /health says: {"status": "ok", ...}; fields unknown here are left alone.

    `idempotency`: a request with an Idempotency-Key that it has seen is acknowledged and not carried out again.
    `instance` is another one after each start, where it is told.
    """

    status: str
    idempotency: bool = False
    instance: str = ""


class _AnswerLost(Exception):
    """A request went out, at least in part, and no answer came."""


class _NotSent(Exception):
    """Nobody was there to take the request."""


class KeyReceiver:
    """The receiver at an address ("http://127.0.0.1:8438"); `seconds` bounds what one request may take in all.

    A token is sent as `Authorization: Bearer`, where there is one. No proxy is used, no redirect followed.
    """

    def __init__(self, address: str, token: str, seconds: float) -> None:
        self.address = address.rstrip("/")
        self._token = token
        self._seconds = seconds
        self._client: httpx2.Client | None = None
        self._health: ReceiverHealth | None = None

    @property
    def name(self) -> str:
        """Its host and port."""
        return urlsplit(self.address).netloc

    def health(self, seconds: float | None = None) -> ReceiverHealth:
        """What it says of itself, within so many seconds. Raises TargetError where it is no receiver of keys, or not well."""
        try:
            status, body = self._request("GET", "health", None, "", seconds or self._seconds)
        except (_NotSent, _AnswerLost) as error:
            raise self._unreachable(error) from error
        self._check(status, body)
        try:
            health = msgspec.json.decode(body, type=ReceiverHealth)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            raise TargetError(
                f"What answers at {self.name} is no receiver of keys.", "Check address under [wire.http]."
            ) from None
        if health.status != "ok":
            raise TargetError(
                f"The receiver of keys at {self.name} is not well: {one_line(health.status, 100)}.",
                "Look at the other computer.",
            )
        self._health = health
        return health

    def post(self, path: Path, body: Any) -> None:
        """Have it pressed. Raises Refused where it knows no such key, TargetError where it did not or may not have arrived."""
        known = self._health or self.health()
        key = uuid.uuid4().hex if known.idempotency else ""
        end = time.monotonic() + self._seconds
        lost: Exception | None = None
        for attempt in range(ATTEMPTS):
            try:
                if lost is not None and self.health(_left(end)).instance != known.instance:
                    break  # it was started anew and knows nothing of the first
                status, answer = self._accepted(path, body, key, end, attempt)
            except _NotSent as error:
                if lost is None:
                    raise self._unreachable(error) from error
            except _AnswerLost as error:
                lost = error
            except TargetError:
                if lost is None:
                    raise
            else:
                self._check(status, answer)
                return
            if not key or time.monotonic() >= end:
                break
        raise TargetError(
            f"The receiver of keys at {self.name} gave no answer: whether the last keys arrived is not known.",
            "Look at the other computer before anything is typed again.",
        ) from lost

    def _accepted(self, path: Path, body: Any, key: str, end: float, attempt: int) -> tuple[int, bytes]:
        """Its answer; one that turns it away for now is waited out for half the time, as it was not carried out."""
        while True:
            left = _left(end)
            share = left / 2 if key and attempt + 1 < ATTEMPTS else left
            status, answer = self._request("POST", path, body, key, share)
            if status != 429 or end - time.monotonic() < self._seconds / 2:
                return status, answer
            threading.Event().wait(BUSY_SECONDS)

    def _request(self, method: str, path: str, body: Any, key: str, seconds: float) -> tuple[int, bytes]:
        """Status and at most LARGEST_ANSWER bytes. Raises _NotSent, _AnswerLost."""
        import httpx2

        client = self._connected()
        headers = {"Idempotency-Key": key} if key else {}
        content = {} if body is None else {"json": body}
        end = time.monotonic() + seconds
        limits = httpx2.Timeout(seconds * (1 - CONNECT_SHARE), connect=seconds * CONNECT_SHARE)
        try:
            with client.stream(
                method, f"{self.address}/{path}", headers=headers, timeout=limits, **content
            ) as answer:
                read = b""
                for chunk in answer.iter_raw(16 * 1024):
                    read += chunk
                    if len(read) > LARGEST_ANSWER or time.monotonic() > end:
                        break
                return answer.status_code, read[:LARGEST_ANSWER]
        except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout) as error:
            raise _NotSent(str(error)) from error
        except (httpx2.HTTPError, httpx2.StreamError) as error:
            raise _AnswerLost(str(error) or type(error).__name__) from error

    def _connected(self) -> httpx2.Client:
        import httpx2

        if self._client is None:
            headers = {"Accept-Encoding": "identity"}
            if self._token:
                headers["Authorization"] = f"Bearer {self._token}"
            self._client = httpx2.Client(
                headers=headers,
                trust_env=False,
                follow_redirects=False,
                limits=httpx2.Limits(max_connections=1, keepalive_expiry=IDLE_SECONDS),
            )
        return self._client

    def _check(self, status: int, body: bytes) -> None:
        """Raises what a status other than success means."""
        if 200 <= status < 300:
            return
        said = _words(body)
        if status in (400, 422):
            raise Refused(f"The receiver at {self.name} does not type that{said}.", "Use other keys or text.")
        if status in (401, 403):
            raise TargetError(
                f"The receiver of keys at {self.name} did not take the token.",
                "Check what token_from under [wire.http] names; the receiver tells its token when it starts.",
            )
        if status == 409:
            raise TargetError(
                f"The receiver of keys at {self.name} types nothing now{said}.", "Look at the other computer."
            )
        if status == 429:
            raise TargetError(f"The receiver of keys at {self.name} takes no more for now.", "Wait a while.")
        if status in (404, 405):
            raise TargetError(
                f"What answers at {self.name} is no receiver of keys.", "Check address under [wire.http]."
            )
        if 300 <= status < 400:
            raise TargetError(
                f"The receiver of keys at {self.name} sends us to another address.",
                "Set address under [wire.http] to where it is.",
            )
        raise TargetError(
            f"The receiver of keys at {self.name} failed with status {status}{said}.",
            "Look at the other computer before anything is typed again.",
        )

    def _unreachable(self, error: Exception) -> TargetError:
        return TargetError(
            f"Nothing receives keys at {self.name} ({one_line(str(error), 200)}).",
            "Start it (desktop-agent endpoint), or set address under [wire.http].",
        )

    def close(self) -> None:
        if self._client is not None:
            client, self._client = self._client, None
            client.close()


def _left(end: float) -> float:
    return max(SHORTEST, end - time.monotonic())


def _words(body: bytes) -> str:
    """What a refusal says of itself, as ": words"; "" for nothing that people could read."""
    try:
        said = msgspec.json.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return ""
    detail = said.get("error") or said.get("detail") if isinstance(said, dict) else None
    return f": {one_line(detail, 200).rstrip('.')}" if isinstance(detail, str) and detail else ""
