"""Cuts an instruction into clauses: where both sides are understood, and so that as many words as can be are.

Every cut at a comma, a full stop, “and” or “then” is tried; the best way through the instruction wins. Words that
are in no clause that is understood are kept, so that they can be asked about.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from desktop_agent.extras.offline.llm.offline.intents import Phrase
from desktop_agent.extras.offline.llm.offline.language.lexicon import Lexicon
from desktop_agent.extras.offline.llm.offline.language.readings import read_absolute, read_clause
from desktop_agent.extras.offline.llm.offline.language.said import Reading
from desktop_agent.extras.offline.llm.offline.language.shapes import AWAITED, stripped, with_verb
from desktop_agent.extras.offline.llm.offline.language.slot_places import as_item
from desktop_agent.extras.offline.llm.offline.language.slot_things import as_thing, as_thing_clicked
from desktop_agent.extras.offline.llm.offline.language.statements import BEGINS, told, topic
from desktop_agent.extras.offline.llm.offline.language.tokens import Span

_UNKNOWN, _CLAUSE, _GAP = -20, 3, -6
_GAP_WEIGHT = 3
"""How closely the arguments of a clause without a verb of its own ("and 42 into Age") must fit."""
_BEFORE_NO_CLAUSE = frozenset(
    (
        "to",
        "the",
        "a",
        "an",
        "my",
        "your",
        "this",
        "that",
        "in",
        "on",
        "of",
        "with",
        "for",
        "from",
        "not",
        "don't",
        "is",
        "be",
    )
)
_NO_COMMAND = frozenset(("the", "its", "it", "there"))
_DENIES = frozenset(("not", "except", "without", "never", "only", "rather", "instead"))
_MAX_CLAUSES = 400
_GAP_WEIGHTS = {"click": 2, "choose": 1, "check": 1}
"""Things are looked for by their names, so little is lost when words were none."""
_WITH_THEIR_VERB = ("tell", "carry", "save_open")
"""What is asked for by its own verb only: nearly any words could be what is read."""
_LONGEST = 200
"""Words of the longest clause, unless the whole instruction is one."""
_MAX_CROSSED = 1
"""Marks and joining words with a verb behind them that one clause may go over: “find X and replace it with Y”."""
_LONGEST_GAPPED = 12
"""Words of the longest clause that borrows its verb."""
_WINDOW = 12
"""Pieces between marks that one clause may be made of."""


class Clause(msgspec.Struct, frozen=True):
    """A piece of the instruction and its readings: none when it is not understood.

    `order` tells that it is to be done "before" or "after" the clause that it is said with ("earlier" than it), or is
    an "if" or "unless"; one that is `gapped` has borrowed the verb of the one before.
    """

    span: Span
    readings: tuple[Reading, ...]
    order: str = ""
    leads: bool = False
    gapped: bool = False

    @property
    def begins(self) -> bool:
        """Does it begin a sentence?"""
        before = self.span.whole[: self.span.tokens[0].start] if self.span.tokens else ""
        return bool(
            BEGINS.search(re.sub(r"(?:only )?(?:if|unless|in case|whenever)\s*$", "", before, flags=re.I))
        )

    @property
    def verb(self) -> str:
        return self.readings[0].verb if self.readings else ""


class _Way(msgspec.Struct, frozen=True):
    score: int
    clauses: tuple[Clause, ...] = ()


def clauses(span: Span, lexicon: Lexicon, *, run_on: bool = False) -> tuple[Clause, ...]:
    """The clauses of an instruction in the order in which they are to be done.

    In one that is `run_on`, said without marks between, any verb may begin a clause.
    """
    span = _without_reasons(_without_asides(span, lexicon), lexicon)
    cuts = _cuts(span, lexicon)
    cuts = sorted({*cuts, *_verbs_within(span, lexicon)}) if run_on else cuts
    return _best(span, cuts, lexicon)


def _best(span: Span, cuts: list[tuple[int, int]], lexicon: Lexicon) -> tuple[Clause, ...]:
    cuts = cuts[:_MAX_CLAUSES]
    ends = [*cuts, (len(span), len(span))]
    verbs = [after < len(span) and any(lexicon.verbs_at(span.lows, after, "base")) for _, after in ends]
    best: dict[int, _Way] = {0: _Way(0)}
    for start in sorted({0, *(after for _, after in cuts)}):
        way = best.get(start)
        if way is None:
            continue
        for end, after in _reach(start, ends, verbs):
            clause, score = _clause(span.part(start, end), way, lexicon)
            longer = _Way(way.score + score, (*way.clauses, *([clause] if clause else [])))
            if after not in best or longer.score > best[after].score:
                best[after] = longer
    return _ordered(_merged(best[len(span)].clauses))


def _without_asides(span: Span, lexicon: Lexicon) -> Span:
    """The instruction without “, which I have open,” and the like beside a file's name."""
    for pattern in lexicon.beside:
        at = 0
        while True:
            words = [f"<{each.kind}>" if each.kind in ("file", "quote") else each.low for each in span.tokens]
            line = " ".join(words)
            found = pattern.search(line, at)
            if found is None:
                break
            at = found.start() + 1
            off = [
                range(line.count(" ", 0, found.start(name) + 1), line.count(" ", 0, found.end(name)) + 1)
                for name in ("off", "off2")
                if name in pattern.groupindex and found[name]
            ]
            gone = {each for several in off for each in several if words[each] != "<file>"}
            kept = tuple(each for place, each in enumerate(span.tokens) if place not in gone)
            span = Span(kept, span.whole, {})
    return span


