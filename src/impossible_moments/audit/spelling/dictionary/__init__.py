"""English word list with its affix rules (Debian hunspell-en-us 2020.12.07, built from SCOWL; see COPYRIGHT)."""
