"""What acts: flows driven against the ledger, and the desk where humans answer."""
