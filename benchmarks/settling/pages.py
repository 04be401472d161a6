"""Pages that come at once, late, move for a while or for ever, from a server on the loopback interface."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from tests.support import loopback

SLOW = 0.3
"""Seconds that a slow answer takes."""

_STYLE = """<style>
body { font: 20px sans-serif; margin: 30px } a, button, select { display: block; margin: 12px 0; font-size: 20px }
#box { width: 60px; height: 40px; background: teal } #box.gone { transform: translateX(500px); transition: transform 0.35s }
.spinner { width: 40px; height: 40px; border: 6px solid silver; border-top-color: navy; border-radius: 50%;
  animation: turn 1s linear infinite }
@keyframes turn { to { transform: rotate(360deg) } }
</style>"""

_HOME = """<a href="/instant">instant page</a><a href="/slow">slow page</a><a href="/spinner">spinner page</a>
<button onclick="out.textContent = 'pressed ' + (++n)">change at once</button>
<button onclick="fetch('/answer').then(r => r.text()).then(t => out.textContent = t + (++n))">ask the server</button>
<button onclick="box.classList.toggle('gone')">slide</button>
<button>does nothing</button><div id="box"></div><p id="out">nothing yet</p><script>let n = 0</script>"""

_PAGES = {
    "/": _HOME,
    "/instant": "<h1>Here at once</h1><a href='/'>home</a>" + "<p>Some words of a page.</p>" * 12,
    "/slow": "<h1>Here at last</h1><a href='/'>home</a>" + "<p>Some words of a page.</p>" * 12,
    "/spinner": """<h1>It turns</h1><a href="/">home</a><div class="spinner" role="img" aria-label="turning"></div>
<button onclick="out.textContent = 'pressed ' + (++n)">change beside it</button><button>nothing beside it</button>
<p id="out">nothing yet</p><script>let n = 0</script>""",
}


class _Handler(loopback.Handler):
    protocol_version = "HTTP/1.1"

    def get(self) -> None:
        if self.path in ("/slow", "/answer"):
            threading.Event().wait(SLOW)
        if self.path == "/answer":
            self.say(b"the server says ", "text/plain; charset=utf-8")
            return
        page = _PAGES.get(self.path)
        body = f"<!doctype html><title>Page {self.path}</title>{_STYLE}{page or ''}"
        self.say(body.encode(), status=404 if page is None else 200)


@contextmanager
def served() -> Iterator[str]:
    """The address of the first page, until the context ends."""
    with loopback.serving(_Handler) as port:
        yield f"http://127.0.0.1:{port}/"
