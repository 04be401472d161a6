"""Types with pynput what comes in lines of JSON; answers each with the seconds it took, or with what went wrong."""

import json
import sys
import time

from pynput.keyboard import Controller

keyboard = Controller()
for line in sys.stdin:
    began = time.monotonic()
    try:
        keyboard.type(json.loads(line))
        answer = time.monotonic() - began
    except Exception as error:  # noqa: BLE001 - to be told, not to be handled
        answer = f"{type(error).__name__}: {error}"
    print(json.dumps(answer), flush=True)
