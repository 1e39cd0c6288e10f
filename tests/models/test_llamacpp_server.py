"""Which slot of llama.cpp a prompt goes to."""

import pytest

from thalamus.models.llamacpp_server import Settings, slot_of

pytestmark = pytest.mark.storeless


def test_prompts_that_begin_alike_share_a_slot() -> None:
    settings = Settings("one.gguf", 4096, 1, False, 3)
    assert [slot_of(settings, text) for text in "abcab"] == [0, 1, 2, 0, 1]


def test_the_slot_used_longest_ago_is_taken_for_a_new_beginning() -> None:
    settings = Settings("two.gguf", 4096, 1, False, 2)
    assert [slot_of(settings, text) for text in "abacab"] == [0, 1, 0, 1, 0, 1]


def test_a_model_that_remembers_nothing_has_one_slot() -> None:
    settings = Settings("three.gguf", 4096, 1, False)
    assert [slot_of(settings, text) for text in "aba"] == [0, 0, 0]
