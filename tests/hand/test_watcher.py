"""Hand and guard killed together, and the brain with them: the watcher, or the next start, lets go of what they held."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest

from desktop_agent.doctor import report
from desktop_agent.hand.client import Hands
from desktop_agent.hand.ipc.address_file import FOLDER_PREFIX, SHARED, write_address
from desktop_agent.hand.ipc.shared_block import Shared, Word
from desktop_agent.hand.left_over import WORDS, clean_up_left_over
from desktop_agent.platforms.host import Peer
from desktop_agent.protocol import ops
from desktop_agent.protocol.batch import Batch
from desktop_agent.targets.base import Address, releaser
from tests.desk import until
from tests.hand.frozen import freeze, shared_of
from tests.hand.human import Human
from tests.hand.test_death import BRAIN, ROOT
from tests.hand.workplace import Workplace, gone
from tests.jobs.commands import run as command

BATCH = (ops.Type("λ→你好ж"), ops.KeyDown("f9"), ops.MouseDown("left", 20, 700), ops.Wait(25))
"""Leaves the key map changed, then holds a key and a button for long."""


def watcher_of(place: Workplace) -> int:
    """Its process id, once it is at work."""
    until(lambda: shared_of(place)[Word.WATCHER_PID], "the watcher")
    return shared_of(place)[Word.WATCHER_PID]


def test_hand_and_guard_killed(workplace: Workplace) -> None:
    watcher = watcher_of(workplace)
    job = workplace.begin_holding()
    block = shared_of(workplace)
    workplace.kill(*workplace.hands.pids)
    workplace.await_release()
    assert job.error().advice
    until(lambda: gone(watcher), "the end of the watcher")
    assert block[Word.OVER] == 1 and not block.holding


def test_the_guard_killed_while_the_hand_is_frozen(workplace: Workplace) -> None:
    watcher = watcher_of(workplace)
    job = workplace.begin_holding()
    freeze(workplace.hand)
    workplace.kill(workplace.guard)
    workplace.await_release()
    assert job.error().advice
    until(lambda: gone(watcher), "the end of the watcher")


def test_it_ends_when_all_ended_in_order(workplace: Workplace) -> None:
    watcher = watcher_of(workplace)
    assert workplace.do(ops.Move(5, 5)) == ["done"]
    workplace.hands.close()
    until(lambda: gone(watcher), "the end of the watcher")


@dataclass
class Run:
    """Brain, hand, guard and watcher, none of them ours: their process ids, and their folder."""

    brain: subprocess.Popen[bytes]
    hand: int
    guard: int
    watcher: int
    folder: Path

    def kill(self, *, watcher: bool) -> None:
        pids = (self.brain.pid, self.guard, self.hand, *((self.watcher,) if watcher else ()))
        peers = [Peer(pid) for pid in pids]
        for pid in pids:  # at once: the last to be killed would let go for the first
            freeze(pid)
        for peer in peers:
            peer.kill()
        self.brain.wait()
        assert all(peer.wait(60) for peer in peers)


@pytest.fixture
def run(workplace: Workplace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    """Somebody else's run, which holds keys and a button and has changed the key map; its TMPDIR is also ours."""
    workplace.hands.close()
    terminal = workplace.desk.launch("xterm", "-T", "lines", "-e", "cat", title="lines")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    batch = Batch("b", BATCH, workplace.batch().viewport, {}, 0)
    brain = subprocess.Popen(
        [sys.executable, "-c", BRAIN],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)},
    )
    assert brain.stdin and brain.stdout
    brain.stdin.write(msgspec.json.encode((workplace.desk.target.address(), batch)) + b"\n")
    brain.stdin.flush()
    lines = [brain.stdout.readline().split() for _ in BATCH]
    (folder,) = tmp_path.glob(f"{FOLDER_PREFIX}*")
    shared = Shared.attach(folder / SHARED)
    until(lambda: shared[Word.WATCHER_PID], "the watcher")
    watcher = shared[Word.WATCHER_PID]
    shared.close()
    yield Run(brain, int(lines[0][0]), int(lines[0][1]), watcher, folder)
    brain.kill()
    brain.communicate()
    workplace.desk.end(terminal)
    workplace.await_release()


def test_all_three_killed(run: Run, workplace: Workplace, human: Human) -> None:
    run.kill(watcher=False)
    until(lambda: gone(run.watcher), "the end of the watcher")
    assert workplace.desk.held() == (set(), 0)
    assert 0x01004F60 not in human.mapping()  # the keysym of 你
    assert not run.folder.exists()
    assert clean_up_left_over() == ""


