"""Clauses about the cheapest, the shortest, one of each, and waiting for a price."""

from __future__ import annotations

import re

from desktop_agent.llm.offline import words
from desktop_agent.llm.offline.intents import Fill, Intent, Submit
from desktop_agent.llm.offline.intents_buying import Amount, Best, Measure, PlaceOrder, Watch
from desktop_agent.llm.offline.named import Phrase
from desktop_agent.llm.offline.quoting import QUOTED, Masked
from desktop_agent.llm.offline.rules_fill import WHEN
from desktop_agent.llm.offline.rules_text import Rule, _rule, text_of

_VERB = r"(?P<verb>buy|book|order|reserve|choose|select|pick|take|get|purchase)"
_LEAST: dict[str, Measure] = {
    "cheapest": "money", "least expensive": "money", "most affordable": "money", "shortest": "duration",
    "fastest": "duration", "quickest": "duration", "earliest": "time", "soonest": "time", "lowest": "number",
    "smallest": "number", "fewest": "number", "least": "number",
}  # fmt: skip
_MOST: dict[str, Measure] = {
    "most expensive": "money", "priciest": "money", "dearest": "money", "costliest": "money", "longest": "duration",
    "slowest": "duration", "latest": "time", "highest": "number", "largest": "number", "biggest": "number",
    "greatest": "number", "most": "number",
}  # fmt: skip
_MEASURES: dict[str, Measure] = {
    "cost": "money", "price": "money", "fare": "money", "rate": "money", "fee": "money", "duration": "duration",
    "time": "duration", "travel time": "duration", "length": "duration", "departure": "time", "arrival": "time",
}  # fmt: skip


def _either(names: dict[str, Measure]) -> str:
    return "|".join(sorted(map(re.escape, names), key=len, reverse=True))


_SUPERLATIVE = rf"(?P<how>{_either(_MOST | _LEAST)})"
_SURE = rf"(?P<how>{_either({k: v for k, v in (_MOST | _LEAST).items() if v in ('money', 'duration') or k == 'earliest'})})"


def _best(found: re.Match[str], _masked: Masked) -> tuple[Intent, ...] | None:
    if re.search(r"\bfrom\b(?!\s+(?:the|this|these|all)\b)", found["thing"], re.I):
        return None  # a way from one place to another
    if (
        _LOOSE.fullmatch(found["verb"])
        and not found.groupdict().get("measure")
        and found["how"].lower() not in _MONEYED
    ):
        return None  # "select the longest word" compares no offers
    return (_best_of(found),)


_LOOSE = re.compile(r"choose|select|pick|take|get", re.I)
_MONEYED = frozenset(how for names in (_LEAST, _MOST) for how, measure in names.items() if measure == "money")


def goes_on(last: Intent, text: str) -> bool:
    """An order goes on with the names of more items, a journey with the rest of a place and its day."""
    rest = re.match(rf"\s*\S+(?:\s\S+)?\s+(?:on|for|departing|leaving)\s+{WHEN}", text, re.I)
    return isinstance(last, PlaceOrder) or (isinstance(last, Best | Submit) and rest is not None)


def _best_of(found: re.Match[str]) -> Best:
    how, label = found["how"].lower(), (found.groupdict().get("measure") or "").strip().lower()
    kind = _MEASURES.get(label) or (_MOST | _LEAST)[how]
    return Best(found["verb"].lower(), found["thing"].strip(), kind, how in _MOST, label)


def _route(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    """ "Book the cheapest flight from A to B on D": fill in the search, send it, compare what it finds."""
    fills = [
        Fill(Phrase("from", spoken="from"), text_of(found["start"], masked), offered=True),
        Fill(Phrase("to", spoken="to"), text_of(found["goal"], masked), offered=True),
    ]
    if found["day"]:
        fills.append(Fill(Phrase("departure date", spoken="departure date"), masked.restore(found["day"])))
    best = (_best_of(found),) if found["how"] else ()
    return (*fills, Submit(), *best)


def _watch(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    above = not re.match(r"(?:less|lower|smaller|cheaper|below|under|at most|beneath)", found["way"], re.I)
    value = float(found["value"].replace(",", ""))
    label = masked.literal(found["label"])[0]
    return (Watch(found["verb"].capitalize(), label, value, above),)


def _each(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    count = int(words.number(found["count"]) or 1)
    names = re.split(r"\s*,\s*(?:and\s+)?|\s*;\s*", masked.restore(found["items"]).strip(" ."))
    amounts = tuple(Amount(each.strip("\"'“”"), count) for each in names if each)
    return (*amounts, PlaceOrder()) if amounts else None


_THING = r"(?P<thing>[^,.;]+?)"
RULES: tuple[Rule, ...] = (
    _rule(rf"(?P<verb>book|buy|reserve|find|get)\s+(?:the|a|an)\s+(?:{_SURE}\s+)?(?P<thing>(?:[\w-]+\s+){{0,3}}?[\w-]+)\s+from:?\s+(?P<start>.+?)\s+to:?\s+(?P<goal>.+?)(?:\s+(?:on|for|departing(?: on)?|leaving(?: on)?):?\s+(?P<day>{WHEN}|{QUOTED}))?", _route),
    _rule(rf"{_VERB}\s+(?:the\s+|a\s+)?{_THING}\s+(?:with|that has|having|which has|of|for)\s+the\s+{_SUPERLATIVE}\s+(?P<measure>[\w ]+?)", _best),
    _rule(rf"{_VERB}\s+the\s+{_SURE}\s+{_THING}", _best),
    _rule(r"(?P<verb>buy|sell|order|click|press)\s+(?:\S+\s+){0,4}?(?:when|once|as soon as|if)\s+(?P<label>(?:the|its)\s+.+?)\s+(?:is|gets|goes|falls|drops|rises|climbs)\s+(?P<way>(?:less|lower|smaller|cheaper|more|higher|greater|larger) than|below|under|beneath|above|over|at most|at least)\s+[$€£]?(?P<value>\d[\d,]*(?:\.\d+)?)\W*", _watch),
    _rule(rf"(?:order|buy|add|get)\s+(?P<count>{words.NUMBER})\s+(?:of\s+)?(?:each|every)(?:\s+(?:item|one|of (?:them|these|the following)))?\s*:\s*(?P<items>.+)", _each),
)  # fmt: skip
