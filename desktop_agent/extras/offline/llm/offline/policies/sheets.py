"""Spreadsheets: going to a cell by its name, entering rows, values and formulas."""

from __future__ import annotations

import re
from collections.abc import Iterator

from desktop_agent.extras.offline.llm.offline.intents_desk import Rows, SetCell, Total
from desktop_agent.extras.offline.llm.offline.moves import Act, Move, Question, Reached
from desktop_agent.extras.offline.llm.offline.policies.opening import bring_up
from desktop_agent.extras.offline.llm.offline.scene import Scene
from desktop_agent.protocol import ops
from desktop_agent.protocol.ops import Op
from desktop_agent.vision.observation import Element

_ENTER = ops.KeyCombo(("enter",))
_END_OF_COLUMN = 1_048_576  # the last row of the spreadsheets of today
_NAME = re.compile(r"[A-Z]{1,3}[1-9]\d{0,6}(?::[A-Z]{1,3}[1-9]\d{0,6})?")
_NUMBER = re.compile(r"[-+]?[\d.,]+%?")
_MOST = 14  # operations a turn, with room for going there
_LOOKS = 13
_UNTITLED = re.compile(r"untitled|unnamed|new|book ?\d", re.I)


def is_sheet(scene: Scene) -> bool:
    """Is a spreadsheet in front?"""
    return name_box(scene) is not None


def name_box(scene: Scene) -> Element | None:
    """The box that names the cell with the cursor."""
    found = [
        e for e in scene.sight.editable if _NAME.fullmatch(e.value) and e.role not in ("table cell", "cell")
    ]
    return min(found, key=lambda e: (e.bounds.y, e.bounds.x), default=None)


def _sheet_in_front(scene: Scene, new: bool) -> Move | None:
    """A spreadsheet in front, a new one when that is asked for; None when it is."""
    opened = bool(scene.done(ops.Open))
    fresh = opened or bool(scene.active_turns) or _UNTITLED.match(scene.look.window) is not None
    if is_sheet(scene) and (fresh or not new):
        return None
    if opened:
        return scene.wait(_LOOKS) or Question(
            "I opened the spreadsheet, but I see no cells. What shall I do?"
        )
    if new:
        return bring_up("spreadsheet", scene)
    return scene.wait(4) or Question("I see no spreadsheet. Which file shall I open?")


def _go_to(cell: str, scene: Scene) -> Move | None:
    """Put the cursor into a cell by typing its name into the name box; None when it is there."""
    box = name_box(scene)
    if box is None:
        return scene.wait(2) or Question("I do not see in which cell I am. How shall I go on?")
    typed = scene.done(ops.Type, lambda op: op.text == cell)
    if typed and box.value == cell and "focused" not in box.states:
        return None
    if typed:
        waiting = scene.wait(2)
        return waiting or (None if box.value == cell else _stuck(cell))
    if "focused" not in box.states:  # or the name would go into the cell
        clicked = len(scene.clicks())
        waiting = scene.wait(1) if clicked else None
        return waiting or (_stuck(cell) if clicked > 2 else Act((scene.click(box),)))
    return Act((ops.KeyCombo(("ctrl", "a")), ops.Type(cell), _ENTER), f"I go to the cell {cell}.")


def _stuck(cell: str) -> Question:
    return Question(f"I could not get to the cell {cell}. How shall I go on?")


def enter_rows(intent: Rows, scene: Scene) -> Move:
    """From the first cell on: a tab to the next cell, Enter to the next row."""
    parts = list(_keystrokes(intent.rows))
    done = sum(any(op in part for d in scene.done(ops.Type) for op in [d.op]) for part in parts)
    if not done:
        ready = _sheet_in_front(scene, intent.new) or _go_to(intent.at, scene)
        if ready is not None:
            return ready
    if scene.trouble:
        return Question(f"I could not enter the rows: {scene.trouble.detail} How shall I go on?")
    if done < len(parts):
        return Act(parts[done], f"I enter {len(intent.rows)} rows." if not done else "")
    return scene.wait(1) or Reached(f"{len(intent.rows)} rows are entered.")


def _keystrokes(rows: tuple[tuple[str, ...], ...]) -> Iterator[tuple[Op, ...]]:
    """The rows in batches. Each row is typed in one go unless the sheet would complete a word by one above."""
    batch: list[Op] = []
    for n, row in enumerate(rows):
        line: list[Op] = []
        for column, text in enumerate(row):
            end = "\n" if column == len(row) - 1 else "\t"
            if _completed(text, [above[column] for above in rows[:n] if column < len(above)]):
                line += [ops.Type(text), ops.KeyCombo(("delete",)), ops.Type(end)]
            elif line and isinstance(line[-1], ops.Type):
                line[-1] = ops.Type(line[-1].text + text + end)
            else:
                line.append(ops.Type(text + end))
        if batch and len(batch) + len(line) > _MOST:
            yield tuple(batch)
            batch = []
        batch += line
    if batch:
        yield tuple(batch)


