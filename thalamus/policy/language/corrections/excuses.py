"""What people say around a correction and nobody has to remember: "I always mix that up", "my bad"."""

from __future__ import annotations

import re

from thalamus.policy.language.patterns import LazyPattern

MOST = 14  # words of a remark
_THEM = r"(?:it|that|this|these|those|them|th[eo]se\s+two|the\s+two|both|their\s+names|the\s+names?|the\s+dates?|the\s+days?|names|dates|numbers)"
# whole parts of a message, so that "I mix cocktails" is not one
_REMARKS = LazyPattern(
    "|".join(
        (
            rf"(?:I|i)(?:'m|\s+am)?\s+(?:(?:just|always|keep|kept|forever|constantly|must\s+have|have|just)\s+)*(?:mix|mixing|mixed|get|getting|got|muddl\w+|confus\w+)\s+{_THEM}(?:\s+(?:up|wrong|backwards|mixed\s+up|confused|all|muddled|every\s+time|all\s+the\s+time|again|too))*",
            rf"(?:I|i)(?:'m|\s+am)?\s+(?:(?:just|always|keep|must\s+have|have|obviously|clearly|totally)\s+)*(?:miscount\w*|misread\w*|misspok\w*|mistyp\w+|misremember\w*|forget(?:ting)?|forgot)\b(?:\s+(?:{_THEM}|the\s+calendar))?|(?:I\s+)?(?:misread|mistyped|misheard|misremembered|mixed\s+up)(?:\s+(?:the|my|our)\s+\w+)?|(?:I|i)(?:\s+just)?\s+(?:looked\s+it\s+up|checked)(?:\s+again)?",
            r"(?:I|i)\s+was\s+looking\s+at\s+(?:the\s+wrong|last\s+(?:week|month|year)'s)\s+.*",
            r"(?:I|i)\s+had\s+the\s+wrong\s+\w+(?:\s+in\s+(?:my\s+)?(?:head|mind))?",
            r"(?:(?:I|i)\s+)?(?:can't|cannot|cant)\s+(?:type|spell|count|read|think(?:\s+straight)?)(?:\s+(?:today|right\s+now|apparently))?",
            r"(?:I|i)\s+(?:(?:don't|do\s+not)\s+know|(?:have|'ve)\s+no\s+idea)\s+(?:why|how|what)\s+I\b.*|no\s+idea\s+(?:why|how|what)\s+I\b.*",
            r"what\s+(?:was|am)\s+I\s+(?:thinking|saying|on\s+about|talking\s+about)",
            r"(?:my|this|the)\s+(?:stupid\s+|silly\s+|damn\s+|bloody\s+)?(?:phone|keyboard|auto-?correct|spell-?check(?:er)?|brain|head|fingers?|memory|thumbs?|calendar)\s+(?:\w+\s+)*(?:(?:does|did|changed|changes|corrects|corrected|hates?|strikes|struck)\b.*|keeps?\s+(?:doing|chang|correct)\w*\b.*|today)|my\s+(?:brain|head)\s+(?:is|isn't|was|wasn't)\b.*",
            r"(?:stupid\s+|damn\s+|bloody\s+|silly\s+)?(?:auto-?correct|keyboard|typo|fat\s+fingers?|brain\s+fart)\b.*",
            r"(?:sorry|apologies|pardon)(?:\s+(?:about|for)\s+.*)?|my\s+(?:bad|mistake|fault)|silly\s+me|i'm\s+(?:so\s+)?(?:tired|confused|half\s+asleep)(?:\s+today)?",
            r"ich\s+(?:verwechs\w+|vertausch\w+|vertipp\w*|bring\w*|hab\w*)\s+(?:das|die|den|sie|es|da|mich|beide\w*|immer|ständig|wieder|dauernd|alles|was|etwas|die\s+beiden)\b(?:\s+(?:das|die|beiden|immer|ständig|wieder|dauernd|mal|alles|was|etwas|durcheinander|durcheinandergebracht|verwechselt|vertauscht|vertippt|verschrieben|vertan|verlesen|verzählt|geirrt))*",
            r"ich\s+(?:war|bin)\s+(?:(?:heute|wohl|gerade|noch|mit|in|den|nicht|ganz)\s+)*(?:gedanken|woanders|wach|durcheinander|verwirrt|bei\s+der\s+sache)\b.*",
            r"(?:ich\s+hab\w*\s+)?keine\s+ahnung,?\s+(?:wie|warum|wieso)\b.*|wie\s+(?:komm|kam)\w*\s+ich\s+(?:denn\s+)?(?:nur\s+)?darauf|was\s+(?:rede|red|schreib\w*)\s+ich\s+.*|wo\s+hab\w*\s+ich\s+.*kopf.*",
            r"(?:die|meine|diese|blöde|mein|das|dieses)?\s*(?:blöde\s+)?(?:autokorrektur|rechtschreibhilfe|tastatur|tippfehler|handy)\b(?:\s+(?:macht|hat|war|ist|mal|schon|wieder|sorry|spinnt|hasst)\b.*)?",
            r"(?:(?:yo|eu)\s+)?(?:siempre|sempre)\s+(?:(?:me|los|las|lo|os|as)\s+)*(?:confund\w+|equivoc\w+|lío|mezclo|troco|engano|enganei)\b.*",
            r"(?:me\s+)?(?:confundí|equivoqué|confundi|enganei)(?:-me)?\b(?:\s+(?:de|com)\s+\w+)?|en\s+qué\s+estaría\s+pensando|en\s+qué\s+estaba\s+pensando|onde\s+é\s+que\s+eu\s+tinha\s+a\s+cabeça",
            r"(?:el|o|este|le)\s+(?:corrector|corretor|correcteur|teclado|clavier)\b.*|(?:perdón|desculpa|désolée?)\s+(?:por|pela|pour)\s+.*",
            r"je\s+(?:(?:les|me|le|la)\s+)?(?:confonds|trompe|mélange)\b.*|(?:mais\s+)?où\s+(?:avais-je|j'avais)\s+la\s+tête|je\s+sais\s+pas\s+pourquoi\s+j'ai\s+.*",
        )
    ),
    re.I,
)  # fmt: skip
_BEFORE = LazyPattern(
    r"^(?:and|but|cos|because|sorry|oh|ugh|haha|lol|und|aber|y|et|e|pero|mais|mas)\b[\s,]+", re.I
)
# what explains a mistake only next to a correction
_WHY = LazyPattern(
    r"(?:I|i)\s+(?:was|must\s+have\s+been)\s+(?:looking\s+at|thinking\s+(?:of|about))\s+.*|ich\s+(?:war|hab\w*)\s+.*\bgedacht|"
    r"(?:she|he|they)(?:'d|'ll|\s+would|\s+will)\s+(?:kill|murder|never\s+forgive)\s+me\b.*|don't\s+tell\s+\w+|estaba\s+pensando\s+en\s+.*|"
    r"je\s+pensais\s+à\s+.*|estava\s+(?:a\s+pensar|pensando)\s+em\s+.*",
    re.I,
)
# of what it is, only the message before it tells: "the others are fine", "22 is right"
_BEYOND = LazyPattern(
    r"(?:the\s+)?(?:others?|rest)\s+(?:is|are)\b.*|(?:die\s+)?ander\w+\s+(?:gehen|sind|vertrage)\b.*|(?:der\s+)?rest\s+(?:geht|stimmt|ist)\b.*|"
    r"(?:los|las|el|le|les|o|os|as)?\s*(?:demás|otr[oa]s|resto|autres|reste|outr[oa]s)\b.*|"
    r"(?:the\s+)?(?:rest|number|name|address|street|day|date|time|no\.?)?\s*\S*\s*(?:is|are|was|were)\s+(?:right|correct|fine)(?:\s+though)?|"
    r"(?:\w+\.?\s+)?\S+\s+(?:stimmt|stimmen|passt)(?:\s+(?:aber|schon|so|noch))*|only\s+(?:that|those)",
    re.I,
)  # fmt: skip


def is_remark(part: str) -> bool:
    """Whether a part of a message only says how a mistake came about, or that one is sorry."""
    whole = part.replace("’", "'").strip(" .,;:!?…–-()*")
    said = _BEFORE.sub("", whole)
    fits = any(_REMARKS.fullmatch(one) is not None for one in (whole, said))
    return fits and len(whole.split()) <= MOST


def is_excuse(part: str) -> bool:
    """Whether a part says nothing without the correction that it goes with: why there was a mistake,
    or that something else was right."""
    said = part.strip(" .,;:!")
    return is_remark(said) or any(one.fullmatch(said) for one in (_WHY, _BEYOND))
