"""What ships is found, and nothing that is installed gets its name."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_agent import extras
from desktop_agent.cli import main
from desktop_agent.protocol.errors import ConfigError
from desktop_agent.support import plugins
from desktop_agent.support.plugins import FAMILIES, FamilyName


@pytest.mark.parametrize(
    ("family", "names"),
    [
        ("target", {"display", "local"}),
        ("llm", {"anthropic", "compatible", "local", "offline", "openai", "replay"}),
        ("dialect", {"json"}),
        ("environment", {"files"}),
    ],
)
def test_what_ships_is_found(family: FamilyName, names: set[str]) -> None:
    assert {each.name for each in plugins.built_in(family)} >= names
    assert not {"base", "transport"} & set(plugins.names(family))


@pytest.fixture
def two_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two installed packages with models of one name, and one of them with a target called like ours."""
    for package in ("first", "second"):
        info = tmp_path / f"{package}-1.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1\n")
        (info / "entry_points.txt").write_text(
            f"[{FAMILIES['llm'].group}]\nsame = desktop_agent.llm.replay\n"
            + (f"[{FAMILIES['target'].group}]\nlocal = json\nBad-Name = json\n" if package == "first" else "")
        )
    monkeypatch.syspath_prepend(str(tmp_path))


@pytest.mark.usefixtures("two_packages")
def test_a_name_that_two_packages_use_is_nobodys() -> None:
    found = [each for each in plugins.discover("llm") if each.name == "same"]
    assert [each.package for each in found] == ["first 1", "second 1"]
    assert all(each.module is None and "several" in each.problem for each in found)
    with pytest.raises(ConfigError, match="several installed packages use this name"):
        plugins.load("llm", "same")


@pytest.mark.usefixtures("two_packages")
def test_a_package_cannot_take_the_place_of_ours(caplog: pytest.LogCaptureFixture) -> None:
    found = {each.name: each for each in plugins.discover("target") if each.package}
    assert found["local"].module is None and "no package may replace" in found["local"].problem
    assert "small letters" in found["Bad-Name"].problem
    assert "'local' of first 1 is not used" in caplog.text
    assert plugins.load("target", "local").__name__ == "desktop_agent.targets.local"


def test_an_extra_brings_plugins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room = tmp_path / "trial_room"
    for file, text in {
        "__init__.py": "",
        "commands/__init__.py": "",
        "commands/trial.py": "def main(words): return 7\n",
        "commands/lacking.py": "",
    }.items():
        (room / file).parent.mkdir(parents=True, exist_ok=True)
        (room / file).write_text(text)
    monkeypatch.setattr(extras, "__path__", [*extras.__path__, str(tmp_path)])
    assert "trial_room" in plugins.extras()
    assert {"trial", "doctor"} <= set(plugins.names("command"))
    assert "lacking" not in plugins.names("command")
    assert main(["trial"]) == 7


def test_no_two_built_in_plugins_have_one_name() -> None:
    for family in FAMILIES:
        found = [name for package in plugins._packages(family) for name in plugins._modules_in(package)]
        assert not [name for name in found if not name.startswith("_") and found.count(name) > 1], family
        assert not FAMILIES[family].package.startswith(plugins.EXTRAS), "the program names no extra"
