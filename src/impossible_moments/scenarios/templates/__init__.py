"""The forms of the three documents, as the specification writes them; `$name` is a place to be filled."""
