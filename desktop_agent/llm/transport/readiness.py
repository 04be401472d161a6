"""Whether a model behind a network connection can be used now, for the doctor; nothing is sent to anybody."""

from __future__ import annotations

import importlib.util
import socket
from urllib.parse import urlsplit

from desktop_agent.llm.base import Readiness
from desktop_agent.llm.transport.options import RemoteOptions
from desktop_agent.protocol.errors import ModelError
from desktop_agent.support import child_command
from desktop_agent.support.key_store import environment_name, find_key
from desktop_agent.support.providers import Provider

SECONDS = 2.0


def has_key(provider: Provider, options: RemoteOptions) -> bool:
    """Is there a key for this provider?"""
    return find_key(provider.name, options.key_env) is not None


def of_provider(provider: Provider, options: RemoteOptions, configured: bool) -> Readiness:  # noqa: ARG001 - it works without a table
    """A provider's package, key (where it was found, never what it is) and address."""
    if importlib.util.find_spec(provider.package) is None:
        return Readiness("missing", f"the package {provider.package}", child_command.set_up_again())
    try:
        key = find_key(provider.name, options.key_env)
    except ModelError as error:
        return Readiness("broken", error.message, error.advice)
    if key is None:
        advice = f"Set the environment variable {environment_name(provider.name, options.key_env)}."
        return Readiness("missing", "no key found", advice)
    return Readiness("ok", f"{options.model}, key in {key.source}, {_place(options)}")


def of_server(table: str, options: RemoteOptions, configured: bool) -> Readiness:
    """A server of one's own (Ollama, llama.cpp, vLLM …): whether anything listens at its address."""
    if not configured:
        advice = f"To use a server of your own, set `model` and `base_url` in [{table}]."
        return Readiness("missing", "not set up in config.toml", advice)
    address = urlsplit(options.base_url)
    try:
        port = address.port or (443 if address.scheme == "https" else 80)
        socket.create_connection((address.hostname or "", port), SECONDS).close()
    except (OSError, ValueError) as error:
        advice = f"Start the server, or correct `base_url` in [{table}]."
        return Readiness("broken", f"nothing answers at {_place(options)} ({error})", advice)
    return Readiness("ok", f"{options.model}, a server listens at {_place(options)}")


def _place(options: RemoteOptions) -> str:
    """The address without what may be secret in it."""
    if not options.base_url:
        return "the provider's own address"
    parts = urlsplit(options.base_url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
