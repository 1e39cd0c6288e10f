"""The table ``discovery_source``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thalamus.records import DiscoverySource

if TYPE_CHECKING:
    from thalamus.store.reader import Reader

PLAIN = "SELECT * FROM discovery_source WHERE sensitivity <> 'personal' ORDER BY key"


def plain(reader: Reader) -> list[DiscoverySource]:
    """Sources that are not marked as personal."""
    return reader.read(DiscoverySource, PLAIN)
