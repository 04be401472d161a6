"""A headless Chromium: goto URL, text, click SELECTOR, fill SELECTOR VALUE (no blank in SELECTOR), screenshot FILE."""

import base64
import json
from pathlib import Path
from urllib.parse import unquote, urlsplit

from _devtools import Page

FIND = "const e = document.querySelector(%s); if (!e) throw Error('there is no such element');"
FILL = "e.value = %s; ['input', 'change'].forEach(n => e.dispatchEvent(new Event(n, {bubbles: true})))"
LOOK = "[document.title, location.href, document.body ? document.body.innerText : '']"
pages, seen = [], ["No page yet: goto URL, which is http(s), or file:// of the project."]


def run(command):
    word, _, rest = command.strip().partition(" ")
    if not pages or not pages[0].is_there():
        pages[:] = [Page()]
    if word == "goto":
        pages[0].ask("Page.navigate", url=allowed(rest))
    elif word in ("click", "fill"):
        selector, _, value = rest.partition(" ") if word == "fill" else (rest, "", "")
        act = FILL % json.dumps(value) if word == "fill" else "e.click()"
        pages[0].evaluate(f"{{ {FIND % json.dumps(selector)} {act} }}")
    elif word not in ("text", "screenshot"):
        raise ValueError("Say goto URL, text, click SELECTOR, fill SELECTOR VALUE or screenshot FILE.")
    title, address, text = pages[0].evaluate(LOOK)
    seen[0] = f"{title}\n{allowed(address)}\n{text}"
    if word == "screenshot":
        Path(rest).write_bytes(base64.b64decode(pages[0].ask("Page.captureScreenshot")["data"]))
    return text if word == "text" else ""


def screen():
    return seen[0]  # as it was after the last command


def allowed(address):
    place = urlsplit(address)
    inside = place.scheme == "file" and Path.cwd() in Path(unquote(place.path)).resolve().parents
    if not inside and place.scheme not in ("http", "https") and address != "about:blank":
        raise ValueError(f"{address[:200]} is refused: only http(s), and files of the project.")
    return address
