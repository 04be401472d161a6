"""A person changes settings in the dialog, with mouse and keyboard, over a real config.toml."""

from __future__ import annotations

import threading
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLineEdit, QWidget

from desktop_agent.llm import openai
from desktop_agent.protocol.errors import ConfigError
from desktop_agent.support import config, resources
from desktop_agent.support.plugins import FAMILIES
from desktop_agent.ui.settings.dialog import open_settings
from desktop_agent.ui.settings.editors.editor_factory import GroupEditor, TableEditor
from desktop_agent.ui.settings.editors.list_editor import ListEditor
from desktop_agent.ui.settings.options.setting_catalog import commented_defaults
from desktop_agent.ui.settings.options.surroundings import AlwaysAllowed, OpenWindow, Surroundings
from desktop_agent.ui.settings.panels.section_panels import AllowedPanel
from desktop_agent.ui.widgets.form_controls import DropDown, LineField
from desktop_agent.ui.widgets.theme import Theme
from tests.ui.file_choices import FileChoices
from tests.ui.hands import Hands
from tests.ui.settings_stage import SettingsStage

Open = Callable[..., SettingsStage]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "config.toml"


@pytest.fixture
def open_dialog(qapp: QApplication, hands: Hands, file: Path) -> Iterator[Open]:
    """`open_dialog(environ=…, surroundings=…)`; the dialog is closed after the test."""
    stages: list[SettingsStage] = []

    def make(
        surroundings: Surroundings | None = None, environ: dict[str, str] | None = None
    ) -> SettingsStage:
        stages.append(SettingsStage(qapp, hands, FileChoices(file, environ), surroundings))
        return stages[-1]

    yield make
    for stage in stages:
        stage.close()


def comments(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.lstrip().startswith("#") or "  #" in line]


def test_ten_settings_are_changed_and_every_comment_survives(open_dialog: Open, file: Path) -> None:
    shipped = (resources.path().parent / "config.toml").read_text(encoding="utf-8")
    by_hand = shipped.replace("[agent]\n", "[agent]\n# my own words\nmax_actions = 5  # and these, äöü\n")
    file.write_text(by_hand, encoding="utf-8")
    stage = open_dialog()
    stage.enter_into("agent.max_steps", "25")
    stage.enter_into("agent.timeout", "90")
    stage.enter_into("agent.max_dollars", "2.5")
    stage.enter_into("agent.history", "40")
    stage.enter_into("agent.max_actions", "6")
    stage.enter_into("hand.batch_timeout", "30")
    stage.switch("window.always_on_top")
    stage.switch("notes.enabled")
    stage.enter_into("llm.openai.model", "gpt-mini")
    stage.enter_into("target.display.width", "1600")
    stage.save()
    now = config.load(file, {})
    assert (now.agent.max_steps, now.agent.timeout, now.agent.max_dollars) == (25, 90.0, 2.5)
    assert (now.agent.history, now.agent.max_actions, now.hand.batch_timeout) == (40, 6, 30.0)
    assert (now.window.always_on_top, now.notes.enabled) == (False, False)
    assert now.llm["openai"] == {"model": "gpt-mini"} and now.target["display"] == {"width": 1600}
    assert comments(stage.text()) == [
        each.replace("max_actions = 5", "max_actions = 6") for each in comments(by_hand)
    ]


def test_a_wrong_value_is_told_at_its_field_and_nothing_is_lost(open_dialog: Open) -> None:
    stage = open_dialog()
    stage.enter_into("agent.max_dollars", "3")
    stage.enter_into("agent.max_steps", "20000")
    row = stage.dialog.page.rows["agent.max_steps"]
    stage.wait(row.problem.isVisible, "the problem shown")
    assert row.problem.text() == "A whole number from 1 to 10\u202f000."
    stage.dialog.show_section("notes")
    stage.hands.chord("ctrl", "s")
    stage.wait(lambda: "agent.max_steps" in stage.dialog.page.rows, "the wrong one shown")
    assert not stage.saved and not stage.file.exists()
    field = stage.part(stage.dialog.page.rows["agent.max_steps"].editor, QLineEdit)
    assert stage.dialog.draft.names == ("agent.max_dollars", "agent.max_steps")
    assert field.text() == "20000"
    stage.enter_into("agent.max_steps", "200")
    stage.save()
    assert config.load(stage.file, {}).agent.max_steps == 200
    assert config.load(stage.file, {}).agent.max_dollars == 3.0


