"""What hints on the screen cost a look and the hand's check: python -m benchmarks.hint_cost, on a private display."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable

from desktop_agent.platforms.base import HintPicture
from desktop_agent.platforms.x11.connection import Display
from desktop_agent.platforms.x11.windows.scene_reader import SceneReader
from desktop_agent.platforms.x11.windows.visible_areas import VisibleWindows
from desktop_agent.protocol.geometry import Rect
from desktop_agent.targets import display as embedded
from desktop_agent.targets._x11 import AttachedScreen
from tests.support.private_desk import Desk

SIZE = (1920, 1080)
TIMES = 100
AT = Rect(150, 150, 96, 96)
PLACES = {
    "ring": AT, "caption": Rect(80, 260, 300, 32), "top": Rect(0, 0, 1920, 4), "bottom": Rect(0, 1076, 1920, 4),
    "left": Rect(0, 4, 4, 1072), "right": Rect(1916, 4, 4, 1072),
}  # fmt: skip


def milliseconds(work: Callable[[], object]) -> str:
    """The median and the ninth of ten."""
    taken = []
    for _ in range(TIMES):
        began = time.perf_counter()
        work()
        taken.append((time.perf_counter() - began) * 1_000)
    return f"{statistics.median(taken):6.2f} {sorted(taken)[TIMES * 9 // 10]:6.2f}"


def main() -> None:
    target = embedded.create(embedded.Options(width=SIZE[0], height=SIZE[1]))
    target.start()
    desk = Desk(target)
    desk.launch("xterm", "-T", "work", "-geometry", "80x24+100+100", "-e", "cat", title="work")
    screen = AttachedScreen("local", desk.environment)
    screen.start()
    screen.protect([os.getpid()])
    display = Display(desk.environment)
    scenes = SceneReader(display, VisibleWindows(display))
    surface = screen.hint_surface()

    def measure(what: str) -> None:
        look, check = (
            milliseconds(screen.observe),
            milliseconds(lambda: scenes.pixels(Rect(140, 140, 160, 48))),
        )
        print(f"{what:12} picture {look} ms   the hand's check {check} ms")

    measure("no hints")
    surface.open()
    measure("nothing yet")
    surface.show(
        {
            name: HintPicture(place, b"\xff\x6b\x2f\xff" * (place.width * place.height))
            for name, place in PLACES.items()
        }
    )
    measure("with hints")
    surface.close()
    display.close()
    screen.stop()
    target.stop()


if __name__ == "__main__":
    main()
