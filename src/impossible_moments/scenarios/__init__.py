"""Scenarios among each other: copies, repeated recipes and repeated ideas."""
