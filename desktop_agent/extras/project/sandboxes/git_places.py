"""Finds where git takes a folder below a project for a repository, and puts aside those that a sandbox has made."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import msgspec

from desktop_agent.platforms.folder_walk import below, walk
from desktop_agent.platforms.posix import bubblewrap
from desktop_agent.platforms.posix.bubblewrap import Mount
from desktop_agent.protocol.errors import ConfigError

ASIDE = "-from-the-sandbox"
"""What is put behind a name that git would have acted on."""
_DRIVER = re.compile(r"(?:^|\s)(filter|diff|merge)=(\S+)")
_MOST_ATTRIBUTES = 100 << 20
"""Bytes of such a file that git reads."""
_READ = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0)


class GitPlace(msgspec.Struct, frozen=True):
    """A name below a project by which git takes a folder for a repository, and the thing that bears it.

    `name` is a file or link `.git`, or a repository folder; `inode` tells it from another one of the same name.
    """

    name: str
    is_folder: bool
    inode: tuple[int, int]


def driver_names(attributes: str) -> frozenset[str]:
    """The programs that a text of attributes names, as `filter.lfs`."""
    return frozenset(".".join(each) for each in _DRIVER.findall(attributes))


class Found(msgspec.Struct, frozen=True):
    """What git acts on below a project: repositories, files of attributes, and the folders that could not be looked into."""

    places: frozenset[GitPlace]
    attributes: frozenset[GitPlace]
    closed: tuple[str, ...]


def git_places(project: Path) -> Found:
    """Everything below a project that git acts on, but its own `.git`.

    A folder is a repository to git by a `HEAD` beside `objects` and `refs`, or beside a `commondir`, whatever its name.
    """
    found: set[GitPlace] = set()
    attributes: set[GitPlace] = set()
    closed: list[str] = []
    for at, entries in walk(project, closed.append):
        if not at:
            entries[:] = [each for each in entries if each.name != ".git"]
        folded = {each.name.casefold() for each in entries}
        if "head" in folded and (folded >= {"objects", "refs"} or "commondir" in folded):
            found |= _place(project, at, is_folder=True)
        for each in entries:
            if each.name.casefold() == ".git" and not each.is_dir(follow_symlinks=False):
                found |= _place(project, below(at, each.name), is_folder=False)
            elif each.name.casefold() == ".gitattributes":
                attributes |= _place(project, below(at, each.name), is_folder=False)
    return Found(frozenset(found), frozenset(attributes), tuple(closed))


def _place(project: Path, name: str, *, is_folder: bool) -> set[GitPlace]:
    """Nothing where it is gone meanwhile."""
    try:
        seen = (project / name).lstat()
    except OSError:
        return set()
    return {GitPlace(name, is_folder, (seen.st_dev, seen.st_ino))}


def put_aside(project: Path, place: GitPlace) -> None:
    """Rename what makes git take a folder for a repository: nothing of it is lost, and git goes past it. Raises OSError.

    Each folder on the way is opened from the one before, never through a link: what is exchanged in between leads nowhere else.
    """
    *folders, last = place.name.split("/")
    at = os.open(project, _FOLDER)
    try:
        for name in (*folders, *((last,) if place.is_folder and last else ())):
            inner = os.open(name, _FOLDER, dir_fd=at)
            os.close(at)
            at = inner
        there = os.listdir(at)  # noqa: PTH208 - by the descriptor, so that nothing can be exchanged
        for name in [each for each in there if each.casefold() == "head"] if place.is_folder else [last]:
            os.rename(name, _free(name, there), src_dir_fd=at, dst_dir_fd=at)
    finally:
        os.close(at)


def _free(name: str, there: list[str]) -> str:
    number = 1
    while (found := f"{name}{ASIDE}{'' if number == 1 else number}") in there:
        number += 1
    return found


class GitGuard:
    """Remembers the repositories of a project, and puts aside each one that was not there before."""

    def __init__(self, project: Path) -> None:
        """Look which there are. Raises ConfigError for a project whose own repository could not be kept apart."""
        self._project = project
        self.drivers: frozenset[str] = frozenset()
        """Programs of the user's own settings that attributes can have git run, as `filter.lfs`."""
        own = project / ".git"
        if own.is_symlink():
            raise ConfigError(
                f"{own} is a link, which could be replaced in a sandbox.",
                "Put the repository itself there, or a file `.git` that names it (git init --separate-git-dir).",
            )
        self.made = not own.exists() or (own.is_dir() and not any(own.iterdir()))
        if (
            self.made
        ):  # a place for a mount, so that nothing else can be made there; git goes past an empty one
            own.mkdir(exist_ok=True)
            bubblewrap.give(own)
        self._own = _identity(own)
        found = git_places(project)
        self.known = found.places
        self._named = frozenset().union(*map(self._drivers_in, found.attributes))
        if any(not each.name for each in self.known):
            raise ConfigError(f"{project} is a repository without a working tree.", "Choose a clone of it.")

    @property
    def mounts(self) -> tuple[Mount, ...]:
        """What was there, to be read only: as a mount it cannot be renamed or replaced either."""
        return tuple(
            Mount(path, path) for path in sorted(str(self._project / each.name) for each in self.known)
        )

    def sweep(self, *, ended: bool = False) -> tuple[str, ...]:
        """Put aside all that has come; returns sentences for the user. `ended`: nothing runs in the sandbox any more."""
        told: list[str] = []
        while True:
            found = git_places(self._project)
            new = sorted(found.places - self.known, key=lambda each: each.name)
            told += filter(None, (self._aside(each) for each in new))
            told += filter(None, map(self._attributes_aside, found.attributes if self.drivers else ()))
            if not ended or not self._opened(found.closed):
                break
        if _identity(self._project / ".git") != self._own:
            told.append("The project's own .git was replaced meanwhile, by something outside the sandbox.")
        return tuple(told)

    def end(self) -> tuple[str, ...]:
        """The last sweep; the place that was made for a mount goes."""
        told = self.sweep(ended=True)
        if self.made:
            with suppress(OSError):  # there is a repository in it now
                (self._project / ".git").rmdir()
        return told

    def _attributes_aside(self, place: GitPlace) -> str:
        """Put aside attributes by which git outside would run a program of the user's that it did not run here before."""
        found = (self._drivers_in(place) - self._named) & self.drivers
        if not found:
            return ""
        with suppress(OSError):
            put_aside(self._project, place)
            return f"{place.name} would have git outside run your own {', '.join(sorted(found))}: it is called {f'.gitattributes{ASIDE}'} now."
        return f"{place.name} would have git outside run your own {', '.join(sorted(found))}: look at it before you use git there."

    def _drivers_in(self, place: GitPlace) -> frozenset[str]:
        with suppress(OSError), os.fdopen(os.open(self._project / place.name, _READ), "rb") as file:
            if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return driver_names(file.read(_MOST_ATTRIBUTES).decode(errors="replace"))
        return frozenset()

    def _aside(self, place: GitPlace) -> str:
        name = place.name or "The project's folder"
        try:
            put_aside(self._project, place)
        except FileNotFoundError:
            return ""  # gone meanwhile
        except OSError as error:
            return f"{name} is a repository made in the sandbox, and could not be put aside ({error.strerror}): remove it before you use git there."
        if place.is_folder:
            return f"{name} was made a repository in the sandbox. Git outside would run its settings: its HEAD is called {f'HEAD{ASIDE}'} now."
        return f"{name} was made a repository in the sandbox. Git outside would run its settings: it is called {f'.git{ASIDE}'} now."

    def _opened(self, closed: tuple[str, ...]) -> bool:
        """Open what was closed to us, so that it is looked into; whether anything was."""
        done = False
        for each in closed:
            path = self._project / each
            try:
                mode = stat.S_IMODE(path.lstat().st_mode)
                if mode & 0o700 != 0o700:
                    path.chmod(mode | 0o700)
                    done = True
            except OSError:
                continue
        return done


def _identity(path: Path) -> tuple[int, int]:
    try:
        seen = path.lstat()
    except OSError:
        return (0, 0)
    return (seen.st_dev, seen.st_ino)


def all_stores(objects: Path) -> Iterator[Path]:
    """A folder of git's objects, and each that it borrows from."""
    waiting: list[Path] = [objects]
    seen: set[Path] = set()
    while waiting:
        store = waiting.pop(0)
        if store in seen or not store.is_dir():
            continue
        seen.add(store)
        yield store
        borrowed = store / "info" / "alternates"
        if borrowed.is_file():
            lines = borrowed.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
            waiting += [real_path(store / line) for line in lines if line and not line.startswith(("#", '"'))]


def real_path(path: Path) -> Path:
    """The path with its links followed; of links in a circle the path itself (`Path.resolve` raises before Python 3.13)."""
    return Path(os.path.realpath(path))
