"""Frames of English for what is over: "had a shop until 2020", "no longer in the choir".

They are read before the others: what a clause says to be over is not a fact of the present as well.
"""

from __future__ import annotations

import re

from thalamus.policy.language.english.frames import has_no_verb, is_business, is_game, is_likeable
from thalamus.policy.language.english.informal_frames import FIELD, SITE
from thalamus.policy.language.english.words import END, LIST, NAME, THING
from thalamus.policy.language.lexicon import Frame, frame
from thalamus.policy.language.vocabulary.word_classes import (
    is_animal_or_illness,
    is_illness,
    is_medicine,
    is_possession,
    is_trait,
)

_ANY_MORE = r"(?=.*\bany\s?(?:more|longer)\b)"
_GONE = (  # before a verb
    rf"(?:used\s+to\s+|no\s+longer\s+|(?:do|does)\s+not\s+{_ANY_MORE}|(?:have\s+|has\s+)?(?:stopped|quit|gave\s+up|given\s+up)\s+)"
)
_FOR_A_TIME = (
    r"(?=.*\b(?:until|till|for\s+(?:\w+\s+){1,3}?(?:years?|months?|decades?|terms?|semesters?|seasons?)|from\s+\d{4}|before|back\s+in|once|ago|in\s+(?:(?:19|20)\d\d|the\s+\w*ties|the\s+\d\ds|my\s+\w+)|"
    r"as\s+a\s+(?:kid|child|teenager|teen|boy|girl|student|toddler)|as\s+(?:kids|children)|when\s+(?:I|we)\s+(?:was|were|lived)|growing\s+up|at\s+(?:school|uni|university|college)|years)\b)"
)
_NOT_NOW = (  # before what somebody is, or is in
    rf"(?:(?:used\s+to\s+be|(?:am|is|are)\s+no\s+longer|(?:was|were)(?!\s+not){_FOR_A_TIME}|(?:am|is|are)\s+not{_ANY_MORE})\s+)"
)
_CIRCLE = (
    r"(?:[\w'-]+\s+){0,3}?(?:choir|band|orchestra|club|team|society|union|party|church|committee|board|group|quartet|trio|ensemble|troupe|army|navy|air\s+force|"
    r"scouts|guides|brownies|guild|council|association|league|squad|brigade|cooperative|co-?op|fire\s+service|board\s+of\s+\w+)"
)
_PLAYED = (
    r"(?:piano|violin|viola|cello|guitar|bass|drums|flute|clarinet|oboe|trumpet|trombone|saxophone|sax|harp|accordion|banjo|ukulele|organ|recorder|bassoon|tuba|"
    r"football|soccer|rugby|tennis|squash|badminton|golf|hockey|cricket|netball|basketball|volleyball|handball|table\s+tennis|baseball|chess|bridge|darts|poker|padel|lacrosse|bowls|snooker)"
)
_SPORT = r"(?:smok|swim|runn?|row|climb|cycl|danc|sing|paint|surf|ski|skat|box|fenc|jogg?|vap|drink|knit|sew|div|hik|sail|ride|rid|fish|hunt|bak|garden|gambl|meditat|drum)(?:e|ing|es|s)?"
_TAUGHT = r"(?:my\s+|an?\s+|the\s+|any\s+)?(?:yoga|pilates|parkrun|karate|judo|aikido|tai\s+chi|crossfit|zumba|ballet|salsa|meditation|swimming|running|climbing|choir)\b"  # "go to yoga" is yoga
_WITH = r"(?:with|together\s+with|going\s+out\s+with|dating|seeing|in\s+a\s+relationship\s+with|married\s+to|engaged\s+to)"


def _kept(object: str) -> bool:
    """Whether what somebody had is a thing, a business or an animal that is kept for long."""
    return is_possession(object) or is_business(object) or (is_animal_or_illness(object))


def _done(object: str) -> bool:
    return is_likeable(object) and not re.match(
        r"(?:(?:[\w-]+\s+)?(?:people|kids|children|adults|students|pupils)$|taking|eating|drinking|seeing|well|much|so|any|anything|that|work|nothing|it)\b",
        object,
        re.I,
    )


