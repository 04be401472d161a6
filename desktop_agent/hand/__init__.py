"""The only injector: controller, gestures, rate, ledger, and the guard beside it."""
