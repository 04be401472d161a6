"""The player: an earlier run moment by moment, with a card of what was said or done and a time slider."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QImage,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QShortcut,
)
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QSlider, QVBoxLayout, QWidget

from desktop_agent.agent.bill_words import run_in_a_line
from desktop_agent.agent.port import AgentPort
from desktop_agent.history.moment_words import cost_so_far, heading_of, words_of_moment
from desktop_agent.history.run_story import Moment, Story, clock, moment_at, offsets_of, read_story
from desktop_agent.history.run_summary import OUTCOME_WORDS
from desktop_agent.protocol.agent_events import Plan
from desktop_agent.support.language import tr, tr_sentence
from desktop_agent.ui.history.picture_loader import PictureLoader
from desktop_agent.ui.history.picture_view import PictureView
from desktop_agent.ui.history.run_actions import RunActions
from desktop_agent.ui.history.run_table import when
from desktop_agent.ui.panels.notices import Receipts
from desktop_agent.ui.panels.plan import PlanCard
from desktop_agent.ui.shell.beside_window import BesideWindow
from desktop_agent.ui.shell.window import Window
from desktop_agent.ui.widgets.buttons import Button, open_menu
from desktop_agent.ui.widgets.primitives import Card
from desktop_agent.ui.widgets.scroll_area import ColumnLayout, ScrollArea
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.wrapped_text import WrappedText

SPEEDS = (1, 4, 16)
TICK_MS = 40
SIDE, BESIDE, MOST = 330, 940, 16_777_215
"""Pixels: the width of the words beside the picture, that of the window from which on they stand there, no limit."""
_AHEAD = (0, 1, 2, -1)
"""Pictures that are decoded beside the one that is shown."""


_TONES = {
    "done": "ok",
    "answered": "ok",
    "stopped": "stop",
    "error": "stop",
    "cut": "warn",
    "approval": "warn",
    "question": "warn",
}
_MOST = 4_000
"""Characters of one text; all of it is in an export."""


EDGE, BALL = 10, 8


class PlayerWindow(BesideWindow):
    """Reads the run in `runs / name` in the background and plays it; closing ends what it reads."""

    def __init__(self, window: Window, runs: Path, name: str, port: AgentPort) -> None:
        super().__init__(window)
        self._folder = runs / name
        self.story = Story(name)
        self.shown = -1
        self.speed = 1
        self._at = 0.0
        self._since = 0.0
        self._offsets: tuple[float, ...] = ()
        self._loader: PictureLoader | None = None
        self._planned: tuple[Plan, bool] | None = None
        self.actions_ = RunActions(window, runs, port, self)
        self._timer = QTimer(self, interval=TICK_MS)
        self._timer.timeout.connect(self._tick)
        self._make_parts()
        self._lay_out()
        self._connect()
        self._place(tr("Earlier run"), 1080, 720)
        self._read()

    @property
    def playing(self) -> bool:
        return self._timer.isActive()

    # ---- building ----------------------------------------------------------------------------

    def _make_parts(self) -> None:
        theme = self._theme
        self.goal = WrappedText(theme, role="name", lines=2)
        self.facts = WrappedText(theme, role="small", color="soft", lines=2)
        self.trouble = WrappedText(theme, role="small", color="warn", lines=3)
        self.trouble.hide()
        self.picture = PictureView(theme)
        self.moment, self.plan = MomentCard(theme), PlanCard(theme)
        self.side = self._side()
        self.slider = TimeSlider(theme)
        self.clock = WrappedText(theme, role="small", color="soft", lines=1)
        self.play = Button(theme, tr("Play"), icon="play")
        self.play.setMinimumWidth(96)
        self.speeds = tuple(
            Button(theme, f"{each}×", "chip", name=tr("Speed {count}×").format(count=each)) for each in SPEEDS
        )
        self.again = Button(theme, tr("Run again"))
        self.go_on = Button(theme, tr("Continue"))
        self.export = Button(theme, tr("Export …"))
        self.note.hide()
        self.go_on.hide()

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(18, 14, 18, 14)
        column.setSpacing(8)
        column.addWidget(self.goal)
        column.addWidget(self.facts)
        column.addWidget(self.trouble)
        self._middle = QHBoxLayout()
        self._middle.setSpacing(14)
        self._middle.addWidget(self.picture, 3)
        self._middle.addWidget(self.side, 2)
        column.addLayout(self._middle, 1)
        controls = QHBoxLayout()
        controls.setSpacing(6)
        controls.addWidget(self.play)
        controls.addWidget(self.slider, 1)
        self.clock.setFixedWidth(150)
        controls.addWidget(self.clock)
        for speed in self.speeds:
            controls.addWidget(speed)
        column.addLayout(controls)
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addWidget(self.note, 1)
        foot.addStretch(0)
        for button in (self.again, self.go_on, self.export):
            foot.addWidget(button)
        column.addLayout(foot)

    def _side(self) -> ScrollArea:
        area, content = ScrollArea(self._theme), QWidget()
        column = ColumnLayout(content)
        column.setContentsMargins(0, 0, 10, 0)
        column.setSpacing(12)
        column.addWidget(self.moment)
        column.addWidget(self.plan)
        column.addStretch(1)
        area.set_content(content)
        return area

    def _connect(self) -> None:
        self.slider.stepped.connect(self.step)
        self.slider.moved.connect(self.seek)
        self.play.clicked.connect(self.toggle)
        for each, button in zip(SPEEDS, self.speeds, strict=True):
            button.clicked.connect(partial(self.set_speed, each))
        self.picture.resized.connect(self._load_pictures)
        self.again.clicked.connect(lambda: self.actions_.run_again(self.story.goal))
        self.go_on.clicked.connect(lambda: self.actions_.continue_run(self.story.name))
        self.export.clicked.connect(
            lambda: open_menu(self.actions_.export_menu(self.story.name), self.export, above=True)
        )
        self.actions_.told.connect(self._tell)
        self.actions_.failed.connect(self._fail)
        QShortcut(QKeySequence("Space"), self).activated.connect(self.toggle)
        for keys, count in (("Left", -1), ("Right", 1)):
            QShortcut(QKeySequence(keys), self).activated.connect(partial(self.step, count))
        QShortcut(QKeySequence("Home"), self).activated.connect(lambda: self.step(-len(self._offsets)))
        QShortcut(QKeySequence("End"), self).activated.connect(lambda: self.step(len(self._offsets)))
        self.set_speed(1)

    # ---- reading -----------------------------------------------------------------------------

    def _read(self) -> None:
        self.goal.set_words(tr("Reading …"))
        self._background.run(partial(read_story, self._folder), self.show_story, self._fail)

    def show_story(self, story: Story) -> None:
        """Show a run that was read."""
        self.story = story
        self._offsets = offsets_of(story.moments)
        self.slider.set_offsets(self._offsets)
        self.goal.set_words(story.goal or tr("(no goal that can be read)"))
        parts = (when(story.started), tr(OUTCOME_WORDS[story.outcome]), clock(story.ended - story.started))
        used = run_in_a_line(story.usage) if story.usage else ""
        self.facts.set_words(" · ".join(filter(None, (*parts, used))))
        self.trouble.set_words("\n".join(map(tr_sentence, story.trouble)))
        self.trouble.setVisible(bool(story.trouble))
        self.again.setEnabled(bool(story.goal))
        self.go_on.setVisible(story.can_continue)
        for part in (self.play, self.slider, *self.speeds):
            part.setEnabled(len(story.moments) > 1)
        self._loader = PictureLoader(self._folder, story.pictures, self)
        self._loader.loaded.connect(self._show_picture)
        self.slider.setFocus()
        self.seek(0.0)
        if not story.moments:
            self.picture.show_image(QImage())
            self.moment.hide()

    # ---- time --------------------------------------------------------------------------------

    def seek(self, seconds: float) -> None:
        """Show what there was so many seconds after the beginning of the playback; it stops playing."""
        self._stop_playing()
        self._go(seconds)

    def step(self, count: int) -> None:
        """Go so many moments on, or back."""
        if self._offsets:
            self.seek(self._offsets[min(len(self._offsets) - 1, max(0, self.shown + count))])

    def toggle(self) -> None:
        """Play or pause; from the beginning when it is at its end."""
        if self.playing:
            self._stop_playing()
        elif len(self._offsets) > 1:
            if self._at >= self._offsets[-1]:
                self._go(0.0)
            self._since = time.monotonic()
            self._timer.start()
            self._show_playing()

    def set_speed(self, speed: int) -> None:
        """Play so many times as fast as it went."""
        self.speed = speed
        for each, button in zip(SPEEDS, self.speeds, strict=True):
            button.tone = "link" if each == speed else ""
            chosen = f"{tr('Speed {count}×').format(count=each)}"
            button.setAccessibleName(tr("{name}, chosen").format(name=chosen) if each == speed else chosen)
            button.setFont(self._theme.font("strong" if each == speed else "small"))
            button.update()

    def _tick(self) -> None:
        now = time.monotonic()
        passed, self._since = now - self._since, now
        self._go(self._at + passed * self.speed)
        if self._at >= self._offsets[-1]:
            self._stop_playing()

    def _stop_playing(self) -> None:
        self._timer.stop()
        self._show_playing()

    def _show_playing(self) -> None:
        self.play.setText(tr("Pause") if self.playing else tr("Play"))
        self.play.set_icon("pause" if self.playing else "play", self.play.text())

    def _go(self, seconds: float) -> None:
        if not self._offsets:
            return
        self._at = min(max(0.0, seconds), self._offsets[-1])
        self.slider.show_time(self._at)
        number = moment_at(self._offsets, self._at + 1e-6)
        if number != self.shown:
            self.shown = number
            self._show_moment(self.story.moments[number])

    def _show_moment(self, moment: Moment) -> None:
        since = clock(max(0.0, moment.time - self.story.started))
        self.clock.set_words(f"{self.shown + 1} / {len(self._offsets)} · {since}")
        self.moment.show_moment(moment)
        steps = self.story.plans[moment.plan] if moment.plan >= 0 else ()
        plan = Plan(steps=steps, current=moment.step), moment.kind == "done"
        if plan != self._planned:
            self._planned = plan
            self.plan.show_plan(*plan)
        acts = moment.kind == "action"
        self.picture.mark(moment.at if acts else None, moment.to if acts else None, moment.words)
        self._load_pictures()

    def _load_pictures(self) -> None:
        if self._loader is None or self.shown < 0:
            return
        near = self.story.moments[self.shown].picture
        image = self._loader.want(
            [near + each for each in _AHEAD] if near >= 0 else [], self.picture.pixels()
        )
        if near < 0:
            self.picture.show_image(QImage())
        elif image is not None:
            self.picture.show_image(image)
        else:
            self.picture.await_image()

    def _show_picture(self, number: int, image: QImage) -> None:
        if self.shown >= 0 and number == self.story.moments[self.shown].picture:
            self.picture.show_image(image)

    # ---- the rest ----------------------------------------------------------------------------

    def _tell(self, words: str, tone: str = "soft") -> None:
        super()._tell(words, tone)
        self.note.setVisible(bool(words))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The words stand beside the picture, and below it where the window is narrow."""
        beside = self.width() >= BESIDE
        ways = QHBoxLayout.Direction
        self._middle.setDirection(ways.LeftToRight if beside else ways.TopToBottom)
        self.side.setMinimumWidth(SIDE if beside else 0)
        self.side.setMaximumWidth(SIDE if beside else MOST)
        super().resizeEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        self._timer.stop()
        super().closeEvent(event)
        if self._loader is not None:
            self._loader.close()
            self._loader = None


