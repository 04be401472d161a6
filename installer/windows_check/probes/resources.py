"""What a packaged program says of itself before it is started: python -m …probes.resources PROGRAM.

Prints its version and how many icons it has; the exit code is 1 when either is missing.
Source: winver.h (version resources), shellapi.h (ExtractIconExW).
"""

from __future__ import annotations

import ctypes
import sys
from ctypes import wintypes
from typing import Any

_VERSION = r"\StringFileInfo\040904B0\ProductVersion"
"""In English, in UTF-16: as `desktop-agent.spec` writes it."""


def product_version(program: str) -> str:
    """The version in a program's resources, "" where there is none."""
    library: Any = ctypes.WinDLL("version")  # type: ignore[attr-defined,unused-ignore]
    size = library.GetFileVersionInfoSizeW(program, None)
    data, found, length = ctypes.create_string_buffer(size or 1), ctypes.c_wchar_p(), wintypes.UINT()
    told = library.GetFileVersionInfoW(program, 0, size, data)
    if not told or not library.VerQueryValueW(data, _VERSION, ctypes.byref(found), ctypes.byref(length)):
        return ""
    return found.value or ""


def icons(program: str) -> int:
    """How many icons its resources hold; Windows shows the first."""
    shell: Any = ctypes.WinDLL("shell32")  # type: ignore[attr-defined,unused-ignore]
    return int(shell.ExtractIconExW(program, -1, None, None, 0))


def main(program: str) -> int:
    version, pictures = product_version(program), icons(program)
    print(f"version {version or 'missing'}, {pictures} icon")
    return 0 if version and pictures else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
