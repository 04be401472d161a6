"""Receivers of keys for trials: one that behaves as it is told to, request by request."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

Behaviour = Literal["well", "lose", "late", "endless", "busy"]
"""How a request is answered: well; typed, but cut off before the answer; typed, and answered too late; an answer without an
end; turned away as one too many."""


@dataclass
class KeyServer:
    """`typed` is what arrived, in its order; `next` says how the next requests are answered, all after them well."""

    health: Any = field(default_factory=lambda: {"status": "ok"})
    next: list[Behaviour] = field(default_factory=list)
    status: int = 200
    answer: bytes = b'{"ok": true}'
    token: str = ""
    typed: list[tuple[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    address: str = ""
    over: threading.Event = field(default_factory=threading.Event)

    def take(self, path: str, body: Any, key: str) -> None:
        """Type it, unless it has a key that was seen."""
        if key and key in self.seen:
            return
        self.seen.add(key)
        self.typed.append((path, body))


@contextmanager
def key_server(**settings: Any) -> Iterator[KeyServer]:
    """A receiver on a loopback port while the block lasts."""
    server = KeyServer(**settings)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def log_message(self, *words: Any) -> None:
            pass

        def do_GET(self) -> None:
            server.headers.append(dict(self.headers))
            health = server.health if isinstance(server.health, bytes) else json.dumps(server.health).encode()
            self.say(200 if self.path == "/health" and self.allowed() else 401, health)

        def do_POST(self) -> None:
            server.headers.append(dict(self.headers))
            body = self.rfile.read(int(self.headers["Content-Length"]))
            behaviour = server.next.pop(0) if server.next else "well"
            if behaviour == "busy":
                self.say(429, b"{}")
                return
            if server.status == 200 and self.allowed():
                server.take(self.path, json.loads(body), self.headers.get("Idempotency-Key", ""))
            if behaviour == "lose":
                self.close_connection = True
            elif behaviour == "late":
                server.over.wait(20)
                self.close_connection = True
            elif behaviour == "endless":
                self.send_response(200)
                self.end_headers()
                self.close_connection = True
                try:
                    while not server.over.is_set():
                        self.wfile.write(b"x" * 65536)
                except OSError:
                    pass
            else:
                self.say(server.status if self.allowed() else 401, server.answer)

        def allowed(self) -> bool:
            return not server.token or self.headers.get("Authorization") == f"Bearer {server.token}"

        def say(self, status: int, body: bytes) -> None:
            self.send_response(status)
            if 300 <= status < 400:
                self.send_header("Location", "/health")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        listening.daemon_threads = True
        server.address = f"http://127.0.0.1:{listening.server_port}"
        thread = threading.Thread(target=listening.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.over.set()
            listening.shutdown()
            thread.join()
