"""Serves the endpoint: on this computer alone unless told otherwise, to whoever has its token unless told otherwise."""

from __future__ import annotations

import ipaddress
import socket
import threading

import uvicorn
from fastapi import FastAPI

from desktop_agent.protocol.errors import ConfigError
from desktop_agent.support.loopback_access import LOOPBACK_NAMES, Access

LOOPBACK = "127.0.0.1"
REQUESTS = 2_000.0
"""A second: twice what a hand types at most."""
LARGEST_BODY = 64 << 10
END_SECONDS = 5
_BACKLOG = 64
_ANY = ("0.0.0.0", "::")  # noqa: S104 - what is checked for


class EndpointServer:
    """An application served at an address, on a thread of its own, from `start` to `end`.

    Raises ConfigError where the address cannot be had, and where others than this computer could type without a token.
    """

    def __init__(self, app: FastAPI, token: str, port: int = 0, listen: str = LOOPBACK) -> None:
        self._listen = _address(listen)
        if not token and not self._listen.is_loopback:
            raise ConfigError(
                "Without a token everybody on the network could type here.",
                "Leave out --no-token, or --listen.",
            )
        self.token = token
        self._socket = _bound(self._listen, port)
        self.port: int = self._socket.getsockname()[1]
        access = Access(
            app,
            token,
            self.port,
            guarded=lambda _: True,
            is_own_name=self._is_own_name,
            requests=REQUESTS,
            largest_body=LARGEST_BODY,
        )
        self._server = uvicorn.Server(
            uvicorn.Config(
                access,
                log_level="error",  # it warns of requests before they are checked: anybody could fill the log
                access_log=False,
                lifespan="off",
                ws="none",
                proxy_headers=False,
                server_header=False,
                date_header=False,
                limit_concurrency=64,
                h11_max_incomplete_event_size=32 * 1024,
                timeout_graceful_shutdown=END_SECONDS,
            )
        )
        self._server.install_signal_handlers = lambda: None  # type: ignore[attr-defined]
        self._thread = threading.Thread(target=self._serve, name="endpoint", daemon=True)

    @property
    def address(self) -> str:
        """Where it is asked, without the token."""
        host = str(self._listen)
        if host in _ANY:
            host = socket.gethostname() if _is_name(socket.gethostname()) else LOOPBACK
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}"

    @property
    def is_of_this_computer(self) -> bool:
        """Can nobody else reach it?"""
        return self._listen.is_loopback

    def start(self) -> None:
        """Serve; what comes before it is ready waits."""
        self._socket.listen(_BACKLOG)
        self._thread.start()

    def end(self) -> None:
        """Serve no more; safe to call twice."""
        self._server.should_exit = True
        if self._thread.is_alive():
            self._thread.join(END_SECONDS * 2)
        self._socket.close()

    def _serve(self) -> None:
        self._server.run(sockets=[self._socket])

    def _is_own_name(self, name: str) -> bool:
        if self._listen.is_loopback:
            return name in LOOPBACK_NAMES
        try:
            asked = ipaddress.ip_address(name.strip("[]"))
        except ValueError:
            own = socket.gethostname().lower()
            return name.lower() in (own, f"{own}.local", "localhost")
        return (
            str(self._listen) in _ANY or asked == self._listen
        )  # a name could be led here by somebody (DNS rebinding), a number not


def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        raise ConfigError(
            f"{text!r} is no address to listen at.",
            "Give a number of this computer, as in --listen 192.168.1.20",
        ) from None


def _is_name(text: str) -> bool:
    return bool(text) and all(each.isalnum() or each in "-." for each in text)


def _bound(address: ipaddress.IPv4Address | ipaddress.IPv6Address, port: int) -> socket.socket:
    family = socket.AF_INET6 if address.version == 6 else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # asyncio sends at once only then
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((str(address), port))
    except (OSError, OverflowError) as error:
        found.close()
        why = error.strerror if isinstance(error, OSError) else "there is no such port"
        raise ConfigError(
            f"The endpoint cannot have the port {port} at {address}: {why}.",
            "Choose another: --port 0 takes any that is free.",
        ) from error
    return found
