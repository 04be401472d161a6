"""The models that can be chosen, with what each can do and costs in words for the window."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from desktop_agent.agent.choices import Offer
from desktop_agent.doctor.model_list import ListedModel, models_here
from desktop_agent.llm.transport.model_catalog import ModelFacts, Price, facts_of
from desktop_agent.support.config import Config
from desktop_agent.support.language import tr, tr_sentence

_HIDDEN = frozenset(("replay",))
"""Models that are chosen on the command line alone."""


class ModelOffer(NamedTuple):
    """An offer, and the address of the server of one's own that it needs, "" for none."""

    offer: Offer
    base_url: str = ""


def model_offers(settings: Config) -> tuple[ModelOffer, ...]:
    """Every model that is found, what can be used now first. Takes up to a second or two."""
    found = [each for model in models_here(settings) if model.use not in _HIDDEN for each in _offers(model)]
    automatic = Offer("auto", tr("Automatic"), tr("The first model with a key, else the offline one."))
    return (ModelOffer(automatic), *sorted(found, key=lambda each: bool(each.offer.problem)))


def _offers(model: ListedModel) -> Iterator[ModelOffer]:
    if model.use == "offline":
        does = tr("Understands plain instructions about what is on the screen. Nothing leaves this computer.")
        yield ModelOffer(Offer("offline", tr("Offline model"), does, tr("Free")))
        return
    told = f"{tr_sentence(model.detail)}. {tr_sentence(model.advice)}"
    problem = "" if model.state == "ok" else told.strip()
    title = model.use.removeprefix("compatible:")
    if model.model and model.model != title:
        title = f"{model.use} · {model.model}"
    yield ModelOffer(
        Offer(model.use, title, _does(model), _costs(model.facts.price), problem), model.base_url
    )
    for name in model.also if not problem else ():
        facts = facts_of(model.use, name)
        yield ModelOffer(
            Offer(f"{model.use}:{name}", f"{model.use} · {name}", _abilities(facts), _costs(facts.price))
        )


def _does(model: ListedModel) -> str:
    where = model.detail if model.use.startswith("compatible:") else ""
    return " · ".join(filter(None, (where, _abilities(model.facts))))


def _abilities(facts: ModelFacts) -> str:
    """What is known of it, in a few words."""
    sees = {True: tr("sees pictures"), False: tr("reads the names of elements, no pictures"), None: ""}[
        facts.images
    ]
    context = tr("{n} tokens of context").format(n=f"{facts.context:,}") if facts.context else ""
    return " · ".join(filter(None, (sees, tr("computer tool") if facts.computer_tool else "", context)))


def _costs(price: Price | None) -> str:
    if price is None:
        return tr("Price unknown")
    if not any((price.input, price.output, price.cached, price.write)):
        return tr("Free")
    return tr("${input} in, ${output} out a million tokens").format(
        input=_rate(price.input), output=_rate(price.output)
    )


def _rate(rate: float | None) -> str:
    return "?" if rate is None else f"{rate:g}"
