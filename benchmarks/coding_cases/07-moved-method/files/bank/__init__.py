from .account import Account
from .ledger import Entry, Ledger
from .statement import statement

__all__ = ["Account", "Entry", "Ledger", "statement"]
