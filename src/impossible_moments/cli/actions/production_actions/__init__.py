"""Actions of production: batches, workers, releases and the registry."""
