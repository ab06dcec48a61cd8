"""Parts of answers that every form shares: the JSON object, verdicts, figures, waiting times and answers to puzzles."""
