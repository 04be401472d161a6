"""A base image for sandboxes without a registry: the Debian packages that are installed here, by their own lists of files."""

from __future__ import annotations

import io
import subprocess
import tarfile
from collections.abc import Iterator
from pathlib import Path

from docker import DockerClient
from docker.errors import ImageNotFound

from tests.support.container_engines import NoEngine

NAME = "localhost/desktop-agent-base:latest"
PACKAGES = (
    "tigervnc-standalone-server", "openbox", "xterm", "bash", "dash", "bsdutils", "util-linux", "coreutils", "findutils", "grep", "sed",
    "procps", "python3-minimal", "git", "libc-bin", "xkb-data", "x11-xkb-utils", "x11-xserver-utils", "fonts-dejavu-core", "mount", "iproute2",
)  # fmt: skip
_CLOSURE = ("--recurse", "--installed", *(f"--no-{each}" for each in ("recommends", "suggests", "conflicts", "breaks", "replaces", "enhances")))  # fmt: skip
_LEFT_OUT = ("/usr/share/doc/", "/usr/share/man/", "/usr/share/locale/", "/usr/share/info/", "/usr/share/lintian/", "/usr/share/bash-completion/", "/usr/lib/gcc/", "/usr/share/poppler/", "/usr/share/icons/", "/usr/share/ghostscript/")  # fmt: skip
_UNUSED = ("/dri/", "libLLVM", "libz3.", "libgs.", "libx265.", "/gconv/")
"""What only an accelerated screen, printing or films need."""
_MADE = {
    "etc/passwd": "root:x:0:0:root:/root:/bin/bash\nnobody:x:65534:65534:nobody:/:/usr/sbin/nologin\n",
    "etc/group": "root:x:0:\n",
}

_FOLDERS = {"tmp": 0o1777, "proc": 0o555, "sys": 0o555, "dev": 0o755, "root": 0o700, "home": 0o755}

_PROGRAMS = ("Xtigervnc", "openbox", "xterm", "script", "python3", "apt-cache", "dpkg")


def imported(client: DockerClient) -> str:
    """The name of the image, brought into the engine where it is not there. Raises NoEngine where this machine lacks what is in it."""
    if missing := [each for each in _PROGRAMS if not Path("/usr/bin", each).exists()]:
        raise NoEngine(f"no base image can be made here: {', '.join(missing)} is not installed")
    try:
        client.images.get(NAME)
    except ImageNotFound:
        repository, _, tag = NAME.rpartition(":")
        client.api.import_image_from_data(_archive(), repository=repository, tag=tag)
    return NAME


def _archive() -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as tar:
        for path in sorted(set(_files()) - {f"/{each}" for each in (*_MADE, *_FOLDERS)}):
            tar.add(path, arcname=path.lstrip("/"), recursive=False)
        for name, text in _MADE.items():
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(text), 0o644
            tar.addfile(entry, io.BytesIO(text.encode()))
        for name, mode in _FOLDERS.items():
            entry = tarfile.TarInfo(name)
            entry.type, entry.mode = tarfile.DIRTYPE, mode
            tar.addfile(entry)
    return out.getvalue()


def _files() -> Iterator[str]:
    names = _lines("apt-cache", "depends", *_CLOSURE, *PACKAGES)
    packages = [each for each in names if not each.startswith((" ", "<", "|"))]
    listed = _lines("dpkg", "-L", *packages)
    yield from ("/bin", "/sbin", "/lib", "/lib64", "/etc/alternatives", "/etc/ld.so.cache")
    yield from (str(each) for each in Path("/etc/alternatives").iterdir())
    for path in listed:
        place = Path(path)
        if (
            not path.startswith(("/", "/."))
            or path == "/."
            or path.startswith(_LEFT_OUT)
            or any(each in path for each in _UNUSED)
            or not _is_there(place)
        ):
            continue
        yield str(place.parent.resolve() / place.name)  # /bin is a link, but lists of files name it
    # What alternatives put on the path (x-terminal-emulator), and shared libraries by the names of linkers, are no files of packages.
    for folder in ("/usr/bin", "/usr/lib/x86_64-linux-gnu"):
        yield from (str(each) for each in Path(folder).iterdir() if each.is_symlink() and each.exists())


def _is_there(path: Path) -> bool:
    return path.is_symlink() or path.is_file() or path.is_dir()


def _lines(*command: str) -> list[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()
