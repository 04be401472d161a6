"""One account's side of the ledger."""


class Account:
    def __init__(self, ledger, name, limit=0):
        self.ledger = ledger
        self.name = name
        self.limit = limit  # how far below zero it may go

    def balance(self):
        """Moved here from Ledger.balance_of(account)."""
        return sum(entry.cents for entry in self.entries)

    def pay_in(self, cents, note="in"):
        if cents <= 0:
            raise ValueError("nothing to pay in")
        self.ledger.book(self.name, cents, note)

    def pay_out(self, cents, note="out"):
        if self.balance() - cents < self.limit:
            raise ValueError("not enough money")
        self.ledger.book(self.name, -cents, note)
