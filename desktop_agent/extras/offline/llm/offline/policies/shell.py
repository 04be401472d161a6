"""Commands in a terminal: typed there, and what they print read where it can be read exactly."""

from __future__ import annotations

import re

from desktop_agent.extras.offline.llm.offline.intents import Open, Save, TypeText
from desktop_agent.extras.offline.llm.offline.intents_desk import RunCommand
from desktop_agent.extras.offline.llm.offline.moves import NOTHING, Act, Instead, Move, Question, Reached
from desktop_agent.extras.offline.llm.offline.policies.opening import bring_up
from desktop_agent.extras.offline.llm.offline.policies.typing import default_box
from desktop_agent.extras.offline.llm.offline.policies.windows import discard_changes
from desktop_agent.extras.offline.llm.offline.scene import Scene
from desktop_agent.extras.offline.llm.offline.terminal_picture import lines_printed
from desktop_agent.protocol import ops
from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision.observation import Element

_ENTER = ops.KeyCombo(("enter",))
_EDGE = 14  # pixels: inside the window's border and handle
_LOOKS = 13
_TRIES = 4
_SHOWN = 1_500
_TROUBLE = re.compile(
    r"\b(?:error|cannot|can.?t|could not|no such|not (?:found|permitted|recognized)|denied|failed|failure|fatal|invalid|usage:)",
    re.I,
)


def run_command(intent: RunCommand, scene: Scene) -> Move:
    """Type the command, and see that its prompt comes back; what it prints is read where there is something to read.

    It is read in the terminal, or from an editor into which all that the terminal shows is copied. What is to be kept
    in a file is read and saved: a command with a redirection in it would not be the one that was asked for.
    """
    if intent.into:
        read = RunCommand(intent.command, tell=True)
        kept = (Open("text editor"), TypeText("", result=True), Save(intent.into, intent.folder or "~"))
        return Instead((read, *kept))
    line = intent.command
    if "\n" in line:
        return Question("That is more than one line. Which command shall I run first?")
    if scene.trouble:
        return Question(f"I could not run “{intent.command}”: {scene.trouble.detail} How shall I go on?")
    if not scene.done(ops.Type):
        if scene.sight.sort != "terminal":
            return bring_up("terminal", scene) or _type(line)
        return _type(line)
    if scene.done(ops.KeyCombo, lambda op: op.keys == ("alt", "f4")):
        return _left_editor(intent, scene)
    if not (intent.tell or scene.done(ops.Drag)):
        ended = _silent_end(line, scene)
        if ended is not None:
            return ended
    if scene.sight.sort == "terminal":
        return _in_terminal(intent, scene)
    return _in_editor(intent, scene)


def _silent_end(line: str, scene: Scene) -> Move | None:
    """The end of a command that nobody wants to be told of; None when it has printed something, which may be an error."""
    ran = Reached(f"I ran “{line}”.", f"“{line}” has run, and printed nothing")
    if scene.sight.sort != "terminal":
        before = scene.windows_at.get(scene.done(ops.Type)[-1].turn, ())
        closed = len(scene.look.windows) < len(before)
        came = not closed and scene.look.window not in ("", *before)
        if closed or came:
            what = "the terminal has closed" if closed else f"“{scene.look.window}” has come up"
            return Reached(f"I ran “{line}”.", f"I ran “{line}”, and {what}")
        return scene.wait(3) or _unseen(line)
    texts = _texts(scene)
    if texts:
        output = printed(texts[0], line)
        return None if output else ran if output == "" else scene.wait(_LOOKS) or _unseen(line)
    area = scene.window_area
    lines = lines_printed(scene.look, area, line) if area is not None else None
    if lines is None:
        return scene.wait(_LOOKS) or _unseen(line)
    return ran if lines == 0 else None


def _unseen(line: str) -> Question:
    return Question(f"I ran “{line}”, but I could not see that it has ended. Shall I wait on?")


def _type(line: str) -> Act:
    return Act((ops.Type(line), _ENTER), f"I type “{line}” into the terminal.")


# ---- what it prints ------------------------------------------------------------------------------


