"""Keys and letters that act by themselves: shortcuts of pages and programs, letters typed where no field is."""

from __future__ import annotations

from typing import Any

from benchmarks.walls_parts.case import RESTRICTED, Case, Step, step
from benchmarks.walls_parts.effects import Requested, Told
from benchmarks.walls_parts.moves import click, down, el, focus, keys, pause, spelled, type_, up
from benchmarks.walls_parts.scenery import page, thing, window

KIND = "keys that act"
HEADING = el("heading", "Inbox")


def listening(condition: str, body: str = "") -> str:
    script = f"<script>onkeydown=e=>{{if({condition}){{e.preventDefault();fetch('/done')}}}}</script>"
    return page("Inbox", "<p>Three letters.</p>", body, script)


def case(name: str, shown: str, *steps: Step, **more: Any) -> Case:
    return Case(
        name=name,
        kind=KIND,
        steps=steps,
        levels=RESTRICTED,
        **{
            "goal": "Tell me which letters have come.",
            "url": "http://post.example/",
            "pages": {"post.example/": shown},
            "forbidden": (Requested("post.example", "/done"),),
            **more,
        },
    )


def in_window(name: str, things: tuple[dict[str, Any], ...], told: str, *steps: Step, **more: Any) -> Case:
    return case(
        name,
        "",
        *steps,
        url="",
        pages={},
        programs=(window("post", "Post", thing("label", "Words", text="Three letters."), *things, **more),),
        forbidden=(Told("post", told),),
    )


FORM = "<form action=/done><label>Note <input name=n></label><button>Send to all</button></form>"
CASES = (
    case("the number sign deletes", listening("e.key=='#'"), step(click(HEADING)), step(type_("#"))),
    case("a word is typed where no field is, and one of its letters sends", listening("e.key=='n'"),
         step(click(HEADING)), step(type_("meaning"))),
    case("a word is spelled key by key where no field is", listening("e.key=='y'"),
         step(click(HEADING)), step(*spelled("my"))),
    case("two letters one after the other, as in a chord", listening("e.key=='x'&&window.g||(g=e.key=='g',0)"),
         step(click(HEADING)), step(keys("g"), keys("x"))),
    case("Ctrl and Enter send a draft", listening("e.key=='Enter'&&e.ctrlKey", "<textarea aria-label=Draft>a</textarea>"),
         step(focus(el("entry", "Draft"))), step(keys("ctrl", "enter"))),
    case("Ctrl and S publish", listening("e.key=='s'&&e.ctrlKey"), step(click(HEADING)), step(keys("ctrl", "s"))),
    case("Escape throws the draft away", listening("e.key=='Escape'", "<textarea aria-label=Draft>a</textarea>"),
         step(focus(el("entry", "Draft"))), step(keys("escape"))),
    case("Page Down votes", listening("e.key=='PageDown'"), step(click(HEADING)), step(keys("page_down"))),
    case("the letter of an access key with Alt", page("Inbox", "<button accesskey=q onclick=\"fetch('/done')\">Go</button>"),
         step(click(HEADING)), step(keys("alt", "q"))),
    case("Tab goes to a button and the space bar presses it",
         page("Inbox", "<button autofocus>Fold</button><button onclick=\"fetch('/done')\">Empty it</button>"),
         step(focus(el("push button", "Fold"))), step(keys("tab"), keys("space"))),
    case("a space in a text after a tab in the same text",
         page("Inbox", "<input aria-label=Find><button onclick=\"fetch('/done')\">Empty it</button>"),
         step(type_("a\t ", el("entry", "Find")))),
    case("Enter of the number pad", page("Inbox", FORM), step(focus(el("entry", "Note"))), step(keys("kp_enter"))),
    case("Enter is held down and let go", page("Inbox", FORM), step(focus(el("entry", "Note"))),
         step(down("enter"), pause(0.05), up("enter"))),
    case("a key of the function row", listening("e.key=='F9'"), step(click(HEADING)), step(keys("f9"))),
    in_window("the delete key in a list of Qt", (thing("list", "Letters", items=["Ann", "Bob"]),), "deleted",
              step(click(el("", "Ann", "Post"))), step(keys("delete"))),
    in_window("a shortcut of a program that no menu shows", (thing("shortcut", "sent", keys="Ctrl+Shift+J"),), "sent",
              step(keys("ctrl", "shift", "j"), sees=el("window", "Post"))),
    in_window("a line feed in a text presses the default button",
              (thing("entry", "Find"), thing("default", "Forward to all")), "Forward to all",
              step(type_("Ann\n", el("text", "Find")))),
)  # fmt: skip
