"""Reads desktop entries: the installed applications and how to start them.

Source: Desktop Entry Specification 1.5 and MIME Applications Associations 1.0 (freedesktop.org).
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from desktop_agent.protocol.errors import Refused

_ESCAPES = {"s": " ", "n": "\n", "t": "\t", "r": "\r", "\\": "\\"}
_DEPRECATED_CODES = re.compile(r"%[dDnNvm]")


@dataclass(frozen=True)
class Entry:
    """One application; `names` and `generics` (generic names) include all translations."""

    id: str
    path: Path
    fields: Mapping[str, str]
    names: tuple[str, ...]
    generics: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.fields.get("Name", self.id)

    @property
    def terminal(self) -> bool:
        return self.fields.get("Terminal") == "true"

    def words(self, field: str) -> tuple[str, ...]:
        """The items of a list field such as Categories, Keywords or MimeType."""
        return tuple(item for item in self.fields.get(field, "").split(";") if item)

    def shown(self, desktops: tuple[str, ...]) -> bool:
        """True when the menus of these desktops list it (NoDisplay, OnlyShowIn, NotShowIn)."""
        if self.fields.get("NoDisplay") == "true":
            return False
        only, never = self.words("OnlyShowIn"), self.words("NotShowIn")
        return (not only or any(d in only for d in desktops)) and not any(d in never for d in desktops)

    def argv(self, target: str | None = None) -> list[str]:
        """The command with field codes (%f, %u, …) replaced; `target` is an absolute path or an address."""
        command: list[str] = []
        used = False
        for word in split_exec(self.fields["Exec"]):
            put = self._expand(word, target)
            used = used or (target is not None and word in ("%f", "%F", "%u", "%U"))
            command += put
        return command if used or target is None else [*command, target]

    def _expand(self, word: str, target: str | None) -> list[str]:
        match word:
            case "%f" | "%F":
                return [] if target is None else [target]
            case "%u" | "%U":
                return [] if target is None else [_address(target)]
            case "%i":
                icon = self.fields.get("Icon")
                return ["--icon", icon] if icon else []
        if _DEPRECATED_CODES.fullmatch(word):
            return []
        values = {"%%": "%", "%c": self.name, "%k": str(self.path)}
        return [re.sub(r"%.", lambda code: values.get(code[0], ""), word)]


def _address(target: str) -> str:
    return f"file://{quote(target)}" if target.startswith("/") else target


def split_exec(line: str) -> list[str]:
    """The words of an Exec line; in double quotes a backslash escapes `"`, `` ` ``, `$` and `\\`."""
    words: list[str] = []
    for quoted, plain in re.findall(r'"((?:[^"\\]|\\.)*)"|([^\s"]+)', line):
        words.append(re.sub(r'\\(["`$\\])', r"\1", quoted) if quoted else plain)
    return words


def installed(environment: Mapping[str, str]) -> list[Entry]:
    """The applications that can be started, the first entry of each id; without hidden and missing ones."""
    found: dict[str, Entry | None] = {}
    for folder in data_folders(environment):
        for path in sorted((folder / "applications").rglob("*.desktop")):
            name = str(path.relative_to(folder / "applications")).replace("/", "-")
            if name not in found:
                found[name] = _usable(name, path, environment)
    return [entry for entry in found.values() if entry]


def _usable(name: str, path: Path, environment: Mapping[str, str]) -> Entry | None:
    try:
        entry = parse(name, path)
    except OSError:
        return None
    fields = entry.fields
    if fields.get("Type") != "Application" or fields.get("Hidden") == "true" or not fields.get("Exec"):
        return None
    programs = [split_exec(fields["Exec"])[0], *([fields["TryExec"]] if fields.get("TryExec") else [])]
    search = environment.get("PATH")
    return entry if all(shutil.which(program, path=search) for program in programs) else None


def parse(name: str, path: Path) -> Entry:
    """Read the [Desktop Entry] group of a file. Raises OSError."""
    fields: dict[str, str] = {}
    in_group = False
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        if line.startswith("["):
            in_group = line.strip() == "[Desktop Entry]"
        elif in_group and "=" in line and not line.startswith("#"):
            key, _, value = line.partition("=")
            fields[key.strip()] = re.sub(r"\\(.)", lambda m: _ESCAPES.get(m[1], m[0]), value.strip())
    names = tuple(v for k, v in fields.items() if re.fullmatch(r"Name(\[.*\])?", k))
    generics = tuple(v for k, v in fields.items() if re.fullmatch(r"GenericName(\[.*\])?", k))
    return Entry(name, path, fields, names, generics)


def data_folders(environment: Mapping[str, str]) -> Iterator[Path]:
    """The XDG data folders, highest precedence first (XDG Base Directory Specification)."""
    home = environment.get("HOME") or os.path.expanduser("~")  # noqa: PTH111
    yield Path(environment.get("XDG_DATA_HOME") or f"{home}/.local/share")
    for folder in (environment.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share").split(":"):
        yield Path(folder)


def preferred(mime: str, environment: Mapping[str, str]) -> list[str]:
    """Ids of the default applications of a MIME type, from the mimeapps.list files, highest precedence first."""
    home = environment.get("HOME") or os.path.expanduser("~")  # noqa: PTH111
    folders = [environment.get("XDG_CONFIG_HOME") or f"{home}/.config"]
    folders += (environment.get("XDG_CONFIG_DIRS") or "/etc/xdg").split(":")
    folders += [str(folder / "applications") for folder in data_folders(environment)]
    found: list[str] = []
    for folder in folders:
        found += _defaults(Path(folder, "mimeapps.list"), mime)
    return found


def _defaults(path: Path, mime: str) -> list[str]:
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    group = re.search(r"^\[Default Applications\]\n(.*?)(?=^\[|\Z)", text, re.MULTILINE | re.DOTALL)
    line = re.search(rf"^{re.escape(mime)}=(.*)$", group[1], re.MULTILINE) if group else None
    return [item for item in line[1].split(";") if item] if line else []


def terminal_command(argv: list[str], environment: Mapping[str, str]) -> list[str]:
    """The argv that runs a command in a terminal window. Raises Refused when no terminal is installed."""
    for program in ("x-terminal-emulator", "xterm"):
        if shutil.which(program, path=environment.get("PATH")):
            return [program, "-e", *argv]
    raise Refused(f"{argv[0]} needs a terminal, and none is installed.", "Install one: apt-get install xterm")
