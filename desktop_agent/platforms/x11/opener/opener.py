"""Opens an application, file or address in an X11 session, by everyday name or default application."""

from __future__ import annotations

import mimetypes
import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import unquote, urlsplit

from desktop_agent.platforms.x11.embedded.supervisor_client import LAUNCHER, Launcher
from desktop_agent.platforms.x11.opener import app_match, desktop_entries
from desktop_agent.platforms.x11.opener.desktop_entries import Entry
from desktop_agent.protocol.errors import Refused, TargetError
from desktop_agent.redaction.secret_reference import without_secrets
from desktop_agent.support import paths

_SCHEME = re.compile(r"^([a-z][a-z0-9+.-]*):", re.IGNORECASE)
BROWSER_TYPE = "x-scheme-handler/http"


class X11Opener:
    """Opens things in the session that `environment` (added to our own, without secrets) describes."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = without_secrets(os.environ) | dict(environment)
        self._launcher = environment.get(LAUNCHER)
        self._started: list[subprocess.Popen[bytes]] = []

    def open(self, what: str) -> str:
        """Open an application name, path or address; returns in words what was opened.

        Raises Refused when nothing fits or it is ambiguous, TargetError when it cannot be started.
        """
        what = what.strip()
        if re.match(r"(?i)(https?://|www\.)", what):
            return self._open_address(what if "://" in what else f"http://{what}")
        if what.startswith(("/", "~", "file://")):
            return self._open_file(self._path(what))
        return self._open_by_name(what)

    def program_for(self, what: str) -> str:
        """File name of the program that `open(what)` would start, for the policy; nothing is opened.

        "" when none fits, "terminal" for whatever runs in one, "folder/" for a folder (which is only viewed).
        """
        if what.startswith(("/", "~", "file://")):
            return "folder/" if self._path(what).is_dir() else ""
        try:
            entry = app_match.best(what, self.applications(), self.favourites(what))
        except Refused:
            return ""
        inside = entry.terminal or "TerminalEmulator" in entry.words("Categories")
        return "terminal" if inside else Path(entry.argv()[0]).name

    def _open_by_name(self, what: str) -> str:
        apps = self.applications()
        inside_home = self.home() / what
        if max((app_match.score(what, app) for app in apps), default=0) < app_match.CERTAIN:
            if what and inside_home.exists():
                return self._open_file(inside_home)
            if _SCHEME.match(what):
                raise Refused(
                    f"{what[:100]!r} is not opened: only http, https and file addresses are.",
                    "Write the address with http:// or https://.",
                )
        entry = app_match.best(what, apps, self.favourites(what))
        self._start(entry)
        return entry.name

    def _open_address(self, address: str) -> str:
        if not urlsplit(address).hostname:
            raise Refused(f"{address[:100]!r} is not a complete address.", "Write it as https://host/path.")
        return self._open_with(BROWSER_TYPE, address, address)

    def _open_file(self, path: Path) -> str:
        if not path.exists():
            advice = paths.elsewhere(path) or "Look at the folder for its exact name."
            raise Refused(f"There is no file or folder {path}.", advice)
        return self._open_with(type_of(path), str(path), path.name or str(path))

    def _open_with(self, mime: str, target: str, words: str) -> str:
        entry = self.handler(mime)
        if entry is not None:
            self._start(entry, target)
            return f"{words} with {entry.name}"
        if not shutil.which("xdg-open", path=self._environment.get("PATH")):
            raise Refused(f"No application here opens {mime}.", "Open it from an application that can.")
        self._run(["xdg-open", target])
        return words

    def handler(self, mime: str) -> Entry | None:
        """The default application of a MIME type, else the first listed one that accepts it; None when none does."""
        apps = {entry.id: entry for entry in desktop_entries.installed(self._environment)}
        chosen = [apps[i] for i in desktop_entries.preferred(mime, self._environment) if i in apps]
        takers = [entry for entry in apps.values() if mime in entry.words("MimeType")]
        takers.sort(key=lambda entry: (not entry.shown(self._desktops()), entry.terminal))
        found = next(iter([*chosen, *takers]), None)
        if found is None and mime.startswith("text/") and mime != "text/plain":
            return self.handler("text/plain")
        return found

    def applications(self) -> list[Entry]:
        """The installed applications that the menus of this desktop list."""
        return [e for e in desktop_entries.installed(self._environment) if e.shown(self._desktops())]

    def favourites(self, what: str) -> Sequence[str]:
        """Ids of the entries that the user prefers for an everyday name."""
        mime = app_match.ROLE_TYPES.get(app_match.role_of(what) or "")
        return desktop_entries.preferred(mime, self._environment) if mime else ()

    def _desktops(self) -> tuple[str, ...]:
        return tuple(self._environment.get("XDG_CURRENT_DESKTOP", "").split(":"))

    def home(self) -> Path:
        """The home folder of that session."""
        return Path(self._environment.get("HOME") or Path.home())

    def _path(self, what: str) -> Path:
        if what.startswith("file://"):
            return Path(unquote(urlsplit(what).path))
        return self.home() / what[2:] if what.startswith("~/") or what == "~" else Path(what)

    def _start(self, entry: Entry, target: str | None = None) -> None:
        command = entry.argv(target)
        self._run(desktop_entries.terminal_command(command, self._environment) if entry.terminal else command)

    def _run(self, argv: list[str]) -> None:
        """Start a program that outlives this process: by the session's supervisor, or in a session of its own."""
        if self._launcher:
            launcher = Launcher.connect(self._launcher)
            try:
                launcher.run(argv)
            finally:
                launcher.close()
        else:
            self._run_detached(argv)

    def _run_detached(self, argv: list[str]) -> None:
        self._started = [child for child in self._started if child.poll() is None]
        try:
            child = subprocess.Popen(
                argv,
                env=self._environment,
                cwd=self.home(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError as error:
            raise TargetError(f"{argv[0]} could not be started: {error.strerror}.") from error
        self._started.append(child)


def type_of(path: Path) -> str:
    """The MIME type of a file or folder, by name, else by its first 4 KB (binary or text)."""
    if path.is_dir():
        return "inode/directory"
    named = mimetypes.guess_type(path.name)[0]
    if named:
        return named
    with path.open("rb") as file:
        start = file.read(4096)
    return "application/octet-stream" if b"\0" in start else "text/plain"
