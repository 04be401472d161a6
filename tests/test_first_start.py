"""What the first page asks for works on a real display: findings, Esc, the practice run, and every example."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QThread

from desktop_agent import app, start_findings
from desktop_agent.agent.port import AgentPort
from desktop_agent.agent.session import AgentSession
from desktop_agent.first_start import FirstStart, practice_run
from desktop_agent.protocol.agent_events import ApprovalAsked, Error, FeedEvent, GoalReached, Question, Status
from desktop_agent.protocol.errors import TargetError
from desktop_agent.protocol.input_events import KeyDown, KeyUp
from desktop_agent.settings_choices import SettingsChoices
from desktop_agent.startup import assembly, example_goals
from desktop_agent.startup.arguments import Arguments
from desktop_agent.startup.escape_trial import EscapeTrial
from desktop_agent.support import config, key_store, paths, system_packages
from desktop_agent.support.config import Config
from desktop_agent.support.confirmed_settings import ConfirmedSettings
from desktop_agent.support.providers import providers
from desktop_agent.targets import display as embedded
from desktop_agent.ui.welcome.welcome_guide import Finding
from tests.desk import Desk

pytestmark = pytest.mark.linux("works on an embedded display")

SECONDS = 200.0
SESSION = ("DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "AT_SPI_BUS_ADDRESS", "XDG_RUNTIME_DIR")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own, with the program's folders where they are usually."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(paths, "settings", lambda: tmp_path / ".config/desktop-agent")
    monkeypatch.setattr(paths, "data", lambda: tmp_path / ".local/share/desktop-agent")
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "WAYLAND_DISPLAY", "XDG_SESSION_TYPE"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture
def here(shared_display: Desk, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A display that is the user's own."""
    for name in SESSION:
        if name in shared_display.environment:
            monkeypatch.setenv(name, shared_display.environment[name])
    return shared_display


class Heard:
    """An agent that is served in a thread; `ended` waits for the end of each goal."""

    def __init__(self, port: AgentPort) -> None:
        self.port = port
        self.events: list[FeedEvent] = []
        self._over = threading.Event()
        port.subscribe(self._hear)
        self._thread = threading.Thread(target=port.serve, daemon=True)
        self._thread.start()

    def _hear(self, event: FeedEvent) -> None:
        self.events.append(event)
        if isinstance(event, ApprovalAsked | Question | Error) or (
            isinstance(event, Status) and event.state in ("done", "stopped", "error")
        ):
            self._over.set()

    def ended(self, goal: str) -> GoalReached | None:
        self.events.clear()
        self._over.clear()
        self.port.send(goal)
        assert self._over.wait(SECONDS), self.events
        return next((each for each in self.events if isinstance(each, GoalReached)), None)

    def close(self) -> None:
        self.port.quit()
        self._thread.join(SECONDS)


def guide(**arguments: str) -> FirstStart:
    given = Arguments(**{"model": "offline", **arguments})  # type: ignore[arg-type]
    settings = assembly.with_arguments(config.Config(), given)
    session = app.build(settings, given, True, *assembly.make_model(settings))
    choices = SettingsChoices(session, settings, given, ConfirmedSettings(paths.data()), None)
    return FirstStart(session, choices)


# ---- what is here -----------------------------------------------------------------------------------------


def found(name: str) -> Finding:
    return start_findings.find(name, Config(), providers())


def test_everything_that_is_here_is_found(here: Desk) -> None:
    start = guide(target="display")
    states = {each.name: start.look(each.name).state for each in start.subjects}
    assert list(states) == ["screen", "elements", "ocr", "keys", "servers", "display"]
    assert states["screen"] == states["elements"] == states["display"] == "ok"
    assert "nothing leaves this computer" in start.leaves()


def test_a_wayland_session_is_explained(here: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_SESSION_TYPE", "wayland")
    finding = found("screen")
    assert finding.state == "attention" and "Wayland" in finding.words and "Xorg" in finding.advice


def test_what_is_missing_and_not_needed_alarms_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system_packages, "missing", lambda needs: tuple(needs))
    for name in ("ocr", "display"):
        finding = found(name)
        assert finding.state == "optional" and "install" in finding.advice


def test_keys_are_found_where_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    assert found("keys").state == "optional"
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789abcdef")
    assert found("keys").words == "There is one for OpenAI."


