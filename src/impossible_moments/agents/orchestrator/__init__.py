"""The orchestrator: a deterministic program. It has no opinions; it has rules."""
