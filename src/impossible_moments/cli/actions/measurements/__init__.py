"""Actions that measure difficulty and reach."""
