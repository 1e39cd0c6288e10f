"""A friend's dog is not the user's."""

from __future__ import annotations

import pytest

from thalamus.policy.language.reading import read


@pytest.mark.parametrize(
    ("message", "facts"),
    [
        ("I have a friend with a dog called Bo", []),
        ("I have a neighbour who has a cat called Tom.", []),
        ("I have a colleague whose dog is called Bo", []),
        ("I have a friend with a dog, he's called Bo", []),
        ("Yesterday I visited a friend with a dog called Bo.", []),
        ("I went for a walk with a dog called Bo", []),
        ("I met my neighbour who has a cat called Tom", []),
        ("My neighbour has a cat called Tom", ["user's neighbour cat Tom"]),
        (
            "My neighbour has a cat called Tom. My cat is 16.",
            ["user's neighbour cat Tom", "user's cat age 16", "user has cat"],
        ),
        ("We have a cat called Miso and a friend with a dog called Bo", ["user cat Miso"]),
        ("I live with my sister and a dog called Bo", ["user dog Bo"]),
        ("My partner and I have a cat called Miso", ["user cat Miso"]),
        ("We adopted a dog called Rex with our neighbours", ["user dog Rex"]),
        ("Ich habe eine Freundin mit einem Hund namens Bo", []),
        ("Ich habe einen Hund namens Bo", ["user dog Bo"]),
        ("J'ai une amie avec un chien qui s'appelle Bo", []),
        ("J'ai un chien qui s'appelle Bo", ["user dog Bo"]),
        ("Tengo un amigo con un perro que se llama Bo", []),
        ("Tenho um amigo com um cão chamado Bo", []),
        ("Tenho um cão chamado Bo", ["user dog Bo"]),
    ],
)
def test_whose_animal_it_is(message: str, facts: list[str]) -> None:
    found = [f"{one.subject} {one.predicate} {one.object}" for one in read(message).statements]
    assert found == facts
