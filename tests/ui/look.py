"""What of a window is there to be seen, as text: names, places and colours; and what is wrong with it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAccessible, QImage
from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget

from desktop_agent.ui.chat.message_view import MessageText
from desktop_agent.ui.widgets.wrapped_text import WrappedText

LONGEST = 60
GRID = 15
"""Points a side at which a part's colour is looked up."""
SMALL = 8
"""Pixels below which a part has no ground of its own."""
CLEAR = 0.6
"""Share of the points that a part's ground has, at least."""
CHANGING = (
    (re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d"), "2026-11-05 10:15"),
    (re.compile(r"\b\d{1,2}:\d\d\b"), "0:00"),
    (re.compile(r"\b\d+(\.\d+)? s\b"), "0 s"),
    (re.compile(r"\b20\d{6}-\d{6}-[0-9a-f]{16}\b"), "RUN"),
)
"""What is different at every look."""
DUMB = frozenset(("Client", "Pane", "Border", "Grouping", "NoRole"))


def look_of(window: QWidget) -> list[str]:
    """A line for each part that is there: what it is and is called, `x,y widthxheight` in the window, its ground."""
    image = window.grab().toImage()
    return [_line(part, depth, place, image, window) for part, depth, place in _parts(window, window, 0)]


def _parts(window: QWidget, parent: QWidget, depth: int) -> Iterator[tuple[QWidget, int, QRect]]:
    """What can be seen of a window, parents first; nameless grounds are left out, not what is on them."""
    for child in parent.children():
        if not isinstance(child, QWidget) or child.isWindow() or not child.isVisible():
            continue
        place = QRect(child.mapTo(window, QPoint(0, 0)), child.size())
        if child.visibleRegion().isEmpty():
            continue
        told = bool(_name(child)) or _role(child) not in DUMB
        if told:
            yield child, depth, place
        yield from _parts(window, child, depth + told)


def _line(part: QWidget, depth: int, place: QRect, image: QImage, window: QWidget) -> str:
    words = [f"{'  ' * depth}{_role(part)} “{_name(part)}”"]
    words.append(f"{place.x()},{place.y()} {place.width()}x{place.height()}")
    words += [f"on {ground}"] if (ground := _ground(image, place, window.devicePixelRatioF())) else []
    words += ["disabled"] if not part.isEnabled() else []
    words += ["checked"] if isinstance(part, QAbstractButton) and part.isChecked() else []
    words += ["focus"] if window.focusWidget() is part else []
    return " ".join(words)


def _role(part: QWidget) -> str:
    return QAccessible.queryAccessibleInterface(part).role().name


def _name(part: QWidget) -> str:
    told = QAccessible.queryAccessibleInterface(part).text(QAccessible.Text.Name)
    said = part.text() if isinstance(part, QLabel | QAbstractButton) else ""
    name = " ".join((told or said).split())
    for pattern, instead in CHANGING:
        name = pattern.sub(instead, name)
    return name if len(name) <= LONGEST else name[: LONGEST - 1] + "…"


def _ground(image: QImage, place: QRect, ratio: float) -> str:
    """The colour that most of a part has; "" where no one has."""
    area = QRect(place.topLeft() * ratio, place.size() * ratio).intersected(image.rect())
    if min(area.width(), area.height()) < SMALL:
        return ""
    across = {area.left() + (2 * n + 1) * area.width() // (2 * GRID) for n in range(GRID)}
    down = {area.top() + (2 * n + 1) * area.height() // (2 * GRID) for n in range(GRID)}
    seen = Counter(image.pixel(x, y) & 0xFFFFFF for x in across for y in down)
    colour, number = seen.most_common(1)[0]
    return f"#{colour:06x}" if number >= CLEAR * seen.total() else ""


def controls(window: QWidget) -> list[str]:
    """The names of what can be pressed or takes the keyboard, and whose middle is in sight; the class in <> of what has none."""
    found = [
        each
        for each in window.findChildren(QWidget)
        if each.window() is window
        and each.isEnabled()
        and each.visibleRegion().contains(each.rect().center())
    ]
    return [
        each.accessibleName() or _name(each) or f"<{type(each).__name__} in {type(each.parent()).__name__}>"
        for each in found
        if isinstance(each, QAbstractButton) or each.focusPolicy() & Qt.FocusPolicy.TabFocus
    ]


def cut_words(window: QWidget) -> list[str]:
    """Parts with less room than their words need, and words that lie on others."""
    shown = [
        each
        for each in window.findChildren(QWidget)
        if each.window() is window
        and each.isVisible()
        and isinstance(each, QLabel | QAbstractButton | WrappedText | MessageText)
        and not (isinstance(each, QLabel) and each.buddy() is not None)
    ]
    cut = [f"cut: {_told(each)}" for each in shown if _cut(each)]
    lying = [
        f"{_told(one)} on {_told(other)}"
        for number, one in enumerate(shown)
        for other in shown[number + 1 :]
        if one.parentWidget() is other.parentWidget() and one.geometry().intersects(other.geometry())
    ]
    return cut + lying


def _told(part: QWidget) -> str:
    return f"{type(part).__name__} “{_name(part)}”"


def _cut(part: QWidget) -> bool:
    parent = part.parentWidget()
    if isinstance(part, MessageText):
        return part.verticalScrollBar().maximum() > 1
    if isinstance(part, WrappedText) and part.height() < part.heightForWidth(part.width()) - 1:
        return True
    if (
        isinstance(part, QLabel)
        and part.text()
        and part.wordWrap()
        and part.height() < part.heightForWidth(part.width()) - 1
    ):
        return True
    if (
        isinstance(part, QLabel | QAbstractButton)
        and part.text()
        and not (isinstance(part, QLabel) and part.wordWrap())
    ):
        return part.width() < part.minimumSizeHint().width() - 1
    return parent is not None and not parent.rect().contains(part.geometry())
