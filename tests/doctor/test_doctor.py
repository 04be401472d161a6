"""The doctor on this machine, and on machines where something is missing."""

from __future__ import annotations

import importlib.metadata
import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from desktop_agent.doctor import machine, models, x11_desktop
from desktop_agent.doctor.check import Check
from desktop_agent.doctor.report import show
from desktop_agent.support import plugins, system_packages
from desktop_agent.support.config import Config
from desktop_agent.support.providers import provider_packages
from tests.desk import Desk
from tests.project_copy import ROOT

of_linux = pytest.mark.linux("asks for what Linux has to have")
NO_STORE = {"PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring"}


def _doctor(home: Path, **more: str) -> tuple[int, dict[str, Any], str]:
    """Run `desktop-agent doctor --json` as a fresh user; returns exit code, findings by name, stderr."""
    dropped = ("DISPLAY", "WAYLAND_DISPLAY")
    kept = {k: v for k, v in os.environ.items() if k not in dropped and not k.endswith("_API_KEY")}
    ran = subprocess.run(
        [sys.executable, "-m", "desktop_agent", "doctor", "--json"],
        cwd=ROOT,
        env=kept | {"HOME": str(home), "WIN_PD_OVERRIDE_LOCAL_APPDATA": str(home)} | NO_STORE | more,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=240,
    )
    found = json.loads(ran.stdout)
    return ran.returncode, {check["name"]: check for check in found["checks"]}, ran.stdout + ran.stderr


@of_linux
def test_a_machine_that_was_set_up_is_ready_and_a_key_is_never_shown(tmp_path: Path) -> None:
    code, found, said = _doctor(tmp_path, ANTHROPIC_API_KEY="sk-ant-0123456789abcdef")
    assert code == 0, said
    for name in ("Python", "Python packages", "policy tables", "window", "OCR", "programs", "embedded display",
                 "embedded accessibility", "hand and guard", "model: offline", "config file", "runs folder", "log folder"):  # fmt: skip
        assert found[name]["state"] == "ok", found[name]
    assert found["display"]["state"] == "missing" and found["display"]["mend"]
    assert found["model: openai"]["state"] == "missing" and "OPENAI_API_KEY" in found["model: openai"]["mend"]
    key = found["model: anthropic"]
    assert key["state"] == "ok" and "ANTHROPIC_API_KEY" in key["detail"]
    assert "0123456789" not in said


def test_every_package_of_the_lock_is_looked_for() -> None:
    lines = (ROOT / "requirements" / "app.in").read_text().splitlines()
    here = [line for line in lines if "sys_platform" not in line or f'"{sys.platform}"' in line]
    asked = [name for line in here for name in re.findall(r"^[\w.-]+", line)]
    owners = importlib.metadata.packages_distributions()
    found = {
        owner.lower().replace("_", "-")
        for name in (*machine.MODULES, *provider_packages(), *machine.SYSTEM_MODULES)
        for owner in owners[name]
    }
    assert {name.lower().replace("_", "-") for name in asked} <= found


