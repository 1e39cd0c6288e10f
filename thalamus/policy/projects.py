"""Projects: the one that a message introduces, what names one, and the one that is meant."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from thalamus.policy.entities import fold
from thalamus.policy.injection import suspicious
from thalamus.policy.language.clauses import clauses
from thalamus.policy.language.patterns import LazyPattern
from thalamus.text.tokens import STOP_WORDS, words

if TYPE_CHECKING:
    from thalamus.records import Project

LONGEST_NAME = 60  # characters of a name that a message gives
MOST_NEAR = 5  # names that are proposed for one that there is not

_ADJECTIVES = r"(?:[^\W\d_]+\ ){0,2}"
_OPEN, _CLOSE = "[\"“”„«'‘]?", "[\"“”»'’]?"
_PROPER = (
    r"[A-Z0-9À-ÖØ-Þ][\w'’&+#.-]*(?:[ -](?:(?:of|the|and|for|de|la|le|del|der|die|das|für|do|da) )?"
    r"[A-Z0-9À-ÖØ-Þ][\w'’&+#.-]*)*"
)
# what follows is the name, whatever its case
_CALLED = LazyPattern(
    rf"""(?:
    \b(?:my|our)\ {_ADJECTIVES}project(?:\ is|'s)\ (?:called|named)
  | \b(?:I|we)(?:\ (?:am|are|have\ been|have\ started|started)|'m|'re|'ve\ been|'ve\ started)
    \ (?:\w+\ )?(?:(?:working|work)\ on|building|doing|planning|starting|running|leading)?\ ?
    (?:an?|my|our)\ {_ADJECTIVES}project\ (?:called|named)
  | \b(?:mein|unser)\ {_ADJECTIVES}projekt\ hei(?:ß|ss)t
  | \b(?:ich\ arbeite|wir\ arbeiten)\ (?:\w+\ ){{0,2}}an\ (?:einem|meinem|unserem)
    \ {_ADJECTIVES}projekt\ (?:namens|mit\ dem\ namen)
  | \b(?:mi|nuestro)\ {_ADJECTIVES}proyecto\ {_ADJECTIVES}se\ llama
  | \b(?:estoy|estamos)\ trabajando\ en\ un\ {_ADJECTIVES}proyecto\ {_ADJECTIVES}llamado
  | \b(?:mon|notre)\ {_ADJECTIVES}projet\ s'appelle
  | \b(?:je\ travaille|nous\ travaillons)\ sur\ un\ {_ADJECTIVES}projet
    \ (?:appelé|nommé|qui\ s'appelle)
  | \b(?:meu|nosso)\ {_ADJECTIVES}projeto\ (?:se\ chama|chama-se)
  | \b(?:estou|estamos)\ (?:trabalhando|a\ trabalhar)\ (?:num|em\ um)\ {_ADJECTIVES}projeto
    \ {_ADJECTIVES}chamado
    ):?\ +(?P<rest>.+)""",
    re.IGNORECASE | re.VERBOSE,
    listed=False,
)
# here the capital is all that tells a name from other words
_MY_PROJECT = LazyPattern(
    rf"\b(?:[Mm]y|[Oo]ur) (?:(?:new|current|side|pet|latest|own|little|big) )*project,? {_OPEN}"
    rf"(?P<name>{_PROPER}){_CLOSE}"
    r"|\b(?:I|[Ww]e)(?:'ve|'m|'re| have| am| are)? (?:(?:just|also|now) )?"
    r"(?:start(?:ed|ing)|beg[aiu]n|beginning|working on) (?:a|another) "
    r"(?:(?:new|second|third|side|pet|little|big|small) )*project[,:] "
    rf"{_OPEN}(?P<other>{_PROPER}){_CLOSE}",
    listed=False,
)
_NAME = re.compile(rf"{_OPEN}(?P<name>{_PROPER}){_CLOSE}(?=[\s.,;:!?)]|$)")
_QUOTED = re.compile(r"[\"“„«](?P<name>[^\"”“»\n]{1,60})[\"”“»]")
_FEW_WORDS = re.compile(r"(?P<name>[^\s.,;:!?()]+(?: [^\s.,;:!?()]+){0,2})\s*[.,;!]*$")
_STEM = ("project", "projekt", "proyecto", "projet", "projeto")


def introduced(message: str) -> tuple[str, str] | None:
    """(name, the clause that says it) of the project that the user plainly says to work on; None
    when a message introduces none, or only asks, supposes, denies or jokes."""
    folded = message.casefold()
    if not any(stem in folded for stem in _STEM):
        return None
    for clause in clauses(message):
        if not clause.states or clause.negated:
            continue
        name = _name_in(clause.text.replace("’", "'"))
        if name is not None:
            return name, clause.text
    return None


def _name_in(text: str) -> str | None:
    found = _CALLED.search(text)
    if found is None:
        named = _MY_PROJECT.search(text)
    else:
        rest = found["rest"]
        named = _QUOTED.match(rest) or _NAME.match(rest) or _FEW_WORDS.match(rest)
    if named is None:
        return None
    groups = named.groupdict()
    said = groups["name"] or groups.get("other") or ""
    name = " ".join(said.rstrip(".'’-").split())
    lower = name.islower() and any(word in STOP_WORDS for word in words(name))
    if not name or lower or len(name) > LONGEST_NAME or suspicious(name):
        return None
    return name


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
