"""Selecting text, and giving it a style in an editor."""

from __future__ import annotations

from desktop_agent.llm.offline.boxes import is_editable
from desktop_agent.llm.offline.cards import content, controls
from desktop_agent.llm.offline.intents import Highlight, Style
from desktop_agent.llm.offline.moves import Act, Move, Question, Reached
from desktop_agent.llm.offline.passages import meant
from desktop_agent.llm.offline.policies.locate import locate
from desktop_agent.llm.offline.scene import Scene
from desktop_agent.protocol import ops
from desktop_agent.protocol.ops import Op
from desktop_agent.vision.observation import Element

_KEYS = {"bold": ("ctrl", "b"), "italic": ("ctrl", "i"), "underline": ("ctrl", "u")}
_BATCH = 8


def highlight(intent: Highlight, scene: Scene) -> Move:
    """Select a paragraph by a triple click, a box's text by its keys."""
    if scene.trouble:
        return Question(f"I could not select it: {scene.trouble.detail} How shall I go on?")
    if scene.clicks() and (scene.memo.get("selected") or not scene.memo.get("box")):
        return Reached("The text is selected.")
    passage = meant(intent.what, content(scene.sight))
    found = passage.first if passage is not None else locate(scene, intent.what)
    if isinstance(found, Act | Question):
        return found
    if not is_editable(found) or "multiline" not in found.states:
        return Act((scene.click(found, count=3),), "I select the text.")
    scene.memo["box"] = "yes"
    going = scene.approach(found, "I select the text.")
    if going is None:
        scene.memo["selected"] = "yes"
    return going or Act((ops.KeyCombo(("ctrl", "a")),))


def style(intent: Style, scene: Scene) -> Move:
    """Put the cursor into the editor, select the words, press the style's button or its keys."""
    if scene.trouble:
        return Question(f"I could not do that: {scene.trouble.detail} How shall I go on?")
    stage = scene.memo.get("stage", "")
    if stage == "styled":
        return Reached(f"It is {intent.style} now.")
    editor = _editor(scene)
    if editor is None:
        return scene.wait(2) or Question("I see no text to give a style to. Where is it?")
    if not stage:
        scene.memo["stage"] = "inside"
        return Act((scene.click(editor),), f"I make “{intent.words or 'everything'}” {intent.style}.")
    keys = _selecting(intent.words, editor)
    if keys is None:
        return Question(f"I do not see “{intent.words}” in the text. Which words do you mean?")
    done = int(scene.memo.get("keys", "0"))
    if done < len(keys):
        batch = keys[done : done + _BATCH]
        scene.memo["keys"] = str(done + len(batch))
        return Act(batch)
    scene.memo["stage"] = "styled"
    return _apply(intent.style, scene)


def _editor(scene: Scene) -> Element | None:
    """The largest editable text on the page."""
    texts = [e for e in content(scene.sight) if is_editable(e) and (e.value or e.name)]
    return max(texts, key=lambda e: e.bounds.width * e.bounds.height, default=None)


def _selecting(words: str, editor: Element) -> tuple[Op, ...] | None:
    """Keys that select the words: from the start of the text as many characters to the right."""
    if not words:
        return (ops.KeyCombo(("ctrl", "a")),)
    text = editor.value or editor.name
    at = text.find(words)
    if at < 0:
        at = text.lower().find(words.lower())
    if at < 0:
        return None
    right, more = ops.KeyCombo(("right",)), ops.KeyCombo(("shift", "right"))
    return (ops.KeyCombo(("ctrl", "home")), *(right,) * at, *(more,) * len(words))


def _apply(style: str, scene: Scene) -> Move:
    found = [
        e
        for e in controls(content(scene.sight), (style,))
        if e.role in ("push button", "toggle button", "image")
    ]
    if found:
        return Act((scene.click(found[0]),))
    if style in _KEYS:
        return Act((ops.KeyCombo(_KEYS[style]),))
    return Question(f"I see nothing to choose the colour {style} with. What shall I press?")
