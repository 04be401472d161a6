"""A window made from a case: fields, boxes, lists and buttons, and what each button does. A program of its own.

`claiming_program.py --case FILE --folder FOLDER [--honest]`. A button has `does`, and `honest` when it does something
else with `--honest`. An action is a list: its name, then what it needs (see `Window.act`).
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any, cast

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QDialog,
    QLabel,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)


class Window(QWidget):
    """One window of a case; others that it opens are dialogs made the same way."""

    def __init__(self, case: dict[str, Any], name: str, folder: Path, honest: bool) -> None:
        super().__init__()
        self._case, self._folder, self._honest = case, folder, honest
        self._parts: dict[str, QWidget] = {}
        self._dialogs: dict[str, QDialog] = {}
        self._fill(self, case["windows"][name])

    def _fill(self, window: QWidget, wanted: dict[str, Any]) -> None:
        window.setWindowTitle(wanted["title"])
        window.resize(520, 420)
        column = QVBoxLayout(window)
        for part in wanted["parts"]:
            made = self._made(part)
            kind = next(iter(part))
            if kind in ("field", "note", "choice", "list"):
                column.addWidget(QLabel(part[kind]))
            if kind != "label":
                made.setAccessibleName(part[kind])
            column.addWidget(made)
            self._parts[part[kind]] = made

    def _made(self, part: dict[str, Any]) -> QWidget:
        kind = next(iter(part))
        made: QWidget
        if kind == "field":
            made = QLineEdit()
            if part.get("drops") and not self._honest:
                made.textChanged.connect(lambda _: QTimer.singleShot(60, made.clear))
        elif kind == "note":
            made = QPlainTextEdit()
        elif kind == "check":
            made = QCheckBox(part[kind])
        elif kind == "choice":
            made = QComboBox()
            made.addItems(part["of"])
        elif kind == "list":
            made = QListWidget()
            made.addItems(part.get("of", []))
        elif kind == "button":
            made = QPushButton(part[kind])
            done = part.get("honest", part["does"]) if self._honest else part["does"]
            made.clicked.connect(lambda: self._act_all(done))
        else:
            made = QLabel(part.get("text", ""))
        return made

    def _act_all(self, actions: list[list[Any]]) -> None:
        for each in actions:
            self.act(*each)

    def _value(self, name: str) -> Any:
        part = self._parts[name]
        if isinstance(part, QLineEdit):
            return part.text()
        if isinstance(part, QPlainTextEdit):
            return part.toPlainText()
        if isinstance(part, QComboBox):
            return part.currentText()
        if isinstance(part, QCheckBox):
            return part.isChecked()
        part = cast("QListWidget", part)
        return [part.item(row).text() for row in range(part.count())]

    def act(self, name: str, *given: Any) -> None:
        """Carry out one action of a button."""
        match name, *given:
            case "write", file, part:
                (self._folder / file).write_text(self._value(part), "utf-8")
            case "empty", file:
                (self._folder / file).write_text("", "utf-8")
            case "keep", file:
                kept = {
                    each: self._value(each)
                    for each in self._parts
                    if not isinstance(self._parts[each], QLabel | QPushButton)
                }
                (self._folder / file).write_text(json.dumps(kept), "utf-8")
            case "later", milliseconds, *action:
                QTimer.singleShot(milliseconds, lambda: self.act(*action))
            case "say", label, text:
                shown = self._parts[label]
                shown = cast("QLabel", shown)
                shown.setText(text)
            case "title", text:
                self.setWindowTitle(text)
            case "clear", part:
                cleared = self._parts[part]
                cleared = cast("QLineEdit | QPlainTextEdit", cleared)
                cleared.clear()
            case "add", part, text:
                rows = self._parts[part]
                rows = cast("QListWidget", rows)
                rows.addItem(str(self._value(text)))
            case "remove", part:
                rows = self._parts[part]
                rows = cast("QListWidget", rows)
                rows.takeItem(max(0, rows.currentRow()))
            case "open", window:
                self._open(window)

    def _open(self, name: str) -> None:
        if name not in self._dialogs:
            self._dialogs[name] = QDialog(self)
            self._fill(self._dialogs[name], self._case["windows"][name])
        self._dialogs[name].show()


def main() -> int:
    """Show the window of a case until it is closed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--case", required=True)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--honest", action="store_true")
    given = parser.parse_args()
    folder = Path(given.folder)
    case = json.loads(Path(given.case).read_text("utf-8"))
    for name, text in case.get("files", {}).items():
        if not (folder / name).exists():
            (folder / name).write_text(text, "utf-8")
    application = QApplication(sys.argv[:1])
    application.setStyle("Fusion")
    window = Window(case, "main", folder, given.honest)
    window.show()
    return application.exec()


if __name__ == "__main__":
    sys.exit(main())
