"""The rules by which the scripted model reads English: small, deterministic, and no more.

They find what a first-person sentence says (kind, facts, the same in the third person) and match
a question with remembered lines. Pure text in, text out.
"""

from __future__ import annotations

import re
from typing import Any

_QUESTION = set(
    "who whom whose what when where why how which do does did is are am was were has have had can "
    "could should would will may might shall".split()
)
_STOP = _QUESTION | set(
    "a an the and or but if then so as of to in on at by for with from about into over after "
    "before than that this these those there here it its i me my mine we us our you your he him "
    "his she her they them their be been being not no yes some any all just very too also now "
    "please tell say said told know remember user hi hello hey thank thanks ok okay m s t ve ll re "
    "d don doesn didn isn".split()
)
# Words that ask for and tell of the same thing: "Where do I live?" - "I moved to Lisbon."
_SAME = {
    "mov": "live", "resid": "live", "hom": "live", "relocat": "live", "liv": "live",
    "job": "work", "employ": "work", "occupation": "work", "profession": "work",
    "call": "name", "nam": "name", "nicknam": "name",
    "lov": "like", "lik": "like", "prefer": "like", "enjoy": "like", "favourit": "like",
    "favorit": "like", "preference": "like", "dislik": "hate", "hat": "hate",
    "dog": "pet", "cat": "pet", "bought": "buy", "went": "go", "met": "meet",
}  # fmt: skip
_CALENDAR = set(
    "January February March April May June July August September October November December "
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday I".split()
)
_COMMANDS = set(
    "tell write give show explain help make list describe remind translate summarise summarize "
    "let find create generate calculate compare read play open repeat".split()
)
_HEADING = re.compile(r"(?:Undated|From documents|(\d{1,2} \w+ \d{4})(?:, [\w ]+)?):$")
_GREETING = re.compile(r"(?:hi|hello|hey|good (?:morning|evening|day))\b", re.I)
_FILLER = re.compile(
    r"^(?:(?:hi|hello|hey|well|yes|yeah|no|ok|okay|so|also|and|but|by the way|btw|oh|actually|"
    r"thanks|thank you|please|(?:please )?(?:remember|note)(?: that)?)"
    r"(?:[,!:]+\s*|\s+(?=(?:I|I'm|I've|my|we|remember|note)\b)))+",
    re.I,
)
_SENTENCE_END = re.compile(r"(?<!\bM[rs]\.)(?<!\bMrs\.)(?<!\b[DS][rt]\.)(?<=[.!?])\s+|\n+")
_CLAUSE_END = re.compile(r";\s*|,?\s+(?:and|but)\s+(?=(?:I|I'm|I've|I'll|I'd|my|we)\b)", re.I)

