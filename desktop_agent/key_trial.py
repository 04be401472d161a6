"""Keeps a pasted key and tries it at once: one short question through the provider's own SDK."""

from __future__ import annotations

import os
from typing import Any

import msgspec

from desktop_agent.llm.base import Model
from desktop_agent.llm.transport.call_model import as_model
from desktop_agent.protocol.chat_messages import words_of
from desktop_agent.protocol.errors import DesktopAgentError, KeyRefused, ModelError, Stopped
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.redaction.redactor import redactor
from desktop_agent.support import config, key_store, plugins
from desktop_agent.support.config import Config
from desktop_agent.support.key_hosts import server_origin
from desktop_agent.support.language import tr
from desktop_agent.ui.welcome.welcome_guide import KeyVerdict

SECONDS, TOKENS = 20.0, 1_000
"""How long the trial may take, and what its answer may have: a model's thinking counts, too."""


def keep_key(settings: Config, provider: str, secret: str, stop: StopFlag) -> KeyVerdict:
    """Keep a key for the server that the settings name, and ask its model one short question.

    One that is refused is taken out again, and the key that was kept before is put back.
    """
    origin = server_origin(str(settings.llm.get(provider, {}).get("base_url", "")))
    variable = key_store.environment_name(provider, str(settings.llm.get(provider, {}).get("key_env", "")))
    if os.environ.get(variable):
        words = tr(
            "The environment variable {name} holds a key, which counts before any other. Change it there."
        )
        return KeyVerdict("unkept", words.format(name=variable))
    before = key_store.stored_secret(provider)
    try:
        key_store.store_key(provider, secret, origin)
    except ModelError as error:
        return KeyVerdict("unkept", _told(error))
    if key_store.stored_secret(provider) != secret.strip():
        words = tr("The key store of this system keeps nothing. Set the environment variable {name} instead.")
        return KeyVerdict("unkept", words.format(name=variable))
    verdict = _tried(settings, provider, stop)
    if verdict.state in ("refused", "stopped"):
        _put_back(provider, before, origin)
    return verdict


def _tried(settings: Config, provider: str, stop: StopFlag) -> KeyVerdict:
    try:
        made = _model(settings, provider)
        try:
            made.ask("Answer with one word.", [words_of("Say OK.")], stop=stop)
        finally:
            made.close()
    except Stopped:
        return KeyVerdict("stopped", tr("Cancelled. The key was not kept."))
    except KeyRefused as error:
        return KeyVerdict("refused", f"{tr('This key does not work, so it was not kept.')} {_told(error)}")
    except DesktopAgentError as error:
        return KeyVerdict("kept", f"{tr('The key is kept, but it could not be tried.')} {_told(error)}")
    except Exception as error:  # noqa: BLE001 - boundary: a model of a package may raise anything
        return KeyVerdict(
            "kept", f"{tr('The key is kept, but it could not be tried.')} {redactor().clean(str(error))}"
        )
    words = tr(
        "The key works: {model} answered. It is kept in the system's key store, and never shown again."
    )
    return KeyVerdict("ok", words.format(model=made.name))


def _model(settings: Config, provider: str) -> Model:
    """The provider's model with short limits. Raises ConfigError and ModelError."""
    module = plugins.load("llm", provider)
    options: Any = config.options(settings, "llm", provider, module.Options)
    short = {"timeout": SECONDS, "idle_timeout": SECONDS, "retries": 0, "max_output_tokens": TOKENS}
    return as_model(module.create(msgspec.structs.replace(options, **short)), provider)


def _put_back(provider: str, before: str, origin: str) -> None:
    if before:
        key_store.store_key(provider, before, origin)
    else:
        key_store.delete_key(provider)


def _told(error: DesktopAgentError) -> str:
    return redactor().clean(str(error))
