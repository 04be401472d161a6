"""A small project that is set up by the real commands: the real scripts, with tiny requirements from a folder."""

from __future__ import annotations

import base64
import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.systems import WINDOWS

ROOT = Path(__file__).parent.parent
SECONDS = 300 if WINDOWS else 240
_ENDING = ".cmd" if WINDOWS else ""

# Shows where it runs, from which environment, and what it was told.
PROGRAM = """
import os, sys
import tiny
def main():
    print(os.getcwd(), sys.prefix, tiny.VERSION, *sys.argv[1:], sep="\\n")
    return 7
if __name__ == "__main__":
    sys.exit(main())
"""
# Stands in for setuptools, which a test cannot fetch: the least that installs a project in place.
BACKEND = """
import os, zipfile
def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    name = "desktop_agent-1-py3-none-any.whl"
    info = "desktop_agent-1.dist-info"
    with zipfile.ZipFile(os.path.join(wheel_directory, name), "w") as wheel:
        wheel.writestr("desktop_agent_place.pth", os.getcwd() + "\\n")
        wheel.writestr(info + "/METADATA", "Metadata-Version: 2.1\\nName: desktop-agent\\nVersion: 1\\n")
        wheel.writestr(info + "/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr(info + "/entry_points.txt",
                       "[console_scripts]\\ndesktop-agent = desktop_agent.__main__:main\\n")
        wheel.writestr(info + "/RECORD", "")
    return name
"""
PYPROJECT = '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'


@dataclass(frozen=True)
class Project:
    """The copy at `root`, its package folder `shelf`, and the environment its commands run in."""

    root: Path
    shelf: Path
    environment: dict[str, str]

    def start(
        self, *words: str, cwd: Path | None = None, program: Path | None = None, **more: str
    ) -> subprocess.CompletedProcess[str]:
        """Run `./WORDS[0] WORDS[1:]` (or with `program` that with all words) to its end."""
        return subprocess.run(
            [program or self.root / f"{words[0]}{_ENDING}", *words[1:]],
            cwd=cwd or self.root,
            env=self.environment | more,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",  # of Windows' set-up, which has the system's encoding
            timeout=SECONDS,
        )

    def begin(self, *words: str) -> subprocess.Popen[str]:
        """The same, without waiting; in a process group of its own."""
        return subprocess.Popen(
            [self.root / f"{words[0]}{_ENDING}", *words[1:]],
            cwd=self.root,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,
        )

    def require(self, version: str, lock: str = "app.txt", name: str = "tiny", hash: str = "") -> None:
        """Put a package on the shelf and lock it (to `hash`, when one is given)."""
        wheel = make_wheel(self.shelf, name, version)
        digest = hash or hashlib.sha256(wheel.read_bytes()).hexdigest()
        (self.root / "requirements" / lock).write_text(f"{name}=={version} --hash=sha256:{digest}\n")

    def need(self, text: str) -> None:
        """Replace the list of system packages."""
        with (self.root / "desktop_agent" / "support" / "system_packages.py").open("a") as file:
            file.write(f"\nSETS = dict.fromkeys(SETS, ({text}))\n")

    def copy_environment(self, made: Path) -> None:
        """Have the set-up copy a virtual environment that is there, in place of making one, which takes Python seconds."""
        base = self.root.parent / "base python"
        base.write_text(
            f'#!/bin/sh\n[ "$3" = venv ] && exec cp -a "{made}" "$4"\nexec "{sys._base_executable}" "$@"\n'  # type: ignore[attr-defined]
        )
        base.chmod(0o755)
        script = self.root / "scripts" / "set_up.py"
        chosen = f"import os\nimport sys\nsys._base_executable = {str(base)!r}\n"
        script.write_text(script.read_text().replace("import os\n", chosen, 1))

    @property
    def log(self) -> str:
        return (self.root / ".setup" / "log").read_text()


def make_project(folder: Path, environ: Mapping[str, str]) -> Project:
    """Copy the scripts into `folder`, beside a tiny program, and lock one package."""
    root = folder / "a project"
    shelf = folder / "shelf"
    for name in ("scripts", "requirements", "desktop_agent"):
        (root / name).mkdir(parents=True)
    shelf.mkdir()
    starts = [f"{name}{_ENDING}" for name in ("run", "test", "bench")]
    for each in (*starts, *(f"scripts/{path.name}" for path in (ROOT / "scripts").glob("*"))):
        if (ROOT / each).is_file():
            shutil.copy(ROOT / each, root / each)
    support = Path("desktop_agent", "support")
    (root / support).mkdir()
    for name in ("system_packages.py", "operating_system.py"):
        shutil.copy(ROOT / support / name, root / support / name)
    for package in ("desktop_agent", "desktop_agent/support"):
        (root / package / "__init__.py").write_text("")
    (root / "desktop_agent" / "__main__.py").write_text(PROGRAM)
    (root / "backend.py").write_text(BACKEND)
    (root / "pyproject.toml").write_text(PYPROJECT)
    for lock in ("build", "dev", "model"):
        (root / "requirements" / f"{lock}.txt").write_text("")
    kept = {
        name: value
        for name, value in environ.items()
        if not name.startswith(("PIP_", "PYTHON", "VIRTUAL_ENV"))
    }
    offline = {"PIP_CONFIG_FILE": os.devnull, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": shelf.as_uri()}
    project = Project(root, shelf, kept | offline)
    project.require("1.0")
    project.need("")
    return project


def make_wheel(folder: Path, name: str, version: str) -> Path:
    """A wheel of one module that knows its version."""
    path = folder / f"{name}-{version}-py3-none-any.whl"
    info = f"{name}-{version}.dist-info"
    files = {
        f"{name}.py": f"VERSION = {version!r}\n",
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(f"{file},{_digest(text)},{len(text)}\n" for file, text in files.items())
    with zipfile.ZipFile(path, "w") as wheel:
        for file, text in {**files, f"{info}/RECORD": f"{record}{info}/RECORD,,\n"}.items():
            wheel.writestr(file, text)
    return path


def _digest(text: str) -> str:
    raw = hashlib.sha256(text.encode()).digest()
    return "sha256=" + base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
