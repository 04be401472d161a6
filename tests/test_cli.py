"""The command line is understood strictly; wrong usage says what is wrong and exits with 2."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from desktop_agent.cli import main, parse
from desktop_agent.llm.transport import local_servers
from desktop_agent.protocol.geometry import Rect
from desktop_agent.protocol.ops import OPS, RESERVED
from desktop_agent.protocol.schema import VERSION
from desktop_agent.startup.arguments import Arguments
from desktop_agent.startup.exit_code import USAGE


def test_every_option() -> None:
    words = "--no-window --target display --model offline --step plan --permission full --region 1,-2,300,200 --timeout 2.5 --max-steps 7"
    assert parse([*words.split(), "--config", "a b.toml", "do it"]) == Arguments(
        goal="do it",
        window=False,
        target="display",
        model="offline",
        step="plan",
        permission="full",
        region=Rect(1, -2, 300, 200),
        timeout=2.5,
        max_steps=7,
        config="a b.toml",
    )


def test_a_permission_and_its_limits() -> None:
    words = "--permission allow_actual_input_full --for 10m --in gedit* --in code --with keyboard --with open"
    assert parse(words.split()) == Arguments(
        permission="full",
        grant_minutes=10,
        grant_applications=("gedit*", "code"),
        grant_inputs=("keyboard", "open"),
    )
    assert parse(["--permission", "allow_actual_input_restricted"]).permission == "restricted"
    assert [parse(["--for", each]).grant_minutes for each in ("90s", "2h", "1.5", "24h")] == [
        1.5,
        120,
        1.5,
        1440,
    ]


def test_the_plain_start_opens_the_window() -> None:
    assert parse([]) == Arguments()
    assert parse(["--json"]).window is False


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--resume", "a", "do it"], "either GOAL or --resume"),
        (["--region", "1,2,3"], "X,Y,W,H"),
        (["--region", "0,0,0,5"], "at least 1"),
        (["--timeout", "nan"], "number of seconds"),
        (["--timeout", "0"], "number of seconds"),
        (["--max-steps", "-1"], "whole number"),
        (["--max-steps", "²"], "whole number"),
        (["--step", "maybe"], "invalid choice"),
        (["--permission", "all"], "invalid choice"),
        (["--permission", "allow_actual_input"], "invalid choice"),
        (["--for", "0"], "such as 10m"),
        (["--for", "m"], "such as 10m"),
        (["--for", "nan"], "such as 10m"),
        (["--for", "25h"], "such as 10m"),
        (["--with", "mouse"], "invalid choice"),
        (["  "], "goal is empty"),
        (["one", "two"], "unrecognized"),
        (["--nope"], "unrecognized"),
    ],
)
def test_wrong_usage(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        parse(words)
    assert caught.value.code == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--config", "/nowhere/config.toml"], "does not exist"),
        (["--model", "nope"], "no model called 'nope'"),
        (["--model", "offline:big"], "Say just offline"),
        (["--target", "moon"], "no target called 'moon'"),
        (["--target", "../x11"], "no target called"),
    ],
)
def test_what_is_not_there_is_wrong_usage(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--no-window", *words, "press enter"]) == 2
    assert said in capsys.readouterr().err


def test_the_schema_of_replies_is_printed_with_its_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema"]) == 0
    schema = json.loads(capsys.readouterr().out)
    assert schema["version"] == VERSION and schema["$id"].endswith(f":{VERSION}")
    actions = schema["properties"]["actions"]["items"]["anyOf"]
    assert {each["properties"]["op"]["enum"][0] for each in actions} == set(OPS) - RESERVED
    assert "\\Z" not in json.dumps(schema).replace("\\\\", "\\")
    with pytest.raises(SystemExit):
        main(["schema", "more"])


def test_the_models_are_listed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(local_servers, "PORTS", ())
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test-0123456789")
    assert main(["models", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["models"]
    assert {"anthropic", "openai", "offline", "local", "compatible"} <= {each["use"] for each in listed}
    broken = tmp_path / "config.toml"
    broken.write_text("[agent]\nmax_steps = 0\n")
    assert main(["models", "--config", str(broken)]) == USAGE
    assert "max_steps" in capsys.readouterr().err


def test_help_names_the_plugins_that_are_found(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse(["--help"])
    said = capsys.readouterr().out
    assert "targets: container, display, local" in said and "offline, openai" in said
