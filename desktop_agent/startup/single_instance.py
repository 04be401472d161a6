"""Holds one lock per screen, so that a second start there finds the first and can ask something of it, as to show its window.

The holder of a screen's lock listens on a local socket (on Windows a named pipe); callers prove with a key
from a private file that they are the same user's. What a dead process left behind is no obstacle: its lock
has ended with it, and the next holder replaces socket and key.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import IO, Any, Literal, Protocol, TypeAlias, cast

from desktop_agent.protocol.errors import ConfigError
from desktop_agent.protocol.instance_request import REQUESTS, InstanceRequest
from desktop_agent.support.operating_system import WINDOWS

Answer: TypeAlias = Literal["done", "no window", "no answer"]
ANSWER_SECONDS, STARTING_SECONDS = 5.0, 3.0
LONGEST = 64
"""Bytes of a message."""


class InstanceLock(Protocol):
    """The system's lock, socket and folder; see `instance_lock` of `platforms.posix` and `platforms.windows`."""

    def lock(self, file: IO[bytes]) -> bool: ...
    def address(self, folder: Path, name: str) -> str: ...
    def remove_stale(self, address: str) -> None: ...
    def runtime_folder(self) -> Path: ...
    def user(self) -> str: ...
    def make_private(self, folder: Path) -> None: ...
    def let_come_to_front(self) -> None: ...


def _system() -> InstanceLock:
    if WINDOWS:
        from desktop_agent.platforms.windows import instance_lock as on_windows

        return on_windows
    from desktop_agent.platforms.posix import instance_lock

    return instance_lock


class Claim:
    """This process is the screen's controller until `close` or its end."""

    def __init__(self, screen: str, lock: IO[bytes]) -> None:
        self._lock = lock
        self._key = secrets.token_bytes(32)
        self._screen = screen
        self._listener: Any = None

    def answer(self, act: Callable[[InstanceRequest], bool]) -> None:
        """Answer second starts from now on: `act` does what is asked, or returns False when there is no window for it.

        `act` is called in a thread of this object. Where no socket can be made, second starts get no answer.
        """
        threading.Thread(target=self._serve, args=(act,), name="second starts", daemon=True).start()

    def _serve(self, act: Callable[[InstanceRequest], bool]) -> None:
        from multiprocessing import AuthenticationError, connection  # takes 30 ms: not while starting

        address = _address(self._screen)
        with contextlib.suppress(OSError):
            _system().remove_stale(address)
            key = _file(self._screen, "key")
            key.touch(mode=0o600)
            key.write_bytes(self._key)
            self._listener = connection.Listener(address, authkey=self._key)
            while True:
                try:
                    self._answer_one(act)
                except (EOFError, AuthenticationError, ConnectionError):
                    continue  # one that went away or does not know the key

    def _answer_one(self, act: Callable[[InstanceRequest], bool]) -> None:
        with self._listener.accept() as caller:
            asked = caller.recv_bytes(LONGEST).decode() if caller.poll(ANSWER_SECONDS) else ""
            if asked in REQUESTS:
                caller.send_bytes(b"done" if act(cast(InstanceRequest, asked)) else b"no window")

    def close(self) -> None:
        """Release the screen and stop answering."""
        if self._listener is not None:
            with contextlib.suppress(OSError):
                self._listener.close()
        self._lock.close()


def claim(screen: str) -> Claim | None:
    """Become the controller of a screen; None when another process is. Raises ConfigError.

    `screen` is a name that all processes give it, as in `:0`.
    """
    path = _file(screen, "lock")
    try:
        path.touch(mode=0o600)
        lock = path.open("r+b")
    except OSError as error:
        raise ConfigError(
            f"Cannot write {path}: {error.strerror}.", "Free space there, or set XDG_RUNTIME_DIR."
        ) from error
    if _system().lock(lock):
        return Claim(screen, lock)
    lock.close()
    return None


def ask(screen: str, request: InstanceRequest) -> Answer:
    """Ask something of the controller of a screen; one that is still starting is given time."""
    end = time.monotonic() + STARTING_SECONDS
    while (answer := _ask_in_time(screen, request)) == "no answer" and time.monotonic() < end:
        threading.Event().wait(0.1)
    return answer


def _ask_in_time(screen: str, request: InstanceRequest) -> Answer:
    """`_ask` in a thread: proving the key has no time limit, and a controller that hangs would hold this start."""
    answers: SimpleQueue[Answer] = SimpleQueue()
    threading.Thread(
        target=lambda: answers.put(_ask(screen, request)), name="second start", daemon=True
    ).start()
    try:
        return answers.get(timeout=ANSWER_SECONDS)
    except Empty:
        return "no answer"


def _ask(screen: str, request: InstanceRequest) -> Answer:
    from multiprocessing import AuthenticationError, connection

    try:
        key = _file(screen, "key").read_bytes()
        with connection.Client(_address(screen), authkey=key) as holder:
            _system().let_come_to_front()
            holder.send_bytes(request.encode())
            if not holder.poll(ANSWER_SECONDS):
                return "no answer"
            return "done" if holder.recv_bytes(LONGEST) == b"done" else "no window"
    except (OSError, EOFError, AuthenticationError):
        return "no answer"


def _address(screen: str) -> str:
    return _system().address(_folder(), _name(screen))


def _file(screen: str, kind: str) -> Path:
    return _folder() / f"{_name(screen)}.{kind}"


def _name(screen: str) -> str:
    """The screen's name as a file name; `:0`, `:0.0` and `unix:0` are the same screen."""
    same = re.sub(r"^unix(?=:)|(?<=:)(\d+)\.\d+$", r"\1", screen)
    return f"screen-{re.sub(r'[^A-Za-z0-9-]', '_', same)}"


def _folder() -> Path:
    """A folder of this user's only. Raises ConfigError when somebody else made it."""
    system = _system()
    base = Path(os.environ.get("XDG_RUNTIME_DIR") or system.runtime_folder())
    temporary = Path(tempfile.gettempdir()) / f"desktop-agent-{system.user()}"
    path = base / "desktop-agent" if base.is_dir() else temporary
    try:
        path.mkdir(mode=0o700, exist_ok=True)
        system.make_private(path)
    except OSError as error:
        raise ConfigError(
            f"Cannot use {path}: {error.strerror}.", "Set XDG_RUNTIME_DIR to a folder of yours."
        ) from error
    return path
