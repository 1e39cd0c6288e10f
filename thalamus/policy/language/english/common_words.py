"""Common English words: a single one of them that begins a sentence with a capital is no name
("Never could stand …", "Opera leaves me cold")."""

from __future__ import annotations

_COMMON = frozenset(
    """ability able about access accessible account achieve across action activities activity
    actually add added adding addition additional address adjust advanced advice affect
    affordable after again against all allow allowing allows along already also always am
    amazing among amount an and another any app approach apps are area areas argh around
    artists as ask at atmosphere attention audience available avoid awareness away back bag
    balance bank based be beautiful because become been before behavior behind being benefits
    best better between big bike bit blend body book books boots both brand brands bread break
    breakfast bring budget build built businesses but by camera can car card cards care case
    cases cause certain challenge challenges challenging change changes character characters
    charity check cheers cheese chess choice choose class classes classic clean cleaning clear
    clothing code coffee collection color colors colour combination come comes comfort
    comfortable common communication communities community companies company complement
    complete complex concerns condition conditions connect connection consider considering
    consistent content context continue control conversation cooking cost could countries
    course courses create creating credit crucial cuisine cultural culture current customer
    customers daily damage dance data day days decision dedicated deep definitely delicious
    depending depth design designed detailed details develop development devices did difference
    different difficult dish dishes display distance diverse do documents does doing don done
    down dry due during each earlier early easier easily easy eco economic education effective
    effectively effects efforts elements email emotional emotions encourage end energy engage
    engagement engaging enhance enjoy enough ensure environment environmental especially
    essential etc even event events every everything example examples excellent excited
    exercise exercises expenses experience experiences explore explores exploring extra eye
    fabric factors family fantastic fascinating favorite feature features featuring feedback
    feel feeling few field financial find finding first fish fishing fit fitness five flavor
    flavors focus focused follow following food for form forward found four free fresh friend
    friends from full fun further future game garlic gear general gentle get getting gift give
    glad go goal goals going good got government great ground group groups growth guidance
    habits had hair half hand happy hard has have having he health healthcare healthy hear
    heard heart heat help helpful helps her here high higher highly hiking him his historical
    history hold home hot how huge human idea ideas identify identity if image images impact
    importance important improve in include includes including incorporate increase individual
    individuals industry information ingredients initiatives insights interest interested
    interesting interests into involved is issue issues it items its jewelry job journey juice
    just keep keeping key kind know knowledge known language large larger last lately lead
    leading learn least leaves less let level levels life light lighting like likely limited
    list living local located location long longer look looking lot love low lower made main
    maintain make makes making manage many massive match material materials me meal meaning
    means media meditation meet members mental mentioned message methods might mind mix model
    models modern money month more morning most motivated move movement moving much multiple
    music must my natural nature near necessary need needed needs never new news next nice no
    nobody non none not note notes nothing novel now number of off offer offering offers often
    oil old on one ones online only oops open opera opinions opportunities opportunity option
    options or order organization organizations organize organized original other others our
    out outdoor over overall own painting pair paper part particularly party past patterns
    people pepper per perfect performance period person personal personalized phone photography
    photos physical piece pieces place plan planning plans plants platform platforms play
    players playing point points policies political popular positive possible post potential
    powerful practice practices prefer preferences prepare pressure prevent price prices
    prioritize process product production products professional program programs progress
    project projects promote promoting property protect protein provide provided provides
    providing public purchase quality question questions quick quickly range reach read reading
    real really recent recipes recommend recommendations reduce reducing region regular
    regularly regulations related relationship relationships relevant remove require
    requirements research resources response restaurant restaurants results reviews rice right
    risk role room route routine run running safe safety sales salt same sauce save scenic
    schedule search season second section see seeds seen selection self sense series serve
    services set setting seven several shape share sharing she shoes shop shopping short should
    show shows side significant similar simple since single six size skills skin sleep slightly
    small smaller smooth snack so social soft software soil some someone something sorry sound
    sounds sources space special species specific specifically sports spot start started
    starting stay step steps still storage store stores stories story strategies strategy
    strength stress strong structure students stunning style styles success successful such
    sugar suggest suggestions suitable support sure sustainability sustainable sweet system
    systems take takes taking task tasks taste tea team techniques technology tell temperature
    terms text texture than that the their them theme themes then there these they things think
    thinking third this those thoughts three through throughout time tips to today together
    tomatoes tone too tool tools top topic topics touch towards track tracking traditional
    trails training transportation travel trip try trying turned turns tutorials two type types
    typically ugh under understand understanding unique until up upcoming use used user users
    uses using usually valuable value values variety various vary vegetables very video videos
    views visit visual walk want warm was waste water way ways we wear weather website websites
    week weekend weight well were what when where which while who why wide wine with within
    without wonderful wondering wood work working works worth would wow writing year years yoga
    you your yourself""".split()
)  # fmt: skip


def is_common(word: str) -> bool:
    """Whether a word is an ordinary one, whatever its capitals."""
    return word.casefold() in _COMMON
