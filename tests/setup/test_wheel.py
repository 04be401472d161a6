"""Wheel and source archive hold the whole program, and what is installed from them works away from the checkout."""

from __future__ import annotations

import json
import subprocess
import sys
import tarfile
import zipfile
from dataclasses import dataclass
from email.parser import Parser
from pathlib import Path

import pytest

from desktop_agent import __version__
from tests.jobs.commands import environment
from tests.support.installed_wheel import (
    PIP,
    SECONDS,
    built_wheel,
    carry_out,
    copied_source,
    installed_wheel,
)

pytestmark = pytest.mark.linux(
    "builds and installs with pip, which the Python of the Windows check does not have"
)

ROOT = Path(__file__).parents[2]
SDIST = "import sys, setuptools.build_meta as build; build.build_sdist(sys.argv[1])"
IN_PLACE = pytest.mark.linux("works in the embedded display")
GOAL = "Open the text editor, type Hello from a wheel and save it as hello.txt in the home folder"


@dataclass(frozen=True)
class Built:
    """The source archive, the wheel of the source, and the wheel of what was in the archive."""

    sdist: Path
    wheel: Path
    again: Path


@dataclass(frozen=True)
class Installed:
    """An environment with the wheel in it; programs run in the folder `home`, which is the user's, too."""

    folder: Path
    home: Path

    def run(self, program: str, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
        fresh = environment(self.home, **more)
        fresh.pop("PYTHONPATH", None)
        return subprocess.run(
            [self.folder / "bin" / program, *words],
            cwd=self.home,
            env=fresh,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Built in a copy that has been used: its environments have byte code beside them."""
    folder = tmp_path_factory.mktemp("build")
    source = copied_source(folder)
    carry_out(
        sys.executable,
        "-I",
        "-m",
        "compileall",
        "-q",
        "-f",
        "desktop_agent/extras/project/assets",
        cwd=source,
    )
    assert list(source.glob("desktop_agent/extras/project/assets/environments/__pycache__/*.pyc"))
    carry_out(sys.executable, "-I", "-c", SDIST, str(folder), cwd=source)
    (sdist,) = folder.glob("*.tar.gz")
    return Built(sdist, built_wheel(source, folder / "wheel"), built_wheel(sdist, folder / "again"))


@pytest.fixture(scope="module")
def installed(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """A new environment."""
    folder = tmp_path_factory.mktemp("installed")
    (folder / "home").mkdir()
    return Installed(installed_wheel(built.wheel, folder / "env"), folder / "home")


def files_of(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_the_wheel_holds_every_module_and_every_asset_and_nothing_else(built: Built) -> None:
    package = ROOT / "desktop_agent"
    modules = [*package.rglob("*.py")]
    modules += (package / "extras/project/orchestrator").rglob(
        "*.json"
    )  # which is all that a sandbox is given
    assets = [path for path in (ROOT / "assets").rglob("*") if path.parent.name != "readme"]
    of_extras = [path for path in package.glob("extras/*/assets/**/*") if path.suffix not in (".py", ".pyc")]
    modules += (path for path in of_extras if path.is_file())
    wanted = {path.relative_to(ROOT).as_posix() for path in modules}
    wanted |= {
        f"desktop_agent/{path.relative_to(ROOT).as_posix()}"
        for path in assets
        if path.is_file() and path.suffix != ".pyc"
    }
    assert {name for name in files_of(built.wheel) if ".dist-info/" not in name} == wanted


def test_the_source_archive_makes_the_same_wheel(built: Built) -> None:
    assert files_of(built.again) == files_of(built.wheel)
    with tarfile.open(built.sdist) as archive:
        assert not [name for name in archive.getnames() if "/tests" in name or "/readme" in name]


def test_the_wheel_asks_for_what_the_program_is_locked_to(built: Built) -> None:
    with zipfile.ZipFile(built.wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith("METADATA"))
        told = Parser().parsestr(archive.read(name).decode())
    asked = (ROOT / "requirements" / "app.in").read_text().splitlines()
    needs = told.get_all("Requires-Dist") or []
    assert [need for need in needs if "extra ==" not in need] == asked
    assert told.get_all("Provides-Extra") == [
        "camera", "console", "containers", "editor", "endpoint", "fleet", "hardware", "local", "mcp", "sandbox", "video",
    ]  # fmt: skip
    assert (told["Version"], told["Requires-Python"]) == (__version__, ">=3.11")


@IN_PLACE
def test_it_is_not_the_checkout_and_lacks_no_package(installed: Installed) -> None:
    where = installed.run("python", "-c", "import desktop_agent; print(desktop_agent.__file__)").stdout
    assert Path(where).is_relative_to(installed.folder)
    check = [*PIP, "--python", str(installed.folder / "bin" / "python"), "check"]
    told = subprocess.run(check, cwd=installed.home, capture_output=True, text=True, timeout=SECONDS).stdout
    assert told and "desktop-agent" not in told, told


@IN_PLACE
def test_it_says_its_version(installed: Installed) -> None:
    assert installed.run("desktop-agent", "--version").stdout == f"desktop-agent {__version__}\n"


@IN_PLACE
def test_the_doctor_looks_at_everything(installed: Installed) -> None:
    ran = installed.run("desktop-agent", "doctor", "--json")
    assert ran.returncode in (0, 1) and not ran.stderr, ran.stderr
    assert json.loads(ran.stdout)["version"] == __version__


@IN_PLACE
def test_the_window_finds_its_icons_and_its_style(installed: Installed) -> None:
    look = (
        "from desktop_agent.ui.run_window import make_app; from desktop_agent.ui.widgets.theme import Theme; "
    )
    look += "app = make_app(); print(app.windowIcon().isNull(), len(Theme().style_sheet()) > 100)"
    ran = installed.run("python", "-c", look, QT_QPA_PLATFORM="offscreen")
    assert ran.stdout == "False True\n", ran.stderr


@IN_PLACE
def test_it_does_a_job(installed: Installed) -> None:
    ran = installed.run("desktop-agent", "--no-window", "--target", "display", "--model", "offline", GOAL)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert (installed.home / "hello.txt").read_text() == "Hello from a wheel"
