"""Output helpers of the `im` commands: formatting, tables and summaries."""
