"""Tools that language models may call: calculators, look-ups and the mechanics. Results are plain data."""
