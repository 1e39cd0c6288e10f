"""German, as the grammar of plain statements reads it (in the making)."""

from thalamus.policy.language.english import LEXICON as _ENGLISH

LEXICON = _ENGLISH
