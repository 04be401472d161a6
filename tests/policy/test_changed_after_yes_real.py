"""On a real display: what a yes rested on changes before the press, and nothing is pressed."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from desktop_agent.policy.facts.batching import segments
from desktop_agent.policy.gatekeeper import picture_of_focus
from desktop_agent.protocol import ops
from desktop_agent.vision.observation import Observation
from tests.desk import Desk, until
from tests.policy.test_permission_real import Watch

PAGE = """<!doctype html><meta charset=utf-8><title>Shop</title><body style="font:18px sans-serif">
<form id=box role=dialog aria-label=Confirm onsubmit="location='/sent';return false">
<p id=question>Send this to Ann?</p><label><span id=label>Name</span> <input id=name value=Ann></label> <button id=go>Send</button></form>
<script>setInterval(async () => { const change = await (await fetch('/change')).text(); if (change) eval(change) }, 100)</script>"""


@dataclass
class Shop:
    """A page of two origins that changes itself as the test says, and what it was sent."""

    change: str = ""
    asked: list[str] = field(default_factory=list)
    port: int = 0

    def serve(self) -> http.server.ThreadingHTTPServer:
        shop = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                shop.asked.append(self.path)
                words = shop.change if self.path == "/change" else PAGE
                shop.change = "" if self.path == "/change" else shop.change
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(words.encode())

            def log_message(self, *_: object) -> None:
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = server.server_address[1]
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return server


@pytest.fixture(scope="module")
def shop() -> Iterator[Shop]:
    page = Shop()
    server = page.serve()
    yield page
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def watch(shared_display: Desk, shop: Shop) -> Iterator[Watch]:
    address = f"http://localhost:{shop.port}/"
    shared_display.launch("chromium", "--window-size=900,700", "--window-position=0,0", address, title="Shop")
    watch = Watch(shared_display, "Fill in the form")
    yield watch
    watch.place.hands.close()


def asked_and_changed(watch: Watch, shop: Shop, op: ops.Op, seen: Observation, change: str, there: Callable[[], object]) -> str:  # fmt: skip
    """Why the operation is refused when the page changes between the yes and the press; "" when it is sent."""
    rulings = list(watch.gate.plan((op,), seen, fresh=True))
    assert rulings[0].verdict.kind == "ask"
    watch.gate.keep_picture(rulings)
    watch.gate.begin(rulings, observation=seen)
    shop.change = change
    until(there, change)
    return watch.now(op, seen)


@pytest.mark.parametrize(("change", "role", "name", "said"), [
    ("question.textContent='Send 900 € to Bob?'", "", "Send 900 € to Bob?", "Send 900"),
    ("box.removeAttribute('role'); document.body.append(...Array.from({length: 60}, (_, i) => Object.assign(document.createElement('p'), {textContent: `Row ${i}`})))"
     "; question.textContent='Send it to Bob?'", "", "Send it to Bob?", "Send it to Bob?"),
    ("go.textContent='Send and pay'", "push button", "Send and pay", "Send and pay"),
    ("go.textContent='Continue'", "push button", "Continue", "Continue"),
    ("box.setAttribute('action', location.href.replace('localhost', '127.0.0.1')); location = location.href.replace('localhost', '127.0.0.1')", "", "", "the page is now “http://127.0.0.1"),
])  # fmt: skip
def test_a_click_is_not_sent_when_what_it_rested_on_has_changed(
    watch: Watch, shop: Shop, change: str, role: str, name: str, said: str
) -> None:
    fresh_page(watch, shop)
    send, seen = watch.element("push button", "Send")

    def there() -> bool:
        if not name:
            place = watch.gate.places.now_at(send.bounds.center, ())
            return place.origin.startswith("http://127.0.0.1") and place.name == "Send"
        return any(name in e.name and (not role or e.role == role) for e in watch.look().elements)

    before = shop.asked.count("/sent")
    detail = asked_and_changed(watch, shop, ops.ClickElement(send.id), seen, change, there)
    assert "Changed since you said yes" in detail and said in detail
    assert shop.asked.count("/sent") == before


@pytest.mark.parametrize(("change", "said"), [
    ("document.getElementById('name').value='Mallory'", "what stands there is now “Mallory”, it was “Ann”"),
    ("document.getElementById('name').setAttribute('aria-label', 'Password of your bank')", "entry Password of your bank"),
    ("label.textContent='Password of your bank'", "Password of your bank"),
])  # fmt: skip
def test_enter_is_not_sent_into_another_field_or_text(
    watch: Watch, shop: Shop, change: str, said: str
) -> None:
    fresh_page(watch, shop)
    watch.go_to("entry", "Name")
    seen = watch.look()
    new = "Mallory" if "Mallory" in change else "Password of your bank"

    def there() -> bool:
        return any(new in (each.name, each.value) for each in watch.look().elements)

    detail = asked_and_changed(watch, shop, ops.KeyCombo(("enter",)), seen, change, there)
    assert "Changed since you said yes" in detail and said in detail


def test_what_stays_as_it_was_is_sent(watch: Watch, shop: Shop) -> None:
    fresh_page(watch, shop)
    send, seen = watch.element("push button", "Send")
    assert asked_and_changed(watch, shop, ops.ClickElement(send.id), seen, "document.title='(3) Another title'", lambda: shop.change == "") == ""  # fmt: skip


def fresh_page(watch: Watch, shop: Shop) -> None:
    """Bring the page back to how it was written."""
    path = f"/?{len(shop.asked)}"
    shop.change = f"location = 'http://localhost:{shop.port}{path}'; document.body.textContent = ''"
    until(lambda: path in shop.asked, "the page asked for anew")
    until(lambda: is_fresh(watch), "the page as it was")


def is_fresh(watch: Watch) -> bool:
    elements = watch.look().elements
    names = {each.name for each in elements}
    values = {each.value for each in elements if each.role == "entry" and each.name == "Name"}
    return {"Send this to Ann?", "Send", "Name"} <= names and values == {"Ann"}


def test_the_question_in_a_terminal_whose_text_cannot_be_read(display: Desk, tmp_path: Path) -> None:
    signal = tmp_path / "now"
    script = f"printf 'Keep it? [y/n] '; while [ ! -e {signal} ]; do sleep 0.05; done; printf '\\rDelete it all? [y/n] '; read x"
    display.launch("xterm", "-T", "shell", "-e", "sh", "-c", script, title="shell")
    watch = Watch(display)
    try:
        op, seen = ops.Type("y"), watch.look()
        rulings = list(watch.gate.plan((op,), seen, fresh=True))
        assert rulings[0].verdict.kind == "ask"
        watch.gate.keep_picture(rulings)
        watch.gate.begin(rulings, observation=seen)
        (segment,) = segments([op])
        kept = watch.gate._window
        assert kept is not None
        until(lambda: kept.still_shows(picture_of_focus(display.target)), "a window that stays as it is")
        signal.touch()
        until(lambda: not kept.still_shows(picture_of_focus(display.target)), "another question")
        assert "the window shows something else now" in watch.gate.refusal(segment, seen)[0].detail
    finally:
        watch.place.hands.close()