def test_more_rights_are_marked_and_confirmed_once(open_dialog: Open) -> None:
    stage = open_dialog()
    row = stage.row("agent.permission")
    box = stage.part(row.editor, DropDown)
    stage.click(box)
    stage.wait(lambda: box.view().isVisible(), "the list open")
    stage.hands.chord("down")
    stage.hands.chord("enter")
    stage.wait(row.rights.isVisible, "the mark")
    stage.hands.chord("ctrl", "s")
    stage.wait(lambda: stage.dialog.confirm.isVisible(), "the question")
    assert (
        stage.dialog.confirm.buttons[-1].hasFocus()
        and stage.dialog.confirm.buttons[-1].text() == "Keep as before"
    )
    stage.hands.chord("escape")
    stage.wait(lambda: not stage.dialog.confirm.isVisible(), "the question answered")
    assert not stage.file.exists() and stage.dialog.draft.names == ("agent.permission",)
    stage.hands.chord("ctrl", "s")
    stage.wait(lambda: stage.dialog.confirm.isVisible(), "the question again")
    stage.click(stage.dialog.confirm.buttons[0])
    stage.wait(lambda: stage.saved, "saved")
    assert config.load(stage.file, {}).agent.permission == "full"
    stage.enter_into("agent.max_steps", "30")
    stage.save()  # no second question


def test_less_rights_need_no_question(open_dialog: Open) -> None:
    stage = open_dialog()
    editor = stage.row("privacy.windows").editor
    assert isinstance(editor, ListEditor)
    stage.click(editor.add)
    stage.wait(lambda: editor.lines and editor.lines[0].field.hasFocus(), "a line to type in")
    stage.hands.type("*KeePass*")
    stage.wait(lambda: editor.texts() == ["*KeePass*"], "typed")
    stage.save()
    assert config.load(stage.file, {}).privacy.windows == ("*KeePass*",)


def test_a_list_is_reordered_and_shortened_by_keyboard(open_dialog: Open, file: Path) -> None:
    file.write_text('[privacy]\nwindows = ["one", "two", "three"]\n')
    stage = open_dialog()
    editor = stage.row("privacy.windows").editor
    assert isinstance(editor, ListEditor)
    stage.click(editor.lines[2].field)
    stage.hands.chord("alt", "up")
    stage.wait(lambda: editor.texts() == ["one", "three", "two"], "moved up")
    stage.wait(editor.lines[1].field.hasFocus, "the keyboard went with it")
    stage.click(editor.lines[0].remove)
    stage.wait(lambda: editor.texts() == ["three", "two"], "removed")


def test_a_pattern_is_picked_from_the_open_windows(open_dialog: Open) -> None:
    windows = (OpenWindow("Notes [1]", "Mousepad"), OpenWindow("Bank & Co", "Chromium"))
    stage = open_dialog(Surroundings(windows=lambda: windows))
    editor = stage.row("privacy.windows").editor
    assert isinstance(editor, ListEditor)
    stage.click(editor.pick)
    picker = stage.dialog.factory.windows
    stage.wait(lambda: picker.menu.isVisible(), "the menu")
    words = [each.text() for each in picker.menu.actions()]
    assert words == ["Open applications", "Chromium", "Mousepad", "Open windows", "Bank && Co", "Notes [1]"]
    for _ in range(4):
        stage.hands.chord("down")
    stage.hands.chord("enter")
    stage.wait(lambda: editor.texts() == ["Notes [[]1]"], "the title, as a pattern")


def test_search_finds_by_label_help_and_name_and_esc_ends_it(open_dialog: Open) -> None:
    stage = open_dialog()
    stage.hands.chord("ctrl", "f")
    stage.wait(stage.dialog.search.hasFocus, "the search box")
    stage.hands.type("max_dollars")
    stage.wait(lambda: set(stage.dialog.page.rows) == {"agent.max_dollars"}, "found by its name")
    stage.hands.chord("ctrl", "a")
    stage.hands.type("renewed picture")
    stage.wait(lambda: set(stage.dialog.page.rows) == {"window.previews"}, "found by words of its help")
    stage.hands.chord("escape")
    stage.wait(lambda: stage.dialog.page.title.text() == "General", "the section again")


def test_one_setting_and_a_section_are_reset(open_dialog: Open, file: Path) -> None:
    file.write_text("[agent]\nmax_steps = 9\nmax_tokens = 5\n# kept\n[notes]\nenabled = false\n")
    stage = open_dialog()
    row = stage.row("agent.max_steps")
    assert row.reset.isVisible()
    stage.click(row.reset)
    stage.wait(lambda: stage.part(row.editor, QLineEdit).text() == "60", "the default")
    stage.save()
    assert "max_steps" not in stage.text() and "# kept" in stage.text()
    stage.click(stage.dialog.more)
    stage.wait(lambda: stage.dialog.menu.isVisible(), "the menu")
    for _ in range(2):
        stage.hands.chord("down")
    stage.hands.chord("enter")
    stage.wait(lambda: stage.dialog.confirm.isVisible(), "the question")
    stage.click(stage.dialog.confirm.buttons[0])
    stage.wait(lambda: stage.dialog.draft.names == ("agent.max_tokens",), "the section reset")
    stage.save()
    assert config.load(file, {}).agent.max_tokens == 0
    assert config.load(file, {}).notes.enabled is False


