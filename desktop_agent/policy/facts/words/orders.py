"""Tells whether something that stands in the user's words is the object of an order of theirs, or is only spoken of.

A sentence is read from its beginning to the thing: who is spoken to, which verb governs it, in which form. Only what
is known to be an order grants; all else costs a question.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Literal, TypeAlias

from desktop_agent.policy.facts.words.sentence_reader import (
    Reading,
    is_closed,
    lists_items,
    may_begin,
    read_words,
)
from desktop_agent.policy.facts.words.sentence_words import (
    ARROWS,
    BREAKS,
    MOST,
    QUOTES,
    THING,
    clause_of,
    frame,
    is_others,
    listed,
    on_paper,
    sentences,
    tokens_of,
    verbs,
    wishes,
)
from desktop_agent.policy.facts.words.withdrawal import (
    called_off,
    is_denied,
    is_left_to_user,
    settles,
    takes_back,
)

Act: TypeAlias = Literal["run", "go", "open"]
"""Carrying out a command, going to an address, opening a file."""
_SITE = re.compile(
    r"(?i)\w+://|www\.|localhost(?:[:/]|\Z)|[\w.-]+\.(?:com|org|net|de|info|io|eu|gov|edu|uk|at|ch|fr|tv|example|test)(?:[/?#:]|\Z)"
)
_ENTERING = frozenset(("eingeben", "eintippen", "ausfuhren", "starten", "tippen", "absetzen", "laufen"))
_BARS = (["address", "bar"], ["url", "bar"], ["location", "bar"], ["adresszeile"], ["adressleiste"])
_LONGER = re.compile(rf"\"[^\"]*{THING}[^\"]*\"|(?<!\w)'[^']*{THING}[^']*'(?!\w)")


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
        if THING in sentence and act != "run" and is_denied(sentence):
            return False
        if act == "run" and is_left_to_user(sentence, by_name=THING in sentence):
            return False
        if THING in sentence:
            following = next((each for each in said[at + 1 :] if len(tokens_of(each)) > 1), "")
            found = found or _orders(act, sentence, said[:at]) or _refers(act, sentence, following)
        elif found and (takes_back(sentence, run=act == "run") or settles(said[:at], sentence)):
            return False
    return found


def sentence_of(thing: str, texts: Sequence[str]) -> str:
    """The user's sentence that a thing stands in, "" for none."""
    found = next((each for each in _masked(thing, texts) if THING in each), "")
    return " ".join(found.replace(THING, thing).split())


def _masked(thing: str, texts: Sequence[str], called_off: int = 0, so_far: int = 0) -> list[str]:
    """The sentences of the texts, with a mark where the thing stands in them as whole words.

    None before the place `so_far` in the text `called_off`.
    """
    words = thing.translate(QUOTES).split()
    if not words:
        return []
    blank = r"\s+".join(map(re.escape, words))
    blank += "/?" if _SITE.match(thing) else ""
    spelled = re.compile(rf"(?<![\w@/\\~.-]){blank}(?![\w@/\\~-]|[.?#&=%+]\w)", re.IGNORECASE)
    found: list[str] = []
    for at, text in enumerate(texts):
        start = len(text) if at < called_off else so_far if at == called_off else 0
        said = text[:MOST].translate(QUOTES)
        found += sentences(said[:start] + spelled.sub(THING, said[start:]))
    return found


def _orders(act: Act, sentence: str, earlier: Sequence[str]) -> bool:
    if (quoted := _LONGER.search(sentence)) and tokens_of(quoted[0].strip("\"' ")) != [THING]:
        return False
    tokens = [each for each in tokens_of(sentence) if each not in ('"', "(", ")")]
    return any(_governed(act, tokens, at, earlier) for at, each in enumerate(tokens) if each == THING)


