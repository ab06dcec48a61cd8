"""The ledger: every answered ask, the state of every scenario and its runner, in one database."""
