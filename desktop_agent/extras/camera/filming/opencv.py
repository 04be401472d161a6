"""Loads OpenCV where a camera is used; nothing else needs it."""

from __future__ import annotations

import importlib
from typing import Any

from desktop_agent.support import optional_package


def opencv() -> Any:
    """The module cv2. Raises ConfigError with advice where it is not installed."""
    optional_package.require("cv2", "the camera", "camera")
    cv2 = importlib.import_module("cv2")
    cv2.utils.logging.setLogLevel(
        cv2.utils.logging.LOG_LEVEL_ERROR
    )  # errors alone: each failed attempt to open a camera is told in our words
    return cv2
