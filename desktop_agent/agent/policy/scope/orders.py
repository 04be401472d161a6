"""Tells whether something that stands in the user's words is the object of an order of theirs, or is only spoken of.

A sentence is read from its beginning to the thing: who is spoken to, which verb governs it, in which form. Only what
is known to be an order grants (`assets/policy/order_words.toml`, English and German); all else costs a question.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import Literal, NamedTuple, TypeAlias

from desktop_agent.agent.policy import policy_tables
from desktop_agent.agent.policy.confusables import fold

Act: TypeAlias = Literal["run", "go"]
"""Carrying out a command, or going to an address."""
_State: TypeAlias = Literal["begin", "order", "told", "unknown", "clause", "content", "never", "asked"]
_THING = "\N{REFERENCE MARK}"
_QUOTES = str.maketrans("‘’‛“”„‟«»`", '\'\'\'""""""\'')
_TOKEN = re.compile(rf"{_THING}|\w+://[^\s,;\"]+|[^\W_]+(?:['’.@_-][^\W_]+)*|[,:;()\"?!—–]| - ")
_SENTENCE = re.compile(r"(?<=[.!?;])['\")]*\s+|(?<!:)\n+")
_LONGER = re.compile(rf"\"[^\"]*{_THING}[^\"]*\"|(?<!\w)'[^']*{_THING}[^']*'(?!\w)")
_BREAKS = frozenset((",", ":", ";", "—", "–", " - ", "("))
_MOST = 20_000


class _Read(NamedTuple):
    """How a sentence stands where the reading has come to: its state, the verb that governs, the first one."""

    state: _State
    verb: str
    first: str
    behind: tuple[str, ...]
    """The words since that verb."""


def is_ordered(act: Act, thing: str, texts: Iterable[str]) -> bool:
    """Do the texts order to carry out this command, or to go to this address, word for word?

    What a later sentence takes back ("don't run it") is not ordered.
    """
    return _is_ordered(act, thing, tuple(texts))


@lru_cache(maxsize=256)
def _is_ordered(act: Act, thing: str, texts: tuple[str, ...]) -> bool:
    said = _masked(thing, texts)
    found = False
    for at, sentence in enumerate(said):
        if _THING in sentence:
            following = said[at + 1] if at + 1 < len(said) else ""
            found = found or _orders(act, sentence, said[:at]) or _refers(act, sentence, following)
        elif found and _takes_back(act, sentence):
            return False
    return found


def sentence_of(thing: str, texts: Sequence[str]) -> str:
    """The user's sentence that a thing stands in, "" for none."""
    found = next((each for each in _masked(thing, tuple(texts)) if _THING in each), "")
    return " ".join(found.replace(_THING, thing).split())


def _masked(thing: str, texts: Iterable[str]) -> list[str]:
    """The sentences of the texts, with a mark where the thing stands in them as whole words."""
    words = thing.translate(_QUOTES).split()
    if not words:
        return []
    blank = r"\s+".join(map(re.escape, words))
    spelled = re.compile(rf"(?<![\w@/\\~.-]){blank}(?![\w@/\\~-]|[.?#&=%+]\w)", re.IGNORECASE)
    return [
        sentence
        for text in texts
        for sentence in _sentences(spelled.sub(_THING, text[:_MOST].translate(_QUOTES)))
    ]


def speaks_of(words: str) -> bool:
    """Is what stands at the end of these words, the beginning of a sentence, plainly no order: told, asked, denied, for others?"""
    read = _read(_tokens(words))
    to_me = read.verb != "remind" and read.behind[:1] and read.behind[0] in ("me", "us", "mir", "uns")
    relayed = read.state == "content" and read.verb in _list("relayed") and bool(read.behind) and not to_me
    return relayed or read.state in ("told", "clause", "never", "asked")


def _sentences(text: str) -> list[str]:
    return [part for part in _SENTENCE.split(text) if part.strip()]


def _orders(act: Act, sentence: str, earlier: Sequence[str]) -> bool:
    if (quoted := _LONGER.search(sentence)) and _tokens(quoted[0].strip("\"' ")) != [_THING]:
        return False
    tokens = [each for each in _tokens(sentence) if each not in ('"', "(", ")")]
    return any(_governed(act, tokens, at, earlier) for at, each in enumerate(tokens) if each == _THING)


