"""Reports on evaluations: their contents as data, and renderers for HTML and Markdown."""
