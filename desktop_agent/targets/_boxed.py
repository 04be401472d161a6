"""An embedded display whose programs run in a bubblewrap box: with a home of their own, and nothing else of this computer."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from desktop_agent.platforms.allowed_network.allow_list import AllowList
from desktop_agent.platforms.allowed_network.network_gate import PROXIES, NetworkGate
from desktop_agent.platforms.folder_walk import HomeWatch
from desktop_agent.platforms.host import Peer
from desktop_agent.platforms.posix import bubblewrap
from desktop_agent.platforms.posix.bubblewrap import BoxLimits, require_bubblewrap
from desktop_agent.platforms.x11.embedded import boxed_session
from desktop_agent.platforms.x11.embedded import environment as surroundings
from desktop_agent.platforms.x11.embedded.boxed_session import BoxedSession, BoxPids
from desktop_agent.platforms.x11.embedded.supervisor_client import LAUNCHER, Launcher, SupervisorClient
from desktop_agent.protocol.errors import TargetError
from desktop_agent.protocol.geometry import Size
from desktop_agent.targets._embedded import EmbeddedDisplay
from desktop_agent.vision.atspi.bus_session import BOX

_LIMITS = BoxLimits()


class BoxedDisplay(EmbeddedDisplay):
    """`workspace` is the home of its programs; of a network they reach what is on the list, if there is one."""

    title = "a sandbox (embedded display in a box)"

    def __init__(
        self,
        size: Size,
        background: int,
        workspace: Path,
        *,
        viewers: bool = False,
        allowed: AllowList | None = None,
        limits: BoxLimits = _LIMITS,
    ) -> None:
        super().__init__(size, background, viewers=viewers)
        self.workspace, self._allowed, self._limits = workspace, allowed, limits
        self._watch: HomeWatch | None = None
        self._why = ""
        self._gate: NetworkGate | None = None
        self._pids: BoxPids | None = None
        self._monitor: Peer | None = None
        self._users = bubblewrap.users()

    def _inherited(self) -> dict[str, str]:
        require_bubblewrap()
        return bubblewrap.variables(surroundings.inherited(os.environ))

    def _prepared(self, folder: Path) -> dict[str, str]:
        self.workspace.mkdir(parents=True, exist_ok=True)
        prepared = surroundings.prepare(folder, self._inherited(), boxed=True)
        own = {"HOME": str(self.workspace), "SHELL": str(boxed_session.logged_shell(folder))}
        return {**prepared, **own, **(PROXIES if self._allowed is not None else {})}

    def _programs(self, folder: Path, keeper: SupervisorClient, environment: dict[str, str]) -> Launcher:
        if self._allowed is not None:
            self._gate = NetworkGate(folder / "network", self._allowed)
        session = BoxedSession(str(self.workspace), gate=self._gate is not None, limits=self._limits)
        try:
            launcher, monitor = boxed_session.start(folder, keeper, environment["DISPLAY"], session)
        except OSError as error:
            raise TargetError(
                f"The box of the embedded display could not be made: {error}.",
                "Make room, or choose another folder.",
            ) from error
        environment[LAUNCHER] = str(folder / "inside" / "launcher")
        self._pids, self._monitor = BoxPids(keeper.pid), Peer(monitor)
        environment[BOX] = str(self._pids.namespace())
        self._why = ""
        self._watch = HomeWatch((self.workspace,), lambda: self._limits.home, self._end_for)
        return launcher

    def _bus_command(self, folder: Path) -> list[str]:
        return boxed_session.bus_command(folder)

    def _end_for(self, why: str) -> None:
        """End all that runs in it, which the next look tells."""
        self._why = why
        if (keeper := self._keeper) is not None:
            keeper.end_now()

    @contextmanager
    def _speaking(self) -> Iterator[None]:
        try:
            with super()._speaking():
                yield
        except TargetError as error:
            if not self._why and not (self._monitor is not None and self._monitor.wait(0)):
                raise
            raise TargetError(
                f"The sandbox has ended. {self._why}".strip(), "Start the run again: it gets a new one."
            ) from error

    def launch(self, argv: list[str]) -> int:
        return self.pid_here(super().launch(argv))

    def pid_here(self, told: int) -> int:
        return self._pids.outside(told) if self._pids is not None else told

    def home(self) -> Path:
        return self.workspace

    def narrow(self, allowed: AllowList) -> None:
        """Let it reach only this from now on. Nothing where it reaches nothing."""
        if self._gate is not None:
            self._gate.allow(allowed)

    def _take_down(self) -> None:
        if self._watch is not None:
            self._watch.end()
            self._watch = None
        super()._take_down()
        if self._gate is not None:
            self._gate.close()
            self._gate = None
