"""A model's server on the loopback that takes a request and does not answer until it is told to."""

from __future__ import annotations

import json
import socket
import threading
from typing import Self

from benchmarks.report import BenchmarkError

ANSWER = {
    "id": "1",
    "object": "chat.completion",
    "created": 0,
    "model": "silent",
    "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "late"}}],
}
SECONDS = 30.0


class SilentModel:
    """`url` is the base URL for an OpenAI client; a call hangs until `answer` lets all waiting ones go."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}/v1"
        self._waiting: list[socket.socket] = []
        self._changed = threading.Condition()
        threading.Thread(target=self._accept, name="silent model", daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:  # closed
                return
            with self._changed:
                self._waiting.append(connection)
                self._changed.notify_all()

    def await_call(self) -> None:
        """Return when a call hangs. Raises BenchmarkError when none does in time."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._waiting, SECONDS):
                raise BenchmarkError("the model was not asked")

    def answer(self) -> None:
        """Answer every call that waits."""
        with self._changed:
            waiting, self._waiting = self._waiting, []
        body = json.dumps(ANSWER).encode()
        head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        for connection in waiting:
            with connection:
                connection.settimeout(SECONDS)
                connection.recv(65536)
                connection.sendall(head.encode() + b"Connection: close\r\n\r\n" + body)
                connection.shutdown(socket.SHUT_WR)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()
        for connection in self._waiting:
            connection.close()
