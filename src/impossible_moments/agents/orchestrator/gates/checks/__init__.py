"""The checks behind the rows of the quality gates: each yields what is missing, as a note to an agent."""
