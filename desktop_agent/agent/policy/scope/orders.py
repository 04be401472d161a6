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

Act: TypeAlias = Literal["run", "go", "open"]
"""Carrying out a command, going to an address, opening a file."""
_SITE = re.compile(
    r"(?i)\w+://|www\.|[\w.-]+\.(?:com|org|net|de|info|io|eu|gov|edu|uk|at|ch|fr|tv|example)(?:[/?#:]|\Z)"
)
_State: TypeAlias = Literal["begin", "order", "told", "unknown", "clause", "content", "never", "asked"]
_THING = "\N{REFERENCE MARK}"
_QUOTES = str.maketrans("‘’‛“”„‟«»`", '\'\'\'""""""\'')
_TOKEN = re.compile(rf"{_THING}|\w+://[^\s,;\"]+|[^\W_]+(?:['’.@_-][^\W_]+)*|->|[→€$£]|[,:;()\"?!—–]| - ")
_SENTENCE = re.compile(
    r"(?i)(?<!\bDr\.)(?<!\bMr\.)(?<!\bMrs\.)(?<!\bNr\.)(?<!\bProf\.)(?<!\bno\.)(?<!\bi\.e\.)(?<!\be\.g\.)(?<!\bd\.h\.)"
    r"(?<!\bz\.b\.)(?<!^\d\.)(?<!\s\d\.)(?<!\s\w\.)(?<=[.!?;])['\")]*\s+|(?<!:)\n+"
)
_MEANS = re.compile(r"(?i)\bby means of\b|\bmit ?hilfe von\b|\b(?:i\.e|d\.h|namely|nämlich)\b\.?")
_ITEM = re.compile(r"(?:(?<=\s)|^)(?:\d{1,2}|[a-e])[.)]\s+|^\s*[*•-]\s+")
_LONGER = re.compile(rf"\"[^\"]*{_THING}[^\"]*\"|(?<!\w)'[^']*{_THING}[^']*'(?!\w)")
_QUOTATION = re.compile(r"\"[^\"\n]{1,400}\"")
_ARROWS = frozenset(("->", "→"))
_BREAKS = frozenset((",", ":", ";", "—", "–", " - ", "(", *_ARROWS))
_MOST = 20_000


class _Read(NamedTuple):
    """How a sentence stands where the reading has come to: its state, the verb that governs, the first one."""

    state: _State
    verb: str
    first: str
    behind: tuple[str, ...]
    """The words since that verb."""
    fresh: bool
    """May a verb begin an order here?"""


def is_ordered(act: Act, thing: str, texts: Iterable[str]) -> bool:
    """Do the texts order to carry out this command, or to go to this address, word for word?

    What a later sentence takes back ("don't run it") is not ordered.
    """
    if act == "go" and not _SITE.match(thing):
        act = "open"
    return _is_ordered(act, thing, tuple(texts))


@lru_cache(maxsize=256)
def _is_ordered(act: Act, thing: str, texts: tuple[str, ...]) -> bool:
    said = _masked(thing, texts, *called_off(texts))
    found = False
    for at, sentence in enumerate(said):
        if _THING in sentence and act != "run" and _is_denied(sentence):
            return False
        if act == "run" and _is_left_to_user(sentence, by_name=_THING in sentence):
            return False
        if _THING in sentence:
            following = next((each for each in said[at + 1 :] if len(_tokens(each)) > 1), "")
            found = found or _orders(act, sentence, said[:at]) or _refers(act, sentence, following)
        elif found and (_takes_back(act, sentence) or _settles(said[:at], sentence)):
            return False
    return found


@lru_cache(maxsize=64)
def called_off(texts: tuple[str, ...]) -> tuple[int, int]:
    """Up to where the user's texts are called off by later words of theirs: which text, how many characters of it.

    In “Delete a.txt. No, wait, forget it: just open it”, all up to the colon.
    """
    for at in range(len(texts) - 1, -1, -1):
        folded = fold(texts[at].translate(_QUOTES))
        ends = [match.end() for match in _calling_off().finditer(folded)]
        if ends:
            return at, max(ends) if len(folded) == len(texts[at]) else len(texts[at])
    return 0, 0


@cache
def _calling_off() -> re.Pattern[str]:
    """Words that call off, at the end of a part of a sentence, or with a comma behind them."""
    phrases = "|".join(r"\s+".join(map(re.escape, each.split())) for each in _list("calling_off"))
    return re.compile(rf"(?<!\w)(?:{phrases})(?=\s*(?:[,.!;:–—]|\s-|\n|\Z))")


def sentence_of(thing: str, texts: Sequence[str]) -> str:
    """The user's sentence that a thing stands in, "" for none."""
    found = next((each for each in _masked(thing, texts) if _THING in each), "")
    return " ".join(found.replace(_THING, thing).split())


def _masked(thing: str, texts: Sequence[str], called_off: int = 0, so_far: int = 0) -> list[str]:
    """The sentences of the texts, with a mark where the thing stands in them as whole words.

    None before the place `so_far` in the text `called_off`.
    """
    words = thing.translate(_QUOTES).split()
    if not words:
        return []
    blank = r"\s+".join(map(re.escape, words))
    spelled = re.compile(rf"(?<![\w@/\\~.-]){blank}(?![\w@/\\~-]|[.?#&=%+]\w)", re.IGNORECASE)
    found: list[str] = []
    for at, text in enumerate(texts):
        start = len(text) if at < called_off else so_far if at == called_off else 0
        said = text[:_MOST].translate(_QUOTES)
        found += _sentences(said[:start] + spelled.sub(_THING, said[start:]))
    return found


def speaks_of(words: str, following: str = "") -> bool:
    """Is what stands at the end of these words, the beginning of a sentence, plainly no order: told, asked, denied, for others?

    `following` is the word after them: “delete nothing” is denied.
    """
    read = _read(_tokens(words))
    to_me = read.verb != "remind" and read.behind[:1] and read.behind[0] in _list("me")
    relayed = read.state == "content" and len(read.behind) > 1 and not to_me and read.verb in _list("relayed")
    denied = following in _list("negation")
    return relayed or _lists(read) or denied or read.state in ("told", "clause", "never", "asked")


def _lists(read: _Read) -> bool:
    """Does what follows stand in a text or a list that is to be made?"""
    words = set(read.behind)
    return read.state == "content" and ":" in words and bool(words & (_list("record") | _list("passage")))


def kinds_ordered(texts: Iterable[str]) -> frozenset[str]:
    """The kinds of acts (send, buy, delete) that the texts, without what is quoted in them, order in other words than buttons use."""
    given = tuple(texts)
    at, so_far = called_off(given)
    found = _kinds_in(given)
    return found if not so_far else found & _kinds_in((given[at][so_far:], *given[at + 1 :]))


def _kinds_in(texts: Sequence[str]) -> frozenset[str]:
    wanted, denied = set[str](), set[str]()
    said = [each for text in texts for each in _sentences(text[:_MOST].translate(_QUOTES))]
    for sentence, following in zip(said, [*said[1:], ""], strict=False):
        tokens = _tokens(sentence)
        if set(tokens) & _list("condition") and _is_not_so_yet(_tokens(following)):
            continue
        for at in range(len(tokens)):
            read = _read(tokens[:at], tokens[at : at + 1])
            for kind, words in policy_tables.order_words().acts.items():
                if kind == "buy" and not set(tokens) & _list("money"):
                    words = policy_tables.ActWords(tuple(_list("buying")))
                if _begins_act(words, tokens, at, read):
                    wanted.add(kind)
                elif read.state == "never" and any(_matches(each, tokens, at) for each in words.leading):
                    denied.add(kind)
    return frozenset(wanted - denied)


def _is_not_so_yet(tokens: Sequence[str]) -> bool:
    """“She hasn't yet”, “das ist noch nicht so”."""
    denied = set(tokens) & _list("negation") or any(each.endswith("n't") for each in tokens)
    return bool(denied) and bool({"yet", "noch", "bisher"} & set(tokens))


def _begins_act(words: policy_tables.ActWords, tokens: Sequence[str], at: int, read: _Read) -> bool:
    """Does an order of such an act begin there, or end there (“wegwerfen”), or does a statement want it (“must go”)?"""
    if set(_clause_of(tokens[at:])) & _list("negation") or set(tokens[at - 1 : at]) & (
        _list("light") - _BREAKS
    ):
        return False
    begins = _begins(read)
    if begins and any(_matches(each, tokens, at) for each in words.leading):
        return True
    if read.state == "clause" and tokens[0] in _list("condition"):
        free = tokens[at - 1] not in _list("subject") | {"to"}
        return free and any(
            " " in each and _matches(f"{each} it", tokens, at) for each in words.leading if "*" not in each
        )
    open_to = ("begin", "order") if not set(tokens[:at]) & _list("told") else ()
    asks = "?" in tokens and not _frame(tokens, 0)
    if asks or read.state not in (*open_to, "unknown"):
        return False
    noun = read.state == "unknown" and tokens[0] not in _list("urging")
    closing = words.stated if noun else (*words.closing, *words.stated)
    return any(_matches(each, tokens, at) for each in closing)


def _matches(phrase: str, tokens: Sequence[str], at: int) -> bool:
    """Does the phrase stand there? A “*” in it is up to eight words; a single word with “of” or the like behind it is a noun."""
    first, *others = phrase.split(" * ")
    words = first.split()
    if list(tokens[at : at + len(words)]) != words and not (
        len(words) == 1 and at < len(tokens) and _corrected(tokens[at]) == first
    ):
        return False
    at += len(words)
    for other in others:
        words = other.split()
        found = (
            start
            for start in range(at, at + 9)
            if list(tokens[start : start + len(words)]) == words
            and not set(tokens[at : at + 1]) & (_list("me") | {"to"})
        )
        if (start := next(found, -1)) < 0:
            return False
        at = start + len(words)
    return " " in phrase or not (set(tokens[at : at + 1]) & _list("noun_before"))


def _sentences(text: str) -> list[str]:
    """The sentences of a text; one that a quotation stands in ends behind it."""
    text = _QUOTATION.sub(lambda found: re.sub(r"[.!?;](?=\s)", ",", found[0]), text)
    return [_ITEM.sub("→ ", part) for part in _SENTENCE.split(text) if part.strip()]


def _orders(act: Act, sentence: str, earlier: Sequence[str]) -> bool:
    if (quoted := _LONGER.search(sentence)) and _tokens(quoted[0].strip("\"' ")) != [_THING]:
        return False
    tokens = [each for each in _tokens(sentence) if each not in ('"', "(", ")")]
    return any(_governed(act, tokens, at, earlier) for at, each in enumerate(tokens) if each == _THING)


def _governed(act: Act, tokens: Sequence[str], at: int, earlier: Sequence[str]) -> bool:
    if tokens[0] in _ARROWS and any(_lists(_read(_tokens(each))) for each in earlier):
        return False
    if _is_step(tokens) and any(
        _read(_tokens(each)).state == "content" for each in earlier if not _is_step(_tokens(each))
    ):
        return False
    read, after = _read(tokens[:at]), [each for each in tokens[at + 1 :] if each not in _BREAKS]
    if _is_wanted(act, tokens, at, read):
        return True
    if after[:1] and after[0] in _list("told"):
        return False
    if act == "go" and _is_in_browser(tokens, at):
        return True
    if read.state == "begin" and _is_urged(tokens, at, earlier):
        return act != "go" or not set(tokens) & _list("elsewhere")
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
        tail = _clause_of(tokens[at + 1 :])
        ends = set(tail or after) & _list("infinitive") and not set(tail or after) & (
            _list("told") | _list("subject") | _list("negation")
        )
        late = bool(ends) or (
            act != "run"
            and bool(after)
            and here.state == "order"
            and not (act == "go" and here.verb in _list("elsewhere"))
        )
        return late and ("?" not in tokens or _frame(tokens, 0) > 0)
    if read.state == "content":
        return act == "run" and read.verb in _list("put") and _is_typed(tokens, read)
    if read.state != "order" or set(read.behind) & _list("told"):
        return False
    if act != "run":
        put = read.verb in _list("put") and not set(read.behind) & {
            "of",
            "from",
            "at",
            "on",
            "von",
            "auf",
            "bei",
        }
        near = next((each for each in reversed(tokens[:at]) if each not in _list("light")), "")
        about = near in _list("about") and (
            read.verb not in _list("going") or bool(set(read.behind) & _list("record")) or near != "from"
        )
        other = {read.verb, *read.behind} & _list("elsewhere")
        made = read.verb in _list("put") and set(tokens[at + 1 : at + 2]) & _list("made")
        made = made or (
            read.verb in _list("making")
            and near in ("zu", "to", "on", "with", "mit")
            and set(read.behind) - _list("light") - {near}
        )
        away = act == "go" and (bool(other) or about or bool(made))
        return not away and read.verb not in _list("content") and not (put and _on_paper(tokens))
    if _is_means(tokens, at, read) or _is_next(tokens, at, read):
        return True
    behind = [
        each
        for each, following in zip(read.behind, [*read.behind[1:], ""], strict=False)
        if each not in _list("light") and following not in _list("me")
    ]
    rights = tokens[at + 2 : at + 3] and tokens[at + 2] in _list("rights")
    if read.verb in _list("tight") | _list("using") and (
        set(read.behind) & _list("record")
        or _on_paper([*read.behind, *_clause_of(tokens[at + 1 :])])
        or (set(tokens[at + 1 : at + 2]) & _list("made") and not rights)
    ):
        return False
    behind = [each for each in behind if each not in _list("filler") | _list("particle")]
    aside = set(behind) & _list("beside") or (read.verb in _list("tight") and behind)
    if read.verb not in _list("run") or aside:
        return False
    own = [*tokens[:at], *_clause_of(tokens[at + 1 :])]
    return read.verb not in _list("put") or _list("terminal") & set(tokens) != set() or not _on_paper(own)


def _is_step(tokens: Sequence[str]) -> bool:
    """Does a sentence begin with “Step 2:”?"""
    return tokens[0:1] in (["step"], ["schritt"]) and bool(tokens[1:2]) and tokens[1].isdigit()


def _is_in_browser(tokens: Sequence[str], at: int) -> bool:
    """Is it only told where an address is wanted: “…, in a new tab”, “browser, …”, “address bar: …”?"""
    quiet = (
        _list("filler")
        | _list("light")
        | _list("place")
        | _BREAKS
        | _list("browser")
        | {"new", "neuer", "neuen", "neuem"}
    )
    behind = list(tokens[at + 1 :])
    end = next((n for n, each in enumerate(behind) if each not in quiet), len(behind))
    if end < len(behind) and not (behind[:end] and behind[end - 1] in _BREAKS and behind[end] in _verbs()):
        return False
    before = list(tokens[:at])
    return bool({*before, *behind[:end]} & _list("browser")) and set(before) <= quiet and "?" not in behind


def _is_urged(tokens: Sequence[str], at: int, earlier: Sequence[str]) -> bool:
    """Does a command stand alone with words that urge (“…, now”), a place, or further orders behind it?"""
    rest, told = tokens[at + 1 :], _list("told") | _list("clause") | _list("negation")
    if "?" in rest or any(_read(_tokens(each)).state in ("content", "asked") for each in earlier[-1:]):
        return False
    arrow = next((n for n, each in enumerate(rest) if each in _ARROWS), -1)
    if arrow == 0 or (at and tokens[at - 1] in _ARROWS and not rest):
        return True
    stated = any(_read(_tokens(each)).state not in ("order", "begin") for each in earlier)
    plain = [each for each in rest if each not in _BREAKS | {"!"}]
    if plain and all(each in _list("filler") for each in plain):
        return bool(set(plain) & _list("urging")) or not stated
    if stated or not rest:
        return False
    if rest[0] in _list("place"):
        ends = (n for n, each in enumerate(rest) if each in ("so", "damit", "because", "weil"))
        rest = list(_clause_of(rest[: next(ends, len(rest))]))
        return not set(rest) & (told | _list("subject") | _list("question")) and not _on_paper(rest)
    then = next(
        (n for n, each in enumerate(rest) if each not in _BREAKS | _list("joint") | _list("filler")), 0
    )
    verb = rest[then] if then else ""
    return verb in _verbs() and verb not in _list("know")


def _is_wanted(act: Act, tokens: Sequence[str], at: int, read: _Read) -> bool:
    """Does a wish or a statement want it carried out: “must be entered”, “is what I want you to run”, “I need …”?"""
    said, rest = list(tokens[:at]), list(tokens[at + 1 :])
    asks = "?" in rest
    cuts = _BREAKS | {"but", "sondern"}
    start = 1 + max((n for n, each in enumerate(said) if each in cuts), default=-1)
    lead, tail = said[start:], list(_clause_of(rest))
    denied = _list("told") | _list("negation")
    if said[-1:] and said[-1] in ("lautet", "is", "ist", ":") and _list("terminal") & set(said[:2]):
        mine = {"you", "du", "sie"} & set(said) and set(said) & (_list("run") | _list("infinitive"))
        if mine and not set(said) & denied:
            return True
    wish = next((n for n in _wishes() if said[: len(n)] == list(n)), ())
    if (
        wish
        and (not asks or wish[0] in ("can", "could"))
        and all(map(_is_light, said[len(wish) :]))
        and not set(tail) & (denied | _list("paper"))
    ):
        return not set(tail) - {"?"} or tail[0] in _list("place") | _list("filler") | _list("up") | _list(
            "joint"
        )
    done = _list("done" if act == "run" else "shown")
    doubt = (denied - done) | _list("subject") - {"it"} | {"by", "von", "have", "has", "?"}
    told = asks or (read.state == "told" and set(said) & (doubt | _list("speech")))
    if told or read.state in ("never", "asked", "content"):
        return False
    if tail[:2] in (["is", "what"], ["ist", "was"], ["is", "the"], ["ist", "das"]) and all(
        map(_is_light, lead)
    ):
        return bool(set(tail) & _list("wish")) and not set(tail[2:]) & denied
    quoted = set(said if not read.first else lead) & (_list("record") | _list("speech"))
    if quoted or (read.state == "clause" and lead[-1:] != ["which"]):
        return False
    if tail and tail[0] in _list("modal") and not set(tail[1:]) & doubt and all(map(_is_light, lead)):
        return _is_passive(tail, done)
    modal = next((n for n, each in enumerate(lead) if each in _list("modal")), -1)
    placed = modal > 0 and lead[0] in _list("place") | _list("filler") | _list("light")
    if placed and not set(lead + tail) & doubt and all(map(_is_light, lead[modal + 1 :])):
        return _is_passive(tail, done)
    following = said[-1:] == [":"] and said[0] in _list("light") and not set(said) & doubt
    return following and bool(set(said) & _list("modal")) and _is_passive(said, done)


