"""Documents under audit: sources, Markdown parser, parts and essence."""
