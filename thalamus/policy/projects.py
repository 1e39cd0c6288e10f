"""Projects: what is the name of one, what names one, and the one that is meant."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from thalamus.policy.entities import fold
from thalamus.policy.injection import suspicious
from thalamus.text.tokens import words

if TYPE_CHECKING:
    from thalamus.records import Project

LONGEST_NAME = 60  # characters of a name that a message gives
SMALL = 3  # letters of an article or a preposition, at most
MOST_NEAR = 5  # names that are proposed for one that there is not

_MARKED = re.compile(r"[\"“”„«‹「『]\s*([^\"“”«»‹›「」『』\n]+?)\s*[\"“”»›」』]")


def is_name(text: str, message: str) -> bool:
    """Whether what the user works on is called so, and not only described: it begins with a
    capital, but for a small word before that, or stands between quotation marks in the message."""
    parts = text.split()
    if not parts or len(text) > LONGEST_NAME or suspicious(text):
        return False
    first = next((part for part in parts if len(part) > SMALL), parts[0])
    marked = {fold(found) for found in _MARKED.findall(message)}
    return parts[0][0].isupper() or first[0].isupper() or fold(text) in marked


def is_named(project: Project, text: str, topic: str | None = None) -> bool:
    """Whether a text, or its topic, names a project. A name of one word has to stand there as it is
    written: it is often a word of every day too."""
    if topic and fold(topic) == fold(project.name):
        return True
    wanted = words(project.name)
    if not wanted:
        return project.name in text
    if len(wanted) == 1:
        return re.search(rf"(?<!\w){re.escape(project.name)}(?!\w)", text) is not None
    said = words(text)
    return any(
        said[start : start + len(wanted)] == wanted for start in range(len(said) - len(wanted) + 1)
    )


def meant(projects: Iterable[Project], wanted: str) -> list[Project]:
    """The projects with this name, whatever its case, or with this id; else those whose id or name
    begins so."""
    there = list(projects)
    named = [project for project in there if fold(project.name) == fold(wanted)]
    if named:
        return named
    by_id = [project for project in there if project.id == wanted]
    begins = [
        project
        for project in there
        if wanted
        and ((project.id or "").startswith(wanted) or fold(project.name).startswith(fold(wanted)))
    ]
    return by_id or begins


def near(projects: Sequence[Project], wanted: str) -> list[str]:
    """The names that somebody may have meant: those like it, else the last ones."""
    names = {fold(project.name): project.name for project in projects}
    found = difflib.get_close_matches(fold(wanted), names, n=MOST_NEAR, cutoff=0.5)
    parts = [name for name in names if fold(wanted) in name or name in fold(wanted)]
    chosen = list(dict.fromkeys([*found, *parts])) or list(reversed(names))
    return [names[name] for name in chosen[:MOST_NEAR]]
