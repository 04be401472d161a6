"""A program of our own for the stage, made of what its specification (a JSON file) names; run as a program.

It tells what is done to it in a file, one JSON line `[thing, text]` each: a press, every change of a text,
a value. `python -m benchmarks.walls_parts.qt_program SPECIFICATION REPORT SIGNALS`.

The specification: `title`, `things` (each with `kind` and `name`, and of some kinds `text`), and
`signals`: what happens once a file of that name is in the folder SIGNALS (see `_CHANGES`). Kinds: label,
entry, password, text, button, default (the button that Enter presses), icon (a button whose name nobody
can read: `icon` is what is drawn on it), check, combo, slider (tells `full` at its end), save (a button that writes the text `of` another thing by a dialog of Qt), shell (an entry
whose text Enter gives to a shell), drop (takes what is dropped), source (can be dragged: a file, `text` is
its path), list, menu (`items` of a menu bar), shortcut (`keys`). `jump` (at the so many-th
character of an entry the keyboard goes to the next one) are of the whole, and `pop up` (at the so many-th character a dialog takes it).
"""

from __future__ import annotations

import json
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QMimeData, QPoint, Qt, QTimer, QUrl
from PySide6.QtGui import QAction, QDrag, QDragEnterEvent, QDropEvent, QKeySequence, QMouseEvent, QShortcut
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QDialog,
    QFileDialog,
    QLabel,
    QLineEdit,
    QListWidget,
    QMainWindow,
    QPlainTextEdit,
    QPushButton,
    QSlider,
    QVBoxLayout,
    QWidget,
)