def test_where_no_key_can_be_kept_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(key_store, "store_problem", lambda: "there is no key store on this system")
    assert "no key store" in found("keys").words


# ---- Esc ------------------------------------------------------------------------------------------------------


def test_the_guard_sees_esc_in_any_program(here: Desk) -> None:
    here.launch("xterm", "-T", "somebody else's", "-e", "cat", title="somebody else's")
    seen = threading.Event()
    trial = EscapeTrial(Config(), seen.set)
    human = embedded.attach(here.target.address())
    try:
        human.emit(KeyDown("a"))
        human.emit(KeyUp("a"))
        assert not seen.wait(0.2)
        human.emit(KeyDown("escape"))
        human.emit(KeyUp("escape"))
        assert seen.wait(SECONDS)
        assert here.held() == (set(), 0)
    finally:
        human.close()
        trial.close()


def test_without_a_display_nobody_can_watch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    with pytest.raises(TargetError):
        EscapeTrial(Config(), lambda: None)


# ---- the practice run ------------------------------------------------------------------------------------------


def test_the_practice_run_is_an_agent_beside_the_users_own(home: Path) -> None:
    """tests/jobs/test_first_minute runs it to its end."""
    start = guide(target="display", permission="simulation_only")
    practice = start.practice()
    info = practice.port.info
    assert "simulated" in info.target and (info.model, info.permission) == ("offline", "restricted")
    assert practice.view is not None and not (home / ".config/desktop-agent").exists()


def test_the_practice_run_needs_no_display_and_no_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_DIRS", "/nowhere")
    for name in SESSION:
        monkeypatch.delenv(name, raising=False)
    QThread.currentThread()  # Qt takes the thread that asks first for the one of windows, which others here will open
    made = practice_run(Config())
    assert isinstance(made.port, AgentSession)
    heard = Heard(made.port)
    try:
        reached = heard.ended(made.goal)
    finally:
        heard.close()
    assert reached is not None and reached.verdict == "verified", heard.events
    target: Any = made.port.parts.target  # of an extra
    widgets = target.desktop.widgets
    assert widgets["note"].value == "Hello from the practice run" and widgets["urgent"].checked


# ---- the examples ------------------------------------------------------------------------------------------------


@pytest.fixture
def offline() -> Iterator[Heard]:
    settings = assembly.with_arguments(config.Config(), Arguments(target="display", model="offline"))
    session = app.build(settings, Arguments(), True, *assembly.make_model(settings))
    heard = Heard(session)
    yield heard
    heard.close()


@pytest.mark.slow
def test_every_example_works_with_the_offline_model(offline: Heard, home: Path) -> None:
    """Also when they are tried a second time, and those that are shown where a program is missing."""
    goals = guide(target="display").examples()
    assert len(goals) == example_goals.MOST
    rest = [each for each in example_goals.goal_table().goal if not each.looks and not each.makes]
    for goal in (*goals, *(each.words for each in rest if each.words not in goals)):
        reached = offline.ended(goal)
        assert reached is not None and reached.verdict == "verified", (goal, offline.events)
    assert (home / "hello.txt").read_text().strip() == "Hello" and (home / "Receipts").is_dir()
    again = guide(target="display").examples()
    assert "hello2.txt" in again[0] and "Receipts2" in again[2]


def test_an_example_whose_program_is_missing_gives_way_to_another(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    apps = home / "share/applications"
    apps.mkdir(parents=True)
    (apps / "mousepad.desktop").write_bytes(
        Path("/usr/share/applications/org.xfce.mousepad.desktop").read_bytes()
    )
    monkeypatch.setenv("XDG_DATA_DIRS", str(home / "share"))
    goals = guide(target="display").examples()
    assert len(goals) == example_goals.MOST and all("text editor" in each for each in goals)
    (apps / "mousepad.desktop").unlink()
    assert guide(target="display").examples() == ()


def test_who_may_only_look_is_shown_what_can_be_looked_at() -> None:
    target = embedded.create(embedded.Options())
    assert example_goals.example_goals(target, "simulation_only", offline=True) == ()
    assert "Tell me what is on the screen" in example_goals.example_goals(
        target, "simulation_only", offline=False
    )
