"""The checks behind the rows of the quality gates: each yields what is missing, in words for whoever must supply it."""