ENDED: tuple[Frame, ...] = (
    # -- homes, work, studies --------------------------------------------------------------------
    frame("lives_in", rf"(?:once\s+)?spent\s+(?:an?|one|my|[\w-]+)\s+(?:\w+\s+)?(?:years?|months|decades?|summers|winters|semesters?)\s+(?:living\s+|abroad\s+|working\s+)?in\s+(?P<object>{NAME})", over=True),
    frame("lives_in", rf"(?:have\s+|has\s+)?(?:moved\s+(?:away|out)\s+(?:from|of)|left)\s+(?P<object>{NAME})(?=\s+(?:in\s+(?:19|20)\d\d|for\s+(?:good|the)|last\s+(?:year|spring|summer|autumn|winter|month)|[\w]+\s+years\s+ago|when\s+I|after))", over=True),
    frame("lives_in", rf"(?:have\s+|has\s+)?moved\s+(?:away|out)\s+(?:from|of)\s+(?P<object>{NAME})", over=True),
    frame("works_at", rf"(?:was|were)\s+(?:at|with)\s+(?P<object>{NAME})\s+(?:for|until|till|from|before)\b", over=True),
    frame("works_as", r"spent\s+(?:an?|one|[\w-]+)\s+(?:years?|months|decades?)\s+(?:[\w' ]+?\s+)?as\s+an?\s+(?P<object>[\w -]+?)(?=\s+(?:in|at|with|for|and|on)\b|\s*[,.;]|$)", over=True),
    frame("studies", rf"(?:{_GONE}(?:study|studies|studying)|studied)\s+(?!at\b|in\b|for\b|hard\b|abroad\b|under\b|with\b|the\b|it\b|there\b|together\b|a\b|how\b|my\b|all\b)(?P<object>[\w -]+?)(?=\s+(?:until|till)\b|{END})", over=True, fits=has_no_verb),
    frame("studies_at", rf"(?:dropped\s+out\s+of|left)\s+(?P<object>(?:uni|university|college|law\s+school|med(?:ical)?\s+school|art\s+school|school|sixth\s+form){{1}}){END}", over=True),
    frame("lives_in", rf"(?:moved|came|relocated|emigrated)\s+(?:back\s+|over\s+|out\s+|down\s+|up\s+)?here\s+from\s+(?P<object>{NAME})", over=True),
    frame("lives_in", rf"used\s+to\s+live\s+(?:above|next\s+(?:door\s+)?to|with|behind|over|under|opposite|on|near)\s+[\w' -]+?\s+in\s+(?P<object>{NAME})", over=True),
    frame("works_at", rf"(?:used\s+to\s+work|worked|was\s+working)\s+in\s+(?P<object>(?:an?\s+|the\s+)?(?:[\w'-]+\s+)??{SITE}){END}", over=True),
    frame("works_at", rf"(?:used\s+to\s+work|worked|was\s+working)\s+in\s+(?P<object>{FIELD})(?=\s*(?:[,.;!(–-]|$)|\s+(?:until|till|from|for|before|between|back|in)\b)", over=True),
    frame("studies_at", rf"(?:did|spent|had)\s+(?:an?|my|one|two)\s+(?:exchange\s+|erasmus\s+)?(?:semesters?|terms?|exchange|erasmus|study\s+abroad|exchange\s+year|academic\s+year|year\s+abroad|masters?|degree|placement)\s+(?:\w+\s+)?(?:in|at)\s+(?P<object>{NAME})", over=True),
    frame("has", r"(?:have\s+|has\s+)?(?:cancelled|canceled|ended|stopped|gave\s+up|given\s+up|dropped|let\s+go\s+of)\s+(?:my|our)\s+(?P<object>(?:[\w'-]+\s+){0,2}?(?:membership|subscription|season\s+ticket|lease|insurance|policy|allotment|bank\s+account|contract))(?=\W|$)", over=True),
    # -- people ----------------------------------------------------------------------------------
    frame("partner", rf"(?:{_NOT_NOW}{_WITH}|used\s+to\s+(?:date|go\s+out\s+with|be\s+{_WITH})|(?:have\s+|has\s+)?(?:broke|broken|split)(?:\s+up)?\s+with|(?:have\s+|has\s+)?(?:separated\s+from|parted\s+(?:ways\s+)?(?:with|from)|divorced))\s+(?P<object>{NAME})", over=True, mine=True),
    frame("member_of", rf"{_NOT_NOW}(?:an?\s+(?:\w+\s+)?member\s+of|in|part\s+of|on|with)\s+(?:the\s+|an?\s+|my\s+|our\s+)?(?P<object>{_CIRCLE}){END}", over=True),
    frame("member_of", rf"(?:have\s+|has\s+)?(?:left|quit|dropped\s+out\s+of|resigned\s+from|stepped\s+down\s+from|packed\s+in|gave\s+up|given\s+up)\s+(?:the|my|our|an?)\s+(?P<object>{_CIRCLE}){END}", over=True),
    frame("member_of", rf"{_GONE}(?:sing|sings|singing|play|plays|playing|drum|drums|drumming|row|rows|run|act|dance|be)\s+(?:[\w']+\s+){{0,3}}?(?:in|with|for)\s+(?:the\s+|an?\s+|our\s+|my\s+)(?P<object>{_CIRCLE}){END}", over=True),
    frame("is", rf"{_NOT_NOW}(?:an?\s+)?(?:strict\s+|strictly\s+)?(?P<object>[\w-]+(?:\s[\w-]+)??){END}", over=True, fits=is_trait),
    # -- health ----------------------------------------------------------------------------------
    frame("takes", rf"(?:{_GONE}(?:take|takes|taking)|(?:have\s+|has\s+)?(?:came|come)\s+off|am\s+off|(?:have\s+)?finished(?:\s+taking)?|(?:am|is)\s+no\s+longer\s+(?:on|taking)|(?:am|is)\s+not\s+(?:on|taking)(?=.*\bany\s?more)|was\s+on(?=.*\b(?:until|till|for|from|back)\b))\s+(?:my\s+|the\s+|any\s+)?(?P<object>[\w-]+(?:\s[\w-]+){{0,2}}?){END}", over=True, fits=lambda o: is_medicine(o) or is_medicine(f"the {o}")),
    frame("has", rf"(?:used\s+to\s+(?:have|get|suffer\s+from)|no\s+longer\s+(?:have|has|get|suffer\s+from)|do\s+not\s+(?:have|get){_ANY_MORE}|had(?=.*\b(?:as\s+a|until|till|when\s+I\s+was|growing\s+up)\b)|grew\s+out\s+of|got\s+over|have\s+got\s+over|beat|have\s+beaten|survived|(?:have\s+)?recovered\s+from|(?:am|was)\s+cured\s+of)\s+(?:my\s+|the\s+|an?\s+|bad\s+|terrible\s+)*(?P<object>[\w'-]+(?:\s[\w'-]+){{0,2}}?){END}", over=True, fits=is_illness),
    frame("allergic_to", rf"(?:used\s+to\s+be|was|(?:am|is)\s+no\s+longer|(?:am|is)\s+not{_ANY_MORE})\s+allergic\s+to\s+{LIST}", over=True, several=True),
    # -- what somebody did -----------------------------------------------------------------------
    frame("plays", rf"{_GONE}(?:play|plays|playing)\s+(?:the\s+|any\s+)?(?P<object>[\w' -]+?)(?=\s+(?:at|in|with|for)\b|{END})", over=True, fits=is_game),
    frame("plays", rf"(?:have\s+|has\s+)?(?:gave\s+up|given\s+up|quit|dropped|stopped|packed\s+in)\s+(?:my\s+|the\s+)?(?P<object>{_PLAYED})(?:\s+lessons)?{END}", over=True),
    frame("practises", rf"{_GONE}(?:do|does|doing|practi[sc]e|practi[sc]es|practi[sc]ing|attend|attends|attending|teach|teaching|(?:go|goes|going)\s+to(?=\s+{_TAUGHT}))\s+(?:my\s+|an?\s+|the\s+|any\s+)?(?P<object>[\w' -]+?){END}", over=True, fits=_done),
    frame("practises", rf"{_GONE}(?P<object>(?:go|goes|going)\s+to\s+(?!(?:bed|sleep)\b)(?:the\s+|an?\s+|my\s+)?[\w' -]+?){END}", over=True),
    frame("practises", rf"(?:no\s+longer\s+|(?:do|does)\s+not\s+{_ANY_MORE}|used\s+to\s+(?:go\s+)?)(?P<object>{_SPORT})(?!\s+in\s){END}", over=True),
    frame("practises", r"did\s+(?P<object>(?:karate|judo|aikido|ballet|gymnastics|taekwondo|yoga|pilates|athletics|fencing|boxing|tap|archery|jiu-?jitsu|kung\s+fu|capoeira|rowing|swimming|pottery|salsa|crossfit|parkour|drama))(?=\s+(?:for|as|until|till|when|at|in|back|before)\b)", over=True),
    frame("uses", rf"{_GONE}(?:use|uses|using)\s+(?!to\b){THING}", over=True, fits=lambda o: has_no_verb(o) and is_likeable(o)),
    frame("drives", rf"(?:{_GONE}(?:drive|drives|driving|ride|rides|riding)|drove(?={_FOR_A_TIME}))\s+(?:an?|the|my|our)\s+{THING}", over=True, fits=is_possession),
    frame("speaks", r"(?:used\s+to\s+speak|no\s+longer\s+speaks?)\s+(?:fluent\s+|some\s+|good\s+)?(?P<object>(?-i:[A-Z]\w+))", over=True),
    # -- what somebody had -----------------------------------------------------------------------
    frame("owns", rf"(?:{_GONE}(?:have|has|own|owns|keep|keeps|keeping|run|runs|running|rent|rents|renting)|no\s+longer\s+have|(?:had|owned|ran|kept|rented){_FOR_A_TIME})\s+(?P<object>(?:an?|any|our|my|the|some|one|two|three|four|five|six|\d+)\s+[\w' -]+?|[\w-]+s){END}", over=True, fits=_kept),
    frame("has", r"(?:once\s+had|had)\s+(?P<object>(?:an?|two|three|four|five|six|\d+|some|our)\s+(?:[\w-]+\s+){0,2}?(?:dogs?|cats?|rabbits?|hamsters?|chickens|hens|ponies|pony|horses?|parrots?|budgies?|goats?|goldfish|tortoises?|guinea\s+pigs?|ducks|sheep|gerbils?|rats|ferrets?|bees|donkeys?)|chickens|hens|goats|bees|ducks)(?=\s+(?:until|till|when|once|for|in|at|on|as|growing|back|years|before|but|and|too|then|that)\b|\s*[,.;!]|$)", over=True),
    frame("owns", rf"(?:have\s+|has\s+)?(?:sold|gave\s+away|given\s+away|got\s+rid\s+of|scrapped|wrote\s+off|crashed|parted\s+with|rehomed|traded\s+in|donated)\s+(?:my|our|the)\s+(?:old\s+|beloved\s+|trusty\s+)*{THING}", over=True, fits=_kept),
)  # fmt: skip
