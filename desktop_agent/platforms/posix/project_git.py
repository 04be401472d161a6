"""Keeps git outside apart from what a sandbox writes in a project: what is mounted over it, and what is done after each command."""

from __future__ import annotations

from pathlib import Path

from desktop_agent.platforms.posix.bubblewrap import Mount
from desktop_agent.platforms.posix.git_places import GitGuard
from desktop_agent.platforms.posix.repository_copy import GitFailed, RepositoryCopy


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
            self._guard.drivers = self._copy.drivers()
            over = self._copy.mounts
        except (GitFailed, OSError) as error:
            over = (own,)
            self.told = (f"The project's repository can only be read in the sandbox: {error}.",)
        self.mounts = (*over, *self._guard.mounts)

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
