"""Which target and model are chosen when none is named."""

from __future__ import annotations

import pytest

from desktop_agent.startup import assembly
from desktop_agent.support.config import AgentSettings, Config


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    names = ("DISPLAY", "WAYLAND_DISPLAY", "XDG_SESSION_TYPE", "OPENAI_API_KEY", "ANTHROPIC_API_KEY")
    for name in names:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
    return monkeypatch


@pytest.mark.linux("on Windows there is one desktop")
@pytest.mark.parametrize(
    ("variables", "kind"),
    [
        ({}, "display"),
        ({"DISPLAY": ":7"}, "local"),
        ({"DISPLAY": ":7", "WAYLAND_DISPLAY": "wayland-0"}, "display"),
        ({"DISPLAY": ":7", "XDG_SESSION_TYPE": "wayland"}, "display"),
    ],
)
def test_the_target(variables: dict[str, str], kind: str, environment: pytest.MonkeyPatch) -> None:
    for name, value in variables.items():
        environment.setenv(name, value)
    assert assembly.make_target(Config()).kind == kind


def test_without_a_key_the_offline_model_thinks_and_the_user_is_told(environment: pytest.MonkeyPatch) -> None:
    model, note = assembly.make_model(Config())
    assert model.name == "offline" and "No key found" in note


@pytest.mark.parametrize(("variable", "name"), [("OPENAI_API_KEY", "gpt"), ("ANTHROPIC_API_KEY", "claude")])
def test_a_key_chooses_its_provider(variable: str, name: str, environment: pytest.MonkeyPatch) -> None:
    environment.setenv(variable, "sk-test-0123456789")
    model, note = assembly.make_model(Config())
    assert name in model.name and not note


def test_a_models_name_follows_the_colon(environment: pytest.MonkeyPatch) -> None:
    environment.setenv("OPENAI_API_KEY", "sk-test-0123456789")
    model, _ = assembly.make_model(Config(agent=AgentSettings(model="openai:gpt-special")))
    assert "gpt-special" in model.name
