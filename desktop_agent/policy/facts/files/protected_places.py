"""Tells whether a path is protected, and why: start-up files, keys, schedulers, and everything of our own.

The places are those of `assets/policy/protected.toml`. Paths are compared as `real_paths.comparable` writes them.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase, translate
from functools import cached_property
from pathlib import Path

import msgspec
import platformdirs

from desktop_agent.policy.facts import policy_tables
from desktop_agent.policy.facts.files.real_paths import HERE, System, comparable, spellings
from desktop_agent.policy.facts.policy_tables import ProtectedKind
from desktop_agent.protocol.errors import DesktopAgentError
from desktop_agent.support import paths, resources

OWN_SETTINGS, OWN_DATA, OWN_LOGS, OWN_PROGRAM = (
    "one of my own settings", "one of my own records", "one of my own logs", "a part of myself"
)  # fmt: skip


MAY_BE_ANOTHERS = (
    "{} was changed, which is {}. Another program may have done it, or one that I work, so I wait. "
    "Look at that file, then press Resume, or Stop."
)


ANOTHERS = "{} was changed, which is {}. That was another program, not I, so I go on."


class Protection(msgspec.Struct, frozen=True):
    """Why a path is protected: `why` follows “it is”; `own` says that it belongs to this program.

    `kind` is the name of the place in the table, "own" for what is ours; `watched` says that a change of it
    stops a run, `programs_only` that it does so only when the file is a program.
    """

    kind: str
    why: str
    own: bool = False
    watched: bool = False
    programs_only: bool = False


class Roots(msgspec.Struct, frozen=True):
    """The folders of one user on one system that the table's placeholders stand for; "" where there is none."""

    home: str
    config: str = ""
    data: str = ""
    roaming: str = ""
    local: str = ""
    common: str = ""
    programs: str = ""
    system: str = ""
    documents: str = ""
    path: tuple[str, ...] = ()

    @classmethod
    def of(cls, home: str, environ: Mapping[str, str]) -> Roots:
        """The folders as these environment variables say; what they leave out is in its usual place."""
        return cls(
            home=home,
            config=environ.get("XDG_CONFIG_HOME") or f"{home}/.config",
            data=environ.get("XDG_DATA_HOME") or f"{home}/.local/share",
            roaming=environ.get("APPDATA", ""),
            local=environ.get("LOCALAPPDATA", ""),
            common=environ.get("PROGRAMDATA", ""),
            programs=environ.get("PROGRAMFILES", ""),
            system=environ.get("SYSTEMROOT", ""),
            documents=environ.get("DOCUMENTS", ""),
            path=tuple(each for each in environ.get("PATH", "").split(os.pathsep) if each not in ("", ".")),
        )


@dataclass(frozen=True)
class WatchedPlace:
    """A file, or a folder with all that is in it, whose change stops a run."""

    path: str
    folder: bool
    programs_only: bool = False


