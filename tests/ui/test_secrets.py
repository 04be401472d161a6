"""The window shows no secret: not in the user's own words, not in those of an agent that broke."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel, QTextEdit, QWidget

from desktop_agent.protocol.agent_events import Goal
from desktop_agent.redaction import redactor
from tests.ui.conftest import Stage

pytestmark = pytest.mark.usefixtures("no_secrets")
SECRET = "hunter2hunter2"


def shown(window: QWidget) -> str:
    """Every text in the window, also what a screen reader is told."""
    texts = [each.toPlainText() for each in window.findChildren(QTextEdit)]
    texts += [each.text() for each in window.findChildren(QLabel)]
    texts += [each.accessibleName() for each in window.findChildren(QWidget)]
    return "\n".join(texts)


def test_a_marked_secret_is_not_in_the_conversation(stage: Stage) -> None:
    stage.window.composer.input.setPlainText(f"log in with {{{{secret: {SECRET}}}}}")
    stage.window.composer.send.click()
    assert stage.told("send") == [("send", "log in with {{secret:1}}")]
    stage.play(Goal(text="log in with {{secret:1}}"))
    stage.wait(lambda: "log in with {{secret:1}}" in shown(stage.window), "the user's words")
    assert SECRET not in shown(stage.window)
    assert len(stage.window.view.messages) == 1


def test_an_agent_that_broke_does_not_quote_one(stage: Stage) -> None:
    redactor.redactor().know(SECRET)
    stage.port.play(RuntimeError(f"header: {SECRET}"))
    stage.wait(lambda: "header: [secret]" in shown(stage.window), "what broke")
    assert SECRET not in shown(stage.window)
