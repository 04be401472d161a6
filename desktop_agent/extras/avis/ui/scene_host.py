"""Shows the window of the simulated desktop that the agent works on beside the chat window."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt

from desktop_agent.protocol.agent_events import FeedEvent, GoalReached
from desktop_agent.support.language import tr
from desktop_agent.targets.base import Target
from desktop_agent.ui.bridge import Bridge
from desktop_agent.ui.shell.window import Window

if TYPE_CHECKING:  # loaded where there is a simulated desktop: most starts have none
    from desktop_agent.extras.avis.targets.simulated import SimulatedTarget
    from desktop_agent.extras.avis.ui.scene_window import SceneWindow


class SceneHost(QObject):
    """Follows what `target` gives, which the settings may change: a scene's window is there while it is a simulated one.

    One that was closed comes back by the menu.
    """

    def __init__(self, window: Window, bridge: Bridge, target: Callable[[], Target]) -> None:
        super().__init__(window)
        self._window, self._bridge, self._target = window, bridge, target
        self.scene: SceneWindow | None = None
        self._entry = window.header.add_window(tr("Simulated desktop"), self.show)
        bridge.arrived.connect(self._arrived)  # after the window's own slot: its view is up to date
        bridge.broke.connect(self._arrived)
        if window.calls is not None:
            window.calls.changed.connect(self.follow)
        window.painted.connect(self.follow)

    def show(self) -> None:
        """Show the scene's window, before the others."""
        self._open()
        if self.scene is not None:
            self.scene.show()
            self.scene.raise_()
            self.scene.activateWindow()

    def follow(self) -> None:
        """Show the scene of a target that is another one, quietly; none where the target is no simulated one."""
        target = self._simulated()
        self._entry.setVisible(target is not None)
        if self.scene is None:
            self._open()
        elif target is None:
            self.scene.close()
        elif self.scene.target is not target:
            self.scene.show_target(target)

    def _simulated(self) -> SimulatedTarget | None:
        target = self._target()
        if target.kind != "simulated":
            return None
        from desktop_agent.extras.avis.targets.simulated import SimulatedTarget

        return target if isinstance(target, SimulatedTarget) else None

    def _open(self) -> None:
        target = self._simulated()
        if self.scene is not None or target is None:
            return
        from desktop_agent.extras.avis.ui.scene_window import SceneWindow

        window = self._window
        self.scene = SceneWindow(
            window.theme, target, window, try_goal=window.composer.fill, stop=window.stop
        )
        self.scene.closed.connect(self._forget)
        self.scene.set_working(window.view.working)
        self.scene.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.scene.show()

    def _forget(self) -> None:
        self.scene = None

    def _arrived(self, events: object) -> None:
        if self.scene is None:
            return
        self.scene.set_working(self._window.view.working)
        for each in _reports(events):
            self.scene.hear_report(each)


def _reports(events: object) -> list[str]:
    """What is said in the ends of runs among the events."""
    told: list[FeedEvent] = events if isinstance(events, list) else []
    return [each.summary for each in told if isinstance(each, GoalReached)]
