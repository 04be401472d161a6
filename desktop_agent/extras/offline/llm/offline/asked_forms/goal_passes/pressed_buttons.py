"""Finds the button a goal asks to be pressed: by its name, or as the one that sends the form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from desktop_agent.extras.offline.llm.offline.asked_forms.form_vocabulary import alike, plain_word
from desktop_agent.extras.offline.llm.offline.asked_forms.label_words import label_words, sends_nothing
from desktop_agent.extras.offline.llm.offline.asked_forms.reading_state import ReadingState
from desktop_agent.extras.offline.llm.offline.asked_forms.word_runs import is_refused

_WRITES = re.compile(
    r"\b(?:write\s+to|drop\s+(?:them|him|her|a\s+line)|contact|ask|tell|message|inform|let)\s+(?:the|them|him|her|this|these|my|our)\b(?:\s+know\b)?|\b(?:schreibe?|frage?|sage?|teile?)\s+(?:bitte\s+)?(?:an\s+)?(?:dem|der|den|ihnen|denen|die|das|bei)\b",
    re.I,
)


def take_named_buttons(state: ReadingState) -> None:
    """“Press Place order”: a button by its name, after a word for pressing or as a sentence of its own."""
    for name in sorted(state.form.buttons, key=len, reverse=True):
        words = label_words(name)
        for at in range(len(state.goal) - len(words) + 1 if words else 0):
            end = _name_end(state, at, name, words)
            if not end:
                continue
            verb = _press_verb(state, at, end)
            if verb is None and not (len(words) > 1 and _is_alone(state, at, end)):
                continue
            if state.send and state.send != name:
                state.trouble = f"It asks for both “{state.send}” and “{name}” to be pressed."
            state.send = name
            state.goal.claim(at, end, "button")
            if verb is not None:
                state.goal.claim(verb, verb + 1, "button")


def _name_end(state: ReadingState, at: int, name: str, words: Sequence[str]) -> int:
    """The end of a button's name that is said from there on, in words or as a quotation; 0 when it is not."""
    if state.goal.free(at, at + len(words)) and all(
        state.low(at + i) == word or (len(word) > 4 and alike(state.low(at + i), word) and len(words) > 1)
        for i, word in enumerate(words)
    ):
        return at + len(words)
    return at + 1 if _is_quoted_name(state, at, name) else 0


def _is_alone(state: ReadingState, begin: int, end: int) -> bool:
    """Is nothing else said in the sentence that is not claimed?"""
    start, stop = state.goal.sentence(begin)
    return all(
        state.goal.claimed[i] or state.goal.words[i].is_sign or i in range(begin, end)
        for i in range(start, stop)
    )


def _is_quoted_name(state: ReadingState, at: int, name: str) -> bool:
    """Is the word a quotation of the button's name?"""
    word = state.goal.words[at]
    return (
        word.is_quoted
        and not state.goal.claimed[at]
        and plain_word(state.goal.text(at, at + 1)) == plain_word(name)
    )


def _press_verb(state: ReadingState, start: int, end: int) -> int | None:
    """The word for pressing that a name of a button goes with: before it, or behind it in German."""
    at = start - 1
    press = state.words.verbs["press"]
    while at >= 0 and start - at <= 4 and state.low(at) in state.words.little - press:
        at -= 1
    if at >= 0 and state.low(at) in press:
        return at
    for at in range(end, min(end + 3, len(state.goal))):
        if state.low(at) in press:
            return at
        if at in state.goal.ends:
            break
    return None


def take_sending(state: ReadingState) -> None:
    """The button that sends, where something is said that asks for that."""
    asked = [
        i
        for i, word in enumerate(state.goal.words)
        if not state.goal.claimed[i] and word.low in state.words.verbs["asks"] and not is_refused(state, i)
    ]
    if not asked and any(state.takes[i][:1] in (("message",), ("subject",)) for i in state.placed):
        asked = list(_words_that_write(state))
    for i in asked:
        state.goal.claim(i, i + 1, "send")
    if asked and not state.send and not state.unsent:
        _choose_sender(state, asked)


def _choose_sender(state: ReadingState, asked: Sequence[int]) -> None:
    """Take the only button, or the one that is called as the words that ask; trouble where that is none or several."""
    buttons = [each for each in state.form.buttons if not sends_nothing(each)]
    said = {state.low(i) for i in asked}
    named = [each for each in buttons if any(alike(word, w) for w in label_words(each) for word in said)]
    found = buttons if len(buttons) == 1 else named
    if len(found) == 1:
        state.send = found[0]
    elif buttons:
        state.trouble = (
            state.trouble
            or f"It is to be sent, and I do not know with which of {', '.join(f'“{each}”' for each in buttons)}."
        )
    else:
        state.trouble = state.trouble or "It is to be sent, and I see no button for that."


def _words_that_write(state: ReadingState) -> Iterator[int]:
    """Words that ask for something to be written to somebody; who that is stands in no field."""
    for found in _WRITES.finditer(state.goal.masked.text):
        if (at := _free_word_at(state, found.start())) is None:
            continue
        yield at
        end = next(
            (i for i, word in enumerate(state.goal.words) if word.start >= found.end()), len(state.goal)
        )
        for here in range(end, min(end + 2, len(state.goal))):
            if (
                state.goal.claimed[here]
                or state.goal.words[here].is_sign
                or re.search(r"\d|@", state.goal.words[here].text)
            ):
                break
            state.goal.claim(here, here + 1, "addressee")


def _free_word_at(state: ReadingState, place: int) -> int | None:
    """The word at a place of the text, None where it is claimed for something else."""
    at = next((i for i, word in enumerate(state.goal.words) if word.start >= place), None)
    return at if at is not None and not state.goal.claimed[at] else None
