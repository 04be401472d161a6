"""The process of one environment: it loads the module and answers the orchestrator's requests, one at a time.

What the module prints goes to file descriptors 1 and 2, which the orchestrator reads apart from the answers: printing can
neither break nor forge one.
"""

from __future__ import annotations

import importlib
import os
import signal
import sys
from types import ModuleType

from desktop_agent.extras.project.orchestrator import length_prefixed
from desktop_agent.extras.project.orchestrator.bounded_text import beginning, ends
from desktop_agent.extras.project.orchestrator.module_contract import description_of, problems_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO

    from desktop_agent.extras.project.orchestrator.length_prefixed import Message

BUILT_IN = ("bash", "python", "editor")
MOST_TOLD, MOST_SHOWN, MOST_VIEWED = 11_800, 3_000, 24_000
"""Characters of an answer, of a section of the screen, and of the editor's, which holds source."""
_PACKAGE = "desktop_agent.extras.project.orchestrator.environments."


def work(name: str, path: str, requests: BinaryIO, answers: BinaryIO) -> None:
    """Load the environment `name` (`path`: its file, "" for a built-in one) and answer until the requests end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    module = _load(name, path)
    if isinstance(module, list):
        length_prefixed.send(answers, {"problems": module})
        return
    length_prefixed.send(answers, {"problems": [], "about": description_of(module)})
    while (request := length_prefixed.receive(requests)) is not None:
        answer = _run(module, request["run"]) if "run" in request else _screen(module, name)
        _flush()
        length_prefixed.send(answers, answer)


def _load(name: str, path: str) -> ModuleType | list[str]:
    """The module, or what is wrong with it."""
    try:
        module = _imported(name, path) if path else importlib.import_module(_PACKAGE + name)
    except BaseException as error:  # noqa: BLE001 - a module may raise anything, sys.exit too, while it is loaded
        return [_last_lines(error, path)]
    finally:
        _flush()
    return (problems_of(module) if path else []) or module


def use_installed_packages() -> None:
    """Find what is installed beside Python's own library: left out at the start, for what is installed may be slow to look through."""
    import site

    site.main()


def _imported(name: str, path: str) -> ModuleType:
    sys.path.append(os.path.dirname(path))  # last: a module called http hides no library's
    name = f"env_{name}"
    import importlib.util

    use_installed_packages()
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is no Python module")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _run(module: ModuleType, command: str) -> Message:
    """Carry out one command; an interrupt ends it and leaves the environment as it is."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        found = module.run(command)
    except KeyboardInterrupt:
        return {"failed": True, "text": "It was interrupted."}
    except ValueError as error:
        return {"failed": True, "text": ends(str(error), MOST_TOLD)}
    except BaseException as error:  # noqa: BLE001 - boundary: the module may raise anything, and is not to end by it
        return {"failed": True, "text": ends(_last_lines(error, str(module.__file__)), MOST_TOLD)}
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    if found is not None and not isinstance(found, str):
        return {"failed": True, "text": f"run returned {type(found).__name__}; it has to return a text."}
    return {"text": ends(found or "", MOST_TOLD)}


def _screen(module: ModuleType, name: str) -> Message:
    if not hasattr(module, "screen"):
        return {"text": ""}
    try:
        found = module.screen()
    except BaseException as error:  # noqa: BLE001 - boundary: as above
        return {"text": f"Its screen cannot be told: {_last_lines(error, str(module.__file__))}"}
    if not isinstance(found, str):
        return {"text": f"Its screen cannot be told: screen returned {type(found).__name__}, not a text."}
    return {"text": beginning(found, MOST_VIEWED if name == "editor" else MOST_SHOWN)}


def _last_lines(error: BaseException, path: str) -> str:
    """What was raised, and where in the module's own file."""
    import traceback  # slow to load, and seldom needed

    what = "".join(traceback.format_exception_only(type(error), error)).strip()
    where = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
    return f"{what} (line {where[-1].lineno} of {os.path.basename(path)})" if where else what


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError, AttributeError):  # the module closed or replaced it
            os.write(2, b"(what was printed last is lost)\n")
