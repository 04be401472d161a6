"""The chat: messages, commands and folded actions of the whole session, of which only what is in or near sight is built."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QSizePolicy, QWidget

from desktop_agent.support.language import tr
from desktop_agent.ui.chat.command_card import CommandCard, estimated_height
from desktop_agent.ui.chat.height_column import HeightColumn
from desktop_agent.ui.chat.message_tools import MessageDeeds, MessageTools
from desktop_agent.ui.chat.message_view import SHORT, BubbleRow, MessageView
from desktop_agent.ui.panels.activity_feed import ActivityRowView
from desktop_agent.ui.view_model import ActivityRow, ChatMessage, Entry, RunView
from desktop_agent.ui.widgets.buttons import Button
from desktop_agent.ui.widgets.theme import Theme

GAP = 12
# Pixels above and below the sight in which parts are built, and beyond which they are dropped again.
AHEAD, FAR = 500, 1_500
# Seconds that building may take before the window has its turn, and milliseconds of that turn.
BUDGET, TURN_MS = 0.008, 15
# Of more parts the heights are not estimated anew when the width changes: they are estimates as they are.
MOST_ESTIMATED = 2_000
FOLD, ROW = 28, 56
"""Heights in pixels of a line that folds actions, and about that of an action."""


@dataclass
class ActionGroup:
    """Actions one after the other, folded into a line; `key` is that of the first."""

    key: int
    rows: list[ActivityRow] = field(default_factory=list)
    open: bool = False


Part = ChatMessage | ActionGroup | ActivityRow
"""What stands in the chat, one below the other."""


class Chat(QWidget):
    """Lists the entries of a RunView; as many as there are, as only those in or near sight are widgets.

    `sight` tells the first and the last line in sight, in pixels of this widget. Signals: `shifted(pixels)` when what
    is in sight has moved down, because what is above it turned out to be higher; `reached(widget)` when the keyboard
    has come to a part.
    """

    shifted = Signal(int)
    reached = Signal(QWidget)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.deeds = MessageDeeds(theme, self)
        self.tools = MessageTools(theme, self.deeds, self)
        self._reached: QWidget | None = None
        self.sight: Callable[[], tuple[int, int]] = lambda: (0, self.height())
        self._parts: list[Part] = []
        self._ranks: list[int] = []
        self._heights = HeightColumn(GAP)
        self._built: dict[int, QWidget] = {}
        metrics = QFontMetrics(theme.font("body"))
        self._char, self._line = metrics.averageCharWidth(), metrics.height()
        self._newest = 0
        self._width = 0
        self._view: RunView | None = None
        self._laying = False
        self._left = BUDGET
        self._timer = QTimer(self, singleShot=True, interval=TURN_MS)
        self._timer.timeout.connect(self._go_on)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.hide()

    # ---- content --------------------------------------------------------------------------

    def show_messages(self, view: RunView) -> None:
        """Show the view's entries."""
        self._view = view
        self._drop_oldest(view)
        fresh: list[Entry] = []
        for entry in reversed(view.entries):
            if entry.key <= self._newest:
                break
            fresh.append(entry)
        for entry in reversed(fresh):
            self._append(entry)
        self._newest = view.said
        self.setVisible(bool(view.entries))
        if self._width <= 0 and (parent := self.parentWidget()) is not None:
            self._set_width(parent.width())  # until the layout tells
        self._refresh()
        self.lay_out()

    def _drop_oldest(self, view: RunView) -> None:
        """Take out what the view keeps no longer."""
        first = view.entries[0].key if view.entries else view.said + 1
        count = 0
        while count < len(self._parts) and _last_key(self._parts[count]) < first:
            count += 1
        self._remove(0, count)

    def _append(self, entry: Entry) -> None:
        if isinstance(entry, ChatMessage) or entry.command:
            if (group := self._last_group()) is not None:  # it is no longer what stands below
                self._heights.put(self._index_of(group), FOLD)
            self._add(entry)
            return
        group = self._last_group()
        if group is None:
            self._add(group := ActionGroup(entry.key))
        group.rows.append(entry)
        if group.open:
            self._add(entry)

    def _last_group(self) -> ActionGroup | None:
        """The group at the end, that a further action belongs to."""
        for part in reversed(self._parts):
            if isinstance(part, ActionGroup):
                return part
            if isinstance(part, ChatMessage) or part.command:
                return None
        return None

    def _add(self, *parts: Part, at: int = -1) -> None:
        """Insert parts, at the end unless told where."""
        at = len(self._parts) if at < 0 else at
        self._parts[at:at] = parts
        self._ranks[at:at] = [_rank(part) for part in parts]
        self._heights.insert(at, [self._estimated(part) for part in parts])

    def _remove(self, start: int, end: int) -> None:
        for part in self._parts[start:end]:
            self._drop(part)
        del self._parts[start:end]
        del self._ranks[start:end]
        self._heights.remove(start, end)

    def _refresh(self) -> None:
        """Update what is built; a group whose actions all stand in the list of actions below is not shown twice."""
        for index in self._indices_built():
            self._refresh_part(index)
        self._hide_group_below()

    def _hide_group_below(self) -> None:
        if (group := self._last_group()) is not None:
            self._heights.put(self._index_of(group), 0 if self._stands_below(group) else FOLD)

    def _refresh_part(self, index: int) -> None:
        part = self._parts[index]
        match widget := self._built[_rank(part)]:
            case MessageView():
                changed = widget.refresh()
            case BubbleRow():
                changed = widget.bubble.refresh()
            case CommandCard():
                changed = widget.refresh()
            case ActivityRowView() if isinstance(part, ActivityRow):
                changed = widget.show_row(part, first=False)
            case Button() if isinstance(part, ActionGroup):
                changed = _tell(widget, part)
            case _:
                changed = False
        if changed:
            self._measure(index)

    def _stands_below(self, group: ActionGroup) -> bool:
        if self._view is None or group.open or not self._view.rows:
            return False
        return group.key >= self._view.rows[0].key

    def toggle(self, group: ActionGroup) -> None:
        """Show each action of a group, or fold them again."""
        group.open = not group.open
        at = self._index_of(group) + 1
        if group.open:
            self._add(*group.rows, at=at)
        else:
            self._remove(at, at + len(group.rows))
        self._refresh()
        self.lay_out()

    def _toggle(self, group: ActionGroup, _checked: bool = False) -> None:
        self.toggle(group)

    def _index_of(self, part: Part) -> int:
        return bisect_left(self._ranks, _rank(part))

    def recolor(self) -> None:
        """Apply the current theme's colours to all messages and commands."""
        for view in self.views():
            view.recolor()
        for card in self.cards():
            card.recolor()
        self.lay_out()

    def views(self) -> list[MessageView]:
        """The messages that are built, from above."""
        built = (self._built[_rank(self._parts[index])] for index in self._indices_built())
        return [
            each.bubble if isinstance(each, BubbleRow) else each
            for each in built
            if isinstance(each, BubbleRow | MessageView)
        ]

    def cards(self) -> list[CommandCard]:
        """The commands that are built, from above."""
        built = (self._built[_rank(self._parts[index])] for index in self._indices_built())
        return [each for each in built if isinstance(each, CommandCard)]

    # ---- geometry -------------------------------------------------------------------------

    def hasHeightForWidth(self) -> bool:
        return True

    def sizeHint(self) -> QSize:
        return QSize(120, self._heights.total)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, 20)

    def heightForWidth(self, width: int) -> int:
        """The height at the width it has; for another one that, too, until it has it: layouts ask for several."""
        if self._width <= 0 < width:
            self._set_width(width)
        return self._heights.total

    def _set_width(self, width: int) -> None:
        self._width = width
        if len(self._parts) <= MOST_ESTIMATED:
            self._heights.replace([self._estimated(part) for part in self._parts])
        for index in self._indices_built():
            self._measure(index)
        self._hide_group_below()

    def _estimated(self, part: Part) -> int:
        """About the height of a part that is not built."""
        if isinstance(part, ActionGroup):
            return FOLD
        if isinstance(part, ActivityRow):
            return estimated_height(part, self._width, self._char, self._line) if part.command else ROW
        user = part.kind == "user"
        room = max(60, round(self._width * BubbleRow.SHARE) - 26 if user else self._width)
        chars = min(len(part.text), SHORT)
        lines = max(1, -(-chars * self._char // room)) + part.text.count("\n", 0, SHORT)
        return lines * self._line + (18 if user else 6) + (34 if len(part.text) > SHORT else 0)

    def _measure(self, index: int) -> bool:
        """Take the real height of a part that is built; True when it was another one."""
        widget = self._built[_rank(self._parts[index])]
        if isinstance(widget, Button):
            return False
        height = widget.heightForWidth(self._width)
        return self._heights.put(index, height)

    @property
    def total(self) -> int:
        """The height of everything, as far as it is known."""
        return self._heights.total

    def event(self, event: QEvent) -> bool:
        """What a part does to its own height is heard of as a request for a layout."""
        if event.type() == QEvent.Type.LayoutRequest:
            for index in self._indices_built():
                self._measure(index)
            self.lay_out()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.width() != self._width:
            self._set_width(self.width())
        self.lay_out()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.lay_out()

    def lay_out(self) -> None:
        """Build what is in or near sight, as far as there is time, place it, and drop what is far away."""
        if self._laying or not self._parts or self._width <= 0:
            return
        self._laying = True
        try:
            self._lay_out()
        finally:
            self._laying = False

    @property
    def settled(self) -> bool:
        """True when all that is in or near sight is built."""
        return not self._timer.isActive()

    def _go_on(self) -> None:
        self._left = BUDGET
        self.lay_out()

    def _lay_out(self) -> None:
        top, bottom = self.sight()
        shown = self._heights.between(top, bottom)
        anchor = next((i for i in shown if _rank(self._parts[i]) in self._built), shown[0])
        before, total = self._heights.tops[anchor], self._heights.total
        if self._build(top, bottom):
            self._timer.start()
        self._place()
        if self._heights.total != total or self.height() != self._heights.total:
            self.updateGeometry()
        if moved := self._heights.tops[anchor] - before:
            self.shifted.emit(moved)

    def _build(self, top: int, bottom: int) -> bool:
        """Build and measure parts in sight, then near it; True when the time was over before all were built."""
        began = time.monotonic()
        for ahead in (0, AHEAD):
            for index in self._heights.between(top - ahead, bottom + ahead):
                if _rank(self._parts[index]) in self._built or not self._heights[index]:
                    continue
                if self._left <= 0:
                    return True
                self._make(index)
                self._measure(index)
                began, self._left = (now := time.monotonic()), self._left - (now - began)
        return self._left < BUDGET  # the next turn has the whole of it again

    def _make(self, index: int) -> None:
        part = self._parts[index]
        match part:
            case ChatMessage():
                view = MessageView(self._theme, part)
                widget: QWidget = BubbleRow(view) if part.kind == "user" else view
                self._connect(view)
            case ActionGroup():
                widget = button = FoldLine(self._theme, kind="head", icon="right")
                button.clicked.connect(partial(self._toggle, part))
                _tell(button, part)
            case ActivityRow() if part.command:
                widget = card = CommandCard(self._theme, part)
                card.menu_wanted.connect(partial(self.deeds.open_command_menu, card))
            case ActivityRow():
                widget = row = ActivityRowView(self._theme)
                row.show_row(part, first=True)
        widget.setParent(self)
        self._built[_rank(part)] = widget

    def _connect(self, view: MessageView) -> None:
        view.entered.connect(lambda here: self.tools.show_for(view if here else None))
        view.menu_wanted.connect(partial(self.deeds.open_menu, view))
        view.copy_wanted.connect(partial(self.deeds.copy, view))
        view.link_pressed.connect(self.deeds.ask_to_open)

    def _place(self) -> None:
        """Give each part that is built its place, and drop those far out of sight."""
        top, bottom = self.sight()
        near = self._heights.between(top - FAR, bottom + FAR)
        tops = self._heights.tops
        for index in self._indices_built():
            part, height = self._parts[index], self._heights[index]
            widget = self._built[_rank(part)]
            if index not in near and not _busy(widget):
                self._drop(part)
                continue
            width = min(widget.sizeHint().width(), self._width) if isinstance(widget, Button) else self._width
            widget.setGeometry(0, tops[index], width, height)
            widget.setVisible(height > 0)
        self._set_tab_stop()
        self.tools.place()

    # ---- the keyboard ---------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up and Down go from part to part."""
        if event.key() in MessageView.KEYS:
            self._step(-1 if event.key() == Qt.Key.Key_Up else 1)
        else:
            super().keyPressEvent(event)

    def _step(self, direction: int) -> None:
        focus = QApplication.focusWidget()
        at = next((i for i in self._indices_built() if _within(self._widget(i), focus)), None)
        if at is None:
            return
        at += direction
        while 0 <= at < len(self._parts) and not self._heights[at]:
            at += direction
        if not 0 <= at < len(self._parts):
            return
        if _rank(self._parts[at]) not in self._built:
            self._make(at)
            self._measure(at)
            self._place()
        target = _inner(self._widget(at))
        target.setFocus(Qt.FocusReason.TabFocusReason)
        self._reached = target
        self._set_tab_stop()
        self.reached.emit(target)

    def _widget(self, index: int) -> QWidget:
        return self._built[_rank(self._parts[index])]

    def _set_tab_stop(self) -> None:
        """Tab comes to one part only: that last reached, or the last one; the others are reached from it."""
        inner = [_inner(self._widget(index)) for index in self._indices_built() if self._heights[index]]
        stop = self._reached if self._reached in inner else inner[-1] if inner else None
        for each in inner:
            tab = each is stop
            if isinstance(each, CommandCard):
                each.set_tab_stop(tab)
                continue
            each.setFocusPolicy(Qt.FocusPolicy.StrongFocus if tab else Qt.FocusPolicy.ClickFocus)

    # ---- what is built --------------------------------------------------------------------

    def _indices_built(self) -> list[int]:
        return [bisect_left(self._ranks, rank) for rank in sorted(self._built)]

    def _drop(self, part: Part) -> None:
        if (widget := self._built.pop(_rank(part), None)) is not None:
            widget.hide()
            widget.deleteLater()


def _rank(part: Part) -> int:
    """What the parts are ordered by, each its own: a group comes before the first of its actions."""
    return 2 * part.key + (not isinstance(part, ActionGroup))


def _last_key(part: Part) -> int:
    return part.rows[-1].key if isinstance(part, ActionGroup) and part.rows else part.key


def _tell(button: Button, group: ActionGroup) -> bool:
    """Show how many actions a group has; False: its height is always the same."""
    words = tr("{n} actions").format(n=len(group.rows)) if len(group.rows) != 1 else tr("1 action")
    button.setText(words.upper())
    button.set_icon("down" if group.open else "right", words)
    return False


def _inner(widget: QWidget) -> QWidget:
    """What of a part takes the keyboard."""
    return widget.bubble if isinstance(widget, BubbleRow) else widget


def _within(widget: QWidget, focus: QWidget | None) -> bool:
    return focus is not None and (widget is focus or widget.isAncestorOf(focus))


def _busy(widget: QWidget) -> bool:
    """Must it stay, as the keyboard is in it or words of it are selected?"""
    view = _inner(widget)
    return view.busy if isinstance(view, MessageView | CommandCard) else widget.hasFocus()


class FoldLine(Button):
    """The line of a group of actions. Signals: those of QPushButton."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in MessageView.KEYS:
            event.ignore()  # they belong to the chat
        else:
            super().keyPressEvent(event)
