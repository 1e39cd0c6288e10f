"""Thalamus: long-term memory for local language models.

``from thalamus import Thalamus`` is the Python API; the command line is ``thalamus``.
Names are loaded on first use, so that ``import thalamus`` costs nothing.
"""

from typing import TYPE_CHECKING, Any

from thalamus.version import VERSION as __version__

__all__ = ["CancelToken", "Stage", "Thalamus", "ThalamusEvents", "__version__"]

if TYPE_CHECKING:
    from thalamus.api import Thalamus
    from thalamus.cancel import CancelToken
    from thalamus.events import ThalamusEvents
    from thalamus.turn_run import Stage

_PLACES = {
    "CancelToken": "thalamus.cancel",
    "Stage": "thalamus.turn_run",
    "Thalamus": "thalamus.api",
    "ThalamusEvents": "thalamus.events",
}


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module 'thalamus' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_PLACES[name]), name)
