"""GALILEO: maps what must be seen to what has been studied, cites from the bibliography, and predicts."""