def _governed(act: Act, tokens: Sequence[str], at: int, earlier: Sequence[str]) -> bool:
    """Does an order govern the thing that stands at this place of a sentence, after these sentences?"""
    if _is_in_a_text(tokens, earlier) or is_others(tokens[at:]):
        return False
    read, behind = read_words(tokens[:at]), tokens[at + 1 :]
    if _is_wanted(act, tokens, at, read):
        return True
    if next((each for each in behind if each not in BREAKS), "") in listed("told"):
        return False
    if act == "go" and (_is_in_browser(tokens, at) or _is_for_address_bar(tokens, at, read)):
        return True
    if act == "run" and (_is_led_in(tokens, at) or _closes_with(tokens, at)):
        return True
    if act != "run" and read.verb in listed("going") and tokens[at - 1] == ":" and len(tokens) == at + 1 == 3:
        return True  # “visit: example.org”
    if read.state == "begin":
        return _stands_first(act, tokens, at, earlier)
    if act == "go" and read.verb == "put" and _is_put_on(tokens, at, read):
        return True
    if read.state == "content":
        return act == "run" and read.verb in listed("put") and _is_typed(tokens, read)
    if read.state != "order" or set(read.behind) & listed("told"):
        return False
    return _is_run(tokens, at, read) if act == "run" else _is_opened(act, tokens, at, read)


def _is_in_a_text(tokens: Sequence[str], earlier: Sequence[str]) -> bool:
    """Is the sentence an item or a step of a text that an earlier one has made?"""
    if tokens[0] in ARROWS and any(lists_items(read_words(tokens_of(each))) for each in earlier):
        return True
    before = [tokens_of(each) for each in earlier] if _is_step(tokens) else []
    return any(read_words(each).state == "content" for each in before if not _is_step(each))


def _stands_first(act: Act, tokens: Sequence[str], at: int, earlier: Sequence[str]) -> bool:
    """Is a thing ordered that no verb stands before: alone, urged, or with its verb behind it (“ls -la ausführen”)?"""
    if act == "run" and any(n + frame(tokens, n) == at for n in range(at)):  # “could you git pull”
        return not set(clause_of(tokens[at + 1 :])) & (listed("told") | listed("negation"))
    if _is_urged(tokens, at, earlier):
        return act != "go" or not set(tokens) & listed("elsewhere")
    after = [each for each in tokens[at + 1 :] if each not in BREAKS]
    quiet = listed("filler") | listed("joint") | {"!", "?"}
    if all(each in quiet or each.isdigit() for each in after):
        alone = after in ([], ["!"]) or all(each in listed("filler") for each in after)
        return alone and all(read_words(tokens_of(each)).state in ("order", "begin") for each in earlier)
    tail = set(clause_of(tokens[at + 1 :]) or after)
    ends = tail & listed("infinitive") and not tail & (
        listed("told") | listed("subject") | listed("negation")
    )
    behind = at + 2 if set(tokens[at + 1 : at + 2]) & BREAKS else at + 1
    here = read_words([*tokens[:at], *clause_of(tokens[behind:])])  # "On shop.example, order …"
    placed = act != "run" and here.state == "order" and not (act == "go" and here.verb in listed("elsewhere"))
    return bool(ends or placed) and ("?" not in tokens or frame(tokens, 0) > 0)


def _is_opened(act: Act, tokens: Sequence[str], at: int, read: Reading) -> bool:
    """Is an address or a file gone to by the verb that governs it, and not written down, blocked, asked about …?"""
    put = read.verb in listed("put") and not set(read.behind) & {
        "of",
        "from",
        "at",
        "on",
        "von",
        "auf",
        "bei",
    }
    near = next((each for each in reversed(tokens[:at]) if each not in listed("light")), "")
    about = near in listed("about") and (
        read.verb not in listed("going") or bool(set(read.behind) & listed("record")) or near != "from"
    )
    other = {read.verb, *read.behind} & (listed("elsewhere") | listed("reshaping"))
    made = read.verb in listed("put") and set(tokens[at + 1 : at + 2]) & listed("made")
    of_it = near in ("zu", "to", "on", "with", "mit", "for", "fur") and set(read.behind) - listed("light") - {
        near
    }
    styled = read.verb == "make" and set(tokens[at + 1 : at + 2]) - BREAKS - listed("filler")  # “make … bold”
    named = (
        tokens[at - 1] != ":"
        and near in listed("record") | {"text"}
        and read.verb not in ("open", "offne", "visit", "go", "load")
    )
    away = (
        about or other or made or named or styled or (read.verb in listed("making") and of_it)
    )  # "a QR code to …"
    return (
        not (act == "go" and away) and read.verb not in listed("content") and not (put and on_paper(tokens))
    )


