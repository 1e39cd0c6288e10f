"""Tools: what a stage may look up or do besides its own work, and how a model calls them."""
