"""How others get a picture for a model: seconds from nothing to base64, each on the display it is given."""

from __future__ import annotations

import base64
import os
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, cast

from benchmarks import peers
from benchmarks.observing import grabbing
from benchmarks.peers import Unavailable
from benchmarks.reading.cua import VERSION, CuaDriver
from desktop_agent.protocol.geometry import Size

PILLOW, MSS = "pillow==13.0.0", "mss==10.2.0"


class Other(ABC):
    """One way. `at_least` is how many times as fast ours shall be, 0 where there is no goal."""

    name: str
    at_least: float = 0.0

    @abstractmethod
    def seconds(self) -> float:
        """Take one picture. Raises Unavailable."""

    def close(self) -> None:
        """End what was started."""


class Scrot(Other):
    """A file by scrot, a smaller one by ImageMagick, read and written in base64."""

    name = "scrot + convert, PNG"
    at_least = 25.0

    def __init__(self, environment: Mapping[str, str], folder: Path, size: Size) -> None:
        self._environment = {**os.environ, **environment}
        whole, small = folder / "whole.png", folder / "small.png"
        self._small = small
        resize = ["-resize", f"{size.width}x{size.height}!"]
        self._commands: list[list[str | Path]] = [
            [peers.program("scrot", "scrot"), "--overwrite", whole],
            [peers.program("convert", "imagemagick"), whole, *resize, small],
        ]

    def seconds(self) -> float:
        began = time.perf_counter()
        for command in self._commands:
            ran = subprocess.run(command, env=self._environment, capture_output=True, check=False)
            if ran.returncode:
                raise Unavailable(f"{command[0]}: {ran.stderr.decode(errors='replace').strip()[:200]}")
        base64.b64encode(self._small.read_bytes())
        return time.perf_counter() - began


class Grabbed(Other):
    """Pillow's ImageGrab, or mss and Pillow, in a process that is already running."""

    def __init__(self, environment: Mapping[str, str], way: str, form: str, size: Size) -> None:
        python = peers.interpreter("screenshots", PILLOW, MSS)
        self.name = f"{'ImageGrab' if way == 'imagegrab' else 'mss'} + Pillow, {form.upper()}"
        self.at_least = 9.0 if form == "png" else 0.0
        self._process = subprocess.Popen(
            [python, grabbing.__file__, way, form, str(size.width), str(size.height)],
            env={**os.environ, **environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def seconds(self) -> float:
        to, answers = cast(IO[str], self._process.stdin), cast(IO[str], self._process.stdout)
        to.write("\n")
        to.flush()
        line = answers.readline()
        if not line:
            raise Unavailable(f"{self.name} ended with {self._process.wait()}")
        return float(line)

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()


class Cua(Other):
    """The whole desktop by cua-driver's own tool, scaled by it, over its stdio protocol."""

    name = f"cua-driver {VERSION}, PNG"
    at_least = 4.0

    def __init__(self, environment: Mapping[str, str], folder: Path, size: Size) -> None:
        self._driver = CuaDriver(environment, folder)
        self._wanted = {"max_image_dimension": max(size.width, size.height)}

    def seconds(self) -> float:
        began = time.perf_counter()
        self._driver.call("get_desktop_state", self._wanted)
        return time.perf_counter() - began

    def close(self) -> None:
        self._driver.close()


@contextmanager
def others(
    environment: Mapping[str, str], folder: Path, size: Size, notes: list[str]
) -> Iterator[list[Other]]:
    """All that can be had here; `notes` gets a line about each that cannot."""
    makers = (
        lambda: Scrot(environment, folder, size),
        lambda: Grabbed(environment, "imagegrab", "png", size),
        lambda: Grabbed(environment, "mss", "png", size),
        lambda: Grabbed(environment, "mss", "jpeg", size),
        lambda: Cua(environment, folder, size),
    )
    with ExitStack() as open_ones:
        found: list[Other] = []
        for make in makers:
            try:
                other = make()
                open_ones.callback(other.close)
                other.seconds()  # the first one has things to set up
                found.append(other)
            except Unavailable as why:
                notes.append(f"Not measured: {why}")
        yield found
