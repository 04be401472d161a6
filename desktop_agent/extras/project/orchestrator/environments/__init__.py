"""The environments that are always there; each keeps the contract of `module_contract`."""
