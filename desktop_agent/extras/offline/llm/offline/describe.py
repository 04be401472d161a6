"""Intents in words: the steps of the plan, as the user reads them."""

from __future__ import annotations

from collections.abc import Iterable

from desktop_agent.extras.offline.llm.offline import apps, intents
from desktop_agent.extras.offline.llm.offline.describe_desk import describe_desk
from desktop_agent.extras.offline.llm.offline.intents import Intent, Phrase

_LONGEST = 120
_FOLDERS = {"~": "the home folder", "DOWNLOAD": "Downloads", "PUBLICSHARE": "Public", "/": "the root folder"}


def plan_of(steps: tuple[Intent, ...]) -> tuple[str, ...]:
    """One line a step."""
    return tuple(describe(each) for each in steps)


def reading_in_words(reading: Iterable[Intent]) -> str:
    """What some words may mean, as one line that can be picked."""
    return " and then ".join(plan_of(tuple(reading)))


def describe(intent: Intent) -> str:
    """A step like `Save it as hello.txt in the home folder`."""
    words = _words(intent)
    return words if len(words) <= _LONGEST else words[: _LONGEST - 1] + "…"


def _words(intent: Intent) -> str:
    match intent:
        case intents.Open(what, within):
            return f"Open {_app(what)}" + (f" with {within}" if within else "")
        case intents.GoTo(address):
            return f"Go to {_folder(address)}"
        case intents.Search():
            place = f" on {intent.place}" if intent.place and intent.sure else ""
            if intent.result:
                return f"Search for the result{place}"
            return f"Search for {intent.text if intent.sure else intent.whole or intent.text}{place}"
        case intents.TypeText():
            return _typing(intent)
        case intents.Save(name, folder):
            where = f" in {_folder(folder)}" if folder else ""
            return f"Save it{f' as {name}' if name else ''}{where}"
        case intents.Compute(expression):
            return f"Work out {expression} in the calculator"
        case intents.CreateFolder(name, folder):
            return f"Create the folder {name}" + (f" in {_folder(folder)}" if folder else "")
        case intents.Rename(what, name):
            return f"Rename {what} to {name}"
        case intents.Delete(what):
            return f"Delete {_thing(what)}"
        case intents.Scroll():
            return _scrolling(intent)
        case intents.WaitFor():
            return _waiting(intent)
        case intents.When(condition, then, absent):
            return f"If “{condition}” is {'not ' if absent else ''}there: {describe(then)}"
        case intents.Help():
            return "Say what I can do"
        case intents.Unknown(text):
            return f"Ask what “{text[:60]}” means"
        case _:
            return _pointing(intent)


def _pointing(intent: Intent) -> str:
    match intent:
        case intents.Click(what, button, count, times):
            verb = {1: "click", 2: "double-click", 3: "triple-click"}[count]
            verb = verb if button == "left" else f"{button}-{verb}"
            often = f" {times} times" if times > 1 else ""
            return f"{verb.capitalize()} {_thing(what)}{often}"
        case intents.ClickAt(x, y):
            return f"Click at {x},{y}"
        case intents.Press(keys, times):
            return f"Press {'+'.join(each.capitalize() for each in keys)}" + (
                f" {times} times" if times > 1 else ""
            )
        case intents.Fill(field, value):
            return f"Set {_thing(field)} to {value}"
        case intents.FillApart(text):
            return f"Set {text}"
        case intents.Choose(option, source):
            return f"Choose {_thing(option)}" + (f" from {source}" if source else "")
        case intents.Match():
            return _matching(intent)
        case intents.Check(what, on):
            return f"{ {True: 'Check', False: 'Uncheck', None: 'Toggle'}[on] } {_thing(what)}"
        case intents.Clear(what):
            return f"Clear {_thing(what) or 'the text'}"
        case intents.Drag(what, onto):
            return f"Drag {_thing(what)} onto {_thing(onto)}"
        case _:
            return _rest(intent)


def _rest(intent: Intent) -> str:
    match intent:
        case intents.Hover(what):
            return f"Point at {_thing(what)}"
        case intents.Focus(what):
            return f"Go to {_thing(what)}"
        case intents.Read(what):
            return f"Read {_thing(what) or 'the screen'}"
        case intents.Window(verb, what, thing, "discard"):
            return f"{verb.capitalize()} {what or 'the ' + (thing or 'window')} without saving"
        case intents.Menu(path):
            return f"Choose {' > '.join(path)}"
        case intents.Window(verb, what, thing):
            return f"{verb.capitalize()}{' to' if verb == 'switch' else ''} {what or 'the ' + (thing or 'window')}"
        case intents.Expand(what, on):
            return f"{'Expand' if on else 'Collapse'} {_thing(what)}"
        case intents.Browse(move):
            return {"back": "Go back", "forward": "Go forward", "reload": "Reload the page"}[move]
        case intents.Submit():
            return "Send the form"
        case intents.FillForm():
            return "Read what belongs where on the form"
        case intents.SendForm(button):
            return f"Press {button} and see that the form is sent"
        case intents.CopyText(what):
            return f"Copy the text of {_thing(what)}"
        case _:
            return describe_desk(intent)


def _typing(intent: intents.TypeText) -> str:
    into = f" into {intent.into}" if intent.into and intent.sure else ""
    if intent.result:
        return f"Type the result{into}"
    text = intent.text if intent.sure else intent.whole or intent.text
    text = ", ".join(text.splitlines())
    return f"Type “{text}”{into}"


def _matching(intent: intents.Match) -> str:
    ways = (("starts with", intent.starts), ("ends with", intent.ends), ("contains", intent.contains))
    said = " and ".join(f"{way} “{text}”" for way, text in ways if text)
    return f"Choose what {said}" + (f" for {intent.into}" if intent.into else "")


def _scrolling(intent: intents.Scroll) -> str:
    if intent.until:
        return f"Find {intent.until}"
    over = f" in {intent.over}" if intent.over else ""
    return f"Scroll {intent.direction}{' to the end' if intent.unit == 'end' else ''}{over}"


def _waiting(intent: intents.WaitFor) -> str:
    if intent.text:
        return f"Wait until {intent.text} is {'gone' if intent.gone else 'there'}"
    return f"Wait {intent.seconds:g} s"


def _thing(what: Phrase) -> str:
    return what.spoken or what.name


def _app(what: str) -> str:
    return f"the {what}" if apps.is_generic(what) else what


def _folder(folder: str) -> str:
    return _FOLDERS.get(folder, folder.capitalize() if folder.isupper() else folder)