def _is_passive(words: Sequence[str], done: frozenset[str]) -> bool:
    """“to be run”, “ausgeführt werden”, “laufen”."""
    pairs = list(zip(words, [*words[1:], ""], strict=False))
    return "laufen" in words or any(
        (this in ("be", "being") and following in done) or (this in done and following == "werden")
        for this, following in pairs
    )


def _is_means(tokens: Sequence[str], at: int, read: _Read) -> bool:
    """Is it the means of an order: “restart it with …”?"""
    lead = [each for each in tokens[:at] if each not in _list("light")]
    if lead[-1:] == [":"] and not _list("terminal") & set(_clause_of(tokens[at + 1 :])):
        return False
    known = read.verb in _list("means_of_asking") or read.verb not in _list("ask")
    barred = _list("content") | _list("elsewhere") | _list("not_by_means")
    return (
        not set(lead[-2:-1]) & (_list("paper") | _list("record"))
        and lead[-1:] != []
        and lead[-1] in _list("means") | {":"}
        and known
        and read.verb not in barred
    )


def _is_next(tokens: Sequence[str], at: int, read: _Read) -> bool:
    """Is it an item of a list of orders: “first open a shell, then make clean, finally make all”?"""
    rest = tokens[at + 1 :]
    then = next(
        (n for n, each in enumerate(rest) if each not in _BREAKS | _list("joint") | _list("filler")), -1
    )
    ends = then < 0 or (then > 0 and (rest[then] in _verbs() or rest[then] == _THING)) or rest[0] in _BREAKS
    barred = _list("content") | _list("elsewhere") | _list("ask")
    return read.fresh and ends and read.verb not in barred and not _on_paper(tokens[:at])


def _clause_of(tokens: Sequence[str]) -> Sequence[str]:
    """The words up to the end of the clause."""
    return tokens[
        : next((n for n, each in enumerate(tokens) if each in _BREAKS | _list("joint")), len(tokens))
    ]


def _is_light(word: str) -> bool:
    """Does a word beside the thing change nothing?"""
    return word in _list("light") | _list("filler") | _list("joint") | _list("place") | {"after", "which"}


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
        "this",
        "following",
        "line",
        "hit",
        "press",
        "return",
        "enter",
        "folgendes",
        "drucke",
    }
    return plain and bool(_list("terminal") & set(tokens)) and not _on_paper(tokens)


def _on_paper(tokens: Iterable[str]) -> bool:
    return any(part in _list("paper") for each in tokens for part in (each, each.rpartition(".")[2]))


def _refers(act: Act, sentence: str, following: str) -> bool:
    """Do the words behind it order it: “Here is a command: … . Run it.”, “…, go for it”?"""
    said, _, rest = sentence.partition(_THING)
    before = _read(_tokens(said))
    if before.state in ("never", "content", "clause") or set(_tokens(said)) & _list("record"):
        return False
    seen = act != "run" and _has_phrase("looking", _tokens(following))
    if seen or before.state == "asked":
        return seen
    tokens = _tokens(rest)
    cut = next((n for n, each in enumerate(tokens) if each in _BREAKS), len(tokens))
    states = ("told", "unknown", "begin")
    if before.state in states and _refers_in(act, tokens[cut + 1 :]):
        return True
    ok = before.state in ("unknown", "begin") and not set(_tokens(sentence)) & (
        _list("told") | _list("speech")
    )
    if (
        ok
        and act == "run"
        and any(_has_phrase("assent", each) for each in (tokens[cut + 1 :], _tokens(following)))
    ):
        return True
    return _THING not in following and _refers_in(act, _tokens(following))


