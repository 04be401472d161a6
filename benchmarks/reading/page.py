"""A web page of about 450 accessible objects, all of them on one screen."""

from __future__ import annotations

from collections.abc import Iterator

TITLE = "Stock of the shop"
_STYLE = "body{font:11px sans-serif;margin:4px}td,th{padding:0 6px}li{display:inline;margin:0 4px}input{height:12px}"
_WORDS = ("Lamp", "Chair", "Rope", "Kettle", "Ladder", "Brush", "Hammer", "Basket", "Clock", "Mirror")


def page() -> str:
    """Links, a form and a table, as shops, offices and settings have them."""
    parts = [f"<title>{TITLE}</title><style>{_STYLE}</style><h1>{TITLE}</h1>"]
    parts += ["<ul>", *(f'<li><a href="#{n}">Section {n}</a></li>' for n in range(20)), "</ul>"]
    parts += ["<form>", *_fields(), "<button>Save all</button></form>"]
    parts += [
        "<table><tr>",
        *(f"<th>{head}</th>" for head in ("Name", "Place", "Price", "Stock", "Kept")),
        "</tr>",
    ]
    parts += [*_rows(28), "</table>"]
    return "".join(parts)


def _fields() -> Iterator[str]:
    for number, word in enumerate(_WORDS):
        yield f'<label>{word} <input value="{number}"></label> '
        yield f'<label><input type="checkbox">Show {word.lower()}</label> '


def _rows(count: int) -> Iterator[str]:
    for row in range(count):
        word = _WORDS[row % len(_WORDS)]
        yield f"<tr><td>{word} {row}</td><td>Shelf {row // 3}</td><td>{row * 7 + 3}.50</td><td>{row * 13 % 40}</td>"
        yield f'<td><input type="checkbox" aria-label="Keep {word} {row}"></td></tr>'
