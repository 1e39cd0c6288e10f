"""The project that a message introduces, and what names one."""

from __future__ import annotations

import pytest

from thalamus.policy.projects import introduced, is_named, meant, near
from thalamus.records import Project


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("I'm working on a project called Herb Garden.", "Herb Garden"),
        ("I am working on a new project called Blue Lantern and it is fun.", "Blue Lantern"),
        ("We've started a project named “Sea of Glass” last week.", "Sea of Glass"),
        ("My new side project is called thalamus.", "thalamus"),
        ("My project Blue Lantern is nearly done.", "Blue Lantern"),
        ("I've started another project, Score Scanner, a Python script.", "Score Scanner"),
        ("I'm working on a new project: Bee Log.", "Bee Log"),
        ("Our project's called Café Zürich!", "Café Zürich"),
        ("Mein neues Projekt heißt Laubfrosch.", "Laubfrosch"),
        ("Ich arbeite an einem Projekt namens Roter Faden.", "Roter Faden"),
        ("Mi proyecto se llama Luna Nueva.", "Luna Nueva"),
        ("Je travaille sur un nouveau projet appelé Grand Large.", "Grand Large"),
        ("Estou trabalhando num projeto chamado Maré Alta.", "Maré Alta"),
    ],
)
def test_a_message_that_introduces_a_project(message: str, name: str) -> None:
    found = introduced(message)
    assert found is not None and found[0] == name and name in found[1].replace("’", "'")


@pytest.mark.parametrize(
    "message",
    [
        "Is my project called Herb Garden?",
        "What if my project was called Herb Garden?",
        "My sister's project is called Herb Garden.",
        "Should I name my project Herb Garden?",
        "I'm not working on a project called Herb Garden.",
        "My project is late.",
        "I have a project, Monday is the deadline.",
        "My project manager is called Tom.",
        "I have a lot of projects.",
        "Tell me about the Manhattan Project.",
        "The project is called off.",
        "lol my project is called Disaster, obviously",
        "Imagine I'm working on a project called Herb Garden.",
    ],
)
def test_a_message_that_introduces_none(message: str) -> None:
    assert introduced(message) is None


def test_what_names_a_project() -> None:
    garden, single = Project(name="Herb Garden", id="prj_1"), Project(name="Lantern", id="prj_2")
    assert is_named(garden, "The herb  GARDEN needs rain.")
    assert is_named(garden, "Nothing.", topic="herb garden")
    assert not is_named(garden, "The garden has herbs.")
    assert is_named(single, "The Lantern is nearly done.")
    assert not is_named(single, "They carried a lantern and two Lanterns.")


def test_the_project_that_is_meant() -> None:
    there = [Project(name="Herb Garden", id="prj_ab1"), Project(name="Kitchen", id="prj_ab2")]
    assert [one.name for one in meant(there, "herb GARDEN")] == ["Herb Garden"]
    assert [one.name for one in meant(there, "prj_ab2")] == ["Kitchen"]
    assert len(meant(there, "prj_ab")) == 2 and meant(there, "") == []
    assert near(there, "kitchn") == ["Kitchen"]
    assert near(there, "zzz") == ["Kitchen", "Herb Garden"]
