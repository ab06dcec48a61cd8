"""The agents: prompts, schemas, adapters, tools, the built-in cast and the orchestrator."""
