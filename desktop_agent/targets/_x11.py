"""The observing half of every target on an X display."""

from __future__ import annotations

import os
import threading
from abc import abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from desktop_agent.platforms.base import Shown, Standing, WindowInfo
from desktop_agent.platforms.x11.app_activity import X11Activity
from desktop_agent.platforms.x11.clipboard.clipboard import X11Clipboard
from desktop_agent.platforms.x11.connection import Display, display_errors
from desktop_agent.platforms.x11.hint_surface import X11HintSurface
from desktop_agent.platforms.x11.monitors import Monitors
from desktop_agent.platforms.x11.opener import named_programs
from desktop_agent.platforms.x11.opener.opener import X11Opener
from desktop_agent.platforms.x11.windows.ewmh import Arrangement
from desktop_agent.platforms.x11.windows.scene_reader import SceneReader
from desktop_agent.platforms.x11.windows.visible_areas import VisibleWindows
from desktop_agent.platforms.x11.windows.window_at import WindowProbe, program_of
from desktop_agent.protocol.errors import TargetError
from desktop_agent.protocol.geometry import Geometry, Point, Rect
from desktop_agent.protocol.scene import Scene
from desktop_agent.targets.base import Address
from desktop_agent.targets.faces import (
    Desktop,
    HasElementHandles,
    HasHintSurface,
    HasWindowOrder,
    Rests,
    TellsActivity,
)
from desktop_agent.vision.atspi.atspi_reader import AtspiReader
from desktop_agent.vision.atspi.field_follower import FieldFollower
from desktop_agent.vision.atspi.node_queries import LinkReader
from desktop_agent.vision.capture.capture import Camera, Capture
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.capture.masks import masked
from desktop_agent.vision.capture.x11_camera import CameraWithoutHints, x11_camera
from desktop_agent.vision.elements.reader import ElementReader
from desktop_agent.vision.observation import Element


