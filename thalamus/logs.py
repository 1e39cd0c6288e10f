"""Loggers of the package. Their messages may quote anything, which a terminal would obey. In a
program that sets up no logging nothing is printed: errors are raised, or reported as events."""

from __future__ import annotations

import logging

from thalamus.text.visible import visible


class MadeVisible(logging.Filter):
    """A filter that makes control characters in messages and tracebacks visible; for a logger, or
    for a handler of all."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = visible(record.getMessage()), None
        if record.exc_info and not record.exc_text:
            record.exc_text = visible(logging.Formatter().formatException(record.exc_info))
        return True


_MADE_VISIBLE = MadeVisible()
logging.getLogger("thalamus").addHandler(logging.NullHandler())


def logger(name: str) -> logging.Logger:
    """The logger of a module, whose messages are made visible for every handler."""
    found = logging.getLogger(name)
    found.addFilter(_MADE_VISIBLE)  # once, however often
    return found
