"""Gathers what surrounds the window (tray, notifications, licences, reports of crashes nobody has been told of) and the settings dialog."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_agent.startup.installation.launch_command import launch_command
from desktop_agent.support import paths
from desktop_agent.support.config import Config

if TYPE_CHECKING:
    from desktop_agent.ui.around.around_window import AroundOptions

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_agent.agent.choices import Choices
from desktop_agent.agent.port import AgentPort
from desktop_agent.redaction.redactor import redactor
from desktop_agent.startup import assembly
from desktop_agent.targets.base import Target
from desktop_agent.vision.capture.masks import Privacy

if TYPE_CHECKING:
    from desktop_agent.ui.settings.options.surroundings import AlwaysAllowed, Surroundings


TOLD = paths.TOLD_CRASHES
"""The file beside the reports that names those the user has been told of, one a line."""


def _licences() -> str:
    from desktop_agent.startup.installation import licences  # what they need is slow to load

    return licences.text()


def options(settings: Config, hidden: bool = False, served: bool = False) -> AroundOptions:
    """What the settings say; a window that is `served` to an MCP client ends with the client and is never kept."""
    from desktop_agent.ui.around.around_window import AroundOptions  # Qt is loaded only for the window

    crashes = UntoldCrashes(paths.logs())
    return AroundOptions(
        logs=paths.logs(),
        licences=_licences,
        keep_in_tray=settings.window.close_to_tray and not served,
        notifications=settings.window.notifications,
        hidden=hidden,
        crashes=crashes,
        runs=paths.data() / "runs",
        command=tuple(launch_command()),
    )


class UntoldCrashes:
    """The reports in `folder` that are not named in the file of those told. Nothing here is sent anywhere."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def text(self) -> str:
        """All that the untold reports hold, the newest first, and "" when there are none."""
        return "\n\n".join(self._read(each) for each in reversed(self._untold()))

    def told(self) -> None:
        """The user has been told of all of them."""
        names = sorted(each.name for each in self._folder.glob("crash-*.txt"))
        with suppress(OSError):
            if names:
                (self._folder / TOLD).write_text("\n".join(names), encoding="utf-8")

    def delete(self) -> None:
        """Delete all reports, told of or not."""
        for each in (*self._folder.glob("crash-*.txt"), self._folder / TOLD):
            with suppress(OSError):
                each.unlink()

    def _untold(self) -> list[Path]:
        try:
            known = (self._folder / TOLD).read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError):
            known = []
        return sorted(each for each in self._folder.glob("crash-*.txt") if each.name not in known)

    def _read(self, file: Path) -> str:
        """A report, cleaned once more: a secret may have become known since it was written."""
        try:
            return redactor().clean(file.read_text(encoding="utf-8", errors="replace"))
        except OSError as error:
            return f"{file.name}: {error.strerror}"


def surroundings(choices: Choices, port: AgentPort) -> Callable[[], Surroundings]:
    """Makes what the dialog is given, when it is opened. The picture is taken because the user asks for it there.

    An embedded display cannot be looked at beside its run, so there is no picture of it.
    """

    def make() -> Surroundings:
        from desktop_agent.ui.settings.options.surroundings import Surroundings, surroundings_of

        allowed = partial(_allowed, port)
        if assembly.target_name(choices.settings()) != "local":
            return Surroundings(allowed=allowed)
        return surroundings_of(partial(_looked_at, choices), partial(_privacy, choices), {}, allowed)

    return make


@contextmanager
def _looked_at(choices: Choices) -> Iterator[Target]:
    """A target of its own for one look: the session's is let go of between runs."""
    target = assembly.make_target(choices.settings())
    target.start()
    try:
        yield target
    finally:
        target.stop()


def _privacy(choices: Choices) -> Privacy:
    return Privacy.of(choices.settings().privacy)


def _allowed(port: AgentPort) -> Sequence[AlwaysAllowed]:
    from desktop_agent.ui.settings.options.surroundings import AlwaysAllowed

    return [AlwaysAllowed(each.words, partial(port.take_back, each.id)) for each in port.standing()]
