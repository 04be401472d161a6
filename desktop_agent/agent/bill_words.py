"""What a run has used, in words of the user's language: tokens, the part that a cache saved, and money."""

from __future__ import annotations

from desktop_agent.protocol.agent_events import Spent, Usage
from desktop_agent.support.language import later, tr

UNKNOWN = later("price unknown")
_AT_LEAST = later("at least {amount}")


def token_count(tokens: int) -> str:
    """A number of tokens, as in `999`, `11.2k` or `1.3M`."""
    if tokens < 1_000:
        return str(tokens)
    return f"{tokens / 1_000:.1f}k" if tokens < 999_950 else f"{tokens / 1e6:.1f}M"


def all_tokens(spent: Spent | Usage) -> str:
    """Input and output together; "" when there are none."""
    total = spent.input_tokens + spent.output_tokens
    return token_count(total) if total else ""


def cached_percent(spent: Spent | Usage) -> int:
    """The share of the input that was read from a cache."""
    return round(100 * spent.cached_tokens / spent.input_tokens) if spent.input_tokens else 0


def money(spent: Spent | Usage, least: str = _AT_LEAST) -> str:
    """The money, as in `$0.12`; `< $0.01` for less than a cent, `at least $0.12` when some calls have no known price.

    "price unknown" when nothing can be said, "" when nothing was used. `least` are the words for a lower bound.
    """
    dollars = spent.dollars
    if not spent.input_tokens + spent.output_tokens:
        return _amount(dollars) if dollars else ""
    if dollars is None or (not spent.dollars_complete and dollars < 0.01):
        return tr(UNKNOWN)
    amount = _amount(dollars)
    return amount if spent.dollars_complete else tr(least).format(amount=amount)


def _amount(dollars: float) -> str:
    return f"${dollars:,.2f}" if dollars >= 0.01 or not dollars else "< $0.01"


def tokens_in_words(spent: Spent | Usage) -> str:
    """All tokens by kind, as in `10,700 tokens in (9,200 cached, 300 written to the cache), 500 out`; "" for none."""
    if not spent.input_tokens + spent.output_tokens:
        return ""
    kinds = (
        (spent.cached_tokens, tr("{count} cached")),
        (spent.written_tokens, tr("{count} written to the cache")),
    )
    parts = ", ".join(words.format(count=f"{tokens:,}") for tokens, words in kinds if tokens)
    given = tr("{count} tokens in").format(count=f"{spent.input_tokens:,}")
    got = tr("{count} out").format(count=f"{spent.output_tokens:,}")
    return f"{given}{f' ({parts})' if parts else ''}, {got}"


def whole(usage: Usage) -> tuple[str, ...]:
    """Everything that is known, in lines: the steps, the run, the last step."""
    step = tr("Step {number} of {count}") if usage.max_steps else tr("Step {number}")
    return (
        step.format(number=f"{usage.step:,}", count=f"{usage.max_steps:,}"),
        *_line(tr("This run: {words}"), usage),
        *_line(tr("This step: {words}"), usage.this_step),
    )


def run_in_a_line(usage: Usage) -> str:
    """What the run has used, for its end, as in `Used: 7 steps, 10,700 tokens in …, 500 out, $0.04`; "" without tokens."""
    tokens = tokens_in_words(usage)
    steps = tr("1 step") if usage.step == 1 else tr("{count} steps").format(count=f"{usage.step:,}")
    return tr("Used: {words}").format(words=f"{steps}, {tokens}, {money(usage)}") if tokens else ""


def _line(name: str, spent: Spent | Usage) -> tuple[str, ...]:
    words = ", ".join(filter(None, (tokens_in_words(spent), money(spent))))
    return (name.format(words=words),) if words else ()