def _without_reasons(span: Span, lexicon: Lexicon) -> Span:
    """The instruction without “, since we have plenty of it,” and the like, where they name nothing."""
    tokens, at = list(span.tokens), 0
    while at < len(tokens):
        lows = tuple(each.low for each in tokens)
        starts = not at or tokens[at - 1].kind == "mark"
        led = lexicon.reasons.at(lows, at) if starts else 0
        end = next((n for n in range(at, len(tokens)) if tokens[n].low in _REASON_ENDS), len(tokens))
        plain = all(
            each.kind == "word" and not (n and each.text[:1].isupper() and each.low not in ("i", "i'm"))
            for n, each in enumerate(tokens[at:end])
        )
        if led and plain and end - at <= _LONGEST_REASON and not (at == 0 and end == len(tokens)):
            comma = end < len(tokens) and tokens[end].low == ","
            del tokens[at : end + comma]
            if at and tokens[at - 1].low == "," and not comma:
                del tokens[at - 1]
        else:
            at += 1
    return Span(tuple(tokens), span.whole, {})


_REASON_ENDS, _LONGEST_REASON = frozenset(",.;:!?\n"), 14


def _verbs_within(span: Span, lexicon: Lexicon) -> list[tuple[int, int]]:
    """Where a verb stands that may begin a clause of its own."""
    lows = span.lows
    return [
        (at, at)
        for at in range(2, len(span))
        if lows[at - 1] not in _BEFORE_NO_CLAUSE and any(lexicon.verbs_at(lows, at, "base"))
    ]


def _reach(start: int, ends: list[tuple[int, int]], commands: list[bool]) -> Iterator[tuple[int, int]]:
    """The ends that a clause from `start` may have: few that look like another command lie within, unless it is all there is."""
    crossed = number = 0
    for (end, after), command in zip(ends, commands, strict=True):
        if end < start or (end == start and after == start):
            continue
        last = after == ends[-1][1]
        if (
            number
            and (crossed > _MAX_CROSSED or number >= _WINDOW or end - start > _LONGEST)
            and not (last and not start)
        ):
            if start or end - start > _LONGEST:
                return
            continue
        yield end, after
        number += 1
        crossed += command


def _cuts(span: Span, lexicon: Lexicon) -> list[tuple[int, int]]:
    """Where a clause may end, and where the next one begins then."""
    lows, found, at = span.lows, [], 0
    while at < len(span):
        exclaimed = span.tokens[at].kind == "mark" and lows[at] in "!?"
        start = end = at + 1 if exclaimed and at else at
        while end < len(span):
            if _pauses(span, end):
                end += 1
            elif _orders(lows, end, lexicon):
                break
            elif (length := lexicon.joining.at(lows, end)) and not _is_name(span, end):
                end += length
            else:
                break
        if end > start or start > at:
            found.append((start, end))
            at = end
            continue
        if at and _orders(lows, at, lexicon):
            found.append((at, at))
        at += 1
    return found


