"""Runs of models on scenarios: prompts, respondents, answer collection, built-in baselines and cost estimates."""
