"""Memory of this machine."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path

_GROUP = Path("/sys/fs/cgroup")  # of a container


def free_memory() -> int | None:
    """Bytes that a program can still get, or half of the whole memory where that is not known; None
    if nothing is."""
    found: int | None = None
    with suppress(OSError, TypeError, IndexError):
        text = Path("/proc/meminfo").read_text()
        found = 1024 * int(re.findall(r"^MemAvailable:\s*(\d+) kB", text, re.MULTILINE)[0])
    with suppress(OSError, ValueError, AttributeError):
        if found is None:
            found = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    with suppress(OSError, ValueError):  # unlimited, or no such file
        most = int((_GROUP / "memory.max").read_text())
        used = int((_GROUP / "memory.current").read_text())
        statistics = (_GROUP / "memory.stat").read_text().split()
        cached = int(statistics[statistics.index("file") + 1])
        found = min(most - used + cached, most if found is None else found)
    return found
