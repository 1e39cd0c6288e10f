"""The knowledge graph of the MCP reference memory server: entities, what was observed of them, and
their relations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from thalamus.records import Memory
from thalamus.text.names import is_cased
from thalamus.transfer.foreign.archive import Item
from thalamus.transfer.foreign.memories import identified
from thalamus.transfer.foreign.report import Report
from thalamus.transfer.foreign.values import clean, listed, mapped

_USERS = {"default_user": "The user", "user": "The user"}  # names that stand for the user


def recognize(value: dict[str, Any]) -> bool:
    """True for a line of ``memory.jsonl``, or for a graph as the server's tools give it."""
    if isinstance(value.get("entities"), list) and isinstance(value.get("relations"), list):
        return True
    return _is_entity(value) or _is_relation(value)


def _is_entity(value: dict[str, Any]) -> bool:
    return "name" in value and ("entityType" in value or "observations" in value)


def _is_relation(value: dict[str, Any]) -> bool:
    return "relationType" in value and "from" in value and "to" in value


def read(items: Iterable[Item], report: Report) -> Iterator[Memory]:
    """A memory for each observation and each relation, as a sentence about its entity. The graph
    has no dates, so they have that of the file."""
    for item in items:
        graph = [*listed(item.value.get("entities")), *listed(item.value.get("relations"))]
        for value in map(mapped, graph or [item.value]):
            if _is_relation(value):
                yield from _relation(value, item, report)
            else:
                yield from _entity(value, item, report)


def _entity(value: dict[str, Any], item: Item, report: Report) -> Iterator[Memory]:
    name, kind = _name(value.get("name")), clean(value.get("entityType"))
    if not name:
        report.problem(f"an entity without a name in {item.file} is skipped")
        return
    observed = [clean(_text(one)) for one in listed(value.get("observations"))]
    for text in filter(None, observed or [kind]):
        content = text if _is_named(name, text) else f"{name}: {text}"
        yield _memory(content, name, kind, item)


def _relation(value: dict[str, Any], item: Item, report: Report) -> Iterator[Memory]:
    source, target = _name(value["from"]), _name(value["to"])
    relation = clean(value["relationType"]).replace("_", " ")
    if source and relation and target:
        yield _memory(f"{source} {relation} {target}", source, "", item)
    else:
        report.problem(f"an incomplete relation in {item.file} is skipped")


def _name(value: Any) -> str:
    name = clean(value)
    return _USERS.get(name.casefold(), name.replace("_", " "))


def _is_named(name: str, text: str) -> bool:
    """True if a name stands in a text: as a word, in a script that has words."""
    end = r"(?!\w)" if is_cased(name[-1]) else ""
    begin = r"(?<!\w)" if is_cased(name[0]) else ""
    return re.search(f"{begin}{re.escape(name)}{end}", text, re.IGNORECASE) is not None


def _text(observation: Any) -> Any:
    """An observation is a text; some servers add when it was made."""
    return mapped(observation).get("content") or observation


def _memory(content: str, name: str, kind: str, item: Item) -> Memory:
    marks = {"entity_type": kind} if kind else {}
    memory = Memory(content=content, topic=name, metadata={"entity": name, **marks})
    return identified(memory, item, "mcp-memory")
