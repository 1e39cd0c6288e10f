"""Of people and animals that are listed with their names each is a fact."""

from __future__ import annotations

import pytest

from thalamus.policy.language.reading import read


@pytest.mark.parametrize(
    ("message", "facts"),
    [
        (
            "We have a tortoise called Agnes, a parrot named Rico and a half-blind cat called Moss.",
            "cat Moss, parrot Rico, pet Agnes",
        ),
        ("I have a son called Leo and a daughter called Mia.", "daughter Mia, son Leo"),
        ("We have a very old deaf dog called Moss", "dog Moss"),
        ("I have a dog called Bo who hates a cat called Mia", "dislikes cat called Mia, dog Bo"),
        (
            "Wir haben eine Schildkröte namens Agnes, einen Papagei namens Rico und eine halbblinde Katze namens Moss.",
            "cat Moss, pet Agnes, pet Rico",
        ),
        ("Nous avons un chien qui s'appelle Rex et un chat appelé Mimi", "cat Mimi, dog Rex"),
        ("Tenemos un perro llamado Bo y una gata ciega llamada Mia.", "cat Mia, dog Bo"),
        ("Temos um cão chamado Rex e uma gata chamada Mia", "cat Mia, dog Rex"),
    ],
)
def test_everybody_of_a_list(message: str, facts: str) -> None:
    found = [f"{one.predicate} {one.object}" for one in read(message).statements]
    assert ", ".join(sorted(found)) == facts
