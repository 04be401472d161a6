"""The stage of the window tests."""

from __future__ import annotations

from tests.ui.conftest import hands, no_qt_warnings, on_the_desk

__all__ = ["hands", "no_qt_warnings", "on_the_desk"]
