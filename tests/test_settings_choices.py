"""A choice made between runs is in force at once, written, and confirmed; nothing else is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from desktop_agent import app
from desktop_agent.agent.session import AgentSession
from desktop_agent.model_offers import model_offers
from desktop_agent.protocol.errors import ConfigError
from desktop_agent.protocol.permission import Rules
from desktop_agent.settings_choices import SettingsChoices
from desktop_agent.startup import assembly, settings_confirmation
from desktop_agent.startup.arguments import Arguments
from desktop_agent.support import config, paths, plugins
from desktop_agent.support.config import Config
from desktop_agent.support.confirmed_settings import ConfirmedSettings

pytestmark = pytest.mark.linux("works on an embedded display")

NO_SERVER = {"base_url": "http://127.0.0.1:9/v1", "model": "little"}


class Program:
    """One user's starts with one settings folder."""

    def __init__(self, folder: Path) -> None:
        self.data = folder / "data"
        self.file = folder / "config.toml"

    def read(self, **arguments: Any) -> tuple[Config, settings_confirmation.Review]:
        """The settings of a start where nobody says yes to anything."""
        loaded = config.load(self.file if self.file.exists() else None)
        found = settings_confirmation.review(loaded, Arguments(**arguments), ConfirmedSettings(self.data))
        return settings_confirmation.kept(found, ConfirmedSettings(self.data)), found

    def start(self, **arguments: Any) -> tuple[AgentSession, SettingsChoices]:
        given = Arguments(**{"target": "display", **arguments})
        settings = assembly.with_arguments(self.read(**arguments)[0], given)
        session = app.build(settings, given, True, *assembly.make_model(settings))
        return session, SettingsChoices(session, settings, given, ConfirmedSettings(self.data), None)


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Program:
    monkeypatch.setattr(paths, "settings", lambda: tmp_path)
    monkeypatch.setattr(paths, "data", lambda: tmp_path / "data")
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    return Program(tmp_path)


def test_a_model_is_changed_and_the_target_stays(program: Program) -> None:
    session, choices = program.start()
    target, hand = session.parts.target, session.parts.make_hand
    choices.change({"agent.model": "compatible", "llm.compatible": NO_SERVER})
    assert session.info.model == "little"
    assert session.parts.target is target and session.parts.make_hand is hand
    settings, found = program.read()
    assert settings.agent.model == "compatible" and settings.llm["compatible"] == NO_SERVER
    assert not found.changes


def test_a_choice_goes_before_the_command_line(program: Program) -> None:
    session, choices = program.start(permission="simulation_only")
    choices.change({"agent.permission": "full"})
    assert session.info.permission == "full" and choices.settings().agent.permission == "full"
    assert choices.settings().agent.target == "display"  # of the command line, not chosen now


def test_a_permission_of_a_long_name_is_written_with_its_short_one(program: Program) -> None:
    session, choices = program.start()
    choices.change({"agent.permission": "allow_actual_input_full"})
    assert session.info.permission == "full"
    assert (
        'permission = "full"' in program.file.read_text() and "allow_actual" not in program.file.read_text()
    )


def test_limits_of_the_permission_are_chosen_in_the_window(program: Program) -> None:
    session, choices = program.start(grant_minutes=5)
    assert _granted(session) == ("arguments", Rules(minutes=5))
    choices.change({"agent.step": "plan"})
    assert _granted(session) == ("arguments", Rules(minutes=5))
    choices.change({"scope.minutes": 0, "scope.inputs": ["keyboard"]})
    assert _granted(session) == ("window", Rules(inputs=("keyboard",)))
    choices.change({"agent.step": "off"})
    assert _granted(session)[0] == "window"
    settings, found = program.read()
    assert settings.scope == Rules(inputs=("keyboard",)) and not found.changes
    assert _granted(program.start()[0]) == ("settings file", Rules(inputs=("keyboard",)))


@pytest.mark.parametrize(
    ("name", "narrow", "usual"),
    [
        ("scope.minutes", 5.0, 0.0),
        ("agent.step", "plan", "off"),
        ("agent.permission", "simulation_only", "restricted"),
    ],
)
def test_what_narrowed_can_be_chosen_away_again(
    name: str, narrow: object, usual: object, program: Program
) -> None:
    """The usual value may be the wider one, and stands in no list of rights."""
    session, choices = program.start()
    choices.change({name: narrow})
    assert choices.settings() != Config() and program.read()[1].before
    choices.change({name: usual})
    settings, found = program.read()
    assert not found.changes
    assert settings.agent == Config().agent and not settings.scope.limited
    assert session._settings.agent.permission == "restricted" and session.info.step_mode == "off"


def _granted(session: AgentSession) -> tuple[str, Rules]:
    return session._circumstances.given_by, session._settings.scope


def test_limits_taken_out_of_the_file_stay_until_they_are_confirmed(program: Program) -> None:
    _, choices = program.start()
    choices.change({"scope.minutes": 5})
    program.file.write_text("[scope]\nminutes = 500\n")
    settings, found = program.read()
    assert [each.name for each in found.changes] == ["scope.minutes"]
    assert settings.scope == Rules(minutes=5)


