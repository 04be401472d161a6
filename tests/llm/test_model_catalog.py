"""What is known of each model: the table, the prices of calls, and what a model is told apart by."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from desktop_agent.llm import anthropic, compatible, openai
from desktop_agent.llm.base import PaidBadReply
from desktop_agent.llm.transport import model_catalog
from desktop_agent.llm.transport.model_catalog import (
    LongRates,
    ModelFacts,
    Price,
    TokenCount,
    dollars_for,
    facts_of,
)
from desktop_agent.llm.transport.options import Prices
from desktop_agent.protocol.errors import ConfigError
from tests.llm import wire
from tests.llm.asking import ask, make
from tests.llm.fake_server import FakeServer

RATES = Price(input=2.0, cached=0.5, write=3.0, write_long=7.0, output=11.0)


def test_the_table_is_whole() -> None:
    table = model_catalog.catalog()
    assert {"anthropic", "openai", "compatible", "local", "offline"} <= table.keys()
    for provider, entries in table.items():
        assert entries[-1].names == ("*",), f"{provider} has nothing to say of unknown names"


def test_the_names_that_are_taken_without_a_setting_are_of_the_sdk_and_fully_known() -> None:
    from anthropic.types.model import Model
    from openai.types.shared.chat_model import ChatModel

    assert anthropic.Options().model in get_args(get_args(Model)[0])
    assert openai.Options().model in get_args(ChatModel)
    for provider, name in (("anthropic", anthropic.Options().model), ("openai", openai.Options().model)):
        facts = facts_of(provider, name)
        assert facts.images and facts.computer_tool and facts.strict_schema and facts.cache and facts.context
        assert facts.price is not None and None not in (
            facts.price.input,
            facts.price.cached,
            facts.price.write,
        )


def test_every_name_of_a_provider_is_one_of_its_sdk() -> None:
    from anthropic.types.model import Model
    from openai.types.shared.chat_model import ChatModel

    known = {
        "anthropic": get_args(get_args(Model)[0]),
        "openai": (*get_args(ChatModel), "gpt-5.6"),  # the last is another name of gpt-5.6-sol
    }
    for provider, names in known.items():
        listed = {name for entry in model_catalog.catalog()[provider] for name in entry.names} - {"*"}
        assert listed <= set(names)


def test_a_date_at_the_end_of_a_name_does_not_count() -> None:
    assert facts_of("anthropic", "claude-opus-4-5-20251101") is facts_of("anthropic", "claude-opus-4-5")
    assert facts_of("openai", "gpt-5.5-2026-04-23") is facts_of("openai", "gpt-5.5")


def test_a_longer_name_is_another_model() -> None:
    assert facts_of("anthropic", "claude-opus-5").price != facts_of("anthropic", "claude-opus-5-5").price
    assert facts_of("anthropic", "claude-opus-5-7").price is None
    assert facts_of("openai", "gpt-6.1-terra-large").price is None


def test_an_unknown_name_works_with_what_holds_for_its_provider() -> None:
    facts = facts_of("anthropic", "claude-next")
    assert facts.images and facts.computer_tool is None and facts.context is None
    assert facts_of("nobody", "x") == ModelFacts()
    model = anthropic.create(anthropic.Options(model="claude-next"))
    assert model.support.images and model.support.strict_schema and not model.support.computer_tool


def test_the_newest_tool_for_those_that_take_no_other() -> None:
    newest, older = "computer_toolset_20260801", "computer_20251124"
    assert facts_of("anthropic", "claude-sonnet-5-5").computer_tool == newest
    assert facts_of("anthropic", "claude-opus-4-6").computer_tool == older
    assert facts_of("anthropic", "claude-haiku-4-5").computer_tool == ""


# ---- prices --------------------------------------------------------------------------------------


def test_every_kind_of_token_has_its_rate() -> None:
    count = TokenCount(input=1_000_000, cached=400_000, written=200_000, written_long=100_000, output=10_000)
    assert dollars_for(RATES, count) == pytest.approx(0.3 * 2 + 0.4 * 0.5 + 0.2 * 3 + 0.1 * 7 + 0.01 * 11)


def test_a_rate_that_is_not_known_makes_the_price_unknown_only_where_it_is_needed() -> None:
    price = Price(input=2.0, output=4.0)
    assert dollars_for(price, TokenCount(input=500_000, output=250_000)) == pytest.approx(2.0)
    assert dollars_for(price, TokenCount(input=500_000, cached=1)) is None
    assert dollars_for(price, TokenCount(input=500_000, written=1)) is None
    assert dollars_for(None, TokenCount()) is None


def test_a_long_prompt_pays_its_own_rates_as_a_whole() -> None:
    long = LongRates(above=100, input=10.0, output=20.0)
    price = Price(input=1.0, cached=0.1, output=2.0, long=long)
    assert dollars_for(price, TokenCount(input=100, output=10)) == pytest.approx(120e-6)
    assert dollars_for(price, TokenCount(input=101, output=10)) == pytest.approx(1_210e-6)
    assert dollars_for(price, TokenCount(input=101, cached=5)) is None


def test_list_prices_hold_at_the_providers_own_address_only() -> None:
    assert anthropic.AnthropicModel(anthropic.Options()).price is not None
    assert openai.OpenAIModel(openai.Options()).price is not None
    assert openai.OpenAIModel(openai.Options(base_url="https://proxy.example/v1")).price is None
    assert compatible.CompatibleModel(compatible.Options(model="gpt-6.1-terra")).price is None


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("provider", ["openai", "compatible", "anthropic"])
def test_what_the_wire_tells_is_billed(
    server: FakeServer, provider: str, stream: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = make(provider, server.url, stream=stream)
    monkeypatch.setattr(type(model), "price", RATES)
    usage = ask(model).usage
    model.close()
    long = 0 if provider == "compatible" else wire.KEPT_LONG  # that API does not tell how long
    fresh = wire.READ - wire.CACHED - wire.KEPT
    millionths = fresh * 2 + wire.CACHED * 0.5 + (wire.KEPT - long) * 3 + long * 7 + wire.WRITTEN * 11
    assert (usage.input, usage.cached, usage.written, usage.output) == (
        wire.READ, wire.CACHED, wire.KEPT, wire.WRITTEN,
    )  # fmt: skip
    assert usage.dollars == pytest.approx(millionths / 1e6)


def test_prices_in_the_config_come_first(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    model = make("openai", server.url, dollars_per_million=Prices(input=1.0, cached=0.0, output=0.0))
    monkeypatch.setattr(type(model), "price", RATES)
    assert ask(model).usage.dollars == pytest.approx((wire.READ - wire.CACHED) / 1e6)  # written costs as read
    model.close()


def test_a_reply_that_cannot_be_used_tells_what_it_cost(server: FakeServer) -> None:
    server.answer = lambda _: "no JSON"
    model = make("openai", server.url)
    with pytest.raises(PaidBadReply) as caught:
        ask(model)
    model.close()
    assert (caught.value.usage.input, caught.value.usage.written) == (wire.READ, wire.KEPT)
    assert caught.value.raw == "no JSON" and caught.value.problems


# ---- support -------------------------------------------------------------------------------------


def test_support_is_filled_from_the_table_and_the_config_wins() -> None:
    known = anthropic.create(anthropic.Options()).support
    assert (known.images, known.computer_tool, known.cache, known.context_tokens) == (
        True, "computer_toolset_20260801", True, 1_000_000,
    )  # fmt: skip
    set_by_hand = anthropic.create(
        anthropic.Options(images=False, computer_tool="", context_tokens=50_000)
    ).support
    assert (set_by_hand.images, set_by_hand.computer_tool, set_by_hand.context_tokens) == (False, "", 50_000)


def test_a_model_that_cannot_see_is_sent_no_picture_from_the_start(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "desktop_agent.llm.transport.remote_model.facts_of", lambda *_: ModelFacts(images=False)
    )
    model = make("compatible", server.url)
    ask(model)
    model.close()
    assert not model.support.images and "image_url" not in str(server.seen[0].body)


def test_a_model_without_a_strict_schema_is_not_asked_for_one(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    blind = ModelFacts(strict_schema=False)
    monkeypatch.setattr("desktop_agent.llm.transport.remote_model.facts_of", lambda *_: blind)
    model = make("compatible", server.url)
    ask(model)
    model.close()
    assert server.seen[0].body["response_format"] == {"type": "json_object"}


# ---- a damaged table -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[[openai]]\nnames = ['a']\nimage = true\n", "unknown field `image`"),
        ("[[openai]]\nnames = []\n", "length >= 1"),
        ("[[openai]]\nnames = ['*']\n[[openai]]\nnames = ['gpt']\n", "'gpt' is never reached"),
        ("[[openai]]\nnames = ['a']\nprice = { input = 1.0 }\n", "no date or no source"),
        ("[[openai]]\nnames = ['a']\nprice = { input = -1.0, date = '2026-01-01', source = 's' }\n", ">= 0"),
        ("[[openai]]\nnames = ['a']\ncomputer_tool = 'mouse'\n", "mouse"),
        ("[[openai]\n", "cannot be used"),
    ],
)
def test_a_damaged_table_is_refused_with_the_place(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "models.toml"
    file.write_text(text)
    with pytest.raises(ConfigError) as caught:
        model_catalog.read_catalog(file)
    assert words in caught.value.message and str(file) in caught.value.message
