"""A model provider on loopback: keeps what it is sent, and answers as Anthropic's Messages API does."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from desktop_agent.llm import anthropic
from desktop_agent.llm.base import Model
from desktop_agent.support.providers import key_hosts
from desktop_agent.support.web_origin import server_origin

Body = dict[str, Any]
_KEY = "sk-benchmark"


class Provider:
    """Answers each request with `answer(its body)`; `bodies` are the requests, `seconds` the time each took here.

    Without `reads` no body is parsed or kept, and `answer` is given an empty one: it all happens in one process,
    which would otherwise be busy with 1 MB a request while ours is measured.
    """

    def __init__(self, answer: Callable[[Body], str], *, reads: bool = True) -> None:
        self.bodies: list[Body] = []
        self.sizes: list[int] = []
        self.seconds: list[float] = []
        provider = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = (
                -1
            )  # head and body leave together: apart, the second waits 40 ms for the first's receipt

            def do_POST(self) -> None:
                raw = self.rfile.read(int(self.headers["Content-Length"]))
                began = time.perf_counter()
                body = json.loads(raw) if reads else {}
                if reads:
                    provider.bodies.append(body)
                provider.sizes.append(len(raw))
                found = json.dumps(_message(answer(body))).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(found)))
                self.end_headers()
                self.wfile.write(found)
                self.wfile.flush()
                provider.seconds.append(time.perf_counter() - began)

            def log_message(self, format: str, *args: Any) -> None:
                """Says nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def model(self, **options: Any) -> Model:
        """A model that asks here; its key is a made-up one."""
        os.environ["ANTHROPIC_API_KEY"] = _KEY
        key_hosts().confirm("env:ANTHROPIC_API_KEY", server_origin(self.url))
        return anthropic.create(anthropic.Options(base_url=self.url, stream=False, **options))

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _message(text: str) -> Body:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "benchmark",
        "content": [{"type": "text", "text": text}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }
