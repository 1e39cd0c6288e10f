"""Features: folders of the package that bring commands and formats, and can be deleted.

Nothing else imports them. Each says what it brings in ``FEATURE`` of its package, by name: the
modules are imported when they are used.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

FEATURES = ("agents",)


class Feature(Struct, frozen=True):
    """A feature. ``commands``: by section and name, the summary and the module of each;
    ``examples``: of these commands; ``formats``: those that `import --from` takes besides, read by
    the ``importer``; ``exports``: functions of what `export` writes besides. These are named as
    ``module:attribute``."""

    commands: Mapping[str, Mapping[str, tuple[str, str]]] = {}
    examples: str = ""
    formats: tuple[str, ...] = ()
    importer: str = ""
    exports: Mapping[str, str] = {}


@functools.cache
def features() -> tuple[Feature, ...]:
    """The features that are there."""
    found = []
    for name in FEATURES:
        package = f"{__package__}.{name}"
        try:
            found.append(importlib.import_module(package).FEATURE)
        except ModuleNotFoundError as error:
            if error.name != package:
                raise
    return tuple(found)


def load(reference: str) -> Any:
    """The attribute that ``module:attribute`` names."""
    module, _, name = reference.partition(":")
    return getattr(importlib.import_module(module), name)


def exporter(name: str) -> Any:
    """The function that exports in this form; None if its feature is not there."""
    found = (feature.exports[name] for feature in features() if name in feature.exports)
    reference = next(found, None)
    return load(reference) if reference is not None else None


def importers() -> dict[str, Any]:
    """The importers (``transfer.foreign.importing.SourceImporter``) by format; they are loaded
    here."""
    return {format: load(feature.importer) for feature in features() for format in feature.formats}
