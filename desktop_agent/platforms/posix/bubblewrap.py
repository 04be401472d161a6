"""Runs programs in a bubblewrap sandbox: the system's programs to read, a home to write, and nothing else of this computer.

No network but a loopback of its own, no other processes, no other sockets, no capabilities and no way to new namespaces.
What it takes of processor and memory is limited for each process alone: for all together only a container does that.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

import msgspec

from desktop_agent.protocol.errors import ConfigError, TargetError
from desktop_agent.support.operating_system import LINUX

USER = 1_000
"""The user's number in the box and outside where root runs this program; else both are that of who does.

D-Bus compares who one says one is with who one is seen to be: mapped to another number we could not connect to a bus in the box.
"""
_SYSTEM = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_SETTINGS = (
    "alternatives", "ca-certificates", "chromium", "chromium.d", "dbus-1", "firefox", "firefox-esr", "fonts",
    "gtk-2.0", "gtk-3.0", "gtk-4.0", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "libreoffice", "locale.alias", "localtime",
    "mailcap", "mime.types", "pcmanfm", "profile.d", "ssl/certs", "ssl/openssl.cnf", "terminfo", "timezone", "vim", "X11", "xdg",
)  # fmt: skip
"""Of /etc: how programs look and behave, nothing of users, networks or services."""
_NO_HOMES = ("/bin", "/boot", "/dev", "/etc", "/lib", "/proc", "/run", "/sbin", "/sys", "/usr")
_MEGABYTE = 1 << 20


class Mount(msgspec.Struct, frozen=True):
    """A path of this computer, the path at which it is in a sandbox, and whether it can be written there."""

    outside: str
    inside: str
    writable: bool = False


class BoxLimits(msgspec.Struct, frozen=True):
    """Processes of the box at once; megabytes of memory of one process, of one file, and of all its home; open files of one process."""

    processes: int = 512
    memory: int = 4_096
    file: int = 1_024
    home: int = 4_096
    files: int = 4_096


class Box(msgspec.Struct, frozen=True):
    """What is in a box beside the system's programs: `shared` can be written, `shown` only read, each at its own path.

    `over` is put over what can be written: what a mount takes there can be neither renamed nor replaced.

    `placed` are (outside, inside), to read; `made` are new empty folders. All are whole paths; what does not exist is an error of
    bubblewrap's.
    """

    home: str
    made: tuple[str, ...] = ()
    shared: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    placed: tuple[tuple[str, str], ...] = ()
    over: tuple[Mount, ...] = ()
    limits: BoxLimits = BoxLimits()

    def command(self, argv: Sequence[str]) -> list[str]:
        """How `argv` is run in it; it ends when who runs this ends. The variables are those it is run with.

        Where root makes it, only what `confining` is put before gets no new namespaces either.
        """
        return [*_outer(), *_system(), *self._own(), "--", *self._limited(), *_as_user(), *argv]

    def first_process(self, argv: Sequence[str]) -> list[str]:
        """How `argv` is run in it as its first process, spoken to by standard input and output, which nothing else in the box can open.

        Its home is a folder of the box's own; it works in `self.home`. Where root makes the box, bubblewrap's own process stays the
        first one: as root's it is closed to all in there, and only it can be ended with who made the box.
        """
        outer, *apart = _outer()
        inside = [
            *_system(),
            *self._own(),
            "--setenv",
            "HOME",
            _OWN_HOME,
            "--",
            *self._limited(),
            *_as_user(),
        ]
        if not (confined := confining(self.home)):
            return [outer, "--as-pid-1", *apart, *inside, *argv]
        # The bubblewrap inside stays as a parent that is open to all in the box: it gets neither end.
        hidden = ("sh", "-c", 'exec 8<&0 9>&1 </dev/null >/dev/null "$@"', "sh")
        return [
            outer,
            *apart,
            *inside,
            *hidden,
            *confined,
            "sh",
            "-c",
            'exec <&8 >&9 8<&- 9>&- "$@"',
            "sh",
            *argv,
        ]

    def _own(self) -> Iterator[str]:
        for parent in self._parents():
            yield from ("--perms", "0755", "--dir", parent)  # it would be closed to all but who makes it
        for path in self.made:
            yield from ("--perms", "1777", "--dir", path)
        for path in self.shown:
            yield from ("--ro-bind", path, path)
        for outside, inside in self.placed:
            yield from ("--ro-bind", outside, inside)
        for path in (*self.shared, self.home):
            yield from ("--bind", path, path)
        for each in self.over:
            yield from ("--bind" if each.writable else "--ro-bind", each.outside, each.inside)
        yield from ("--chdir", self.home, "--setenv", "HOME", self.home)

    def _parents(self) -> list[str]:
        inside = (
            *self.made,
            *self.shown,
            *self.shared,
            self.home,
            *(each for _, each in self.placed),
            *self._elsewhere(),
        )
        found = {str(parent) for path in inside for parent in Path(path).parents}
        return sorted(found - {"/", *self.made})

    def _elsewhere(self) -> Iterator[str]:
        """What is `over` nothing that can be written: its folders are to be made."""
        for each in self.over:
            if not any(map(Path(each.inside).is_relative_to, (*self.shared, self.home))):
                yield each.inside

    def _limited(self) -> Iterator[str]:
        yield from (
            "prlimit",
            "--core=0",
            f"--nproc={self.limits.processes}",
            f"--nofile={self.limits.files}",
        )
        yield from (f"--data={self.limits.memory * _MEGABYTE}", f"--fsize={self.limits.file * _MEGABYTE}")


_FOR_ALL = (("/dev/shm", str(256 << 20)), ("/tmp", str(512 << 20)))  # noqa: S108 - the box's own
"""Where everybody may write, and bytes of memory that it may take."""
_OWN_HOME = "/tmp"  # noqa: S108 - the box's own
_APART = (
    "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try", "--hostname", "sandbox",
    "--die-with-parent", "--new-session", "--proc", "/proc", "--dev", "/dev",
    *(each for place, size in _FOR_ALL for each in ("--perms", "1777", "--size", size, "--tmpfs", place)), "--perms", "0755", "--tmpfs", "/run",
    "--perms", "0755", "--dir", "/etc", "--perms", "0755", "--dir", "/var",
)  # fmt: skip


def _nobody() -> tuple[str, ...]:
    """No rights, and no new namespaces in which there would be some."""
    ids = ("--uid", str(_user()), "--gid", str(_user()))
    return ("--unshare-user", "--disable-userns", "--cap-drop", "ALL", *ids)


def _user() -> int:
    return os.geteuid() or USER


def _outer() -> tuple[str, ...]:
    return ("bwrap", *_APART) if _is_root() else ("bwrap", *_nobody(), *_APART)


def _as_user() -> tuple[str, ...]:
    """Where root makes the box: become another user in it.

    Mapped to another number root would stay root outside: its files, and the kernel's settings in /proc/sys, would be open,
    and no limit on processes would hold.
    """
    if not _is_root():
        return ()
    return ("setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", "--no-new-privs", "--bounding-set=-all", "--inh-caps=-all")  # fmt: skip


def confining(folder: str) -> tuple[str, ...]:
    """What is put before a program in the box, run in this folder, so that it gets no new namespaces; nothing where the whole box has none."""
    return (
        ("bwrap", *_nobody(), "--die-with-parent", "--dev-bind", "/", "/", "--chdir", folder)
        if _is_root()
        else ()
    )


def _is_root() -> bool:
    return os.geteuid() == 0


def users() -> frozenset[int]:
    """The users of this computer whose programs those of a box are: ours, and the box's own where root makes it."""
    return frozenset((os.geteuid(), _user()))


