"""The hand process: checks each input event (bounds, rate, stop, ledger) and injects it."""
