"""Loopback pages that real browsers are worked on, and what was sent to them."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import parse_qs, urlsplit

from tests.support import loopback

FORM = """<!doctype html><title>Order</title><h1>Order a cake</h1>
<form action="/order" method="get">
<p><label>Name <input name="name"></label></p>
<p><label>City <input name="city"></label></p>
<p><label>Size <select name="size"><option>small<option>medium<option>large</select></label></p>
<p><label><input type="checkbox" name="gift" value="yes"> Wrap as a gift</label></p>
<p><button>Send order</button></p></form>"""

THANKS = "<!doctype html><title>Thank you</title><h1>Thank you, your order has arrived</h1>"

START = """<!doctype html><title>Start page</title><h1>Start page</h1>
<form action="/visit"><label>Address <input name="address" size="60"></label></form>
<ul><li><a href="/easyeda">EasyEDA</a></li><li><a href="/weather">Weather</a></li></ul>"""

EASYEDA = """<!doctype html><title>EasyEDA</title><h1>EasyEDA</h1>
<form action="/search"><label>Search library <input name="q" size="60" oninput="sent(this.value)"></label>
<button>Search</button></form>
<script>function sent(text) { fetch('/typed?text=' + encodeURIComponent(text)) }</script>"""

RESULTS = "<!doctype html><title>Results</title><h1>3 parts found</h1>"

LOGIN = """<!doctype html><title>Log in</title><h1>Log in</h1>
<form action="/order" method="get">
<p><label>Name <input name="name" size="40"></label></p>
<p><label>Password <input name="password" type="password" size="40"></label></p>
<p><button>Enter</button></p></form>"""

ECHO = """<!doctype html><title>Echo</title><h1>Say it</h1>
<p><label>Words <input id="words" size="40"></label></p><div id="out"></div><script>
document.getElementById("words").oninput = e => {
  const s = e.target.value, out = document.getElementById("out");
  const ways = [[...s].reverse().join(""), s.toUpperCase(), [...s].join("*"), [...s].join(" "), btoa(s), btoa([...s].reverse().join(""))];
  out.innerHTML = "";
  for (const way of ways) { const p = document.createElement("p"); p.textContent = way; out.append(p); }
  for (const c of s) { const b = document.createElement("button"); b.textContent = c; out.append(b); }
  if (s.length >= 9) { const h = document.createElement("h2"); h.textContent = "All of it"; out.append(h); }
};</script>"""

PAGES = {
    "/login": LOGIN, "/echo": ECHO,
    "/form": FORM, "/order": THANKS, "/start": START, "/easyeda": EASYEDA, "/search": RESULTS, "/typed": "",
}  # fmt: skip


class Site:
    """The pages on a free loopback port; `visits` are (path, fields) in order."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.visits: list[tuple[str, dict[str, str]]] = []
        self.news = threading.Condition()

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def visit(self, target: str) -> str | None:
        """Note a visit; returns the page."""
        parts = urlsplit(target)
        fields = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        with self.news:
            self.visits.append((parts.path, fields))
            self.news.notify_all()
        return PAGES.get(parts.path)

    def fields_of(self, path: str) -> list[dict[str, str]]:
        """What was sent to a path, oldest first."""
        with self.news:
            return [fields for each, fields in self.visits if each == path]


@contextmanager
def served() -> Iterator[Site]:
    """Serve the pages while the block runs."""

    class Handler(loopback.Handler):
        def get(self) -> None:
            page = site.visit(self.path)
            self.say((page or "").encode(), status=404 if page is None else 200)

    with loopback.serving(Handler) as port:
        site = Site(port)
        yield site
