"""The human of the hand's tests."""

from __future__ import annotations

from tests.hand.conftest import human

__all__ = ["human"]