class Screen(Desktop, HasElementHandles, HasWindowOrder, TellsActivity):
    """Geometry, pictures, windows and focus of one X display; usable from several threads.

    A kind of target says how the display comes up (`_bring_up` returns the environment that leads
    to it) and how it goes (`_take_down`).
    """

    doubtful = True

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._environment: Mapping[str, str] = {}
        self._display: Display | None = None
        self._protected: tuple[int, ...] = ()
        self._reader: ElementReader | None = None
        self._follower: FieldFollower | None = None
        self._links: LinkReader | None = None
        self._activity: X11Activity | None = None
        self._mute = False
        self._users = frozenset((os.geteuid(),))
        """Whose programs may be worked there."""

    @abstractmethod
    def _bring_up(self) -> Mapping[str, str]: ...

    @abstractmethod
    def _take_down(self) -> None: ...

    def start(self) -> None:
        with self._lock:
            if self._display is not None:
                return
            try:
                self._environment = self._bring_up()
                self._attach(Display(self._environment))
            except BaseException:
                self.stop()
                raise

    def _attach(self, display: Display) -> None:
        self._display = display
        with display_errors(display.name):
            self._monitors = Monitors(display)
            self._windows = VisibleWindows(display)
            self._arrangement = Arrangement(display, self._windows)
            self._scenes = SceneReader(display, self._windows)
            self._examiner = WindowProbe(display, self._windows, self._users)
        self._capture = Capture(self._camera)

    def _camera(self) -> Camera:
        return x11_camera(self._environment)

    @contextmanager
    def _speaking(self) -> Iterator[None]:
        """Hold the display; only one thread talks to it at a time."""
        with self._lock:
            if self._display is None:
                raise TargetError("The display has not been started or has ended.", "Start the run again.")
            with display_errors(self._display.name):
                yield

    @property
    def environment(self) -> Mapping[str, str]:
        """The variables that lead a program to this display."""
        return self._environment

    def address(self) -> Address:
        return Address(self.kind, dict(self._environment))

    def geometry(self) -> Geometry:
        with self._speaking():
            return self._monitors.geometry()

    def observe(self, region: Rect | None = None) -> Frame:
        self.may_look()
        with self._speaking():
            geometry = self._monitors.geometry()
            hidden = self._own_areas()
            try:
                frame = self._capture.frame(geometry, region, hidden)
                late = [each for each in self._own_areas() if each not in hidden]
                return masked(frame, late)  # a window of ours may have moved meanwhile
            except TargetError:
                if self._monitors.geometry() == geometry:
                    raise
        return self.observe(region)  # the layout changed between the question and the picture

    def _own_areas(self) -> Sequence[Rect]:
        return self._windows.areas_of(self._protected) if self._protected else ()

    def elements(self) -> Sequence[Element]:
        self.may_look()
        with self._speaking():
            stacked = self._windows.stacked()
            self._reader = self._reader or AtspiReader(self._environment, pid_here=self.pid_here)
            reader, protected = self._reader, self._protected
        return reader.read(stacked, protected)  # takes a while: others may look meanwhile

    @property
    def elements_missing(self) -> str:
        return self._reader.reason if self._reader else ""

    def windows(self) -> Sequence[WindowInfo]:
        with self._speaking():
            return [w for w in self._windows.listed() if w.pid not in self._protected]

    def showing(self, chosen: Callable[[WindowInfo], bool]) -> Sequence[Shown]:
        with self._speaking():
            return self._windows.showing(chosen)

    def unread(self) -> Collection[str]:
        return self._reader.silent if self._reader else ()

    def clipboard(self) -> X11Clipboard:
        return X11Clipboard(self._environment)

    def window_at(self, point: Point) -> WindowInfo | None:
        with self._speaking():
            return self._examiner.at(point)

    def focused_window(self) -> WindowInfo | None:
        with self._speaking():
            return self._examiner.focused()

    def program_for(self, name: str) -> str:
        return X11Opener(self._environment).program_for(name.strip())

    def program_of(self, pid: int) -> str:
        return program_of(pid) or super().program_of(pid)

    def programs_named(self, words: str) -> frozenset[str]:
        return named_programs.in_words(words, X11Opener(self._environment))

    def pid_here(self, told: int) -> int:
        """The process's number on this computer for one that the session's bus tells."""
        return told

    def home(self) -> Path:
        return X11Opener(self._environment).home()

    def pointer(self) -> Point | None:
        with self._speaking():
            return self._examiner.pointer()

    def elements_of(self, pid: int) -> Sequence[Element]:
        self.may_look()
        with self._speaking():
            stacked = self._windows.stacked()
            self._reader = self._reader or AtspiReader(self._environment, pid_here=self.pid_here)
            reader = self._reader
        return reader.read(stacked, (), pid)

    def follow_field(
        self, handle: str, taken: Callable[[int], None], moved: Callable[[str], None]
    ) -> AbstractContextManager[None]:
        self._follower = self._follower or FieldFollower(self._environment)
        return self._follower.follow(handle, taken, moved)

    def hurry(self, handle: str, point: Point) -> bool:
        return self._reader.hurry(handle, point) if self._reader else False

    def link_address(self, handle: str) -> str:
        self._links = self._links or LinkReader(self._environment)
        return self._links.address(handle)

    def scene(self) -> Scene | None:
        with self._speaking():
            return self._scenes.read()

    def activity(self) -> X11Activity | None:
        with self._speaking():
            if self._activity is None and not self._mute:
                try:
                    self._activity = X11Activity(self._environment)
                except TargetError:  # a server without the extensions
                    self._mute = True
            return self._activity

    def protect(self, pids: Sequence[int]) -> None:
        with self._lock:
            self._protected = tuple(pids)

    def give_focus_back(self) -> None:
        with self._speaking():
            if self._windows.focus_owner() in self._protected:
                self._windows.activate_other_than(self._protected)

    def standing(self) -> Standing | None:
        with self._speaking():
            return self._arrangement.read()

    def stand_as(self, before: Standing, but: Collection[tuple[int, int]]) -> None:
        with self._speaking():
            self._arrangement.put_back(before, but)

    def stop(self) -> None:
        with self._lock:
            if self._display is not None:
                self._capture.close()
                if self._reader is not None:
                    self._reader.close()
                if self._follower is not None:
                    self._follower.close()
                    self._follower = None
                if self._links is not None:
                    self._links.close()
                    self._links = None
                if self._activity is not None:
                    self._activity.close()
                    self._activity = None
                self._mute = False
                self._display.close()
                self._display = None
            self._take_down()


class AttachedScreen(Screen, HasHintSurface, Rests):
    """A display that was there before and stays when we go."""

    def __init__(self, kind: str, environment: Mapping[str, str]) -> None:
        super().__init__()
        self.kind = kind
        self.title = "This desktop"
        self._session = environment
        self._hints = X11HintSurface(environment)

    def hint_surface(self) -> X11HintSurface:
        return self._hints

    def _camera(self) -> Camera:
        return CameraWithoutHints(x11_camera(self._environment), self._hints)

    def _bring_up(self) -> Mapping[str, str]:
        return self._session

    def _attach(self, display: Display) -> None:
        super()._attach(display)
        with display_errors(display.name):
            if self._monitors.of_wayland():
                raise TargetError(
                    "This is a Wayland session, whose windows cannot be seen or worked through X11.",
                    "Log in to an X11 session (often called Xorg), or use --target display.",
                )

    def _take_down(self) -> None:
        pass

    def rest(self) -> None:
        self.stop()
