"""Asks web servers that are allowed: `GET URL`, or `POST URL` with the body in the lines below it."""

import urllib.error
import urllib.request
from urllib.parse import urlsplit

ALLOWED = ()  # as in ("api.example.org", "127.0.0.1:8000"); the project's sandbox has to allow them, too
MOST, last = 8_000, ["Nothing was asked yet."]  # bytes that are told


class Redirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, request, file, code, message, headers, url):
        return super().redirect_request(request, file, code, message, headers, allowed(url))


def run(command):
    method, _, rest = command.strip().partition(" ")
    url, _, body = rest.partition("\n")
    if method not in ("GET", "POST"):
        raise ValueError("Say GET URL, or POST URL with the body in the lines below it.")
    kind = {"Content-Type": "application/json"} if body.startswith(("{", "[")) else {}
    request = urllib.request.Request(allowed(url), body.encode() if method == "POST" else None, kind)
    try:
        answer = urllib.request.build_opener(Redirects).open(request, timeout=30)
    except urllib.error.HTTPError as error:  # 404 and the like
        answer = error
    text = answer.read(MOST).decode(answer.headers.get_content_charset("utf-8"), "replace")
    more = f"\n… cut after {MOST} bytes" if answer.read(1) else ""
    last[0] = f"{answer.status} {answer.reason} {answer.url}"
    return f"{last[0]}\n{str(answer.headers)[:2_000].strip()}\n\n{text}{more}"


def screen():
    return f"Allowed: {', '.join(ALLOWED) or 'no server'}\nLast: {last[0]}"


def allowed(url):
    if urlsplit(url).scheme not in ("http", "https") or urlsplit(url).netloc not in ALLOWED:
        raise ValueError(f"{url[:200]} is refused: its server is not in ALLOWED, at the top of this module.")
    return url
