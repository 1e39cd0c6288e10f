"""More turns of English put into plain words: who is whose, where one lived, what one cannot eat.

Pairs of a pattern and what is said instead, as for the idioms.
"""

from __future__ import annotations

from thalamus.policy.language.english_words import KIN_WORD, KIND, NAME

_FOOD = r"(?P<x>(?!(?:it|that|this|them|thanks|more|way|thank)\b)[a-z][\w-]*(?:\s(?!for\b|please\b)[a-z][\w-]*)?)"
_ALLERGIC = r"(?:because\s+|as\s+|since\s+|and\s+|but\s+|so\s+)?(?:I\s+am|we\s+are)\s+(?:\w+ly\s+)?(?:allergic|anaphylactic)(?:\s+to\s+(?:it|them|those|that))?"
_PLEASE = r"(?:,?\s+(?:please|thanks|thank\s+you|sadly|sorry|pls))*,?\s+"
_LIKED_TOPIC = r"^(?P<x>[\w'-]+(?:\s[\w'-]+){0,2}):\s+"
_NOT = r"(?:(?:no\s+thanks?(?:\s+you)?,?\s+)?not\s+(?:really\s+)?(?:my\s+(?:thing|cup\s+of\s+tea|style|bag)|for\s+me)|(?:I\s+)?(?:\w+ly\s+)?(?:hate|loathe|detest|cannot\s+stand)\s+(?:them|it)|never\s+liked|whoever\s+(?:invented|came\s+up\s+with)\s+(?:them|it|those|that)\b(?!.*\b(?:genius|hero|medal|saint|thank)))"
_HOUR = r"(?:\d{1,2}(?:[:.]\d\d)?(?:\s?(?:am|pm|o'clock))?|midnight|noon|dawn|half\s+past\s+\w+|(?:one|two|three|four|nine|ten|eleven|twelve)\b)"
_PLACE_OF_MINE = r"(?:my|our)\s+(?:[\w-]+\s+)?(?:shelf|shelves|bookshelf|bookcase|garage|garden|house|flat|attic|loft|basement|cellar|shed|driveway|living\s+room|bedroom|walls?|yard|balcony|study)"

