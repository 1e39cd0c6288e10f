"""Calls that models write into their text, as real ones wrote them."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thalamus.models.written_calls import WrittenCalls, read_calls

pytestmark = pytest.mark.storeless

NAMES = {"calculate", "memory_query"}
CALL = '{"name": "calculate", "arguments": {"expression": "17 * 23"}}'
ARGUMENTS = '{"expression": "17 * 23"}'
TAGS = ["<tool_call>", "</tool_call>", "<tool", "_call>", "```", "json", "```python\n", "\n", " "]
BITS = st.sampled_from([*TAGS, CALL, "{", "[", "]", "}", "words", '{"name": "calculate"}'])


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        (CALL, ""),
        (f"```json\n{CALL}\n```", ""),
        (f"```\n{CALL}\n```", ""),
        (f"<tool_call>\n{CALL}\n</tool_call>", ""),
        (f"<tool_call>\n{CALL}", ""),
        (f"{{{CALL}", ""),  # what Qwen2.5-Coder-1.5B makes of the braces in its template
        (f"{{{CALL}}}", ""),
        (f"[{CALL}]", ""),
        (f"[{CALL}", ""),
        (CALL.removesuffix("}"), ""),
        (CALL.removesuffix("}}"), ""),
        (f"```json\n{CALL.removesuffix('}')}\n```", ""),
        (f"```json\n{CALL}\n```\nThe result is 391.", "The result is 391."),
        (f"I will work that out.\n\n```json\n{CALL}\n```", "I will work that out."),
        (f"I will work that out.\n{CALL}", "I will work that out."),
        (f"Yes: <tool_call>{CALL}</tool_call>", "Yes:"),
        ('{"type":"function","function":' + CALL + "}", ""),
        ('{"tool": "calculate", "args": {"expression": "17 * 23"}}', ""),
        ('{"name": "calculate", "parameters": {"expression": "17 * 23"}}', ""),
        ('{"name": "calculate", "arguments": "{\\"expression\\": \\"17 * 23\\"}"}', ""),
    ],
)
def test_a_call_is_found(text, rest):
    assert read_calls(text, NAMES) == (rest, [("calculate", ARGUMENTS)])


@pytest.mark.parametrize(
    "text",
    [
        f"<tool_call>\n{CALL}\n</tool_call>\n<tool_call>\n{CALL}\n</tool_call>",
        f"<tool_call>{CALL}<tool_call>{CALL}",
        f"```json\n{CALL}\n{CALL}\n```",
        f"```json\n{CALL}\n```\n\n```json\n{CALL}\n```",
        f"[{CALL}, {CALL}]",
    ],
)
def test_several_calls_are_found_in_order(text):
    assert read_calls(text, NAMES) == ("", [("calculate", ARGUMENTS)] * 2)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "391",
        "Call calculate.",
        '{"name": "goodnight", "arguments": null}',
        '{{"name": "joke", "arguments": {"joke": "Why did the cat cross the road?"}}}',
        '```json\n{"answer": 391}\n```',
        f"[{CALL}, 3]",
        "```python\nprint(17 * 23)\n```",
        "<tool_call>\n</tool_call>",
        "[1, 2]",
        "{broken",
        CALL.removesuffix('"}}'),
        "{}",
    ],
)
def test_what_is_no_call_stays_text(text):
    assert read_calls(text, NAMES) == (text, [])


def test_between_tags_what_is_wrong_is_kept_for_the_model_to_be_told():
    broken = '<tool_call>\n{"name": "calculate", "arguments": {"expression": "1 +}\n</tool_call>'
    assert read_calls(broken, NAMES) == ("", [("calculate", '{"expression": "1 +}')])
    other = '<tool_call>{"name": "shell", "arguments": {"run": "ls"}}</tool_call>'
    assert read_calls(other, NAMES) == ("", [("shell", '{"run": "ls"}')])


def test_text_streams_up_to_where_a_call_may_begin():
    seen = []
    written = WrittenCalls(NAMES, seen.append)
    for piece in ["Let me", " see.\n", "``", "`json", "\n", CALL, "\n```"]:
        written.feed(piece)
    assert written.close("Let me see.\n```json\n" + CALL + "\n```") == (
        "Let me see.",
        [("calculate", ARGUMENTS)],
    )
    assert [text for text in seen if text] == ["Let me", " see.\n"]
    assert seen.count("") >= 3, "it can be stopped while it is held back"


def test_a_block_of_code_streams_and_what_is_held_back_for_nothing_comes_at_the_end():
    seen = []
    written = WrittenCalls(NAMES, seen.append)
    text = "```python\nprint(1)\n```\nor {1} < 2:\n{2: 3}\nyes"
    for piece in text:
        written.feed(piece)
    assert "".join(seen) == text[: text.index("{2")]
    assert written.close(text) == (text, [])
    assert "".join(seen) == text


@given(st.lists(BITS, max_size=10), st.lists(st.integers(0, 120), max_size=8))
def test_pieces_make_no_difference_and_nothing_is_shown_twice(bits, cuts):
    text = "".join(bits)
    edges = sorted({0, len(text), *(min(cut, len(text)) for cut in cuts)})
    whole, cut = [], []
    once, often = WrittenCalls(NAMES, whole.append), WrittenCalls(NAMES, cut.append)
    once.feed(text)
    for start, end in pairwise(edges):
        often.feed(text[start:end])
    rest, calls = once.close(text)
    assert (rest, calls) == often.close(text)
    if calls:
        assert text.startswith("".join(whole)) and text.startswith("".join(cut))
    else:
        assert rest == text == "".join(whole) == "".join(cut)