def _is_name(span: Span, at: int) -> bool:
    """Is a word written with a capital within a sentence: “click Next, and …”?"""
    return span.tokens[at].text[:1].isupper() and at > 0 and not span.tokens[at - 1].stop


def _orders(lows: tuple[str, ...], at: int, lexicon: Lexicon) -> bool:
    """Do words stand there that tell when a clause is to be done, or whether?"""
    ordering = (lexicon.before, lexicon.after, lexicon.earlier, lexicon.conditions, lexicon.exceptions)
    return any(each.at(lows, at) for each in ordering)


def _pauses(span: Span, at: int) -> bool:
    """Is there a mark with a space (or nothing) behind it? "-l" and "3.5" are not cut."""
    token = span.tokens[at]
    if token.kind == "mark" and token.low in "()":
        return _parts(span, at)
    if token.low == ":" and token.kind == "mark":
        return at + 1 < len(span) and topic(span.part(_sentence_start(span, at), at)) is not None
    if token.kind != "mark" or token.low not in ".,;!?\n–—-":
        return False
    return (
        token.low == "\n"
        or at + 1 == len(span)
        or span.tokens[at + 1].start > token.end
        or span.tokens[at + 1].kind == "mark"
    )


def _sentence_start(span: Span, at: int) -> int:
    """Where the sentence begins that a token is in."""
    return next((before + 1 for before in range(at - 1, -1, -1) if span.tokens[before].stop), 0)


def _parts(span: Span, at: int) -> bool:
    """Does a round bracket stand before or behind words of their own: “(use the editor)”, but not “(3 + 4) * 2”?"""
    if span.lows[at] == "(":
        return at + 1 < len(span) and span.tokens[at + 1].kind == "word" and ")" in span.lows[at:]
    return (
        at > 0
        and span.tokens[at - 1].kind == "word"
        and (at + 1 == len(span) or span.lows[at + 1] in ".,;!?")
    )


def _clause(span: Span, way: _Way, lexicon: Lexicon) -> tuple[Clause | None, int]:
    clause = stripped(span, lexicon)
    if not len(clause):
        return None, 0
    order, body = _order(span.from_first_word, lexicon)
    if not order:
        order, body = _order(clause, lexicon)
    if not order and way.clauses and (needed := lexicon.needed.before(body.lows)) and needed < len(body):
        order, body = "earlier", body.part(0, -needed)
    if not order and way.clauses and lexicon.beforehand.before(_unmarked(span).lows):
        order = "earlier"
    found = read_clause(body, lexicon, marked=order not in ("", "earlier"))
    if found and span.lows[0] == "after" and way.clauses and not _leads_on(Clause(body, ())):
        found = tuple(each for each in found if not _only_names(each))
    before = {each.meaning for each in way.clauses[-1].readings} if way.clauses else set()
    if not found and not order and _is_label(clause) and before.isdisjoint(_LISTING):
        found = read_clause(with_verb(clause, "press"), lexicon)
    if not found and (found := read_absolute(clause, lexicon)):
        order = "after"
    if not found and not order and (denied := _denied(clause, lexicon)) is not None:
        return Clause(clause, (Reading("denied", {"readings": denied}, 0),)), _CLAUSE
    if not found and not order and (named := topic(clause)) is not None:
        return Clause(clause, (named,)), _CLAUSE
    if not found and not order and (telling := told(span, clause, lexicon)) is not None:
        return Clause(clause, (telling,)), _CLAUSE
    if not found and not order and way.clauses and lexicon.obliging.at(clause.lows):
        found = read_clause(
            with_verb(clause, "it"), lexicon
        )  # “a.txt is in Downloads, but should be in Documents”
    if not found and not order and lexicon.likewise.before(span.lows) and as_item(clause) and way.clauses:
        found = read_clause(with_verb(clause, "do the same with"), lexicon)  # “b.txt too”
    if not found and not order and len(clause) <= _LONGEST_GAPPED and way.clauses and way.clauses[-1].verb:
        gapped = read_clause(with_verb(clause, way.clauses[-1].verb), lexicon)
        written = clause.tokens[0].text[:1].isupper()
        verbal = (
            any(lexicon.verbs_at(clause.lows, 0, "base"))
            and clause.lows[0] not in _NO_COMMAND
            and not written
        )
        if goes_on := _goes_on(clause, way.clauses[-1].span, lexicon, spoken=bool(gapped)):
            gapped = read_clause(clause, lexicon, marked=True)
        elif _is_wished(_opener(way.clauses).span, lexicon) and (
            wished := read_clause(with_verb(clause, "i want"), lexicon)
        ):
            gapped, verbal = wished, False
        elif _is_wished(_opener(way.clauses).span, lexicon) and any(
            lexicon.verbs_at(clause.lows, 0, "participle")
        ):
            gapped, verbal = read_clause(clause, lexicon, marked=True), False
        elif clause.lows[0] == "to" and len(clause) > 1 and any(lexicon.verbs_at(clause.lows, 1, "base")):
            gapped = read_clause(clause.part(1), lexicon)
            verbal = False
        gapped = tuple(
            each
            for each in gapped
            if (goes_on or _fits(each))
            and clause.lows[0] not in _DENIES
            and (not verbal or each.meaning == "press")
            and (each.meaning != "transfer" or each.meaning in before)
        )
        if gapped:
            return Clause(clause, gapped, gapped=True), gapped[0].rank + _CLAUSE + _GAP
    if not found:
        return Clause(clause, ()), _UNKNOWN * len(clause)
    means = way.clauses and span.lows[0] == "by" and any(lexicon.verbs_at(span.lows, 1, "gerund"))
    apart = _UNKNOWN if means else 0  # “…, by running ./backup.sh” is how the one before is done
    return Clause(clause, found, order, leads=not way.clauses), found[0].rank + _CLAUSE + apart


