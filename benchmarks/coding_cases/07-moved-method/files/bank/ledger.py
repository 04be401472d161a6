"""The ledger: every entry of every account, in order."""


class Entry:
    def __init__(self, account, cents, note=""):
        self.account = account
        self.cents = cents
        self.note = note


class Ledger:
    def __init__(self):
        self.entries = []

    def book(self, account, cents, note=""):
        entry = Entry(account, cents, note)
        self.entries.append(entry)
        return entry

    def of(self, account):
        return [entry for entry in self.entries if entry.account == account]
