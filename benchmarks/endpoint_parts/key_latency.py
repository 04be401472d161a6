"""From a key that is sent over HTTP until it stands in the pixels of the endpoint's window, on a display of its own."""

from __future__ import annotations

import os
import random
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from typing import NamedTuple

from benchmarks.report import BenchmarkError
from desktop_agent.protocol.geometry import Rect
from desktop_agent.targets import display as embedded
from desktop_agent.targets._embedded import EmbeddedDisplay
from tests.support.served_endpoint import TOKEN, EndpointClient
from tests.support.waiting import until

_LINE = 50
"""Keys until the line is emptied again."""
_SECONDS = 5.0
_GAP = 0.1
"""Seconds: longer than two pictures, and different ones, so that keys come at any time between two of them."""
_VARIABLE = "ENDPOINT_BENCH_TOKEN"


class KeyTimes(NamedTuple):
    """Milliseconds of each key: of those that come now and then, and of those of which each is sent when the last one is seen."""

    apart: list[float]
    at_once: list[float]


def key_to_pixels(keys: int) -> KeyTimes:
    """So many keys of each kind, with the client's connection open and the shell at its prompt. Raises BenchmarkError.

    The window paints 60 times a second at most: a key that is sent right after another was painted waits for the next time.
    """
    target = embedded.create(embedded.Options(width=1280, height=800))
    target.start()
    try:
        port = _free_port()
        argv = [
            sys.executable,
            "-m",
            "desktop_agent",
            "endpoint",
            "--port",
            str(port),
            "--shell",
            "/bin/bash",
        ]
        variables = {**os.environ, **target.environment, _VARIABLE: TOKEN}
        process = subprocess.Popen(
            [*argv, "--token-from", f"env:{_VARIABLE}"], env=variables, stdout=subprocess.DEVNULL
        )
        try:
            with EndpointClient(port) as client:
                until(lambda: _answers(client), "the endpoint")
                row = _row(target, client)
                return KeyTimes(
                    _measured(target, client, row, keys, _GAP), _measured(target, client, row, keys, 0)
                )
        finally:
            process.terminate()
            process.wait(30)
    finally:
        target.stop()


def _measured(
    target: EmbeddedDisplay, client: EndpointClient, row: Rect, keys: int, gap: float
) -> list[float]:
    """Each key once the row shows the one before, and up to `gap` seconds later."""
    found, chance, never = list[float](), random.Random(1), threading.Event()  # noqa: S311 - lots for a measurement
    for number in range(keys):
        if number % _LINE == 0:
            client.key("u", "ctrl")
            _at_rest(target, row)
        never.wait(chance.uniform(0, gap))
        before = target.observe(row).digest
        began = time.perf_counter()
        client.key("abcdefghij"[number % 10])
        while target.observe(row).digest == before:
            if time.perf_counter() - began > _SECONDS:
                raise BenchmarkError(f"key {number} was not shown within {_SECONDS:g} s")
        found.append((time.perf_counter() - began) * 1_000)
    return found


def _row(target: EmbeddedDisplay, client: EndpointClient) -> Rect:
    """The row of pixels that changes with what is typed: that of the prompt."""
    size = target.observe().size
    screen = Rect(0, 0, size.width, size.height)
    _at_rest(target, screen)
    before = target.observe(screen).pixels
    client.text("mmmm")
    _at_rest(target, screen)
    after = target.observe(screen).pixels
    stride = size.width * 4
    changed = [
        y
        for y in range(size.height)
        if before[y * stride : (y + 1) * stride] != after[y * stride : (y + 1) * stride]
    ]
    if not changed or changed[-1] - changed[0] > 60:
        raise BenchmarkError("the row that is typed in cannot be told")
    return Rect(0, changed[0], size.width, changed[-1] - changed[0] + 1)


def _at_rest(target: EmbeddedDisplay, area: Rect) -> None:
    """Wait until nothing has changed for a while."""
    last, since = "", time.monotonic()

    def rests() -> bool:
        nonlocal last, since
        now = target.observe(area).digest
        if now != last:
            last, since = now, time.monotonic()
        return time.monotonic() - since > 0.3

    until(rests, "a screen at rest")


def _answers(client: EndpointClient) -> bool:
    with suppress(OSError):
        return client.health().get("status") == "ok"
    return False


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])
