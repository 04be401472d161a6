"""Every part that a user gets has its licence told, with its text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from desktop_agent.startup.installation import licences
from desktop_agent.support import resources
from tests.project_copy import ROOT

NAME_AND_MARKER = re.compile(r"^([a-z0-9-]+)==\S+ ?(?:; (.*?))? ?\\$", re.M)
NOT_HERE = {"comtypes", "pywin32-ctypes", "httpx2-jsfetch"}
"""Of the lock, what is for other systems than Linux; on Windows those of Linux are not there."""


def locked() -> set[str]:
    found = NAME_AND_MARKER.findall((ROOT / "requirements" / "app.txt").read_text(encoding="utf-8"))
    assert len(found) > 30
    return {name for name, _ in found}


@pytest.mark.linux("the lock's packages of Linux are installed")
def test_every_distribution_of_the_lock_has_a_licence() -> None:
    told = {licences.normal(part.name): part for part in licences.parts()}
    spdx = licences.notices().spdx
    without = {name for name in locked() if name not in told}
    assert {name for name in without if name in spdx} == without - markers_of_other_pythons()
    assert [name for name in locked() & set(told) if not told[name].licence] == []
    assert [name for name in locked() & set(told) if not told[name].texts] == []
    assert told["python"].texts


def markers_of_other_pythons() -> set[str]:
    """What another version of Python than this one would have."""
    found = NAME_AND_MARKER.findall((ROOT / "requirements" / "app.txt").read_text(encoding="utf-8"))
    return {name for name, marker in found if "python_full_version" in marker and name not in NOT_HERE}


def test_the_duties_of_qt_are_kept() -> None:
    text = licences.text()
    for words in (
        "GNU Lesser General Public License, version 3", "You may replace them", "shared libraries", "pyside-setup",
        "GNU LESSER GENERAL PUBLIC LICENSE", "GNU GENERAL PUBLIC LICENSE", "PySide6_Essentials",
    ):  # fmt: skip
        assert words in text
    for part in licences.parts():
        if part.name.lower().startswith(("pyside6", "shiboken6")):
            assert f"{part.name} {part.version}: LGPL-3.0-only" in text


def test_the_packaged_program_tells_what_was_written_when_it_was_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assets = tmp_path / "assets" / "licences"
    assets.mkdir(parents=True)
    for file in resources.path("licences").iterdir():
        (assets / file.name).write_bytes(file.read_bytes())
    before = licences.parts()
    assert licences.write(assets / licences.WRITTEN) == len(before)
    monkeypatch.setattr(resources, "path", lambda *parts: tmp_path.joinpath("assets", *parts))
    monkeypatch.setattr(licences, "installed", tuple)
    assert licences.parts() == before