def _unmarked(span: Span) -> Span:
    """Without the marks at its end."""
    end = next((at for at in range(len(span), 0, -1) if span.tokens[at - 1].kind != "mark"), 0)
    return span.part(0, end)


def _only_names(awaited: Reading) -> bool:
    """Is what is to be waited for only named: “click the entry after Bergen”, “… after the meeting”?"""
    what = awaited.slots.get("what")
    named = isinstance(what, Phrase) and not what.quoted
    return awaited.verb == AWAITED and named and not {"there", "gone"} & set(awaited.slots)


def _denied(clause: Span, lexicon: Lexicon) -> tuple[Reading, ...] | None:
    """What a clause says that is not to be done: “don't send it yet”, “leave the others as they are”; None for others."""
    body = clause
    while len(body) > 1 and (behind := lexicon.denied_behind.before(body.lows)) and behind < len(body):
        body = body.part(0, -behind - (body.lows[-behind - 1] == ","))
    for form, phrases in lexicon.denying.items():
        for whole in (body, clause):
            led = phrases.at(whole.lows)
            rest = stripped(whole.part(led), lexicon)
            if not led or not len(rest):
                continue
            if form != "thing" and (denied := read_clause(rest, lexicon, marked=form == "gerund")):
                return denied
            if form == "thing" and " ".join(rest.lows) in lexicon.the_rest:
                return ()
            if form == "thing" and _names_thing(rest):
                return read_clause(with_verb(rest, "click"), lexicon)
    return None


def _names_thing(span: Span) -> bool:
    """Do the words name a thing that can be left alone: a button, or something written as a name?"""
    return as_thing_clicked(span) is not None or (
        span.tokens[0].text[:1].isupper() and len(span) <= _LONGEST_LABEL and as_thing(span) is not None
    )


def _is_passive(clause: Span, lexicon: Lexicon) -> bool:
    return any(lexicon.passive.at(clause.lows, at) for at in range(1, len(clause)))


def _is_label(clause: Span) -> bool:
    """Is it what stands on a button, behind “then”: “Country: Norway, then Save choices”?"""
    before = clause.whole[: clause.tokens[0].start]
    written = clause.tokens[0].kind == "quote" or clause.text[0].isupper()
    return written and len(clause) <= _LONGEST_LABEL and re.search(r"\bthen\s+$", before, re.I) is not None


_LONGEST_LABEL = 4
_LISTING = frozenset(("choose", "click", "menu", "press", "open"))
"""What a label behind “then” is more of: “choose Create New, then Folder”."""


def _opener(before: tuple[Clause, ...]) -> Clause:
    """The last clause with a verb of its own."""
    return next((each for each in reversed(before) if not each.gapped), before[-1])


