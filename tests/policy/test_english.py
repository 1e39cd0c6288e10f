"""The share of texts that are in English."""

import pytest

from thalamus.policy.english import share_in_english

pytestmark = pytest.mark.storeless


def test_statements_in_several_languages():
    english = ["My sister lives in a flat near the sea.", "I'm allergic to nuts, but not to milk."]
    others = [
        "Meine Schwester wohnt am Meer.",
        "Jestem uczulony na orzechy.",
        "Ma sœur habite près de la mer.",
        "妹は海の近くに住んでいます。",
        "Моя сестра живёт у моря.",
    ]
    assert share_in_english(english) == 1
    assert share_in_english(others) == 0
    assert share_in_english([*english, *others[:2], "?!"]) == 0.5
    assert share_in_english([]) == 1
