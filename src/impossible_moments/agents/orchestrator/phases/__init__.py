"""The six phases."""
