"""How large a model is, by what it is called."""

import pytest

from thalamus.policy.model_size import billions, is_small

pytestmark = pytest.mark.storeless


@pytest.mark.parametrize(
    ("labels", "size"),
    [
        (("1.5B",), 1.5),
        (("135M",), 0.135),
        (("8x7B",), 56.0),
        (("", "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf"), 1.5),
        (("", "qwen3:4b"), 4.0),
        (("", "gpt-4o-mini"), None),
        (("", "llama3.2:latest"), None),
        (("", "phi-q4_k_m"), None),
    ],
)
def test_the_parameters_are_in_the_label_or_the_name(
    labels: tuple[str, ...], size: float | None
) -> None:
    assert billions(*labels) == size


def test_a_model_of_four_billion_parameters_is_not_small() -> None:
    assert is_small("3.8B") is True
    assert is_small("qwen3:4b") is False
    assert is_small("mistral") is None
