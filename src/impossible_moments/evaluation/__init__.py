"""Evaluation: a model is shown scenarios, its answers are executed, and what cannot be executed is judged."""
