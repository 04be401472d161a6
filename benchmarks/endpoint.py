"""Requests to the console and to the endpoint that should not be accepted and were; and how soon a key is shown there."""

from __future__ import annotations

from benchmarks.endpoint_parts.console_grid import grid
from benchmarks.endpoint_parts.key_latency import key_to_pixels
from benchmarks.endpoint_parts.typed_grid import typed_grid
from benchmarks.report import Goal, Report, counted, measured, report

_FEW, _ALL = 4, 100
_KEYS, _FEW_KEYS = 400, 200


def run(quick: bool) -> Report:
    """Every method and route with every two parts, the third being the rightful one; --quick takes the first few of each part."""
    most = _FEW if quick else _ALL
    found, typed = grid(most), typed_grid(most)
    shown = key_to_pixels(_FEW_KEYS if quick else _KEYS)
    return report(
        "endpoint",
        counted("console: accepted and should not be", len(found.accepted), found.asked, "requests", Goal(0)),
        counted(
            "console: answered with an error of its own", len(found.broken), found.asked, "requests", Goal(0)
        ),
        counted("console: changed by them", found.changed, found.asked, "things", Goal(0)),
        counted("console: the page's own, refused", len(found.refused), found.rightful, "requests", Goal(0)),
        counted(
            "endpoint: accepted and should not be", len(typed.accepted), typed.asked, "requests", Goal(0)
        ),
        counted(
            "endpoint: answered with an error of its own", len(typed.broken), typed.asked, "requests", Goal(0)
        ),
        counted("endpoint: typed by them", typed.mistyped, typed.asked, "bytes", Goal(0)),
        counted("endpoint: rightful, refused", len(typed.refused), typed.rightful, "requests", Goal(0)),
        measured("endpoint: key sent until shown", shown.apart, "ms", Goal(20)),
        measured("endpoint: each when the last is shown", shown.at_once, "ms", Goal(20)),
        notes=[
            *(
                each
                for one in (found, typed)
                for each in (*one.accepted[:20], *one.broken[:5], *one.refused[:20])
            ),
        ],
    )
