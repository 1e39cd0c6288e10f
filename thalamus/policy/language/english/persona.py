"""How English tells the assistant who it is and how it should speak."""

from __future__ import annotations

from thalamus.policy.language.patterns import on_one_line
from thalamus.policy.language.persona import NAME, PersonaForms

_A_BIT = (
    r"(?:a\s+(?:bit|little)\s+|very\s+|really\s+|quite\s+|more\s+|rather\s+|just\s+|so\s+|too\s+)*"
)
_ANSWERS = r"(?:(?:your|the)\s+)?(?:answers?|repl(?:y|ies)|responses?|messages|explanations)"
_YOURS = r"your\s+(?:answers?|repl(?:y|ies)|responses?|messages|explanations)"
_USE = r"(?:use|write|send|add|include|put)"
_NO = rf"(?:do\s+not\s+{_USE}(?:\s+any)?|avoid(?:\s+using)?|stop\s+(?:using|with)(?:\s+the)?|no(?:\s+more)?|leave\s+out(?:\s+the)?)"
_IN = rf"(?:\s+(?:in\s+{_ANSWERS}|in\s+your\s+messages|when\s+you\s+(?:write|talk|speak)(?:\s+(?:to|with)\s+me)?|any\s*more|again))?"
_SHORT = r"(?:short|shorter|brief|briefer|concise|more\s+concise|compact|to\s+the\s+point|terse)"
_LONG = r"(?:long|longer|detailed|more\s+detailed|in-depth|thorough|more\s+thorough|elaborate)"
_ROLE = (
    r"(?:assistant|helper|coach|tutor|teacher|secretary|companion|butler|editor|mentor|adviser|"
    r"advisor|guide|translator|interpreter|librarian|trainer|instructor|sous\s+chef|co-?pilot|buddy|"
    r"partner|consultant|proofreader|sparring\s+partner|storyteller|concierge)"
)
# praise and blame are no roles
_KIND = (
    r"(?:(?!(?:good|great|best|better|bad|worst|real|true|nice|lovely|wonderful|terrible|awful|amazing|perfect|useless|"
    r"favou?rite|new|old|only|first|very|own|dear|helpful|smart|clever|stupid|lazy|dumb|fantastic|excellent|other|last)\b)"
    r"[\w'-]+\s+){0,3}?"
)
_PATIENT = {
    "be direct": r"direct|blunt|straightforward|frank",
    "be gentle": r"gentle|diplomatic|tactful|considerate",
    "be honest": r"honest|truthful",
    "be friendly": r"friendly|friendlier|kind|kinder|nice|nicer|warm|warmer|cheerful",
    "be neutral": r"neutral|matter-of-fact|businesslike",
    "be polite": r"polite|courteous|respectful",
    "be patient": r"patient",
    "be encouraging": r"encouraging|supportive|motivating",
    "be sarcastic": r"sarcastic|ironic|snarky",
    "be funny": r"funny|funnier|humorous|witty|playful",
    "be serious": r"serious|earnest",
}
_ADJECTIVES = tuple(
    (does, False, on_one_line(rf"be\s+{_A_BIT}(?:{words})")) for does, words in _PATIENT.items()
)

