"""A long pattern cut down to the branches that a text may need.

Compiling an alternation of a thousand words takes twenty milliseconds, of which a sentence needs a
few words. A branch that requires a word which the text does not have cannot match in it, so leaving
the branch out changes no match. Patterns are scanned, not parsed, and only as deep as a text leads.
"""

from __future__ import annotations

import re

_ESCAPE = r"\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|\d{1,3}|.)"
_CLASS = r"\[\^?\]?(?:\\.|[^\]\\])*+\]"
_STRUCTURE = re.compile(rf"(?:[^()|\[\\]++|{_ESCAPE}|{_CLASS})*+([()|]?)", re.S)
_WORDS = rf"{_ESCAPE}|{_CLASS}|\{{[\d,]*\}}|([^\W_]{{2,}})(\s*[*?{{])?"
_WORD = re.compile(_WORDS, re.S)
# the same in a pattern with comments
_VERBOSE_STRUCTURE = re.compile(rf"(?:[^()|\[\\#]++|\#[^\n]*+|{_ESCAPE}|{_CLASS})*+([()|]?)", re.S)
_VERBOSE_WORD = re.compile(rf"\#[^\n]*|{_WORDS}", re.S)
_OPENER = re.compile(r"\((?:\?(?:P<\w+>|[a-zA-Z-]*:|[=>]))?(?!\?)")
_CAPTURE = re.compile(r"\((?!\?)|\(\?P<\w+>")
_OPTIONAL = re.compile(r"\s*(?:[*?]|\{0?,|\{0\})")  # behind a group
_UNKNOWN = re.compile(r"\(\?(?:\(|[a-wyzA-Z-]*x)")  # conditions, and comments in a part only
_NEVER = "(?!)"


class _Branch:
    """An alternative from ``start`` to ``end``, with its groups: where each opens and closes, and
    what it is, or None for one that is left as it is."""

    __slots__ = ("end", "groups", "start", "words")

    def __init__(self, start: int, end: int, groups: list[tuple[int, int, _Group | None]]) -> None:
        self.start, self.end, self.groups = start, end, groups
        self.words: list[str] | None = None  # what a match contains, once somebody has asked


class _Group:
    """Alternatives from ``start`` to ``end``; ``required``: one of them has to match."""

    __slots__ = ("branches", "end", "required", "start")

    def __init__(self, start: int, end: int, required: bool) -> None:
        self.start, self.end, self.required = start, end, required
        self.branches: list[_Branch] | None = None


class PrunedPattern:
    """A pattern of which as much is compiled as the texts so far may have needed; worth while for
    a few texts only. ``understood``: it can be cut down at all."""

    def __init__(self, pattern: str, flags: int) -> None:
        self._pattern, self._flags = pattern, flags
        verbose = bool(flags & re.X)
        self._structure = _VERBOSE_STRUCTURE if verbose else _STRUCTURE
        self._word = _VERBOSE_WORD if verbose else _WORD
        self._root = _Group(0, len(pattern), True)
        self._kept: set[_Branch] = set()
        self._compiled: re.Pattern[str] | None = None
        self._texts: dict[str, re.Pattern[str] | None] = {}
        self.understood = _UNKNOWN.search(pattern) is None

    @property
    def texts(self) -> int:
        """How many different texts it was cut down for."""
        return len(self._texts)

    def for_text(self, lower: str) -> re.Pattern[str] | None:
        """A pattern that finds in a text, given in lower case, what the whole one finds; None where
        that finds nothing."""
        if lower not in self._texts:
            self._texts[lower] = self._cut(lower)
        return self._texts[lower]

    def _cut(self, lower: str) -> re.Pattern[str] | None:
        possible: set[_Branch] = set()
        if not self._possible(self._root, lower, possible):
            return None
        if self._compiled is None or not possible <= self._kept:
            self._kept |= possible
            self._compiled = re.compile(self._rendered(self._root), self._flags)
        return self._compiled

    def _possible(self, group: _Group, lower: str, found: set[_Branch]) -> bool:
        """Whether a branch of the group can match; those that can are added to ``found``."""
        if group.branches is None:
            group.branches = self._split(group.start, group.end)
        one = False
        for branch in group.branches:
            if branch.words is None:
                branch.words = self._words(branch)
            if not all(word in lower for word in branch.words):
                continue
            able = True
            for _, _, inner in branch.groups:
                if inner is not None and not self._possible(inner, lower, found):
                    able = able and not inner.required
            if able:
                found.add(branch)
                one = True
        return one

    def _split(self, start: int, end: int) -> list[_Branch]:
        """The alternatives in a part of the pattern, with the groups in them."""
        branches: list[_Branch] = []
        groups: list[tuple[int, int, _Group | None]] = []
        begin, depth, opened = start, 0, start
        for token in self._structure.finditer(self._pattern, start, end):
            sign = token[1]
            if sign == "(":
                if depth == 0:
                    opened = token.end() - 1
                depth += 1
            elif sign == ")":
                depth -= 1
                if depth == 0:
                    groups.append(self._group(opened, token.end() - 1))
            elif sign and depth == 0:
                branches.append(_Branch(begin, token.end() - 1, groups))
                begin, groups = token.end(), []
        branches.append(_Branch(begin, end, groups))
        return branches

    def _group(self, opened: int, closed: int) -> tuple[int, int, _Group | None]:
        opener = _OPENER.match(self._pattern, opened)
        if opener is None:  # what may not follow, what stands before, a reference
            return opened, closed, None
        required = _OPTIONAL.match(self._pattern, closed + 1) is None
        return opened, closed, _Group(opener.end(), closed, required)

    def _words(self, branch: _Branch) -> list[str]:
        """The words of a branch that do not stand in a group of it."""
        found, begin = [], branch.start
        for opened, closed in (*((one[0], one[1]) for one in branch.groups), (branch.end, 0)):
            for word, may_lack in self._word.findall(self._pattern, begin, opened):
                word = word[:-1] if may_lack else word
                if len(word) > 1:
                    found.append(word.lower())
            begin = closed + 1
        return found

    def _rendered(self, group: _Group) -> str:
        """The group without the branches that are not kept; their captures keep their numbers."""
        parts = []
        for branch in group.branches or ():
            if branch not in self._kept:
                captures = self._captures(branch)
                if captures:
                    parts.append(_NEVER + "".join(f"{opener})" for opener in captures))
                continue
            text, done = "", branch.start
            for _, _, inner in branch.groups:
                if inner is not None:
                    text += self._pattern[done : inner.start] + self._rendered(inner)
                    done = inner.end
            parts.append(text + self._pattern[done : branch.end])
        return "|".join(parts) if parts else _NEVER

    def _captures(self, branch: _Branch) -> list[str]:
        """What opens the capturing groups of a branch, in order."""
        if not branch.groups or not _CAPTURE.search(self._pattern, branch.start, branch.end):
            return []
        signs = self._structure.finditer(self._pattern, branch.start, branch.end)
        opened = [_CAPTURE.match(self._pattern, one.end() - 1) for one in signs if one[1] == "("]
        return [one[0] for one in opened if one is not None]
