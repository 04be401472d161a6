"""The scope card: where the run may work and what it may do there, in one line; all of it, and "always", when unfolded."""

from __future__ import annotations

from functools import partial

import msgspec
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop_agent.policy.facts.scope import Grant, How
from desktop_agent.protocol.agent_events import ScopeSet, StandingGrant
from desktop_agent.support.language import later, tr
from desktop_agent.support.registrable_domain import registrable
from desktop_agent.ui.panels.asked_rows_view import host_parts, marked
from desktop_agent.ui.widgets.buttons import Button
from desktop_agent.ui.widgets.flow_layout import FlowLayout
from desktop_agent.ui.widgets.primitives import Card, Icon
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.wrapped_text import Part, WrappedText, escape_invisible

_HOW = {How.LOOK: later("look"), How.FILL: later("type and choose"), How.ACT: later("work")}
_ICONS = {"app": "screen", "site": "globe", "folder": "folder"}
_BESIDE = 28
"""Pixels beside the words of a chip: its icon, and a little room."""
_NARROW = 3
"""Chips at most in the folded card; the rest are counted."""


def parsed(grant: str) -> Grant:
    """A grant of a ScopeSet, such as `site:https://shop.example:fill`."""
    kind, _, rest = grant.partition(":")
    what, _, how = rest.rpartition(":")
    return msgspec.convert({"kind": kind, "what": what, "how": How[how.upper()]}, Grant)


def _short(grant: Grant) -> str:
    """The program, the host, or the last part of the folder."""
    if grant.kind == "site":
        return grant.what.partition("://")[2] or grant.what
    if grant.kind == "folder":
        return grant.what.replace("\\", "/").rstrip("/").rpartition("/")[2] or grant.what
    return grant.what