def test_what_the_environment_sets_is_shown_and_not_changed(open_dialog: Open) -> None:
    locked = {"agent.timeout": "Set on the command line."}
    stage = open_dialog(Surroundings(locked=locked), environ={"DESKTOP_AGENT__AGENT__MAX_STEPS": "7"})
    row, other = stage.row("agent.max_steps"), stage.dialog.page.rows["agent.timeout"]
    assert stage.part(row.editor, QLineEdit).text() == "7"
    assert not row.editor.isEnabled() and row.locked.text() == "Set in the environment: change it there."
    assert not other.editor.isEnabled() and other.locked.text() == "Set on the command line."
    assert not row.reset.isVisible()


def test_what_cannot_be_saved_is_told_and_nothing_is_lost(open_dialog: Open) -> None:
    stage = open_dialog()
    stage.enter_into("agent.max_steps", "33")
    stage.choices.refusal = ConfigError("A run is under way.", "Stop it first.")
    stage.hands.chord("ctrl", "s")
    stage.wait(lambda: stage.dialog.bar.words.text() == "A run is under way. Stop it first.", "the reason")
    assert not stage.saved and stage.dialog.draft.names == ("agent.max_steps",)
    stage.save()
    assert config.load(stage.file, {}).agent.max_steps == 33


def test_settings_are_read_and_written_off_the_ui_thread(open_dialog: Open) -> None:
    stage = open_dialog()
    stage.switch("window.always_on_top")
    stage.save()
    assert stage.choices.threads and threading.get_ident() not in stage.choices.threads


def test_closing_asks_about_what_is_not_saved(open_dialog: Open) -> None:
    stage = open_dialog()
    stage.switch("window.always_on_top")
    stage.hands.chord("escape")
    stage.wait(lambda: stage.dialog.confirm.isVisible(), "the question")
    stage.hands.chord("escape")
    stage.wait(lambda: not stage.dialog.confirm.isVisible() and stage.dialog.isVisible(), "still open")
    stage.hands.chord("escape")
    stage.wait(lambda: stage.dialog.confirm.isVisible(), "the question again")
    stage.click(stage.dialog.confirm.buttons[0])
    stage.wait(lambda: not stage.dialog.isVisible(), "closed")
    assert not stage.file.exists()


def test_a_file_that_cannot_be_read_can_be_tried_again(qapp: QApplication, hands: Hands, file: Path) -> None:
    file.write_text("[agent]\nmax_steps = nonsense\n")
    window = QWidget()
    dialog = open_settings(window, Theme("light"), FileChoices(file))
    while not (dialog.retry.isVisible() and dialog.isActiveWindow() and hands.writes_here()):
        qapp.processEvents()
    assert "config.toml" in dialog.waiting_words.text()
    file.write_text("[agent]\nmax_steps = 3\n")
    assert dialog.retry.hasFocus()
    hands.chord("space")
    while dialog.catalog is None:
        qapp.processEvents()
    assert dialog.catalog.config.agent.max_steps == 3
    dialog.close()


