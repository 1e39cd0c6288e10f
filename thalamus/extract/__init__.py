"""What is worth keeping of a message: a model proposes (``call``), code verifies (``verify``)."""
