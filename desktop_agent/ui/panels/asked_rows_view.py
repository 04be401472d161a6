"""Shows the rows of an approval: texts whole in boxes, names of unseen characters as key caps, hosts with their owner's part."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop_agent.agent.readable_text import ENTER, NEW_LINE, TAB, Span, spans
from desktop_agent.protocol.agent_events import AskedRow
from desktop_agent.support.language import later, tr
from desktop_agent.ui.widgets.primitives import SHADOW, Card
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.wrapped_text import Part, WrappedText

CHUNK = 800
"""Characters of one label: a long text is several, as only those in sight are painted."""
AT_ONCE, A_TURN = 6, 3
"""Labels of a long text that are made with the card, and then in each turn of the event loop: the window stays live."""
LABELS = (
    later("Does"), later("Types"), later("Opens"), later("Runs"), later("File"), later("Content"), later("Old"), later("New"),
    later("Pastes"), later("Names host"), later("On"), later("Leads to"), later("It holds"), later("It says"), later("Beside it"),
    later("Program"), later("Page"), later("In words"), later("Warning"), later("Works in"), later("Goes to"),
)  # fmt: skip
"""The labels that the agent gives to rows."""
_USUAL = (ENTER, TAB, NEW_LINE, "␣")
"""Beginnings of names that are part of ordinary texts; all others are marked as something to be wary of."""


class AskedRowsView(QWidget):
    """A column of rows. Emits no signals."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(5)
        self._later: deque[tuple[Card, list[Part]]] = deque()
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._go_on)

    def show_rows(self, rows: Sequence[AskedRow]) -> None:
        """Replace what is shown; the rest of a very long text follows at once, but not all in one go."""
        self._later.clear()
        while (item := self._column.takeAt(0)) is not None:
            if widget := item.widget():
                widget.hide()
                widget.deleteLater()
        for row in rows:
            made = self._made(row)
            self._column.addWidget(made)
            made.show()  # its height counts at once
        self._timer.start()

    @property
    def whole(self) -> bool:
        """True when every part of every text is there."""
        return not self._later

    def _go_on(self) -> None:
        for _ in range(min(A_TURN, len(self._later))):
            box, parts = self._later.popleft()
            self._add_text(box, parts)
        if not self._later:
            self._timer.stop()

    def _add_text(self, box: Card, parts: list[Part]) -> None:
        text = WrappedText(self._theme, role="mono")
        text.set_words(*parts)
        box.box.addWidget(text)
        text.show()

    def heightForWidth(self, width: int) -> int:
        return self._column.heightForWidth(width)

    def _made(self, row: AskedRow) -> QWidget:
        if row.kind in ("typed", "content"):
            return self._box(row)
        if row.kind == "does":
            text = WrappedText(self._theme, role="mono", color="soft")
            text.set_words(*marked(row.text))
            return text
        text = WrappedText(self._theme, role="small")
        value = host_parts(row.text, row.strong) if row.kind == "host" else marked(row.text)
        text.set_words((f"{tr(row.label)}  ", "small", "soft"), *value)
        return text

    def _box(self, row: AskedRow) -> QWidget:
        """The whole text in a box of its own, under its label."""
        whole = QWidget()
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(3)
        label = tr(row.label)
        if len(row.text) > 60:
            label += "  ·  " + tr("{n} characters").format(n=f"{len(row.text):,}")
        column.addWidget(WrappedText(self._theme, label, role="small", color="soft"))
        box = Card(self._theme, "window", "line", shadow=False)
        box.box.setContentsMargins(9, 6, 9, 6 + SHADOW)
        box.box.setSpacing(0)
        line_feed = ENTER if row.kind == "typed" else NEW_LINE * (not row.seen)
        for number, parts in enumerate(_chunks(spans(row.text, line_feed))):
            if number < AT_ONCE:
                self._add_text(box, parts)
            else:
                self._later.append((box, parts))
        column.addWidget(box)
        return whole


def marked(text: str, line_feed: str = ENTER) -> tuple[Part, ...]:
    """The text for a label: what cannot be seen as a key cap, which no text can draw."""
    return tuple(map(_part, spans(text, line_feed)))


def _part(span: Span) -> Part:
    if not span.named:
        return span.text
    return (span.text, "cap", "link" if span.text.startswith(_USUAL) else "stop")


def host_parts(text: str, strong: str) -> tuple[Part, ...]:
    """A host or origin with the part that somebody registered set apart; whatever stands around it is soft."""
    before, found, after = text.rpartition(strong) if strong else ("", "", "")
    if not found:
        return marked(text)
    parts: tuple[Part, ...] = (
        (before, "mono", "soft"),
        (found, "mono_strong", "ink"),
        (after, "mono", "soft"),
    )
    return tuple(part for part in parts if part[0])


def _chunks(parts: Sequence[Span]) -> Iterator[list[Part]]:
    """The parts of a text in pieces of about CHUNK characters, cut after a line feed where one is near."""
    piece: list[Part] = []
    size = 0
    for span in (each for part in parts for each in _cut(part)):
        text = span.text
        if size + len(text) > CHUNK and piece:
            yield piece
            piece, size = [], 0
        ends = size > CHUNK // 2 and text == "\n"
        if not ends:  # the end of the piece breaks the line already
            piece.append(_part(span))
            size += len(text)
        if ends:
            yield piece
            piece, size = [], 0
    if piece:
        while isinstance(piece[-1], str) and piece[-1] == "\n" and len(piece) > 1:
            piece.pop()  # an empty line at the end says no more than the key cap before it
        yield piece
    elif not parts:
        yield [("nothing", "cap", "soft")]


def _cut(span: Span) -> Iterator[Span]:
    """A plain part in pieces that fit into one label, its line feeds on their own."""
    if span.named:
        yield span
        return
    lines = span.text.split("\n")
    for number, line in enumerate(lines):
        if number:
            yield Span("\n")
        for at in range(0, len(line), CHUNK):
            yield Span(line[at : at + CHUNK])
