"""Data models of scenario creation: the deliverables of agents, each field labelled with its content."""
