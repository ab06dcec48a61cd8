"""The parts of the three documents, each made from the dossier and from what the mechanics compute."""
