"""Which settings widen what may be done, against what was confirmed."""

from __future__ import annotations

import hashlib
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from desktop_agent.support import config, plugins
from desktop_agent.support.config import Config
from desktop_agent.support.rights import rights_of, widened, with_rights


def read(text: str) -> Config:
    return msgspec.convert(tomllib.loads(text), Config)


def names(before: str, now: str) -> list[str]:
    """The settings that widen from one config file to another."""
    return [each.name for each in widened(rights_of(read(before)), rights_of(read(now)))]


RULE = '[[scope.allow]]\nname = "Send"\n'


@pytest.mark.parametrize(
    ("before", "now", "found"),
    [
        ("", '[agent]\npermission = "full"', ["agent.permission"]),
        ('[agent]\npermission = "simulation_only"', "", ["agent.permission"]),
        ('[agent]\nstep = "action"', "", ["agent.step"]),
        ("", '[agent]\nmodel = "compatible"', ["agent.model"]),
        ('[agent]\nmodel = "compatible"', "", ["agent.model"]),
        ('[agent]\ntarget = "display"', "", ["agent.target"]),
        ("", '[agent]\nenvironments = ["files"]', ["agent.environments"]),
        ("", '[environment.files]\nfolder = "/"', ["environment.files.folder"]),
        ("", "[hand]\ntakeover = false", ["hand.takeover"]),
        ("", RULE, ["scope.allow"]),
        (RULE, RULE + '[[scope.allow]]\nname = "Buy"', ["scope.allow"]),
        (
            '[scope]\napplications = ["gedit"]',
            '[scope]\napplications = ["gedit", "xterm"]',
            ["scope.applications"],
        ),
        ('[scope]\napplications = ["xterm"]', "", ["scope.applications"]),
        ('[[scope.deny]]\nwindow = "*Bank*"', "", ["scope.deny"]),
        ("[scope]\nminutes = 5", "", ["scope.minutes"]),
        ("[scope]\nminutes = 5", "[scope]\nminutes = 6", ["scope.minutes"]),
        ("[scope]\nminutes = 5", '[scope]\ninputs = ["open"]', ["scope.minutes"]),
        ('[scope]\ninputs = ["open"]', '[scope]\ninputs = ["open", "keyboard"]', ["scope.inputs"]),
        ('[scope]\napplications = ["a"]', '[scope]\napplications = ["b"]', ["scope.applications"]),
        ("", '[agent]\npermission = "full"\n[scope]\nminutes = 5', ["agent.permission"]),
        ('[privacy]\nwindows = ["Signal*"]\nregions = [[0, 0, 9, 9]]', "", ["privacy.regions", "privacy.windows"]),
        ("", '[secrets]\nvalues = ["env:MAIL"]', ["secrets.values"]),
        ("", '[notes]\nfolder = "/elsewhere"', ["notes.folder"]),
        ('[notes]\nfolder = "/elsewhere"', "", []),
        ("[notes]\nenabled = false", "", ["notes.enabled"]),
        ("", "[notes]\nenabled = false", []),
        ("", "[history]\nkeep_days = 3", ["history.keep_days"]),
        ("", "[simulation]\ncan_execute_code = true", ["simulation.can_execute_code"]),
        ("", "[simulation]\ncan_read_sim_hw_status = true", ["simulation.can_read_sim_hw_status"]),
        ("[history]\nkeep_days = 3", "", []),
        ("", '[llm.openai]\nbase_url = "https://x.example"', ["llm.openai.base_url"]),
        ('[llm.openai]\nbase_url = "https://x.example"', "", ["llm.openai.base_url"]),
        ("", '[llm.openai]\nkey_env = "MAIL"', ["llm.openai.key_env"]),
        ("", '[llm.mine]\n"anything.new" = 1', ["llm.mine.anything.new"]),
        ("", '[target.remote]\naddress = "x"', ["target.remote.address"]),
        ("", '[wire.http]\naddress = "http://x.example"', ["wire.http.address"]),
        ("", '[wire.http]\ntimeout = 1.0', ["wire.http.timeout"]),
        ('[wire.usb_hid]\nkeyboard = "/dev/hidg3"', "", ["wire.usb_hid.keyboard"]),
    ],
)  # fmt: skip
def test_what_widens_is_found(before: str, now: str, found: list[str]) -> None:
    assert names(before, now) == found


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ("", "[agent]\nmax_steps = 9\n[window]\ntheme = 'dark'\n[hand]\nmax_rate = 5"),
        ("", '[agent]\npermission = "simulation_only"\nstep = "plan"\nmodel = "offline"\ntarget = "display"'),
        ('[agent]\npermission = "full"', ""),
        ("[hand]\ntakeover = false", "[hand]\ntakeover = true"),
        ("", '[privacy]\nwindows = ["Signal*"]\n[[scope.deny]]\nwindow = "*Bank*"'),
        (RULE + '[[scope.allow]]\nname = "Buy"', RULE),
        ('[agent]\nenvironments = ["files"]', ""),
        ("", '[scope]\napplications = ["gedit"]'),  # an empty list means all
        ("", '[scope]\nminutes = 5\napplications = ["a"]\ninputs = ["open"]'),
        ("[scope]\nminutes = 5", '[scope]\nminutes = 4\napplications = ["a"]'),
        ('[scope]\napplications = ["a", "b"]', '[scope]\napplications = ["b"]\nminutes = 1'),
        (
            '[agent]\nmodel = "openai"',
            '[agent]\nmodel = "openai:other"\n[llm.openai]\nmodel = "x"\ntimeout = 3',
        ),
        ("", "[target.display]\nwidth = 640"),
        ("[simulation]\ncan_execute_code = true", ""),
    ],
)
def test_what_narrows_or_is_harmless_needs_no_yes(before: str, now: str) -> None:
    assert names(before, now) == []


