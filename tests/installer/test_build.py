"""What goes into the packaged program: every plugin is in it, and nothing that it imports is left out."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from desktop_agent import __version__
from desktop_agent.support import plugins
from installer import build_windows, contents

ROOT = Path(__file__).parents[2]
_OF_X11_DESKTOPS = {"xcffib", "jeepney"}
_OURS = frozenset(contents.modules())
_STARTS = re.compile(
    r"\.(?:cli|app|headless|commands\.\w+|startup\.\w+|doctor\.\w+|doctor\.deep\.\w+|ui\.run_window|ui\.shell\.windows\.\w+|targets\.(?:local|display|_windows)|platforms\.windows\.(?:\w+\.)?\w+)$"
    r"|\.hand\.(?:injector|guard)\.main$|\.windows\.input_watch\.(?:escape_watch|release)$|\.llm\.\w+$|\.tools\.\w+$|\.dialects\.\w+$|\.policies\.|\.vision\.uia\.\w+$"
)


def test_every_plugin_and_every_part_found_by_name_is_collected() -> None:
    collected = set(contents.modules())
    for family in plugins.FAMILIES:
        found = {each.module.__name__ for each in plugins.built_in(family) if each.module is not None}
        assert found and found <= collected
    policies = (ROOT / "desktop_agent/extras/offline/llm/offline/policies").glob("[!_]*.py")
    assert {
        f"desktop_agent.extras.offline.llm.offline.policies.{path.stem}" for path in policies
    } <= collected
    assert {
        "desktop_agent.platforms.windows.input_watch.escape_watch",
        "desktop_agent.platforms.windows.input_watch.release",
    } <= collected
    assert {"desktop_agent", "desktop_agent.hand", "desktop_agent.__main__"} <= collected


def test_what_is_loaded_by_a_written_name_is_collected() -> None:
    loaded = set()
    for name in contents.modules():
        for node in ast.walk(ast.parse(_file(name).read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
                loaded |= {each.value for each in node.args if isinstance(each, ast.Constant)}
    assert "comtypes" in loaded
    assert loaded <= {*contents.modules(), *contents.LOADED_BY_NAME, *contents.OPTIONAL}


def test_nothing_excluded_is_imported_by_the_program() -> None:
    for name in contents.modules():
        assert not _excluded(_imports(name)) - _OF_X11_DESKTOPS, name


def test_nothing_excluded_is_used_through_its_package() -> None:
    """`numpy.random` is imported when it is named, without a statement."""
    for name in contents.modules():
        tree = ast.parse(_file(name).read_text(encoding="utf-8"))
        short = {each.asname or each.name: each.name for each in _imported_names(tree)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                used = f"{short.get(node.value.id, '')}.{node.attr}"
                assert used not in contents.EXCLUDED, f"{name}: {used}"


def _imported_names(tree: ast.Module) -> Iterator[ast.alias]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from node.names


def test_nothing_excluded_is_imported_at_once_by_what_runs_on_windows() -> None:
    reached: set[str] = set()
    waiting = [name for name in contents.modules() if _STARTS.search(name)]
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            imported = _at_once(name)
            assert not _excluded(imported), name
            waiting += [each for each in imported if each in _OURS]
    assert len(reached) > 250


def _excluded(imported: Iterable[str]) -> set[str]:
    parents = {each.rsplit(".", depth)[0] for each in imported for depth in range(each.count(".") + 1)}
    return parents.intersection(contents.EXCLUDED)


@pytest.mark.parametrize(
    "path",
    [
        r"PySide6\opengl32sw.dll",
        "PySide6/plugins/platforms/qdirect2d.dll",
        "PySide6/plugins/imageformats/qwebp.dll",
        "PySide6/Qt6Network.dll",
        "assets/readme/working.png",
    ],
)
def test_what_the_window_does_not_use_is_left_out(path: str) -> None:
    assert contents.is_unused(path)


@pytest.mark.parametrize(
    "path",
    [
        r"PySide6\plugins\platforms\qwindows.dll",
        r"PySide6\plugins\platforms\qoffscreen.dll",
        "PySide6/plugins/imageformats/qjpeg.dll",
        "PySide6/plugins/iconengines/qsvgicon.dll",
        "PySide6/Qt6Svg.dll",
        "PySide6/QtWidgets.pyd",
        "config.toml",
        "assets/prompts/system.md",
        "assets/icons/app.svg",
    ],
)
def test_what_it_uses_stays(path: str) -> None:
    assert not contents.is_unused(path)


def test_every_asset_that_is_opened_is_collected() -> None:
    left = [
        path for path in (ROOT / "assets").rglob("*.*") if contents.is_unused(str(path.relative_to(ROOT)))
    ]
    assert {path.parent.name for path in left} == {"readme"}


def test_the_version_is_that_of_the_program() -> None:
    assert contents.version() == __version__


def test_what_the_program_needs_on_windows_is_asked_for() -> None:
    needed = build_windows.needed()
    assert {"PySide6-Essentials", "comtypes", "numpy", "openai"} <= set(needed)
    assert not {"xcffib", "jeepney"} & set(needed)


@pytest.mark.skipif(sys.platform == "win32", reason="there it builds")
def test_elsewhere_it_says_where_it_builds() -> None:
    script = ROOT / "installer" / "build_windows.py"
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "is built on Windows" in done.stderr and "Traceback" not in done.stderr


def _file(name: str) -> Path:
    path = ROOT.joinpath(*name.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def _at_once(name: str) -> list[str]:
    """What importing a module imports on Windows: statements of the module itself, not those in functions."""
    body = ast.parse(_file(name).read_text(encoding="utf-8")).body
    return [each for statement in body for each in _named(statement)]


def _imports(name: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(_file(name).read_text(encoding="utf-8"))):
        yield from _named(node)


def _named(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module:
        yield node.module
        yield from (f"{node.module}.{alias.name}" for alias in node.names)