class MomentCard(Card):
    """Shows one moment."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent=parent)
        self.heading = WrappedText(theme, role="caps", color="soft")
        self.words = WrappedText(theme)
        self.exact = WrappedText(theme, role="mono", color="soft")
        self.output = WrappedText(theme, role="mono", color="soft")
        self.detail = WrappedText(theme, role="small", color="soft")
        self.receipts = Receipts(theme)
        self.cost = WrappedText(theme, role="small", color="soft")
        self._shown: dict[WrappedText, str] = {}
        for part in (
            self.heading,
            self.words,
            self.exact,
            self.output,
            self.detail,
            self.receipts,
            self.cost,
        ):
            self.box.addWidget(part)

    def show_moment(self, moment: Moment) -> None:
        tone = "stop" if moment.outcome in ("failed", "refused") else _TONES.get(moment.kind, "soft")
        self.heading.set_color(tone)
        self.heading.set_words(heading_of(moment).upper())
        words, detail = words_of_moment(moment)
        for label, text in (
            (self.words, words), (self.exact, moment.command or moment.exact), (self.output, moment.output.strip("\n")), (self.detail, detail), (self.cost, cost_so_far(moment)),
        ):  # fmt: skip
            if text != self._shown.get(label):
                self._shown[label] = text
                label.set_words(text if len(text) <= _MOST else f"{text[:_MOST]} …")
                label.setVisible(bool(text))
        self.receipts.show_receipts(moment.receipts)


class TimeSlider(QSlider):
    """Its value are milliseconds of the playback. Signals: `stepped(count)`, and `moved(seconds)` by the user's hand."""

    stepped = Signal(int)
    moved = Signal(float)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._theme = theme
        self._offsets: Sequence[float] = ()
        self.setAccessibleName(tr("Time"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def set_offsets(self, offsets: Sequence[float]) -> None:
        """When each moment is shown, in seconds."""
        self._offsets = offsets
        self.setRange(0, round(offsets[-1] * 1000) if offsets else 0)

    def show_time(self, seconds: float) -> None:
        """Put the slider there without telling that it was moved."""
        self.setValue(round(seconds * 1000))
        place = moment_at(self._offsets, seconds) + 1
        self.setAccessibleDescription(
            tr("Step {number} of {count}").format(number=place, count=len(self._offsets))
        )

    def sizeHint(self) -> QSize:
        return QSize(200, 32)

    def minimumSizeHint(self) -> QSize:
        return QSize(80, 32)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {
            Qt.Key.Key_Left: -1, Qt.Key.Key_Down: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: 1,
            Qt.Key.Key_PageUp: -10, Qt.Key.Key_PageDown: 10,
            Qt.Key.Key_Home: -len(self._offsets), Qt.Key.Key_End: len(self._offsets),
        }  # fmt: skip
        count = steps.get(Qt.Key(event.key()), 0)
        if not count:
            super().keyPressEvent(event)
            return
        self.stepped.emit(count)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self._go(event.position().x())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._go(event.position().x())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._go(event.position().x())

    def _go(self, x: float) -> None:
        share = min(1.0, max(0.0, (x - EDGE) / max(1, self.width() - 2 * EDGE)))
        if self.layoutDirection() == Qt.LayoutDirection.RightToLeft:
            share = 1 - share
        self.moved.emit(share * self.maximum() / 1000)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle, room = self.height() / 2, self.width() - 2 * EDGE
        share = self.value() / self.maximum() if self.maximum() else 0.0
        backwards = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        place = EDGE + room * (1 - share if backwards else share)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("grip"))
        painter.drawRoundedRect(QRectF(EDGE, middle - 2, room, 4), 2, 2)
        painter.setBrush(self._theme.color("accent"))
        start = place if backwards else EDGE
        painter.drawRoundedRect(
            QRectF(start, middle - 2, abs((EDGE + room if backwards else place) - start), 4), 2, 2
        )
        painter.setPen(QPen(self._theme.color("card"), 2))
        painter.drawEllipse(QRectF(place - BALL, middle - BALL, 2 * BALL, 2 * BALL))
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self._theme.color("accent"), 2))
            painter.drawEllipse(QRectF(place - BALL - 1, middle - BALL - 1, 2 * BALL + 2, 2 * BALL + 2))
        painter.end()
