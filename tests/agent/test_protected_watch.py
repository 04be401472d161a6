"""A change of a protected file stops the run and is told, however it came about; our own writes do not count."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from desktop_agent.agent.acting.protected_watch import ProtectedWatch
from desktop_agent.agent.runlog.own_writes import OwnWrites
from desktop_agent.policy.facts.files.protected_places import ProtectedPlaces, Roots
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.support import paths
from tests.agent.test_run_loop import DONE, turn
from tests.desk import until
from tests.support.memory_desk import Bench, ScriptedModel

pytestmark = pytest.mark.linux("these are the paths of Linux")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    (folder / ".config" / "autostart").mkdir(parents=True)
    (folder / ".ssh").mkdir()
    (folder / "Documents").mkdir()
    (folder / ".bashrc").write_text("one\n")
    made_as_a_program(folder / ".local" / "bin" / "there")
    (folder / ".local" / "bin" / "waiting").write_text("")
    (folder / ".config" / "autostart" / "old.desktop").write_text("")
    return folder


@pytest.fixture
def places(home: Path) -> ProtectedPlaces:
    return ProtectedPlaces((Roots.of(str(home), {}),))


class Told:
    """A watch, and what it has told."""

    def __init__(self, places: ProtectedPlaces, ours: Callable[[str], bool] = lambda path: False) -> None:
        self.paths: list[str] = []
        self.came = threading.Event()
        self.watch = ProtectedWatch(places, self._note, ours)
        self.watch.start()
        assert self.watch.ready.wait(60)

    def _note(self, path: str, why: str) -> None:
        assert why
        self.paths.append(path)
        self.came.set()

    def path(self) -> str:
        assert self.came.wait(60), "nothing was told"
        return self.paths[0]


@pytest.fixture
def told(places: ProtectedPlaces) -> Iterator[Told]:
    told = Told(places)
    yield told
    told.watch.close()


def replaced(path: Path) -> None:
    beside = path.with_name("new")
    beside.write_text("other")
    beside.replace(path)


def made_with_its_folders(path: Path) -> None:
    path.parent.mkdir(parents=True)
    path.write_text("x")


def made_as_a_program(path: Path) -> None:
    made_with_its_folders(path)
    path.chmod(0o755)


CHANGES: list[tuple[str, Callable[[Path], object]]] = [
    (".bashrc", lambda path: path.write_text("two\n")),
    (".bashrc", lambda path: os.truncate(path, 0)),
    (".bashrc", replaced),
    (".bashrc", Path.unlink),
    (".bashrc", lambda path: path.rename(path.parent / "Documents" / "away")),
    (".bashrc", lambda path: path.rename(path.parent.parent / "away")),
    (".profile", lambda path: path.symlink_to("/dev/null")),
    (".config/autostart/new.desktop", Path.touch),
    (".config/autostart/old.desktop", Path.unlink),
    (".config/systemd/user/a.service", made_with_its_folders),
    (".config/systemd/user/default.target.wants/a.service", made_with_its_folders),
    (".local/share/applications/a.desktop", made_with_its_folders),
    (".ssh/authorized_keys", Path.touch),
    ("bin/ls", made_as_a_program),
    (".local/bin/there", lambda path: path.write_text("other")),
    (".local/bin/there", Path.unlink),
    (".local/bin/there", lambda path: path.chmod(0o644)),
    (".local/bin/link", lambda path: path.symlink_to("/bin/sh")),
    (".local/bin/waiting", lambda path: path.chmod(0o700)),
]


@pytest.mark.parametrize(
    ("name", "change"), CHANGES, ids=[f"{number}-{name}" for number, (name, _) in enumerate(CHANGES)]
)
def test_a_change_of_a_protected_place_is_told(
    told: Told, home: Path, name: str, change: Callable[[Path], object]
) -> None:
    change(home / name)
    assert told.path() == str(home / name)


def test_what_programs_write_all_the_time_does_not_count(told: Told, home: Path) -> None:
    for name in (
        ".config/mimeapps.list", ".config/dconf/user", ".config/Mousepad/settings.conf", ".config/chromium/Default/Cookies",
        ".local/share/recently-used.xbel", ".cache/x/y", ".bash_history", ".xsession-errors", ".ssh/known_hosts",
        ".local/share/applications/mimeinfo.cache", "Documents/a.txt", ".config/pcmanfm/default/pcmanfm.conf",
        ".local/bin/tmp.123", "bin/.shim",
    ):  # fmt: skip
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
    made_as_a_program(
        home / "go" / "bin" / ".pyenv-shim"
    )  # version managers make it whenever a terminal is opened
    (home / ".bashrc").write_text("two")  # the last: what came before was dealt with by then
    assert told.path() == str(home / ".bashrc")


def test_what_the_user_said_yes_to_does_not_count(told: Told, home: Path) -> None:
    told.watch.expect(str(home / ".config/autostart/new.desktop"))
    written = home / ".config/autostart/.goutputstream-ABCDEF"
    written.write_text("x")
    written.rename(home / ".config/autostart/new.desktop")
    (home / ".config/autostart/other.desktop").write_text("x")
    assert told.path() == str(home / ".config/autostart/other.desktop")


def test_nothing_is_told_after_the_end(places: ProtectedPlaces, home: Path) -> None:
    ended, other = Told(places), Told(places)
    ended.watch.close()
    (home / ".bashrc").write_text("two")
    other.path()
    other.watch.close()
    assert ended.paths == []


def test_our_own_records_count_only_when_they_are_of_a_run_that_has_ended(tmp_path: Path) -> None:
    runs, heads = tmp_path / "runs", tmp_path / "heads"
    for name, ended in (("old", True), ("beside", False), ("mine", False)):
        (runs / name).mkdir(parents=True)
        heads.mkdir(exist_ok=True)
        (heads / f"{name}.head").write_bytes(b'{"ended":true}' if ended else b'{"ended":false}')
    own = OwnWrites(runs / "mine")
    for path in (
        "runs/mine/events.jsonl",
        "runs/beside/frames/a",
        "runs/later",
        "heads/mine.head",
        "heads/.mine.head.x",
    ):
        assert own.holds(str(tmp_path / path)), path
    for path in ("runs/old/events.jsonl", "runs/old", "heads/old.head", "heads/key", "other"):
        assert not own.holds(str(tmp_path / path)), path


def test_what_a_model_keeps_of_its_reading_is_our_own_and_nothing_beside_it(tmp_path: Path) -> None:
    own, caches = OwnWrites(tmp_path / "runs" / "mine"), paths.kv_caches()
    for name in ("", "local", "local/kv_cache-0f.bin", "local/kv_cache.json", "mine/.kv_cache.pt.7"):
        assert own.holds(str(caches / name)), name
    for name in ("local/other", "local/kv_cache.d/run.sh", "../kv_cache.pt", "../config.toml"):
        assert not own.holds(os.path.normpath(caches / name)), name


def test_what_the_window_and_a_crash_write_is_our_own_and_nothing_beside_it(tmp_path: Path) -> None:
    own = OwnWrites(tmp_path / "runs" / "mine")
    for place in ("input-history.json", ".input-history.json.7", "window.ini"):
        assert own.holds(str(paths.settings() / place)), place
    for place in ("crash-20261124-1.txt", "told-crashes"):
        assert own.holds(str(paths.logs() / place)), place
    for other in (paths.settings() / "config.toml", paths.settings() / "crash-1.txt", paths.logs() / "other"):
        assert not own.holds(str(other)), other


class _Changing(ScriptedModel):
    """A model whose first answer comes after a file has changed behind the agent's back."""

    def __init__(self, change: Callable[[], object]) -> None:
        super().__init__(turn({"op": "wait", "seconds": 20}), DONE, wait=self._change)
        self._work = change

    def _change(self, stop: StopFlag) -> None:
        self._work()


