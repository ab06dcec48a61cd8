"""Uncertain worlds: hidden states with probabilities, noisy tests, acts that cannot be undone, and exact optima."""