def _is_run(tokens: Sequence[str], at: int, read: Reading) -> bool:
    """Is a command carried out by the verb that governs it, or as its means?"""
    if _is_means(tokens, at, read) or _is_next(tokens, at, read) or _is_for_output(tokens, at, read):
        return True
    if read.verb in listed("infinitive") and tokens[at + 1 : at + 2] and tokens[at + 1] in _ENTERING:
        return all(_is_light(each) or each in {"dort", "da"} | listed("terminal") for each in read.behind)
    behind, own = tokens[at + 1 :], clause_of(tokens[at + 1 :])
    as_text = set(behind[:1]) & listed("made") and not set(behind[1:]) & (
        listed("rights") | listed("terminal")
    )
    on_record = set(read.behind) & listed("record") or on_paper([*read.behind, *own])
    taken = read.verb in ("take", "nimm", "nehme")  # “take ls -la and explain …”
    to_ask = taken and set(behind[:1]) & listed("joint") and set(behind[1:3]) & listed("know")
    if to_ask or (read.verb in listed("tight") | listed("using") and (on_record or as_text)):
        return False
    quiet = listed("light") | listed("filler") | listed("particle")
    between = [
        each
        for each, following in zip(read.behind, [*read.behind[1:], ""], strict=False)
        if each not in quiet and following not in listed("me")
    ]
    aside = set(between) & listed("beside") or (read.verb in listed("tight") and between)
    if read.verb not in listed("run") or aside:
        return False
    in_terminal = bool(listed("terminal") & set(tokens))
    return read.verb not in listed("put") or in_terminal or not on_paper([*tokens[:at], *own])


def _is_for_output(tokens: Sequence[str], at: int, read: Reading) -> bool:
    """Is what a command prints wanted: “give me the output of …”, “… into a file”?"""
    asked = tokens[at - 1 : at] == ["of"] and set(tokens[at - 2 : at - 1]) & {"output", "result", "ausgabe"}
    rest = tokens[at + 1 :]
    kept = rest[:1] in (["in"], ["into"]) and not set(rest) & (
        listed("told") - {"called"} | listed("negation") | listed("clause")
    )
    return bool(asked) and read.verb in ("give", "get") and (kept or all(map(_is_light, rest)))


def _is_put_on(tokens: Sequence[str], at: int, read: Reading) -> bool:
    """“Put on youtube.com”, “put youtube.com on”."""
    behind = [each for each in tokens[at + 1 :] if each not in listed("filler")]
    on = behind[:1] == ["on"] and (not behind[1:] or behind[1] in BREAKS | listed("joint"))
    return read.behind == ("on",) or (not read.behind and on)


def _is_step(tokens: Sequence[str]) -> bool:
    """Does a sentence begin with “Step 2:”?"""
    return tokens[0:1] in (["step"], ["schritt"]) and bool(tokens[1:2]) and tokens[1].isdigit()


def _is_in_browser(tokens: Sequence[str], at: int) -> bool:
    """Is it only told where an address is wanted: “…, in a new tab”, “browser, …”, “address bar: …”?"""
    quiet = (
        listed("filler")
        | listed("light")
        | listed("place")
        | BREAKS
        | listed("browser")
        | listed("joint")
        | listed("enter_key")
        | {"new", "neuer", "neuen", "neuem"}
    )
    behind = list(tokens[at + 1 :])
    end = next((n for n, each in enumerate(behind) if each not in quiet), len(behind))
    paused = behind[:end] and behind[end - 1] in BREAKS | listed("joint")
    if end < len(behind) and not (paused and behind[end] in verbs()):
        return False
    before = list(tokens[:at])
    return bool({*before, *behind[:end]} & listed("browser")) and set(before) <= quiet and "?" not in behind


def _is_for_address_bar(tokens: Sequence[str], at: int, read: Reading) -> bool:
    """Is an address put into the address bar: “type … into the address bar”?"""
    into = [each for each in clause_of(tokens[at + 1 :]) if each not in listed("light") - {"address", "url"}]
    bar = into[:1] and into[0] in listed("place") and (into[1:3] in _BARS or into[1:2] in _BARS)
    plain = all(map(_is_light, read.behind))
    return bool(bar) and plain and read.state in ("order", "content") and read.verb in listed("put")


def _is_led_in(tokens: Sequence[str], at: int) -> bool:
    """Does an order lead in the command: “go ahead with …”, “have another go with …”?"""
    lead = list(tokens[:at])
    while lead and lead[-1] in listed("light") and lead[-1] not in ("a", ":"):
        lead.pop()
    for words in (each.split() for each in listed("led_in")):
        begins = len(lead) - len(words)
        if begins >= 0 and lead[begins:] == words and may_begin(read_words(lead[:begins], words[:1])):
            return not on_paper(clause_of(tokens[at + 1 :]))
    return False


def _closes_with(tokens: Sequence[str], at: int) -> bool:
    """Does the command stand alone behind a report: “I'm done, git push please”, “… : git push ausführen”?"""
    said, rest = tokens[: at - 1], [each for each in tokens[at + 1 :] if each not in ("!", ",")]
    told = listed("speech") | listed("record") | listed("reported") | listed("negation") | listed("clause")
    if tokens[at - 1 : at] not in ([","], [":"]) or set(said) & told:
        return False
    urged = bool(set(rest) & listed("urging")) and all(each in listed("filler") for each in rest)
    carried = (
        bool(rest)
        and rest[0] in listed("infinitive") - {"an", "auf", "aus", "ein", "los"}
        and "?" not in rest
    )
    return (urged or carried) and is_closed(said) and read_words(said).state in ("told", "unknown")


def _is_urged(tokens: Sequence[str], at: int, earlier: Sequence[str]) -> bool:
    """Does a command stand alone with words that urge (“…, now”), a place, or further orders behind it?"""
    rest, told = tokens[at + 1 :], listed("told") | listed("clause") | listed("negation")
    if "?" in rest or any(read_words(tokens_of(each)).state in ("content", "asked") for each in earlier[-1:]):
        return False
    arrow = next((n for n, each in enumerate(rest) if each in ARROWS), -1)
    if arrow == 0 or (at and tokens[at - 1] in ARROWS and not rest):
        return True
    stated = any(read_words(tokens_of(each)).state not in ("order", "begin") for each in earlier)
    first = clause_of(rest[1:]) if rest[:1] == [","] else ()
    if (
        set(first) & listed("urging")
        and all(each in listed("filler") for each in first)
        and not set(rest) & told
    ):
        return True
    plain = [each for each in rest if each not in BREAKS | {"!"}]
    if plain and all(each in listed("filler") for each in plain):
        return bool(set(plain) & listed("urging")) or not stated
    if stated or not rest:
        return False
    if rest[0] in listed("place"):
        ends = (n for n, each in enumerate(rest) if each in ("so", "damit", "because", "weil"))
        rest = list(clause_of(rest[: next(ends, len(rest))]))
        return not set(rest) & (told | listed("subject") | listed("question")) and not on_paper(rest)
    then = next(
        (n for n, each in enumerate(rest) if each not in BREAKS | listed("joint") | listed("filler")), 0
    )
    verb = rest[then] if then else ""
    return verb in verbs() and verb not in listed("know")


def _is_wanted(act: Act, tokens: Sequence[str], at: int, read: Reading) -> bool:
    """Does a wish or a statement want it carried out: “must be entered”, “is what I want you to run”, “I need …”?"""
    said, rest = list(tokens[:at]), list(tokens[at + 1 :])
    asks, tail = "?" in rest, list(clause_of(rest))
    if _is_for_terminal(said) or (not asks and _is_named_as_wanted(act, said, tail)):
        return True
    wish = next((n for n in wishes() if said[: len(n)] == list(n)), ())
    if wish and (not asks or wish[0] in ("can", "could")) and all(map(_is_light, said[len(wish) :])):
        denied = listed("told") | listed("negation") | listed("paper")
        if not set(tail) & denied:
            follows = listed("place") | listed("filler") | listed("up") | listed("joint")
            done = act == "run" and tail[:1] and tail[0] in listed("done") and not {"by", "von"} & set(tail)
            return not set(tail) - {"?"} or tail[0] in follows or bool(done)
    return not asks and _is_stated(said, tail, read, listed("done" if act == "run" else "shown"))


