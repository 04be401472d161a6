"""Whoever dies, nothing stays pressed and it is told. Real processes, real signals."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import msgspec
import pytest

from desktop_agent.hand.client import Hands
from desktop_agent.hand.ipc import process_pair
from desktop_agent.protocol import ops
from desktop_agent.protocol.errors import HandError
from desktop_agent.targets.base import Address
from tests.desk import Desk, until
from tests.hand.human import Human
from tests.hand.workplace import HOLDING, Workplace, gone

ROOT = Path(__file__).parents[2]


def test_a_dead_hand(workplace: Workplace) -> None:
    job = workplace.begin_holding()
    workplace.kill(workplace.hand)
    assert "hand process ended" in job.error().message and job.error().advice
    workplace.await_release()
    workplace.await_stop("hand process ended")
    with pytest.raises(HandError, match="hand process ended"):
        workplace.do(ops.Move(5, 5))
    workplace.hands.reset()
    assert workplace.do(ops.Move(5, 5)) == ["done"]


def test_a_dead_guard(workplace: Workplace) -> None:
    job = workplace.begin_holding()
    workplace.kill(workplace.guard)
    workplace.await_release()
    assert "guard process" in job.ending()  # "ended" or "does not answer": whoever notices first
    workplace.await_stop("guard process ended")
    with pytest.raises(HandError, match="guard process ended"):
        workplace.do(ops.Move(5, 5))
    workplace.hands.reset()
    assert workplace.do(ops.Move(5, 5)) == ["done"]


def test_a_dead_hand_while_the_server_is_grabbed(workplace: Workplace, human: Human) -> None:
    job = workplace.begin_holding()
    human.display.core.GrabServer()
    human.display.sync()
    workplace.kill(workplace.hand)
    until(lambda: not any(human.display.core.QueryKeymap().reply().keys), "the keys released")
    human.display.core.UngrabServer()
    human.display.sync()
    job.error()
    workplace.await_release()


def test_both_dead(workplace: Workplace) -> None:
    job = workplace.begin_holding()
    workplace.kill(*workplace.hands.pids)
    assert job.error().advice
    workplace.hands.close()
    assert workplace.desk.held() == (set(), 0)


def test_both_dead_and_nobody_ends_them(workplace: Workplace) -> None:
    workplace.begin_holding()
    workplace.kill(*workplace.hands.pids)
    workplace.await_release()


def test_both_dead_on_a_busy_machine(workplace: Workplace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_pair, "END_SECONDS", 0.01)  # another guard takes longer than that to start
    workplace.begin_holding()
    workplace.kill(*workplace.hands.pids)
    workplace.hands.close()
    assert workplace.desk.held() == (set(), 0)


def test_both_dead_while_typing_leave_the_key_map_as_it_was(
    workplace: Workplace, human: Human, tmp_path: Path
) -> None:
    before = human.mapping()
    script = ("xterm", "-T", "lines", "-e", "sh", "-c", f"cat > {tmp_path / 'typed'}")
    terminal = workplace.desk.launch(*script, title="lines")
    job = workplace.begin(ops.Type("λ→你好ж\n" * 600, delay=0.002))
    until(lambda: (tmp_path / "typed").stat().st_size > 40, "some typing")
    workplace.kill(*workplace.hands.pids)
    assert job.error().advice
    workplace.hands.close()
    assert workplace.desk.held() == (set(), 0)
    assert human.mapping() == before
    workplace.desk.end(terminal)


def test_a_hand_that_dies_while_typing_leaves_the_key_map_as_it_was(
    workplace: Workplace, human: Human, tmp_path: Path
) -> None:
    before = human.mapping()
    script = ("xterm", "-T", "lines", "-e", "sh", "-c", f"cat > {tmp_path / 'typed'}")
    terminal = workplace.desk.launch(*script, title="lines")
    job = workplace.begin(ops.Type("λ→你好ж\n" * 600, delay=0.002))
    until(lambda: (tmp_path / "typed").stat().st_size > 40, "some typing")
    assert human.mapping() != before
    workplace.kill(workplace.hand)
    job.error()
    workplace.await_release()
    until(lambda: human.mapping() == before, "the old key map")
    workplace.desk.end(terminal)


BRAIN = """
import sys, msgspec
from desktop_agent.hand.client import Hands
from desktop_agent.protocol.batch import Batch
from desktop_agent.targets.base import Address

