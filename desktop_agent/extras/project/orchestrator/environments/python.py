"""Runs Python code and keeps its state: names that are set stay for the next command.

Prints are told, and the value of the last line where that is an expression.
"""

from __future__ import annotations

import ast
import linecache
import sys
import traceback
import types
from typing import Any

from desktop_agent.extras.project.orchestrator.environment_child import use_installed_packages

MOST_VALUE, MOST_NAMES = 80, 60
"""Characters of a value that is shown, and names that are listed."""
_main = types.ModuleType("__main__")
_number = 0


def run(command: str) -> str:
    """Carry out the code; returns the value of its last expression. Raises ValueError with the traceback of what went wrong."""
    global _number
    _number += 1
    name = f"<command {_number}>"
    linecache.cache[name] = (len(command), None, command.splitlines(keepends=True), name)
    sys.modules["__main__"] = _main
    if "" not in sys.path:
        use_installed_packages()
        sys.path.insert(0, "")  # modules of the project
    try:
        return _carried_out(command, name)
    except KeyboardInterrupt:
        raise
    except SystemExit as error:
        return f"The code ended itself with {error.code!r}; what it set is kept."
    except BaseException as error:  # noqa: BLE001 - the code may raise anything
        raise ValueError(_trace(error)) from None


def screen() -> str:
    """The names that are set, with their values where they are short."""
    names = [name for name in vars(_main) if not name.startswith("__")]
    lines = [f"{name} = {_shown(vars(_main)[name])}" for name in names[-MOST_NAMES:]]
    more = [f"… {len(names) - MOST_NAMES} names more"] if len(names) > MOST_NAMES else []
    return "\n".join(more + lines) or "No variables yet."


def _carried_out(command: str, name: str) -> str:
    tree = ast.parse(command, name)
    last = tree.body[-1] if tree.body else None
    if not isinstance(last, ast.Expr):
        exec(compile(tree, name, "exec"), vars(_main))  # noqa: S102 - that is what it is for, in the sandbox
        return ""
    exec(compile(ast.Module(tree.body[:-1], []), name, "exec"), vars(_main))  # noqa: S102
    value = eval(compile(ast.Expression(last.value), name, "eval"), vars(_main))  # noqa: S307
    return "" if value is None else repr(value)


def _trace(error: BaseException) -> str:
    """The traceback below the command: what is ours is left out."""
    found = error.__traceback__
    while found is not None and found.tb_frame.f_code.co_filename == __file__:
        found = found.tb_next
    return "".join(traceback.format_exception(type(error), error, found)).strip()


def _shown(value: Any) -> str:
    kind = type(value).__name__
    if isinstance(value, types.ModuleType):
        return f"module {value.__name__}"
    if isinstance(value, (type, types.FunctionType)):
        return f"{'class' if isinstance(value, type) else 'function'} {value.__name__}"
    if isinstance(value, (str, bytes, list, tuple, dict, set, frozenset)) and len(value) > MOST_VALUE:
        return f"{kind} of {len(value)}"
    try:
        text = repr(value)
    except Exception as error:  # noqa: BLE001 - a class of the user's may raise anything
        return f"{kind} whose repr raises {type(error).__name__}"
    return text if len(text) <= MOST_VALUE and "\n" not in text else kind