def _is_for_terminal(said: Sequence[str]) -> bool:
    """“The command you shall run is …”."""
    if said[-1:] not in (["lautet"], ["is"], ["ist"], [":"]) or not listed("terminal") & set(said[:2]):
        return False
    mine = {"you", "du", "sie"} & set(said) and set(said) & (listed("run") | listed("infinitive"))
    return bool(mine) and not set(said) & (listed("told") | listed("negation"))


def _is_stated(said: Sequence[str], tail: Sequence[str], read: Reading, done: frozenset[str]) -> bool:
    """Does a statement want it: “… must be run”, “… is what I want you to run”, “the following is to be run: …”?"""
    denied = listed("told") | listed("negation")
    doubt = (denied - done) | listed("subject") - {"it"} | {"by", "von", "have", "has", "?"}
    told = read.state == "told" and set(said) & (doubt | listed("speech"))
    if told or read.state in ("never", "asked", "content"):
        return False
    start = 1 + max((n for n, each in enumerate(said) if each in BREAKS | {"but", "sondern"}), default=-1)
    lead = said[start:]
    alone = all(map(_is_light, lead))
    if alone and tail[:2] in (["is", "what"], ["ist", "was"], ["is", "the"], ["ist", "das"]):
        return bool(set(tail) & listed("wish")) and not set(tail[2:]) & denied
    quoted = set(said if not read.first else lead) & (listed("record") | listed("speech"))
    if quoted or (read.state == "clause" and lead[-1:] != ["which"]):
        return False
    if alone and tail and tail[0] in listed("modal") and not set(tail[1:]) & doubt:
        return _is_passive(tail, done)
    modal = next((n for n, each in enumerate(lead) if each in listed("modal")), -1)
    placed = modal > 0 and lead[0] in listed("place") | listed("filler") | listed("light")
    if placed and not {*lead, *tail} & doubt and all(map(_is_light, lead[modal + 1 :])):
        return _is_passive(tail, done)
    following = said[-1:] == [":"] and said[0] in listed("light") and not set(said) & doubt
    return following and bool(set(said) & listed("modal")) and _is_passive(said, done)


def _is_named_as_wanted(act: Act, said: Sequence[str], tail: Sequence[str]) -> bool:
    """“Where I want you to go is …”, “the page I'd like you to open is …”."""
    if said[-1:] not in (["is"], ["ist"]) or {*said, *tail} & (listed("negation") | listed("told")):
        return False
    wanted = listed("run") if act == "run" else listed("going") | {"be", "sein"}
    for at in range(len(said)):
        if (size := frame(said, at)) and all(map(_is_light, set(said[:at]) - {"where", "what"})):
            verb, *rest = said[at + size : -1] or [""]
            return verb in wanted and all(map(_is_light, rest))
    return False


def _is_passive(words: Sequence[str], done: frozenset[str]) -> bool:
    """“to be run”, “ausgeführt werden”, “laufen”."""
    pairs = list(zip(words, [*words[1:], ""], strict=False))
    return "laufen" in words or any(
        (this in ("be", "being") and following in done) or (this in done and following == "werden")
        for this, following in pairs
    )


def _is_means(tokens: Sequence[str], at: int, read: Reading) -> bool:
    """Is it the means of an order: “restart it with …”?"""
    lead = [each for each in tokens[:at] if each == ":" or each not in listed("light")]
    if lead[-1:] == [":"] and not listed("terminal") & set(clause_of(tokens[at + 1 :])):
        return False
    known = read.verb in listed("means_of_asking") or read.verb not in listed("ask")
    plain = not set(lead) & (listed("paper") | listed("record")) and (
        lead[-1:] == [":"] or (read.first == read.verb and _makes(read))
    )
    barred = listed("content") | listed("elsewhere") | (frozenset() if plain else listed("not_by_means"))
    return (
        not set(lead[-2:-1]) & (listed("paper") | listed("record"))
        and lead[-1:] != []
        and lead[-1] in listed("means") | {":"}
        and known
        and read.verb not in barred
    )


