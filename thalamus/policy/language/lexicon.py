"""What a language brings to the grammar of plain statements: its words and patterns, as a value.

A lexicon is data: how sentences are cut, which of them state something, and the frames by which a
statement becomes a fact. The engine (``clauses``, ``statements``) is the same for all languages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from thalamus.policy.language.patterns import LazyPattern, Pattern


@dataclass(frozen=True)
class Frame:
    """One way to say a fact. ``pattern`` is matched at the beginning of what follows the subject
    (``rest``), or anywhere in the clause when ``whole`` is set; its group ``object`` is the object
    and ``kin`` or ``noun`` fill the predicate's braces.

    ``over``: the words say that it is no longer so. ``coming``: the words announce it. ``several``:
    the object may be a list. ``fits``: a last look at the object. ``mine``: only the user is the
    subject, whatever the clause begins with. ``loose``: it fits more than it should; what it finds
    is a fact only when a model agrees. ``called``: what the object is called in the fact, as
    "{} driver" for somebody who drives a tram, or a function that says so.

    A group ``own`` of the pattern is a thing of the user's that the fact is about; ``whose`` is one
    of the user's people (a word for the relation), with the name in ``whose_name``.
    """

    predicate: str
    pattern: Pattern
    whole: bool = False
    over: bool = False
    coming: bool = False
    several: bool = False
    mine: bool = False
    loose: bool = False
    fits: Callable[[str], bool] | None = None
    called: str | Callable[[str], str] = "{}"


def frame(predicate: str, pattern: str, **more: object) -> Frame:
    """A frame whose pattern is read in upper or lower case."""
    return Frame(predicate, LazyPattern(pattern, re.I), **more)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Lexicon:
    """One language.

    ``expand`` are replacements that make a clause
    plain (contractions written out, "I" in upper case). ``fillers`` is what may stand before a
    statement, ``elided`` where a sentence leaves out its "I" (the names of
    its groups say by what: ``i_am``, ``i_have``, ``i``), ``adverbs`` what may stand anywhere without changing what is said. ``cut`` is where a
    sentence falls into clauses, ``carried`` where a clause goes on without repeating its subject.

    ``asks``, ``requests``, ``supposes``, ``reports``, ``jokes``, ``greets``, ``meta`` and
    ``passing`` say which clauses state nothing to keep. ``subject`` splits a plain clause into
    ``me``, ``kin`` with ``kin_name``, ``name`` or ``pronoun``, and the ``rest``.
    ``kin`` maps words for relations to predicates, ``relations`` find them with a name anywhere in
    a clause (groups ``kin`` and ``object``).

    ``arrange`` puts a clause into the order that subject and frames expect: the subject first,
    then its verb. Moods are read in the order in which it was said and in this one.

    ``closings`` is what may stand at the end of a clause and tells nothing ("by the way"); its
    group ``kept`` stays. ``laughed`` is a message that tells a name or a birthday (group ``said``)
    and laughs about it. ``duties`` are clauses by which something is due or takes place on a day, which
    concern the user whose ever it is.

    ``idioms`` are replacements that put a saying into plain words; what is remembered is the clause
    before that, where it has a subject of its own.

    ``mentions`` finds a relation (group ``kin``) that is spoken of without its name, which the next
    clause may give ("we got a cat, he's called Hugo"); such a frame has ``{before}`` in its
    predicate. ``answered`` are questions that the speaker answers at once ("Favourite band? Radiohead").

    ``owners`` finds, in what stands before an animal or a relative, somebody else who has them ("a
    friend with"); see ``vocabulary.relations.owners``.

    ``activity`` puts what somebody does into the form of a noun: "swimming" for "swims".

    ``ordinary`` says of a word that begins a clause with a capital that it is no name.

    ``time_words`` turn the language's words for times into those of English, which the rules of
    ``dating`` read; a language without them gets no dates.
    """

    code: str
    first_person: Pattern
    subject: Pattern
    asks: Pattern
    requests: Pattern
    remember: Pattern
    supposes: Pattern
    reports: Pattern
    jokes: Pattern
    greets: Pattern
    meta: Pattern
    passing: Pattern
    negates: Pattern
    past: Pattern
    coming: Pattern
    over: Pattern
    kin: Mapping[str, str]
    relations: tuple[Pattern, ...]
    frames: tuple[Frame, ...]
    articles: Pattern
    tail: Pattern
    not_objects: frozenset[str]
    elided: Pattern = field(default=LazyPattern(r"(?!)"))
    expand: tuple[tuple[Pattern, str], ...] = ()
    fillers: Pattern = field(default=LazyPattern(r"(?!)"))
    adverbs: Pattern = field(default=LazyPattern(r"(?!)"))
    closings: Pattern = field(default=LazyPattern(r"(?!)"))
    laughed: Pattern = field(default=LazyPattern(r"(?!)"))
    duties: Pattern = field(default=LazyPattern(r"(?!)"))
    cut: Pattern = field(default=LazyPattern(r"(?!)"))
    carried: Pattern = field(default=LazyPattern(r"(?!)"))
    lists: Pattern = field(default=LazyPattern(r",\s*"))
    idioms: tuple[tuple[Pattern, str], ...] = ()
    mentions: Pattern = field(default=LazyPattern(r"(?!)"))
    answered: Pattern = field(default=LazyPattern(r"(?!)"))
    arrange: Callable[[str], str] | None = None
    owners: Pattern = field(default=LazyPattern(r"(?!)"))
    activity: Callable[[str], str] = lambda phrase: phrase
    ordinary: Callable[[str], bool] = lambda word: False
    time_words: tuple[tuple[Pattern, str], ...] | None = None
