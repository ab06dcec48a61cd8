"""Language models: how one is named, reached, paid, paced and asked. The only door to pydantic-ai."""
