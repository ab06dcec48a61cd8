"""The nouns of scenario creation: what agents hand in, each field labelled with what it reveals."""
