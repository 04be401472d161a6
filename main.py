"""Starts desktop-agent: `python main.py`."""

import sys

from desktop_agent.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
