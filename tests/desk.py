"""What tests stand on: waiting, and the lab's private desktop."""

from __future__ import annotations

from tests.support.private_desk import Desk, Panel
from tests.support.waiting import until

__all__ = ["Desk", "Panel", "until"]
