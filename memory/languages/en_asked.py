"""English: what the assistant's questions about the user ask for, and how the answer is said. Data only.

Owns every word that may stand in a fact beside the words of an answer. Refuses to take one from the question: it only
chooses among these, so that no text that the assistant was given can speak through a question of its own.
"""

from __future__ import annotations

_WHO = (
    r"(?P<who>wife|husband|partner|girlfriend|boyfriend|fianc[eé]e?|son|daughter|baby|mother|mom|mum|father|dad|brother|sister|grandmother|grandma|grandfather|"
    r"grandpa|aunt|uncle|cousin|niece|nephew|best friend|boss|roommate|dog|puppy|cat|kitten|rabbit|hamster|parrot|horse|turtle)"
)
_MANY = r"(?P<who>dogs|cats|kittens|puppies|rabbits|hamsters|parrots|horses|kids|children|sons|daughters|twins|brothers|sisters|pets)"
_TOPIC = (
    r"(?P<topic>(?:(?:favou?rite|usual|typical|go-to|daily|morning|evening|first|native|home|dream|main|biggest) )*"
    r"(?:foods?|dish(?:es)?|meals?|cuisines?|fruits?|vegetables?|desserts?|snacks?|drinks?|coffee|tea|beer|wine|breakfast|lunch|dinner|restaurants?|cafés?|"
    r"colou?rs?|animals?|flowers?|numbers?|books?|authors?|novels?|poets?|genres?|films?|movies?|directors?|actors?|series|shows?|songs?|bands?|singers?|artists?|albums?|"
    r"music|musicians?|composers?|games?|sports?|teams?|clubs?|exercises?|workouts?|routines?|hobby|hobbies|interests?|passions?|instruments?|subjects?|seasons?|holidays?|"
    r"cit(?:y|ies)|countr(?:y|ies)|places?|beach(?:es)?|parks?|trails?|destinations?|hometown|neighbou?rhood|commute|job|jobs|occupation|profession|field|industry|employer|company|"
    r"schedule|shift|working hours|school|university|college|major|degree|course|languages?|mother tongue|religion|faith|nationality|star sign|zodiac sign|"
    r"height|weight|blood type|shoe size|clothing size|ring size|time ?zone|birthday|age|anniversary|name day|middle name|last name|surname|nickname|pronouns|"
    r"car|bike|phone|laptop|computer|camera|house|flat|apartment|garden|diet|allerg(?:y|ies)|medication|pharmacy|gym|"
    r"bedtime|sleep|skin type|hair type|goals?|dream|fear|fears|strengths?|weakness(?:es)?|traditions?|pet|pets|brands?|stores?|shops?|perfume|airline|hotels?|seat))"
)
_DOES = r"(?P<does>travel|train|work out|run|cycle|hike|swim|sing|cook|go hiking|go running|go swimming|live|dance|climb|sail|practi[sc]e)"
_HOW = r"(?:(?:usually|normally|typically|generally|currently|mostly|often|mainly|actually) )*"

