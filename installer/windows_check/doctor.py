"""The one command for a real Windows, `doctor --deep`, on this one: what it can show here has to be well."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from installer.windows_check.app import END_SECONDS, Lab, until
from installer.windows_check.outcome import Broken
from installer.windows_check.scenes import expect

SECONDS = 240.0
WELL = (
    "Python", "Python packages", "window", "display", "hand", "model: offline", "key store", "config file",
    "runs folder", "log folder", "rights", "key store entry", "own windows", "monitor 1", "typing", "own Esc",
    "Esc stops", "hand killed",
)  # fmt: skip
"""What must be ok: all that belongs to the program, and all of a Windows that Wine has."""
NOT_SHOWN = ("elements",)
"""UI Automation: whatever is found is said, and under Wine nothing follows from it."""
WITH_KEY = "import keyring; keyring.set_password('desktop-agent', 'anthropic', 'sk-ant-made-up-for-a-check')"
WITHOUT_KEY = "import keyring; keyring.delete_password('desktop-agent', 'anthropic')"


def deep(lab: Lab) -> str:
    """It takes the desktop, says what it found, and leaves nothing behind; a key in the key store is found."""
    with _stored_key(lab):
        ran = lab.run("doctor", "--deep", "--yes", "--json", seconds=SECONDS)
    found = findings(ran.stdout)
    wrong = [_words(found.get(name), name) for name in WELL if found.get(name, {}).get("state") != "ok"]
    expect(not wrong, f"not ok: {'; '.join(wrong)}")
    key = found["model: anthropic"]["detail"]
    expect("key in the system's key store" in key, f"the stored key was not found: {key}")
    shown = all(found[name]["state"] == "ok" for name in NOT_SHOWN)
    expect(ran.returncode == (0 if shown else 1), f"exit code {ran.returncode}")
    until(lambda: not lab.ours(), "the end of all its processes", END_SECONDS)
    expect(not lab.probe.held(), f"virtual keys {lab.probe.held()} are held")
    return "; ".join(
        [f"{len(WELL)} findings ok, key found", *(_words(found[name], name) for name in NOT_SHOWN)]
    )


def findings(said: str) -> dict[str, dict[str, Any]]:
    """What was found, by name. Raises Broken when it is not what the doctor says with --json."""
    try:
        told, _ = json.JSONDecoder().raw_decode(said, said.index("{"))
        return {each["name"]: each for each in told["checks"]}
    except (ValueError, KeyError, TypeError):
        raise Broken(f"the doctor said {said[-800:]!r}") from None


def _words(found: dict[str, Any] | None, name: str) -> str:
    return f"{name}: {found['state']}, {found['detail']}" if found else f"{name}: not looked at"


@contextmanager
def _stored_key(lab: Lab) -> Iterator[None]:
    """A key in Windows' own key store for a while."""
    stored = lab.machine.run([lab.machine.python, "-c", WITH_KEY], END_SECONDS)
    expect(stored.returncode == 0, f"the key store takes no key: {stored.stdout[-500:]}")
    try:
        yield
    finally:
        lab.machine.run([lab.machine.python, "-c", WITHOUT_KEY], END_SECONDS)
