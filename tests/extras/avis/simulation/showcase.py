"""A screen with every kind of piece in many states, laid out by hand: `python -m tests.extras.avis.simulation.showcase FOLDER` saves it in each theme."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from desktop_agent.extras.avis.simulation.drawing.pieces import Kind, ScreenPiece
from desktop_agent.extras.avis.simulation.drawing.scene_theme import SceneTheme, theme
from desktop_agent.extras.avis.simulation.painting.painter import Painter
from desktop_agent.protocol.geometry import Rect, Size
from desktop_agent.support import resources

SCREEN = Size(1280, 900)
WHOLE = Rect(0, 0, 1280, 900)
LONG = "A text that is far too long for the place it has been given here"


def theme_names() -> list[str]:
    return list(tomllib.loads(resources.text("simulation", "themes.toml")))


def piece(
    kind: Kind, x: int, y: int, width: int, height: int, text: str = "", states: str = "", **other: Any
) -> ScreenPiece:
    """A piece with its states in words."""
    other.setdefault("clip", WHOLE)
    return ScreenPiece(
        kind=kind, rect=Rect(x, y, width, height), text=text, states=frozenset(states.split()), **other
    )


def showcase(look: SceneTheme) -> list[ScreenPiece]:
    """Every kind of piece."""
    pieces = [piece("desktop", 0, 0, WHOLE.width, WHOLE.height)]
    pieces += _window(760, 150, 480, 560, "Behind", "")
    pieces += _window(30, 30, 760, 840, "Library of everything", "front")
    pieces += _menus(look)
    pieces += _form(look)
    pieces += _boxes(look)
    pieces += _table(look)
    pieces += _second_window(look)
    pieces += [
        piece("tooltip", 560, 770, 210, look.text.line + 8, "Saves what you wrote"),
        piece("drag", 640, 806, 110, look.control, "Emma"),
        piece("pointer", 744, 832, 12, 20),
    ]
    return pieces


def _window(x: int, y: int, width: int, height: int, title: str, states: str) -> Iterable[ScreenPiece]:
    yield piece("shadow", x, y, width, height, "", states)
    yield piece("window", x, y, width, height, "", states)
    yield piece("title_bar", x, y, width, 36, "", states)
    yield piece("title", x + 14, y, width - 60, 36, title, states)
    yield piece("close", x + width - 38, y + 4, 28, 28, "", states + (" hovered" if not states else ""))


def _menus(look: SceneTheme) -> Iterable[ScreenPiece]:
    x, y, high = 30, 66, look.row + 4
    yield piece("menu_bar", x, y, 760, high)
    for number, (name, states) in enumerate(
        (("File", ""), ("Edit", "hovered"), ("View", "expanded"), ("Help", "disabled"))
    ):
        yield piece("menu", x + 8 + 64 * number, y, 60, high, name, states)


def _form(look: SceneTheme) -> Iterable[ScreenPiece]:
    x, y, step = 50, 112, look.control + 8
    yield piece("label", x, y, 340, 30, "A heading", style="heading")
    y += 36
    yield piece("label", x, y, 340, look.row, "Plain text that explains the form")
    yield piece("label", x, y + look.row, 340, look.row, "Muted text, less important", style="muted")
    y += 2 * look.row + 6
    for style in ("banner", "success", "warning", "error"):
        yield piece("label", x, y, 340, look.control, f"This is a {style} message. {LONG}", style=style)
        y += look.control + 6
    yield piece("label", x, y, 340, 2 * look.text.line, f"{LONG}, but it may take two lines")
    y += 2 * look.text.line + 8
    for number, (text, states, style) in enumerate(
        (
            ("Save", "", "primary"),
            ("Save", "hovered", "primary"),
            ("Save", "pressed", "primary"),
            ("Save", "focused", "primary"),
            ("Save", "disabled", "primary"),
            ("Cancel", "", ""),
            ("Cancel", "hovered", ""),
            ("Cancel", "pressed", ""),
            ("Cancel", "focused", ""),
            ("Cancel", "disabled", ""),
            ("Delete", "", "danger"),
            ("Delete", "hovered", "danger"),
            ("Delete", "focused", "danger"),
            (LONG, "", ""),
        )
    ):
        left = x + 70 * (number % 5)
        yield piece("button", left, y + number // 5 * step, 64, look.control, text, states, style=style)
    y += 3 * step + 4
    yield piece("caption", x, y, 160, look.row, "User name")
    yield piece("caption", x + 180, y, 160, look.row, "Password")
    y += look.row
    yield piece("field", x, y, 160, look.control, "", "focused")
    yield piece("line", x + 8, y, 144, look.control, "jane.austen@hampshire.example")
    yield piece("selected_text", x + 8, y + 5, 33, look.control - 10, "jane")
    yield piece("caret", x + 42, y + 5, 1, look.control - 10)
    yield piece("field", x + 180, y, 160, look.control, "", "hovered")
    yield piece("line", x + 188, y, 144, look.control, "•••••••", "secret")
    y += step
    yield piece("field", x, y, 160, look.control)
    yield piece("placeholder", x + 8, y, 144, look.control, "Search in all books")
    yield piece("field", x + 180, y, 75, look.control, "Fixed", "read_only")
    yield piece("field", x + 265, y, 75, look.control, "Off", "disabled")
    y += step
    yield piece("area", x, y, 340, 3 * look.text.line + 12, "", "", style="code")
    for number, text in enumerate(("def greet(name):", '    return f"Hello {name}"', "")):
        top = y + 6 + number * look.text.line
        yield piece("line", x + 8, top, 320, look.text.line, text, style="code")
    y += 3 * look.text.line + 20
    yield piece("drop_down", x, y, 160, look.control, "Hardcover")
    yield piece("drop_down", x + 180, y, 75, look.control, "A5", "focused expanded")
    yield piece("drop_down", x + 265, y, 75, look.control, "Off", "disabled")
    y += step
    yield piece("link", x, y, 90, look.row, "Read more")
    yield piece("link", x + 100, y, 90, look.row, "Hovered", "hovered")
    yield piece("link", x + 200, y, 90, look.row, "Disabled", "disabled")


def _boxes(look: SceneTheme) -> Iterable[ScreenPiece]:
    x, y, step = 420, 112, look.control
    yield piece("panel", x, y, 350, 4 * step + look.row + 14, style="framed")
    yield piece("caption", x + 10, y + 4, 200, look.row, "Boxes in a panel", style="panel")
    y += look.row + 8
    for number, states in enumerate(("", "hovered", "checked", "checked focused")):
        yield piece("check", x + 8, y + number * step, 110, step, "Remember", states)
        yield piece("radio", x + 122, y + number * step, 110, step, "By mail", states)
    for number, states in enumerate(("disabled", "checked disabled", "checked hovered", "pressed")):
        yield piece("check", x + 236, y + number * step, 100, step, "Off", states)
    square = look.text.line
    for number, states in enumerate(("focused", "checked focused")):
        yield piece("check", x + 262 + 40 * number, y - look.row, square, square, "", states)
        yield piece("radio", x + 182 + 40 * number, y - look.row, square, square, "", states)
    y += 4 * step + 16
    yield piece("slider", x, y, 160, step, ratio=0.4)
    yield piece("knob", x + 64 - step // 2, y, step, step, "", "hovered")
    yield piece("slider", x + 180, y, 160, step, "", "focused", ratio=0.7)
    yield piece("knob", x + 292 - step // 2, y, step, step, "", "focused")
    y += step + 6
    yield piece("progress", x, y, 160, 16, ratio=0.62)
    yield piece("progress", x + 180, y, 160, 16, ratio=1.0)
    y += 22
    yield piece("separator", x, y, 340, 8)
    y += 12
    yield piece("tab_bar", x, y, 350, look.control)
    tabs = (("General", "selected"), ("Network", ""), ("Fonts", "hovered"), ("Other", "disabled"))
    for number, (name, states) in enumerate(tabs):
        yield piece("tab", x + 86 * number, y, 84, look.control, name, states)


def _table(look: SceneTheme) -> Iterable[ScreenPiece]:
    x, y = 420, 490
    inner = Rect(x + 1, y + 1, 348, 6 * look.row)
    yield piece("table", x, y, 350, 6 * look.row + 2)
    for number in range(6):
        top = y + 1 + look.row + number * look.row
        states = "selected" if number == 2 else "hovered" if number == 4 else ""
        row = ("row", number)
        states += " odd" if number % 2 else ""
        yield piece("row", x + 1, top, 334, look.row, "", states, part=row, clip=inner, style="table")
        for left, width, text in ((1, 150, f"Book number {number}"), (151, 80, "3 May")):
            yield piece("cell", x + left, top, width, look.row, text, states, part=row, clip=inner)
        button = ("delete", number)
        yield piece(
            "row_action",
            x + 240,
            top + 2,
            70,
            look.row - 4,
            "Delete",
            "",
            part=button,
            clip=inner,
            style="danger",
        )
    for left, width, text in ((1, 150, "Title"), (151, 80, "Due"), (231, 118, "Action")):
        yield piece("column", x + left, y + 1, width, look.row, text)
    yield piece("scroll_bar", x + 336, y + 1 + look.row, 12, 5 * look.row)
    yield piece("scroll_thumb", x + 336, y + 1 + look.row, 12, 60)
    bottom = y + 6 * look.row + 12
    yield piece("canvas", x, bottom, 200, 110)
    clip = Rect(x + 1, bottom + 1, 198, 108)
    ends = (x + 20, bottom + 90, x + 180, bottom + 30)
    yield piece("shape", x + 20, bottom + 30, 160, 60, colour="#888888", style="line", points=ends, clip=clip)
    yield piece(
        "shape", x + 14, bottom + 14, 60, 36, "R1", "draggable", colour="#3a7bd5", style="rect", clip=clip
    )
    yield piece(
        "shape", x + 90, bottom + 20, 50, 50, "C2", "selected", colour="#e8a33d", style="circle", clip=clip
    )
    yield piece(
        "shape", x + 170, bottom + 70, 60, 30, "R3", "hovered", colour="#4caf50", style="rect", clip=clip
    )
    yield piece("shape", x + 14, bottom + 88, 100, 20, "some text", style="text", clip=clip)


def _second_window(look: SceneTheme) -> Iterable[ScreenPiece]:
    x, y = 820, 210
    yield piece("caption", x, y, 180, look.row, "List")
    yield piece("list", x, y + look.row, 180, 5 * look.row + 2, "", "focused")
    for number, states in enumerate(("", "selected", "hovered", "disabled", "")):
        top = y + 2 + look.row + number * look.row
        name = f"Entry {number}" if number < 4 else LONG
        yield piece("row", x + 2, top, 176, look.row, name, states)
    x += 200
    yield piece("caption", x, y, 180, look.row, "Tree")
    yield piece("list", x, y + look.row, 200, 5 * look.row + 2)
    tree = (
        ("Fiction", 0, "expanded"),
        ("Novels", 1, "expanded selected"),
        ("Emma", 2, ""),
        ("Poems", 1, "hovered"),
    )
    for number, (name, depth, states) in enumerate(tree):
        top = y + 1 + look.row + number * look.row
        yield piece("row", x + 1, top, 198, look.row, name, states, indent=18 + depth * 16)
        if depth < 2:
            yield piece("expander", x + 4 + depth * 16, top, 18, look.row, "", states)
    x, y = 860, 420
    yield piece("popup", x, y, 220, 5 * look.row + 8)
    items = (
        ("New", "ctrl+n", ""),
        ("Open…", "ctrl+o", "hovered"),
        ("Save", "ctrl+s", "disabled"),
        ("Close", "", ""),
    )
    for number, (name, keys, states) in enumerate(items):
        top = y + 4 + number * look.row + (number == 3) * look.row // 2
        yield piece("menu_item", x + 1, top, 218, look.row, name, states)
        yield piece("shortcut", x + 140, top, 66, look.row, keys, states)
    yield piece("separator", x + 1, y + 4 + 3 * look.row, 218, look.row // 2)


def main(folder: Path) -> None:
    for name in theme_names():
        painter = Painter(SCREEN)
        painter.paint(showcase(theme(name)), theme(name))
        painter.image().save(folder / f"paint_{name}.png")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
