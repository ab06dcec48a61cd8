"""Breakthroughs: from an answer to an open question to a panel of experts, and the log of all of it."""
