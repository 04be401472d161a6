"""Going to an address in the browser, or to a folder in the file manager."""

from __future__ import annotations

import re

from desktop_agent.extras.offline.llm.offline.intents import GoTo
from desktop_agent.extras.offline.llm.offline.moves import Act, Move, Question, Reached
from desktop_agent.extras.offline.llm.offline.policies.filing import shows_folder
from desktop_agent.extras.offline.llm.offline.policies.opening import (
    OPENING_LOOKS,
    PATH,
    address,
    arrived,
    bring_up,
    named_in_sight,
    unreachable,
)
from desktop_agent.extras.offline.llm.offline.scene import Scene
from desktop_agent.protocol import ops


def go_to(intent: GoTo, scene: Scene) -> Move:
    """Show an address: in the browser in front, else by the system's opener. A folder goes to the file manager."""
    if PATH.fullmatch(intent.address) or not re.search(r"[.:]", intent.address):
        return _show_folder(intent.address, scene)
    if scene.sight.sort == "browser" and not scene.done(ops.Open):
        return address(intent.address, scene, f"I go to {intent.address}.")
    if unreachable(scene) and scene.done(ops.Open):
        return Question(
            f"The browser could not show {intent.address}: “{unreachable(scene)}” What shall I do?"
        )
    if arrived(intent.address, scene):
        return Reached(f"{intent.address} is shown.")
    refused = scene.refused(ops.Open)
    if refused and not scene.done(ops.Open):
        return bring_up("browser", scene) or address(intent.address, scene, f"I go to {intent.address}.")
    if not scene.done(ops.Open) and scene.can("open"):
        return Act((ops.Open(_with_scheme(intent.address)),), f"I open {intent.address}.")
    waiting = scene.wait(OPENING_LOOKS)
    if waiting:
        return waiting
    if scene.sight.sort == "browser":
        return Reached(f"The browser shows “{scene.look.window}”.")
    return Question(f"I opened {intent.address}, but no browser has come up. What shall I do?")


def _show_folder(folder: str, scene: Scene) -> Move:
    """In the file manager; where it cannot be opened but is in sight under its name, by a click there."""
    name = folder.rstrip("/").rsplit("/", 1)[-1]
    shown = Reached(f"The folder {folder} is shown.")
    if scene.refused(ops.Open) and scene.clicks():
        return shown
    move = shows_folder(folder, scene) or shown
    here = named_in_sight(name, scene) if isinstance(move, Question) and scene.refused(ops.Open) else None
    return Act((scene.click(here),), f"I see “{here.name}” and go there.") if here is not None else move


def _with_scheme(address: str) -> str:
    if re.match(r"\w+://|about:|file:", address):
        return address
    local = re.match(r"(?:localhost|\d+\.\d+\.\d+\.\d+)(?:[:/]|$)", address)
    return f"{'http' if local else 'https'}://{address}"