def test_every_setting_there_is_either_widens_or_is_known_to_be_harmless() -> None:
    """A new setting in one of these sections has to be decided on."""
    decided = {
        "agent": {"target", "model", "environments", "step", "permission", "dialect", "max_steps", "timeout"}
        | {"history", "max_actions", "reward_file", "max_tokens", "max_dollars"},
        "hand": {"takeover", "max_rate", "batch_timeout"},
        "window": {
            *("theme", "always_on_top", "previews", "language", "hints", "live_picture", "snap"),
            *("attention", "close_to_tray", "notifications"),
        },
        "secrets": {"values"},
        "privacy": {"windows", "regions"},
        "notes": {"enabled", "folder"},
        "log": {"level", "file"},
        "hotkeys": {"approve", "skip", "edit", "show", "hints"},
        "history": {"keep_days", "keep_megabytes"},
        "simulation": {"can_execute_code", "can_read_sim_hw_status"},
        "endpoint": {"columns", "rows", "font_size", "font", "theme"},
    }
    for name, fields in decided.items():
        assert set(getattr(Config(), name).__struct_fields__) == fields, name
    assert set(Config.__struct_fields__) == {
        *decided,
        "scope",
        "llm",
        "target",
        "wire",
        "environment",
        "path",
        "digest",
        "from_environment",
    }


def test_rights_are_put_back_as_they_were() -> None:
    old = read(
        '[agent]\nmax_steps = 9\n[privacy]\nwindows = ["Signal*"]\n[llm.openai]\nbase_url = "https://a.b"'
    )
    new = read(
        '[agent]\npermission = "full"\nmax_steps = 7\n[llm.openai]\nbase_url = "https://x.y"\ntimeout = 3\n'
        + RULE
    )
    back = with_rights(new, rights_of(old))
    assert rights_of(back) == rights_of(old)
    assert back.agent.max_steps == 7 and back.agent.permission == "restricted"
    assert back.llm == {"openai": {"base_url": "https://a.b", "timeout": 3}}
    assert back.privacy.windows == ("Signal*",) and back.scope.allow == ()


def test_the_package_of_a_plugin_is_a_right(monkeypatch: pytest.MonkeyPatch) -> None:
    packages = {("llm", "mine"): "trial 1.0", ("dialect", "odd"): "trial 1.0"}
    monkeypatch.setattr(plugins, "package_of", lambda family, name: packages.get((family, name), ""))
    text = '[agent]\nmodel = "mine:big"\ndialect = "odd"'
    assert names("", text) == ["agent.model", "plugin.dialect.odd", "plugin.llm.mine"]
    confirmed = rights_of(read(text))
    packages["llm", "mine"] = "other 9"
    assert [each.name for each in widened(confirmed, rights_of(read(text)))] == ["plugin.llm.mine"]
    assert plugins.package_of("llm", "openai") == ""


def test_the_words_say_what_changed_and_hide_nothing() -> None:
    def words(before: Any, text: str) -> str:
        (change,) = widened(before, rights_of(read(text)))
        return change.words

    said = words({}, '[llm.openai]\nbase_url = "https://аpi.openai.com/v1"')  # a Cyrillic а
    assert "pictures of the screen, your words and the key of openai" in said
    assert '"https://\\u0430pi.openai.com/v1"' in said and "Before: not set." in said
    assert "\n" not in words({}, '[llm.x]\nbase_url = "a\\nUse it"')
    long = "https://" + "a" * 3000
    assert long in words({}, f'[llm.x]\nbase_url = "{long}"')


def test_the_digest_is_that_of_the_bytes(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_bytes(b"[agent]\r\nmax_steps = 3\r\n")
    loaded = config.load(path)
    assert loaded.digest == hashlib.sha256(path.read_bytes()).hexdigest()
    path.write_bytes(b"[agent]\nmax_steps = 3\n")
    assert config.load(path).digest != loaded.digest