ASKED: tuple[tuple[str, str], ...] = (
    (r"what(?:['’]s| is) your (?:full |first )?name", "my name is {value}"),
    (
        rf"(?:where do you {_HOW}live|where are you (?:based|living)|(?:what|which) (?:city|town|village|country|part of .{{2,20}}) (?:do you live in|are you (?:based )?in))",
        "I live in {value}",
    ),
    (
        r"(?:where are you (?:originally )?from|where do you come from|where were you born)",
        "I'm from {value}",
    ),
    (r"where did you grow up", "I grew up in {value}"),
    (r"(?:when(?:['’]s| is) your birthday)", "my birthday is {value}"),
    (r"(?:when|(?:in )?what year) were you born", "I was born {value}"),
    (r"how old are you", "I'm {value} years old"),
    (
        r"(?:what do you do(?: for (?:a living|work))?|what(?:['’]s| is) your (?:job|occupation|profession|line of work))",
        "I work as {value}",
    ),
    (
        rf"(?:where do you {_HOW}work|who do you {_HOW}work for|which company do you work (?:for|at))",
        "I work at {value}",
    ),
    (r"what (?:do|are) you study(?:ing)?", "I study {value}"),
    (r"where (?:do|are) you study(?:ing)?", "I study at {value}"),
    (
        r"(?:(?:do you have|are there|have you got) (?:any )?(?:food |known |other )*allergies(?: .*)?|(?:what|anything) are you allergic to|are you allergic to anything|any (?:food )?allergies.*|what are your allergies)",
        "I'm allergic to {value}",
    ),
    (
        r"(?:do you (?:have|follow)|are there) (?:any |an? )?(?:particular |special |specific )*(?:diet|dietary (?:restrictions?|needs|requirements|preferences))(?: .*)?",
        "I'm {value}",
    ),
    (
        r"(?:do you take|are you (?:on|taking)|what) (?:any )?(?:medications?|medicines?)(?: do you take| are you (?:on|taking))?",
        "I take {value}",
    ),
    (
        r"do you have (?:any )?(?:medical|health|chronic) (?:conditions?|issues|problems)(?: .*)?",
        "I have {value}",
    ),
    (r"(?:what|which|how many) (?:other )?languages do you speak", "I speak {value}"),
    (
        r"(?:do you have|what|which|have you got) (?:any )?(?:pets?|animals|kids|children|siblings|brothers or sisters)(?: do you have)?",
        "I have {value}",
    ),
    (
        r"how many (?P<what>kids|children|pets|dogs|cats|siblings|brothers|sisters|grandchildren) do you have",
        r"I have {value} \g<what>",
    ),
    (
        r"what (?:do you (?:like to )?do (?:for fun|in your (?:free|spare) time)|are your hobbies|hobbies do you have)",
        "my hobbies are {value}",
    ),
    (r"(?:what|which) (?:kind of |type of )?instruments? do you play", "I play the {value}"),
    (r"(?:what|which) (?:kind of |type of )?(?:car|vehicle) do you (?:drive|have)", "I drive a {value}"),
    (rf"what(?:['’]s| is) the name of your {_WHO}", r"my \g<who> is called {value}"),
    (rf"what(?:['’]s| is) your {_WHO}(?:['’]s name| called| named)", r"my \g<who> is called {value}"),
    (
        rf"what(?:['’]s| is| are) (?:the names of )?your {_MANY}(?:['’] names| called| named)",
        r"my \g<who> are called {value}",
    ),
    (rf"how old(?:['’]s| is) your {_WHO}", r"my \g<who> is {value} years old"),
    (rf"when(?:['’]s| is) your {_WHO}['’]s birthday", r"my \g<who>'s birthday is {value}"),
    (rf"where does your {_WHO} live", r"my \g<who> lives in {value}"),
    (rf"where does your {_WHO} work", r"my \g<who> works at {value}"),
    (rf"what does your {_WHO} do(?: for (?:a living|work))?", r"my \g<who> works as {value}"),
    (
        rf"(?:what (?:breed|kind of (?:dog|cat)) is your|what(?:['’]s| is) the breed of your) {_WHO}",
        r"my \g<who> is a {value}",
    ),
    (rf"who do you {_HOW}{_DOES} with", r"I \g<does> with {value}"),
    (rf"(?:how often|when) do you {_HOW}{_DOES}", r"I \g<does> {value}"),
    (
        rf"(?:what time|when) do you {_HOW}(?P<does>get up|wake up|go to bed|go to sleep|have lunch|have dinner|start work|finish work)",
        r"I \g<does> at {value}",
    ),
    (rf"how (?:long|far)(?:['’]s| is) your {_TOPIC}", r"my \g<topic> is {value}"),
    (rf"how do you {_HOW}(?:get to work|commute)", "I commute by {value}"),
    (rf"how do you {_HOW}(?:take|drink|like) your (?P<topic>coffee|tea)", r"I take my \g<topic> {value}"),
    (
        rf"(?:what|which|who|when|where|how (?:big|old|tall))(?:['’]s| is) your {_TOPIC}",
        r"my \g<topic> is {value}",
    ),
    (rf"(?:what|which|who|when|where) are your {_TOPIC}", r"my \g<topic> are {value}"),
)
"""Patterns of a whole question, each with the statement that an answer to it makes."""
FITS = (
    r"(?:(?:yes|yeah|yep|sure|well|oh|just|only|mostly|mainly|usually|probably)[,:]? )*"
    r"(?:(?:it|that|he|she|there|mine)(?:['’]s| is) |they(?:['’]re| are) |it takes (?:me )?)?(?:(?:called|named) )?"
    r"(?P<value>(?!(?:no|not|none|nothing|nobody|nowhere|never|nope|nah|I|we|it|he|she|they|you|there|because|depends|since|when|if|to|yes|why|what|only when)\b).+)"
)
"""An answer that is no sentence of its own; what denies or explains is left to the user."""