def require_home(path: Path) -> None:
    """Raise ConfigError for a folder that holds more than what a box is to have: the user's home, one around it, the system."""
    found, home = path.resolve(), Path.home().resolve()
    if home.is_relative_to(found) or any(map(found.is_relative_to, _NO_HOMES)):
        raise ConfigError(
            f"In a sandbox all of {path} could be changed.",
            "Choose a folder for it alone as its `workspace`.",
        )


def require_owner(path: Path) -> None:
    """Raise ConfigError for a folder whose files programs in a box could not write: only where root makes the box."""
    if _is_root() and path.stat().st_uid != USER:
        raise ConfigError(
            f"{path} does not belong to the user of the sandbox, which is never root.",
            f"Give it that user (chown -R {USER}:{USER} {path}), or run this as an ordinary user.",
        )


def give(path: Path) -> None:
    """Let the user of the box write there; only root can give away, and only root has to."""
    if _is_root() and path.stat().st_uid != USER:
        os.chown(path, USER, USER)


def _system() -> Iterator[str]:
    yield from ("--ro-bind", "/usr", "/usr", "--ro-bind-try", "/opt", "/opt")
    yield from ("--ro-bind-try", "/var/cache/fontconfig", "/var/cache/fontconfig")
    for place in map(Path, _SYSTEM):
        if place.is_symlink():
            yield from ("--symlink", str(place.readlink()), str(place))
        elif place.exists():
            yield from ("--ro-bind", str(place), str(place))
    for name in _SETTINGS:
        yield from ("--ro-bind-try", f"/etc/{name}", f"/etc/{name}")


