"""The parts of a methodology trace: contributions, logs and the archive of agent traces."""
