"""A printed statement."""


def money(cents):
    sign = "-" if cents < 0 else ""
    return "%s%d.%02d" % (sign, abs(cents) // 100, abs(cents) % 100)


def statement(account):
    lines = ["Account " + account.name]
    for entry in account.ledger.of(account.name):
        lines.append("%-10s %10s" % (entry.note, money(entry.cents)))
    lines.append("%-10s %10s" % ("balance", money(account.ledger.balance_of(account.name))))
    return "\n".join(lines)
