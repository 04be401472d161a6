"""Checks two rules of the package: `python -m scripts.package_rules [FOLDER]`.

Prints one line a problem and returns 1 when there is one: a public class name that stands twice, and `sys.platform`
read in too many files.
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent / "desktop_agent"
FILES_THAT_ASK_FOR_THE_PLATFORM = 8
# Waiting to be rebuilt: its classes are not judged until then.
LEFT_OUT = ("extras/offline/",)
# What may stand more than once, and why.
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
        path.relative_to(package).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(package.rglob("*.py"))
        if not path.relative_to(package).as_posix().startswith(LEFT_OUT)
    }
    for name, places in sorted(_classes(sources).items()):
        if len(places) > 1 and not _are_twins(places):
            yield f"the class name {name} stands {len(places)} times: {', '.join(places)}"
    asking = [name for name, module in sources.items() if _asks_for_the_platform(module)]
    if len(asking) > FILES_THAT_ASK_FOR_THE_PLATFORM:
        yield f"sys.platform stands in {len(asking)} files, at most {FILES_THAT_ASK_FOR_THE_PLATFORM}: {', '.join(asking)}"


def _classes(sources: Mapping[str, ast.Module]) -> dict[str, list[str]]:
    found = defaultdict(list)
    for name, module in sources.items():
        for node in module.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_") and node.name not in CLASSES:
                found[node.name].append(name)
    return found


def _are_twins(places: list[str]) -> bool:
    """Is there one on each platform, and none elsewhere?"""
    homes = [next((each for each in PLATFORMS if place.startswith(each)), "") for place in places]
    return all(homes) and len(set(homes)) == len(homes)


def _asks_for_the_platform(module: ast.Module) -> bool:
    return any(
        (isinstance(node, ast.Attribute) and ast.unparse(node) in ("sys.platform", "os.name"))
        or (
            isinstance(node, ast.ImportFrom)
            and node.module == "sys"
            and "platform" in {a.name for a in node.names}
        )
        for node in ast.walk(module)
    )


def main(arguments: list[str]) -> int:
    """Print the problems of a package (ours when none is named) and return 1 when there are any."""
    found = list(problems(Path(arguments[0]) if arguments else PACKAGE))
    print("\n".join(found) or "The package keeps its rules.")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
