"""What tests stand on: waiting, and the lab's private desktop."""

from __future__ import annotations

from benchmarks.lab.private_desk import Desk, Panel
from benchmarks.lab.waiting import until

__all__ = ["Desk", "Panel", "until"]
