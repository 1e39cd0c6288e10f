"""A model's proposals of what to keep: the schema of its reply and the tolerant parser.

One bad item never costs the whole reply. An item without a quote or with the wrong type of text is
dropped; an unknown type, importance or date falls back to a default.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from msgspec import Struct

from thalamus.policy.json_schema import object_schema
from thalamus.policy.reply_parsing import MEMORY_TYPES, ReplyError, load_json, unwrapped
from thalamus.records import IMPORTANCES, Importance, Sensitivity

MOST = 12  # items of each list
LONGEST_CONTENT = 400  # characters
LONGEST_NAME = 120  # characters of a subject or an object
LONGEST_QUOTE = 1000  # characters

Item = TypeVar("Item")


class Proposed(Struct, frozen=True, kw_only=True):
    """Fields that memories and facts share. ``replaces`` is the id of a known item."""

    quote: str
    valid_from: str | None = None
    valid_to: str | None = None
    replaces: str | None = None
    sensitivity: Sensitivity = "normal"


class ProposedMemory(Proposed, frozen=True, kw_only=True):
    """A memory as a model proposes it."""

    content: str
    type: str = "observation"
    topic: str | None = None
    importance: Importance = "medium"

    @property
    def text(self) -> str:
        return self.content


class ProposedFact(Proposed, frozen=True, kw_only=True):
    """A fact proposed by a model."""

    subject: str
    predicate: str
    object: str

    @property
    def text(self) -> str:
        return f"{self.subject} {self.predicate.replace('_', ' ')} {self.object}"


class ProposedEnding(Struct, frozen=True, kw_only=True):
    """A known item that no longer holds, by its id."""

    quote: str
    id: str
    valid_to: str | None = None


class Proposals(Struct, frozen=True):
    """The usable items of a reply and the number of unusable ones. ``forget``: ids of the known
    items that the user asks to forget."""

    memories: Sequence[ProposedMemory] = ()
    facts: Sequence[ProposedFact] = ()
    no_longer: Sequence[ProposedEnding] = ()
    forget: Sequence[str] = ()
    unusable: int = 0


def schema(ids: Sequence[str]) -> dict[str, Any]:
    """JSON Schema of a reply: evidence first, and only the ids that were shown.

    Lengths are left out because they make a decoder's grammar large and slow; ``read`` enforces
    them.
    """
    text = {"type": "string"}
    date = {"anyOf": [text, {"type": "null"}]}
    known = {"anyOf": [{"type": "string", "enum": list(ids)}, {"type": "null"}]}
    when: dict[str, Any] = {
        "valid_from": date,
        "valid_to": date,
        "replaces": known if ids else {"type": "null"},
        "sensitivity": {"anyOf": [{"type": "string", "enum": ["personal"]}, {"type": "null"}]},
    }
    memory = object_schema(
        quote=text,
        content=text,
        type={"type": "string", "enum": list(MEMORY_TYPES)},
        topic=text,
        importance={"type": "string", "enum": list(IMPORTANCES)},
        **when,
    )
    fact = object_schema(quote=text, subject=text, predicate=text, object=text, **when)
    shown = {"type": "string", "enum": list(ids)} if ids else text
    ending = object_schema(id=shown, quote=text, valid_to=date)
    return object_schema(
        memories_to_store=_list(memory),
        facts=_list(fact),
        no_longer=_list(ending),
        forget=_list(shown),
    )


def _list(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


def read(text: str) -> Proposals:
    """Parses a reply. Raises ``ReplyError`` if it has none of the lists, or if nothing of what it
    has can be used: then it does not say that there is nothing to remember."""
    names = ("memories_to_store", "facts", "no_longer", "forget")
    value = unwrapped(load_json(text), names)
    if isinstance(value, list):
        value = {"memories_to_store": value, "facts": value}
    if not isinstance(value, dict) or not any(name in value for name in names):
        raise ReplyError(f"the object must have {', '.join(names[:-1])} and {names[-1]}")
    memories, lost = _items(value.get("memories_to_store"), _memory)
    facts, lost_facts = _items(value.get("facts"), _fact)
    endings, lost_endings = _items(value.get("no_longer"), _ending)
    given = value.get("forget")
    forget = [_id(id) for id in given if isinstance(id, str)] if isinstance(given, list) else []
    unusable = lost + lost_facts + lost_endings
    if unusable and not (memories or facts or endings or forget):
        raise ReplyError("no item has a quote and the fields of its list")
    return Proposals(memories, facts, endings, forget[:MOST], unusable)


def _items(found: Any, make: Callable[[dict[str, Any]], Item | None]) -> tuple[list[Item], int]:
    """The usable items of a list, at most ``MOST``, and the number left out."""
    if found in (None, "", {}):
        return [], 0
    if not isinstance(found, list):
        found = [found]
    items = [make(item) if isinstance(item, dict) else None for item in found]
    usable = [item for item in items if item is not None][:MOST]
    return usable, len(found) - len(usable)


def _memory(item: dict[str, Any]) -> ProposedMemory | None:
    quote, content = _text(item, "quote", LONGEST_QUOTE), _text(item, "content", LONGEST_CONTENT)
    if quote is None or content is None:
        return None
    type, importance = _name(item.get("type")), _name(item.get("importance"))
    return ProposedMemory(
        quote=quote,
        content=content,
        type=type if type in MEMORY_TYPES else "observation",
        topic=_text(item, "topic", LONGEST_NAME),
        importance=importance if importance in IMPORTANCES else "medium",
        **_common(item),
    )


def _fact(item: dict[str, Any]) -> ProposedFact | None:
    given = {name: _text(item, name, LONGEST_NAME) for name in ("subject", "predicate", "object")}
    quote = _text(item, "quote", LONGEST_QUOTE)
    if quote is None or not all(given.values()):
        return None
    return ProposedFact(quote=quote, **given, **_common(item))  # type: ignore[arg-type]


def _ending(item: dict[str, Any]) -> ProposedEnding | None:
    quote, id = _text(item, "quote", LONGEST_QUOTE), _text(item, "id", LONGEST_NAME)
    if quote is None or id is None:
        return None
    return ProposedEnding(quote=quote, id=_id(id), valid_to=_date(item.get("valid_to")))


def _common(item: dict[str, Any]) -> dict[str, Any]:
    """Fields of ``Proposed`` except the quote."""
    replaces = _text(item, "replaces", LONGEST_NAME)
    return {
        "valid_from": _date(item.get("valid_from")),
        "valid_to": _date(item.get("valid_to")),
        "replaces": _id(replaces) if replaces and _name(replaces) not in _NONE else None,
        "sensitivity": "personal" if _name(item.get("sensitivity")) in _PERSONAL else "normal",
    }


_NONE = ("", "null", "none", "n/a", "unknown")
_PERSONAL = ("personal", "private", "sensitive", "secret", "confidential")


def _text(item: dict[str, Any], name: str, longest: int) -> str | None:
    """A text field of an item, on one line unless it is the quote; None if it is missing or too
    long."""
    value = item.get(name)
    if name == "object" and isinstance(value, int | float) and not isinstance(value, bool):
        value = json.dumps(value)  # an age
    if not isinstance(value, str) or len(value) > longest:
        return None
    value = value.strip() if name == "quote" else " ".join(value.split())
    return value or None


def _name(value: Any) -> str:
    return value.strip().lower().replace(" ", "_") if isinstance(value, str) else ""


def _date(value: Any) -> str | None:
    return value.strip() if isinstance(value, str) and _name(value) not in _NONE else None


def _id(value: str) -> str:
    return value.strip("[] ")