class Report:
    """Where is told what was done."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def tell(self, thing: str, text: object = "") -> None:
        with self._path.open("a", encoding="utf-8") as out:
            out.write(json.dumps([thing, str(text)]) + "\n")


class Source(QLabel):
    """A label that is dragged as a file."""

    path = ""

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802, ARG002
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(self.path)])
        drag = QDrag(self)
        drag.setMimeData(data)
        drag.setHotSpot(QPoint(4, 4))
        drag.exec(Qt.DropAction.CopyAction)


class Drop(QLabel):
    """A place that takes what is dropped on it."""

    report: Report

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802
        event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802
        event.acceptProposedAction()
        data = event.mimeData()
        paths = [url.toLocalFile() for url in data.urls()] if data.hasUrls() else []
        held = "".join(Path(path).read_text(errors="replace") for path in paths if Path(path).is_file())
        self.report.tell(self.text(), f"{' '.join(paths)} {data.text()} {held}")


class Program(QMainWindow):
    """The window of a specification."""

    def __init__(self, wanted: dict[str, Any], report: Report, signals: Path) -> None:
        super().__init__()
        self._wanted, self._report, self._signals = wanted, report, signals
        self.things: dict[str, QWidget] = {}
        self.setWindowTitle(wanted["title"])
        body = QWidget()
        self._column = QVBoxLayout(body)
        self.setCentralWidget(body)
        for thing in wanted["things"]:
            getattr(self, f"_add_{thing['kind']}")(thing)
        x, y, width, height = wanted.get("place", (60, 60, 520, 420))
        self.setGeometry(x, y, width, height)
        self._happened: set[str] = set()
        self._clock = QTimer(self)
        self._clock.timeout.connect(self._look)
        self._clock.start(30)

    def _put(self, thing: dict[str, Any], widget: QWidget) -> None:
        widget.setAccessibleName(thing["name"])
        self.things[thing["name"]] = widget
        self._column.addWidget(widget)

    def _tell(self, name: str, *text: object) -> None:
        self._report.tell(name, *text[:1])

    # ---- kinds -------------------------------------------------------------------------------

    def _add_label(self, thing: dict[str, Any]) -> None:
        label = QLabel(thing.get("text", thing["name"]))
        label.setWordWrap(True)
        self._column.addWidget(label)
        self.things[thing["name"]] = label

    def _add_entry(self, thing: dict[str, Any]) -> QLineEdit:
        entry = QLineEdit(thing.get("text", ""))
        entry.textChanged.connect(partial(self._tell, thing["name"]))
        entry.textChanged.connect(self._jump)
        if thing.get("enter"):
            entry.returnPressed.connect(partial(self._tell, thing["enter"]))
        self._column.addWidget(QLabel(thing["name"]))
        self._put(thing, entry)
        return entry

    def _jump(self, text: str) -> None:
        if len(text) == self._wanted.get("jump"):
            self._wanted["jump"] = None
            self.focusNextChild()
        if len(text) == self._wanted.get("pop up", {}).get("at"):
            self._do_dialog(self._wanted["pop up"])

    def _add_password(self, thing: dict[str, Any]) -> None:
        self._add_entry(thing).setEchoMode(QLineEdit.EchoMode.Password)

    def _add_shell(self, thing: dict[str, Any]) -> None:
        entry = self._add_entry(thing)
        entry.returnPressed.connect(lambda: self._shell(entry))

    def _shell(self, entry: QLineEdit) -> None:
        text = entry.text().removeprefix(self._wanted.get("escape", ""))
        subprocess.Popen(["sh", "-c", text])
        entry.clear()

    def _add_text(self, thing: dict[str, Any]) -> None:
        text = QPlainTextEdit(thing.get("text", ""))
        text.textChanged.connect(lambda: self._tell(thing["name"], text.toPlainText()))
        self._put(thing, text)

    def _add_button(self, thing: dict[str, Any]) -> QPushButton:
        button = QPushButton(thing.get("text", thing["name"]))
        button.clicked.connect(lambda: self._tell(thing["name"]))
        if thing.get("command"):
            button.clicked.connect(lambda: subprocess.Popen(["sh", "-c", thing["command"]]))
        self._put(thing, button)
        return button

    def _add_save(self, thing: dict[str, Any]) -> None:
        """Writes the text of the thing `of` where a dialog of Qt's own says."""
        self._add_button(thing).clicked.connect(lambda: self._save(thing["of"]))

    def _save(self, of: str) -> None:
        widget: Any = self.things[of]
        options = QFileDialog.Option.DontUseNativeDialog
        path, _ = QFileDialog.getSaveFileName(self, "Save the text", str(Path.home()), options=options)
        if path:
            Path(path).write_text(widget.toPlainText(), encoding="utf-8")

    def _add_default(self, thing: dict[str, Any]) -> None:
        button = self._add_button(thing)
        enter = QShortcut(QKeySequence("Return"), self)
        enter.activated.connect(button.click)

    def _add_icon(self, thing: dict[str, Any]) -> None:
        button = self._add_button(thing)
        button.setText(thing["icon"])
        button.setAccessibleName(" ")

    def _add_check(self, thing: dict[str, Any]) -> None:
        box = QCheckBox(thing["name"])
        box.toggled.connect(partial(self._tell, thing["name"]))
        self._put(thing, box)

    def _add_combo(self, thing: dict[str, Any]) -> None:
        combo = QComboBox()
        combo.addItems(thing["items"])
        combo.currentTextChanged.connect(partial(self._tell, thing["name"]))
        self._put(thing, combo)

    def _add_slider(self, thing: dict[str, Any]) -> None:
        slider = QSlider(Qt.Orientation.Horizontal)
        slider.setRange(0, 100)
        slider.setAccessibleName(thing["name"])
        slider.valueChanged.connect(lambda value: self._tell(thing["name"], "full" if value > 95 else value))
        self._put(thing, slider)

    def _add_list(self, thing: dict[str, Any]) -> None:
        entries = QListWidget()
        entries.addItems(thing["items"])
        entries.itemActivated.connect(lambda item: self._tell(thing["name"], item.text()))
        delete = QShortcut(QKeySequence("Delete"), entries)
        delete.activated.connect(lambda: self._tell("deleted", entries.currentItem().text()))
        self._put(thing, entries)

    def _add_menu(self, thing: dict[str, Any]) -> None:
        menu = self.menuBar().addMenu(thing["name"])
        for item in thing["items"]:
            action = QAction(item, self)
            action.triggered.connect(partial(self._tell, item))
            menu.addAction(action)

    def _add_shortcut(self, thing: dict[str, Any]) -> None:
        shortcut = QShortcut(QKeySequence(thing["keys"]), self)
        shortcut.activated.connect(partial(self._tell, thing["name"]))

    def _add_drop(self, thing: dict[str, Any]) -> None:
        drop = Drop(thing["name"])
        drop.report = self._report
        drop.setAcceptDrops(True)
        drop.setMinimumHeight(60)
        self._put(thing, drop)

    def _add_source(self, thing: dict[str, Any]) -> None:
        source = Source(thing["name"])
        source.path = thing["text"]
        source.setMinimumHeight(40)
        self._put(thing, source)

    # ---- what happens meanwhile --------------------------------------------------------------

    def _look(self) -> None:
        for name, change in self._wanted.get("signals", {}).items():
            if name not in self._happened and (self._signals / name).exists():
                self._happened.add(name)
                for what, words in change.items():
                    getattr(self, f"_do_{what}")(words)

    def _do_title(self, title: str) -> None:
        self.setWindowTitle(title)

    def _do_label(self, change: list[str]) -> None:
        """A label or a button says something else."""
        name, text = change
        widget: Any = self.things[name]
        widget.setText(text)
        widget.setAccessibleName(text)

    def _do_focus(self, name: str) -> None:
        self.things[name].setFocus()

    def _do_swap(self, names: list[str]) -> None:
        """Two things change places."""
        one, other = (self._column.indexOf(self.things[name]) for name in names)
        first, second = self.things[names[0]], self.things[names[1]]
        self._column.insertWidget(min(one, other), first if other < one else second)
        self._column.insertWidget(max(one, other), second if other < one else first)

    def _do_dialog(self, wanted: dict[str, str]) -> None:
        """Another window of the same program takes the keyboard."""
        dialog = QDialog(self)
        dialog.setWindowTitle(wanted["title"])
        entry = QLineEdit()
        entry.setAccessibleName(wanted["entry"])
        entry.textChanged.connect(partial(self._tell, wanted["entry"]))
        entry.returnPressed.connect(partial(self._tell, f"{wanted['entry']} entered"))
        QVBoxLayout(dialog).addWidget(entry)
        dialog.setGeometry(self.x() + 30, self.y() + 60, 360, 120)
        dialog.show()
        dialog.activateWindow()
        entry.setFocus()


def main(specification: str, report: str, signals: str) -> int:
    """Show the window until it is ended."""
    app = QApplication(sys.argv[:1])
    wanted = json.loads(Path(specification).read_text(encoding="utf-8"))
    window = Program(wanted, Report(Path(report)), Path(signals))
    window.show()
    first = wanted.get("focus")
    if first:
        window.things[first].setFocus()
    return app.exec()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
