"""Judges: what they are asked, what of their verdicts counts, how several are settled into one, and what is kept of it."""