_ADVERB = (
    r"(?:(?:really|also|just|usually|often|still|currently|sometimes|always|never|recently|"
    r"already|now|mostly|only)\s+)*"
)
_END = (
    r"(?=\s+(?:in|on|at|with|and|but|because|since|for|last|next|this|when|where|who|which|that|"
    r"yesterday|today|recently|as|now|after|before|so|again|to|over|than|rather|very|most|"
    r"any|anymore|until|till|from)\b"
    r"|\s*[,.;:!?()]|$)"
)
_KIN = (
    r"wife|husband|son|daughter|friend|best friend|brother|sister|mother|father|mom|mum|dad|"
    r"partner|girlfriend|boyfriend|boss|colleague|neighbour|neighbor|uncle|aunt|cousin|"
    r"grandmother|grandfather|dog|cat|horse|parrot"
)
_NAME = r"(?-i:(?P<object>[A-Z][\w'’-]*(?:\s+[A-Z][\w'’-]*)*))"
_THING = rf"(?:an?\s+|the\s+)?(?P<object>.+?){_END}"
_FORMERLY = (
    r"(?:(?:used\s+to|no\s+longer|has|have|(?:don't|do\s+not|doesn't|does\s+not)(?=.*\bany\s?(?:more|longer)\b))"
    r"\s+)?"
)
_WHO = r"(?-i:(?P<who>(?!I\b)[A-Z][\w'’-]*))"
# (predicate, pattern); {kin} and {noun} are filled from the groups of that name.
_FACTS = [
    (predicate, re.compile(pattern, re.I))
    for predicate, pattern in (
        ("lives_in", rf"\bI(?:'ve|\s+have)?\s+{_ADVERB}(?:moved|relocated)\s+to\s+{_THING}"),
        ("lives_in", rf"\b(?:I|I'm|I\s+am)\s+{_ADVERB}(?:live|living)\s+in\s+{_THING}"),
        ("works_at", rf"\b(?:I|I'm|I\s+am)\s+{_ADVERB}work(?:ing)?\s+(?:at|for)\s+{_THING}"),
        ("works_as", rf"\b(?:I|I'm|I\s+am)\s+{_ADVERB}work(?:ing)?\s+as\s+{_THING}"),
        ("name", rf"\b(?:my\s+name\s+is|my\s+name's|call\s+me|I(?:'m|\s+am)\s+called)\s+{_NAME}"),
        ("likes", rf"\bI\s+{_ADVERB}(?:like|love|enjoy)\s+{_THING}"),
        ("prefers", rf"\bI(?:'d)?\s+{_ADVERB}prefer\s+{_THING}"),
        (
            "dislikes",
            rf"\bI\s+{_ADVERB}(?:hate|dislike|(?:don't|do not)\s+like)\s+{_THING}"
            r"(?!.*\bany\s?(?:more|longer)\b)",
        ),
        ("favourite_{noun}", rf"\bmy\s+favou?rite\s+(?P<noun>\w+)\s+(?:is|are)\s+{_THING}"),
        ("{kin}_name", rf"\bmy\s+(?P<kin>{_KIN})\s+is\s+(?:called|named)\s+{_NAME}"),
        ("{kin}_name", rf"\bmy\s+(?P<kin>{_KIN})'s\s+name\s+is\s+{_NAME}"),
        ("{kin}_name", rf"\bhave\s+an?\s+(?P<kin>{_KIN})\s+(?:called|named)\s+{_NAME}"),
        ("born_in", rf"\bI\s+was\s+born\s+in\s+{_THING}"),
        ("speaks", rf"\bI\s+{_ADVERB}speak\s+(?P<object>[\w ,]+?)(?=[.;!?]|$)"),
        ("allergic_to", rf"\bI(?:'m|\s+am)\s+{_ADVERB}allergic\s+to\s+{_THING}"),
        ("birthday", r"\bmy\s+birthday\s+is\s+(?:on\s+)?(?P<object>[^.,;!?]+)"),
        ("age", r"\bI(?:'m|\s+am)\s+(?P<object>\d{1,3})\s+years\s+old"),
        # what was so, or is so no more: the words tell it, and are kept as the quote
        ("lives_in", rf"\bI\s+{_FORMERLY}(?:live|lived)\s+in\s+{_THING}"),
        ("lives_in", rf"\bI\s+(?:moved|relocated)\s+from\s+.+?\s+to\s+{_THING}"),
        ("works_at", rf"\bI\s+{_FORMERLY}(?:work|worked)\s+(?:at|for)\s+{_THING}"),
        ("works_at", rf"\bI\s+(?:quit|left|joined|resigned\s+from)\s+(?:my\s+job\s+at\s+)?{_NAME}"),
        ("likes", rf"\bI\s+{_FORMERLY}(?:like|love|enjoy)\s+{_THING}"),
        (
            "lives_in",
            rf"\b{_WHO}\s+{_FORMERLY}(?:lives?|lived|moved)\s+(?:in|to)\s+{_THING}",
        ),
        (
            "works_at",
            rf"\b{_WHO}\s+{_FORMERLY}(?:works?|worked)\s+(?:at|for)\s+{_THING}",
        ),
        ("works_at", rf"\b{_WHO}\s+(?:quit|left|joined)\s+{_NAME}"),
        ("likes", rf"\b{_WHO}\s+{_FORMERLY}(?:likes?|loves?)\s+{_THING}"),
    )
]
# The first that fits names a memory's type.
_TYPES = [
    (kind, importance, re.compile(pattern, re.I))
    for kind, importance, pattern in (
        ("relationship", "high", rf"^my\s+(?:{_KIN})\b|\bI\s+have\s+an?\s+(?:{_KIN})\b"),
        ("preference", "medium", r"\bfavou?rite\b"),
        ("goal", "medium", r"\bI(?:'ll|'d like to| would like to| want| plan| hope| will| need)\b"),
        ("goal", "medium", r"\bI(?:'m| am) (?:going|planning|hoping) to\b"),
        ("project", "medium", r"\bI\b.{0,24}\b(?:working on|building|writing|developing)\b"),
        ("user_identity", "high", r"\bmy (?:name|birthday|age|job|address|e-?mail)\b|\bcall me\b"),
        ("user_identity", "high", rf"\bI(?:'m| am| was) {_ADVERB}(?:an?|from|born|called|\d+)\b"),
        ("user_identity", "high", rf"\b(?:I|I'm|I am) {_ADVERB}(?:live|living|work|working)\b"),
        ("preference", "medium", r"\bI\b.{0,24}\b(?:like|love|prefer|hate|enjoy|dislike)\b"),
        ("event", "medium", r"\bI(?:'ve| have)? ?\b.{0,12}\b(?:moved|bought|went|met|visited|sold|"
                            r"started|finished|got|saw|won|lost|left|married|joined|quit)\b"),
    )
]  # fmt: skip
_TOPICS = {"relationship": "people", "user_identity": "identity", "goal": "plans"}
_PAST = set(
    "was had did went bought met got made took saw came found said told gave left felt kept lost "
    "paid ran sold sent spent taught thought won wrote began broke built chose drove ate fell flew "
    "forgot grew heard held knew led meant put rode sang sat slept spoke stood swam threw woke "
    "wore became brought caught drank hurt cut set quit let hit".split()
)
_MODAL = set("can could will would shall should may might must cannot".split())
_ED_VERBS = set("need feed speed breed bleed exceed proceed succeed wed shed".split())
_BE = {"'m": " is", "'ve": " has", "'ll": " will", "'d": " would"}
_SECOND = {"i": "you", "me": "you", "my": "your", "mine": "yours", "myself": "yourself",
           "am": "are", "i'm": "you're", "i've": "you've", "i'll": "you'll",
           "i'd": "you'd", "i was": "you were"}  # fmt: skip


