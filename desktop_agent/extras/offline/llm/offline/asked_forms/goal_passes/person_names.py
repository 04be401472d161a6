"""Places the name of the person a goal speaks of, whole or as first and last name."""

from __future__ import annotations

from desktop_agent.extras.offline.llm.offline.asked_forms.form_vocabulary import plain_word
from desktop_agent.extras.offline.llm.offline.asked_forms.label_words import aliases, label_words
from desktop_agent.extras.offline.llm.offline.asked_forms.reading_state import ReadingState
from desktop_agent.extras.offline.llm.offline.asked_forms.word_runs import capitals_end, names_choice


def place_person_names(state: ReadingState) -> None:
    """“My name is Ruth Okafor”, “für Sven Ohlsen”: a name without its titles, for one field or for first and last name."""
    wholes = [i for i in state.open_fields("name") if state.takes[i][:1] == ("name",)]
    firsts = state.empty_for("first")
    lasts = [
        i
        for i, k in enumerate(state.takes)
        if (k[:1] == ("last",) or (firsts and k[:1] == ("name",))) and i not in state.placed
    ]
    if firsts and lasts:
        wholes = []
    if not wholes and not (firsts and lasts):
        return
    span = _person(state)
    if span is None:
        return
    start, end = span
    first = start
    while first < end and (
        state.low(first) in state.words.people["titles"] or state.goal.words[first].text == "."
    ):
        first += 1
    name = state.goal.text(first, end)
    if wholes:
        if len(wholes) > 1:
            return
        state.put(wholes[0], name)
        state.goal.claim(first, end, "value")
    elif end - first >= 2:
        cut = first + 1 if end - first == 2 else _last_name(state, first, end)
        state.put(firsts[0], state.goal.text(first, cut))
        state.put(lasts[0], state.goal.text(cut, end))
        state.goal.claim(first, end, "value")


def _last_name(state: ReadingState, start: int, end: int) -> int:
    """Where the last name begins: at its particle, or with the last word."""
    for at in range(start + 1, end):
        if state.low(at) in state.words.people["particles"]:
            return at
    return end - 1


def _person(state: ReadingState) -> tuple[int, int] | None:
    """The words that are a person's name: introduced as such, behind “my son” or a colon, or set apart by signs."""
    for said in state.words.people["introduced"]:
        words = tuple(plain_word(each) for each in said.split())
        for start, at in state.goal.find(words):
            if not state.goal.free(start, at):
                continue
            at = at + 1 if at < len(state.goal) and state.goal.words[at].text == ":" else at
            end = capitals_end(state, at, 4)
            if end > at and not names_choice(state, at, end):
                return at, end
    for at in range(1, len(state.goal)):
        if state.low(at - 1) in state.words.people["given"] or state.goal.words[at - 1].text == ":":
            end = capitals_end(state, at, 4)
            titled = state.low(at) in state.words.people["titles"]
            if (
                (end - at >= 2 or (titled and end > at + 1))
                and state.goal.free(at, end)
                and not names_choice(state, at, end)
                and not _is_label(state, at, end)
            ):
                return at, end
    return _lone_person(state)


def _lone_person(state: ReadingState) -> tuple[int, int] | None:
    """Two or three words with capitals at the begin or end of a sentence, set apart by signs."""
    for at in range(len(state.goal)):
        before = at == 0 or state.goal.words[at - 1].is_sign
        end = capitals_end(state, at, 3) if before else at
        behind = end >= len(state.goal) or state.goal.words[end].is_sign
        if (
            2 <= end - at <= 3
            and behind
            and state.goal.free(at, end)
            and not names_choice(state, at, end)
            and not _is_label(state, at, end)
        ) and not any(
            state.low(i) in state.words.little and state.low(i) not in state.words.people["particles"]
            for i in range(at, end)
        ):
            return at, end
    return None


def _is_label(state: ReadingState, start: int, end: int) -> bool:
    """Is one of the words part of a label or of a button's name?"""
    said = [state.low(i) for i in range(start, end)]
    names = [words for each in aliases(state.fields) for words, whole in each if whole]
    names += [label_words(each) for each in state.form.buttons]
    return any(word in words and len(word) > 2 for words in names for word in said)
