"""The stage of the window tests."""

from __future__ import annotations

from tests.ui.conftest import desk, hands, no_qt_warnings, on_the_desk, opened, qapp, stage, terminal

__all__ = ["desk", "hands", "no_qt_warnings", "on_the_desk", "opened", "qapp", "stage", "terminal"]
