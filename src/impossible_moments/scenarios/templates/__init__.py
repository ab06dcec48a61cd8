"""Templates of the three documents, as the specification defines them; `$name` is a placeholder."""
