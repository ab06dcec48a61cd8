"""GALILEO: maps insights to research, cites from the bibliography, and predicts performance."""
