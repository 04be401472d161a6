"""Packs what a report of a failure needs into a zip, without secrets: the run's log, settings, versions, the doctor's report.

Every text goes through the redactor, settings with secret names lose their values, and what looks like a key of a known
maker is taken out even where nobody told that it is one. Pictures are only in it when they were asked for.
"""

from __future__ import annotations

import importlib.metadata
import os
import platform
import re
import subprocess
import tomllib
import zipfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from desktop_agent import __version__
from desktop_agent.history.exporting.export_file import written_whole
from desktop_agent.history.logged_run import LoggedRun
from desktop_agent.history.run_picture_files import picture_bytes
from desktop_agent.history.run_story import story_of
from desktop_agent.redaction.redactor import FOUND, Redactor, redactor
from desktop_agent.redaction.secret_reference import is_secret, without_secrets
from desktop_agent.support.child_command import WITHOUT_CONSOLE, command
from desktop_agent.support.providers import provider_packages

LAST_PICTURES = 5
_DOCTOR_SECONDS = 90
_PACKAGES = (
    "PySide6-Essentials",
    "msgspec",
    "mss",
    "numpy",
    "pillow",
    "xcffib",
    "comtypes",
)
_KEY = re.compile(
    r"\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}|\bgh[opsu]_[A-Za-z0-9]{20,}|\bgithub_pat_\w{20,}|\bAKIA[0-9A-Z]{16}\b"
    r"|\bAIza[\w-]{30,}|\bxox[abprs]-[\w-]{10,}|\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)",
    re.DOTALL,
)
_AFTER = re.compile(
    r"(?i)\b(bearer\s+|(?:password|passwd|api[_-]?key|token|secret)\s*[=:]\s*)([^\s\"'\\,;&]{4,})"
)


def write_failure_bundle(
    run: LoggedRun,
    path: Path,
    *,
    settings: Path | None = None,
    pictures: bool = False,
    replace: bool = False,
    doctor: Callable[[], str] | None = None,
) -> None:
    """Write the bundle at `path`; `settings` is the config file, `doctor` gives its report (None: it is run). Raises ExportError."""
    report = (doctor or doctor_report)()
    with (
        written_whole(path, replace=replace) as part,
        zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as bundle,
    ):
        bundle.writestr("README.txt", _about(run, pictures))
        bundle.writestr("events.jsonl", _log_lines(run))
        bundle.writestr("settings.json", _json(_settings(settings)))
        bundle.writestr("versions.json", _json(_versions()))
        bundle.writestr("doctor.json", safe_text(report))
        for name, data in _last_pictures(run) if pictures else ():
            bundle.writestr(name, data)


def safe_text(text: str, cleaner: Redactor | None = None) -> str:
    """A text without known secrets, what looks like a key or follows a word such as `password=`, and the home folder's name."""
    text = (cleaner or redactor()).clean(text)
    text = _AFTER.sub(lambda found: found[1] + FOUND, _KEY.sub(FOUND, text))
    home = str(Path.home())
    return text.replace(home, "~") if len(home) > 1 else text


def safe_data(value: Any) -> Any:
    """Plain data with every text made safe, and no value under a secret's name."""
    match value:
        case str():
            return safe_text(value)
        case dict():
            return {
                safe_text(str(key)): FOUND
                if is_secret(str(key)) and isinstance(each, str)
                else safe_data(each)
                for key, each in value.items()
            }
        case list() | tuple():
            named = [False, *(isinstance(each, str) and _is_option(each) for each in value)]
            return [
                FOUND if after and isinstance(each, str) else safe_data(each)
                for each, after in zip(value, named, strict=False)
            ]
    return value


def _is_option(word: str) -> bool:
    """Is it `--api-key`, whose value comes next?"""
    return word.startswith("-") and "=" not in word and is_secret(word.replace("-", "_"))


def _log_lines(run: LoggedRun) -> bytes:
    """The records without secrets; a chain of other lines would not be true any more, so it is left out."""
    lines = ({"seq": r.seq, "time": r.time, "kind": r.kind, "data": safe_data(r.data)} for r in run.records)
    return b"".join(msgspec.json.encode(each) + b"\n" for each in lines)


def _settings(path: Path | None) -> Mapping[str, Any]:
    if path is None:
        return {}
    try:
        found: Mapping[str, Any] = safe_data(tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError) as error:
        return {"unreadable": safe_text(str(error))}
    return found


def _versions() -> Mapping[str, Any]:
    found = {"desktop-agent": __version__, "python": platform.python_version(), "system": platform.platform()}
    for name in (*_PACKAGES, *provider_packages()):
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def doctor_report() -> str:
    """What `desktop-agent doctor --json` says, in a process of its own; why there is none where it says nothing."""
    try:
        done = subprocess.run(
            command("doctor", "--json"),
            env=without_secrets(os.environ),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_DOCTOR_SECONDS,
            check=False,
            creationflags=WITHOUT_CONSOLE,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"The doctor could not be asked: {error}"
    return done.stdout.decode("utf-8", "replace") or done.stderr.decode("utf-8", "replace")


def _last_pictures(run: LoggedRun) -> Iterable[tuple[str, bytes]]:
    for each in story_of(run).pictures[-LAST_PICTURES:]:
        if data := picture_bytes(run.folder, each):
            yield each.file, data


def _about(run: LoggedRun, pictures: bool) -> str:
    trouble = "".join(f"- {each}\n" for each in run.trouble)
    shown = "The last pictures of the screen are in it." if pictures else "No picture of the screen is in it."
    return safe_text(
        f"What desktop-agent {__version__} recorded of the run {run.name}, for a report of a failure.\n"
        "Known secrets, and what looks like one, were taken out. Please look through it before you send it.\n"
        f"{shown}\n{trouble}"
    )


def _json(value: object) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"
