"""System packages: what is missing, who may install it, and what is said when nobody may."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from desktop_agent.support import system_packages
from scripts import stamps
from tests.project_copy import Project, make_project

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="apt is Linux's")

NEED = "Need('the-thing', 'a test', programs=('the-thing',), essential=%s),"
SUDO = '#!/bin/sh\n[ "$1" = -n ] && shift\nexec "$@"\n'
REFUSING_SUDO = "#!/bin/sh\nexit 1\n"
# An apt whose archive has one package; installing it puts its program into PATH.
APT_CACHE = '#!/bin/sh\n[ -e "$LISTS" ] && printf "the-thing:\\n  Candidate: 1.0\\n"\nexit 0\n'
APT_GET = """#!/bin/sh
echo "$@" >> "$TOOLS/said"
case "$*" in
    *update*) : > "$LISTS" ;;
    *install*the-thing*) [ -e "$TOOLS/broken" ] && exit 100; printf '#!/bin/sh\\n' > "$TOOLS/the-thing"
        chmod +x "$TOOLS/the-thing" ;;
esac
"""


class Machine:
    """A project on a machine whose apt, sudo and user are stood in for."""

    def __init__(self, folder: Path, made_environment: Path) -> None:
        self.tools = folder / "tools"
        self.tools.mkdir()
        self.project: Project = make_project(folder, os.environ)
        self.project.copy_environment(made_environment)
        path = f"{self.tools}:{self.project.environment['PATH']}"
        self.project.environment.update(PATH=path, TOOLS=str(self.tools), LISTS=str(self.tools / "lists"))
        self.tool("apt-get", APT_GET)
        self.tool("apt-cache", APT_CACHE)
        self.tool("dpkg", "#!/bin/sh\n")
        self.project.need(NEED % True)

    def tool(self, name: str, text: str) -> None:
        (self.tools / name).write_text(text)
        (self.tools / name).chmod(0o755)

    def be_nobody(self) -> None:
        """Let the set-up believe that it does not run as root."""
        script = self.project.root / "scripts" / "set_up.py"
        script.write_text(
            script.read_text().replace("import os\n", "import os\nos.geteuid = lambda: 1000\n", 1)
        )

    @property
    def said(self) -> str:
        """What apt-get was told."""
        file = self.tools / "said"
        return file.read_text() if file.exists() else ""


@pytest.fixture
def machine(tmp_path: Path, made_environment: Path) -> Machine:
    return Machine(tmp_path, made_environment)


def test_what_is_missing_is_installed_once(machine: Machine) -> None:
    machine.be_nobody()
    machine.tool("sudo", SUDO)
    first = machine.project.start("run")
    assert first.returncode == 7, first.stderr
    assert first.stderr.startswith("Setting up once: system packages … Python packages … done in ")
    assert "update" in machine.said and "install -y --no-install-recommends the-thing" in machine.said
    once = machine.said
    assert machine.project.start("run").stderr == "" and machine.said == once


def test_lists_that_offer_everything_are_not_fetched_again(machine: Machine) -> None:
    machine.be_nobody()
    machine.tool("sudo", SUDO)
    (machine.tools / "lists").touch()
    assert machine.project.start("run").returncode == 7
    assert "update" not in machine.said


def test_without_the_right_to_install_one_message_names_packages_and_command(machine: Machine) -> None:
    machine.be_nobody()
    machine.tool("sudo", REFUSING_SUDO)
    ran = machine.project.start("run")
    assert ran.returncode == 1 and not machine.said
    assert ran.stderr.strip().splitlines() == [
        "System packages are missing. Install them with",
        "    sudo apt-get update && sudo apt-get install --no-install-recommends the-thing",
        "and start again.",
    ]
    assert not (machine.project.root / ".venv").exists()


def test_the_doctor_is_started_all_the_same_but_nothing_else(machine: Machine) -> None:
    machine.be_nobody()
    machine.tool("sudo", REFUSING_SUDO)
    assert machine.project.start("run", "doctor").returncode == 7
    assert machine.project.start("run").returncode == 1


def test_what_is_only_useful_does_not_hold_the_start_up(machine: Machine) -> None:
    machine.project.need(NEED % False)
    machine.be_nobody()
    machine.tool("sudo", REFUSING_SUDO)
    first = machine.project.start("run")
    assert first.returncode == 7 and "the-thing" in first.stderr and "Going on without." in first.stderr
    assert machine.project.start("run").stderr == "", "it is told once"


def test_an_archive_without_the_package_is_told_and_not_fatal(machine: Machine) -> None:
    machine.project.need(NEED.replace("the-thing", "unheard-of") % False)
    machine.be_nobody()
    machine.tool("sudo", SUDO)
    ran = machine.project.start("run")
    assert ran.returncode == 7
    assert "This system's archive does not have unheard-of" in ran.stderr


def test_when_apt_fails_the_log_is_named(machine: Machine) -> None:
    machine.be_nobody()
    machine.tool("sudo", SUDO)
    (machine.tools / "broken").touch()
    ran = machine.project.start("run")
    assert ran.returncode == 1
    assert "apt-get could not install the-thing" in ran.stderr
    assert str(machine.project.root / ".setup" / "log") in ran.stderr
    (machine.tools / "broken").unlink()
    assert machine.project.start("run").returncode == 7


def test_a_system_without_apt_is_told_the_names(machine: Machine, tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    bare.mkdir()
    for name in ("readlink", "python3"):
        (bare / name).symlink_to(sys.executable if name == "python3" else "/usr/bin/readlink")
    ran = machine.project.start("run", PATH=str(bare))
    assert ran.returncode == 1
    assert "no apt" in ran.stderr and "the-thing" in ran.stderr


@pytest.mark.parametrize(
    ("what", "words", "display", "expected"),
    [
        ("run", [], ":0", "desktop"),
        ("run", [], "", "embedded"),
        ("run", ["--target", "display"], ":0", "embedded"),
        ("run", ["--target=display", "goal"], ":0", "embedded"),
        ("run", ["--target", "local"], ":0", "desktop"),
        ("bench", [], ":0", "tests"),
        ("test", [], ":0", "tests"),
        ("test", ["all"], ":0", "tests"),
        ("test", ["lint"], ":0", "app"),
        ("test", ["fix"], ":0", "app"),
        ("check_windows", [], ":0", "embedded"),
    ],
)
def test_the_embedded_display_is_set_up_only_where_it_is_used(
    what: str, words: list[str], display: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setenv("DISPLAY", display)
    assert stamps.stages_of(what, words)[0] == expected


def test_this_machine_has_what_the_tests_need() -> None:
    assert system_packages.missing(system_packages.SETS["tests"]) == ()


def test_what_is_not_there_is_missing() -> None:
    nowhere = system_packages.Need("p", "", programs=("no-such-program", "/no/such/file"))
    nothing = system_packages.Need("l", "", libraries=("libc.so.6", "libnosuch.so.1"))
    there = system_packages.Need("c", "", libraries=("libc.so.6",))
    assert system_packages.missing((nowhere, nothing, there)) == (nowhere, nothing)
