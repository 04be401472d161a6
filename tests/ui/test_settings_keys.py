"""Keys are kept, tested and removed, models asked whether they answer, and shortcuts chosen by pressing them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import keyring.core
import pytest
from keyring.backends import fail
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from desktop_agent.support import config, key_store
from desktop_agent.ui.settings.editors.hotkey_editor import HotkeyEditor
from desktop_agent.ui.settings.panels.section_panels import KeyPanel, KeyTest, ReachPanel
from desktop_agent.ui.shell.hotkeys import HotKeys
from tests.desk import Desk
from tests.llm.conftest import MemoryKeyring
from tests.llm.fake_server import FakeServer
from tests.ui.file_choices import FileChoices
from tests.ui.hands import Hands
from tests.ui.settings_stage import SettingsStage

SECRET = "sk-test-9876543210fedcba"


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> MemoryKeyring:
    kept = MemoryKeyring()
    monkeypatch.setattr(keyring.core, "_keyring_backend", kept)
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "COMPATIBLE_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    return kept


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with FakeServer(lambda _: "OK", key=SECRET) as running:
        yield running


@pytest.fixture
def stage(qapp: QApplication, hands: Hands, tmp_path: Path) -> Iterator[SettingsStage]:
    stage = SettingsStage(qapp, hands, FileChoices(tmp_path / "config.toml"))
    yield stage
    stage.close()


def panels(stage: SettingsStage, provider: str) -> tuple[KeyPanel, ReachPanel]:
    stage.row(f"llm.{provider}.model")
    key, reach = stage.part(stage.dialog.page, KeyPanel), stage.part(stage.dialog.page, ReachPanel)
    stage.wait(lambda: "Looking" not in key.state.text(), "the key looked for")
    return key, reach


def with_server(tmp_path: Path, provider: str, url: str) -> None:
    (tmp_path / "config.toml").write_text(f'[llm.{provider}]\nbase_url = "{url}/v1"\nmodel = "fake-model"\n')


@pytest.fixture
def asked(
    qapp: QApplication, hands: Hands, tmp_path: Path, store: MemoryKeyring, server: FakeServer
) -> Iterator[SettingsStage]:
    """The dialog with a server of one's own that takes only SECRET."""
    with_server(tmp_path, "openai", server.url)
    stage = SettingsStage(qapp, hands, FileChoices(tmp_path / "config.toml"))
    yield stage
    stage.close()


def test_a_pasted_key_is_kept_tested_and_never_shown_again(
    asked: SettingsStage, store: MemoryKeyring, server: FakeServer
) -> None:
    key, reach = panels(asked, "openai")
    asked.click(key.field)
    asked.hands.type(SECRET)
    asked.wait(lambda: key.field.text() == SECRET, "pasted")
    assert key.field.echoMode() == QLineEdit.EchoMode.Password
    asked.click(key.keep)
    asked.wait(reach.told.isVisible, "tested at once")
    assert "answered" in reach.told.text() and "fake-model" in reach.told.text()
    assert store.get_password("desktop-agent", "openai") == SECRET
    assert server.seen[-1].headers["Authorization"] == f"Bearer {SECRET}"
    assert "key store" in key.state.text() and not key.field.text()
    said = [
        f"{each.accessibleName()} {getattr(each, 'text', str)()}"
        for each in asked.dialog.findChildren(QWidget)
    ]
    assert not any(SECRET in each for each in said) and SECRET not in asked.text()
    asked.wait(lambda: key.remove.isVisible() and key.remove.isEnabled(), "found again")
    asked.click(key.remove)
    asked.wait(lambda: not key.remove.isVisible(), "removed")
    assert store.get_password("desktop-agent", "openai") is None


def test_a_wrong_key_is_told_and_does_not_take_the_place_of_one_that_works(
    asked: SettingsStage, store: MemoryKeyring, server: FakeServer
) -> None:
    key_store.store_key("openai", SECRET, server.url)
    key, reach = panels(asked, "openai")
    asked.click(key.field)
    asked.hands.type("sk-test-not-the-right-one")
    asked.wait(lambda: key.field.text() == "sk-test-not-the-right-one", "pasted")
    asked.click(key.keep)
    asked.wait(reach.told.isVisible, "tested")
    assert "did not accept the key" in reach.told.text() and "not-the-right" not in reach.told.text()
    assert server.seen[-1].headers["Authorization"] == "Bearer sk-test-not-the-right-one"
    assert store.get_password("desktop-agent", "openai") == SECRET
    asked.click(reach.ask)
    asked.wait(lambda: "answered" in reach.told.text(), "the old key at work")


def test_a_trial_that_is_cancelled_leaves_the_old_key(
    asked: SettingsStage, store: MemoryKeyring, server: FakeServer
) -> None:
    key_store.store_key("openai", SECRET, server.url)
    key, reach = panels(asked, "openai")
    server.key = None
    server.once(server.hang())
    asked.enter(key.field, "sk-test-another-0123456789")
    asked.click(key.keep)
    asked.wait(server.arrived.is_set, "the question")
    assert not key.field.isEnabled() and not key.remove.isEnabled()
    asked.click(reach.cancel)
    asked.wait(reach.told.isVisible, "the end")
    assert "not kept" in reach.told.text() and store.get_password("desktop-agent", "openai") == SECRET