def _governed(act: Act, tokens: Sequence[str], at: int, earlier: Sequence[str]) -> bool:
    read, after = _read(tokens[:at]), [each for each in tokens[at + 1 :] if each not in _BREAKS]
    if after[:1] and after[0] in _list("told"):
        return False
    if read.state == "begin" and all(
        each in _list("filler") | _BREAKS | _list("joint") or each.isdigit()
        for each in after
        if each not in ("!", "?")
    ):
        alone = not after or after == ["!"] or all(each in _list("filler") for each in after)
        return (
            alone
            and "?" not in after
            and all(_read(_tokens(each)).state in ("order", "begin") for each in earlier)
        )
    if read.state == "begin":  # "On shop.example, order …", "ls -la ausführen"
        here = _read([*tokens[:at], *(each for each in tokens[at + 1 :])])
        ends = set(after) & _list("infinitive") and not set(after) & (
            _list("told") | _list("subject") | _list("negation")
        )
        late = bool(ends) or (act == "go" and bool(after) and here.state == "order")
        return late and ("?" not in tokens or _frame(tokens, 0) > 0)
    if read.state == "content":
        return act == "run" and read.verb in _list("put") and _is_typed(tokens, read)
    if read.state != "order" or set(read.behind) & _list("told"):
        return False
    if act == "go":
        put = read.verb in _list("put") and not set(read.behind) & {
            "of",
            "from",
            "at",
            "on",
            "von",
            "auf",
            "bei",
        }
        return read.verb not in _list("content") and not (put and _on_paper(tokens))
    if read.verb not in _list("run") or set(read.behind) & _list("beside"):
        return False
    return read.verb not in _list("put") or _list("terminal") & set(tokens) != set() or not _on_paper(tokens)


def _is_typed(tokens: Sequence[str], read: _Read) -> bool:
    """Is it a text that is put into a terminal: “write ls into the terminal”?"""
    plain = not set(read.behind) - {
        "the",
        "a",
        "command",
        "den",
        "befehl",
        "in",
        "into",
        "terminal",
        "xterm",
        "im",
        ":",
        "'",
    }
    return plain and bool(_list("terminal") & set(tokens)) and not _on_paper(tokens)


def _on_paper(tokens: Iterable[str]) -> bool:
    return any(part in _list("paper") for each in tokens for part in (each, each.rpartition(".")[2]))


def _refers(act: Act, sentence: str, following: str) -> bool:
    """Does the next sentence order it: “Here is a command: … . Run it.”"""
    if not following or _THING in following:
        return False
    before = _read(_tokens(sentence.partition(_THING)[0]))
    spoken = act == "go" and set(_tokens(sentence)) & _list("told")
    if spoken or before.state in ("never", "asked", "content"):
        return False
    tokens = _tokens(following)
    for at, each in enumerate(tokens):
        read = _read(tokens[:at])
        if (
            each in _list("it")
            and read.state == "order"
            and not set(read.behind) & (_list("beside") | _list("clause"))
        ):
            return (
                read.verb in _list("run")
                if act == "run"
                else read.verb not in _list("content") | _list("ask")
            )
    return False


def _takes_back(act: Act, sentence: str) -> bool:
    tokens = _tokens(sentence)
    return any(
        each in _list("run" if act == "run" else "other") | {"open"}
        and _read(tokens[: at + 1]).state == "never"
        for at, each in enumerate(tokens)
    ) and bool(set(tokens) & _list("it"))