def _completed(text: str, above: list[str]) -> bool:
    """Would the sheet make a longer word of it, one that is in the column already?"""
    return any(len(each) > len(text) and each.lower().startswith(text.lower()) for each in above if text)


def set_cell(intent: SetCell, scene: Scene) -> Move:
    """Go there, type over what it holds, leave it with Enter."""
    intent = intent if intent.text else SetCell(intent.cell, scene.result)
    if not intent.text:
        return Question(f"I have no result yet that I could write. What shall {intent.cell} hold?")
    if scene.trouble:
        return Question(f"I could not change {intent.cell}: {scene.trouble.detail} How shall I go on?")
    if scene.done(ops.Type, lambda op: op.text == intent.text):
        return scene.wait(1) or _seen(intent.cell, intent.text, scene)
    ready = _sheet_in_front(scene, False) or _go_to(intent.cell, scene)
    if ready is not None:
        return ready
    word = not (_NUMBER.fullmatch(intent.text) or intent.text.startswith("="))
    # What the sheet adds to a word by itself is deleted.
    own = (ops.KeyCombo(("delete",)),) if word else ()
    return Act((ops.Type(intent.text), *own, _ENTER), f"I set {intent.cell} to {intent.text}.")


def _seen(cell: str, text: str, scene: Scene) -> Reached:
    """What the cell shows now, where the sheet tells it."""
    shown = next(
        (e.value for e in scene.sight.front if e.name == cell and e.role == "table cell" and e.value), ""
    )
    return Reached(
        f"{cell} holds {shown or text}.",
        f"{cell} holds {shown}" if shown else f"{cell} is set to {text}",
        shown or text,
    )


def total(intent: Total, scene: Scene) -> Move:
    """A formula over a range, or over a column down to where it ends."""
    if intent.cell:
        return set_cell(SetCell(intent.cell, formula(intent, intent.cell)), scene)
    column, end = re.split(r"\d", intent.of)[0], f"{re.split(r'[0-9]', intent.of)[0]}{_END_OF_COLUMN}"
    below = next(
        (
            d.op.text
            for d in scene.done(ops.Type)
            if isinstance(d.op, ops.Type) and re.fullmatch(rf"{column}\d+", d.op.text) and d.op.text != end
        ),
        "",
    )
    if ":" in intent.of:
        column, row = re.fullmatch(r".*?([A-Z]+)(\d+)", intent.of).groups()  # type: ignore[union-attr]
        return set_cell(SetCell(f"{column}{int(row) + 1}", formula(intent, "")), scene)
    if below:
        return set_cell(SetCell(below, formula(intent, below)), scene)
    ready = _sheet_in_front(scene, False) or _go_to(end, scene)
    up = scene.done(ops.KeyCombo, lambda op: op.keys == ("ctrl", "up"))
    if not up:
        return ready or Act((ops.KeyCombo(("ctrl", "up")),), f"I look where column {column} ends.")
    box = name_box(scene)
    if box is None or box.value == end:
        return scene.wait(2) or Question(
            f"I do not see where column {column} ends. Into which cell shall I write?"
        )
    target = f"{column}{int(re.sub(r'[A-Z]', '', box.value)) + 1}"
    if "focused" not in box.states and scene.clicks() and scene.clicks()[-1].turn < up[-1].turn:
        return Act((scene.click(box),))
    return Act(
        (ops.KeyCombo(("ctrl", "a")), ops.Type(target), _ENTER),
        f"It ends at {box.value}, so I write into {target}.",
    )


def formula(intent: Total, cell: str) -> str:
    """ "=SUM(B1:B4)" for a cell below the column, the whole column for one that is elsewhere."""
    if ":" in intent.of:
        return f"={intent.function}({intent.of})"
    letters, row = (re.fullmatch(r"([A-Z]+)(\d+)", cell) or re.fullmatch(r"()(0)", "0")).groups()  # type: ignore[union-attr]
    if letters == intent.of and int(row) > 1:
        return f"={intent.function}({intent.of}1:{intent.of}{int(row) - 1})"
    return f"={intent.function}({intent.of}:{intent.of})"
