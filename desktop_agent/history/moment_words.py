"""The words that stand beside a moment of a run: its heading, what was said or done, evidence, and the cost so far."""

from __future__ import annotations

from desktop_agent.agent.bill_words import all_tokens, money
from desktop_agent.history.run_story import Moment, MomentKind
from desktop_agent.protocol.agent_events import Receipt
from desktop_agent.support.language import SentenceKind, later, tr, tr_sentence

_HEADINGS: dict[MomentKind, str] = {
    "goal": later("You said"),
    "note": later("The agent said"),
    "plan": later("Plan"),
    "action": later("Action {number}"),
    "approval": later("You were asked to allow"),
    "question": later("The agent asked"),
    "done": later("Done"),
    "answered": later("Answered"),
    "stopped": later("Stopped"),
    "error": later("Something went wrong"),
    "cut": later("Cut short"),
}
_SENTENCES: dict[MomentKind, SentenceKind] = {
    "note": "notes",
    "question": "notes",
    "action": "operations",
    "approval": "operations",
}
_OUTCOMES = {
    "done": "",
    "refused": later("refused"),
    "failed": later("failed"),
    "stopped": later("stopped"),
    "skipped": later("skipped"),
}
_VERDICTS = {
    "verified": later("Verified"),
    "unverified": later("Not checked"),
    "contradicted": later("Contradicted"),
}


def heading_of(moment: Moment) -> str:
    """What kind of moment it is, as in `Action 7: failed`."""
    if moment.kind == "goal" and moment.detail:
        return tr("{program} said").format(program=moment.detail)
    words = tr(_HEADINGS[moment.kind]).format(number=moment.number)
    outcome = _OUTCOMES.get(moment.outcome, "") if moment.kind == "action" else ""
    return f"{words}: {tr(outcome)}" if outcome else words


def words_of_moment(moment: Moment) -> tuple[str, str]:
    """What was said or done, and more of it below; the agent's own sentences are in the user's language."""
    if moment.kind in ("goal", "plan", "done", "answered"):
        return moment.words, "" if moment.kind == "goal" else moment.detail
    kind = _SENTENCES.get(moment.kind, "reasons")
    more: SentenceKind = "notes" if kind == "notes" else "evidence" if moment.outcome == "done" else "reasons"
    return tr_sentence(moment.words, kind), tr_sentence(moment.detail, more)


def verdict_word(receipt: Receipt) -> str:
    """The word for what a receipt says."""
    return tr(_VERDICTS[receipt.verdict])


def cost_so_far(moment: Moment) -> str:
    """Steps, tokens and money up to this moment, as in `3 steps · 10.7k tokens · $0.04`; "" before the first step."""
    usage = moment.usage
    if usage is None:
        return ""
    steps = tr("1 step") if usage.step == 1 else tr("{count} steps").format(count=usage.step)
    tokens = all_tokens(usage)
    parts = (steps, tr("{count} tokens").format(count=tokens) if tokens else "", money(usage))
    return " · ".join(filter(None, parts))
