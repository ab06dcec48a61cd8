"""Evaluation: models answer scenarios, answers are executed, and judges score the rest."""
