"""`desktop-agent models`: lists the models that are there, what each can do, and what it costs."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator, Sequence
from types import ModuleType

import msgspec

from desktop_agent.doctor import machine
from desktop_agent.doctor import models as model_checks
from desktop_agent.doctor.check import State
from desktop_agent.llm.transport import local_servers
from desktop_agent.llm.transport.model_catalog import ModelFacts, Price, catalog, facts_of
from desktop_agent.llm.transport.options import RemoteOptions
from desktop_agent.llm.transport.remote_model import RemoteModel
from desktop_agent.llm.transport.served_models import ModelServer, ServedModel
from desktop_agent.protocol.errors import DesktopAgentError
from desktop_agent.redaction.redactor import redactor
from desktop_agent.startup.exit_code import USAGE
from desktop_agent.support import config, plugins
from desktop_agent.support.config import Config
from desktop_agent.support.plugins import Plugin
from desktop_agent.support.terminal_text import json_safe, one_line


class ListedModel(msgspec.Struct, frozen=True, kw_only=True):
    """One model: what to say after --model, whether it can be used now and why (not), and what is known of it.

    `also` are other names of its provider that something is known of, `base_url` the address of a server found here.
    """

    use: str
    model: str
    state: State
    detail: str
    advice: str = ""
    facts: ModelFacts = ModelFacts()
    also: tuple[str, ...] = ()
    base_url: str = ""


def run_models(json: bool = False, config_file: str | None = None) -> int:
    """Print the list for people, or as JSON; returns 0, or USAGE when the config file cannot be used."""
    settings, check = machine.config_file(config_file)
    if check.state == "broken":
        print(f"desktop-agent models: {one_line(check.detail)} {one_line(check.mend)}", file=sys.stderr)
        return USAGE
    listed = redactor().scrub(tuple(models_here(settings)))
    if json:
        encoded = msgspec.json.encode({"models": listed})
        print(json_safe(msgspec.json.format(encoded, indent=2).decode()))
    else:
        print("\n".join(_lines(listed)))
    return 0


def models_here(settings: Config) -> Iterator[ListedModel]:
    """Every model of this program and of installed packages, then those that servers on this computer have."""
    for plugin in plugins.discover("llm"):
        yield _of_plugin(settings, plugin)
    base_url = str(settings.llm.get("compatible", {}).get("base_url", local_servers.USUAL_BASE_URL))
    for server in local_servers.find_servers():
        for model in server.models:
            yield _served(server, model, base_url)


def _of_plugin(settings: Config, plugin: Plugin) -> ListedModel:
    check = model_checks.model(settings, plugin)
    name, facts = "", facts_of(plugin.name, "")
    if plugin.module is not None:
        with contextlib.suppress(DesktopAgentError):  # the check says it
            options = config.options(settings, "llm", plugin.name, plugin.module.Options)
            name = str(getattr(options, "model", ""))
            facts = _facts(plugin.name, plugin.module, options, name)
    known = (each for entry in catalog().get(plugin.name, ()) for each in entry.names)
    return ListedModel(
        use=plugin.name,
        model=name,
        state=check.state,
        detail=check.detail,
        advice=check.mend,
        facts=ModelFacts(**{each: getattr(facts, each) for each in ModelFacts.__struct_fields__}),
        also=tuple(each for each in known if each not in (name, "*")),
    )


def _facts(provider: str, module: ModuleType, options: object, name: str) -> ModelFacts:
    """What is known of the model as it is set up: the config goes before the table."""
    facts = facts_of(provider, name)
    if not isinstance(options, RemoteOptions):
        return facts
    model = module.create(options)
    try:
        if not isinstance(model, RemoteModel):
            return facts
        support, own = model.support, model.options.dollars_per_million
        return msgspec.structs.replace(
            facts,
            images=support.images if model.options.images is not None else facts.images,
            computer_tool=support.computer_tool
            if model.options.computer_tool is not None
            else facts.computer_tool,
            context=support.context_tokens or None,
            price=own.price() if own is not None else model.price,
        )
    finally:
        model.close()


def _served(server: ModelServer, model: ServedModel, base_url: str) -> ListedModel:
    one = msgspec.structs.replace(server, models=(model,))
    return ListedModel(
        use=f"compatible:{model.name}",
        model=model.name,
        state="ok",
        detail=f"{server.kind} at {server.address}",
        advice=f"To use it: {local_servers.how_to_use(one, base_url)}",
        facts=ModelFacts(images=model.images, context=model.context),
        base_url=server.base_url,
    )


# ---- printing --------------------------------------------------------------------------------------------------------


def _lines(listed: Sequence[ListedModel]) -> Iterator[str]:
    width = max(len(each.use) for each in listed)
    indent = " " * (width + 13)
    for each in listed:
        yield f"  {each.state:8} {each.use:{width}}  {one_line(each.detail)}"
        if each.model:
            yield f"{indent}model: {one_line(each.model)}"
        yield f"{indent}{' · '.join(abilities(each.facts))}"
        yield f"{indent}price: {price_words(each.facts.price)}"
        if each.advice and (each.state != "ok" or each.use.startswith("compatible:")):
            yield f"{indent}→ {one_line(each.advice)}"


def abilities(facts: ModelFacts) -> tuple[str, ...]:
    """What a model can do, in words, each with "unknown" where it is not known."""
    tool = facts.computer_tool
    return (
        f"pictures: {_yes(facts.images)}",
        f"computer tool: {'unknown' if tool is None else tool or 'none'}",
        f"strict schema: {_yes(facts.strict_schema)}",
        f"prompt cache: {_yes(facts.cache)}"
        + (f" from {facts.cache_from:,} tokens" if facts.cache and facts.cache_from else ""),
        f"context: {f'{facts.context:,} tokens' if facts.context else 'unknown'}",
    )


def price_words(price: Price | None) -> str:
    """Dollars for a million tokens, as in `$2 in, $0.1 cached, $2.5 written, $10 out`, with date and source."""
    if price is None:
        return "unknown"
    rates = ((price.input, "in"), (price.cached, "cached"), (price.write, "written"), (price.output, "out"))
    if all(rate == 0 for rate, _ in rates):
        return "none"
    words = ", ".join(f"{'unknown' if rate is None else f'${rate:g}'} {kind}" for rate, kind in rates)
    more = f"; other rates above {price.long.above:,} tokens in" if price.long is not None else ""
    source = f" ({one_line(price.source)}; as of {price.date})" if price.source else " (config.toml)"
    return f"{words} a million tokens{more}{source}"


def _yes(known: bool | None) -> str:
    return "unknown" if known is None else "yes" if known else "no"
