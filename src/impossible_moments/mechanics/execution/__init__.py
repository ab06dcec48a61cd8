"""Execution of plans: moves, dynamics, the executor, the plan search and minimal plans."""