PERSONA = PersonaForms(
    expand=(
        (on_one_line(r"\byou're\b|\byoure\b"), "you are"),
        (on_one_line(r"\byour\s+name's\b"), "your name is"),
        (on_one_line(r"\bI'll\b"), "I will"),
        (on_one_line(r"\bI'm\s+going\s+to\b|\bI\s+am\s+going\s+to\b|\bI'm\s+gonna\b"), "I will"),
        (on_one_line(r"\bI'd\b"), "I would"),
        (on_one_line(r"\blet's\b"), "let us"),
        (on_one_line(r"\b(?:don't|do\s+not|dont)\s+ever\b|\bnever\s+ever\b|\bnever\b"), "do not always"),
        (on_one_line(r"\b(?:don't|dont)\b"), "do not"),
        (on_one_line(r"\b(?:needn't)\b"), "need not"),
        (on_one_line(r"\b(?:isn't|is\s+not)\b"), "is not"),
        (on_one_line(r"\b(?:aren't)\b"), "are not"),
        (on_one_line(r"\bemoticons?\b|\bsmileys?\b|\bemoji\b"), "emojis"),
    ),
    aside=on_one_line(
        r"^(?:hi|hello|hey|ok(?:ay)?|so|well|and|but|also|then|actually|(?:no|yes)(?=,)|right|alright|now|listen)(?:\s+there)?\b(?!-),?(?:\s+(?-i:[A-Z])\w+,)?"
        r"|^[A-Z]\w+,(?=\s+(?:please|you|your|be|do|always|answer|keep|speak|talk)\b)"
        r"|\bplease\b|\bkindly\b|,?\s*\bthanks?(?:\s+you)?$|,?\s*\bif\s+(?:you\s+do\s+not\s+mind|that(?:\s+is|'s)\s+(?:ok(?:ay)?|fine)(?:\s+with\s+you)?|you\s+like|possible)$"
        r"|,?\s*\bok(?:ay)?$|,?\s*\b(?:would|will|could)\s+you$"
    ),
    lasting=on_one_line(
        r"\balways\b|\b(?:from|as\s+of)\s+(?:now|today|here)(?:\s+on(?:wards?)?)?\b|\bhenceforth\b|\bgoing\s+forward\b|\bin\s+(?:the\s+)?future\b"
        r"|\bstarting\s+(?:now|today)\b|\bpermanently\b|\bfor\s+good\b|\bin\s+general\b|\bgenerally\b|\bevery\s+time\b"
        r"|\bin\s+all\s+(?:of\s+)?your\s+(?:answers|replies|messages)\b"
        r"|,?\s*\b(?:when(?:ever)?|if)\s+(?:you\s+(?:talk|speak|write|reply|answer|respond)|talking|speaking|writing)(?:\s+(?:to|with)\s+me|\s+me)?$"
        r"|,?\s*\bwhen(?:ever)?\s+(?:you\s+)?explain(?:ing)?(?:\s+(?:something|things|anything))?(?:\s+to\s+me)?$"
        r"|\b(?:with|towards?|around)\s+me\b|(?<=\w)\s+to\s+me$"
    ),
    names=on_one_line(
        rf"(?:your\s+name\s+is\s+not\s+\w+\s+but|your\s+(?:new\s+)?name\s+(?:is|will\s+be|shall\s+be|should\s+be|has\s+to\s+be)(?:\s+now)?|"
        rf"you\s+(?:are|will\s+be|shall\s+be)(?:\s+now)?\s+(?:called|named)|"
        rf"you\s+(?:go|will\s+go)\s+by(?:\s+the\s+name(?:\s+of)?)?|"
        rf"I\s+(?:(?:will|would\s+like\s+to|want\s+to|am\s+going\s+to|shall)\s+)?(?:call|name)\s+you|"
        rf"(?:let\s+us|let\s+me)\s+(?:call|name)\s+you|(?:call|name)\s+yourself|"
        rf"I\s+(?:want|would\s+like)\s+you\s+to\s+be\s+(?:called|named)|"
        rf"(?:answer|listen|respond)\s+to\s+the\s+name(?:\s+of)?)\s+{NAME}(?:\s+now)?"
    ),
    may_name=on_one_line(
        rf"(?:this\s+is\s+your\s+name\s*:\s*)?you\s+(?:are|will\s+be)(?:\s+now)?\s+{NAME}"
        rf"(?:\s+now)?(?:,\s+my\s+(?P<role>{_KIND}{_ROLE}))?"
    ),
    unnames=on_one_line(
        rf"(?:your\s+name\s+is\s+(?:not|no\s+longer)|you\s+are\s+(?:not|no\s+longer)(?:\s+(?:called|named))?)\s+{NAME}(?:\s+(?:any\s*more|any\s+longer))?"
    ),
    role=on_one_line(
        rf"(?:you\s+(?:are|will\s+be|shall\s+be)(?:\s+now)?|(?:act|behave|work)\s+as)\s+my\s+(?P<role>{_KIND}{_ROLE})"
    ),
    asks=on_one_line(
        r"^(?:I\s+(?:want|would\s+like|need|would\s+prefer|would\s+love|expect|would\s+appreciate\s+it\s+if)\s+(?:for\s+)?you\s+(?:to\s+|should\s+)?(?:only\s+)?"
        r"|you\s+(?:should|must|shall|can|may|will|could|have\s+to|are\s+to|ought\s+to|need\s+to)\s+(?:only\s+)?"
        r"|(?:can|could|would|will)\s+you\s+|make\s+sure\s+(?:that\s+)?(?:you\s+|to\s+)|remember\s+to\s+|try\s+to\s+|let\s+us\s+)"
    ),
    ends=on_one_line(
        r"(?:you\s+(?:do\s+not\s+(?:have|need)\s+to|need\s+not|no\s+longer\s+(?:have|need)\s+to)|there\s+is\s+no\s+need\s+to|no\s+need\s+to)\s+"
    ),
    does=(
        ("be formal with the user", False, on_one_line(rf"be\s+{_A_BIT}formal|(?:use|keep\s+to)\s+formal\s+language|(?:address|treat|speak\s+to)\s+me\s+formally|(?:speak|write|talk)\s+(?:more\s+)?formally(?:\s+to\s+me)?")),
        ("be informal with the user", False, on_one_line(rf"be\s+{_A_BIT}(?:informal|casual|relaxed|less\s+formal)|be\s+less\s+formal|(?:do\s+not\s+be|stop\s+being)\s+{_A_BIT}formal|(?:use|keep\s+to)\s+informal\s+language|(?:address|treat|speak\s+to)\s+me\s+informally|(?:speak|write|talk)\s+(?:more\s+)?(?:informally|casually)(?:\s+to\s+me)?")),
        ("keep its answers short", True, on_one_line(rf"keep\s+{_YOURS}\s+(?:{_A_BIT})?{_SHORT}(?:\s*(?:,|and|,\s*and)\s+(?:{_A_BIT})?[\w-]+(?:\s+[\w-]+){{0,3}})?|{_YOURS}\s+(?:(?:should|must|can|could)\s+be\s+{_A_BIT}{_SHORT}|are\s+(?:much\s+|way\s+|far\s+)?too\s+long)|make\s+{_YOURS}\s+{_A_BIT}{_SHORT}|shorten\s+{_YOURS}|I\s+(?:would\s+(?:prefer|like|love)|want)\s+(?:it\s+when\s+your\s+answers\s+are\s+)?(?:your\s+)?{_SHORT}\s+(?:answers|replies|responses|messages)|give\s+(?:me\s+)?(?:only\s+)?{_SHORT}\s+(?:answers|replies|responses)")),
        ("keep its answers short", False, on_one_line(rf"be\s+{_A_BIT}(?:brief|concise|short|succinct|terse|to\s+the\s+point)|(?:answer|reply|respond)(?:\s+to)?(?:\s+me)?\s+{_A_BIT}(?:briefly|concisely|in\s+(?:one|a\s+single)\s+sentence|in\s+(?:one|two)\s+(?:or\s+(?:two|three)\s+)?sentences)|(?:do\s+not|stop)\s+(?:be(?:ing)?\s+so\s+long-?winded|ramble|rambling)")),
        ("answer in detail", True, on_one_line(rf"keep\s+{_YOURS}\s+{_A_BIT}{_LONG}|{_YOURS}\s+(?:should|must|can|could)\s+be\s+{_A_BIT}{_LONG}|make\s+{_YOURS}\s+{_A_BIT}{_LONG}|I\s+(?:would\s+(?:prefer|like|love)|want)\s+(?:your\s+)?{_LONG}\s+(?:answers|replies|responses|messages|explanations)|give\s+(?:me\s+)?{_LONG}\s+(?:answers|replies|responses|explanations)")),
        ("answer in detail", False, on_one_line(rf"(?:answer|reply|respond|explain\s+(?:everything|things))(?:\s+to\s+me)?\s+(?:in\s+(?:more\s+|great\s+)?detail|at\s+length|{_A_BIT}thoroughly)|be\s+{_A_BIT}(?:detailed|thorough|verbose)")),
        ("not use emojis", True, on_one_line(rf"{_NO}\s+emojis{_IN}|I\s+(?:do\s+not\s+(?:like|want)|hate|dislike)\s+(?:the\s+|your\s+)?emojis\s+in\s+{_ANSWERS}")),
        ("use emojis", True, on_one_line(rf"{_USE}\s+(?:some\s+|more\s+|a\s+few\s+)?emojis{_IN}")),
        ("use simple words", True, on_one_line(rf"use\s+(?:only\s+)?{_A_BIT}(?:simple|plain|easy|simpler|easier)\s+(?:words|language|English|terms)")),
        ("use simple words", False, on_one_line(r"(?:explain|say|put)\s+(?:things|everything|it\s+all)\s+(?:to\s+me\s+)?(?:simply|in\s+(?:simple|plain|easy)\s+(?:words|language|terms|English))|(?:speak|talk|write)\s+in\s+(?:simple|plain|easy)\s+(?:words|language|terms|English)")),
        ("use technical terms", True, on_one_line(r"use\s+(?:the\s+)?(?:proper\s+|correct\s+)?technical\s+(?:terms|language|vocabulary)")),
        ("not use slang", True, on_one_line(rf"{_NO}\s+slang(?:\s+words)?{_IN}")),
        ("use slang", True, on_one_line(rf"use\s+(?:some\s+|more\s+)?slang{_IN}")),
        ("not use lists", True, on_one_line(rf"{_NO}\s+(?:bullet\s+(?:points|lists)|bullets|lists|markdown|tables){_IN}")),
        ("use lists", True, on_one_line(rf"use\s+(?:bullet\s+(?:points|lists)|bullets|lists){_IN}")),
        ("not ask questions back", True, on_one_line(r"(?:do\s+not\s+ask|stop\s+asking)(?:\s+me)?\s+(?:so\s+many\s+|any\s+)?(?:follow-?up\s+questions|questions\s+back|questions)(?:\s+(?:at\s+the\s+end|back))?")),
        ("ask questions back", True, on_one_line(r"ask(?:\s+me)?\s+(?:more\s+)?(?:follow-?up\s+questions|questions\s+back)")),
        ("not make jokes", True, on_one_line(r"(?:do\s+not\s+(?:make|tell|crack)(?:\s+me)?(?:\s+any)?|stop\s+(?:making|telling|cracking)(?:\s+me)?|no(?:\s+more)?)\s+jokes|do\s+not\s+joke(?:\s+around)?|stop\s+joking(?:\s+around)?")),
        ("make jokes", False, on_one_line(r"(?:make|tell|crack)(?:\s+me)?\s+(?:more\s+|some\s+)?jokes|joke\s+(?:more|around)")),
        ("not be sarcastic", True, on_one_line(rf"(?:do\s+not\s+be|stop\s+being)\s+{_A_BIT}(?:sarcastic|ironic|snarky)|no\s+(?:more\s+)?sarcasm")),
        *_ADJECTIVES,
    ),
    answers_in=on_one_line(
        r"(?:only\s+)?(?:answer|reply|respond|speak|talk|write|communicate|chat|switch|change)(?:\s+(?:(?:to|with)\s+)?me)?(?:\s+only)?(?:\s+(?:in|to))?\s+(?P<language>[A-Za-z]+)(?P<other>)(?:\s+(?:only|(?P<lasting>to\s+me|again)))?"
    ),
    asks_who=on_one_line(
        r"(?:do\s+you\s+know\s+|can\s+you\s+tell\s+me\s+|tell\s+me\s+)?(?:what(?:'s|\s+is)?\s+your\s+(?:\w+\s+)?name(?:\s+is)?(?:\s+again)?|your\s+name)"
        r"|(?:and\s+)?who\s+are\s+you(?:\s+(?:again|anyway|exactly|really))?|(?:tell\s+me\s+)?who\s+you\s+are|what\s+are\s+you(?:\s+called)?|how\s+are\s+you\s+called"
        r"|(?:what|how)\s+(?:should|do|shall|may|can)\s+I\s+(?:call|address)\s+you|do\s+you\s+have\s+a\s+name|introduce\s+yourself"
        r"|are\s+you\s+(?:(?:called|named)\s+\w+|(?-i:[A-Z])\w+)|is\s+your\s+name\s+\w+"
    ),
    languages={
        name.casefold(): name
        for name in """English German French Spanish Portuguese Italian Dutch Danish Swedish
        Norwegian Finnish Polish Czech Slovak Hungarian Romanian Bulgarian Greek Turkish Russian
        Ukrainian Arabic Hebrew Persian Hindi Bengali Urdu Chinese Mandarin Cantonese Japanese
        Korean Vietnamese Thai Indonesian Malay Swahili Latin Esperanto Catalan Basque Galician
        Welsh Irish Scottish Icelandic Estonian Latvian Lithuanian Croatian Serbian Slovenian
        Albanian Afrikaans""".split()
    },
    free=on_one_line(
        r"(?P<does>(?:(?:do\s+not\s+)?(?:mention|tell\s+me|remind\s+me|ask\s+me|call\s+me\s+(?!\w+$)|give\s+me|show\s+me|correct\s+my|explain\s+your|begin|start|end|finish|sign\s+off|sign|open|close|include|add|quote|cite|name)"
        r"|(?:do\s+not\s+)?(?:answer|reply|respond|speak|talk|write|address\s+me|greet\s+me)\s+(?:to\s+me\s+)?(?:with|like|as|using|without|in\s+the\s+style)|(?:do\s+not\s+)?use(?=\s+(?:[\w-]+\s+){0,3}(?:units|spelling|formats?|grammar|pronouns|punctuation|currency|notation|examples|headings)\b))"
        r"\s+(?!.*\b(?:that|this|it|now|today|tomorrow|here)\b)[^,;:?!]{2,90})"
    ),
)  # fmt: skip
