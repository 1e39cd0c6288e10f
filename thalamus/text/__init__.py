"""Text as words, for rules and for indexes."""