def _refers_in(act: Act, tokens: Sequence[str]) -> bool:
    """Is “it” or “there” the object of an order in these words?"""
    if "?" in tokens and not _frame(tokens, 0):
        return False
    verbs = _list("run") - {"open"} if act == "run" else _list("going") - _list("taking")
    for at, each in enumerate(tokens):
        read = _read(tokens[:at])
        aside = set(read.behind) & (_list("beside") | _list("clause"))
        stands = each in _list("it") and (each not in _list("pointing") or _is_last(tokens[at + 1 :]))
        if stands and read.state == "order" and not aside and read.verb in verbs:
            return True
    return False


def _is_last(following: Sequence[str]) -> bool:
    """Does nothing follow that “das” or “this” would belong to?"""
    ends = (
        _BREAKS | _list("joint") | _list("filler") | _list("particle") | _list("place") | _list("infinitive")
    )
    return not following or following[0] in ends | {"?", "!", '"'}


def _has_phrase(name: str, tokens: Sequence[str]) -> bool:
    """Does one of the phrases begin an order in these words?"""
    return any(
        list(tokens[at : at + len(words)]) == words
        and "?" not in tokens[at + len(words) : at + len(words) + 1]
        and _begins(_read(tokens[:at]))
        for words in (each.split() for each in _list(name))
        for at in range(len(tokens))
    )


def _begins(read: _Read) -> bool:
    return read.state == "begin" or (read.state == "order" and read.fresh)


def _takes_back(act: Act, sentence: str) -> bool:
    tokens = _tokens(sentence)
    return any(
        each in _list("run" if act == "run" else "other") | {"open"}
        and _read(tokens[: at + 1]).state == "never"
        for at, each in enumerate(tokens)
    ) and bool(set(tokens) & _list("it"))


def _is_left_to_user(sentence: str, *, by_name: bool) -> bool:
    """Does the user mean to press Enter, or to run it, with their own hand: “no Enter please”, “I'll run it myself”?

    `by_name`: the sentence has the command in it.
    """
    tokens = _tokens(sentence)
    own = any(each in _list("own_hand") and tokens[at - 1 : at] != ["for"] for at, each in enumerate(tokens))
    meant = by_name or set(tokens) & (_list("it") | _list("enter_key") | {"press", "drucke", "drucken"})
    if own and meant and not set(tokens) & _list("secret"):
        return True
    return any(
        each in _list("enter_key") and bool(_list("negation") & set(tokens[max(0, at - 3) : at]))
        for at, each in enumerate(tokens)
    )


def _is_denied(sentence: str) -> bool:
    """Does the sentence say behind the address that nobody wants to go there: “…, I don't want to land there”?"""
    tokens = _tokens(sentence.partition(_THING)[2])
    there = _list("going") | _list("arriving")
    return any(
        each in there and _list("negation") & set(tokens[max(0, at - 4) : at])
        for at, each in enumerate(tokens)
    ) and bool(set(tokens) & (_list("it") | {"itself", "selbst", "shop"}))


def _settles(earlier: Sequence[str], sentence: str) -> bool:
    """Does the sentence tell how what an order depends on is at present: “If …, run it. It's at 40 right now”?"""
    on_condition = any(
        _THING in each and set(_tokens(each.partition(_THING)[0])) & _list("condition") for each in earlier
    )
    tokens = _tokens(sentence)
    return on_condition and bool(set(tokens[:2]) & _list("stating"))


