"""The runtime: drives flows with the ledger, and holds the desk where humans answer."""
