"""Keeps git outside apart from what a sandbox writes in a project: what is mounted over it, and what is done after each command."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path

from desktop_agent.extras.project.sandboxes.git_places import GitGuard, real_path
from desktop_agent.extras.project.sandboxes.repository_copy import (
    GitFailed,
    NoRepository,
    RepositoryCopy,
    drivers_of,
    git,
)
from desktop_agent.platforms.posix.bubblewrap import Mount
from desktop_agent.protocol.errors import ConfigError

_FIXED = re.compile(r"core\.hookspath|include(?:if\..*)?\.path")


class ProjectGit:
    """From before a sandbox of a project is started until it has ended."""

    def __init__(self, project: Path) -> None:
        """Look at the project as it is. Raises ConfigError, OSError."""
        self._guard = GitGuard(project)
        self._copy: RepositoryCopy | None = None
        self.told: tuple[str, ...] = ()
        own = Mount(str(project / ".git"), str(project / ".git"))
        try:
            self._copy = RepositoryCopy(project, anew=self._guard.made)
            over = self._copy.mounts
        except (GitFailed, OSError) as error:
            over = (own,)
            self.told = (f"The project's repository can only be read in the sandbox: {error}.",)
        try:
            self._guard.drivers = drivers_of(project)
            kept = sorted(fixed_by_git(project))
        except (GitFailed, OSError) as error:
            if not isinstance(error, NoRepository) and not self._guard.made:
                self.end()  # what it leads to could be written, and be run outside
                raise ConfigError(
                    f"Git does not tell what your hooks and settings in {project} lead it to: {error}",
                    "Try again; if it happens again, see what `git config --list` says in that folder.",
                ) from error
            kept = []
        fixed = tuple(Mount(str(project / each), str(project / each)) for each in kept)
        if kept:
            self.told += (f"Your git runs or reads {', '.join(kept)}: in the sandbox that can only be read.",)
        self.mounts = (*over, *self._guard.mounts, *fixed)

    @property
    def places(self) -> tuple[Path, ...]:
        """Folders of ours that can be written in the sandbox: they count as the project's."""
        return (self._copy.place,) if self._copy is not None else ()

    def after_command(self) -> tuple[str, ...]:
        """Take commits over, and put aside what git outside would act on; returns sentences for the user."""
        told, self.told = self.told, ()
        back = self._copy.bring_back() if self._copy is not None else ()
        return (*told, *back, *self._guard.sweep())

    def end(self) -> tuple[str, ...]:
        """The same once more, now that nothing runs in the sandbox."""
        told, self.told = self.told, ()
        back = self._copy.bring_back() if self._copy is not None else ()
        swept = self._guard.end()
        if self._copy is not None:
            self._copy.close()
        return (*told, *back, *swept)


def run_by_git(project: Path) -> frozenset[str]:
    """The files and folders below a project that the user's own hooks and settings lead git to, by their paths there.

    With those of `fixed_by_git`, whatever else a setting names, as the command of an alias.

    Raises GitFailed, OSError where git tells nothing, as where there is no repository.
    """
    values = [value for _, value in _settings(project)]
    ways = (way for value in values for word in _words(value) for way in _ways(project, word))
    return fixed_by_git(project) | _inside(project, ways)


def fixed_by_git(project: Path) -> frozenset[str]:
    """Of these, the ones that git itself runs or reads: what hooks link to, `core.hooksPath`, `include.path`.

    Raises GitFailed, OSError where git tells nothing, as where there is no repository.
    """
    folder = project / git(project, ("rev-parse", "--git-common-dir"), project) / "hooks"
    linked = [real_path(each) for each in folder.iterdir() if each.is_symlink()] if folder.is_dir() else []
    named = [value for name, value in _settings(project) if _FIXED.fullmatch(name)]
    return _inside(project, (*linked, *(way for value in named for way in _ways(project, value))))


def _settings(project: Path) -> list[tuple[str, str]]:
    listed = git(project, ("config", "--list", "--includes", "-z"), project)
    return [(name.lower(), value) for name, _, value in (each.partition("\n") for each in listed.split("\0"))]


def _inside(project: Path, ways: Iterable[Path]) -> frozenset[str]:
    root = project.resolve()
    inside = (each for each in ways if each != root and each.is_relative_to(root) and each.exists())
    return frozenset(str(each.relative_to(root)) for each in inside) - {".git"}


def _words(value: str) -> list[str]:
    """The words of a setting, which may be a command line."""
    try:
        return [value, *shlex.split(value)]
    except ValueError:
        return [value, *value.split()]


def _ways(project: Path, word: str) -> Iterator[Path]:
    """Where a word leads as a path: from the project, from its repository, or from the user's folder."""
    word = word.lstrip("!")
    if not word or "\0" in word or len(word) > 4_096:
        return
    for base in (project, project / ".git"):
        yield real_path(base / Path(word).expanduser() if word.startswith("~/") else base / word)