def test_a_broken_config_file_is_named_and_the_rest_is_still_looked_at(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("[agent]\nmax_steps = 0\n")
    settings, check = machine.config_file(str(file))
    assert settings == Config() and check.needed
    assert check.state == "broken" and f"{file}, line 2" in check.detail and check.mend


def test_a_broken_table_of_a_model_is_a_broken_config(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("[llm.openai]\ntimeout = -1\n")
    assert machine.config_file(str(file))[1].state == "broken"


def compatible(settings: Config) -> Check:
    found = next(each for each in plugins.discover("llm") if each.name == "compatible")
    return models.model(settings, found)


def test_a_server_that_does_not_answer_is_broken_and_its_password_is_not_shown() -> None:
    settings = Config(llm={"compatible": {"model": "m", "base_url": "http://me:hush@127.0.0.1:9/v1"}})
    check = compatible(settings)
    assert check.state == "broken" and "127.0.0.1:9/v1" in check.detail and "hush" not in check.detail
    assert "base_url" in check.mend


def test_a_server_that_listens_is_ok(httpserver: Any) -> None:
    settings = Config(llm={"compatible": {"model": "m", "base_url": httpserver.url_for("/v1")}})
    assert compatible(settings).state == "ok"


def test_no_server_of_ones_own_is_no_fault() -> None:
    assert compatible(Config()).state == "missing"


def test_a_display_is_described_and_not_touched(display: Desk) -> None:
    check = x11_desktop.display(display.environment)
    assert check.state == "ok", check
    assert "1280x800" in check.detail and "XTEST" in check.detail and "RANDR" in check.detail
    assert x11_desktop.accessibility(display.environment).state == "ok"


def test_a_wayland_session_is_told_what_it_cannot_do(display: Desk) -> None:
    check = x11_desktop.display(display.environment | {"WAYLAND_DISPLAY": "wayland-0"})
    assert check.state == "broken" and "Wayland" in check.detail and "--target display" in check.mend


def test_a_display_without_xtest_is_broken(private_server: Mapping[str, str]) -> None:
    check = x11_desktop.display(private_server)
    assert check.state == "broken" and "XTEST (input)" in check.detail


@pytest.fixture
def private_server(tmp_path: Path) -> Any:
    """An X server that cannot be acted on."""
    reader, writer = os.pipe()
    command = ["Xvfb", "-displayfd", str(writer), "-noreset", "-nolisten", "tcp", "-extension", "XTEST"]
    server = subprocess.Popen(command, pass_fds=(writer,), stderr=subprocess.DEVNULL)
    os.close(writer)
    with os.fdopen(reader) as announced:
        number = announced.readline().strip()
    yield {"DISPLAY": f":{number}"}
    server.terminate()
    server.wait()


@of_linux
def test_a_display_that_is_not_there_is_broken() -> None:
    check = x11_desktop.display({"DISPLAY": ":4711"})
    assert check.state == "broken" and check.needed and check.mend


@of_linux
def test_a_session_without_a_bus_has_no_accessibility() -> None:
    assert x11_desktop.accessibility({}).state in ("broken", "missing")


def test_an_input_method_is_told_of() -> None:
    assert not x11_desktop.input_method_checks(
        {"XMODIFIERS": "@im=none", "GTK_IM_MODULE": "xim", "QT_IM_MODULE": ""}
    )
    (note,) = x11_desktop.input_method_checks(
        {"XMODIFIERS": "@im=fcitx", "QT_IM_MODULES": "wayland;fcitx;xim"}
    )
    assert note.state == "ok" and "fcitx gets every key" in note.detail and "Switch it" in note.detail


@of_linux
def test_programs_that_are_missing_are_named_with_the_command(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "apt-get").write_text("#!/bin/sh\n")
    (tmp_path / "apt-get").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    for check in (machine.ocr(), machine.applications(), *x11_desktop.embedded(needed=True)):
        assert check.state == "missing"
        assert "apt-get install --no-install-recommends" in check.mend
    assert "tesseract-ocr" in machine.ocr().mend and "galculator" in machine.applications().mend
    assert "xvfb openbox dbus" in x11_desktop.embedded(needed=True)[0].mend


@of_linux
def test_missing_libraries_of_the_window_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        system_packages,
        "WINDOW",
        (system_packages.Need("libnosuch1", "a test", libraries=("libnosuch.so.1",)),),
    )
    check = machine.window()
    assert check.state == "missing" and "libnosuch.so.1" in check.detail and "libnosuch1" in check.mend


def test_a_folder_that_cannot_be_written_is_broken(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    check = machine.folder("runs", tmp_path / "file" / "runs", needed=True)
    assert check.state == "broken" and check.needed and check.mend


def test_a_full_disk_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "ENOUGH", 1 << 60)
    check = machine.folder("runs", tmp_path, needed=True)
    assert check.state == "broken" and "MB free" in check.detail


def test_people_get_one_line_each_and_how_to_mend(capsys: pytest.CaptureFixture[str]) -> None:
    show((Check("here", "ok", "well"), Check("there", "broken", "torn", "Sew it.", needed=True)), json=False)
    lines = capsys.readouterr().out.splitlines()
    assert "  ok       here   well" in lines and "  broken   there  torn" in lines
    assert "                  → Sew it." in lines
    assert lines[-1] == "Not ready: mend there first."
