"""NEWTON: holds what is stated against what things and people are. It searches and proves nothing."""