def _read(tokens: Sequence[str]) -> _Read:
    """Reads the beginning of a sentence."""
    state: _State = "begin"
    verb, first, behind = "", "", list[str]()
    fresh, leading, placed = True, False, False
    at = 0
    while at < len(tokens):
        word = tokens[at]
        if state == "begin" and (length := _frame(tokens, at)):
            at, fresh, placed = at + length, True, True
            continue
        at += 1
        if word in _BREAKS or word in _list("joint"):
            state, fresh, leading = _joined(word, state, first, leading, tokens[at : at + 1])
            placed = placed or (fresh and state == "begin")
            behind += [word] if word == ":" else []
            continue
        if state == "asked":
            continue
        if word in _list("negation"):
            state = "never"
        elif state == "begin":
            if word in _list("filler") or word.isdigit() or word in ("'", '"', _THING):
                continue
            if word in _list("place"):
                placed = True
            elif word in _list("content") and word not in _list("run"):
                state, verb, first, behind = "content", word, first or word, []
            elif word in _verbs():
                state, verb, first, behind = "order", word, first or word, []
            elif word in _list("clause") and not (word in _list("question") and tokens[-1:] == ["?"]):
                state, leading = (
                    "clause",
                    not placed
                    or word
                    in ("if", "when", "once", "wenn", "falls", "sobald", "nachdem", "before", "bevor"),
                )
                if word in (
                    "what",
                    "why",
                    "how",
                    "which",
                    "who",
                    "where",
                    "was",
                    "wie",
                    "warum",
                    "wer",
                    "wo",
                ):
                    state, leading = "asked", False
            elif word in _list("question"):
                state = "asked"
            elif not placed:
                state = "told" if word in _list("subject") else "unknown"
            fresh = False
        elif state == "unknown":
            state = "told" if word in _list("told") | _list("subject") - _list("it") else state
        elif state in ("order", "content"):
            if fresh and word in _list("filler"):
                continue
            if fresh and word in _list("content") and word not in _list("run"):
                state, verb, behind = "content", word, []
            elif fresh and word in _verbs():
                state, verb, behind = "order", word, []
            elif state == "order" and word in _list("clause"):
                state = "clause"
            elif state == "order" and (word in _list("subject") - _list("it") or word in _list("told")):
                state = "told" if verb not in ("lass", "lasse") else state
            elif state == "order" and tokens[at - 2 : at - 1] == ["to"] and word in _list("run"):
                verb, behind = word, []
            else:
                behind.append(word)
            fresh = False
    return _Read(state, verb, first, tuple(behind))


def _joined(
    word: str,
    state: _State,
    first: str,
    leading: bool,
    following: Sequence[str],
) -> tuple[_State, bool, bool]:
    """How the sentence goes on behind a comma, a colon, “and”: the state, whether a verb may begin there, and what led."""
    then = word in ("then", "dann", "danach", "anschliessend", "afterwards", ";")
    begins = bool(following) and following[0] in _verbs() | _list("filler")
    if state == "clause":
        if leading and (word == "," or then):
            return "begin", True, False
        asks = first in _list("know")
        back = bool(first) and begins and (then or (not asks and word in (",", "and", "und")))
        return ("begin" if back else state), back, leading
    if state == "content":
        back = then and begins and first not in _list("addressed")
        return ("begin" if back else state), back, leading
    if state == "never":
        back = word in (",", "but", "aber", "sondern", "—", "–", " - ") or then
        return ("begin" if back else state), back, leading
    if state in ("told", "unknown"):
        back = (
            word in ("so", ":", "—", "–", " - ", ",")
            and bool(following)
            and following[0] in ("please", "bitte", "so", "also")
        )
        return ("begin" if back else state), back, leading
    return state, state in ("begin", "order"), leading


def _frame(tokens: Sequence[str], at: int) -> int:
    """How many words of a frame around an order begin there: “could you”."""
    return next((len(each) for each in _frames() if tuple(tokens[at : at + len(each)]) == each), 0)


def _tokens(text: str) -> list[str]:
    return [each for part in _TOKEN.findall(text) for each in _folded(part)]


def _folded(part: str) -> Iterator[str]:
    yield part if part == _THING or not part[:1].isalnum() else fold(part)


@cache
def _list(name: str) -> frozenset[str]:
    return frozenset(getattr(policy_tables.order_words(), name))


@cache
def _verbs() -> frozenset[str]:
    """All words that may begin an order."""
    known = policy_tables.scope_words()
    return (
        _list("run") | _list("content") | _list("ask") | _list("other") | frozenset((*known.act, *known.fill))
    )


@cache
def _frames() -> tuple[tuple[str, ...], ...]:
    found = (tuple(_tokens(each)) for each in policy_tables.order_words().frames)
    return tuple(sorted(found, key=len, reverse=True))
