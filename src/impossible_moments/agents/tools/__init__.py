"""What a language model in a role may call: calculators, look-ups and the mechanics, each answer plain data."""
