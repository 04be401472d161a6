"""The locks: every package with version and hash, no address, and nothing imported that is not required."""

from __future__ import annotations

import ast
import importlib.metadata
import re
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LOCKS = sorted((ROOT / "requirements").glob("*.txt"))
UNDER_WINE = {"numpy", "pyside6-essentials", "shiboken6"}
"""What has a version of its own in the lock for Wine, which runs no newer one."""


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_every_requirement_is_pinned_and_hashed_and_nothing_names_an_address(lock: Path) -> None:
    entries = [
        line for line in re.sub(r"\\\n", "", lock.read_text()).splitlines() if line[:1] not in ("#", " ", "")
    ]
    assert entries
    for entry in entries:
        assert re.match(r"[a-z0-9-]+==\S+", entry), entry
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", entry), entry
    assert "://" not in lock.read_text() and not re.search(r"^-", lock.read_text(), re.MULTILINE)


def test_the_locks_agree_with_each_other_and_with_what_is_asked_for() -> None:
    pins: dict[tuple[str, str], str] = {}
    for lock in LOCKS:
        for name, version, marker in re.findall(
            r"^([a-z0-9-]+)==(\S+)(?: ; (.*?))? \\$", lock.read_text(), re.MULTILINE
        ):
            if lock.stem == "windows-check" and name in UNDER_WINE:
                continue
            assert pins.setdefault((name, marker), version) == version, name
    locked = {name for name, _ in pins}
    for asked in (ROOT / "requirements").glob("*.in"):
        for line in asked.read_text().splitlines():
            name = re.match(r"[\w.-]+", line)
            if name and line[0] not in "-#":
                assert re.sub(r"[-_.]+", "-", name[0]).lower() in locked, (
                    f"{asked.name}: {line} is not locked"
                )


@pytest.mark.linux("asks for every package, and some are for Linux alone")
def test_the_program_imports_only_what_the_app_lock_brings_or_an_extra() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = [name for names in project["optional-dependencies"].values() for name in names]
    lines = [*(ROOT / "requirements" / "app.in").read_text().splitlines(), *extras]
    named = (re.match(r"[\w.-]+", line) for line in lines)
    asked = {re.sub(r"[-_.]+", "-", name[0]).lower() for name in named if name}
    packages = importlib.metadata.packages_distributions()
    for module, place in _imports(ROOT / "desktop_agent"):
        if module in sys.stdlib_module_names or module == "desktop_agent":
            continue
        owners = {name.replace("_", "-").lower() for name in packages.get(module, [])}
        assert owners & asked, f"{place} imports {module}, which requirements/app.in does not ask for"


def _imports(folder: Path) -> list[tuple[str, Path]]:
    found = []
    for path in (each for each in folder.rglob("*.py") if "assets" not in each.relative_to(folder).parts):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found += [(alias.name.split(".")[0], path) for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found.append((node.module.split(".")[0], path))
    return found