def test_an_installed_plugin_appears_and_a_broken_one_says_why(
    open_dialog: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    info = tmp_path / "newcomer-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: newcomer\nVersion: 1\n")
    (info / "entry_points.txt").write_text(
        f"[{FAMILIES['llm'].group}]\nnewcomer = newcomer_model\nbroken = no_such_module\n"
    )
    (tmp_path / "newcomer_model.py").write_text(
        '"""Thinks elsewhere."""\nimport msgspec\n'
        "class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):\n"
        "    how_hard: int = 3\n"
        "def create(options): raise RuntimeError\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    stage = open_dialog()
    stage.enter_into("llm.newcomer.how_hard", "4")
    assert stage.dialog.page.rows["llm.newcomer.how_hard"].label.text() == "How hard"
    words = [each.accessibleName() for each in stage.dialog.page.findChildren(QWidget)]
    assert any("Thinks elsewhere." in each and "newcomer 1" in each for each in words)
    assert any("Cannot be used" in each and "no_such_module" in each for each in words)
    stage.hands.chord("ctrl", "s")
    stage.wait(lambda: stage.dialog.confirm.isVisible(), "a plug-in's own option is asked about")
    stage.click(stage.dialog.confirm.buttons[0])
    stage.wait(lambda: stage.saved, "saved")
    assert config.load(stage.file, {}).llm["newcomer"] == {"how_hard": 4}


def test_an_application_is_forbidden_in_a_table_of_rules(open_dialog: Open, file: Path) -> None:
    file.write_text('# mine\n[[scope.deny]]\nwindow = "*Bank*"  # money\n')
    stage = open_dialog(Surroundings(windows=lambda: (OpenWindow("x", "Signal"),)))
    editor = stage.row("scope.deny").editor
    assert isinstance(editor, TableEditor) and len(editor.forms) == 1
    stage.click(editor.pick)
    stage.wait(lambda: stage.dialog.factory.applications.menu.isVisible(), "the menu")
    stage.hands.chord("down")
    stage.hands.chord("enter")
    stage.wait(lambda: len(editor.forms) == 2, "a rule for it")
    stage.save()
    denied = config.load(file, {}).scope.deny
    assert [(each.window, each.application) for each in denied] == [("*Bank*", ""), ("", "Signal")]
    assert "# mine" in stage.text()
    stage.click(editor.add)
    stage.wait(lambda: len(editor.forms) == 3, "an empty rule")
    row = stage.dialog.page.rows["scope.deny"]
    stage.wait(row.problem.isVisible, "told that it says nothing")
    assert "Entry 3" in row.problem.text()


def test_a_value_with_parts_is_one_value(open_dialog: Open) -> None:
    stage = open_dialog()
    editor = stage.row("llm.openai.conversation").editor
    assert isinstance(editor, GroupEditor)
    stage.enter(stage.part(editor.form.editors["words"], LineField), "9000")
    stage.hands.chord("ctrl", "s")
    stage.wait(lambda: stage.dialog.confirm.isVisible(), "a model's setting is asked about")
    stage.click(stage.dialog.confirm.buttons[0])
    stage.wait(lambda: stage.saved, "saved")
    kept = config.load(stage.file, {})
    assert config.options(kept, "llm", "openai", openai.Options).conversation.words == 9_000


def test_what_is_always_allowed_is_taken_back(open_dialog: Open) -> None:
    standing = ["click “Send” in chromium", "open “mousepad”"]

    def allowed() -> list[AlwaysAllowed]:
        return [AlwaysAllowed(words, lambda words=words: standing.remove(words)) for words in standing]  # type: ignore[misc]

    stage = open_dialog(Surroundings(allowed=allowed))
    stage.dialog.show_section("permission")
    panel = stage.part(stage.dialog.page, AllowedPanel)
    stage.wait(lambda: len(panel.buttons) == 2, "both listed")
    stage.click(panel.buttons[0])
    stage.wait(lambda: len(panel.buttons) == 1, "one taken back")
    assert standing == ["open “mousepad”"]


def test_the_file_is_made_from_the_commented_template_and_opened(
    open_dialog: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    stage = open_dialog()

    def take(url: QUrl) -> bool:
        opened.append(url.toLocalFile())
        return True

    monkeypatch.setattr(QDesktopServices, "openUrl", take)
    stage.dialog.open_file()
    stage.wait(lambda: opened, "the file opened")
    assert opened == [str(stage.file)]
    assert "# max_steps = 60" in stage.text()
    assert config.load(stage.file, {}).agent == config.Config().agent


def test_the_template_that_is_made_of_the_types_is_the_defaults() -> None:
    text = commented_defaults()
    assert all(not table for table in tomllib.loads(text).values())
    bare = "".join(
        line.removeprefix("# ") for line in text.splitlines(keepends=True) if " = " in line or line[0] == "["
    )
    loaded = config.read(bare.encode(), None, {})
    assert (loaded.agent, loaded.hotkeys) == (config.Config().agent, config.Config().hotkeys)


def test_a_narrow_dialog_cuts_nothing_and_every_control_has_a_name(open_dialog: Open) -> None:
    stage = open_dialog()
    stage.dialog.resize(360, 640)
    stage.wait(lambda: stage.dialog.sections_box.isVisible(), "the narrow form")
    for section in stage.catalog.sections():
        stage.dialog.show_section(section)
        for fold in tuple(stage.dialog.page.folds):
            fold.toggle() if fold.body.isHidden() else None
        stage.app.processEvents()
        page, room = stage.dialog.page, stage.dialog.page_area.viewport().width()
        assert page.width() <= room, section
        controls = [
            each
            for kind in (QAbstractButton, QComboBox, QLineEdit)
            for each in page.findChildren(kind)
            if each.isVisible()
        ]
        assert controls or section == "history"
        for each in controls:
            assert each.accessibleName() or isinstance(each.parent(), QLineEdit), section
            assert each.mapTo(page, each.rect().topRight()).x() <= room, (section, each.accessibleName())
            assert each.height() >= 28 or isinstance(each.parent(), QLineEdit), (
                section,
                each.accessibleName(),
            )


def test_a_second_call_brings_the_open_dialog_to_the_front(qapp: QApplication, file: Path) -> None:
    window = QWidget()
    first = open_settings(window, Theme("light"), FileChoices(file))
    assert open_settings(window, Theme("light"), FileChoices(file)) is first
    while first.catalog is None:
        qapp.processEvents()
    first.close()