def test_all_four_killed_and_the_next_start(run: Run, workplace: Workplace, human: Human) -> None:
    until(lambda: 0x01004F60 in human.mapping(), "the key map changed")
    run.kill(watcher=True)
    keys, buttons = workplace.desk.held()
    assert keys and buttons
    assert clean_up_left_over() == WORDS
    assert workplace.desk.held() == (set(), 0)
    assert 0x01004F60 not in human.mapping()
    assert not run.folder.exists()
    assert clean_up_left_over() == ""


def test_all_four_killed_and_a_new_hand(run: Run, workplace: Workplace) -> None:
    run.kill(watcher=True)
    assert workplace.desk.held() != (set(), 0)
    hands = Hands(workplace.desk.target.address())
    hands.start()
    assert workplace.desk.held() == (set(), 0)
    hands.close()


def test_those_at_work_are_left_alone(run: Run, workplace: Workplace) -> None:
    assert clean_up_left_over() == ""
    assert run.folder.exists() and run.brain.poll() is None
    assert workplace.desk.held()[1]
    run.kill(watcher=False)
    until(lambda: gone(run.watcher), "the end of the watcher")


def _as_of_an_earlier_display(folder: Path) -> None:
    shared = Shared.attach(folder / SHARED)
    shared[Word.PLACE] += 2
    shared.close()


def _as_of_a_display_that_ended(folder: Path) -> None:
    address = msgspec.json.decode((folder / "address").read_bytes(), type=Address)
    write_address(folder, Address(address.kind, {**address.environment, "DISPLAY": ":59999"}))


@pytest.mark.parametrize("make_gone", [_as_of_an_earlier_display, _as_of_a_display_that_ended])
def test_what_a_gone_display_held_is_forgotten_without_a_word(
    run: Run,
    workplace: Workplace,
    make_gone: Callable[[Path], None],
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    run.kill(watcher=True)
    shared = Shared.attach(run.folder / SHARED)
    spares = shared.codes(Word.SPARES)
    shared.close()
    make_gone(run.folder)
    held = workplace.desk.held()
    assert clean_up_left_over() == ""
    assert not caplog.records and capfd.readouterr() == ("", "")
    assert workplace.desk.held() == held and held != (set(), 0)
    assert not run.folder.exists()
    display = releaser(workplace.desk.target.address())
    display.release(sorted(held[0]), [1])
    display.unmap(spares)


def test_a_folder_that_others_can_change_is_not_believed(run: Run, workplace: Workplace) -> None:
    run.kill(watcher=True)
    run.folder.chmod(0o777)
    assert clean_up_left_over() == ""
    assert workplace.desk.held() != (set(), 0)
    run.folder.chmod(0o700)
    assert clean_up_left_over() == WORDS


def test_a_display_that_cannot_be_reached_is_tried_again(run: Run, workplace: Workplace) -> None:
    run.kill(watcher=True)
    address = (run.folder / "address").read_bytes()
    (run.folder / "address").write_bytes(address.replace(b'"DISPLAY":"', b'"DISPLAY":"nowhere'))
    assert clean_up_left_over() == "" and run.folder.exists()
    (run.folder / "address").write_bytes(address)
    assert clean_up_left_over() == WORDS


def test_an_old_folder_without_a_ledger_is_removed_and_a_new_one_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    old, new = (Path(tempfile.mkdtemp(prefix=FOLDER_PREFIX)) for _ in range(2))
    os.utime(old, (1, 1))
    assert clean_up_left_over() == ""
    assert not old.exists() and new.exists()


def test_the_next_command_lets_go_and_says_so(run: Run, workplace: Workplace, tmp_path: Path) -> None:
    run.kill(watcher=True)
    words = ("--target", "local", "--model", "offline", "--permission", "full", "press f9")
    private = str(tmp_path)
    place = workplace.desk.environment | {"TMPDIR": private, "XDG_RUNTIME_DIR": private}
    ran = command(tmp_path, *words, **place)
    assert WORDS in [event["text"] for event in ran.of("note")], ran.story
    assert workplace.desk.held() == (set(), 0)


def test_the_doctor_lets_go_and_says_so(run: Run, workplace: Workplace) -> None:
    run.kill(watcher=True)
    (found,) = report._earlier_runs()
    assert (found.state, found.detail) == ("ok", WORDS)
    assert workplace.desk.held() == (set(), 0)
