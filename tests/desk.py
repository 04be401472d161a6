"""What tests stand on: waiting, and where there is an X server the lab's private desktop."""

from __future__ import annotations

import sys

from benchmarks.lab.waiting import until

if sys.platform != "win32":  # tests wait there too, but no display is made
    from benchmarks.lab.private_desk import Desk, Panel
else:
    Desk = Panel = object

__all__ = ["Desk", "Panel", "until"]
