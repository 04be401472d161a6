"""Checks how easily a stranger finds their way in the package: `python -m scripts.unique_names [FOLDER]`.

Prints one line a problem and returns 1 when there is one: a file name or a public class name that stands
twice, a folder with too many modules, and `sys.platform` read in too many files.
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent / "desktop_agent"
MODULES_IN_A_FOLDER = 20
FILES_THAT_ASK_FOR_THE_PLATFORM = 8
# Waiting to be rebuilt: its names and folders are not judged until then.
LEFT_OUT = ("llm/offline",)
# What may stand more than once, and why.
FILES = {
    "__init__": "every package has one",
    "base": "the face of a family of plug-ins or platforms, as its package says",
    "main": "the entry of a process: hand/injector, hand/guard and hand/watcher",
    "local": "plug-ins are called as in config.toml: a target and a model on this machine",
    "terminal": "plug-ins are called as in config.toml: a model for a terminal and an environment that is one",
}
CLASSES = {
    "Options": "the options of a plug-in, one class in each",
    "NoteStream": "what a dialect's module calls its reader of notes",
    "Move": "an operation, and the raw event of the same name that it leads to",
    "KeyDown": "an operation, and the raw event of the same name that it leads to",
    "KeyUp": "an operation, and the raw event of the same name that it leads to",
}
# Twins: each system has a part of that name behind the same face.
PLATFORMS = ("platforms/x11/", "platforms/windows/", "platforms/posix/")


def problems(package: Path) -> Iterator[str]:
    """Every problem in the package that lies in the folder `package`, as one line of text."""
    sources = {
        path.relative_to(package).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(package.rglob("*.py"))
        if not path.relative_to(package).as_posix().startswith(tuple(f"{each}/" for each in LEFT_OUT))
    }
    yield from _twice("file name", _files(sources))
    yield from _twice("class name", _classes(sources))
    yield from _full_folders(sources)
    asking = [name for name, text in sources.items() if _asks_for_the_platform(text)]
    if len(asking) > FILES_THAT_ASK_FOR_THE_PLATFORM:
        yield f"sys.platform stands in {len(asking)} files, at most {FILES_THAT_ASK_FOR_THE_PLATFORM}: {', '.join(asking)}"


def _files(sources: Mapping[str, str]) -> dict[str, list[str]]:
    found = defaultdict(list)
    for name in sources:
        if Path(name).stem not in FILES:
            found[Path(name).stem].append(name)
    return found


def _classes(sources: Mapping[str, str]) -> dict[str, list[str]]:
    found = defaultdict(list)
    for name, text in sources.items():
        for node in ast.parse(text).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_") and node.name not in CLASSES:
                found[node.name].append(name)
    return found


def _twice(what: str, found: Mapping[str, list[str]]) -> Iterator[str]:
    for name, places in sorted(found.items()):
        if len(places) > 1 and not _are_twins(places):
            yield f"the {what} {name} stands {len(places)} times: {', '.join(places)}"


def _are_twins(places: list[str]) -> bool:
    """Is there one on each platform, and none elsewhere?"""
    homes = [next((each for each in PLATFORMS if place.startswith(each)), "") for place in places]
    return all(homes) and len(set(homes)) == len(homes)


def _full_folders(sources: Mapping[str, str]) -> Iterator[str]:
    modules = defaultdict(list)
    for name in sources:
        if not name.endswith("__init__.py"):
            modules[Path(name).parent.as_posix()].append(name)
    for folder, names in sorted(modules.items()):
        if len(names) > MODULES_IN_A_FOLDER:
            yield f"the folder {folder} has {len(names)} modules, at most {MODULES_IN_A_FOLDER}"


def _asks_for_the_platform(text: str) -> bool:
    return any(
        (isinstance(node, ast.Attribute) and ast.unparse(node) in ("sys.platform", "os.name"))
        or (
            isinstance(node, ast.ImportFrom)
            and node.module == "sys"
            and "platform" in {a.name for a in node.names}
        )
        for node in ast.walk(ast.parse(text))
    )


def main(arguments: list[str]) -> int:
    """Print the problems of a package (ours when none is named) and return 1 when there are any."""
    found = list(problems(Path(arguments[0]) if arguments else PACKAGE))
    print("\n".join(found) or "Every name stands once.")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
