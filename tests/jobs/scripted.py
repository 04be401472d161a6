"""Stands where a provider's model would: reads the prompt it is sent and answers with the next few operations.

A script is a list of steps; each waits until what it needs is in the prompt, so it works from what
the agent sees, like any model.
"""

from __future__ import annotations

import base64
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from PIL import Image

Act = Callable[[str], list[dict[str, Any]]]
Actions = list[dict[str, Any]]


@dataclass(frozen=True)
class Step:
    """`ready` is searched in what the agent sees; `act` makes operations of the same text."""

    ready: str
    act: Act


@dataclass
class Script:
    """Answers one request after the other; `plan` is said in every answer."""

    plan: list[str]
    steps: list[Step]
    requests: list[dict[str, Any]] = field(default_factory=list)
    _at: int = 0
    _begun: bool = False
    _done: int = 0

    def __call__(self, request: dict[str, Any]) -> str:
        self.requests.append(request)
        record, _, screen = prompt_of(request).partition(SEEN)
        return self.answer(record, screen)

    def answer(self, record: str, screen: str) -> str:
        """The reply to what came of the last operations, and to what the screen shows."""
        if self._begun:
            outcomes = last_outcomes(record)
            again = undone(outcomes)
            self._at -= again  # like any model: look again and decide again, about what is not done yet
            self._done = self._done + outcomes.count("done") if again else 0
        self._at = min(self._at, len(self.steps) - 1)  # its "done" was refused: it says it once more
        step, self._begun = self.steps[self._at], False
        if not re.search(step.ready, screen):
            return self._reply([{"op": "wait", "seconds": 0.2}], "")
        self._at, self._begun = self._at + 1, True
        return self._reply(step.act(screen)[self._done :], f"Step {self._at} “of the plan”.")

    def _reply(self, actions: Actions, notes: str) -> str:
        step = min(self._at or 1, len(self.plan))
        return json.dumps({"notes": notes, "high_level": self.plan, "step": step, "actions": actions})


SEEN = "# What you see now"


def prompt_of(request: dict[str, Any]) -> str:
    """What a model was sent, in any provider's form: what came of its last operations, and what the screen shows now."""
    texts = [text for text in strings(request) if "<<<" in text or SEEN in text]
    looks = [number for number, text in enumerate(texts) if SEEN in text]
    record = "".join(texts[looks[-2] + 1 : looks[-1]] if len(looks) > 1 else ())
    return f"{record}\n{SEEN}\n{screen_of(texts[number] for number in looks)}"


def screen_of(looks: Iterable[str]) -> str:
    """The windows and elements after all looks, as somebody who read them all knows them."""
    known: dict[str, str] = {}
    for look in looks:
        _, _, told = look.partition(SEEN)
        whole = re.match(r".*\n<<<screen", told) is not None
        lines = told.partition("<<<screen")[2].splitlines()[1:-1]
        known = {} if whole else known
        for line in lines:
            for gone in re.findall(r"e\d+", line) if line.startswith("Gone: ") else ():
                known.pop(gone, None)
            name = re.match(r"e\d+|[A-Z][a-z ]+(?=: )", line)
            known[name.group() if name else line] = line
    return "\n".join(known.values())


def picture_of(request: dict[str, Any]) -> Image.Image:
    """The screen as the pictures show it that a model was sent: the last whole one, with the parts that changed."""
    picture, place = Image.new("RGB", (1, 1)), None
    for text in strings(request):
        if part := re.search(r"Part x (\d+) to \d+, y (\d+) to", text):
            place = (int(part[1]), int(part[2]))
        elif text.startswith("data:image"):
            shown = Image.open(io.BytesIO(base64.b64decode(text.partition(",")[2]))).convert("RGB")
            if place is None:
                picture = shown
            else:
                picture.paste(shown, place)
            place = None
    return picture


