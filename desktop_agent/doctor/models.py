"""Who can think here: every model that is found, and the key store."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType

from desktop_agent.doctor.check import Check
from desktop_agent.llm.base import Readiness
from desktop_agent.llm.transport.call_model import as_model
from desktop_agent.protocol.errors import DesktopAgentError
from desktop_agent.support import config, plugins
from desktop_agent.support import key_store as api_keys
from desktop_agent.support.config import Config
from desktop_agent.support.plugins import Plugin
from desktop_agent.support.providers import key_variable, providers

OFFLINE = "offline"
"""The model that every machine has."""


def checks(settings: Config) -> Sequence[Check]:
    """Every model, the offline one first, and the key store."""
    found = sorted(plugins.discover("llm"), key=lambda each: (each.name != OFFLINE, each.name))
    return [table(), *(model(settings, each) for each in found), servers(settings), key_store()]


def table() -> Check:
    """Whether the table of what each model can do and costs is whole."""
    from desktop_agent.llm.transport.model_catalog import catalog

    try:
        count = sum(len(entries) for entries in catalog().values())
    except DesktopAgentError as error:
        return Check("table of models", "broken", error.message, error.advice, needed=True)
    return Check("table of models", "ok", f"all {count} entries are whole", needed=True)


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


def servers(settings: Config) -> Check:
    """The model servers that run on this computer, on their usual ports."""
    from desktop_agent.llm.transport import local_servers

    found = local_servers.find_servers()
    if not found:
        ports = ", ".join(f"{kind} {port}" for kind, port in local_servers.PORTS)
        mend = "None is needed; to use a model on this computer, start one of these."
        return Check("local model servers", "missing", f"none answers on the usual ports ({ports})", mend)
    base_url = str(settings.llm.get("compatible", {}).get("base_url", local_servers.USUAL_BASE_URL))
    return Check("local model servers", "ok", local_servers.in_words(found, base_url))


def _readiness(module: ModuleType, options: object, *, configured: bool) -> Readiness:
    try:
        if hasattr(module, "readiness"):
            ready: Readiness = module.readiness(options, configured)
            return ready
        created = as_model(module.create(options), module.__name__)
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
        variables = ", ".join(key_variable(each.name) for each in providers())
        mend = f"Put keys into the environment ({variables}) instead."
        return Check("key store", "missing", problem, mend)
    import keyring

    return Check("key store", "ok", keyring.get_keyring().name)
