"""Tools: lookups and actions of a stage, and the loop in which a model calls them."""
