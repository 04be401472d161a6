"""Keeps a pasted key and tries it at once: one short question through the provider's own SDK."""

from __future__ import annotations

import os
from contextlib import suppress

from desktop_agent.protocol.chat_messages import words_of
from desktop_agent.protocol.errors import DesktopAgentError, KeyRefused, ModelError, Stopped
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.redaction.redactor import redactor
from desktop_agent.support import key_store
from desktop_agent.support.config import Config
from desktop_agent.support.key_store import ApiKey
from desktop_agent.support.language import tr, tr_sentence
from desktop_agent.support.web_origin import server_origin
from desktop_agent.ui.settings.panels.model_reach import short_model
from desktop_agent.ui.welcome.welcome_guide import KeyVerdict


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
    before = _kept_before(provider)
    try:
        key_store.store_key(provider, secret, origin)
    except ModelError as error:
        return KeyVerdict("unkept", _told(error))
    if key_store.stored_secret(provider) != secret.strip():
        words = tr("The key store of this system keeps nothing. Set the environment variable {name} instead.")
        return KeyVerdict("unkept", words.format(name=variable))
    verdict = _tried(settings, provider, stop)
    if verdict.state in ("refused", "stopped"):
        _put_back(provider, before)
    return verdict


def _tried(settings: Config, provider: str, stop: StopFlag) -> KeyVerdict:
    try:
        made = short_model(settings, provider)
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
        return KeyVerdict("kept", f"{tr('The key is kept, but it could not be tried.')} {_told(error)}")
    words = tr(
        "The key works: {model} answered. It is kept in the system's key store, and never shown again."
    )
    return KeyVerdict("ok", words.format(model=made.name))


def _kept_before(provider: str) -> ApiKey | None:
    """The key in the store, with the server that it is for; None for what cannot be one."""
    with suppress(ModelError):
        return key_store.find_key(provider, environ={})
    return None


def _put_back(provider: str, before: ApiKey | None) -> None:
    if before is not None:
        key_store.store_key(provider, before.reveal(), before.given_for)
    else:
        key_store.delete_key(provider)


def _told(error: Exception) -> str:
    return redactor().clean(tr_sentence(str(error)))