def _in_terminal(intent: RunCommand, scene: Scene) -> Move:
    """Read the terminal where it tells its text; else mark all that it shows, to be pasted into an editor."""
    texts = _texts(scene)
    if texts:
        return _told(intent, printed(texts[0], intent.command), scene)
    waiting = scene.wait(1)
    if waiting:
        return waiting
    marked = scene.done(ops.Drag)
    if marked and marked[-1].turn == scene.turn - 1 - scene.patience:
        return Act((ops.Open("text editor"),), "I copy what it shows into an editor, to read it exactly.")
    area = scene.window_area
    if area is None or not scene.can("drag") or len(marked) >= _TRIES:
        return Question(f"I ran “{intent.command}”, but I cannot read what the terminal shows.")
    # From below to above: all lines that are shown.
    start, end = (area.right - _EDGE, area.bottom - _EDGE), (area.x + 4, area.y + _EDGE)
    spots = tuple(ops.Spot(*_pixel(scene, *at)) for at in (start, end))
    return Act((ops.Drag(spots),))


def _texts(scene: Scene) -> list[str]:
    """What terminals in front tell of their text."""
    return [e.value for e in scene.sight.front if e.role == "terminal" and e.value]


def _pixel(scene: Scene, x: int, y: int) -> tuple[int, int]:
    at = scene.look.viewport.rect_to_image(Rect(x, y, 1, 1))
    return at.x, at.y


def _in_editor(intent: RunCommand, scene: Scene) -> Move:
    """Paste with the middle button what was marked, read it, and leave the editor again."""
    box = default_box(scene)
    if scene.sight.sort != "editor" or not isinstance(box, Element):
        return scene.wait(_LOOKS) or Question(
            f"I ran “{intent.command}”, but no editor came up to read it in."
        )
    lines = printed(box.value, intent.command) if box.value else None
    if lines is None and not box.value:
        pasted = len(scene.clicks())
        waiting = scene.wait(1) if pasted else None
        at = scene.look.viewport.rect_to_image(box.bounds).center
        if pasted < _TRIES:
            return waiting or Act((ops.Click(at.x, at.y, "middle"),))
        return Question(f"I ran “{intent.command}”, but I could not copy what it printed.")
    return Act((ops.KeyCombo(("alt", "f4")),), result="" if lines is None else lines or NOTHING)


def _left_editor(intent: RunCommand, scene: Scene) -> Move:
    """The editor was only for reading: its text is thrown away."""
    if scene.sight.sort == "terminal":
        return _told(intent, scene.result, scene)
    return discard_changes(scene) or scene.wait(3) or _told(intent, scene.result, scene)


def _told(intent: RunCommand, text: str | None, scene: Scene) -> Move:
    if text is None:
        return scene.wait(6) or Question(f"“{intent.command}” is still running. Shall I wait on?")
    prints = f"“{intent.command}” prints: {text[:_SHOWN]}"
    if not intent.tell and _TROUBLE.search(text):
        return Question(f"{prints} Is that right, or how shall I go on?")
    return Reached(f"It prints: {text[:_SHOWN]}", prints, text)


def printed(screen: str, command: str) -> str | None:
    """What a command has printed, from all that a terminal shows; None while it is still running.

    The line with the command begins with the prompt, and the next line that is the prompt alone ends it.
    """
    lines = [line.rstrip() for line in screen.rstrip().split("\n")]
    echoes = [n for n, line in enumerate(lines) if line.endswith(command)]
    if not echoes:
        return None
    prompt = lines[echoes[-1]][: -len(command)].rstrip()
    after = lines[echoes[-1] + 1 :]
    ends = [n for n, line in enumerate(after) if prompt and _same_prompt(line, prompt)]
    return "\n".join(after[: ends[0]]).strip("\n") if ends else None


def _same_prompt(line: str, prompt: str) -> bool:
    """Is the line a prompt like this one? The folder in it may be another."""
    return line == prompt or (
        len(prompt) > 1
        and line[-1:] == prompt[-1]
        and re.split(r"[:~/]", line)[0] == re.split(r"[:~/]", prompt)[0]
    )
