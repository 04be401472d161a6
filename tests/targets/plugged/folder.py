"""A target in one file, without any display: a folder whose files are what is held.

The hand makes the files `key-CODE` and `button-CODE`; a file `escape` is the human's ESC, `human` their mouse.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import msgspec

from desktop_agent.platforms.base import EscapeSink, HumanSink, Input, InputWatch, Releaser
from desktop_agent.protocol.errors import TargetError
from desktop_agent.protocol.geometry import Geometry, Point, Rect
from desktop_agent.protocol.input_events import Button, ButtonDown, ButtonUp, InputEvent, KeyDown, KeyUp, Move
from desktop_agent.targets.base import Address, Target

if TYPE_CHECKING:
    from desktop_agent.vision.capture.frame import Frame

FOLDER = "DESKTOP_AGENT_TRIAL_FOLDER"
SCREEN = Rect(0, 0, 800, 600)
_BUTTONS: tuple[Button, ...] = get_args(Button)


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[target.folder]`: where the folder is."""

    path: str


def create(options: Options) -> FolderTarget:
    """The target; the folder is made at its start."""
    return FolderTarget(Path(options.path))


def attach(address: Address) -> FolderInput:
    """What injects. Raises TargetError."""
    return FolderInput(_folder(address))


def watch(address: Address) -> FolderWatch:
    """What watches. Raises TargetError."""
    return FolderWatch(_folder(address))


def releaser(address: Address) -> FolderReleaser:
    """What releases. Raises TargetError."""
    return FolderReleaser(_folder(address))


def _folder(address: Address) -> Path:
    folder = Path(address.environment[FOLDER])
    if not folder.is_dir():
        raise TargetError(f"There is no folder {folder}.")
    return folder


class FolderTarget(Target):
    """The observing half: black."""

    kind = "folder"
    title = "A folder"

    def __init__(self, path: Path) -> None:
        self.path = path

    def start(self) -> None:
        self.path.mkdir(exist_ok=True)

    def address(self) -> Address:
        return Address(self.kind, {FOLDER: str(self.path)})

    def geometry(self) -> Geometry:
        return Geometry((SCREEN,), epoch=1)

    def observe(self, region: Rect | None = None) -> Frame:
        from desktop_agent.vision.capture.frame import Frame  # slow: the guard loads this module, too

        area = region or SCREEN
        return Frame(bytes(area.width * area.height * 4), area, 1, time.monotonic())

    def stop(self) -> None:
        """The folder stays."""


class FolderInput(Input):
    """One file for each key and button that is down."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._at = folder, Point(0, 0)

    def emit(self, event: InputEvent) -> None:
        match event:
            case Move(x, y):
                self._at = Point(x, y)
            case KeyDown() | ButtonDown():
                for path in self._paths(event):
                    path.touch()
            case KeyUp() | ButtonUp():
                for path in self._paths(event):
                    path.unlink(missing_ok=True)

    def _paths(self, event: InputEvent) -> Iterator[Path]:
        kind = "button" if isinstance(event, ButtonDown | ButtonUp) else "key"
        return (self._folder / f"{kind}-{code}" for code in self.codes(event))

    def codes(self, event: InputEvent) -> tuple[int, ...]:
        match event:
            case KeyDown(key) | KeyUp(key):
                return (sum(map(ord, key)) % 256,)
            case ButtonDown(button) | ButtonUp(button):
                return (40 + _BUTTONS.index(button),)
        return ()

    def geometry(self) -> Geometry:
        return Geometry((SCREEN,), epoch=1)

    def pointer(self) -> Point:
        return self._at

    def owner_at(self, point: Point) -> int:
        return 0

    def focus_owner(self) -> int:
        return 0

    def open(self, what: str) -> str:
        return what

    def double_click_seconds(self) -> float:
        return 0.0


class FolderReleaser(Releaser):
    """Removes the files."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def release(self, keys: Sequence[int], buttons: Sequence[int]) -> bool:
        for name in (*(f"key-{code}" for code in keys), *(f"button-{code}" for code in buttons)):
            (self._folder / name).unlink(missing_ok=True)
        return True


class FolderWatch(FolderReleaser, InputWatch):
    """Looks for the human's files, which it removes once it has seen them."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._human: HumanSink | None = None

    def watch_human(self, human: HumanSink) -> bool:
        self._human = human
        return True

    def watch_escape(
        self, escapes: EscapeSink, interval: Callable[[], float], beat: Callable[[], None]
    ) -> None:
        def look() -> None:
            pause = threading.Event()
            while not pause.wait(interval()):
                if self._taken("escape"):
                    escapes.pressed(from_own_device=False)
                if self._human is not None and self._taken("human"):
                    self._human.seen("mouse", lambda: 0)
                beat()

        threading.Thread(target=look, name="folder", daemon=True).start()

    def _taken(self, name: str) -> bool:
        with suppress(OSError):
            (self._folder / name).unlink()
            return True
        return False

    def watching(self) -> bool:
        return self._folder.is_dir()
