"""Judging of answers by models: prompts, verdicts, aggregation of opinions, translation and caching."""
