"""A simulated desktop: a scene in memory, drawn to pixels and worked with a hand of this process. Nothing real can be reached."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal

import msgspec

from desktop_agent.extras.avis.sandboxed_python import SandboxedPython
from desktop_agent.extras.avis.simulation import accessibility, skins
from desktop_agent.extras.avis.simulation.clock import RunningClock, SteppedClock
from desktop_agent.extras.avis.simulation.drawing.screen import SceneScreen
from desktop_agent.extras.avis.simulation.faults import make_fault
from desktop_agent.extras.avis.simulation.scene_file import SceneFile, load_scene, read_scene
from desktop_agent.extras.avis.simulation.services.code_elements import CodeElements
from desktop_agent.extras.avis.simulation.services.resource_awareness import ResourceAwarenessService
from desktop_agent.extras.avis.simulation.services.simulation_control import (
    NOTHING_GRANTED,
    AISimulationControlService,
    go_on,
)
from desktop_agent.extras.avis.simulation.simulated_desktop import SimulatedDesktop
from desktop_agent.extras.avis.simulation.widget import Widget
from desktop_agent.platforms.base import Input, KeyDestination, WindowInfo, made_up_codes
from desktop_agent.platforms.script_limits import ScriptLimits
from desktop_agent.protocol.errors import Refused
from desktop_agent.protocol.geometry import Geometry, Point, Rect, layout
from desktop_agent.protocol.input_events import InputEvent, Text
from desktop_agent.protocol.scene import Scene, TopWindow
from desktop_agent.support import resources
from desktop_agent.support.config import SimulationSettings
from desktop_agent.targets.base import Address, Target
from desktop_agent.targets.faces import HasElements, HasOwnClock, HasScene, HasWindows, Simulated, TellsBusy
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.observation import Element

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from desktop_agent.ui.widgets.theme import Theme

VARIANT = "scene"
_TICK = 0.1
"""Seconds of the desktop's clock between two looks at whether it is at rest."""
_SCRIPTS = ScriptLimits(seconds=10.0)
"""Nobody sees the desktop while its code is executed."""
_DESKTOP = 1
"""The id of what is behind all windows; a window's own is its place in the scene and _WINDOW."""
_WINDOW = 1_000


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[target.simulated]`: `scene` is a name of the program's own or a file, `skin` how it looks and `fault` what goes
    wrong there (simulation/skins.py, simulation/faults.py), `seed` what both draw their lots by. With the clock
    "stepped" time passes only with what is done and looked at. `as_real`: it is judged like a real desktop, with the
    permission's questions and its scope, to rehearse what would be asked."""

    scene: str = "login"
    skin: str = "light"
    fault: str = ""
    seed: int = 0
    clock: Literal["running", "stepped"] = "running"
    as_real: bool = False


def create(options: Options) -> Target:
    """The desktop of the scene that the options name. Raises ConfigError."""
    return SimulatedTarget(load_scene(options.scene), options)


def practice() -> tuple[SimulatedTarget, str, Callable[[Theme], QWidget]]:
    """For the first page: a desktop so small that it can be read in the window, a goal that the offline model reaches
    there in a few steps, and what makes a view of it."""
    scene = read_scene(resources.text("simulation", "templates", "practice.json"), "practice")
    target = SimulatedTarget(scene)

    def view(theme: Theme) -> QWidget:
        from desktop_agent.extras.avis.ui.scene_view import SceneView  # Qt is loaded only for the window

        return SceneView(theme, target.screen, works=False)

    return target, scene.goals[0].say["en"], view


class SimulatedTarget(Simulated, HasElements, HasOwnClock, HasScene, HasWindows, TellsBusy):
    """The observing half. Whoever sits at the program sees and works the same `screen`."""

    kind = "simulated"
    title = "a simulated desktop"
    files_elsewhere = True

    def __init__(self, scene: SceneFile, options: Options | None = None) -> None:
        self._scene, self._options = scene, options or Options()
        self.title = f"the simulated desktop “{scene.title}”"
        self._geometry = layout((Rect(0, 0, *scene.screen),))
        self._granted = NOTHING_GRANTED
        self._control = AISimulationControlService(
            lambda: self._granted, ResourceAwarenessService(), SandboxedPython(_SCRIPTS)
        )
        self._check: Callable[[], None] = go_on
        self.screen = SceneScreen(self._begun())
        self._tree = accessibility.Tree(self.desktop)
        self._code = self._code_elements()

    @property
    def harmless(self) -> bool:
        return not self._options.as_real

    def _code_elements(self) -> CodeElements:
        return CodeElements(self.desktop, self._control, lambda: self._check())

    def _end_code_with(self, check: Callable[[], None]) -> None:
        self._check = check

    def grant(self, simulation: SimulationSettings) -> None:
        self._granted = {
            "can_execute_code": simulation.can_execute_code,
            "can_read_sim_hw_status": simulation.can_read_sim_hw_status,
        }
        with self.screen.lock:
            self._code.refresh()

    def _begun(self) -> SimulatedDesktop:
        options = self._options
        self.scene_file, look = skins.dressed(self._scene, options.skin, options.seed)
        clock = RunningClock() if options.clock == "running" else SteppedClock()
        return SimulatedDesktop(
            self.scene_file, look=look, clock=clock, fault=make_fault(options.fault, options.seed)
        )

    @property
    def desktop(self) -> SimulatedDesktop:
        """What is observed and worked; another one after `begin_again`."""
        return self.screen.desktop

    @property
    def options(self) -> Options:
        """How it is shown now."""
        return self._options

    def begin_again(self, skin: str | None = None, fault: str | None = None) -> None:
        """Show the scene as its file has it, in this skin and with this fault (None: as before). Not during a run."""
        chosen = {name: value for name, value in (("skin", skin), ("fault", fault)) if value is not None}
        with self.screen.lock:
            self._options = msgspec.structs.replace(self._options, **chosen)
            self.screen.show(self._begun())
            self._tree = accessibility.Tree(self.desktop)
            self._code = self._code_elements()

    def start(self) -> None:
        """It is there already."""

    def stop(self) -> None:
        """Nothing to end."""

    def address(self) -> Address:
        return Address(self.kind)

    def geometry(self) -> Geometry:
        return self._geometry

    def inline_input(self) -> Input:
        return SimulatedInput(self.screen, self._geometry, self._end_code_with)

    def observe(self, region: Rect | None = None) -> Frame:
        self.may_look()
        area = self._geometry.bounds if region is None else region
        with self.screen.lock:
            self.desktop.look()
            return Frame(self.screen.pixels(area), area, self._geometry.epoch, time.monotonic())

    def elements(self) -> Sequence[Element]:
        self.may_look()
        with self.screen.lock:
            return self._tree.elements()

    def windows(self) -> Sequence[WindowInfo]:
        with self.screen.lock:
            return accessibility.windows(self.desktop)

    def pointer(self) -> Point | None:
        return self.desktop.pointer

    def come_to_rest(self, seconds: float) -> bool | None:
        with self.screen.lock:
            while self.desktop.waiting and seconds > 0:
                if not self.desktop.pass_time(_TICK):
                    return None
                seconds -= _TICK
            return None if self._options.clock == "running" else not self.desktop.waiting

    def busy(self) -> bool:
        return self.desktop.waiting

    def scene(self) -> Scene | None:
        with self.screen.lock:
            return _stacking(self.desktop, self._geometry)


class SimulatedInput(Input):
    """The injecting half: events go to the desktop and nowhere else."""

    def __init__(
        self,
        screen: SceneScreen,
        geometry: Geometry,
        end_code_with: Callable[[Callable[[], None]], None],
    ) -> None:
        """`end_code_with` takes what is called while code is executed, and ends that by raising."""
        self._screen, self._geometry, self._end_code_with = screen, geometry, end_code_with
        self._check: Callable[[int], None] = lambda _typed: None

    @property
    def _desktop(self) -> SimulatedDesktop:
        return self._screen.desktop

    def emit(self, event: InputEvent) -> None:
        """A text goes out a character at a time: between two of them the keyboard may have gone elsewhere."""
        for typed, part in enumerate(_parts(event)):
            if typed:
                self._check(typed)
            with self._screen.lock:
                self._desktop.emit(part)

    def geometry(self) -> Geometry:
        return self._geometry

    def pointer(self) -> Point:
        return self._desktop.pointer

    def owner_at(self, point: Point) -> int:
        return self._asked(lambda scene: found.pid if (found := scene.at(point)) is not None else 0)

    def window_at(self, point: Point) -> int:
        return self._asked(lambda scene: found.id if (found := scene.at(point)) is not None else 0)

    def focus_owner(self) -> int:
        return self._asked(lambda scene: scene.owner(scene.focus))

    def focus_window(self) -> int:
        return self._asked(lambda scene: scene.focus)

    def key_destination(self) -> KeyDestination:
        with self._screen.lock:
            front = self._desktop.front
            return KeyDestination(0 if front is None else _window_id(self._desktop, front))

    def describe_destination(self, destination: KeyDestination) -> str:
        with self._screen.lock:
            desktop = self._desktop
            titles = (
                each.label for each in desktop.windows if _window_id(desktop, each) == destination.window
            )
            return f"“{next(titles, '')}”" if destination.window else "no window"

    def _asked(self, question: Callable[[Scene], int]) -> int:
        with self._screen.lock:
            return question(_stacking(self._desktop, self._geometry))

    def pass_time(self, seconds: float) -> bool:
        with self._screen.lock:
            return self._desktop.pass_time(seconds)

    def pixels(self, area: Rect) -> bytes:
        with self._screen.lock:
            return self._screen.pixels(area)

    def open(self, what: str) -> str:
        """Bring the window with this title, or of this application, to the front."""
        with self._screen.lock:
            wanted = what.strip().casefold()
            for window in self._desktop.windows:
                if (
                    wanted
                    in (
                        window.label.casefold(),
                        accessibility.application_of(window, self._desktop).casefold(),
                    )
                    and window.type == "window"
                ):
                    self._desktop.open_window(window)
                    return f"opened {window.label}"
        raise Refused(f"There is no {what} on this simulated desktop.", "Use what is on its screen.")

    def check_with(self, check: Callable[[int], None]) -> None:
        """Asked between the characters of a text; and code that an event executes takes a while: a stop ends it."""
        self._check = check
        self._end_code_with(lambda: check(0))

    def codes(self, event: InputEvent) -> tuple[int, ...]:
        return made_up_codes(event)

    def close(self) -> None:
        with self._screen.lock:
            self._desktop.release()


def _stacking(desktop: SimulatedDesktop, geometry: Geometry) -> Scene:
    shown = [each for each in desktop.windows if each.visible]
    stack = [
        TopWindow(
            _window_id(desktop, each), accessibility.pid_of(desktop, each), (desktop.layout.places[each.id],)
        )
        for each in reversed(shown)
    ]
    behind = TopWindow(_DESKTOP, 0, (geometry.bounds,))
    return Scene((*stack, behind), stack[0].id if stack else 0, desktop.pointer)


def _window_id(desktop: SimulatedDesktop, window: Widget) -> int:
    return _WINDOW + list(desktop.widgets).index(window.id)


def _parts(event: InputEvent) -> Sequence[InputEvent]:
    return [Text(char) for char in event.chunk] if isinstance(event, Text) else [event]
