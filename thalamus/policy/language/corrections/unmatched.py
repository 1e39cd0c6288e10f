"""What a message says by itself that sounds like a correction and corrects nothing that is known."""

from __future__ import annotations

from thalamus.policy.language.clauses import sentences
from thalamus.policy.language.corrections.draft import PARTS, core_of, draft_of
from thalamus.policy.language.corrections.excuses import is_remark


def strip_remarks(message: str) -> str:
    """A message that corrects nothing that is known, without remarks and without the fragments of
    a correction ("drums I mean"): what it says by itself."""
    text = " ".join(message.replace("’", "'").split())
    kept = [one for one in sentences(text) if not all(map(is_remark, _parts(one)))]
    said = [_without_fragment(one) for one in kept]
    same = said == list(sentences(text))
    return message if same else " ".join(one for one in said if one)


def _parts(sentence: str) -> list[str]:
    return [part for part in PARTS.split(sentence) if part.strip(" .,;:!")]


def _without_fragment(sentence: str) -> str:
    """A sentence without a beginning that says what was meant, in two or three words."""
    parts = _parts(sentence)
    draft = draft_of("", sentence)
    first = parts[0].strip(" .!") if parts else ""
    core = core_of(first, draft.signs)
    closed = draft.signs.closes.search(first) is not None and core != first
    if not closed or len(core.split()) > 3:
        return sentence
    left = sentence[sentence.find(parts[0]) + len(parts[0]) :].lstrip(" ,;:.!–—-")
    return left[:1].upper() + left[1:]
