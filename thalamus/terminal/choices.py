"""Filter values that no stored entry has."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from thalamus.errors import UsageError
from thalamus.terminal.lines import one_line
from thalamus.text.analyzer import fold

if TYPE_CHECKING:
    from thalamus.api import Thalamus

NAMED = 20  # choices named for an unknown value


def unknown(problem: str, value: str, choices: Iterable[str]) -> str:
    """``No memory has the topic 'gardn' (choose garden, tea).``"""
    known = [one_line(choice) for choice in choices]
    if not known:
        return f"{problem} {value!r}."
    more = " …" if len(known) > NAMED else ""
    return f"{problem} {value!r} (choose {', '.join(known[:NAMED])}{more})."


def unknown_topic(thalamus: Thalamus, topic: str | None, redacted: bool = False) -> str:
    """Message that no memory has a topic, with the existing ones; empty if one has it, and if it is
    ``redacted``: a topic that is not shown must not be confirmed."""
    from thalamus.memory.views.counts import memory_topics

    topics = memory_topics(thalamus.database, thalamus.user) if topic and not redacted else {}
    if not topic or redacted or fold(topic) in map(fold, topics):
        return ""
    return unknown("No memory has the topic", topic, topics)


def metadata_pairs(given: Iterable[str] | None, redacted: bool) -> tuple[tuple[str, str], ...]:
    """The keys and values of ``KEY=VALUE`` options. Raises ``UsageError`` for another form, and in
    a ``redacted`` view, which does not show them."""
    pairs = [one.partition("=") for one in given or ()]
    if pairs and redacted:
        raise UsageError("--metadata and --redacted cannot be combined.")
    for key, equals, value in pairs:
        if not (key and equals and value) or {'"', "\\"} & {*key}:
            raise UsageError(f"--metadata {key}{equals}{value} is not KEY=VALUE.")
    return tuple((key, value) for key, _, value in pairs)


def check_types(
    thalamus: Thalamus, types: Iterable[str] | None, redacted: bool = False
) -> tuple[str, ...]:
    """The types given with ``--type``. Raises ``UsageError`` for one without memories and without a
    retention rule, which names the types that there are; if ``redacted``, for one that a redacted
    view masks and that has no rule, whether memories have it or not."""
    given = tuple(types or ())
    if given:
        from thalamus.memory.redaction import SHOWN_TYPES
        from thalamus.memory.views.counts import memory_types

        used = SHOWN_TYPES if redacted else memory_types(thalamus.database, thalamus.user)
        known = dict.fromkeys((*used, *(name for name in thalamus.rules if name != "default")))
        for type in given:
            if type not in known:
                raise UsageError(unknown("invalid --type", type, known).rstrip("."))
    return given
