"""Rules for the scripted model's answers: small and deterministic.

They match a question with remembered lines and repeat a statement. Pure functions of text.
"""

from __future__ import annotations

import re
from typing import Any

from thalamus.text.days import MONTHS, WEEKDAYS
from thalamus.text.questions import is_question
from thalamus.text.tokens import language
from thalamus.text.word_lists import STOP_WORDS

_QUESTION = set(
    "who whom whose what when where why how which do does did is are am was were has have had can "
    "could should would will may might shall".split()
)
# without apostrophes, which separate words here, and with what a turn begins with
_STOP = (
    _QUESTION
    | {part for word in STOP_WORDS for part in word.split("'")}
    | set(
        "then us any some there yes please say said user hi hello hey thank thanks ok okay".split()
    )
)
# words that ask for and state the same: "Where do I live?" - "I moved to Lisbon."
_SYNONYMS = {
    "mov": "live", "resid": "live", "hom": "live", "relocat": "live", "liv": "live",
    "job": "work", "employ": "work", "occupation": "work", "profession": "work",
    "call": "name", "nam": "name", "nicknam": "name",
    "lov": "like", "lik": "like", "prefer": "like", "enjoy": "like", "favourit": "like",
    "favorit": "like", "preference": "like", "dislik": "hate", "hat": "hate",
    "dog": "pet", "cat": "pet", "bought": "buy", "went": "go", "met": "meet",
}  # fmt: skip
_NO_NAMES = {*MONTHS, *WEEKDAYS, "I"}
_COMMANDS = set(
    "tell write give show explain help make list describe remind translate summarise summarize "
    "let find create generate calculate compare read play open repeat".split()
)
_HEADING = re.compile(r"(?:Undated|From documents|(?:\w+ )?(\d{1,2} \w+ \d{4})(?:, [\w ]+)?):$")
_NOTE = re.compile(r"(\d+)\. \(([^)]*)\) ([^:]+): (.+)")
_DATED = re.compile(r"\([^)]*\) ([^:]+): (.+)")
_GREETING = re.compile(r"(?:hi|hello|hey|good (?:morning|evening|day))\b", re.I)
_FILLER = re.compile(
    r"^(?:(?:hi|hello|hey|well|yes|yeah|no|ok|okay|so|also|and|but|by the way|btw|oh|actually|"
    r"thanks|thank you|please|(?:please )?(?:remember|note)(?: that)?)"
    r"(?:[,!:]+\s*|\s+(?=(?:I|I'm|I've|my|we|remember|note)\b)))+",
    re.I,
)
_SENTENCE_END = re.compile(r"(?<!\bM[rs]\.)(?<!\bMrs\.)(?<!\b[DS][rt]\.)(?<=[.!?])\s+|\n+")
_SECOND = {"i": "you", "me": "you", "my": "your", "mine": "yours", "myself": "yourself",
           "am": "are", "i'm": "you're", "i've": "you've", "i'll": "you'll",
           "i'd": "you'd", "i was": "you were"}  # fmt: skip


_LATER = re.compile(r" \((?:[^()]*; )?later, on \S+ the user said: “.*”\)")


def answer(message: str, lines: list[str]) -> str:
    """A reply to ``message`` from remembered ``lines``, best first: date headings (``8 May 2026,
    today:``) with items (``- text``) below."""
    if not _is_question(message) and not _is_command(message):
        if content(message):
            return f"Noted: {_second_person(shorten(message, 300))}"
        return "Hello! What shall I remember?" if _GREETING.match(message) else "All right."
    wanted = _keys(message)
    best, shared, day = "", 0, ""
    for line in lines:
        heading = _HEADING.match(line)
        if heading:
            day = heading.group(1) or ""
            continue
        later = _LATER.search(line)
        text, source = _without_source(_LATER.sub("", line).partition(" (you answered, ")[0])
        common = len(wanted & _keys(text))
        if common > shared:
            when = source or (f" on {day}" if day else "")
            best, shared = f"You told me{when}: {text}{later[0] if later else ''}", common
    return best or "I do not know that yet."


