"""Places values that are dictated to a field by its name: “Ruth into Name”, “set Nights to 3”, “bei Wohnort Kiel”."""

from __future__ import annotations

from desktop_agent.extras.offline.llm.offline.asked_forms.field_values import fitting_value
from desktop_agent.extras.offline.llm.offline.asked_forms.label_words import Mention, mentions
from desktop_agent.extras.offline.llm.offline.asked_forms.reading_state import ReadingState


def place_dictated_values(state: ReadingState) -> None:
    """“Ruth into Name”, “set Nights to 3”, “bei Wohnort Kiel”: a name of a field, joined to its value."""
    chosen: list[tuple[Mention, str]] = []
    for each in mentions(state.goal, state.fields):
        field = state.fields[each.field]
        how = _how_joined(state, each)
        if not how or field.kind == "box":
            continue
        if not each.whole and how == "before" and not _in_dictation(state, each):
            continue
        if any(each.start < other.end and other.start < each.end for other, _ in chosen):
            continue
        chosen.append((each, how))
    best = sorted(chosen, key=lambda each: each[0].start)
    for number, (each, how) in enumerate(best):
        if not state.goal.free(each.start, each.end):
            continue
        after = best[number + 1][0] if number + 1 < len(best) else None
        _joined_value(state, each, how, after)


def _in_dictation(state: ReadingState, each: Mention) -> bool:
    """Is a word for entering said in the sentence?"""
    start, end = state.goal.sentence(each.start)
    verbs = state.words.verbs["enter"] | state.words.verbs["final"] - {"an", "aus", "ein"}
    return any(state.low(i) in verbs for i in range(start, end))


def _how_joined(state: ReadingState, each: Mention) -> str:
    """How a value is joined to the name: "behind" it, or the name has a preposition "before" it; "" for not at all."""
    after = _behind_holders(state, each.end)
    if after < len(state.goal) and not state.goal.claimed[after]:
        if state.goal.words[after].text in (":", "=", "→"):
            return "behind"
        if (
            state.low(after) in state.words.joins["behind"]
            and after + 1 < len(state.goal)
            and after not in state.goal.ends
        ):
            prose = state.low(after) in state.words.joins["states"]
            if prose or (state.low(after) in state.words.joins["sets"] and _in_dictation(state, each)):
                return "behind"
            if state.low(after) == "as" and _in_dictation(state, each) and _preposition(state, each) is None:
                return "behind"
    return "before" if _preposition(state, each) is not None else ""


def _behind_holders(state: ReadingState, at: int) -> int:
    """Past “field” and the like."""
    while at < len(state.goal) and state.low(at) in state.words.joins["holders"]:
        at += 1
    return at


def _preposition(state: ReadingState, each: Mention) -> int | None:
    """The preposition before the name of a field, articles between them skipped; None where there is none."""
    at = each.start - 1
    while (
        at >= 0
        and not state.goal.claimed[at]
        and state.low(at) in state.words.joins["articles"] | {"new"}
        and at not in state.goal.ends
    ):
        at -= 1
    if at >= 0 and not state.goal.claimed[at] and state.low(at) in state.words.joins["before"]:
        return at
    return None


def _joined_value(state: ReadingState, each: Mention, how: str, after: Mention | None) -> None:
    """Place the value that goes with a name; `after` is the name that is dictated next."""
    start = _preposition(state, each)
    if how == "behind":
        begin = _behind_holders(state, each.end) + 1
        if state.low(begin) in ("be", "to", ":"):
            begin += 1
        _place_joined(
            state,
            each,
            begin,
            _value_end(state, begin, after, each.field),
            each.start if start is None else start,
        )
        return
    if start is None:
        return
    left = _value_start(state, start)
    if left < start and _is_value(state, left, start):
        _place_joined(state, each, left, start, left, end_of_claim=_behind_holders(state, each.end))
        return
    begin = _behind_holders(state, each.end)
    while (
        begin < len(state.goal)
        and begin - 1 not in state.goal.ends
        and (
            state.goal.words[begin].text == ","
            or state.low(begin) in state.words.verbs["enter"] | state.words.joins["before_value"]
        )
    ):
        begin += 1
    _place_joined(state, each, begin, _value_end(state, begin, after, each.field), start)


