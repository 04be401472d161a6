"""The contract of an environment's module, and whether a module keeps it.

A module has a docstring (the model reads it: what the environment is for, and its commands) and `run(command: str) -> str`,
which carries out one command and returns what is told of it; what it prints is told before that, and an exception as its message.
`screen() -> str`, which may be missing, returns what there is to see now; it is called after every command of any environment.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

MOST_DOC = 4_000
"""Characters of a module's docstring that the model is told."""


def problems_of(module: ModuleType) -> list[str]:
    """What the module lacks of the contract, a sentence each; [] for one that keeps it."""
    found = []
    if not (module.__doc__ or "").strip():
        found.append("It has no docstring: write as its first line what it is for and what its commands are.")
    if not hasattr(module, "run"):
        found.append("It has no function run(command).")
    else:
        found += _problems_of_call(module.run, "run", 1)
    if hasattr(module, "screen"):
        found += _problems_of_call(module.screen, "screen", 0)
    return found


def _problems_of_call(function: object, name: str, arguments: int) -> list[str]:
    import inspect  # slow to load, and needed for the project's own modules alone

    shown = f"{name}({'command' if arguments else ''})"
    if not callable(function):
        return [f"{name} is not a function: write def {shown}."]
    if inspect.iscoroutinefunction(function) or inspect.isgeneratorfunction(function):
        return [f"{name} is async or yields; it has to return its text."]
    return [] if _takes(function, arguments) else [f"{name} cannot be called as {shown}."]


def _takes(function: Callable[..., object], arguments: int) -> bool:
    import inspect

    try:
        inspect.signature(function).bind(*[""] * arguments)
    except TypeError:
        return False
    except ValueError:  # it tells no signature: a call will show
        return True
    return True


def description_of(module: ModuleType) -> str:
    """What the model is told of the module."""
    return (module.__doc__ or "").strip()[:MOST_DOC]
