"""The outcome of an answer by the status of its scenario, as the framework's rubrics give it; all of it without a judge."""
