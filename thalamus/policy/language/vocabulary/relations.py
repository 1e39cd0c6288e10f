"""Relations that are over, by the word in front of them: an ex-wife is no wife, a former boss no boss."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

# the relations that end while both live
_ENDING = frozenset(
    "wife husband partner girlfriend boyfriend fiance boss colleague neighbour flatmate landlord "
    "teacher".split()
)


def with_ended(
    kin: Mapping[str, str], ex: Iterable[str], former: Iterable[str] = ()
) -> dict[str, str]:
    """The words for relations together with those for ended ones: "ex-boss" is ``ex_boss``,
    "former boss" ``former_boss``. ``ex`` and ``former`` are what stands in front of them."""
    ended = {
        f"{before}{word}": f"{stem}_{relation}"
        for stem, words in (("ex", ex), ("former", former))
        for before in words
        for word, relation in kin.items()
        if relation in _ENDING
    }
    return {"ex": "ex_partner", **ended, **kin}
