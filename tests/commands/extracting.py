"""A model that plays the extraction call: of the messages that it knows it proposes what it is
told to, and of all others nothing."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any


def script(path: Path, proposed: dict[str, list[dict[str, Any]]]) -> str:
    """Writes a script, and returns the name of the model that plays it.

    ``proposed`` has for each message the items of its reply: memories (with ``content``), facts
    (with ``predicate``), ends of what is known (with ``id``) and what it asks to forget (with
    ``forget``); the quote is the message where none is given, the subject of a fact the user.
    """
    entries = [
        {
            "role": "reflect",
            "match": rf"<user_message>\s*{_as_shown(message)}\s*</user_message>",
            "reply": _reply(message, items),
        }
        for message, items in proposed.items()
    ]
    path.write_text(json.dumps([*entries, {"role": "reflect", "reply": _reply("", [])}]))
    return f"scripted:{path}"


def _as_shown(message: str) -> str:
    """A pattern for a message in the prompt, where a mark may stand before a pasted line."""
    return r"\n(?:> )?".join(map(re.escape, message.split("\n")))


def _reply(message: str, items: list[dict[str, Any]]) -> dict[str, Any]:
    reply: dict[str, Any] = {"memories_to_store": [], "facts": [], "no_longer": [], "forget": []}
    for item in items:
        quoted = {"quote": message, **item}
        if "content" in item:
            reply["memories_to_store"].append({"type": "observation", **quoted})
        elif "predicate" in item:
            reply["facts"].append({"subject": "user", **quoted})
        elif "forget" in item:
            reply["forget"].append(item["forget"])
        else:
            reply["no_longer"].append(quoted)
    return reply
