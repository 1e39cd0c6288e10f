"""Limits of a manifest's size, and its text."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, tzinfo

from msgspec import structs

from thalamus.policy.prompt_budget import estimate_tokens
from thalamus.records import Manifest, ManifestItem
from thalamus.text.local_time import local_day

TOKENS = 400  # of a manifest's text at most
TEXT = 120  # characters of each text in it
# maximum number of items
MOST = {
    "active_projects": 6,
    "goals": 6,
    "topics": 8,
    "memories": 5,
    "facts": 6,
    "sessions": 3,
    "documents": 4,
}


def fitted(manifest: Manifest) -> Manifest:
    """The manifest within its limits: the first items of each list, and then fewer of the longest
    lists until it fits."""
    lists = {name: list(getattr(manifest, name)[:most]) for name, most in MOST.items()}
    short = structs.replace(
        manifest,
        project=_cut(manifest.project),
        description=_cut(manifest.description),
        **{name: [_shortened(item) for item in items] for name, items in lists.items()},
    )
    while estimate_tokens("\n".join(manifest_lines(short))) > TOKENS:
        longest = max(MOST, key=lambda name: sum(map(_size, getattr(short, name))))
        if not getattr(short, longest):
            break
        short = structs.replace(short, **{longest: getattr(short, longest)[:-1]})
    return short


def manifest_lines(manifest: Manifest, zone: tzinfo = UTC) -> Iterator[str]:
    """Text lines of a manifest, with days in the user's time ``zone``."""
    status = f" ({manifest.status})" if manifest.status not in (None, "active") else ""
    about = f": {manifest.description}" if manifest.description else ""
    if manifest.project:
        yield f"Project: {manifest.project}{status}{about}"
    for name, label in (
        ("active_projects", "Other projects" if manifest.project else "Projects"),
        ("topics", "Topics"),
    ):
        if items := getattr(manifest, name):
            yield f"{label}: {', '.join(items)}"
    for goal in manifest.goals:
        yield f"Goal: {goal}"
    for label, found in (("Note", manifest.memories), ("Fact", manifest.facts)):
        for item in found:
            yield f"{label}: {item.text}"
    for item in manifest.sessions:
        yield f"Session {item.id}: {item.text}, last on {local_day(item.at, zone)}"
    for item in manifest.documents:
        yield f"Document: {item.text}"


def _cut(text: str | None) -> str | None:
    line = " ".join(text.split()) if text else None
    return f"{line[: TEXT - 1]}…" if line and len(line) > TEXT else line


def _shortened(item: str | ManifestItem) -> str | ManifestItem:
    if isinstance(item, str):
        return _cut(item) or ""
    return structs.replace(item, text=_cut(item.text) or "")


def _size(item: str | ManifestItem) -> int:
    return len(item if isinstance(item, str) else item.text)
