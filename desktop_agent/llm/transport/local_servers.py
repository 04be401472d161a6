"""Finds the model servers that run on this computer, on their usual ports."""

from __future__ import annotations

import queue
import socket
import threading
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desktop_agent.llm.transport.served_models import Kind, ModelServer

PORTS: tuple[tuple[Kind, int], ...] = (
    ("Ollama", 11434),
    ("LM Studio", 1234),
    ("llama.cpp", 8080),
    ("vLLM", 8000),
)
SECONDS = 1.5
USUAL_BASE_URL = "http://127.0.0.1:11434/v1"
"""Where [llm.compatible] looks unless told otherwise: the usual place of Ollama."""
_HOST = "127.0.0.1"
_LOUD = {"a server": "A model server"}


def find_servers(
    seconds: float = SECONDS, ports: Sequence[tuple[Kind, int]] | None = None
) -> tuple[ModelServer, ...]:
    """The servers that answer on this computer within `seconds`, all asked at once, in the order of the ports."""
    asked = PORTS if ports is None else ports
    deadline = time.monotonic() + seconds
    answers: queue.SimpleQueue[tuple[int, ModelServer | None]] = queue.SimpleQueue()

    def ask(place: int, kind: Kind, port: int) -> None:
        answers.put((place, _server_at(kind, port, deadline)))

    for place, (kind, port) in enumerate(asked):
        threading.Thread(target=ask, args=(place, kind, port), name=f"port {port}", daemon=True).start()
    found: dict[int, ModelServer] = {}
    for _ in asked:
        try:
            place, server = answers.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            break
        if server is not None:
            found[place] = server
    return tuple(found[place] for place in sorted(found))


def _server_at(kind: Kind, port: int, deadline: float) -> ModelServer | None:
    left = deadline - time.monotonic()
    try:
        socket.create_connection((_HOST, port), max(0.01, left)).close()
    except OSError:
        return None
    from desktop_agent.llm.transport.served_models import ask_server  # HTTP is slow to load and rarely needed

    return ask_server(f"http://{_HOST}:{port}", kind, deadline - time.monotonic())


def how_to_use(server: ModelServer, base_url: str) -> str:
    """How to name a server's model to this program, whose config has `base_url` for a server of one's own."""
    name = server.models[0].name if server.models else "NAME"
    chosen = f"--model compatible:{name}"
    if base_url.rstrip("/") in (server.base_url, server.base_url.replace(_HOST, "localhost")):
        return chosen
    return f'base_url = "{server.base_url}" in [llm.compatible], then {chosen}'


def in_words(servers: Sequence[ModelServer], base_url: str) -> str:
    """A sentence for each server, with how to use it; "" for none."""
    return " ".join(
        f"{_LOUD.get(each.kind, each.kind)} is running here: {how_to_use(each, base_url)}."
        for each in servers
    )
