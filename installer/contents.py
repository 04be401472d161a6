"""What goes into the packaged Windows program, and what stays out."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "desktop_agent"

LOADED_BY_NAME = (
    "keyring.backends.Windows", "win32ctypes.core.ctypes", "comtypes", "comtypes.automation", "comtypes.client",
    "comtypes.persist", "comtypes.stream", "comtypes.typeinfo",
)  # fmt: skip
"""Modules of others that nobody imports by a statement; comtypes writes modules that import the rest of it."""

OPTIONAL = ("torch", "xllamacpp", "av", "cv2", "tree_sitter", "psutil")
"""What the program loads by name where the user has installed it, which nobody can in here."""

EXCLUDED = (
    # what only builds, tests and interactive use need
    "tkinter", "unittest", "doctest", "pydoc", "test", "setuptools", "pip", "pytest", "_pytest", "hypothesis",
    "pygments", "rich", "colorama", "IPython",
    # Qt beyond the window
    "PySide6.QtNetwork", "PySide6.QtQml", "PySide6.QtQuick", "PySide6.QtOpenGL", "PySide6.QtTest", "PySide6.QtSql",
    "PySide6.QtDesigner", "PySide6.QtHelp", "PySide6.QtConcurrent", "PySide6.QtPrintSupport", "PySide6.QtDBus",
    # numpy and pillow beyond arrays, drawing and PNG
    "numpy.random", "numpy.polynomial", "numpy.testing", "numpy.f2py", "numpy.ctypeslib",
    "numpy._core._multiarray_tests", "PIL._avif", "PIL._webp", "PIL._imagingcms", "PIL._imagingtk", "PIL.ImageTk",
    "PIL.ImageQt", "PIL.ImageShow",
    # other systems' desktops and key stores
    "xcffib", "cffi", "pycparser", "jeepney", "secretstorage", "cryptography", "dbus", "gi",
)  # fmt: skip
"""Modules that the program never imports on Windows (tests/installer holds that)."""

_UNUSED = re.compile(
    r"opengl32sw|d3dcompiler|Qt6(?:Network|Quick|Qml|OpenGL|Pdf|Virtual|Sql|Test|Designer|Help|Concurrent|DBus|PrintSupport)"
    r"|PySide6/(?:translations|qml)/"
    r"|plugins/(?:sqldrivers|tls|networkinformation|generic|printsupport|styles|platforminputcontexts)/"
    r"|plugins/platforms/(?!qwindows\.|qoffscreen\.)"
    r"|plugins/imageformats/(?!qjpeg|qsvg|qico)"
    r"|^assets/readme/",
    re.I,
)


def is_unused(path: str) -> bool:
    """True for a file below the program's folder that nothing in it opens; the window uses a part of Qt only."""
    return _UNUSED.search(path.replace("\\", "/")) is not None


def modules() -> list[str]:
    """Every module of the program, sorted: plugins are found by their file names, nothing imports them by a
    statement. Python files among the assets are data."""
    files = (ROOT / PACKAGE).rglob("*.py")
    return sorted(_name(path) for path in files if "assets" not in path.relative_to(ROOT).parts)


def _name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def version() -> str:
    """The program's version, as in "0.2.0"."""
    text = (ROOT / PACKAGE / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r'__version__ = "(.+?)"', text)
    if found is None:
        raise ValueError(f"{PACKAGE}/__init__.py says no __version__")
    return found[1]