def _makes(read: Reading) -> bool:
    """Is what the verb makes a thing that a command makes: “make a folder with …”, “build it with …”?"""
    made = read.verb in listed("making") and set(read.behind) & listed("made_by_command")
    return bool(made) or (read.verb == "build" and read.behind[:1] == ("it",))


def _is_next(tokens: Sequence[str], at: int, read: Reading) -> bool:
    """Is it an item of a list of orders: “first open a shell, then make clean, finally make all”?"""
    rest = tokens[at + 1 :]
    then = next(
        (n for n, each in enumerate(rest) if each not in BREAKS | listed("joint") | listed("filler")), -1
    )
    ends = then < 0 or (then > 0 and (rest[then] in verbs() or rest[then] == THING)) or rest[0] in BREAKS
    barred = listed("content") | listed("elsewhere") | listed("ask")
    return read.fresh and ends and read.verb not in barred and not on_paper(tokens[:at])


def _is_light(word: str) -> bool:
    """Does a word beside the thing change nothing?"""
    return word in listed("light") | listed("filler") | listed("joint") | listed("place") | {"after", "which"}


def _is_typed(tokens: Sequence[str], read: Reading) -> bool:
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
    return plain and bool(listed("terminal") & set(tokens)) and not on_paper(tokens)


def _refers(act: Act, sentence: str, following: str) -> bool:
    """Do the words behind it order it: “Here is a command: … . Run it.”, “…, go for it”?"""
    said, _, rest = sentence.partition(THING)
    before = read_words(tokens_of(said))
    if before.state in ("never", "content", "clause") or set(tokens_of(said)) & listed("record"):
        return False
    seen = act != "run" and _has_phrase("looking", tokens_of(following))
    if seen or before.state == "asked":
        return seen
    tokens = tokens_of(rest)
    cut = next((n for n, each in enumerate(tokens) if each in BREAKS | {"so"}), len(tokens))
    states = ("told", "unknown", "begin")
    named = tokens_of(said)[-3:] in (
        ["the", "command", "is"],
        ["der", "befehl", "ist"],
        ["der", "befehl", "lautet"],
    )
    if {"like", "wie"} & set(tokens[:cut]):  # “killall is like a wonder: run it, and …”
        return False
    asked_for = before.state == "order" and (named or tokens[cut : cut + 1] == ["so"])
    if (before.state in states or asked_for) and _refers_in(act, tokens[cut + 1 :]):
        return True
    ok = before.state in states and not set(tokens_of(sentence)) & (listed("told") | listed("speech"))
    if (
        ok
        and act == "run"
        and any(_has_phrase("assent", each) for each in (tokens[cut + 1 :], tokens_of(following)))
    ):
        return True
    return THING not in following and _refers_in(act, tokens_of(following))


def _refers_in(act: Act, tokens: Sequence[str]) -> bool:
    """Is “it” or “there” the object of an order in these words?"""
    if "?" in tokens and not frame(tokens, 0):
        return False
    verbs = (
        listed("run") - {"open"} - listed("moving") if act == "run" else listed("going") - listed("taking")
    )
    for at, each in enumerate(tokens):
        read = read_words(tokens[:at])
        aside = set(read.behind) & (listed("beside") | listed("clause") - listed("pointing"))
        stands = each in listed("it") and (each not in listed("pointing") or _is_last(tokens[at + 1 :]))
        if stands and read.state == "order" and not aside and read.verb in verbs:
            return True
    return False


def _is_last(following: Sequence[str]) -> bool:
    """Does nothing follow that “das” or “this” would belong to?"""
    ends = (
        BREAKS
        | listed("joint")
        | listed("filler")
        | listed("particle")
        | listed("place")
        | listed("infinitive")
    )
    return not following or following[0] in ends | {"?", "!", '"'}


def _has_phrase(name: str, tokens: Sequence[str]) -> bool:
    """Does one of the phrases begin an order in these words?"""
    return any(
        list(tokens[at : at + len(words)]) == words
        and "?" not in tokens[at + len(words) : at + len(words) + 1]
        and may_begin(read_words(tokens[:at]))
        for words in (each.split() for each in listed(name))
        for at in range(len(tokens))
    )