def last_outcomes(record: str) -> list[str]:
    """What came of the operations of the last turn: done, failed, skipped, refused, or stale where another look was asked for."""
    deeds = re.findall(r"^- turn (\d+): .*: (done|failed|refused|skipped)\b(.*)", record, re.MULTILINE)
    last = [(outcome, detail) for turn, outcome, detail in deeds if turn == deeds[-1][0]]
    return [
        "stale" if outcome == "refused" and "look again" in detail.lower() else outcome
        for outcome, detail in last
    ]


def undone(outcomes: list[str]) -> bool:
    """Whether something is still to be done; what is refused for good is not."""
    first = next((outcome for outcome in outcomes if outcome != "done"), "refused")
    return first != "refused"


def strings(node: Any) -> Iterator[str]:
    if isinstance(node, str):
        yield node
    elif isinstance(node, dict | list):
        for each in node.values() if isinstance(node, dict) else node:
            yield from strings(each)


def element(screen: str, pattern: str) -> str:
    """The id of the first listed element whose line matches."""
    found = re.search(rf"^(e\d+) {pattern}", screen, re.MULTILINE)
    assert found, f"no element {pattern!r} in:\n{screen}"
    return found.group(1)


def do(*actions: dict[str, Any]) -> Act:
    """Always these operations."""
    return lambda screen: list(actions)


def done(summary: str) -> Act:
    return do({"op": "done", "summary": summary})


def write_and_save(path: str) -> Script:
    return Script(
        ["Open the editor", "Write the text", "Save it"],
        [
            Step("", do({"op": "open", "target": "text editor"})),
            Step(
                r"text.*\[focused",
                lambda screen: [
                    {
                        "op": "type",
                        "text": "Hello from desktop-agent",
                        "element": element(screen, r"text .*\[focused"),
                    },
                    {"op": "key_combo", "keys": ["ctrl", "s"]},
                ],
            ),
            Step(
                'Active window: "Save As"',
                do({"op": "key_combo", "keys": ["ctrl", "a"]}, {"op": "type", "text": path}),
            ),
            Step(
                # The dialog takes Enter only when it has looked at the folder: its button says so.
                rf'(?sm){re.escape(path)}.*push button "Save" [\d,]+ [\dx]+$',
                lambda screen: [{"op": "click_element", "element": element(screen, 'push button "Save"')}],
            ),
            Step(r"Active window: .*hello\.txt", done("Saved.")),
        ],
    )


def work_out_a_sum() -> Script:
    def press(screen: str) -> Actions:
        names = [*"127", r"\+", *"358", "="]
        return [
            {"op": "click_element", "element": element(screen, f'toggle button "{name}"')} for name in names
        ]

    return Script(
        ["Open the calculator", "Press the sum"],
        [
            Step("", do({"op": "open", "target": "galculator"})),
            Step('toggle button "7"', press),
            Step('= "485"', done("It shows 485.")),
        ],
    )


def make_a_folder() -> Script:
    return Script(
        ["Open the file manager", "Make the folder"],
        [
            Step("", do({"op": "open", "target": "file manager"})),
            Step("Folder location bar", do({"op": "key_combo", "keys": ["ctrl", "shift", "n"]})),
            Step(
                r"entry|text .*\[focused",
                do({"op": "key_combo", "keys": ["ctrl", "a"]}, {"op": "type", "text": "Holiday pictures\n"}),
            ),
            Step('status bar "2 items', done("The folder is there.")),
        ],
    )


def fill_in_a_form(url: str) -> Script:
    def fill(screen: str) -> Actions:
        return [
            {"op": "type", "text": "Ada Lovelace", "element": element(screen, 'entry "Name"')},
            {"op": "type", "text": "Paris", "element": element(screen, 'entry "City"')},
            {"op": "click_element", "element": element(screen, 'check box "Wrap')},
        ]

    def send(screen: str) -> Actions:
        return [{"op": "click_element", "element": element(screen, 'push button "Send order"')}]

    return Script(
        ["Open the page", "Fill in the form", "Send it"],
        [
            Step("", do({"op": "open", "target": url})),
            Step('entry "Name"', fill),
            Step(r'check box "Wrap.*\[(?!not)', send),
            Step("Thank you", done("The order was sent.")),
        ],
    )