def test_a_key_given_for_another_server_is_not_sent(
    asked: SettingsStage, server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    _, reach = panels(asked, "openai")
    asked.click(reach.ask)
    asked.wait(reach.told.isVisible, "told")
    assert "nothing was sent" in reach.told.text() and not server.seen


def test_the_wait_for_an_answer_can_be_cancelled(
    qapp: QApplication, hands: Hands, tmp_path: Path, store: MemoryKeyring, server: FakeServer
) -> None:
    server.key = None
    server.once(server.hang())
    with_server(tmp_path, "compatible", server.url)
    stage = SettingsStage(qapp, hands, FileChoices(tmp_path / "config.toml"))
    _, reach = panels(stage, "compatible")
    stage.click(reach.ask)
    stage.wait(server.arrived.is_set, "the question")
    stage.wait(reach.cancel.isVisible, "the button")
    stage.click(reach.cancel)
    stage.wait(reach.told.isVisible, "the end")
    assert reach.told.text() == "Cancelled." and reach.ask.isEnabled()
    stage.close()


def test_it_is_told_what_a_question_costs(asked: SettingsStage, store: MemoryKeyring) -> None:
    _, reach = panels(asked, "openai")
    asked.wait(lambda: reach.cost.text(), "the cost")
    assert "costs nothing" in reach.cost.text()  # a server on this computer
    _, other = panels(asked, "anthropic")
    asked.wait(lambda: other.cost.text(), "the cost")
    assert "$ at most" in other.cost.text()


def test_where_there_is_no_key_store_it_says_what_to_do(
    qapp: QApplication, hands: Hands, tmp_path: Path, store: MemoryKeyring, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keyring.core, "_keyring_backend", fail.Keyring())  # type: ignore[no-untyped-call]
    stage = SettingsStage(qapp, hands, FileChoices(tmp_path / "config.toml"))
    key, _ = panels(stage, "anthropic")
    assert "no key store" in key.state.text() and "ANTHROPIC_API_KEY" in key.state.text()
    assert not key.field.isEnabled()
    stage.close()


# ---- shortcuts -----------------------------------------------------------------------------------


def recorder(stage: SettingsStage, name: str) -> HotkeyEditor:
    editor = stage.row(f"hotkeys.{name}").editor
    assert isinstance(editor, HotkeyEditor)
    stage.click(editor.record)
    stage.wait(lambda: editor.record.recording and editor.record.hasFocus(), "recording")
    return editor


def test_a_shortcut_is_recorded_by_pressing_it(stage: SettingsStage) -> None:
    editor = recorder(stage, "skip")
    stage.hands.chord("ctrl", "shift", "f")
    stage.wait(lambda: editor.record.text() == "Ctrl+Shift+F", "recorded")
    assert not stage.dialog.search.hasFocus()
    stage.hands.chord("ctrl", "s")  # what answers a question is asked about
    stage.wait(lambda: stage.dialog.confirm.isVisible(), "the question")
    stage.click(stage.dialog.confirm.buttons[0])
    stage.wait(lambda: stage.saved, "the settings saved")
    assert config.load(stage.file, {}).hotkeys.skip == "ctrl+shift+f"


@pytest.mark.parametrize(
    ("keys", "reason"),
    [
        (("ctrl", "s"), "Applications use it themselves"),
        (("a",), "Applications use it themselves"),
        (("ctrl", "alt", "enter"), "Approve has it already"),
        (("escape",), "Esc stops the agent, always and everywhere"),
    ],
)
def test_what_cannot_be_a_shortcut_is_refused_with_the_reason(
    stage: SettingsStage, keys: tuple[str, ...], reason: str
) -> None:
    editor = recorder(stage, "skip")
    stage.hands.chord(*keys)
    stage.wait(editor.reason.isVisible, "the reason")
    assert reason in editor.reason.text()
    assert stage.dialog.isVisible() and not stage.dialog.draft.names
    assert editor.record.recording == (keys != ("escape",))


def test_the_key_test_sees_esc_and_does_not_close(stage: SettingsStage) -> None:
    stage.dialog.show_section("hotkeys")
    test = stage.part(stage.dialog.page, KeyTest)
    stage.click(test.field)
    stage.hands.chord("escape")
    stage.wait(lambda: "Escape arrived in this window." in test.field.words.text(), "Esc seen")
    assert stage.dialog.isVisible()


def test_the_shortcuts_are_tried_from_the_whole_desktop(
    stage: SettingsStage, terminal: str, desk: Desk
) -> None:
    stage.dialog.show_section("hotkeys")
    test = stage.part(stage.dialog.page, KeyTest)
    stage.click(test.register)
    stage.wait(lambda: "registered for 20 seconds" in test.told.text(), "registered")
    desk.target.give_focus_back()
    stage.hands.chord("ctrl", "alt", "e")
    stage.wait(lambda: test.told.text() == "Edit was seen.", "seen")


def test_a_chosen_shortcut_is_global_and_the_old_one_no_more(stage: SettingsStage, terminal: str) -> None:
    seen: list[str] = []
    keys = HotKeys()
    keys.pressed.connect(seen.append)
    keys.use({"approve": "ctrl+shift+f9", "skip": "super+shift+k"})
    keys.hold(True)
    stage.wait(lambda: keys.held, "registered")
    stage.hands.chord("ctrl", "alt", "enter")
    stage.hands.chord("ctrl", "shift", "f9")
    stage.wait(lambda: seen, "the new one")
    stage.hands.chord("super", "shift", "k")
    stage.wait(lambda: len(seen) > 1, "the other one")
    assert seen == ["approve", "skip"]
    keys.close()
