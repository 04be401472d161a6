"""Mistral's models through its Chat Completions."""

from __future__ import annotations

from functools import partial

from desktop_agent.llm.base import Model
from desktop_agent.llm.compatible import ChatModel, ChatOptions
from desktop_agent.llm.transport.options import ModelName
from desktop_agent.llm.transport.readiness import has_key, of_provider
from desktop_agent.support.providers import Provider

PROVIDER = Provider(name="mistral", label="Mistral", address="https://api.mistral.ai/v1", package="openai")
AUTO_RANK = 30
auto = partial(has_key, PROVIDER)
readiness = partial(of_provider, PROVIDER)


class Options(ChatOptions, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[llm.mistral]."""

    model: ModelName = "mistral-medium-latest"


def create(options: Options) -> Model:
    """The model that the options describe."""
    return MistralModel(options)


class MistralModel(ChatModel[Options]):
    """Chat Completions at Mistral's own server, with its key."""

    provider, label, home = PROVIDER.name, PROVIDER.label, PROVIDER
    key_needed = True
