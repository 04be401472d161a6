"""One controller per screen: a lock that the system takes back when its holder dies, and a way to be shown.

The holder of a screen's lock listens on a local socket beside it; a second start asks it there to show
its window. What a dead process left behind is no obstacle: locks die with their process, and the next
holder replaces socket and key.
"""

from __future__ import annotations

import contextlib
import getpass
import os
import re
import secrets
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, Literal, TypeAlias

from desktop_agent.protocol.errors import ConfigError

Answer: TypeAlias = Literal["shown", "no window", "no answer"]
SHOW = b"show"
ANSWER_SECONDS, STARTING_SECONDS = 5.0, 3.0
LONGEST = 64
_ANY = 0xFFFF_FFFF  # ASFW_ANY


class Claim:
    """This process is the screen's controller until `close` or its end."""

    def __init__(self, screen: str, lock: IO[bytes]) -> None:
        self._lock = lock
        self._key = secrets.token_bytes(32)
        self._screen = screen
        self._listener: Any = None

    def answer(self, show: Callable[[], bool]) -> None:
        """From now on be asked by second starts: `show` shows the window, or returns False when there is none.

        It is called in a thread of this object. Where there can be no socket, second starts get no answer.
        """
        threading.Thread(target=self._serve, args=(show,), name="second starts", daemon=True).start()

    def _serve(self, show: Callable[[], bool]) -> None:
        from multiprocessing import AuthenticationError, connection  # takes 30 ms: not while starting

        address = _address(self._screen)
        with contextlib.suppress(OSError):
            if sys.platform != "win32":  # its pipes end with their process, and to unlink one is to call it
                Path(address).unlink(missing_ok=True)
            key = _file(self._screen, "key")
            key.touch(mode=0o600)
            key.write_bytes(self._key)
            self._listener = connection.Listener(address, authkey=self._key)
            while True:
                try:
                    self._answer_one(show)
                except (EOFError, AuthenticationError, ConnectionError):
                    continue  # one that went away or does not know the key

    def _answer_one(self, show: Callable[[], bool]) -> None:
        with self._listener.accept() as caller:
            if caller.poll(ANSWER_SECONDS) and caller.recv_bytes(LONGEST) == SHOW:
                caller.send_bytes(b"shown" if show() else b"no window")

    def close(self) -> None:
        """Let the screen go."""
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
    if _lock(lock):
        return Claim(screen, lock)
    lock.close()
    return None


def ask_to_show(screen: str) -> Answer:
    """Ask the controller of a screen to show its window; one that is still starting is given time."""
    end = time.monotonic() + STARTING_SECONDS
    while (answer := _ask(screen)) == "no answer" and time.monotonic() < end:
        threading.Event().wait(0.1)
    return answer


def _ask(screen: str) -> Answer:
    from multiprocessing import AuthenticationError, connection

    try:
        key = _file(screen, "key").read_bytes()
        with connection.Client(_address(screen), authkey=key) as holder:
            _let_come_to_front()
            holder.send_bytes(SHOW)
            if not holder.poll(ANSWER_SECONDS):
                return "no answer"
            return "shown" if holder.recv_bytes(LONGEST) == b"shown" else "no window"
    except (OSError, EOFError, AuthenticationError):
        return "no answer"


def _let_come_to_front() -> None:
    """On Windows only the program the user is in may let another one show itself (AllowSetForegroundWindow)."""
    if sys.platform == "win32":
        import ctypes

        ctypes.WinDLL("user32").AllowSetForegroundWindow(_ANY)


def _lock(file: IO[bytes]) -> bool:
    """Take the lock that ends with this process; False when another has it."""
    if sys.platform == "win32":
        import msvcrt

        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _address(screen: str) -> str:
    if sys.platform == "win32":
        return rf"\\.\pipe\desktop-agent-{getpass.getuser()}-{_plain(screen)}"
    return str(_file(screen, "socket"))


def _file(screen: str, kind: str) -> Path:
    return _folder() / f"screen-{_plain(screen)}.{kind}"


def _plain(screen: str) -> str:
    """As a file name; `:0`, `:0.0` and `unix:0` are the same screen."""
    return re.sub(r"[^A-Za-z0-9-]", "_", re.sub(r"^unix(?=:)|(?<=:)(\d+)\.\d+$", r"\1", screen))


def _folder() -> Path:
    """A folder of this user's only. Raises ConfigError when somebody else made it."""
    base = Path(os.environ.get("XDG_RUNTIME_DIR") or _usual_folder())
    path = base / "desktop-agent" if base.is_dir() else Path(tempfile.gettempdir()) / _own_name()
    try:
        path.mkdir(mode=0o700, exist_ok=True)
        if sys.platform != "win32":
            if path.lstat().st_uid != os.getuid():
                raise PermissionError(1, "it belongs to somebody else")
            path.chmod(0o700)
    except OSError as error:
        raise ConfigError(
            f"Cannot use {path}: {error.strerror}.", "Set XDG_RUNTIME_DIR to a folder of yours."
        ) from error
    return path


def _usual_folder() -> str:
    if sys.platform == "win32":
        return os.environ.get("LOCALAPPDATA") or tempfile.gettempdir()
    return f"/run/user/{os.getuid()}"


def _own_name() -> str:
    return f"desktop-agent-{getpass.getuser() if sys.platform == 'win32' else os.getuid()}"
