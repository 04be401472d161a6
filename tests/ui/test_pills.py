"""A person chooses model, target, step mode and permission from the pills, by mouse and by keyboard."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from pathlib import Path

import pytest

from desktop_agent.agent.choices import ChoiceName, Choices, Offer
from desktop_agent.protocol.errors import ConfigError
from desktop_agent.support.config import Config
from desktop_agent.ui.widgets.choice_popup import ChoicePopup, ChoiceRow
from tests.ui import scenes
from tests.ui.conftest import Stage
from tests.ui.hands import Hands

OFFERS = (
    Offer("offline", "Offline model", "Understands plain instructions.", "Free"),
    Offer("openai", "openai · gpt-x", "sees pictures", "$2 in, $10 out a million tokens"),
    Offer("anthropic", "anthropic", problem="no key found."),
)


class WrittenChoices(Choices):
    """Settings in memory, which writes down what it was told; `refuses` are values that it does not take."""

    def __init__(self) -> None:
        self.told: list[dict[str, object]] = []
        self.refuses: set[object] = set()

    def offers(self, name: ChoiceName) -> tuple[Offer, ...]:
        return OFFERS if name == "model" else (Offer("off", "Off", "…"), Offer("plan", "Each step", "…"))

    def settings(self) -> Config:
        return Config()

    def change(self, values: Mapping[str, object]) -> None:
        if self.refuses & set(values.values()):
            raise ConfigError("That model cannot be used.", "Choose another.")
        self.told.append(dict(values))

    def reset(self, names: Collection[str]) -> None:
        self.told.append(dict.fromkeys(names))

    @property
    def file(self) -> Path:
        return Path("config.toml")


@pytest.fixture
def choices() -> WrittenChoices:
    return WrittenChoices()


@pytest.fixture
def stage(opened: Callable[..., Stage], choices: WrittenChoices) -> Stage:
    return opened(choices=choices)


def opened_menu(stage: Stage) -> ChoicePopup:
    stage.wait(lambda: popup_of(stage), "the menu")
    popup = popup_of(stage)
    assert popup is not None
    stage.wait(lambda: popup.rows, "the offers")
    return popup


def popup_of(stage: Stage) -> ChoicePopup | None:
    return next((each for each in stage.window.findChildren(ChoicePopup) if each.isVisible()), None)


def row(popup: ChoicePopup, value: str) -> ChoiceRow:
    return next(each for each in popup.rows if each.offer.value == value)


def test_a_model_is_chosen_with_the_mouse(stage: Stage, choices: WrittenChoices, hands: Hands) -> None:
    pill = stage.window.composer.pills.model
    hands.click(pill)
    hands.click(row(opened_menu(stage), "openai"))
    stage.wait(lambda: choices.told == [{"agent.model": "openai"}], "the model chosen")
    assert popup_of(stage) is None


def test_a_model_is_chosen_with_the_keyboard(stage: Stage, choices: WrittenChoices, hands: Hands) -> None:
    pill = stage.window.composer.pills.model
    hands.click(pill)
    popup = opened_menu(stage)
    stage.wait(lambda: row(popup, "offline").hasFocus(), "the first offer focused")
    hands.chord("down")
    stage.wait(lambda: row(popup, "openai").hasFocus(), "the next offer focused")
    hands.chord("down")  # the third cannot be used: round to the first
    stage.wait(lambda: row(popup, "offline").hasFocus(), "what cannot be used left out")
    hands.chord("down")
    hands.chord("enter")
    stage.wait(lambda: choices.told == [{"agent.model": "openai"}], "the model chosen")


def test_esc_closes_the_menu_and_chooses_nothing(stage: Stage, choices: WrittenChoices, hands: Hands) -> None:
    hands.click(stage.window.composer.pills.model)
    opened_menu(stage)
    hands.chord("escape")
    stage.wait(lambda: popup_of(stage) is None, "the menu closed")
    assert choices.told == [] and not stage.told("stop")


def test_what_cannot_be_used_says_why(stage: Stage, hands: Hands) -> None:
    hands.click(stage.window.composer.pills.model)
    offer = row(opened_menu(stage), "anthropic")
    assert not offer.isEnabled() and "no key found" in offer.accessibleDescription()


def test_a_choice_that_fails_says_so(stage: Stage, choices: WrittenChoices, hands: Hands) -> None:
    choices.refuses = {"openai"}
    hands.click(stage.window.composer.pills.model)
    hands.click(row(opened_menu(stage), "openai"))
    stage.wait(lambda: stage.window.view.messages, "a message")
    assert stage.window.view.messages[-1].text == "That model cannot be used. Choose another."


def test_during_a_run_only_the_step_mode_can_be_chosen(
    stage: Stage, choices: WrittenChoices, hands: Hands
) -> None:
    stage.play(*scenes.running())
    pills = stage.window.composer.pills
    hands.click(pills.model)
    hands.click(pills.step)
    popup = opened_menu(stage)
    hands.click(row(popup, "plan"))
    stage.wait(lambda: stage.told("step"), "the step mode told")
    assert stage.told("step") == [("step", "plan")] and choices.told == []
    assert pills.step.accessibleName() == "Step mode: it asks before every step of the plan"


def test_without_choices_the_pills_only_show(opened: Callable[..., Stage], hands: Hands) -> None:
    stage = opened()
    hands.click(stage.window.composer.pills.model)
    stage.pump(100)
    assert popup_of(stage) is None
