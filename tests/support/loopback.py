"""A web server on the loopback interface, for pages that real browsers are worked on."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

HTML = "text/html; charset=utf-8"


class Handler(BaseHTTPRequestHandler):
    """Base of what answers: subclasses define `get` and `post`, which end with `say`."""

    def do_GET(self) -> None:
        self.get()

    def do_POST(self) -> None:
        self.post()

    def get(self) -> None:
        self.send_error(404)

    def post(self) -> None:
        self.send_error(404)

    def say(self, body: bytes, kind: str = HTML, status: int = 200) -> None:
        """Answer; a page that was left does not wait for it. Nothing is to be kept by the browser."""
        with suppress(ConnectionError):
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Cache-Control", "no-store")
            self.end_headers()
            self.wfile.write(body)

    def body(self) -> bytes:
        """What was posted."""
        return self.rfile.read(int(self.headers["Content-Length"]))

    def log_message(self, format: str, *words: object) -> None:
        """Quiet: what happened is kept by whoever serves."""


@contextmanager
def serving(handler: type[Handler]) -> Iterator[int]:
    """Serve on a free port, which is given, until the block ends."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
