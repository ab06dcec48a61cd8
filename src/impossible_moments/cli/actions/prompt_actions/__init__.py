"""Actions of `im prompts`: list, compare and try prompts."""
