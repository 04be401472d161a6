"""Settings that widen count only after a yes: in a window, at a terminal, or by a flag that names the content."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import keyring.core
import pytest
from keyring.backends import fail

from desktop_agent.protocol.errors import ConfigError
from desktop_agent.startup import settings_confirmation as confirmation
from desktop_agent.startup import start_questions
from desktop_agent.startup.arguments import Arguments
from desktop_agent.startup.settings_confirmation import NotConfirmed, Review
from desktop_agent.support import config, plugins
from desktop_agent.support.config import Config
from desktop_agent.support.confirmed_settings import ConfirmedSettings
from desktop_agent.support.providers import key_hosts

SAFE = "[agent]\nmax_steps = 9\n"
FULL = '[agent]\npermission = "full"\nmax_steps = 9\n'
MASKED = '[privacy]\nwindows = ["Signal*"]\n'


@pytest.fixture(autouse=True)
def no_key_store(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(keyring.core, "_keyring_backend", fail.Keyring())  # type: ignore[no-untyped-call]
    key_hosts.cache_clear()
    yield
    key_hosts.cache_clear()


class Start:
    """One user's starts with one config file; each reads anew what was confirmed."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.path = folder, folder / "config.toml"

    def confirmed(self) -> ConfirmedSettings:
        return ConfirmedSettings(self.folder / "data")

    def review(self, text: str, **arguments: str) -> Review:
        self.path.write_text(text)
        return confirmation.review(config.load(self.path), Arguments(**arguments), self.confirmed())  # type: ignore[arg-type]

    def accept(self, text: str, **arguments: str) -> Config:
        return confirmation.accepted(self.review(text, **arguments), self.confirmed())

    def keep(self, text: str, **arguments: str) -> Config:
        return confirmation.kept(self.review(text, **arguments), self.confirmed())


@pytest.fixture
def start(tmp_path: Path) -> Start:
    return Start(tmp_path)


def test_what_widens_does_not_count_at_the_first_start(start: Start) -> None:
    assert start.keep(FULL).agent.permission == "restricted"
    assert start.keep(FULL).agent.max_steps == 9
    assert start.review(FULL).changes, "it is asked again"


def test_a_yes_counts_from_then_on_and_for_this_content_only(start: Start) -> None:
    assert start.accept(FULL).agent.permission == "full"
    assert not start.review(FULL).changes
    rewritten = FULL + '[llm.openai]\nbase_url = "https://foreign.example"\n'
    assert [each.name for each in start.review(rewritten).changes] == ["llm.openai.base_url"]
    kept = start.keep(rewritten)
    assert kept.agent.permission == "full" and not kept.llm.get("openai")


def test_what_was_narrowed_has_to_be_confirmed_again(start: Start) -> None:
    start.accept(FULL)
    start.accept(SAFE)  # no changes that widen: nobody was asked
    assert start.keep(FULL).agent.permission == "restricted"


def test_a_mask_that_was_taken_out_stays(start: Start) -> None:
    assert not start.review(MASKED).changes
    start.accept(MASKED)
    assert start.keep(SAFE).privacy.windows == ("Signal*",)
    gone = confirmation.review(Config(), Arguments(), start.confirmed())
    assert confirmation.kept(gone, start.confirmed()).privacy.windows == ("Signal*",), "also with the file"
    assert start.accept(SAFE).privacy.windows == ()


def test_a_file_of_ones_own_is_confirmed_apart(start: Start) -> None:
    start.accept(FULL)
    other = start.review(FULL, config=str(start.path))
    assert other.changes and other.file == str(start.path.resolve())


def test_the_command_line_is_the_users_own_word(start: Start) -> None:
    found = start.review(FULL, permission="full")
    assert not found.changes
    assert start.accept(FULL, permission="full").agent.permission == "full"
    assert start.review(FULL).changes, "for that start only"


def test_the_flag_names_the_content(start: Start) -> None:
    found = start.review(FULL)
    assert not confirmation.trusted(found, None)
    assert confirmation.trusted(found, found.settings.digest[:16])
    for wrong in (found.settings.digest[:15], "0" * 64, "", "any"):
        with pytest.raises(ConfigError, match="not the one"):
            confirmation.trusted(found, wrong)
    assert found.settings.digest[:16] in confirmation.unattended(found, Arguments())


@pytest.mark.parametrize(
    ("text", "arguments", "starts"),
    [
        ('[agent]\nmodel = "compatible"', {}, False),
        ('[llm.openai]\nbase_url = "https://x.example"', {}, False),
        ('[llm.openai]\nbase_url = "https://x.example"', {"model": "openai:gpt"}, False),
        ('[llm.openai]\nbase_url = "https://x.example"', {"model": "offline"}, True),
        (FULL, {}, True),
    ],
)
def test_nobody_is_sent_pictures_because_the_one_that_is_named_is_not_confirmed(
    start: Start, text: str, arguments: dict[str, str], starts: bool
) -> None:
    found = start.review(text, **arguments)
    if starts:
        assert "stay as they were" in confirmation.unattended(found, Arguments(**arguments))  # type: ignore[arg-type]
        return
    with pytest.raises(NotConfirmed, match="Nothing was started") as refused:
        confirmation.unattended(found, Arguments(**arguments))  # type: ignore[arg-type]
    assert "--trust-config" in refused.value.advice


def test_another_package_under_a_confirmed_name_is_not_used(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = {"mine": "trial 1.0"}
    monkeypatch.setattr(plugins, "package_of", lambda family, name: package.get(name, ""))
    start.accept('[agent]\nmodel = "mine"')
    package["mine"] = "foreign 1.0"
    with pytest.raises(NotConfirmed, match=r"plugin\.llm\.mine"):
        start.keep('[agent]\nmodel = "mine"')
    assert not start.review('[agent]\nmodel = "mine"', model="mine").changes


@pytest.mark.parametrize(
    ("said", "yes"), [("y\n", True), ("YES\n", True), ("n\n", False), ("\n", False), ("", False)]
)
def test_the_question_at_the_terminal(said: str, yes: bool, capsys: pytest.CaptureFixture[str]) -> None:
    ask = start_questions.question_asker(False, io.StringIO(said))
    assert ask is not None and ask("About.", ["one", "two"]) is yes
    assert "  one\n  two\n" in capsys.readouterr().err
    assert start_questions.question_asker(False, None) is None


def test_keys_are_bound_to_confirmed_servers_and_to_those_of_the_command_line(start: Start) -> None:
    settings = start.accept(
        '[llm.openai]\nbase_url = "https://a.example/v1"\n[llm.compatible]\nkey_env = "MINE"\n'
    )
    arguments = Arguments(
        send_key=("anthropic:b.example", "compatible:127.0.0.1:80", "openai:http://c.example/v1")
    )
    confirmation.bind_keys(settings, arguments, start.confirmed())
    allowed = key_hosts().confirmed
    assert allowed("env:OPENAI_API_KEY", "https://a.example") and allowed("store:openai", "https://a.example")
    assert allowed("env:OPENAI_API_KEY", "http://c.example") and not allowed("env:MINE", "https://a.example")
    assert allowed("env:ANTHROPIC_API_KEY", "https://b.example")
    assert not allowed("env:ANTHROPIC_API_KEY", "http://b.example"), "without TLS only where that is said"
    assert allowed("env:MINE", "http://127.0.0.1")
    with pytest.raises(ConfigError, match="names no host"):
        confirmation.bind_keys(settings, Arguments(send_key=("openai",)), start.confirmed())
