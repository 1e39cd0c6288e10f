"""Places without capitals."""

from __future__ import annotations

from importlib import metadata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import make_places
from thalamus.text.places import with_capitals

pytestmark = pytest.mark.storeless


@pytest.mark.parametrize(
    ("text", "language", "written"),
    [
        ("from ghent, belgium to the hague", "en", "from Ghent, Belgium to The Hague"),
        ("san Jose", "en", "San Jose"),  # a given name has its capital already
        ("rio de janeiro", "es", "Rio de Janeiro"),
        ("zurich malmö", "en", "Zurich Malmö"),
        ("nice", "en", "nice"),
        ("nice", "fr", "Nice"),
        ("GHENT Ghent", "en", "GHENT Ghent"),
    ],
)
def test_a_place_gets_its_capitals(text: str, language: str, written: str) -> None:
    assert with_capitals(text, language) == written


@given(st.text(max_size=40), st.sampled_from(["ghent", "new york", "são paulo"]))
def test_nothing_but_capitals_changes(noise: str, place: str) -> None:
    text = f"{noise} {place}"
    assert with_capitals(text, "en").casefold() == text.casefold()


def test_the_places_are_those_of_the_generator() -> None:
    for package, version in make_places.VERSIONS.items():
        pytest.importorskip(package)
        if metadata.version(package) != version:
            pytest.skip(f"the names are those of {package} {version}")
    assert make_places.made() == make_places.PLACE.read_text(encoding="utf-8")
