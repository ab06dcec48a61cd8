"""A benchmark of situations that look impossible, with mechanics a program can check."""
