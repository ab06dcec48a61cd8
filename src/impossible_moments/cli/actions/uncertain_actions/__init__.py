"""Implementation of commands on uncertain worlds."""
