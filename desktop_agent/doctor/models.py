"""Who can think here: the offline model, and each provider's package, key and address."""

from __future__ import annotations

import importlib.util
import socket
from collections.abc import Sequence
from urllib.parse import urlsplit

from desktop_agent.doctor.check import Check
from desktop_agent.llm.transport.options import RemoteOptions
from desktop_agent.protocol.errors import ConfigError, ModelError
from desktop_agent.support import child_command, config
from desktop_agent.support import key_store as api_keys
from desktop_agent.support.config import Config
from desktop_agent.support.plugins import load

SECONDS = 2.0
PROVIDERS = ("openai", "anthropic")


def checks(settings: Config) -> Sequence[Check]:
    """The offline model, each provider, servers of one's own, and the key store."""
    offline = Check("model: offline", "ok", "needs no key", needed=True)
    return [offline, *(provider(settings, name) for name in PROVIDERS), compatible(settings), key_store()]


def provider(settings: Config, name: str) -> Check:
    """A provider's package, key (where it was found, never what it is) and address."""
    title = f"model: {name}"
    if importlib.util.find_spec(name) is None:
        return Check(title, "missing", f"the package {name}", child_command.set_up_again())
    options = _options(settings, name)
    if isinstance(options, ConfigError):
        return Check(title, "broken", options.message, options.advice)
    try:
        key = api_keys.find_key(name, options.key_env)
    except ModelError as error:
        return Check(title, "broken", error.message, error.advice)
    if key is None:
        mend = f"Set the environment variable {api_keys.environment_name(name, options.key_env)}."
        return Check(title, "missing", "no key found", mend)
    return Check(title, "ok", f"{options.model}, key in {key.source}, {_place(options)}")


def compatible(settings: Config) -> Check:
    """A server of one's own (Ollama, llama.cpp, vLLM …): whether anything listens at its address."""
    title = "model: compatible"
    if "compatible" not in settings.llm:
        mend = "To use a server of your own, set `model` and `base_url` in [llm.compatible]."
        return Check(title, "missing", "not set up in config.toml", mend)
    options = _options(settings, "compatible")
    if isinstance(options, ConfigError):
        return Check(title, "broken", options.message, options.advice)
    address = urlsplit(options.base_url)
    try:
        port = address.port or (443 if address.scheme == "https" else 80)
        socket.create_connection((address.hostname or "", port), SECONDS).close()
    except (OSError, ValueError) as error:
        mend = "Start the server, or correct `base_url` in [llm.compatible]."
        return Check(title, "broken", f"nothing answers at {_place(options)} ({error})", mend)
    return Check(title, "ok", f"{options.model}, a server listens at {_place(options)}")


def key_store() -> Check:
    """The operating system's key store."""
    problem = api_keys.store_problem()
    if problem:
        mend = "Put keys into the environment (OPENAI_API_KEY, ANTHROPIC_API_KEY) instead."
        return Check("key store", "missing", problem, mend)
    import keyring

    return Check("key store", "ok", keyring.get_keyring().name)


def _options(settings: Config, name: str) -> RemoteOptions | ConfigError:
    try:
        options: RemoteOptions = config.options(settings, "llm", name, load("llm", name).Options)
    except ConfigError as error:
        return error
    return options


def _place(options: RemoteOptions) -> str:
    """The address without what may be secret in it."""
    if not options.base_url:
        return "the provider's own address"
    parts = urlsplit(options.base_url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
