"""Agents of a fleet at a step a second each: what one takes of processor and memory, and what is lost with a node."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.lab import fleet_stand_in
from benchmarks.lab.ray_nodes import ray_nodes
from benchmarks.lab.waiting import until
from benchmarks.report import BenchmarkError, Figure, Goal, Report, counted, measured, report

NONE = Goal(0)
GOALS = 20
"""In the fleet of which a node is killed."""