def crystallize(notes: str) -> dict[str, list[dict[str, Any]]]:
    """An insight that joins two numbered notes of different days by the first word they share."""
    found = [match.groups() for line in notes.splitlines() if (match := _NOTE.match(line))]
    for place, (number, day, who, text) in enumerate(found):
        for other, later, whom, more in found[place + 1 :]:
            shared = [w for w in content(text) if stem(w.lower()) in map(stem, _lower(more))]
            if shared and later != day:
                statement = f"{who} {_third(text)} and {whom} {_third(more)}."
                numbers = [int(number), int(other)]
                concepts = [*dict.fromkeys([shared[0], *shared[1:], who])][:3]
                insight = {"sources": numbers, "concepts": concepts, "content": statement}
                return {"insights": [insight]}
    return {"insights": []}


def join(notes: str) -> dict[str, str]:
    """All notes as one sentence without repetitions."""
    statement = []
    for line in notes.splitlines():
        found = _DATED.match(line)
        text = f"{found[1]} {_third(found[2])}" if found else re.sub(r"^\d+\. ", "", line)
        statement += [part for part in text.rstrip(".").split(" and ") if part not in statement]
    return {"content": f"{' and '.join(statement)}."}


def _lower(text: str) -> list[str]:
    return [word.lower() for word in content(text)]


def _third(text: str) -> str:
    """The first sentence of a note as a predicate of its speaker: "I planted a fig" → "planted a
    fig"."""
    first = sentences(text)[0].rstrip(".!")
    first = re.sub(r"^my ", "has the ", first, flags=re.I)
    first = re.sub(r"\bmy\b", "the", first, flags=re.I)
    return re.sub(r"^(?:I|we)(?: have|'ve)? ", "", first, flags=re.I)


def stem(word: str) -> str:
    """A lower-case word without its most common ending, so that likes, liked and liking agree."""
    for ending in ("ing", "ied", "ies", "ed", "es", "s", "e", "y"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


def sentences(text: str) -> list[str]:
    """Non-empty sentences and lines of a text."""
    return [found for part in _SENTENCE_END.split(text) if (found := part.strip())]


def content(text: str) -> list[str]:
    """Content words, in order and as written."""
    return [word for word in re.findall(r"[^\W_]+", text) if word.lower() not in _STOP]


def proper_nouns(text: str) -> list[str]:
    """Capitalised words inside sentences, without months and days."""
    found = re.findall(r"(?<![.!?]\s)(?<!^)(?<![\w'])[A-Z][\w-]+", text)
    return [word for word in found if word not in _NO_NAMES and word.lower() not in _STOP]


def shorten(text: str, limit: int) -> str:
    """The text on one line, at most ``limit`` characters."""
    text = " ".join(text.split())
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def _keys(text: str) -> set[str]:
    stems = [stem(word.lower()) for word in content(text)]
    return {_SYNONYMS.get(found, found) for found in stems}


def _is_question(text: str) -> bool:
    words = re.findall(r"\w+", text.lower())
    if is_question(text):
        return True
    opens = bool(words) and words[0] in _QUESTION
    return opens and not re.search(r",\s*(?:I|my|we)\b", text)  # "When I was ten, I ..."


def _is_command(text: str) -> bool:
    word = re.search(r"\w+", _FILLER.sub("", text.strip()).lower())
    return word is not None and word.group() in _COMMANDS


def _without_source(line: str) -> tuple[str, str]:
    found = re.match(r"\s*(?:[-*•]\s+)?(?:\[([^\]]*)\]\s*)?(.*)", line)
    source, text = found.groups() if found else ("", line)
    return str(text).strip(), f" ({source})" if source else ""


def _second_person(text: str) -> str:
    if language(text) != "en":  # "me" is a word of Spanish, too
        return text

    def swap(found: re.Match[str]) -> str:
        word = _SECOND.get(found.group().lower(), found.group())  # İ is i in lower case
        opens = re.search(r"(?:^|[.!?]\s)$", text[: found.start()])
        return word.capitalize() if opens else word

    text = text.replace("’", "'")
    pattern = r"\b(?:i'm|i've|i'll|i'd|i was|i|me|my|mine|myself|am)\b"
    return re.sub(pattern, swap, text, flags=re.I)
