"""Extraction of memories and facts from a message: a model proposes (``call``), code verifies
(``verify``)."""
