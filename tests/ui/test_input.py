"""The input: earlier words with Up and Down, files and pictures that are dropped, pasted or chosen."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QColor, QDragEnterEvent, QDropEvent, QImage
from PySide6.QtWidgets import QApplication, QWidget

from desktop_agent.protocol.geometry import Size
from desktop_agent.ui.chat import given_pictures
from desktop_agent.ui.chat.attachments import Attachments, path_words
from desktop_agent.ui.panels import composer
from desktop_agent.ui.panels.composer import PromptHistory
from desktop_agent.ui.widgets.buttons import Button
from desktop_agent.ui.widgets.thumbnails import Thumbnail
from tests.ui.conftest import Stage
from tests.ui.hands import Hands


def send(stage: Stage, hands: Hands, words: str) -> None:
    """Type the words and send them, as a person would."""
    before = len(stage.told("send"))
    stage.wait(hands.writes_here, "the window active")
    hands.click(stage.window.composer.input)
    stage.wait(stage.window.composer.input.hasFocus, "the input has the keyboard")
    hands.type(words)
    hands.chord("enter")
    stage.wait(lambda: len(stage.told("send")) > before, "the words sent")


def kept(stage: Stage, tmp_path: Path, count: int) -> list[str]:
    file = tmp_path / "settings" / composer.FILE

    def read() -> list[str]:
        return msgspec.json.decode(file.read_bytes(), type=list[str]) if file.exists() else []

    stage.wait(lambda: len(read()) == count, "the words kept in the file")
    return read()


def test_up_and_down_walk_through_what_was_sent_also_after_a_restart(
    opened: Callable[..., Stage], hands: Hands, tmp_path: Path
) -> None:
    stage = opened()
    send(stage, hands, "first goal")
    send(stage, hands, "second goal")
    assert kept(stage, tmp_path, 2) == ["first goal", "second goal"]
    mode = stat.S_IMODE((tmp_path / "settings" / composer.FILE).stat().st_mode)
    assert os.name == "nt" or mode == 0o600
    stage.window.close()
    stage = opened()
    edit = stage.window.composer.input
    stage.wait(hands.writes_here, "the window active")
    for key, shown in (
        ("up", "second goal"),
        ("up", "first goal"),
        ("up", "first goal"),
        ("down", "second goal"),
    ):
        hands.chord(key)
        stage.wait(lambda shown=shown: edit.toPlainText() == shown, f"{shown} after {key}")  # type: ignore[misc]
    hands.chord("down")
    stage.wait(lambda: edit.toPlainText() == "", "empty after the last")
    hands.type("mine")
    hands.chord("up")
    stage.pump(50)
    assert edit.toPlainText() == "mine"


def test_a_marked_secret_is_not_kept(stage: Stage, hands: Hands, tmp_path: Path) -> None:
    send(stage, hands, "log in with {{secret: hunter2-and-more}}")
    assert "hunter2" not in kept(stage, tmp_path, 1)[0]
    stage.wait(hands.writes_here, "the window active")
    hands.click(stage.window.composer.input)
    hands.chord("up")
    edit = stage.window.composer.input
    stage.wait(lambda: edit.toPlainText().startswith("log in"), "the words again")
    assert "hunter2" not in edit.toPlainText()


def test_the_history_is_bounded_and_a_strange_file_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / composer.FILE).write_bytes(b"{not ours")
    history = PromptHistory()
    history.keep_in(tmp_path)
    assert history.older("") is None
    for n in range(composer.MOST + 50):
        history.set_aside(f"goal {n}")
    history.set_aside("x" * (composer.LONGEST + 1))
    history.set_aside("goal 100")
    assert history.older("") == "goal 100" and history.older("goal 100") == f"goal {composer.MOST + 49}"
    assert history.older("changed") is None
    count = 2
    text = f"goal {composer.MOST + 49}"
    while (text := history.older(text) or "") != "":
        count += 1
    assert count == composer.MOST


def dropped(stage: Stage, widget: QWidget, data: QMimeData) -> bool:
    """Drop something on a widget, as the display would; returns whether it was taken."""
    how = Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    entered = QDragEnterEvent(QPoint(5, 5), *how)
    QApplication.sendEvent(widget, entered)
    if entered.isAccepted():
        QApplication.sendEvent(widget, QDropEvent(QPointF(5, 5), *how))
    return entered.isAccepted()


def urls(*paths: Path) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(each)) for each in paths])
    return data


def picture_file(path: Path, width: int = 400, height: int = 200) -> Path:
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(QColor("#00aa44"))
    image.setText("Comment", "hidden words")
    assert image.save(str(path))
    return path


def test_a_file_dropped_anywhere_is_named_in_the_goal(stage: Stage, hands: Hands, tmp_path: Path) -> None:
    table = tmp_path / "my table.csv"
    table.write_text("a,b\n", encoding="utf-8")
    composer = stage.window.composer
    assert dropped(stage, stage.window, urls(table))
    assert composer.attachments.words() == f'file: "{table}"' and composer.attachments.isVisible()
    assert not dropped(stage, stage.window.body, QMimeData())
    send(stage, hands, "sum it up")
    assert stage.told("send") == [("send", f'sum it up\nfile: "{table}"')]
    assert not composer.attachments.isVisible() and stage.port.pictures == ()


def test_a_picture_is_shown_sent_and_made_anew(stage: Stage, hands: Hands, tmp_path: Path) -> None:
    source = picture_file(tmp_path / "photo.png", 4_000, 1_000)
    composer = stage.window.composer
    assert dropped(stage, composer.input.viewport(), urls(source))
    stage.wait(lambda: composer.attachments.ready, "the picture made")
    stage.wait(lambda: composer.attachments.findChildren(Thumbnail), "the thumbnail")
    assert composer.input.toPlainText() == ""
    send(stage, hands, "what is this?")
    assert stage.told("send") == [("send", "what is this?")]
    (picture,) = stage.port.pictures
    assert picture.media_type == "image/jpeg" and picture.size == Size(1568, 392)
    data = given_pictures.jpeg_of(picture)
    assert data.startswith(b"\xff\xd8\xff") and b"hidden words" not in data and b"Exif" not in data
    view = stage.window.body.chat.views()[-1]
    assert view.message.pictures == (data,) and view.findChildren(Thumbnail)


def test_a_picture_is_pasted_and_taken_back(stage: Stage, hands: Hands, qapp: QApplication) -> None:
    image = QImage(60, 40, QImage.Format.Format_ARGB32)
    image.fill(QColor(0, 0, 0, 0))
    qapp.clipboard().setImage(image)
    composer = stage.window.composer
    stage.wait(hands.writes_here, "the window active")
    hands.click(composer.input)
    hands.chord("ctrl", "v")
    stage.wait(lambda: composer.attachments.isVisible() and composer.attachments.ready, "the picture")
    remove = next(each for each in composer.attachments.findChildren(Button) if each.isVisible())
    assert remove.accessibleName() == "Remove Pasted picture" and remove.width() >= 28
    hands.click(remove)
    stage.wait(lambda: not composer.attachments.isVisible(), "taken back")
    send(stage, hands, "no picture")
    assert stage.port.pictures == () and stage.told("send") == [("send", "no picture")]


def test_what_is_no_picture_is_not_sent_and_that_is_said(stage: Stage, tmp_path: Path) -> None:
    false = tmp_path / "false.png"
    false.write_bytes(b"\x89PNG\r\n\x1a\n" + b"x" * 100)
    attachments = stage.window.composer.attachments
    attachments.add_file(false)
    stage.wait(lambda: "no picture" in told(attachments), "that it is none")
    assert attachments.empty() == ()
    script = tmp_path / "script.png"
    script.write_text("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>", encoding="utf-8")
    assert given_pictures.picture_of(script) is None
    assert given_pictures.picture_of(tmp_path / "missing.png") is None


def told(attachments: Attachments) -> str:
    return attachments._trouble.text() if attachments._trouble.isVisible() else ""


def test_the_button_opens_a_dialog_for_files(stage: Stage, hands: Hands, tmp_path: Path) -> None:
    attach = stage.window.composer.attach
    assert attach.accessibleName() == "Attach a file or picture"
    attachments = stage.window.composer.attachments
    attachments._chosen([str(picture_file(tmp_path / "a.png")), str(tmp_path / "b.txt")])
    stage.wait(lambda: attachments.ready, "both")
    assert attachments.words() == f'file: "{tmp_path / "b.txt"}"' and len(attachments.empty()) == 1


@pytest.mark.parametrize("name", ['a"b.txt', "a\u202eb.txt", "a\nb.txt"])
def test_a_name_that_could_be_read_otherwise_is_refused(stage: Stage, name: str) -> None:
    assert path_words(Path("/tmp") / name) == ""
    attachments = stage.window.composer.attachments
    attachments.add_file(Path("/tmp") / name)
    assert attachments.words() == "" and "cannot be written" in told(attachments)


def test_a_path_in_the_home_folder_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/anna")
    assert path_words(Path("/home/anna/Documents/x.csv")) == 'file: "~/Documents/x.csv"'
