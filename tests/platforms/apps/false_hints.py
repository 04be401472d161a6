"""A coloured window that wants to be taken for the agent's hints, or for their bare desktop; writes its id to a file.

Arguments: `owner` (own the selection) or `floor` (stand in the property of the true hints), x y width height, the file.
"""

import signal
import struct
import sys
from pathlib import Path
from typing import Any

import xcffib
from xcffib.xproto import CW, PropMode, WindowClass

NAME = b"_DESKTOP_AGENT_HINTS"
COLOUR = 0x00AA55

kind, place, ready = sys.argv[1], tuple(map(int, sys.argv[2:6])), Path(sys.argv[6])
connection: Any = xcffib.connect()  # type: ignore[no-untyped-call]
core, root = connection.core, connection.get_setup().roots[0].root
atom = core.InternAtom(False, len(NAME), NAME).reply().atom
window = connection.generate_id()
attributes = CW.BackPixel | CW.OverrideRedirect
core.CreateWindow(0, window, root, *place, 0, WindowClass.InputOutput, 0, attributes, [COLOUR, 1])
core.MapWindow(window)
named = window if kind == "owner" else core.GetSelectionOwner(atom).reply().owner
window_type = core.InternAtom(False, 6, b"WINDOW").reply().atom
core.ChangeProperty(PropMode.Replace, named, atom, window_type, 32, 1, struct.pack("=I", window))
if kind == "owner":
    core.SetSelectionOwner(window, atom, xcffib.CurrentTime)
core.GetInputFocus().reply()  # all of it has been carried out
ready.write_text(str(window))
signal.pause()
