"""An installed package brings one plug-in of each family; those of it that are broken harm nothing."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.project_copy import ROOT
from tests.support.trusted_config import trusted

pytestmark = pytest.mark.linux(
    "builds and installs with pip, which the Python of the Windows check does not have"
)

SECONDS = 240
CONTRACT = "tests/contract"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for PYTHONPATH with the trial package in it."""
    made = tmp_path_factory.mktemp("trial")
    source = shutil.copytree(ROOT / CONTRACT / "trial_package", made / "source")
    pip = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "--no-index",
    ]
    subprocess.run([*pip, "--target", made / "site", source], check=True, timeout=SECONDS)
    return made / "site"


def run(installed: Path, home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """A Python program of this project, as a fresh user with the package installed."""
    left = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    return subprocess.run(
        [sys.executable, "-m", *words],
        cwd=ROOT,
        env=left
        | {
            "PYTHONPATH": str(installed),
            "HOME": str(home),
            "XDG_DATA_HOME": str(home / "data"),
            "XDG_CONFIG_HOME": str(home / "config"),
            "WIN_PD_OVERRIDE_LOCAL_APPDATA": str(home),
            "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring",
        },
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


def test_help_names_what_is_installed(installed: Path, tmp_path: Path) -> None:
    said = run(installed, tmp_path, "desktop_agent", "--help").stdout
    models = next(line for line in said.splitlines() if line.startswith("models:"))
    assert "trial" in models and "openai" in models and "broken" not in models
    assert "trial" in next(line for line in said.splitlines() if line.startswith("targets:"))


def test_the_doctor_lists_what_is_installed_and_what_is_broken(installed: Path, tmp_path: Path) -> None:
    done = run(installed, tmp_path, "desktop_agent", "doctor", "--json")
    found: dict[str, Any] = {each["name"]: each for each in json.loads(done.stdout)["checks"]}
    for name in ("target: trial", "model: trial", "dialect: trial", "environment: trial"):
        assert found[name]["state"] == "ok" and "desktop-agent-trial 1.0" in found[name]["detail"]
    said = {
        "model: openai": "no package may replace",
        "model: broken": "RuntimeError: broken on purpose",
        "dialect: empty": "does not define parse and prompt",
        "environment: gone": "ModuleNotFoundError",
    }
    for name, words in said.items():
        check = found[f"{name} of desktop-agent-trial 1.0"]
        assert check["state"] == "broken" and words in check["detail"] and check["mend"]
    assert found["model: openai"]["state"] == "missing"  # ours, which lacks a key
    assert not any(each["needed"] and each["state"] != "ok" for each in found.values()) or done.returncode


@pytest.mark.parametrize(
    ("target", "dialect"),
    [
        pytest.param("display", "auto", marks=pytest.mark.linux("works on an embedded display")),
        pytest.param("display", "json", marks=pytest.mark.linux("works on an embedded display")),
        ("trial", "trial"),
    ],
)
def test_a_run_with_the_installed_model(installed: Path, tmp_path: Path, target: str, dialect: str) -> None:
    config = tmp_path / "mine.toml"
    config.write_text(
        f'[agent]\ndialect = "{dialect}"\nenvironments = ["trial", "files"]\n[llm.trial]\nsummary = "It is tried."\n'
    )
    words = ("--json", "--target", target, "--model", "trial", *trusted(config), "try it")
    done = run(installed, tmp_path, "desktop_agent", *words)
    assert done.returncode == 0, done.stdout + done.stderr
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert {"type": "done", "summary": "It is tried."}.items() <= next(
        each for each in events if each["type"] == "done"
    ).items()


@pytest.mark.parametrize(("model", "calls"), [("trial_class", 2), ("trial_function", 1)])
def test_a_class_and_a_function_that_only_call_run_an_agent(
    installed: Path, tmp_path: Path, model: str, calls: int
) -> None:
    words = ("--json", "--target", "trial", "--model", model, "try it")
    ran = run(installed, tmp_path, "desktop_agent", *words)
    # Nothing shows whether it is done, so the user is asked, and nobody is there.
    assert ran.returncode == 4, ran.stdout + ran.stderr
    events = [json.loads(line) for line in ran.stdout.splitlines()]
    (question,) = (each["text"] for each in events if each["type"] == "question")
    assert f"Called {calls} times." in question and "could not check" in question


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ('[agent]\nmodel = "broken"\n', "broken on purpose"),
        ('[agent]\ndialect = "empty"\n', "does not define parse and prompt"),
        ('[agent]\nenvironments = ["gone"]\n', "not_there"),
        ('[agent]\nmodel = "trial"\n[llm.trial]\nsumary = "x"\n', "line 4: llm.trial.sumary"),
        (
            '[agent]\nenvironments = ["files"]\n[environment.files]\nfolder = 3\n',
            "line 4: environment.files.folder",
        ),
    ],
)
def test_what_cannot_be_used_is_wrong_usage_with_the_reason(
    installed: Path, tmp_path: Path, setting: str, words: str
) -> None:
    config = tmp_path / "mine.toml"
    config.write_text(setting)
    done = run(installed, tmp_path, "desktop_agent", "--no-window", *trusted(config), "try it")
    assert done.returncode == 2 and words in done.stderr and "Traceback" not in done.stderr


def test_the_installed_plugins_keep_the_contract(installed: Path, tmp_path: Path) -> None:
    files = [f"{CONTRACT}/test_{family}.py" for family in ("targets", "models", "dialects", "environments")]
    done = run(installed, tmp_path, "pytest", "-q", "-k", "trial", "-p", "no:cacheprovider", *files)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout and "failed" not in done.stdout
