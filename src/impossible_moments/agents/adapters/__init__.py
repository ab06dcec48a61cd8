"""Adapters that answer asks with a recording, the built-in cast or language models."""
