"""A folder that a sandbox may work in, and modules for it."""

from __future__ import annotations

from pathlib import Path

from desktop_agent.platforms.posix import bubblewrap

COUNTER = '''"""Counts how often it is asked."""
count = 0
def run(command):
    global count
    count += 1
    return f"{command}: {count}"
def screen():
    return f"asked {count} times"
'''


def project_in(folder: Path) -> Path:
    """An empty project in this folder, which belongs to who works in a sandbox."""
    project = folder / "project"
    project.mkdir(exist_ok=True)
    for each in (project, *project.parents):
        if each == Path("/tmp") or each.stat().st_uid:
            break
        each.chmod(each.stat().st_mode | 0o055)
    bubblewrap.give(project)
    return project
