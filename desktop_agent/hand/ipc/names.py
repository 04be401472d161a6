"""Names of the folder and files that brain, hand, guard and watcher share."""

from __future__ import annotations

FOLDER_PREFIX = "desktop-agent-hand-"
"""Of a folder for temporary files, one for each pair of hand and guard."""
SHARED = "shared"
"""The file of the shared block, which each of the processes has open."""
