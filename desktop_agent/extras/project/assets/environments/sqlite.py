"""A SQLite database of the project, data.db: each command is one SQL statement (BEGIN and COMMIT are, too)."""

import sqlite3

FILE = "data.db"  # made where it is not there
MOST_ROWS, MOST_TABLES, MOST_COUNTED, MOST_WIDE = 50, 20, 10_000, 60
database = sqlite3.connect(FILE, isolation_level=None)
# No file but this one; and a statement that takes too long is ended when it is interrupted.
database.set_authorizer(lambda action, name, *_: int(action == sqlite3.SQLITE_ATTACH and name != ""))
database.set_progress_handler(lambda: None, 10_000)


def run(command):
    """Carry out a statement; return its rows as a table, or how many it changed."""
    try:
        found = database.execute(command)
        rows = found.fetchmany(MOST_ROWS + 1)
    except (sqlite3.Error, sqlite3.Warning) as error:
        raise ValueError(error) from None
    if found.description is None:
        return f"rows changed: {found.rowcount}" if found.rowcount >= 0 else ""
    lines = [[column[0] for column in found.description], *rows[:MOST_ROWS]]
    table = "\n".join(" | ".join(str(value)[:MOST_WIDE] for value in line) for line in lines)
    return table + ("\n… more rows" if len(rows) > MOST_ROWS else f"\nrows: {len(rows)}")


def screen():
    """The tables, and how many rows each has."""
    names = database.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall()
    lines = [f"{FILE}: tables: {len(names)}{', in a transaction' if database.in_transaction else ''}"]
    for name in (each.replace('"', '""') for (each,) in names[:MOST_TABLES]):
        counted = f'SELECT count(*) FROM (SELECT 1 FROM "{name}" LIMIT {MOST_COUNTED})'
        count = database.execute(counted).fetchone()[0]
        lines.append(f"{name}: {count}{' or more' if count == MOST_COUNTED else ''} rows")
    return "\n".join(lines)
