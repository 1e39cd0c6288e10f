"""One value of a YAML file is changed, and nothing else."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from thalamus.errors import UsageError
from thalamus.yaml_edit import with_value, without_value

pytestmark = pytest.mark.storeless

FILE = """\
# who I am
user: ana   # not my real name

model: "ollama:big"  # the large one
models:  # per role
  # reflection is slow
  reflect: ollama:small

  plan: {provider: x}
# how much
temperature: 0.5
"""


@pytest.mark.parametrize(
    ("path", "value", "old", "new"),
    [
        ("user", "bo", "user: ana  ", "user: bo  "),
        ("model", "auto", '"ollama:big"  #', "auto  #"),
        (
            "models.reflect",
            "ollama:qwen3:4b",
            "reflect: ollama:small\n",
            "reflect: ollama:qwen3:4b\n",
        ),
        ("models.answer", "x", "{provider: x}\n", "{provider: x}\n  answer: x\n"),
        ("models.plan.size", 7, "{provider: x}", "{provider: x, size: 7}"),
        ("temperature", 0, "0.5\n", "0\n"),
        ("session", "tea", "0.5\n", "0.5\nsession: tea\n"),
        ("flows.mine", ["a", "b"], "0.5\n", "0.5\nflows:\n  mine: [a, b]\n"),
        (
            "models",
            {"plan": "y"},
            "models:  # per role\n  # reflection is slow\n  reflect: ollama:small\n\n"
            "  plan: {provider: x}\n",
            "models: {plan: y}  # per role\n",
        ),
    ],
)
def test_set(path: str, value: object, old: str, new: str) -> None:
    assert with_value(FILE, path.split("."), value) == FILE.replace(old, new)


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("user", "user: ana   # not my real name\n", ""),
        ("models.reflect", "  reflect: ollama:small\n", ""),
        ("models.plan", "  plan: {provider: x}\n", ""),
        ("models.plan.provider", "  plan: {provider: x}\n", ""),
        (
            "models",
            "models:  # per role\n  # reflection is slow\n  reflect: ollama:small\n\n"
            "  plan: {provider: x}\n",
            "",
        ),
        ("temperature", "temperature: 0.5\n", ""),
    ],
)
def test_unset(path: str, old: str, new: str) -> None:
    assert without_value(FILE, path.split(".")) == FILE.replace(old, new)


@pytest.mark.parametrize("path", ["agent", "models.answer", "user.x", "models.plan.provider.x"])
def test_nothing_to_unset(path: str) -> None:
    assert without_value(FILE, path.split(".")) is None


@pytest.mark.parametrize(
    ("text", "path", "value", "after"),
    [
        ("", "user", "a", "user: a\n"),
        ("# only a comment", "user", "a", "# only a comment\nuser: a\n"),
        ("---\n", "user", "a", "---\nuser: a\n"),
        ("user:", "user", "a", "user: a"),
        ("user:   # nobody\n", "user", "a", "user: a   # nobody\n"),
        ("models:\n", "models.plan", "a", "models: {plan: a}\n"),
        ("models: {}\n", "models.plan", "a", "models: {plan: a}\n"),
        ("a: 1\r\nb: 2\r\n", "c", 3, "a: 1\r\nb: 2\r\nc: 3\r\n"),
        ("a: |\n  one\n  two\nb: 2\n", "a", "x", "a: x\nb: 2\n"),
        ("a:\n  - 1\n  - 2\nb: 2\n", "a", [3], "a: [3]\nb: 2\n"),
        ('{"a": 1}', "b", True, '{"a": 1, b: true}'),
        ('{\n  "a": 1,\n  "b": {"c": 2}\n}\n', "b.c", 3, '{\n  "a": 1,\n  "b": {"c": 3}\n}\n'),
        ("a: 1\na: 2\n", "a", 3, "a: 1\na: 3\n"),
        ("a: x\n", "a", "yes", "a: 'yes'\n"),
        ("a: x\n", "a", "b: c # d", "a: 'b: c # d'\n"),
        ("a: x\n", "a", "", "a: ''\n"),
        ("é: ü\na: x\n", "a", "日本", "é: ü\na: 日本\n"),
        ("m:\n    deep: 1\n", "m.more", 2, "m:\n    deep: 1\n    more: 2\n"),
    ],
)
def test_however_it_is_written(text: str, path: str, value: object, after: str) -> None:
    assert with_value(text, path.split("."), value) == after


@pytest.mark.parametrize(
    ("text", "path", "after"),
    [
        ("{a: 1, b: 2, c: 3}", "b", "{a: 1, c: 3}"),
        ("{a: 1, b: 2}", "b", "{a: 1}"),
        ("a: 1\nb: 2\na: 3\n", "a", "b: 2\n"),
        ("models: {plan: x}\nuser: a\n", "models.plan", "user: a\n"),
        ("models:\n  plan: x", "models.plan", ""),
        ("a:\nb: 1\n", "a", "b: 1\n"),
    ],
)
def test_unset_however_it_is_written(text: str, path: str, after: str) -> None:
    assert without_value(text, path.split(".")) == after


@pytest.mark.parametrize(
    ("text", "path", "words"),
    [
        ("- a\n", "user", "not a mapping"),
        ("user: a\n", "user.name", "user is not a mapping: it has no 'name'"),
        ("a: &x {b: 1}\nc: *x\n", "c.b", "cannot be edited here"),
        ("a: 1\n...\n", "b", "cannot be edited here"),
    ],
)
def test_what_cannot_be_edited_is_left(text: str, path: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        with_value(text, path.split("."), "x")


def test_what_cannot_be_removed_is_left() -> None:
    with pytest.raises(UsageError, match="cannot be edited here"):
        without_value("{model: scripted, }", ["model"])


NAMES = st.sampled_from(["user", "model", "models", "flows", "a b", "ü", "yes"])
SCALARS = st.one_of(
    st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=12),
    st.integers(-5, 5),
    st.booleans(),
    st.floats(allow_nan=False, allow_infinity=False),
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3)
)


@settings(max_examples=50)
@given(
    st.dictionaries(NAMES, VALUES, max_size=4),
    st.lists(NAMES, min_size=1, max_size=3),
    SCALARS,
    st.booleans(),
)
def test_any_file_that_is_dumped_can_be_changed_and_changed_back(
    before: dict[str, object], path: list[str], value: object, flow: bool
) -> None:
    text = yaml.safe_dump(before, allow_unicode=True, default_flow_style=flow)
    lines = [f"# a comment {n}" for n in range(3)]
    text = "\n".join([lines[0], *text.splitlines(), lines[1], lines[2], ""])
    try:
        changed = with_value(text, path, value)
    except UsageError as error:
        assert "is not a mapping" in error.message
        return
    assert all(line in changed for line in lines)
    shorter = without_value(changed, path)
    assert shorter is not None and all(line in shorter for line in lines)
