"""The licences of all parts: read from what is installed, or in the packaged program from what was written when it was built."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from importlib import metadata
from pathlib import Path

import msgspec

from desktop_agent.support import resources

FOLDER = "licences"
WRITTEN = "parts.json"
"""The asset of the packaged program that holds its parts."""
_NAME = re.compile(r"^[A-Za-z0-9][A-Za-z0-9._-]*")
_TEXT = re.compile(r"(^|/)(licen[cs]e|copying|notice|authors|copyright)[^/]*$|/licen[cs]es/[^/]+$", re.I)
_OURS = "desktop-agent"


class Part(msgspec.Struct, frozen=True):
    """A part of another's: its licence in a word (an SPDX expression where it says one) and the licence's texts."""

    name: str
    version: str
    licence: str
    texts: tuple[str, ...]


class Notices(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What licences ask to be said by title; asset files of texts, and SPDX expressions, by distribution."""

    notices: dict[str, str]
    texts: dict[str, tuple[str, ...]]
    spdx: dict[str, str]


def notices() -> Notices:
    """The asset, checked."""
    return msgspec.convert(tomllib.loads(resources.text(FOLDER, "notices.toml")), Notices, strict=False)


def parts() -> tuple[Part, ...]:
    """Python and every package that this program came with."""
    written = resources.path(FOLDER, WRITTEN)
    if written.is_file():
        return msgspec.json.decode(written.read_bytes(), type=tuple[Part, ...])
    return (_python(), *installed())


def installed() -> tuple[Part, ...]:
    """The packages installed here that the program needs, and what these need, by name."""
    said = notices()
    found = sorted(_needed(_roots()), key=lambda each: normal(each.name))
    return tuple(_part(each, said) for each in found)


def write(to: Path) -> int:
    """Write `parts` for the packaged program, and return how many there are."""
    found = (_python(), *installed())
    to.write_bytes(msgspec.json.encode(found))
    return len(found)


def text() -> str:
    """All of it, to read: the notices, a list of the parts, then their texts, each once."""
    found, said = parts(), notices().notices
    lines = [f"{title}\n{' '.join(words.split())}\n" for title, words in said.items()]
    lines += ["Parts\n", *(f"{each.name} {each.version}: {each.licence}" for each in found), ""]
    by_text: dict[str, list[str]] = {}
    for each in found:
        for words in each.texts:
            by_text.setdefault(words, []).append(f"{each.name} {each.version}")
    for words, names in by_text.items():
        lines += ["=" * 72, ", ".join(names), "=" * 72, words, ""]
    return "\n".join(lines)


def normal(name: str) -> str:
    """A distribution's name as locks write it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _roots() -> list[str]:
    """The requirements of the program itself: from a checkout, else from its own metadata."""
    listed = Path(__file__).parents[3] / "requirements" / "app.in"
    if listed.is_file():
        return listed.read_text(encoding="utf-8").splitlines()
    return metadata.requires(_OURS) or []


def _needed(requirements: Iterable[str]) -> Iterator[metadata.Distribution]:
    """What is installed of these and of what they need; what is for another system is not installed."""
    waiting, seen = list(requirements), set()
    while waiting:
        requirement = waiting.pop()
        name = _NAME.match(requirement)
        if name is None or "extra ==" in requirement or normal(name[0]) in seen:
            continue
        seen.add(normal(name[0]))
        try:
            found = metadata.distribution(name[0])
        except metadata.PackageNotFoundError:
            continue
        waiting += found.requires or []
        yield found


def _part(found: metadata.Distribution, said: Notices) -> Part:
    name = normal(found.name)
    own = tuple(
        each.read_text(encoding="utf-8")
        for each in found.files or ()
        if _TEXT.search(str(each)) and _is_text(each)
    )
    brought = tuple(resources.text(FOLDER, file) for file in said.texts.get(name, ()))
    return Part(found.name, found.version, said.spdx.get(name) or _licence(found), (*own, *brought))


def _is_text(file: metadata.PackagePath) -> bool:
    return "__pycache__" not in str(file) and file.suffix not in (".py", ".pyc", ".json")


def _licence(found: metadata.Distribution) -> str:
    """What its metadata says: an SPDX expression, a short word, or its classifiers."""
    about = found.metadata
    said = next((about[key] for key in ("License-Expression", "License") if key in about), "")
    classes = [
        each.rsplit(" :: ", 1)[-1]
        for each in about.get_all("Classifier") or ()
        if each.startswith("License ::")
    ]
    return said if said and "\n" not in said else ", ".join(classes)


def _python() -> Part:
    version = sys.version.split()[0]
    places = (Path(sys.base_prefix), Path(metadata.__file__).parents[2], Path(metadata.__file__).parents[1])
    found = next((place / "LICENSE.txt" for place in places if (place / "LICENSE.txt").is_file()), None)
    text = (
        found.read_text(encoding="utf-8", errors="replace")
        if found
        else resources.text(FOLDER, "PSF-2.0.txt")
    )
    return Part("Python", version, "PSF-2.0", (text,))
