"""The reference executor: a simple and slow second implementation of plan execution."""

from impossible_moments.evaluation.reference_executor.plan_replay import ReplayOutcome, replay_plan

__all__ = ["ReplayOutcome", "replay_plan"]
