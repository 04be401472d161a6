"""Checks Python, its packages, the policy's tables, the window toolkit, text recognition, everyday programs, the config file and the folders."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from desktop_agent.doctor.check import Check
from desktop_agent.protocol.errors import ConfigError
from desktop_agent.support import child_command, config, plugins, system_packages
from desktop_agent.support import paths as places
from desktop_agent.support.config import Config
from desktop_agent.support.operating_system import LINUX, WINDOWS
from desktop_agent.support.providers import provider_packages

OLDEST = (3, 11)
SECONDS = 60.0
MODULES = (
    "PySide6",
    "msgspec",
    "mss",
    "numpy",
    "PIL",
    "h11",
    "httpx2",
    "idna",
    "keyring",
    "platformdirs",
    "publicsuffixlist",
    "tomlkit",
    "watchdog",
)
SYSTEM_MODULES = ("comtypes",) if WINDOWS else ("jeepney", "xcffib") if LINUX else ()
"""Those of this system alone."""
ENOUGH = 200_000_000
"""Bytes a run of an hour may need for its pictures."""


def checks() -> Sequence[Check]:
    """The findings on Python, packages and programs; `config_file` and `folders` are checks of their own."""
    return [
        python(),
        packages(),
        policy(),
        window(),
        ocr(),
        *([applications()] if LINUX else []),
    ]


def python() -> Check:
    """The interpreter's version."""
    version = sys.version.split()[0]
    if sys.version_info < OLDEST:
        return Check("Python", "broken", version, "Install Python 3.11 or newer.", needed=True)
    return Check("Python", "ok", f"{version} in {sys.prefix}", needed=True)


def packages() -> Check:
    """Whether every Python package that the program needs is installed (other checks tell whether it works)."""
    wanted = (*MODULES, *provider_packages(), *SYSTEM_MODULES)
    absent = [name for name in wanted if importlib.util.find_spec(name) is None]
    if absent:
        return Check(
            "Python packages", "missing", ", ".join(absent), child_command.set_up_again(), needed=True
        )
    return Check("Python packages", "ok", f"all {len(wanted)} are installed", needed=True)


def policy() -> Check:
    """Whether the tables of the policy (words on buttons, names of programs) are whole."""
    from desktop_agent.policy.facts import policy_tables

    try:
        count = policy_tables.check()
    except ConfigError as error:
        return Check("policy tables", "broken", error.message, error.advice, needed=True)
    return Check("policy tables", "ok", f"all {count} are whole", needed=True)


def window() -> Check:
    """Whether Qt and all of the window's code load: tried in a process without a screen, as Qt aborts when it fails."""
    lacking = system_packages.missing(system_packages.WINDOW)
    if lacking:
        names = ", ".join(name for need in lacking for name in need.libraries)
        return Check("window", "missing", f"libraries {names}", system_packages.advice(lacking), needed=True)
    try:
        ran = subprocess.run(
            child_command.command("_qt"),
            env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            creationflags=child_command.WITHOUT_CONSOLE,
        )
    except subprocess.TimeoutExpired:
        return Check("window", "broken", f"Qt did not start within {SECONDS:.0f} s", needed=True)
    if ran.returncode != 0:
        last = (ran.stderr.strip().splitlines() or ["Qt ended without a word"])[-1]
        return Check("window", "broken", last, child_command.set_up_again(), needed=True)
    return Check("window", "ok", f"Qt {ran.stdout.strip()}", needed=True)


def ocr() -> Check:
    """Tesseract and its languages."""
    lacking = system_packages.missing((system_packages.OCR,))
    if lacking:
        return Check("OCR", "missing", "tesseract is not installed", system_packages.advice(lacking))
    command = ["tesseract", "--list-langs"]
    ran = subprocess.run(
        command, capture_output=True, text=True, check=False, creationflags=child_command.WITHOUT_CONSOLE
    )
    languages = [line.strip() for line in (ran.stdout + ran.stderr).splitlines()[1:] if line.strip()]
    if ran.returncode != 0 or not [each for each in languages if each != "osd"]:
        mend = system_packages.advice((system_packages.OCR._replace(package="tesseract-ocr-eng"),))
        return Check("OCR", "broken", "tesseract has no languages", mend)
    return Check("OCR", "ok", f"tesseract reads {', '.join(languages)}")


def applications() -> Check:
    """The everyday programs that the examples work with."""
    lacking = system_packages.missing(system_packages.APPS)
    there = [need.package for need in system_packages.APPS if need not in lacking]
    if lacking:
        return Check(
            "programs", "missing", ", ".join(n.package for n in lacking), system_packages.advice(lacking)
        )
    return Check("programs", "ok", ", ".join(there))


# ---- what the program writes and reads ---------------------------------------------------------


def config_file(explicit: str | None) -> tuple[Config, Check]:
    """The settings (the defaults when they cannot be read) and how the file is."""
    try:
        path = config.find_file(explicit, places.of_config())
        settings = config.load(path)
        for family in config.TABLES:
            for name in getattr(settings, family):
                module = plugins.load(family, name)
                config.options(settings, family, name, module.Options)
    except ConfigError as error:
        return Config(), Check("config file", "broken", error.message, error.advice, needed=True)
    return settings, Check("config file", "ok", str(path) if path else "none, so the defaults count")


def folders() -> Sequence[Check]:
    """The folder of the runs, without which nothing may be done, and that of the log."""
    return [
        folder("runs", places.data() / "runs", needed=True),
        folder("log", places.logs(), needed=False),
    ]


def folder(name: str, path: Path, needed: bool) -> Check:
    """Whether files can be written there, and the space that is left."""
    title = f"{name} folder"
    try:
        path.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path) as file:
            file.write(b"\0" * 4096)
        free = shutil.disk_usage(path).free
    except OSError as error:
        return Check(
            title, "broken", f"{path}: {error.strerror}", "Give yourself the right to write there.", needed
        )
    if free < ENOUGH:
        return Check(title, "broken", f"{path}: only {free // 1_000_000} MB free", "Free some space.", needed)
    return Check(title, "ok", f"{path}, {free / 1e9:.0f} GB free", needed=needed)