def _read(tokens: Sequence[str], ahead: Sequence[str] = ()) -> _Read:
    """Reads the beginning of a sentence, with the word that comes next, if that matters."""
    state: _State = "begin"
    verb, first, behind = "", "", list[str]()
    fresh, leading, placed, quoting = True, False, False, False
    at = 0
    while at < len(tokens):
        word = tokens[at]
        if state == "begin" and (length := _frame(tokens, at)):
            verb = word if (word := _stem(tokens[at + length : at + length + 1])) else ""
            state = "order" if verb else state
            first, at, fresh, placed = verb, at + length + bool(verb), not verb, True
            continue
        at += 1
        quoting = (quoting or word in _list("speech")) and word not in ("i", "we", "ich", "wir")
        if word == ":" and _leads_a_text(first, verb, tokens[:at]):
            state, first, behind = "content", "quote", [*tokens[:at]]
            continue
        quoted = state == "content" and tokens[at - 2 : at - 1] == [_THING]
        if (
            quoted and word in _list("joint") and set(tokens[at : at + 1]) & _verbs()
        ):  # “write "…" and send it”
            state, fresh = "begin", True
            continue
        if word in _BREAKS or word in _list("joint"):
            asks_me = bool(tokens[at:]) and (_frame(tokens, at) > 0)
            state, fresh, leading = _joined(
                word, state, first, leading, tokens[at : at + 1] or ahead, asks_me, quoting
            )
            placed = placed or (fresh and state == "begin")
            behind += [word] if word == ":" else []
            continue
        word = _corrected(word) if fresh and state in ("begin", "order") else word
        if state == "asked":
            so = tokens[at - 2 : at - 1] in (["so"], ["also"], ["therefore"], ["deshalb"])
            if so and word in _list("run") and "?" not in tokens:
                state, verb, first, behind = "order", word, first or word, []
            continue
        ended = state == "clause" and leading and at > 1 and tokens[at - 2] in _list("ended")
        if ended and word in _verbs() - _list("content"):
            state, verb, first, behind = "order", word, first or word, []
            continue
        if word in _list("negation"):
            state = "never"
        elif state == "begin":
            if (
                word in _list("filler")
                or word.isdigit()
                or word in ("'", '"', _THING, "(", ")", "€", "$", "£")
            ):
                continue
            if all(each in _list("light") for each in tokens[at - 1 :]):
                break
            if placed and word in _list("modal") and "?" not in tokens:
                continue
            if word in _list("place"):
                placed = True
            elif (word in _list("content") and word not in _list("run")) or (
                word in _verbs() - _list("run") and tokens[at : at + 1] == [":"]
            ):
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
            elif word in _list("subject") - _list("it") or (placed and word in _list("told")):
                state = "told"
            elif not placed:
                state = "told" if word in _list("subject") | _list("told") else "unknown"
            fresh = False
        elif state == "unknown":
            state = "told" if word in _list("told") | _list("subject") - _list("it") else state
        elif state in ("order", "content"):
            if fresh and word in _list("filler"):
                continue
            field = first in _list("filling") and tokens[at : at + 1] == [":"]
            if fresh and word in _list("content") and word not in _list("run") and not field:
                state, verb, behind = "content", word, []
            elif fresh and word in _verbs():
                state, verb, behind = "order", word, []
            elif (word in _list("naming") or (word == "to" and verb in _list("making"))) and set(
                tokens[:at]
            ) & _list("record"):
                state, behind = "content", [":", *tokens[:at]]
            elif (state == "order" and word in _list("clause")) or _is_told_of(
                state, word, tokens[at - 2 : at - 1]
            ):
                state = "clause"
            elif state == "order" and word in _list("when_told"):  # “the bill of yesterday”
                behind.append(word)
            elif state == "order" and (word in _list("subject") - _list("it") or word in _list("told")):
                state = "told" if verb not in ("lass", "lasse") else state
            elif (
                state == "order" and verb in _list("letting") and word in _list("run") and _is_machine(behind)
            ):
                verb, behind = word, []
            elif tokens[at - 2 : at - 1] == ["to"] and verb in _list("run") and word not in _list("light"):
                verb, behind = word if word in _verbs() else "?", []
            else:
                behind.append(word)
            fresh = False
    return _Read(state, verb, first, tuple(behind), fresh)


def _leads_a_text(first: str, verb: str, tokens: Sequence[str]) -> bool:
    """Does a colon behind these words lead the text of a list, a note, a document: “type up the following:”?"""
    made = {first, verb} & (_list("put") | _list("content")) and not set(tokens) & _list("terminal")
    named = _list("record") if first not in _list("filling") else frozenset()
    return bool(
        set(tokens) & (named | (_list("paper") | _list("record") | _list("passage") if made else frozenset()))
    )


def _is_told_of(state: _State, word: str, before: Sequence[str]) -> bool:
    """Does a text that is to be made begin to tell of somebody: “write to Bob that …”, “…, he must …”?"""
    behind_break = bool(before) and before[0] in _BREAKS
    others = _list("subject") - {"you", "du", "i", "ich"}
    return state == "content" and (
        word in ("that", "dass", "whether", "ob") or (behind_break and word in others)
    )


def _is_machine(words: Sequence[str]) -> bool:
    """Do the words name nothing but a terminal or the computer?"""
    named = set(words) - _list("light")
    return bool(named) and named <= _list("terminal") | {"machine", "computer", "pc", "rechner"}


def _stem(following: Sequence[str]) -> str:
    """The verb of “running” behind “would you mind”."""
    word = following[0] if following and following[0].endswith("ing") else ""
    return next((each for each in (word[:-3], word[:-3] + "e", word[:-4]) if word and each in _verbs()), "")