address, batch = msgspec.json.decode(sys.stdin.readline(), type=tuple[Address, Batch])
hands = Hands(address)
hands.start()
def tell(progress):
    print(*hands.pids, progress.index, flush=True)
hands.execute(batch, tell)
"""


def test_a_dead_brain(workplace: Workplace, tmp_path: Path) -> None:
    batch = workplace.batch(*HOLDING, generation=0)
    workplace.hands.close()
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)}
    brain = subprocess.Popen(
        [sys.executable, "-c", BRAIN], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
    )
    assert brain.stdin and brain.stdout
    brain.stdin.write(msgspec.json.encode((workplace.desk.target.address(), batch)) + b"\n")
    brain.stdin.flush()
    lines = [brain.stdout.readline().split() for _ in HOLDING]
    hand, guard = int(lines[0][0]), int(lines[0][1])
    assert workplace.desk.held() != (set(), 0)
    brain.kill()
    workplace.await_release()
    until(lambda: gone(hand) and gone(guard), "the end of hand and guard")
    until(lambda: list(tmp_path.iterdir()) == [], "the removal of the shared folder")
    brain.communicate()


def test_a_display_that_vanishes(display: Desk) -> None:
    place = Workplace(display)
    place.hands.start()
    hand, guard = place.hands.pids
    job = place.begin(ops.KeyDown("shift"), ops.Wait(25))
    display.target.stop()
    assert "has gone" in job.error().message
    until(lambda: gone(hand) and gone(guard), "the end of hand and guard")
    until(lambda: place.stops, "a stop")
    place.hands.close()


def resize(desk: Desk) -> None:
    """Give the display another size, as plugging in a projector does."""
    small = ("small", "38", "800", "832", "912", "1024", "600", "603", "607", "624")
    environment = {**os.environ, **desk.environment}
    for words in (
        ("--newmode", *small),
        ("--addmode", "screen", "small"),
        ("--output", "screen", "--mode", "small"),
    ):
        subprocess.run(["xrandr", *words], env=environment, check=True)


def test_a_display_that_changes_its_size(display: Desk) -> None:
    place = Workplace(display)
    place.hands.start()
    before = place.batch(ops.Move(5, 5), ops.Type("x"))
    path = tuple(ops.Spot(20 + 10 * (n % 2), 500) for n in range(64))
    job = place.begin(ops.KeyDown("shift"), *[ops.Drag(path)] * 15, index=1)
    resize(display)
    ended = next(result for result in job.results() if result.outcome != "done")
    assert ended.outcome == "refused" and "changed its size" in ended.detail
    assert display.held() == (set(), 0)
    assert [r.outcome for r in place.hands.execute(before)] == ["refused", "skipped"]
    assert place.do(ops.Move(5, 5)) == ["done"]
    place.hands.close()


# ---- starting --------------------------------------------------------------------------------


def test_no_such_target() -> None:
    with pytest.raises(HandError, match="no target called"):
        Hands(Address("frobnicate", {"DISPLAY": ":1"})).start()


def test_no_display() -> None:
    address = Address("display", {"DISPLAY": ":98765"})
    with pytest.raises(HandError, match="display") as caught:
        Hands(address).start()
    assert caught.value.advice


def test_no_room_for_the_shared_block(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
    with pytest.raises(HandError, match="temporary files") as caught:
        Hands(Address("display")).start()
    assert "TMPDIR" in caught.value.advice


def test_before_the_start_and_after_the_end(workplace: Workplace) -> None:
    hands = Hands(workplace.desk.target.address())
    with pytest.raises(HandError, match="not been started"):
        hands.execute(workplace.batch(ops.Move(5, 5)))
    hands.stop()
    hands.close()
    generation = workplace.hands.generation
    workplace.hands.close()
    workplace.hands.close()
    assert workplace.hands.generation > generation
    assert workplace.hands.pids == () and not workplace.hands.stopped


def test_keys_of_models_stay_with_the_brain(shared_display: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    place = Workplace(shared_display)
    place.hands.start()
    for pid in place.hands.pids:
        assert b"sk-secret" not in Path(f"/proc/{pid}/environ").read_bytes()
    place.hands.close()
