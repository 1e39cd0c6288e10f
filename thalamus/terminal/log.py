"""The log, on standard error or in a file."""

from __future__ import annotations

import logging

from thalamus.text.visible import visible


class _Visible(logging.Formatter):
    """A formatter for messages that may quote anything."""

    def format(self, record: logging.LogRecord) -> str:
        return visible(super().format(record))


def start(level: str, file: str) -> None:
    """Logs from ``level`` on, to ``file`` if one is named. Without either, warnings go to standard
    error."""
    if level == "warning" and not file:
        if logging.lastResort is not None:
            logging.lastResort.setFormatter(_Visible("%(message)s"))
        return
    handler = logging.FileHandler(file, encoding="utf-8") if file else logging.StreamHandler()
    form = "%(asctime)s %(levelname)s %(name)s: %(message)s"
    handler.setFormatter(_Visible(form if file else "thalamus: %(levelname)s: %(message)s"))
    logging.basicConfig(level=level.upper(), handlers=[handler])
