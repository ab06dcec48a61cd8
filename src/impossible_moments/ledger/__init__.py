"""The ledger: every answered ask, the state of every scenario and who runs it, in one database."""
