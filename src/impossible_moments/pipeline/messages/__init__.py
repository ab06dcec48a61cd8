"""Messages of a run: what the orchestrator and the agents send each other, built, split and kept in the ledger."""
