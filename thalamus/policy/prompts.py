"""Filling of prompt templates: ``<<TOKEN>>`` placeholders, and fences around text that is only
data."""

from __future__ import annotations

import re
from collections.abc import Mapping

from thalamus.errors import PromptError
from thalamus.text.lazy_regex import lazy_regex

# tokens that each template may use, and those that it must use
TOKENS: dict[str, frozenset[str]] = {
    "answer": frozenset({"PERSONA", "PROFILE"}),
    "brief": frozenset({"PERSONA", "PROFILE"}),
    "small_talk": frozenset({"PERSONA", "MESSAGE"}),
    "small_request": frozenset({"PERSONA", "MESSAGE"}),
    "small_recall": frozenset({"PERSONA", "MESSAGE"}),
    "small_unknown": frozenset({"PERSONA", "MESSAGE"}),
    "asks": frozenset({"USER_MESSAGE"}),
    "profile": frozenset({"LINES"}),
    "earlier": frozenset({"LINES"}),
    "message": frozenset({"NOW", "MEMORIES", "USER_MESSAGE"}),
    "reflect": frozenset({"TODAY", "BEFORE", "KNOWN", "USER_MESSAGE", "TYPES"}),
    "several": frozenset(),
    "activity": frozenset({"TODAY", "AGENT", "ACTIVITY"}),
    "keep": frozenset({"SENTENCE"}),
    "verify": frozenset({"USER_MESSAGE", "CLAIM"}),
    "verify_all": frozenset({"USER_MESSAGE", "CLAIMS"}),
    "known": frozenset({"NOTES", "USER_MESSAGE"}),
    "plan": frozenset({"NOW", "KNOWN", "USER_MESSAGE", "ASSISTANT_ANSWER"}),
    "summary": frozenset({"TITLE", "DOCUMENT"}),
    "condense": frozenset({"SUBJECT", "NOTES"}),
    "route": frozenset({"CONTEXT", "USER_MESSAGE"}),
    "gather": frozenset({"TOOLS", "NOTES", "USER_MESSAGE"}),
    "act": frozenset({"TODAY", "TOOLS", "WORLD", "USER_MESSAGE"}),
    "topics": frozenset({"USER_MESSAGE", "ASSISTANT_ANSWER"}),
    "crystallize": frozenset({"ABOUT", "NOTES"}),
    "join": frozenset({"NOTES"}),
    "generalize": frozenset({"ABOUT", "NOTES"}),
    "draft": frozenset({"USER_MESSAGE"}),
    "search_plan": frozenset({"BEFORE", "USER_MESSAGE", "DRAFT"}),
    "drafted": frozenset({"DRAFT", "MESSAGE"}),
}
REQUIRED: dict[str, frozenset[str]] = {
    "answer": frozenset(),
    "brief": frozenset(),
    "small_talk": frozenset({"MESSAGE"}),
    "small_request": frozenset({"MESSAGE"}),
    "small_recall": frozenset({"MESSAGE"}),
    "small_unknown": frozenset({"MESSAGE"}),
    "asks": frozenset({"USER_MESSAGE"}),
    "profile": frozenset({"LINES"}),
    "earlier": frozenset({"LINES"}),
    "message": frozenset({"MEMORIES", "USER_MESSAGE"}),
    "reflect": frozenset({"USER_MESSAGE"}),
    "several": frozenset(),
    "activity": frozenset({"AGENT", "ACTIVITY"}),
    "keep": frozenset({"SENTENCE"}),
    "verify": frozenset({"USER_MESSAGE", "CLAIM"}),
    "verify_all": frozenset({"USER_MESSAGE", "CLAIMS"}),
    "known": frozenset({"NOTES", "USER_MESSAGE"}),
    "plan": frozenset({"USER_MESSAGE"}),
    "summary": frozenset({"DOCUMENT"}),
    "condense": frozenset({"NOTES"}),
    "route": frozenset({"USER_MESSAGE"}),
    "gather": frozenset({"NOTES", "USER_MESSAGE"}),
    "act": frozenset({"USER_MESSAGE"}),
    "topics": frozenset({"USER_MESSAGE"}),
    "crystallize": frozenset({"NOTES"}),
    "join": frozenset({"NOTES"}),
    "generalize": frozenset({"ABOUT", "NOTES"}),
    "draft": frozenset({"USER_MESSAGE"}),
    "search_plan": frozenset({"USER_MESSAGE"}),
    "drafted": frozenset({"DRAFT", "MESSAGE"}),
}

_TOKEN = lazy_regex(r"<<([A-Za-z_][A-Za-z0-9_]*)>>")
_TURN = lazy_regex(r"^###\s+(user|assistant)\s*$\n?", re.MULTILINE)
_FENCE = lazy_regex(
    r"<(/?\s*(?:before|known|user_message|assistant_answer|assistant_before|claim|memories|persona|profile|earlier|document|notes|tool_result|draft)\b)",
    re.IGNORECASE,
)


def check(name: str, template: str) -> None:
    """Raises ``PromptError`` for an unknown token or a missing required one."""
    used = set(_TOKEN.findall(template))
    unknown = sorted(used - TOKENS[name])
    if unknown:
        known = ", ".join(f"<<{token}>>" for token in sorted(TOKENS[name]))
        raise PromptError(name, f"unknown token <<{unknown[0]}>> (choose {known})")
    missing = sorted(REQUIRED[name] - used)
    if missing:
        raise PromptError(name, f"<<{missing[0]}>> is missing")


def fill(name: str, template: str, values: Mapping[str, str]) -> str:
    """The template with its tokens replaced in a single pass: values are not expanded."""
    check(name, template)
    return _filled(name, template, values)


def _filled(name: str, template: str, values: Mapping[str, str]) -> str:
    """Part of a checked template with its tokens replaced. Raises ``PromptError`` for a token
    without a value."""
    if "<<" not in template:
        return template.strip()
    unresolved = sorted(set(_TOKEN.findall(template)) - set(values))
    if unresolved:
        raise PromptError(name, f"no value for <<{unresolved[0]}>>")
    empty = re.compile("|".join(rf"^<<{name}>>\n\n" for name, value in values.items() if not value))
    if empty.pattern:  # a paragraph that would be empty is removed with its blank line
        template = re.sub(empty.pattern, "", template, flags=re.MULTILINE)
    return _TOKEN.sub(lambda match: values[match.group(1)], template).strip()


def dialogue(name: str, template: str, values: Mapping[str, str]) -> list[tuple[str, str]]:
    """The filled template as (role, content) of chat messages. Lines ``### user`` and ``###
    assistant`` start a message; the text before the first is the system message. It is split before
    it is filled, so that no value can start a message."""
    check(name, template)
    parts = _TURN.split(template)
    found = [("system", parts[0])] if parts[0].strip() else []
    found += zip(parts[1::2], parts[2::2], strict=True)
    if len(parts) == 1:
        found = [("user", template)]
    return [(role, _filled(name, text, values)) for role, text in found]


def fence(text: str) -> str:
    """Text with the tags that fence off data escaped."""
    return _FENCE.sub(r"‹\1", text)