@lru_cache(maxsize=4096)
def _corrected(word: str) -> str:
    """The verb that a word is meant for with one letter wrong, missing or swapped; the word itself for none."""
    if len(word) < 5 or not word.isalpha() or word in _known():
        return word
    return next((verb for verb in _spelled_verbs() if _is_slip(word, verb)), word)


def _is_slip(word: str, verb: str) -> bool:
    """Is it the verb but for one letter, with no ending put on?"""
    if abs(len(word) - len(verb)) > 1 or word.startswith(verb) or word[0] != verb[0]:
        return False
    at = next((n for n, (this, that) in enumerate(zip(word, verb, strict=False)) if this != that), len(word))
    if at >= min(len(word), len(verb)) - 1:
        return False
    swapped = word[at + 1 : at + 2] + word[at : at + 1] + word[at + 2 :] == verb[at:]
    return swapped or word[at + 1 :] == verb[at:] or word[at:] == verb[at + 1 :]


def _joined(
    word: str,
    state: _State,
    first: str,
    leading: bool,
    following: Sequence[str],
    asks_me: bool,
    quoting: bool,
) -> tuple[_State, bool, bool]:
    """How the sentence goes on behind a comma, a colon, “and”: the state, whether a verb may begin there, and what led."""
    then = word in ("then", "dann", "danach", "anschliessend", "afterwards", ";", *_ARROWS)
    begins = bool(following) and following[0] in _verbs() | _list("filler")
    if state == "clause":
        if leading and (word in (",", ":") or then):
            return "begin", True, False
        asks = first in _list("know")
        also = bool(following) and following[0] in ("also", "then", "ausserdem")
        back = bool(first) and begins and (then or ((also or not asks) and word in (",", "and", "und")))
        return ("begin" if back else state), back, leading
    if state == "content":
        back = then and word not in _ARROWS and begins and first not in _list("addressed")
        return ("begin" if back else state), back, leading
    if state == "never":
        pause = word in (",", ":", "—", "–", " - ") and (
            begins or asks_me or bool(set(following) & _list("joint"))
        )
        back = pause or word in ("but", "aber", "sondern") or then
        return ("begin" if back else state), back, leading
    if state in ("told", "unknown"):
        please = bool(following) and following[0] in ("please", "bitte", "so", "also", "therefore", "deshalb")
        strong = word in ("so", "also", "therefore", "deshalb", ":", "—", "–", " - ")
        verb = bool(following) and (following[0] in _verbs() - _list("content") | _list("filler"))
        arrow = (word in _ARROWS or then) and state == "unknown"
        back = arrow or (
            not quoting and ((please and (strong or word == ",")) or (strong and (verb or asks_me)))
        )
        return ("begin" if back else state), back, leading
    return state, state in ("begin", "order"), leading


def _frame(tokens: Sequence[str], at: int) -> int:
    """How many words of a frame around an order begin there: “could you”, “I'd be grateful if you could”."""
    size = next((len(each) for each in _frames() if tuple(tokens[at : at + len(each)]) == each), 0)
    if tokens[at + size : at + size + 1] and tokens[at + size] in _list("wondering"):
        return 0  # "can you even …"
    return size + (
        size > 0 and tokens[at + size - 1] == "you" and tokens[at + size : at + size + 1] == ["could"]
    )


def _tokens(text: str) -> list[str]:
    """The words, folded, and the marks; words that name a means are “with”."""
    return [each for part in _TOKEN.findall(_MEANS.sub(" with ", text)) for each in _folded(part)]


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
def _spelled_verbs() -> tuple[str, ...]:
    """The verbs of five letters or more, which a slip of the keyboard may spell wrongly."""
    acts = policy_tables.order_words().acts.values()
    leading = (each for words in acts for each in words.leading if " " not in each)
    known = _list("run") | _list("other") | frozenset(policy_tables.scope_words().act[:200])
    return tuple(sorted(each for each in {*known, *leading} if len(each) >= 5 and each.isascii()))


@cache
def _known() -> frozenset[str]:
    """All words of the table."""
    table = policy_tables.order_words()
    lists = (getattr(table, each) for each in table.__struct_fields__ if each != "acts")
    leading = (each for words in table.acts.values() for each in words.leading)
    return frozenset((*(each for entries in lists for each in entries), *leading)) | _verbs()


@cache
def _wishes() -> tuple[tuple[str, ...], ...]:
    return tuple(sorted((tuple(_tokens(each)) for each in _list("wishes")), key=len, reverse=True))


@cache
def _frames() -> tuple[tuple[str, ...], ...]:
    found = (tuple(_tokens(each)) for each in policy_tables.order_words().frames)
    return tuple(sorted(found, key=len, reverse=True))
