"""The simulated desktop: steps of the whole loop a second, how long a scene takes to draw, and live pictures under load."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from benchmarks.report import Figure, Goal, Report, counted, measured, report
from benchmarks.scenes_parts.scene_run import Case, run_case
from desktop_agent.extras.avis.simulation.drawing.pieces import Kind, ScreenPiece
from desktop_agent.extras.avis.simulation.drawing.scene_theme import SceneTheme, theme
from desktop_agent.extras.avis.simulation.painting.painter import Painter
from desktop_agent.extras.avis.simulation.scene_file import load_scene
from desktop_agent.extras.avis.targets.simulated import Options, SimulatedTarget
from desktop_agent.extras.offline.llm import offline
from desktop_agent.protocol.geometry import Rect, Size
from desktop_agent.vision.capture.capture_pace import Pace, machine_load
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.encoding.live_preview import LivePreview
from tests.support.load import Load

SCREEN = Size(1280, 800)
WHOLE = Rect(0, 0, SCREEN.width, SCREEN.height)
ELEMENTS = 200
LOOP = Case("login", "stay")
"""A goal with two texts, a box and a button."""
CHANGED = 87
"""Which of the elements changes."""
COLUMNS = 8
KINDS: tuple[Kind, ...] = ("button", "field", "label", "check", "drop_down")


def run(quick: bool) -> Report:
    """Goals of the sign-in scene again and again, and a scene with 200 elements."""
    return report("simulated", *loop_figures(quick), *render_figures(quick), *capture_figures(quick))


def loop_figures(quick: bool) -> list[Figure]:
    """Steps of the whole loop a second (look, plan, judge, act, settle, verify, log) with the offline model.

    A step is one turn, with its own look and at least one operation carried out. What the model takes to understand
    the words is within the run's time.
    """
    scene = load_scene("login")
    times = 3 if quick else 30
    run_case(scene, LOOP, offline.create(offline.Options()))  # imports, typefaces
    runs = [run_case(scene, LOOP, offline.create(offline.Options())) for _ in range(times)]
    steps = sum(each.steps for each in runs)
    seconds = sum(each.seconds for each in runs)
    return [
        counted("steps of the whole loop a second", steps / seconds, steps, "1/s", Goal(200, at_least=True)),
        measured("seconds of a goal", [each.seconds for each in runs], "s"),
        counted("goals solved", sum(each.solved for each in runs) / len(runs), len(runs), "share"),
    ]


def capture_figures(quick: bool) -> list[Figure]:
    """Live pictures of a screen on which something moves: how many a second, how large, and what they cost.

    On the machine as it is, and with four busy processes for each processor, where they have to become fewer and smaller.
    """
    seconds = 3.0 if quick else 15.0
    figures: list[Figure] = []
    for name, load in (("at ease", 0), ("under load", 4)):
        with Load(load):
            figures += _live_pictures(name, seconds, machine_load if not load else lambda: 5.0)
    return figures


def _live_pictures(name: str, seconds: float, load: Callable[[], float]) -> list[Figure]:
    target = SimulatedTarget(load_scene("shop"), Options(scene="shop", fault="flicker"))
    front = next(iter(target.windows()))
    edges: list[float] = []
    costs: list[float] = []

    def grab(pace: Pace) -> Frame:
        edges.append(pace.edge)
        began = time.thread_time()
        frame = target.observe(front.bounds if pace.narrow else None)
        costs.append(time.thread_time() - began)
        return frame

    live = LivePreview(grab, lambda _region, _picture: None, 5, load)
    live.start()
    threading.Event().wait(seconds)
    live.close()
    return [
        counted(f"live pictures a second, {name}", len(edges) / seconds, len(edges), "1/s"),
        measured(f"longest edge, {name}", edges, "px"),
        measured(f"processor time of a capture, {name}", [1_000 * each for each in costs], "ms"),
    ]


def render_figures(quick: bool) -> list[Figure]:
    """Milliseconds to draw a window with 200 elements whole, to draw one that changed, and to copy the pixels.

    By the clock and by the processor's time: on a busy machine the first is the longer one.
    """
    times = 20 if quick else 200
    look, other = theme("light"), theme("dark")
    plain, hovered = scene(look), scene(look, "hovered")
    painter = Painter(SCREEN)
    for each in (other, look):  # texts and boxes are kept from here on
        painter.paint(plain, each)

    def whole() -> None:
        painter.paint(plain, other)
        painter.paint(plain, look)

    def change() -> None:
        painter.paint(hovered, look)
        painter.paint(plain, look)

    figures: list[Figure] = []
    for clock, words in ((time.perf_counter, ""), (time.process_time, ", processor time")):
        wholly = [sample / 2 for sample in _samples(whole, times, clock)]
        figures.append(measured(f"{ELEMENTS} elements drawn whole{words}", wholly, "ms", Goal(8)))
        one = [sample / 2 for sample in _samples(change, times, clock)]
        figures.append(measured(f"one of {ELEMENTS} elements changed{words}", one, "ms", Goal(1)))
        copied = _samples(lambda: painter.pixels(WHOLE), times, clock)
        figures.append(measured(f"pixels of the screen copied{words}", copied, "ms"))
    return figures


def _samples(act: Callable[[], object], times: int, clock: Callable[[], float]) -> list[float]:
    """Milliseconds of each time."""
    found: list[float] = []
    for _ in range(times):
        start = clock()
        act()
        found.append(1_000 * (clock() - start))
    return found


def scene(look: SceneTheme, states: str = "") -> list[ScreenPiece]:
    """A window with 200 elements, one of which has these states; made anew, as a layout does after each event."""
    window = WHOLE.grown(-30, -20)
    bar = Rect(window.x, window.y, window.width, 34)
    pieces = [
        ScreenPiece(kind="desktop", rect=WHOLE, clip=WHOLE),
        ScreenPiece(kind="shadow", rect=window, clip=WHOLE, states=frozenset({"front"})),
        ScreenPiece(kind="window", rect=window, clip=WHOLE, states=frozenset({"front"})),
        ScreenPiece(kind="title_bar", rect=bar, clip=WHOLE, states=frozenset({"front"})),
        ScreenPiece(
            kind="title", rect=bar.grown(-14, 0), clip=WHOLE, text="Everything", states=frozenset({"front"})
        ),
    ]
    for number in range(ELEMENTS):
        place = Rect(
            46 + number % COLUMNS * 150, 62 + number // COLUMNS * (look.control - 3), 140, look.control - 5
        )
        own = frozenset({states}) if states and number == CHANGED else frozenset[str]()
        kind = KINDS[number % len(KINDS)]
        name = f"{kind} {number}"
        pieces.append(
            ScreenPiece(kind=kind, rect=place, clip=window, text=name, element=f"e{number}", states=own)
        )
    return pieces
