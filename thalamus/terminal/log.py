"""The log, on standard error or in a file."""

from __future__ import annotations

from pathlib import Path

from thalamus.files import PRIVATE


def start(level: str, file: str) -> None:
    """Logs from ``level`` on, to ``file`` if one is named. Without either, warnings go to standard
    error as they are."""
    import logging

    package, plain = logging.getLogger("thalamus"), logging.lastResort
    if plain is not None:
        package.removeHandler(plain)
    if level == "warning" and not file:
        if plain is not None:
            package.addHandler(plain)
        return

    from thalamus.logs import MadeVisible

    if file:
        Path(file).touch(mode=PRIVATE)  # it may quote what the store encrypts
    handler = logging.FileHandler(file, encoding="utf-8") if file else logging.StreamHandler()
    form = "%(asctime)s %(levelname)s %(name)s: %(message)s"
    handler.setFormatter(
        logging.Formatter(form if file else "thalamus: %(levelname)s: %(message)s")
    )
    handler.addFilter(MadeVisible())
    logging.basicConfig(level=level.upper(), handlers=[handler])
