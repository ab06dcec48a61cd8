"""The orchestrator: a deterministic program that leads agents through the six phases by fixed rules."""
