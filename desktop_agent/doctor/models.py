"""Who can think here: every model that is found, and the key store."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType

from desktop_agent.doctor.check import Check
from desktop_agent.llm.base import Readiness
from desktop_agent.protocol.errors import DesktopAgentError
from desktop_agent.support import config, plugins
from desktop_agent.support import key_store as api_keys
from desktop_agent.support.config import Config
from desktop_agent.support.plugins import Plugin

OFFLINE = "offline"
"""The model that every machine has."""


def checks(settings: Config) -> Sequence[Check]:
    """Every model, the offline one first, and the key store."""
    found = sorted(plugins.discover("llm"), key=lambda each: (each.name != OFFLINE, each.name))
    return [*(model(settings, each) for each in found), key_store()]


def model(settings: Config, plugin: Plugin) -> Check:
    """One model: what it says of itself, else whether it can be created."""
    title = f"model: {plugin.name}"
    needed = plugin.name == OFFLINE
    if plugin.module is None:
        return Check(f"{title} of {plugin.package}", "broken", plugin.problem, "Mend or remove that package.")
    try:
        options = config.options(settings, "llm", plugin.name, plugin.module.Options)
    except DesktopAgentError as error:
        return Check(title, "broken", error.message, error.advice, needed)
    ready = _readiness(plugin.module, options, configured=plugin.name in settings.llm)
    origin = f", from {plugin.package}" if plugin.package else ""
    return Check(title, ready.state, f"{ready.detail}{origin}", ready.advice, needed)


def _readiness(module: ModuleType, options: object, *, configured: bool) -> Readiness:
    try:
        if hasattr(module, "readiness"):
            ready: Readiness = module.readiness(options, configured)
            return ready
        created = module.create(options)
        created.close()
    except DesktopAgentError as error:
        return Readiness("broken" if configured else "missing", error.message, error.advice)
    except Exception as error:  # noqa: BLE001 - boundary: an installed model may raise anything
        return Readiness("broken", f"{type(error).__name__}: {error}")
    return Readiness("ok", created.name)


def key_store() -> Check:
    """The operating system's key store."""
    problem = api_keys.store_problem()
    if problem:
        mend = "Put keys into the environment (OPENAI_API_KEY, ANTHROPIC_API_KEY) instead."
        return Check("key store", "missing", problem, mend)
    import keyring

    return Check("key store", "ok", keyring.get_keyring().name)
