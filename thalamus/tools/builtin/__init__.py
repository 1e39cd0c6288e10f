"""Built-in tools, one file per subject."""
