"""A page of a headless Chromium, asked over a pipe. A file whose name begins with _ is shared, and no environment."""

import json
import subprocess

# No sandbox of Chromium's own: the project's leaves no room for one. JSON goes through 3 and 4, NUL at its end.
START = """exec chromium --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run \
--remote-debugging-pipe --user-data-dir="$(mktemp -d)" 3<&0 4>&1 </dev/null >/dev/null 2>&1"""
LOADS = {
    "Page.frameRequestedNavigation": True,
    "Page.frameStartedLoading": True,
    "Page.frameStoppedLoading": False,
}


class Page:
    def __init__(self):
        self.number, self.unread, self.loading, self.session = 0, b"", False, {}
        self.browser = subprocess.Popen(["sh", "-c", START], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.frame = self.ask("Target.createTarget", url="about:blank")["targetId"]
        attached = self.ask("Target.attachToTarget", targetId=self.frame, flatten=True)
        self.session = {"sessionId": attached["sessionId"]}
        self.ask("Page.enable")

    def evaluate(self, code):
        """The value of JavaScript code. Raises ValueError with what the code throws."""
        found = self.ask("Runtime.evaluate", expression=code, returnByValue=True)
        if "exceptionDetails" in found:
            raise ValueError(found["exceptionDetails"]["exception"]["description"].splitlines()[0])
        return found["result"].get("value")

    def ask(self, method, **values):
        """What is answered, once nothing is being loaded any more."""
        number, found = self.send(method, values), None
        while found is None or self.loading:
            message = self.receive()
            found = message if message.get("id") == number else found
        if "error" in found:
            raise ValueError(found["error"]["message"])
        return found["result"]

    def send(self, method, values):
        self.number += 1
        message = {"id": self.number, "method": method, "params": values, **self.session}
        try:
            self.browser.stdin.write(json.dumps(message).encode() + b"\0")
            self.browser.stdin.flush()
        except OSError:
            self.end()
        return self.number

    def end(self):
        """The next command gets a new page."""
        pages.clear()
        raise ValueError("Chromium ended, or there is no `chromium` to start.")

    def receive(self):
        while b"\0" not in self.unread:
            data = self.browser.stdout.read1(1 << 16)
            if not data:
                self.end()
            self.unread += data
        data, _, self.unread = self.unread.partition(b"\0")
        message = json.loads(data)
        event, values = message.get("method"), message.get("params", {})
        if event in LOADS and values["frameId"] == self.frame:
            self.loading = LOADS[event] and values.get("disposition", "currentTab") == "currentTab"
        elif event == "Page.javascriptDialogOpening":
            self.send("Page.handleJavaScriptDialog", {"accept": values["type"] == "beforeunload"})
        return message


pages = []


def page():
    """The page; a new one where there is none, or its Chromium has ended."""
    if not pages or pages[0].browser.poll() is not None:
        pages[:] = [Page()]
    return pages[0]