def _is_value(state: ReadingState, start: int, end: int) -> bool:
    """Is something said there, and not only small words such as “right below”?"""
    said = [state.goal.words[i] for i in range(start, end) if not state.goal.words[i].is_sign]
    return any(each.is_quoted or each.low not in state.words.little for each in said)


def _value_start(state: ReadingState, end: int) -> int:
    """Where the value before a preposition begins: behind the verb, what is claimed, or the sentence's begin."""
    start, _ = state.goal.sentence(end)
    at = end
    verbs = state.words.verbs["enter"] | state.words.verbs["tick"] | state.words.verbs["press"]
    while at > start and not state.goal.claimed[at - 1]:
        said = state.goal.words[at - 1]
        if said.low in verbs and not said.is_quoted and (said.text.islower() or at - 1 == start):
            break
        at -= 1
    while at < end and (
        state.separates(at) or (state.low(at) in state.words.joins["value_begins"] and at + 1 < end)
    ):
        at += 1
    return at


def _value_end(state: ReadingState, begin: int, after: Mention | None, field: int) -> int:
    """Where a value ends that stands behind its field's name."""
    _, stop = state.goal.sentence(min(begin, len(state.goal) - 1))
    if begin < len(state.goal) and state.goal.words[begin].is_quoted:
        return begin + 1
    if after is not None and after.start < stop:
        before = _preposition(state, after)
        stop = min(stop, after.start if before is None else before)
    long = state.fields[field].kind == "area" or state.takes[field][:1] in (("subject",), ("message",))
    verbs = (
        state.words.verbs["enter"]
        | state.words.verbs["tick"]
        | state.words.verbs["press"]
        | state.words.verbs["untick"]
    )
    for at in range(begin, stop):
        if state.goal.claimed[at]:
            stop = at
            break
        sign = state.goal.words[at].text
        if at > begin and state.separates(at):
            ahead = next(
                (
                    i
                    for i in range(at, min(at + 5, stop))
                    if not state.separates(i) and state.low(i) not in ("sie", "bitte", "please")
                ),
                at,
            )
            if state.low(ahead) in verbs or (sign in (",", "and", "und", ";") and not long):
                stop = at
                break
    return _without_tail(state, begin, stop, long)


def _without_tail(state: ReadingState, begin: int, stop: int, long: bool) -> int:
    """The end of a value without signs, articles and parts of verbs behind it; a long text keeps its full stop."""
    while stop > begin and (
        state.separates(stop - 1)
        or state.goal.words[stop - 1].text in (".", "!", ";")
        or (
            state.low(stop - 1) in state.words.verbs["final"] | state.words.joins["articles"]
            and stop - begin > 1
        )
    ):
        if state.goal.words[stop - 1].text in (".", "!") and long and stop - begin > 3:
            break
        stop -= 1
    return stop


def _place_joined(
    state: ReadingState, each: Mention, begin: int, end: int, claim_from: int, end_of_claim: int = 0
) -> None:
    """Place the words as the value of the field that was named."""
    field = state.fields[each.field]
    if field.kind in ("list", "radio"):
        while begin < end and state.low(begin) in state.words.joins["definite"]:
            begin += 1
        while end - begin > 1 and state.low(begin) in state.words.joins["indefinite"]:
            begin += 1
    if begin >= end or not state.goal.free(begin, end):
        return
    value = fitting_value(field, state.goal.text(begin, end))
    if value is None or not state.place(each.field, value):
        return
    state.goal.claim(min(claim_from, begin), max(end, each.end, end_of_claim), "value")
    at = max(end, each.end)
    while at < len(state.goal) and state.low(at) in state.words.verbs["final"] and not state.goal.claimed[at]:
        state.goal.claim(at, at + 1, "value")
        at += 1