def test_a_level_that_is_none_is_no_level(program: Program) -> None:
    with pytest.raises(ConfigError, match="no permission called 'all'"):
        program.start(permission="all")
    assert program.start(permission="allow_actual_input_full")[0].info.permission == "full"


def test_a_config_file_in_the_project_that_is_worked_is_not_read(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "config.toml").write_text('[agent]\npermission = "allow_actual_input_full"\n')
    monkeypatch.chdir(project)
    assert config.find_file(None, paths.of_config()) != project / "config.toml"
    session, _ = program.start(project=str(project))
    assert session.info.permission == "restricted" and _granted(session)[0] == "default"


def test_what_else_the_file_widens_stays_unconfirmed(program: Program) -> None:
    program.file.write_text('[agent]\npermission = "full"\n')
    session, choices = program.start()
    choices.change({"agent.max_steps": 7, "agent.step": "plan"})
    assert session.info.permission == "restricted" and session.info.step_mode == "plan"
    settings, found = program.read()
    assert [each.name for each in found.changes] == ["agent.permission"]
    assert settings.agent.max_steps == 7 and settings.agent.permission == "restricted"


def test_a_wrong_value_changes_nothing(program: Program) -> None:
    session, choices = program.start()
    for values in (
        {"agent.max_steps": 0},
        {"agent.model": "no such model"},
        {"llm.compatible.no_such_setting": 1},
        {"agent.modle": "offline"},
        {"target.display.width": 3, "agent.max_steps": 7},
    ):
        with pytest.raises(ConfigError):
            choices.change(values)
    assert session.info.model == "offline" and not program.file.exists()
    assert choices.settings().agent.max_steps == 60


def test_resetting_brings_the_default_back(program: Program) -> None:
    session, choices = program.start()
    choices.change({"agent.max_steps": 7})
    choices.reset(["agent.max_steps"])
    assert session.info.max_steps == 60


def test_where_it_cannot_be_written_nothing_changes(program: Program) -> None:
    session, choices = program.start()
    before = session.parts
    program.file.mkdir()
    with pytest.raises(ConfigError):
        choices.change({"agent.permission": "full", "target.display.width": 800})
    assert session.info.permission == "restricted" and session.parts is before
    assert choices.settings().agent.permission == "restricted"


def test_a_dialect_that_was_not_confirmed_is_not_loaded_by_another_choice(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, choices = program.start()
    program.file.write_text('[agent]\ndialect = "theirs"\n')
    monkeypatch.setattr(plugins, "package_of", lambda family, name: "theirs 1" if name == "theirs" else "")
    with pytest.raises(ConfigError, match="dialect"):
        choices.change({"agent.step": "plan"})


def test_several_are_changed_and_reset_at_once(program: Program) -> None:
    session, choices = program.start()
    choices.change({"agent.max_steps": 7, "agent.step": "plan"})
    choices.change({"agent.max_steps": None, "agent.step": "action"})
    assert session.info.max_steps == 60 and session.info.step_mode == "action"


def test_what_the_environment_says_is_changed_there(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DESKTOP_AGENT__AGENT__MAX_STEPS", "9")
    _, choices = program.start()
    with pytest.raises(ConfigError, match="DESKTOP_AGENT__AGENT__MAX_STEPS"):
        choices.change({"agent.max_steps": 7})


def test_a_checkouts_file_is_left_alone(program: Program) -> None:
    """Its settings go on to count, in the user's own file."""
    shipped = Path(__file__).parents[1] / "config.toml"
    before = shipped.read_bytes()
    given = Arguments(target="display")
    settings = assembly.with_arguments(config.load(shipped), given)
    session = app.build(settings, given, True, *assembly.make_model(settings))
    choices = SettingsChoices(session, settings, given, ConfirmedSettings(program.data), None)
    choices.change({"agent.max_steps": 7})
    assert shipped.read_bytes() == before
    assert program.file.read_text().replace("max_steps = 7\n", "", 1) == before.decode()


def test_another_target_lets_go_of_the_first(program: Program) -> None:
    session, choices = program.start()
    first = session.parts.target
    choices.change({"target.display.width": 800})
    assert session.parts.target is not first


def test_every_kind_of_choice_has_offers(program: Program) -> None:
    _, choices = program.start()
    for name, usual in (("target", "display"), ("permission", "restricted"), ("step", "off")):
        offers = choices.offers(name)  # type: ignore[arg-type]
        assert usual in [each.value for each in offers]
        assert all(each.title and each.does for each in offers)


def test_models_tell_what_they_cost_and_why_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-0123456789abcdef")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    offers = {each.offer.value: each.offer for each in model_offers(Config())}
    assert not offers["offline"].problem and offers["offline"].costs == "Free"
    assert offers["openai"].problem and "OPENAI_API_KEY" in offers["openai"].problem
    assert not offers["anthropic"].problem and "million tokens" in offers["anthropic"].costs
    named = [value for value in offers if value.startswith("anthropic:")]
    assert named and all(not offers[value].problem for value in named)
