"""The cast and the orchestrator that leads it."""
