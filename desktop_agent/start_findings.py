"""What is here, in words for the first page: each is a check of the doctor and what it means for the user."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence

from desktop_agent.doctor import machine
from desktop_agent.doctor import models as model_checks
from desktop_agent.doctor.check import Check
from desktop_agent.llm.transport import local_servers
from desktop_agent.llm.transport.options import RemoteOptions
from desktop_agent.platforms import host
from desktop_agent.protocol.errors import DesktopAgentError
from desktop_agent.startup import assembly
from desktop_agent.support import config, key_store, plugins, system_packages
from desktop_agent.support.config import Config
from desktop_agent.support.language import tr
from desktop_agent.support.operating_system import LINUX, WINDOWS
from desktop_agent.support.providers import Provider
from desktop_agent.ui.welcome.welcome_guide import Finding


def find(name: str, settings: Config, makers: Sequence[Provider]) -> Finding:
    """Look for one subject; `makers` are those whose keys are looked for. May take seconds."""
    return _keys(settings, makers) if name == "keys" else _FINDERS[name]()


def wayland_words() -> str:
    """What a Wayland session means, in words for the user."""
    return tr(
        "This is a Wayland session: it lets no program see or work the windows of others. I work on a display of my "
        "own instead, whose picture you see here; your own windows stay as they are."
    )


# ---- one function for each subject -------------------------------------------------------------


def _screen() -> Finding:
    if assembly.is_wayland():
        advice = tr("To let me work on your own desktop, choose an Xorg session when you log in.")
        return Finding("attention", wayland_words(), advice)
    check = _desktop_check()
    if check.state == "ok":
        return Finding("ok", tr("I can see it, and work mouse and keyboard on it, once you give me a goal."))
    return Finding("attention", tr("I cannot work on it: {why}").format(why=check.detail), check.mend)


def _desktop_check() -> Check:
    if WINDOWS:
        from desktop_agent.doctor.windows_desktop import desktop

        return desktop()
    if LINUX:
        from desktop_agent.doctor.x11_desktop import display

        return display(os.environ)
    return Check("display", "missing", tr("this system is not supported yet."))


def _elements() -> Finding:
    there = tr(
        "Programs tell me what their buttons and fields are called, so I need not guess from the picture."
    )
    if not LINUX:
        return Finding("ok", there)
    from desktop_agent.doctor.x11_desktop import accessibility

    check = accessibility(os.environ)
    if check.state == "ok":
        return Finding("ok", there)
    words = tr("Programs cannot tell me the names of their buttons here, so I go by the picture.")
    return Finding("optional", words, check.mend)


def _ocr() -> Finding:
    check = machine.ocr()
    if check.state == "ok":
        return Finding("ok", tr("Where a program tells nothing, I read what stands in the picture."))
    words = tr("I cannot read text that is only a picture. Most programs do not need it.")
    return Finding("optional", words, check.mend)


def _keys(settings: Config, makers: Sequence[Provider]) -> Finding:
    found = [each.label for each in makers if _key_source(each.name, settings)]
    if found:
        return Finding("ok", tr("There is one for {names}.").format(names=", ".join(found)))
    words = tr("None yet. You can paste one in a moment, or go on without.")
    if problem := key_store.store_problem():
        words = tr("None yet, and none can be kept here: {problem}. You can go on without.").format(
            problem=problem
        )
        return Finding("optional", words, model_checks.key_store().mend)
    return Finding("optional", words)


def _key_source(name: str, settings: Config) -> str:
    try:
        options = config.options(settings, "llm", name, plugins.load("llm", name).Options)
        found = key_store.find_key(name, options.key_env if isinstance(options, RemoteOptions) else "")
    except DesktopAgentError:
        return ""
    return found.source if found is not None else ""


def _servers() -> Finding:
    found = local_servers.find_servers()
    if not found:
        return Finding("optional", tr("No model server runs here. None is needed."))
    names = ", ".join(dict.fromkeys(server.kind for server in found))
    count = sum(len(server.models) for server in found)
    words = tr("{names} runs here, with {n} models to choose from. Nothing leaves this computer then.")
    return Finding("ok", words.format(names=names, n=count))


def _display() -> Finding:
    lacking = [each for each in system_packages.missing(system_packages.EMBEDDED) if each.essential]
    if not lacking and host.HAS_X11:
        return Finding("ok", tr("I can also work beside you, on a display where nothing of yours is."))
    needed = assembly.is_wayland()
    words = tr("I can also work on a display of my own, beside you; some programs for that are missing.")
    return Finding("attention" if needed else "optional", words, system_packages.advice(lacking))


_FINDERS: Mapping[str, Callable[[], Finding]] = {
    "screen": _screen, "elements": _elements, "ocr": _ocr, "servers": _servers, "display": _display,
}  # fmt: skip
