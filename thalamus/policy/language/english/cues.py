"""The English words by which a message says that it corrects the one before."""

from __future__ import annotations

from thalamus.policy.language.cues import Cues, ReplacementCues

CUES = Cues(
    opens=(
        r"no(?=$|\s*[,.:;!–—-]|\s+(?:(?-i:[A-ZÀ-Ý])|\d|wait|sorry|actually|not|it|he|she|they|we|i|that|this|the|an?|my|our|his|her|in|on|at|to|from|with|by|of|two|three|four|five|six|seven|eight|nine|ten|\w+day|typo|make|scrap|hang|hold|oops)\b)|"
        r"nope|nah|wait|sorry|oops|whoops|correction|scratch\s+that|scrap\s+that|strike\s+that|"
        r"forget\s+(?:that|it)|never\s?mind|hang\s+on|hold\s+on|my\s+(?:mistake|bad)|i\s+mean[t]?|"
        r"i\s+should\s+have\s+said|let\s+me\s+correct\s+that|i\s+misspoke|typo|"
        r"that(?:'s|\s+was|\s+is)\s+(?:wrong|not\s+right|a\s+typo)|"
        r"(?:the\s+)?(?:wrong|other)\s+way\s+(?:round|around)|the\s+other\s+way\s+(?:round|around)|"
        r"(?:i\s+)?(?:got|had)\s+(?:that|it|them)\s+(?:backwards|the\s+wrong\s+way\s+(?:round|around)|mixed\s+up)|"
        r"wrong\s+(?:name|day|date|word|number|one|person)|wrong|not\s+quite|make\s+(?:that|it)|"
        r"argh?|rather|turns\s+out(?:\s+that)?|(?:it|that)\s+should\s+(?:be|say|read)|"
        r"it\s+was\s+meant\s+to\s+be|well\s+actually|er+m?|meant|change\s+of\s+plans?"
    ),
    closes=(
        r"i\s+mean[t]?|to\s+be\s+(?:precise|exact|honest|fair)|nonsense|sorry(?:\s+about\s+that)?|"
        r"my\s+(?:bad|mistake)|oops|(?:lol\s+|haha\s+)?typo|autocorrect|i\s+misspoke|"
        r"(?:i\s+)?(?:am\s+|'m\s+)?(?:not\s+sure|no\s+idea|don't\s+know|dunno)\s+why\s+i\s+.*|"
        r"(?:i\s+)?got\s+(?:that|it|the\s+\w+)\s+(?:wrong|backwards|mixed\s+up)"
    ),
    rather=(
        r"actually|really|in\s+fact|now|by\s+now|as\s+of\s+\w+|these\s+days|instead|though|only|"
        r"just|already|rather|probably|i\s+think|i\s+believe"
    ),
    surely=(
        r"actually|in\s+fact|now|instead|"
        r"it\b.*\b(?:moved|changed|pushed|put|postponed|rescheduled|shifted)\b.*\bto|"
        r"(?:moved|changed|pushed|put|postponed|rescheduled|shifted)\s+it\b.*\bto"
    ),
    since=r"now|by\s+now|these\s+days",
    is_=(
        r"(?:i|he|she)(?:'ve|'s|\s+have|\s+has)?\s+(?:just\s+)?turned|"
        r"(?:(?:it|that)(?:'s|\s+(?:has|was|got|is))*\s+(?:just\s+)?(?:been\s+)?(?:moved|changed|pushed|put|brought|postponed|rescheduled|shifted)|(?:they|we)(?:'ve|\s+have)?\s+(?:just\s+)?(?:moved|changed|pushed|put|brought|postponed|rescheduled|shifted)\s+it)\s+(?:back\s+|forward\s+)?(?:to|till|until)|"
        r"(?:it|that|this|he|she|they|we|i|there|name|which)(?:'s|'re|'m|\s+is|\s+are|\s+am|\s+was|\s+were)|"
        r"its|theyre|he\s?s|is|are|was|make\s+(?:that|it)|should\s+(?:be|say|read)|"
        r"(?:it's\s+|it\s+is\s+|is\s+)?(?:spelled|spelt|written|pronounced|called|named)(?:\s+(?:as|like))?|"
        r"the\s+right\s+\w+\s+is|turns|(?:(?:the\s+)?last|first)\s+(?:\w+\s+)?digits?\s+(?:are|is)"
    ),
    not_=(
        r"(?:(?:it|that|this|he|she|they|we|i)(?:'s|'re|'m|\s+is|\s+are|\s+am|\s+was)?\s+)?not|"
        r"(?:(?:it|that|this|he|she|they|we|i)\s+)?(?:isn't|aren't|wasn't|don't|doesn't|didn't|ain't)|"
        r"instead\s+of"
    ),
    but="but|it's|its|rather",
    after_all=(
        r"after\s+all|turns\s+out|any\s?more|scrap\s+that|scratch\s+that|forget\s+(?:that|it)|"
        r"never\s?mind|change\s+of\s+plans?"
    ),
    cancelled=(
        r"^false\s+alarm|^(?:all\s+)?(?:cancell?ed|called\s+off|scrapped)|"
        r"(?:i|we|they|i've|we've|have)\s+(?:\w+\s+)?(?:decided|voted)\s+against|"
        r"(?:i|we|they|i've|we've)\s+(?:turned\s+(?:it|them)\s+down|(?:pulled|backed|dropped)\s+out|changed\s+(?:my|our)\s+minds?)|"
        r"changed\s+(?:my|our)\s+minds?|"
        r"(?:is|was|been|got|it's|its|that's|they've|we've|have|i've)\s+(?:just\s+|all\s+)?(?:been\s+)?(?:cancell?ed|called\s+(?:it\s+)?off|scrapped)|"
        r"fell\s+through|is\s+off|\w+'s\s+off|not\s+happening"
    ),
    stays=r"(?:i'm|we're|i\s+am|we\s+are)\s+(?:just\s+)?staying|(?:i'll|we'll|we|i)\s+stay",
)
REPLACEMENT_CUES = ReplacementCues(
    opens=(
        r"(?:no|nope|wait|sorry|oops|actually|correction|scratch\s+that|hang\s+on|my\s+mistake|"
        r"my\s+bad|i\s+mean|i\s+meant|scrap\s+that|strike\s+that|whoops|ugh|oh|well|hmm|"
        r"let\s+me\s+correct\s+that|i\s+misspoke|that\s+was\s+wrong|that's\s+wrong|not\s+quite|"
        "typo)"
    ),
    is_=(
        r"(?:it\s+is|it's|its|that\s+is|that's|make\s+that|i\s+(?:meant|mean)|should\s+be|"
        r"i\s+should\s+have\s+said|(?:he|she)(?:\s+is|'s)|they\s+are|on|at|in|to)"
    ),
    not_=r"(?:and\s+|it\s+is\s+|it's\s+)?not",
    but="but",
    meant=r"i\s+(?:wrote|said|typed|put)\s+(?P<wrong>{w})\s+but\s+(?:i\s+)?meant\s+(?P<right>{w})",
)
