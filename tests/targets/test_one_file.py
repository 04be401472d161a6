"""A new target is one new file: hand and guard ask it for all they need, and every death is cleaned up."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from desktop_agent import targets
from desktop_agent.hand.client import Hands
from desktop_agent.platforms.host import Peer
from desktop_agent.protocol import ops
from desktop_agent.protocol.batch import Batch, OpResult, Progress
from desktop_agent.protocol.errors import HandError
from desktop_agent.protocol.geometry import Viewport
from desktop_agent.support import plugins
from desktop_agent.targets.base import Address
from tests.desk import until
from tests.targets import plugged

HOLDING = (ops.KeyDown("shift"), ops.MouseDown("right", 20, 500), ops.KeyDown("x"), ops.Wait(25))
HELD = 3
killing = pytest.mark.linux("in a virtual environment there the id is a launcher's")


@dataclass
class Place:
    """Hands on a folder, and what they told."""

    folder: Path
    stops: list[str] = field(default_factory=list)
    taken: list[str] = field(default_factory=list)
    results: list[OpResult] = field(default_factory=list)
    error: HandError | None = None

    def __post_init__(self) -> None:
        module = plugins.load("target", "folder")
        self.target = module.create(module.Options(str(self.folder)))
        self.target.start()
        self.hands = Hands(self.target.address(), on_stop=self.stops.append)
        self.hands.on_takeover = self.taken.append

    def held(self) -> list[str]:
        return sorted(each.name for each in self.folder.iterdir())

    def do(self, *operations: ops.Op) -> list[OpResult]:
        return self._execute(operations, lambda progress: None)

    def _execute(self, operations: tuple[ops.Op, ...], follow: object) -> list[OpResult]:
        layout = self.target.geometry()
        view = Viewport(layout.bounds, layout.bounds.size, layout.epoch)
        batch = Batch("b", operations, view, {}, self.hands.generation, 60)
        return self.hands.execute(batch, follow)  # type: ignore[arg-type]

    def begin_holding(self) -> threading.Thread:
        """Returns while two keys and a button are held."""
        waiting = threading.Event()

        def follow(progress: Progress) -> None:
            if progress.index == HELD:
                waiting.set()

        def work() -> None:
            try:
                self.results = self._execute(HOLDING, follow)
            except HandError as error:
                self.error = error

        thread = threading.Thread(target=work)
        thread.start()
        until(waiting.is_set, "the wait")
        assert len(self.held()) == HELD
        return thread

    def await_release(self) -> None:
        until(lambda: self.held() == [], "everything released")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    """The folder of plug-ins is on the path here and in every process that is started."""
    more = str(Path(plugged.__file__).parent)
    start = f"import desktop_agent.targets\ndesktop_agent.targets.__path__.append({more!r})\n"
    (tmp_path / "sitecustomize.py").write_text(start, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(targets, "__path__", [*targets.__path__, more])
    found = Place(tmp_path / "place")
    found.hands.start()
    yield found
    found.hands.close()
    assert found.held() == []


def test_work_is_done_and_nothing_is_held(place: Place) -> None:
    assert {each.outcome for each in place.do(*HOLDING[:HELD], ops.Move(5, 5))} == {"done"}
    assert place.held() == []


def test_its_escape_stops(place: Place) -> None:
    job = place.begin_holding()
    (place.folder / "escape").touch()
    job.join(30)
    assert place.results[HELD].outcome == "stopped" and "ESC" in place.results[HELD].detail
    until(lambda: place.stops, "the brain told")
    assert place.stops == ["ESC was pressed"] and place.held() == []


def test_its_human_takes_over(place: Place) -> None:
    job = place.begin_holding()
    (place.folder / "human").touch()
    job.join(30)
    assert place.results[HELD].detail == "you took over"
    until(lambda: place.taken == ["mouse"], "the brain told")
    assert place.held() == []


@killing
@pytest.mark.parametrize("victims", [(0,), (1,), (0, 1)], ids=["hand", "guard", "both"])
def test_whoever_dies_nothing_stays_held(place: Place, victims: tuple[int, ...]) -> None:
    job = place.begin_holding()
    pids = place.hands.pids
    for victim in victims:
        Peer(pids[victim]).kill()
    place.await_release()
    job.join(30)
    until(lambda: len(place.stops) == 1, "the brain told")
    place.hands.reset()
    assert place.do(ops.Move(5, 5))[0].outcome == "done"


def test_a_target_that_cannot_be_guarded_is_refused() -> None:
    with pytest.raises(HandError, match="no target called"):
        Hands(Address("folder")).start()
