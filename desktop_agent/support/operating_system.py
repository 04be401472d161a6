"""Which operating system this process runs on, for the few places that choose by it. Only the standard library."""

from __future__ import annotations

import sys

WINDOWS: bool = sys.platform == "win32"
LINUX: bool = sys.platform == "linux"