def answer(message: str, lines: list[str]) -> str:
    """A reply to ``message`` out of remembered ``lines``: days (``8 May 2026, today:``) with what
    was said on them (``- text``) below, best first."""
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
        text, source = _without_source(line)
        common = len(wanted & _keys(text))
        if common > shared:
            when = source or (f" on {day}" if day else "")
            best, shared = f"You told me{when}: {text}", common
    return best or "I do not know that yet."


def reflect(message: str) -> dict[str, list[dict[str, Any]]]:
    """What the user's own sentences say: ``memories_to_store`` and ``facts``."""
    memories: list[dict[str, Any]] = []
    facts: list[dict[str, Any]] = []
    for clause in _statements(message):
        kind, importance = _kind(clause)
        made = {"type": kind, "content": _third_person(clause), "importance": importance}
        memories.append({**made, "topic": _TOPICS.get(kind) or _topic(clause)})
        facts += [fact for fact in _facts(clause) if fact not in facts]
    return {"memories_to_store": memories, "facts": facts}


def stem(word: str) -> str:
    """A lower-case word without its commonest ending, so that likes, liked and liking agree."""
    for ending in ("ing", "ied", "ies", "ed", "es", "s", "e", "y"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


def sentences(text: str) -> list[str]:
    """The sentences and lines of a text, none of them empty."""
    return [found for part in _SENTENCE_END.split(text) if (found := part.strip())]


def content(text: str) -> list[str]:
    """The words that carry meaning, in order and as written."""
    return [word for word in re.findall(r"[^\W_]+", text) if word.lower() not in _STOP]


def proper_nouns(text: str) -> list[str]:
    """Capitalised words that do not open a sentence, months and days left out."""
    found = re.findall(r"(?<![.!?]\s)(?<!^)(?<![\w'])[A-Z][\w-]+", text)
    return [word for word in found if word not in _CALENDAR and word.lower() not in _STOP]


def shorten(text: str, limit: int) -> str:
    """The text on one line, of at most ``limit`` characters."""
    text = " ".join(text.split())
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def _keys(text: str) -> set[str]:
    stems = [stem(word.lower()) for word in content(text)]
    return {_SAME.get(found, found) for found in stems}


def _is_question(text: str) -> bool:
    words = re.findall(r"\w+", text.lower())
    if text.rstrip().endswith("?"):
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


def _statements(message: str) -> list[str]:
    """The clauses that tell something: no questions, greetings or commands."""
    made = []
    for sentence in sentences(message.replace("’", "'")):
        bare = _FILLER.sub("", sentence)
        if _is_question(bare) or _is_command(bare):
            continue
        for clause in _CLAUSE_END.split(bare):
            bare_clause = clause.strip().rstrip(".!;,")
            if len(bare_clause.split()) >= 3 and not _GREETING.match(bare_clause):
                made.append(bare_clause)
    return made


def _kind(clause: str) -> tuple[str, str]:
    for kind, importance, pattern in _TYPES:
        if pattern.search(clause):
            return kind, importance
    return "observation", "low"


def _topic(clause: str) -> str | None:
    names = proper_nouns(clause)
    words = [w for w in content(clause) if w.capitalize() not in _CALENDAR and not w.isdigit()]
    return (names[0] if names else words[-1]).lower() if names or words else None


def _facts(clause: str) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = []
    date = re.search(r"\b\d{4}-\d{2}-\d{2}\b", clause)
    year = re.search(r"\b(?:19|20)\d{2}\b", clause)
    since = date.group() if date else f"{year.group()}-01-01" if year else None
    for predicate, pattern in _FACTS:
        found = pattern.search(clause)
        if not found:
            continue
        groups = {k: v.lower().replace(" ", "_") for k, v in found.groupdict().items()}
        several = r",\s*(?:and\s+)?|\s+and\s+" if predicate == "speaks" else "$"
        for item in filter(None, re.split(several, found["object"].strip())):
            who = found["who"] if "who" in groups else "user"
            fact = {"subject": who, "predicate": predicate.format(**groups), "object": item}
            if all(fact.items() - known.items() for known in made):
                made.append({**fact, "valid_from": since})
    return made


def _third_person(clause: str) -> str:
    """``I moved`` becomes ``The user moved``, ``my dog`` ``the user's dog``; ends with a stop."""
    pattern = rf"\bI\b('\w+)?(\s+(?:no\s+longer\s+)?{_ADVERB})?([\w']+)?"
    text = re.sub(pattern, _subject, clause, count=1, flags=re.I if clause.islower() else 0)
    text = re.sub(r"\bI'm\b|\bI am\b", "they are", text)
    text = re.sub(r"\bI\b", "they", text)
    own = "their" if text.startswith("The user ") else "the user's"
    for pattern, word in ((r"\bmy\b", own), (r"\bmyself\b", "themselves"),
                          (r"\b(?:me|mine)\b", "the user")):  # fmt: skip
        text = re.sub(pattern, word, text, flags=re.I)
    return text[0].upper() + text[1:] + "."


def _subject(found: re.Match[str]) -> str:
    short, adverbs, verb = found[1] or "", found[2] or "", found[3] or ""
    start = "The user" if found.start() == 0 else "the user"
    if short:
        return f"{start}{_BE.get(short, short)}{adverbs or ' '}{verb}"
    return f"{start}{adverbs or ' '}{_conjugated(verb.lower())}" if verb else start


def _conjugated(verb: str) -> str:
    irregular = {"am": "is", "have": "has", "do": "does", "don't": "doesn't", "haven't": "hasn't"}
    if verb in irregular:
        return irregular[verb]
    past = verb in _PAST or (verb.endswith("ed") and verb not in _ED_VERBS)
    if past or verb in _MODAL or "'" in verb:
        return verb
    if verb.endswith(("s", "x", "z", "ch", "sh", "o")):
        return verb + "es"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + "s"


def _second_person(text: str) -> str:
    def swap(found: re.Match[str]) -> str:
        word = _SECOND.get(found.group().lower(), found.group())  # İ is i in lower case
        opens = re.search(r"(?:^|[.!?]\s)$", text[: found.start()])
        return word.capitalize() if opens else word

    text = text.replace("’", "'")
    pattern = r"\b(?:i'm|i've|i'll|i'd|i was|i|me|my|mine|myself|am)\b"
    return re.sub(pattern, swap, text, flags=re.I)
