"""How many seconds the check may take: each part several times, all of it half as much again as on two idle cores."""

from __future__ import annotations

WHOLE = 40 * 60.0
WAIT_FOR_OTHERS = 25 * 60.0
# Building what it runs in.
DEBIAN, DOWNLOAD, INSTALL, PROFILE = 900.0, 600.0, 300.0, 400.0
# Booting.
NAMESPACE, SCREEN, WINE = 60.0, 20.0, 120.0
END = 20.0
# The parts.
TESTS, BUILD = 900.0, 1200.0