class ProtectedFileChanged(DesktopAgentError):
    """A protected file changed while a run lasted."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(
            f"{path} was changed, which is {why}. The run was stopped; it may not have been my doing.",
            "Look at that file and put it right before you go on.",
        )


@dataclass
class _Pattern:
    kind: str
    entry: ProtectedKind
    matches: re.Pattern[str]


@dataclass
class ProtectedPlaces:
    """The protected places of some users' folders (the brain's own, and that of a program with another home).

    `own` are files and folders of this program with the reason for people, `free` folders in those that are
    not protected (the workspace). What is ours inside a free folder, such as notes that are kept there, is protected.
    """

    roots: tuple[Roots, ...]
    own: Mapping[str, str] = field(default_factory=dict)
    free: tuple[str, ...] = ()
    system: System = HERE

    @cached_property
    def _patterns(self) -> list[_Pattern]:
        return [
            _Pattern(kind, entry, re.compile("|".join(self._regexes(entry))))
            for kind, entry in policy_tables.protected().places.items()
            if self.system in entry.systems and any(self._regexes(entry))
        ]

    @cached_property
    def _own(self) -> list[tuple[str, str]]:
        return [(self._plain(real), why) for path, why in self.own.items() for real in spellings(path)]

    @cached_property
    def _free(self) -> list[str]:
        return [self._plain(real) for path in self.free for real in spellings(path)]

    @classmethod
    def of_this_user(cls, files: Iterable[Path] = (), workspace: Path | None = None) -> ProtectedPlaces:
        """Those of the user who runs this program. `files` are settings that were named, `workspace` where files are made."""
        environ = os.environ | {"DOCUMENTS": str(platformdirs.user_documents_dir())}
        own = own_places() | {str(path.absolute()): OWN_SETTINGS for path in files}
        free = (str(workspace),) if workspace is not None else ()
        return cls((Roots.of(str(Path.home()), environ),), own, free)

    def with_home(self, home: str) -> ProtectedPlaces:
        """The same, and the places of another home folder: a program may have been started with one."""
        if not home or any(each.home == home for each in self.roots):
            return self
        return ProtectedPlaces((*self.roots, Roots.of(home, {})), self.own, self.free, self.system)

    def of(self, path: str) -> Protection | None:
        """Why this whole path is protected, wherever its links lead; None when it is not."""
        written = spellings(path) if self.system == HERE else (path,)
        found = [each for spelling in written if (each := self._of_plain(self._plain(spelling))) is not None]
        if not found:
            return self._by_hard_link(path)
        return max(found, key=lambda each: (each.own, each.watched))

    def _of_plain(self, plain: str) -> Protection | None:
        free = [folder for folder in self._free if _within(plain, folder)]
        for own, why in self._own:
            if _within(plain, own) and all(_within(own, folder) for folder in free):
                return Protection("own", why, own=True, watched=True)
        inside = plain[len(free[0]) :] if free else plain
        for pattern in self._patterns:
            if pattern.matches.fullmatch(inside):
                watched = pattern.entry.watch and not self._quiet(pattern.entry, plain)
                return Protection(
                    pattern.kind,
                    pattern.entry.why,
                    watched=watched,
                    programs_only=pattern.entry.programs_only,
                )
        return None

    def _by_hard_link(self, path: str) -> Protection | None:
        """A second name of a protected file is as protected as the first."""
        try:
            there = os.stat(path)  # noqa: PTH116
        except (OSError, ValueError):
            return None
        if there.st_nlink < 2 or os.path.isdir(path):  # noqa: PTH112
            return None
        for place in self.watched():
            names = _files_in(place.path) if place.folder else (place.path,)
            if any(_same(name, there) for name in names):
                return self._of_plain(self._plain(place.path + "/" * place.folder))
        return None

    def names(self) -> frozenset[str]:
        """The names of single protected files: one that is shown without its folder may be meant."""
        lasts = (
            comparable(place.path, self.system).rpartition("/")[2]
            for place in self.watched()
            if not place.folder
        )
        return frozenset(lasts) | {"config.toml"}

    def watched(self) -> Iterator[WatchedPlace]:
        """The places whose change stops a run, each once; wildcards only where something fits."""
        seen: set[str] = set()
        for place in (*self._own_watched(), *self._table_watched()):
            if place.path not in seen:
                seen.add(place.path)
                yield place

    def _own_watched(self) -> Iterator[WatchedPlace]:
        for path, why in self.own.items():
            if why != OWN_PROGRAM:
                yield WatchedPlace(path, os.path.isdir(path) or not Path(path).suffix)  # noqa: PTH112

    def _table_watched(self) -> Iterator[WatchedPlace]:
        for entry in policy_tables.protected().places.values():
            if not entry.watch or self.system not in entry.systems:
                continue
            for path in entry.paths:
                for full in self._filled(path):
                    writable = "{path}" not in path or os.access(full, os.W_OK)
                    if writable and "*" not in full and not _bare(path):
                        yield WatchedPlace(full.rstrip("/") or "/", full.endswith("/"), entry.programs_only)

    def _quiet(self, entry: ProtectedKind, plain: str) -> bool:
        parts = [part for part in plain.split("/") if part]
        return any(
            fnmatchcase(part, comparable(quiet, self.system)) for quiet in entry.quiet for part in parts[-3:]
        )

    def _regexes(self, entry: ProtectedKind) -> Iterator[str]:
        for path in entry.paths:
            if _bare(path):
                yield r"(?s:.*/)" + _regex(comparable(path.rstrip("/"), self.system), path.endswith("/"))
                continue
            for full in self._filled(path):
                for plain in {self._plain(full.rstrip("/") or "/"), *map(self._plain, _real(full))}:
                    yield _regex(plain, path.endswith("/"))

    def _filled(self, path: str) -> Iterator[str]:
        """The path with its placeholders filled in, for every home; nothing where a placeholder stands for nothing."""
        for roots in self.roots:
            if path.startswith("{path}"):
                yield from (folder.rstrip("/\\") + "/" for folder in roots.path)
                continue
            head, _, rest = path.partition("/")
            root = (
                roots.home if head == "~" else getattr(roots, head.strip("{}"), "") if "{" in head else head
            )
            if root or not head:
                yield f"{root.rstrip('/') if head else ''}/{rest}"

    def _plain(self, path: str) -> str:
        return comparable(path, self.system)


def own_places() -> dict[str, str]:
    """Everything of this program: settings, records of runs with the key of their seals, notes, logs, and the program itself."""
    found = {
        paths.settings(): OWN_SETTINGS,
        paths.data(): OWN_DATA,
        paths.data() / "notes": OWN_DATA,  # also where the workspace is this folder or above it
        paths.logs(): OWN_LOGS,
        paths.of_config()[1] / "config.toml": OWN_SETTINGS,
        Path(paths.__file__).parents[1]: OWN_PROGRAM,
        resources.path("policy", "protected.toml").parents[1]: OWN_PROGRAM,
    }
    if sys.prefix != sys.base_prefix:
        found[Path(sys.prefix)] = OWN_PROGRAM
    return {paths.shortened(str(path)): why for path, why in found.items()}


def _bare(path: str) -> bool:
    """Does it begin with a name, and so apply in every folder?"""
    return not path.startswith(("~", "/", "{"))


def _regex(plain: str, folder: bool) -> str:
    body = translate(plain).removesuffix(r"\Z").removesuffix(r"\z").replace(".*", "[^/]*")
    return body + (r"(?s:/.*)?" if folder else "")


def _real(full: str) -> tuple[str, ...]:
    return () if "*" in full else (os.path.realpath(full),)


def _within(plain: str, folder: str) -> bool:
    return plain == folder or plain.startswith(folder.rstrip("/") + "/")


def _files_in(folder: str) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return [entry.path for entry in entries][:500]
    except OSError:
        return []


def _same(name: str, there: os.stat_result) -> bool:
    try:
        return os.path.samestat(os.stat(name), there)  # noqa: PTH116
    except OSError:
        return False
