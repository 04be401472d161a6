"""All that can be pressed is large enough, has a name and is reached by the keyboard."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from desktop_agent.ui.chat.conversation import FoldLine
from tests.ui.conftest import Stage
from tests.ui.scenes import SCENES


@pytest.mark.parametrize("scene", ["", *SCENES])
def test_targets_are_large_enough_named_and_reached_by_keyboard(
    stage: Stage, scene: str, qapp: QApplication
) -> None:
    if scene:
        stage.play(*SCENES[scene]())
        stage.pump(50)
    buttons = [b for b in stage.window.findChildren(QAbstractButton) if b.isVisible() and b.isEnabled()]
    for button in buttons:
        assert button.height() >= 28, button.accessibleName()
        assert button.width() >= 28, button.accessibleName()
        name = QAccessible.queryAccessibleInterface(button).text(QAccessible.Text.Name)
        assert name, button
    reached = tab_through(stage)
    for button in buttons:
        # The parts of the conversation have one tab stop; Up and Down reach the others (test_chat).
        if button.focusPolicy() != Qt.FocusPolicy.NoFocus and not isinstance(button, FoldLine):
            assert button in reached, button.accessibleName()
    assert stage.window.composer.input in reached


def tab_through(stage: Stage) -> set[QWidget]:
    """Every widget Tab comes by."""
    start = stage.window.composer.input
    reached: set[QWidget] = {start}
    widget = start.nextInFocusChain()
    while widget is not None and widget is not start:
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisible() and widget.isEnabled():
            reached.add(widget)
        widget = widget.nextInFocusChain()
    return reached