def _is_wished(before: Span, lexicon: Lexicon) -> bool:
    """Does the clause before say how something should be, so that one more thing may follow: “…, and the file saved”?"""
    return (
        _is_passive(before, lexicon)
        or (before.lows[0] in lexicon.modals and "be" in before.lows)
        or bool(lexicon.wanting.at(before.lows))
        or any(lexicon.obliging.at(before.lows, at) for at in range(1, len(before)))
    )


def _goes_on(clause: Span, before: Span, lexicon: Lexicon, *, spoken: bool) -> bool:
    """Is it one more participle or gerund: “should be emptied and saved”, “would you mind removing … and saving it”?

    A participle only where the clause says nothing with the verb before it (`spoken`): “the box checked” may be a thing.
    """
    passive = (
        not spoken and _is_passive(before, lexicon) and any(lexicon.verbs_at(clause.lows, 0, "participle"))
    )
    whole = before.from_first_word
    if lexicon.past_lead.at(whole.lows) and any(lexicon.verbs_at(clause.lows, 0, "participle")):
        return True
    asked = lexicon.gerund_lead.at(before.lows) or before.lows[0].endswith("ing")
    return passive or bool(asked and any(lexicon.verbs_at(clause.lows, 0, "gerund")))


def _fits(gapped: Reading) -> bool:
    """Do the arguments of a clause that has borrowed its verb say enough?"""
    if gapped.meaning in _WITH_THEIR_VERB:
        return False
    if gapped.meaning == "fill" and not (gapped.slots.get("value:by") or gapped.slots.get("field:by")):
        return False  # “knock off News” behind “switch on …”
    weight = gapped.rank - 2 * len(gapped.verb.split())
    if any(
        isinstance(each, Phrase) and not each.quoted and re.search(r",|\band\b", each.name)
        for each in gapped.slots.values()
    ):
        return False  # several things: each is a clause of its own
    return weight >= _GAP_WEIGHTS.get(gapped.meaning, _GAP_WEIGHT)


def _order(clause: Span, lexicon: Lexicon) -> tuple[str, Span]:
    orders = (
        ("if", lexicon.conditions), ("unless", lexicon.exceptions), ("before", lexicon.before),
        ("after", lexicon.after), ("earlier", lexicon.earlier),
    )  # fmt: skip
    length, order = max((phrases.at(clause.lows), order) for order, phrases in orders)
    asked = clause.lows[length : length + 1] and clause.lows[length] in lexicon.asking
    if lexicon.lead.at(clause.lows) > length or (asked and length == 1):
        return "", clause  # “when does it open?” is a question, no time
    return (order, clause.part(length)) if length else ("", clause)


def _merged(found: tuple[Clause, ...]) -> list[Clause]:
    """Neighbours that are not understood are one."""
    merged: list[Clause] = []
    for each in found:
        if merged and not each.readings and not merged[-1].readings:
            merged[-1] = Clause(
                Span((*merged[-1].span.tokens, *each.span.tokens), each.span.whole, each.span.memory), ()
            )
        else:
            merged.append(each)
    return merged


def _leads_on(clause: Clause) -> bool:
    """Is it said of what follows: “press Next; when the page has come up, …”?"""
    before = clause.span.whole[: clause.span.tokens[0].start]
    words = r"(?:after|once|when|as soon as)(?: (?:you|you have|you've|having|you had))?\s*"
    return (
        re.search(rf"(?:^|[.!?;:\n]|,\s*(?:and|then)|\band then)\s*(?:{words})?$", before, re.I) is not None
    )


def _ordered(found: list[Clause]) -> tuple[Clause, ...]:
    """“Before you close it, save” and “close it after you have saved” are done as they are meant, not as they are said."""
    done: list[Clause] = []
    held: list[Clause] = []
    moved: Clause | None = None
    for each in found:
        if each.order == "before" and not done and each.leads:
            held.append(each)
            continue
        if (each.order == "earlier" and done) or (each.order == "after" and done and not _leads_on(each)):
            done.insert(len(done) - 1, each)
            moved = each
            continue
        if each.gapped and moved is not None and done[-2:-1] == [moved]:
            done.insert(len(done) - 1, each)  # more of the same, at the same time
            moved = each
            continue
        moved = None
        done.append(each)
        done += held
        held = []
    return (*done, *held)
