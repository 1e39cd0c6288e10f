"""Projects: names of projects, mentions of them, and lookup by name."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from thalamus.policy.injection import suspicious
from thalamus.text.analyzer import fold, words
from thalamus.text.lazy_regex import lazy_regex

if TYPE_CHECKING:
    from thalamus.records import Project

PROJECT = "project"  # metadata key of a turn: the id of the project that it belongs to
WORKS_ON = "current_project"  # predicate of facts that introduce a project
LONGEST_NAME = 60  # characters of a name in a message
SMALL = 3  # letters of an article or a preposition at most
MOST_SUGGESTIONS = 5  # suggested names for one that does not exist

_MARKED = lazy_regex(r"[\"“”„«‹「『]\s*([^\"“”«»‹›「」『』\n]+?)\s*[\"“”»›」』]")


def is_name(text: str, message: str) -> bool:
    """True if the text is a name rather than a description: it begins with a capital, not counting
    a small word before, or is in quotation marks in the message."""
    parts = text.split()
    if not parts or len(text) > LONGEST_NAME or suspicious(text):
        return False
    first = next((part for part in parts if len(part) > SMALL), parts[0])
    marked = {fold(found) for found in _MARKED.findall(message)}
    return parts[0][0].isupper() or first[0].isupper() or fold(text) in marked


def is_named(name: str, text: str, topic: str | None = None) -> bool:
    """True if a text or its topic has the name of a project. A name of one word must match exactly:
    it is often an everyday word as well."""
    if topic and fold(topic) == fold(name):
        return True
    wanted = words(name)
    if not wanted:
        return name in text
    if len(wanted) == 1:
        return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None
    tokens = words(text)
    return any(
        tokens[start : start + len(wanted)] == wanted
        for start in range(len(tokens) - len(wanted) + 1)
    )


def with_name(projects: Iterable[Project], wanted: str) -> list[Project]:
    """Projects with this name, in any case, or this id."""
    candidates = list(projects)
    named = [project for project in candidates if fold(project.name) == fold(wanted)]
    return named or [project for project in candidates if project.id == wanted]


def find_projects(projects: Iterable[Project], wanted: str) -> list[Project]:
    """Projects with this name, in any case, or id; otherwise those whose id or name starts with
    it."""
    candidates = list(projects)
    begins = [
        project
        for project in candidates
        if wanted
        and (project.stored_id.startswith(wanted) or fold(project.name).startswith(fold(wanted)))
    ]
    return with_name(candidates, wanted) or begins


def similar_names(projects: Sequence[Project], wanted: str) -> list[str]:
    """Suggestions for a name that does not exist: similar names, or else the latest."""
    names = {fold(project.name): project.name for project in projects}
    found = difflib.get_close_matches(fold(wanted), names, n=MOST_SUGGESTIONS, cutoff=0.5)
    parts = [name for name in names if fold(wanted) in name or name in fold(wanted)]
    chosen = list(dict.fromkeys([*found, *parts])) or list(reversed(names))
    return [names[name] for name in chosen[:MOST_SUGGESTIONS]]
