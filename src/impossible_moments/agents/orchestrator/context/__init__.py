"""The parts of context isolation behind the context manager: matrix, budgets, summaries, status policies."""
