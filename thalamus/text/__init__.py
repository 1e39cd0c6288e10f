"""Reading text as words, for rules and for indexes alike."""
