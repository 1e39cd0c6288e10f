"""Thalamus: long-term memory for local language models.

``from thalamus import Thalamus`` is the Python API; the command line is ``thalamus``.
Names are loaded on first use, so that ``import thalamus`` costs nothing.
"""

from typing import TYPE_CHECKING, Any

from thalamus.version import VERSION as __version__

__all__ = ["Thalamus", "ThalamusEvents", "__version__"]

if TYPE_CHECKING:
    from thalamus.api import Thalamus
    from thalamus.events import ThalamusEvents


def __getattr__(name: str) -> Any:
    if name == "Thalamus":
        from thalamus.api import Thalamus

        return Thalamus
    if name == "ThalamusEvents":
        from thalamus.events import ThalamusEvents

        return ThalamusEvents
    raise AttributeError(f"module 'thalamus' has no attribute {name!r}")