def bench_of(tmp_path: Path, places: ProtectedPlaces, change: Callable[[Path], object], path: Path) -> Bench:
    bench = Bench(_Changing(lambda: change(path)), tmp_path / "runs")
    session = bench.session
    session._circumstances = msgspec.structs.replace(session._circumstances, protected=places)
    return bench


def test_a_run_is_stopped_and_says_which_file_it_was(
    tmp_path: Path, home: Path, places: ProtectedPlaces
) -> None:
    bench = bench_of(tmp_path, places, lambda path: _once_watched(bench, path), home / ".bashrc")
    bench.run()
    assert bench.states[-1] == "error"
    (error,) = bench.of(say.Error)
    assert str(home / ".bashrc") in error.message and "may not have been my doing" in error.message
    assert "you pressed" not in error.message and error.advice


def _once_watched(bench: Bench, path: Path) -> None:
    watch = bench.session._watching
    assert watch is not None and watch.ready.wait(60)
    with path.open("w") as file:  # who has it open is known to have written it
        file.write("two")
        file.flush()
        until(lambda: bench.session.stopped_for_good, "the stop")


def test_a_run_that_only_writes_its_own_records_goes_on(tmp_path: Path, home: Path) -> None:
    own = {str(tmp_path): "one of my own records"}
    places = ProtectedPlaces((Roots.of(str(home), {}),), own)
    bench = Bench(ScriptedModel(turn({"op": "click", "x": 5, "y": 5}), DONE), tmp_path / "runs")
    bench.session._circumstances = msgspec.structs.replace(bench.session._circumstances, protected=places)
    bench.run()
    assert bench.states[-1] == "done", bench.of(say.Error)
    until(lambda: bench.session._watching is None, "the end of the watch")
