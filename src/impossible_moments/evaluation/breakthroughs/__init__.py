"""Breakthroughs: candidate answers to open questions, their review by experts, and the log of events."""