TURNS = (
    # -- who somebody is -------------------------------------------------------------------------
    (rf"^my\s+name\s+is\s+(?P<x>{NAME}),\s+(?=(?:an?\s+)?(?:retired|former|\d\d\b|[a-z][\w-]+(?:\s[a-z][\w-]+)?\s+(?:from|in|at)\b))", r"I am \g<x>, "),
    (r"^(?:an?\s+)?(?P<x>(?:freelance|trainee|junior|senior|part-time|student|apprentice|self-employed)\s+(?:[a-z-]+\s+){0,2}?[a-z-]+(?:er|or|ist|ian|nurse|cook|chef|clerk|vet))\s+here\b", r"I am a \g<x>"),
    (rf"^(?:my\s+)?(?P<k>mum|mom|dad|hubby|wife|husband|gran|grandma|grandad|brother|sister|daughter|son)'s\s+(?:name\s+)?is\s+(?P<x>{NAME})$", r"my \g<k>'s name is \g<x>"),
    *(
        (rf"^my\s+{KIND}(?:sister|brother|sister-in-law|brother-in-law)(?:\s+{NAME})?(?:\s+and\s+(?:her|his)\s+\w+)?\s+(?:has\s+|have\s+)?(?:just\s+)?(?:had|gave\s+birth\s+to|given\s+birth\s+to|welcomed|adopted)\s+an?\s+(?:\w+\s+)?(?:{child})\b[^.;]*?\b(?:named|called|calling|naming|is\s+called)\s+(?:him\s+|her\s+|it\s+)?(?P<x>{NAME})", rf"my {kin} \g<x> was born")
        for kin, child in (("nephew", "boy|son"), ("niece", "girl|daughter"))
    ),
    (rf"^my\s+(?P<k>{KIND}(?:{KIN_WORD})(?:\s+{NAME})?)'s\s+birthday\s+is\s+(?:on\s+)?(?:the\s+)?", r"my \g<k> has a birthday on "),
    # -- homes and jobs --------------------------------------------------------------------------
    (r"^(?:my\s+|our\s+)?(?:new\s+|current\s+)?address(?:\s+(?:from|as\s+of)\s+(?:today|now\s+on|now|tomorrow))?(?:\s+is)?\s*:\s*", "my address is "),
    (r"^my\s+(?:old|last|previous|former|first)\s+job\s+was\s+(?:at|with|for|in)\s+", "I used to work at "),
    (r"^my\s+(?:old|last|previous|former|first)\s+job\s+was\s+(?:being\s+|as\s+)?(?=an?\s)", "I used to work as "),
    # -- what somebody has and does --------------------------------------------------------------
    (rf"^(?:there\s+)?(?:is|are)\s+(?P<x>(?:an?|two|three|four|five|six|about\s+\d+|over\s+\d+|\d+)\s+(?!(?:wasp|spider|mouse|fly|leak|noise|smell|draught|bug|error|file|problem|issue|typo|folder|function|test|hole|crack)s?\b)[\w' -]+?)\s+(?P<y>(?:on|in|under|at)\s+{_PLACE_OF_MINE})", r"I have \g<x> \g<y>"),
    (rf"\bnever\s+(?P<x>go\s+to\s+(?:bed|sleep)|get\s+up|wake\s+up|leave\s+work|get\s+home|eat\s+(?:breakfast|dinner|lunch))\s+before\s+(?={_HOUR})", r"\g<x> after "),
    (r"^(?P<x>(?:by|before|within)\s+(?:(?:the\s+)?end\s+of|next|christmas|easter|summer|winter|spring|autumn|20\d\d|age|my\s+\d+\w*|the\s+(?:summer|winter|spring|autumn|holidays)|(?:january|february|march|april|may|june|july|august|september|october|november|december)|(?:a|two|three|five|ten|\d+)\s+(?:years?|months))\b[\w ]*?),?\s+(?P<w>I|we)\s+(?:want|would\s+like|hope|aim|intend|plan)\s+to\s+(?:be\s+able\s+to\s+)?", r"\g<w> am planning to "),
    # -- tastes and what is not eaten ------------------------------------------------------------
    (rf"^(?:please\s+)?no\s+{_FOOD}\s+for\s+(?:me|us){_PLEASE}{_ALLERGIC}$", r"I am allergic to \g<x>"),
    (rf"^(?:I|we)\s+(?:love\s+\w+\s+but|cannot\s+(?:eat|have|touch|go\s+near)|do\s+not\s+(?:eat|have)|avoid|have\s+to\s+avoid|never\s+eat)\s+{_FOOD}{_PLEASE}{_ALLERGIC}$", r"I am allergic to \g<x>"),
    (rf"^(?:please\s+)?(?:leave\s+out|hold|skip|keep)\s+the\s+{_FOOD}(?:\s+away\s+from\s+me)?{_PLEASE}{_ALLERGIC}$", r"I am allergic to \g<x>"),
    (rf"{_LIKED_TOPIC}{_NOT}.*$", r"I dislike \g<x>"),
    (rf"{_LIKED_TOPIC}(?:I\s+)?(?:\w+ly\s+)?(?:love|adore)\s+(?:them|it)\b.*$", r"I love \g<x>"),
    (rf"{_LIKED_TOPIC}whoever\s+(?:invented|came\s+up\s+with)\s+(?:them|it|those|that)\b.*$", r"I love \g<x>"),
    (r"^give\s+me\s+(?P<x>(?!(?:the|that|this|these|your|it|one|more\s+time|a\s+(?:minute|second|moment|chance|hint|list|call|number|name))\b)[^.;:!?]+?),?\s+and\s+I\s+am\s+(?:the\s+happiest\b.*|happy|in\s+heaven|content|a\s+happy\s+\w+|happy\s+(?:as|for)\b.*)$", r"I love \g<x>"),
    (r"^(?:out\s+)?of\s+(?:my|our|all\s+(?:my|our|the))\s+[\w ]+?,?\s+(?:I|we)\s+(?:like|love)\s+(?P<x>(?!(?:the\s+)?(?:first|second|third|last|other|latter|former)\b)[\w' -]+?)\s+(?:the\s+)?(?:best|most)\b", r"I prefer \g<x>"),
)  # fmt: skip
