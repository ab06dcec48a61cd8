"""Solving: scenarios answered from their public text alone, by somebody who knows the world and never saw the record."""
