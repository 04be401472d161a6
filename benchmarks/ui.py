"""How long the window's thread is ever blocked: while actions stream, and with 10,000 entries in the chat."""

from __future__ import annotations

import importlib
import pkgutil
from types import ModuleType

from benchmarks.report import BenchmarkError, Figure, Goal, Report, measured, report
from benchmarks.ui_parts import scenarios
from benchmarks.ui_parts.stage import UiStage, private_display, staged

LONGEST = Goal(50, "max")
_PLACES = 3


def run(quick: bool) -> Report:
    """Each scenario in a window of its own, one after the other; a new module in ui_parts/scenarios is one more."""
    figures: list[Figure] = []
    notes: list[str] = []
    with private_display():
        for module in _found():
            with staged(quick) as stage:
                module.play(stage)
                figures += _figures(module, stage)
                notes += _slow_places(module, stage)
    return report("ui", *figures, notes=notes)


def _found() -> list[ModuleType]:
    names = sorted(each.name for each in pkgutil.iter_modules(scenarios.__path__))
    return [importlib.import_module(f"{scenarios.__name__}.{name}") for name in names]


def _figures(module: ModuleType, stage: UiStage) -> list[Figure]:
    watch, title = stage.watch, _title(module)
    if not watch.stalls:
        raise BenchmarkError(f"{module.__name__} watches nothing")
    return [
        measured(title, [1000 * each for each in watch.stalls], "ms", LONGEST),
        measured(f"{title}: processor time of it", [1000 * each for each in watch.worked], "ms"),
    ]


def _title(module: ModuleType) -> str:
    return (module.__doc__ or module.__name__).strip().partition("\n")[0].rstrip(".")


def _slow_places(module: ModuleType, stage: UiStage) -> list[str]:
    """Where the UI thread was during the longest stalls."""
    worst = sorted(stage.watch.where.items(), key=lambda each: -each[1])[:_PLACES]
    return [f"{_title(module)}: {1000 * late:.0f} ms in {place}" for place, late in worst]
