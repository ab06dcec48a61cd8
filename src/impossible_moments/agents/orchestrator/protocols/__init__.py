"""The protocols by which disputes are resolved."""
