"""The spell check: an English dictionary with its affix rules, and British forms by rule."""