class PlaceChip(QWidget):
    """A place with what is allowed there, on one line; `new` marks what came last."""

    def __init__(self, theme: Theme, allowed: Grant, *, new: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(5)
        row.addWidget(Icon(theme, _ICONS.get(allowed.kind, "screen"), "ok" if new else "soft", 14))
        self.label = WrappedText(theme, role="small", lines=1)
        mark, name, how = (
            tr("New:") + " " if new else "",
            escape_invisible(_short(allowed)),
            f"  {tr(_HOW[allowed.how])}",
        )
        self.label.set_words((mark, "strong", "ok"), (name, "strong"), (how, "small", "soft"))
        row.addWidget(self.label, 1)
        strong, small = (QFontMetricsF(theme.font(role)).horizontalAdvance for role in ("strong", "small"))
        self._width = round(strong(mark + name) + small(how)) + _BESIDE

    def sizeHint(self) -> QSize:
        return QSize(self._width, max(22, self.label.fontMetrics().height() + 6))


class GrantRow(QWidget):
    """A place whole, with the part of a host that somebody registered set apart, and what is allowed there."""

    def __init__(self, theme: Theme, allowed: Grant, *, new: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 2, 0, 2)
        row.setSpacing(8)
        row.addWidget(
            Icon(theme, _ICONS.get(allowed.kind, "screen"), "soft", 14), 0, Qt.AlignmentFlag.AlignTop
        )
        label = WrappedText(theme, role="small")
        how = tr(_HOW[allowed.how])
        strong = registrable(_host(allowed.what)) if allowed.kind == "site" else ""
        what: tuple[Part, ...] = (
            host_parts(allowed.what, strong)
            if allowed.kind == "site"
            else ((escape_invisible(allowed.what), "strong"),)
        )
        mark = tr("New:") + " " if new else ""
        label.set_words((mark, "strong", "ok"), *what, (f"  {how}", "small", "soft"))
        row.addWidget(label, 1)


def _host(origin: str) -> str:
    host = origin.partition("://")[2].partition("/")[0].rpartition("@")[2]
    return host if host.startswith("[") else host.partition(":")[0]


class StandingRow(QWidget):
    """Something that is always allowed, and the button that takes it back. Signal: `taken_back(id)`."""

    taken_back = Signal(str)

    def __init__(self, theme: Theme, grant: StandingGrant, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 2, 0, 2)
        row.setSpacing(8)
        label = WrappedText(theme, role="small")
        label.set_words(*marked(grant.words))
        row.addWidget(label, 1)
        words = tr("Take back")
        self.button = Button(theme, words, kind="chip", name=f"{words}: {escape_invisible(grant.words)}")
        self.button.clicked.connect(partial(self._pressed, grant.id))
        row.addWidget(self.button, 0, Qt.AlignmentFlag.AlignTop)

    def _pressed(self, id: str, _checked: bool = False) -> None:
        self.button.setEnabled(False)
        self.taken_back.emit(id)


class ScopeCard(Card):
    """Shows the scope of the run in one line, and whole when unfolded, with what is always allowed.

    Hidden while there is neither. Signal: `taken_back(id)` of a StandingGrant.
    """

    taken_back = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, shadow=False, parent=parent)
        self._shown: tuple[ScopeSet | None, tuple[StandingGrant, ...]] = (None, ())
        self.fold = Button(theme, tr("THIS RUN MAY"), kind="head", icon="right")
        self.fold.clicked.connect(self._toggle)
        self._always = WrappedText(theme, role="small", color="soft", lines=1, right=True)
        self._chips, self._rows = QWidget(), QWidget()
        self._flow = FlowLayout(10)
        self._flow.setContentsMargins(0, 0, 0, 0)
        self._chips.setLayout(self._flow)
        self._column = QVBoxLayout(self._rows)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(2)
        self._rows.hide()
        self._lay_out()
        self.hide()

    def _lay_out(self) -> None:
        self.box.setContentsMargins(8, 5, 12, 8)
        self.box.setSpacing(4)
        head = QHBoxLayout()
        head.addWidget(self.fold)
        head.addWidget(self._always, 1)
        self.box.addLayout(head)
        inside = QVBoxLayout()
        inside.setContentsMargins(6, 0, 0, 0)
        inside.addWidget(self._chips)
        inside.addWidget(self._rows)
        self.box.addLayout(inside)

    def show_scope(self, scope: ScopeSet | None, standing: tuple[StandingGrant, ...] = ()) -> None:
        """Show where the run may work, and what is always allowed; hidden for neither."""
        if (scope, standing) == self._shown:
            return
        self._shown = (scope, standing)
        self.setVisible(scope is not None or bool(standing))
        self.fold.setText(tr("THIS RUN MAY") if scope is not None else tr("ALWAYS ALLOWED"))
        self._always.set_words(tr("Always: {n}").format(n=len(standing)) if standing else "")
        self._show_chips(scope)
        self._show_rows(scope, standing)
        self._name()

    def _show_chips(self, scope: ScopeSet | None) -> None:
        _empty(self._flow)
        grants = self._sorted(scope)
        for allowed, new in grants[:_NARROW]:
            _add(self._flow, PlaceChip(self._theme, allowed, new=new))
        left = len(grants) - _NARROW
        if left > 0:
            _add(
                self._flow,
                WrappedText(self._theme, tr("and {n} more").format(n=left), role="small", color="soft"),
            )
        if scope is not None and not grants:
            words = "\n".join(map(escape_invisible, scope.words)) or tr("Look; anything else is asked about")
            _add(self._flow, WrappedText(self._theme, words, role="small"))

    def _show_rows(self, scope: ScopeSet | None, standing: tuple[StandingGrant, ...]) -> None:
        _empty(self._column)
        for allowed, new in self._sorted(scope):
            _add(self._column, GrantRow(self._theme, allowed, new=new))
        if standing:
            words = tr("Always, until you close the program:")
            _add(self._column, WrappedText(self._theme, words, role="small", color="soft"))
        for grant in standing:
            row = StandingRow(self._theme, grant)
            row.taken_back.connect(self.taken_back)
            _add(self._column, row)

    @staticmethod
    def _sorted(scope: ScopeSet | None) -> list[tuple[Grant, bool]]:
        """The grants, what came last first."""
        if scope is None:
            return []
        added = set(scope.added)
        grants = [(allowed, allowed.words in added) for allowed in map(parsed, scope.grants)]
        return sorted(grants, key=lambda each: not each[1])

    def _toggle(self) -> None:
        unfolded = self._rows.isHidden()
        self._rows.setVisible(unfolded)
        self._chips.setVisible(not unfolded)
        self._name()

    def _name(self) -> None:
        """Say all of it to screen readers on the button that unfolds it."""
        scope, standing = self._shown
        words = "; ".join(scope.words)[:500] if scope is not None else ""
        always = tr("Always: {n}").format(n=len(standing)) if standing else ""
        unfolded = not self._rows.isHidden()
        action = tr("fold") if unfolded else tr("show all")
        name = ". ".join(
            filter(
                None, (f"{tr('This run may')}: {escape_invisible(words)}" if words else "", always, action)
            )
        )
        self.fold.set_icon("down" if unfolded else "right", name)
        self.fold.setToolTip("")
        self.setAccessibleName(name)


def _add(layout: FlowLayout | QVBoxLayout, widget: QWidget) -> None:
    layout.addWidget(widget)
    widget.show()  # its room counts at once


def _empty(layout: FlowLayout | QVBoxLayout) -> None:
    while (item := layout.takeAt(0)) is not None:
        if widget := item.widget():
            widget.hide()
            widget.deleteLater()