def write_identity(folder: Path) -> tuple[tuple[str, str], ...]:
    """Write the names that a box has instead of this computer's; returns what is to be `placed`. Raises OSError."""
    texts = {
        "passwd": f"root:x:0:0:root:/:/bin/false\nagent:x:{_user()}:{_user()}:agent:/:/bin/sh\n",
        "group": f"root:x:0:\nagent:x:{_user()}:\n",
        "hosts": "127.0.0.1 localhost sandbox\n::1 localhost\n",
        "machine-id": f"{os.urandom(16).hex()}\n",
        "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="ascii")
    return tuple((str(folder / name), f"/etc/{name}") for name in texts)


INSIDE = "/run/desktop-agent"
"""Where in a box stands what we put there."""
_PYTHON = f"{INSIDE}/python"


def interpreter() -> tuple[str, list[tuple[str, str]]]:
    """Our Python by its path in a box, and what is to be `placed` there for it."""
    program, prefix = Path(sys.executable).resolve(), Path(sys.base_prefix).resolve()
    if prefix == Path("/usr"):
        return str(program), []
    return f"{_PYTHON}/{program.relative_to(prefix)}", [(str(prefix), _PYTHON)]


def variables(environ: Mapping[str, str]) -> dict[str, str]:
    """What programs in a box inherit of our variables: language and time, no key, and no path of this computer but the system's."""
    kept = {name: value for name, value in environ.items() if name in ("LANG", "LANGUAGE", "TZ") or name.startswith("LC_")}  # fmt: skip
    return {**kept, "PATH": "/usr/local/bin:/usr/bin:/bin", "USER": "agent", "LOGNAME": "agent"}


def require_bubblewrap() -> None:
    """Raise TargetError with what to do where no box can be made here."""
    if why := _why_not() if LINUX else "it is not Linux":
        raise TargetError(f"Programs cannot be put into a box: {why}.", _ADVICE)


def is_usable() -> bool:
    """Can a box be made here?"""
    return LINUX and not _why_not()


_ADVICE = "Install bubblewrap (apt-get install bubblewrap), and let users make namespaces (sysctl kernel.unprivileged_userns_clone=1)."


@cache
def _why_not() -> str:
    for program in ("bwrap", "prlimit", *(("setpriv",) if _is_root() else ())):
        if shutil.which(program) is None:
            return f"{program} is not installed"
    tried = subprocess.run(
        [*_outer(), *_system(), "--", *_as_user(), *confining("/"), "true"],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    return tried.stderr.strip().removeprefix("bwrap: ") if tried.returncode else ""
