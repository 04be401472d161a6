"""A headless Chromium: goto URL, text, click SELECTOR, fill SELECTOR VALUE (no blank in SELECTOR), screenshot FILE."""

import base64
import json
from pathlib import Path
from urllib.parse import unquote, urlsplit

from _devtools import page

FIND = "(([s, v]) => { const e = document.querySelector(s); if (!e) throw Error(s + ' is not there'); "
FILL = "e.value = v; ['input', 'change'].forEach(n => e.dispatchEvent(new Event(n, {bubbles: true})))"
ACT = FIND + "if (v === undefined) e.click(); else { " + FILL + " } })(%s)"
LOOK = "[document.title, location.href, document.body ? document.body.innerText : '']"
seen = ["No page yet: goto URL, which is http(s), or file:// of the project."]


def run(command):
    word, _, rest = command.strip().partition(" ")
    if word == "goto":
        page().ask("Page.navigate", url=allowed(rest))
    elif word in ("click", "fill"):
        page().evaluate(ACT % json.dumps(rest.partition(" ")[::2] if word == "fill" else [rest]))
    elif word not in ("text", "screenshot"):
        raise ValueError("Say goto URL, text, click SELECTOR, fill SELECTOR VALUE or screenshot FILE.")
    title, address, text = page().evaluate(LOOK)
    seen[0] = f"{title}\n{address if address == 'about:blank' else allowed(address)}\n{text}"
    if word == "screenshot":
        Path(rest).write_bytes(base64.b64decode(page().ask("Page.captureScreenshot")["data"]))
    return text if word == "text" else ""


def screen():
    return seen[0]  # as it was after the last command


def allowed(address):
    scheme, path = urlsplit(address).scheme, Path(unquote(urlsplit(address).path)).resolve()
    if scheme not in ("http", "https") and not (scheme == "file" and Path.cwd() in path.parents):
        raise ValueError(f"{address[:200]} is refused: only http(s), and files of the project.")
    return address
