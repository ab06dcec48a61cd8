"""The reference executor: a simple and slow second implementation of plan execution."""
