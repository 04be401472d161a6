"""A loopback server that answers like the model providers do, for tests through the real SDKs.

    with FakeServer(lambda request: '{"notes": "…", "actions": []}') as server:
        model = openai.create(openai.Options(base_url=f"{server.url}/v1"))

It speaks OpenAI Responses (/v1/responses), OpenAI Chat Completions (/v1/chat/completions,
/v1/models) and Anthropic Messages (/v1/messages), streaming or not as the request says, and refuses
what the real ones refuse: a wrong key, a schema outside the strict subset. The Anthropic SDK wants
`base_url=server.url`, without /v1.
"""

from __future__ import annotations

import json
import select
import threading
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from tests.llm import wire

KEY = "sk-test-0123456789abcdef"
Body = dict[str, Any]
Responder = Callable[[Request, Body], Response]


@dataclass(frozen=True)
class Seen:
    """One request as it arrived."""

    path: str
    headers: dict[str, str]
    body: Body


class FakeServer:
    """Answers every question with `answer(request body)`; `once` puts other answers before that.

    `url` is its address, `seen` all requests so far, `key` the only key it takes (None: any or none),
    `arrived` is set when a question has come, `left` when a client gives up on an answer that does not come, `models` the names it lists.
    """

    def __init__(self, answer: Callable[[Body], str], key: str | None = None) -> None:
        self.answer = answer
        self.key = key
        self.models = ["fake-model"]
        self.seen: list[Seen] = []
        self.arrived = threading.Event()
        self.left = threading.Event()
        self._over = threading.Event()
        self._next: deque[Responder] = deque()
        self._http = QuickServer(host="127.0.0.1", port=0, threaded=True)
        for version in ("/v1", ""):  # not every SDK is told the version in its address
            expect = self._http.expect_request
            expect(f"{version}/responses").respond_with_handler(self._handler(wire.RESPONSES))
            expect(f"{version}/chat/completions").respond_with_handler(self._handler(wire.CHAT))
            expect(f"{version}/messages").respond_with_handler(self._handler(wire.MESSAGES))
            expect(f"{version}/models").respond_with_handler(self._list_models)

    def __enter__(self) -> FakeServer:
        self._http.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._http.stop()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.port}"

    def tell(self, path: str, answer: Any) -> None:
        """Answer with this JSON at another path, as servers of one's own tell about their models."""
        self._http.expect_request(path).respond_with_json(answer)

    def once(self, *responders: Responder) -> None:
        """Answer the next requests with these, one each."""
        self._next.extend(responders)

    # ---- answers out of the ordinary, for `once` ---------------------------------------------

    def status(self, status: int, body: Body | str, **headers: str) -> Responder:
        """An error status; header names are written with underscores."""
        text = body if isinstance(body, str) else json.dumps(body)
        kind = "text/html" if isinstance(body, str) else "application/json"
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return lambda request, asked: Response(text, status, named, content_type=kind)

    def ending(self, ending: wire.Ending, text: str = '{"notes": "Half') -> Responder:
        """An answer that ends for another reason than being complete."""
        return lambda request, asked: _respond(_dialect(request), asked, text, ending)

    def events(self, *lines: str) -> Responder:
        """A stream of exactly these lines."""
        return lambda request, asked: Response(iter(lines), content_type="text/event-stream")

    def raw(self, body: str | bytes, kind: str) -> Responder:
        """Anything at all, as an answer."""
        return lambda request, asked: Response(body, content_type=kind)

    def broken_off(self, text: str) -> Responder:
        """A stream that ends in the middle of `text`."""

        def respond(request: Request, asked: Body) -> Response:
            lines = list(_dialect(request).events(text, "complete"))
            return Response(iter(lines[: len(lines) // 2]), content_type="text/event-stream")

        return respond

    def hang(self, begin: str = "") -> Responder:
        """Takes the request and then says nothing; `begin` is the beginning of an answer before that."""

        def respond(request: Request, asked: Body) -> Response:
            if not begin:
                self._wait_until_left(request)
                self.left.set()
                return Response(status=500)
            return Response(self._begin_and_wait(request, begin), content_type="text/event-stream")

        return respond

    def trickle(self, text: str) -> Responder:
        """A stream that goes on and on: the beginning of an answer, then comments without an end."""

        def lines(request: Request) -> Iterator[str]:
            yield from _beginning(request, text)
            while not self._over.wait(0.02):
                yield ": still here\n\n"

        return lambda request, asked: Response(lines(request), content_type="text/event-stream")

    # ---- ordinary answers --------------------------------------------------------------------

    def _handler(self, dialect: wire.Dialect) -> Callable[[Request], Response]:
        def handle(request: Request) -> Response:
            asked: Body = request.get_json()
            self.seen.append(Seen(request.path, dict(request.headers), asked))
            self.arrived.set()
            if self._next:
                return self._next.popleft()(request, asked)
            refusal = self._refusal(dialect, request, asked)
            return refusal or _respond(dialect, asked, self.answer(asked), "complete")

        return handle

    def _refusal(self, dialect: wire.Dialect, request: Request, asked: Body) -> Response | None:
        given = request.headers.get("Authorization", "").removeprefix("Bearer ")
        if self.key is not None and given != self.key:
            return Response(json.dumps(dialect.error("key", "invalid key")), 401, content_type=_JSON)
        problem = dialect.schema_problem(asked)
        if problem:
            return Response(json.dumps(dialect.error("request", problem)), 400, content_type=_JSON)
        return None

    def _list_models(self, request: Request) -> Response:
        listed = [{"id": name, "object": "model", "created": 0, "owned_by": "us"} for name in self.models]
        return Response(json.dumps({"object": "list", "data": listed}), content_type=_JSON)

    def _begin_and_wait(self, request: Request, text: str) -> Iterator[str]:
        try:
            # In one piece: a client that leaves during the beginning makes werkzeug forget to tell on Windows.
            yield "".join(_beginning(request, text))
            self._wait_until_left(request)
        finally:  # also when the client leaves during the beginning
            self.left.set()

    def _wait_until_left(self, request: Request) -> None:
        connection = request.environ["werkzeug.socket"]
        while not self._over.is_set():
            readable, _, _ = select.select([connection], [], [], 0.05)
            try:
                if readable and not connection.recv(1):
                    break
            except ConnectionError:  # on Windows it says so for ever, elsewhere once
                break


class QuickServer(HTTPServer):
    """Ends at once: the usual half second between looks for the end adds up over many tests."""

    def thread_target(self) -> None:
        assert self.server is not None
        self.server.serve_forever(poll_interval=0.01)


_JSON = "application/json"


def _dialect(request: Request) -> wire.Dialect:
    return next(each for each in wire.DIALECTS if request.path.endswith(each.path))


def _beginning(request: Request, text: str) -> Iterator[str]:
    """The events of a stream up to the last piece of `text`."""
    dialect = _dialect(request)
    for line in dialect.events(text, "complete"):
        if dialect.is_closing(line):
            return
        yield line


def _respond(dialect: wire.Dialect, asked: Body, text: str, ending: wire.Ending) -> Response:
    if asked.get("stream"):
        return Response(dialect.events(text, ending), content_type="text/event-stream")
    return Response(json.dumps(dialect.whole(text, ending)), content_type=_JSON)
