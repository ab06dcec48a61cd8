"""The parts of the three documents, rendered from the dossier and the computed results."""
