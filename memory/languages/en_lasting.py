"""English: what makes a plain statement of the user one that lasts. Data only.

Owns the weights of the signs. Refuses to read values: the whole clause is what is kept. One surprise: verbs are an
open class, so those of the mind, of talk and of the task at hand are listed, and any other one tells of a habit.

More than 300 lines: the signs of one language stay side by side.
"""

from __future__ import annotations

from memory.languages.en_asked import ASKED, FITS
from memory.languages.pack import Lasting

_ADV = (
    r"(?:(?:also|still|always|usually|often|mostly|mainly|generally|normally|typically|sometimes|occasionally|only|just|really|"
    r"actually|basically|literally|pretty much|both|all|currently|now|already|recently|finally|kind of|kinda|sort of|lowkey|"
    r"even|ever|probably|regularly|constantly|barely|rarely|hardly|seldom|never|mostly|simply|honestly|sadly|once|first|"
    r"primarily|officially|technically|proudly|personally|totally|really|get to|tend to|try to|used to|like to) )*+"
)
_MIND = (
    r"(?:think|guess|mean|know|see|feel|want|need|hope|wish|wonder|understand|agree|disagree|believe|suppose|remember|forget|"
    r"try|look|ask|say|tell|appreciate|thank|apologi[sz]e|promise|bet|swear|assume|notice|find|figure|imagine|reali[sz]e|recall|"
    r"reckon|expect|doubt|mind|care|let|owe|hear|sense|seem|appear|suggest|recommend|request|propose|concur|suspect|worry|"
    r"mentioned?|did|does|am|is|are|was|were|have|has|had|will|would|could|should|might|may|can|cannot|must|shall|don|ain|"
    r"be|and|or|but|also|then|too|to|in|on|at|of|for|with|as|that|which|who|love|like|hate|dislike|prefer|enjoy|adore|"
    r"meant|thought|wanted|needed|asked|gotta|gonna|wanna|copy|pasted?|click|press|type|enter|insert|attach|upload|download|install|refresh|reload|restart|reset|reboot|"
    r"declare|print|assign|define|submit|select|mean|quote|here|there|digress|beg|dare|stand corrected|just|"
    r"died?|cried|laughed|laugh|cry|scream(?:ed)?|suck|rest my case)"
)
"""Verbs that tell of the moment, of the talk itself or of what other patterns read."""
_LOOSE = (
    r"(?:run|open|call|put|go|come|take|give|add|pick|leave|meet|make|set|move|turn|start|stop|finish|bring|send|change|keep|use|"
    r"do|get|read|watch|work|play|write|check|choose|cut|hit|let|shut|fix|solve|lose|break|show|pass|hold|follow|stay|sit|stand)"
)
"""Verbs that tell of a habit only with a sign of one."""
_PAST = (
    r"(?:\w+ed|went|was|were|had|got|took|gave|made|came|saw|met|ate|drank|drove|rode|wrote|bought|sold|brought|caught|taught|"
    r"thought|fought|found|lost|left|kept|slept|felt|heard|told|said|sent|spent|built|broke|spoke|woke|chose|froze|fell|held|"
    r"knew|grew|threw|flew|drew|blew|wore|swore|tore|began|ran|sang|swam|sat|stood|understood|won|hung|dug|stuck|struck|paid|"
    r"laid|led|fed|bled|shot|hid|slid|did|became|forgot|quit|raised|bit|lit|beat|shook)"
)
_DONE = r"(?:\w+ed|\w+en|been|had|got|made|kept|taught|built|run|done|gone|seen|lost|spent|sold|bought|met|read|held|worn|won|come|become|grown|known|led|paid|put|quit|slept|sung|swum|thought|found|flown|drawn|cut|set)"
_LIVED = (
    r"(?:spent|lived|worked|served|taught|ran|owned|grew up|raised|built|founded|started|moved|retired|graduated|studied|trained|married|divorced|"
    r"separated|split|lost|quit|stopped|gave up|sold|bought|traded|swapped|inherited|adopted|rescued|emigrated|immigrated|converted|"
    r"majored|dropped out|enlisted|deployed|volunteered|learned|learnt|switched|became|got (?:married|divorced|engaged|sober|clean|rid|laid|hired|my|our)|"
    r"broke|had (?:a|an|my|our|two|three|surgery)|was (?:born|raised|diagnosed|adopted|married|in|a|an)|were (?:married|born)|played|"
    r"joined|opened|closed|survived|beat|won|wrote|published|recorded|climbed|hiked|sailed|cycled|walked|competed|performed|danced|signed|enrolled|renovated|remodeled|remodelled|planted)"
)
_TIME = (
    r"\b(?:every (?!time\b|thing\b)\w+|each (?:day|week|month|year|morning|night|summer|spring)|daily|weekly|monthly|usually|always|never|often|rarely|seldom|"
    r"mostly|most (?:days|nights|mornings|evenings|weekends|weeks|of the)|on (?:mon|tues|wednes|thurs|fri|satur|sun|week)days?|(?:mon|tues|wednes|thurs|fri|satur|sun)days|"
    r"weekends?|weekdays?|weeknights?|mornings|nights|evenings|afternoons|at (?:around |about )?(?:noon|midnight|dawn|[a-z]+-?thirty|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,2})\b|"
    r"(?:before|after|until|till|by|past) (?:\d{1,2}(?:am|pm|:\d\d)?|noon|midnight|dawn|work|school|breakfast|dinner|lunch|bed|class|church|practice|my shift)|during (?:the |my )?\w+|for a living|for fun|since|"
    r"for (?:about |over |almost |nearly |more than |the (?:last|past) |like |at least )*(?:\w+|[\w-]+|a (?:few|couple(?: of)?|good|whole)|the past) (?:years?|months?|decades?|semesters?)|(?:for )?(?:years|ages|decades|months)(?: now)?$|"
    r"all my life|my (?:whole|entire) life|(?:twice|once|three times|four times|\d+ (?:times|days|hours|nights)) (?:a|an|per) (?:day|week|month|year)|"
    r"in (?:the )?(?:winter|summer|spring|autumn|fall|summers|winters)s?|as a (?:kid|child|teen|teenager|student|boy|girl|hobby)|growing up|back (?:in|home|then)|in (?:the )?(?:19|20)\d\d|in (?:january|february|march|april|may|june|july|august|september|october|november|december)|"
    r"last (?:year|spring|summer|autumn|fall|winter|january|february|march|april|may|june|july|august|september|october|november|december)|(?:years?|months?|decades?) ago|(?:last|past) (?:few )?(?:years|months)|"
    r"at all hours|around the clock|24/7|all the time|these days|lately|anymore|any more|by heart|by hand|at (?:home|school|church|work)|with my|by myself|on my own|when I was|whenever)\b"
)
_SOON = (
    r"\b(?:next (?!one|step|question|part|page|line)\w+|this (?:coming |spring|summer|autumn|fall|winter|december|june|july|august|september)|"
    r"(?:until|till|on|by|in|come|starting|from) (?:the \d+\w*|january|february|march|april|may|june|july|august|september|october|november|december|"
    r"(?:early |late |mid-?)?(?:spring|summer|autumn|fall|winter)|mon|tues|wednes|thurs|fri|satur|sun)(?:day)?\b|in (?:a|two|three|four|five|six|\d+) (?:weeks?|months?|years?)|by the time I|before I turn|by the end of the year)"
)
_FAMILY = (
    r"(?:mother|mom|mum|mama|father|dad|papa|parents?|folks|sister|brother|siblings|wife|husband|hubby|spouse|partner|girlfriend|boyfriend|bf|gf|fianc[eé]e?|ex(?:-\w+)?|son|"
    r"daughter|kids?|child(?:ren)?|boys?|girls?|baby|toddler|twins?|grand\w+|gran|nan|nana|aunt(?:ie)?|uncle|cousins?|niece|nephew|(?:\w+[- ]in[- ]law)s?|step\w+|"
    r"roommates?|room ?mate|flatmates?|housemates?|family|dogs?|cats?|pupp(?:y|ies)|kittens?|horses?|rabbits?|parrot|hamster|hens|chickens|bees|best friend|friends?|neighbou?rs?|"
    r"boss|manager|supervisor|coworkers?|co-workers?|colleagues?|landlord|landlady|therapist|doctor|gp|dentist|physio|coach|trainer|tutor|advisor|mentor|accountant|bookkeeper|"
    r"lawyer|nanny|babysitter|host (?:family|mother|mom|dad|father)|employees?|staff|apprentice|team|crew|band|shop|store|company|business|firm|practice|clinic|"
    r"restaurant|bakery|farm|studio|house|home|apartment|flat|place|room|dorm|cabin|cottage|garden|yard|kitchen|car|truck|van|bike|boat|motorcycle|"
    r"commute|shifts?|schedule|hours|salary|rent|lease|mortgage|budget|church|parish|mosque|temple|school|college|university|major|degree|thesis|class(?:es)?|"
    r"hometown|home ?town|village|town|neighbou?rhood|street|building|knees?|back|hip|shoulder|eyes|eyesight|hearing|teeth|skin|hair|stomach|gut|heart condition|"
    r"asthma|diabetes|arthritis|migraines?|allerg(?:y|ies)|blood (?:pressure|sugar|type)|cholesterol|sleep|diet|religion|faith|visa|citizenship|passport|licen[cs]e|permit|"
    r"birthday|anniversary|wedding|name|middle name|surname|last name|first name|pronouns|accent|voice|phone|laptop|tablet|internet|piano|guitar|hobby|side hustle|ritual|routine|tradition|dream|goal)"
)
_TRAITS = (
    r"(?:left|right)[- ]handed|ambidextrous|deaf|blind|colou?r ?blind|dyslexic|autistic|diabetic|asthmatic|epileptic|sober|clean|vegan|vegetarian|"
    r"married|single|divorced|widowed|separated|engaged|retired|unemployed|self[- ]employed|pregnant|disabled|bilingual|trilingual|fluent|native|"
    r"shy|introverted|extroverted|claustrophobic|lactose|gluten|celiac|coeliac|religious|catholic|christian|muslim|jewish|hindu|buddhist|atheist|agnostic|"
    r"gay|lesbian|bi|bisexual|trans|queer|nonbinary|non-binary|asexual|tall|short|bald|overweight|terrified of|scared of|afraid of (?!that|it)|scared to|"
    r"allergic|sensitive to|prone to|immune|hard of hearing|near-?sighted|short-?sighted|forgetful|clumsy|messy|frugal|picky|punctual|competitive|impatient|"
    r"good (?:at|with)|bad (?:at|with)|terrible (?:at|with)|great (?:at|with)|hopeless (?:at|with)|better (?:at|with)|(?:\w+ )?comfortable (?:with|in|driving|speaking)|"
    r"responsible for|in charge of|proud of my|addicted to|obsessed|loyal to|hooked on|used to|new to|close (?:to|with) my|estranged|"
    r"closed\b|open (?:on |every |until |from |\w+days)|raised|born|based|trained in|certified|licen[sc]ed|registered|insured|enrolled|stationed|employed|contracted|diagnosed|homeschooled|adopted|named after|"
    r"(?:\w+ )?years old|\d+ (?:feet|foot|cm|kg|pounds|years)|\d'\d|from (?-i:[A-Z])"
)
_MOMENT = (
    r"\b(?:right now|just now|today|tonight|tomorrow|this (?:morning|afternoon|evening|minute|second|one|time|way)|earlier|a (?:minute|second|moment|sec|bit) ago|(?:an|two|\d+) hours? ago|"
    r"(?:in|for) (?:a|one|two|ten|five|\d+) (?:minutes?|mins?|seconds?|secs?|hours?|bit|while|sec)|brb|be right back|hang on|hold on|one sec|yesterday|"
    r"all (?:day|morning|night|afternoon|evening|weekend)|last night|(?<!ever) \w+ing again$|already$|yet$|for now|"
    r"jk|j/k|kidding|joking|in my dreams|somehow both|to death|(?:from|in) the (?:future|past|moon|matrix)|from (?:mars|outer space|another planet))\b"
)
_AT_HAND = (
    r"\b(?:code|(?:a|the|my|this|each|helper|lambda|python) functions?|functions (?:call|return|that)|scripts?|regex(?:es)?|bugs?|errors?|exceptions?|compil\w+|builds?\b(?= (?:is|fail|break|step))|lint\w*|unit tests?|the tests?|tests? (?:fail|pass)\w*|test suite|quer(?:y|ies)|apis?|arrays?|strings?|"
    r"variables?|loops?|parsers?|repo(?:sitory)?|pull requests?|commits?|branch(?:es)?|stack ?trace|traceback|null|json|yaml|sql|css|html|regex|docker|kubernetes|database|backend|frontend|endpoint|"
    r"localhost|terminal|command line|dataframe|spreadsheet|formula|cells?|column|rows?|pivot|dataset|matrix|theorem|lemma|proof|equations?|integral|derivative|"
    r"essay|cover letter|paragraphs?|sentences?|drafts?|e-?mails? (?:to|from|about)|synonyms?|rhymes?|summary|summari[sz]e|outline|bullet points?|chapters?|verse|stanza|poem|"
    r"(?<!out of )the question|the (?:answer|article|text|page|file|document|instructions?|manual|exercise|problem|prompt|link|image|picture|screenshot|list|option|version|recipe|map|form|menu|"
    r"(?:first|second|third|last|other) (?:one|option|version|paragraph|line|sentence|part|point|question|half|draft)|latter|former|above|below|following|result|output|input|file|screen|button|site|website|app|login|password|search|story|character|hero|plot|game|match|score)|"
    r"question \d+|step \d+|page \d+|option \w$|slides?|template|snippet|syntax|typo|password|deploy|debug\w*|refactor\w*|"
    r"my (?:character|avatar|protagonist|wizard|paladin|elf|half-elf|rogue|bard|knight|dragon|hero|heroine|villain|warlock|team (?:won|lost|is up|is down|beat|scored)|question|point|bad|guess|prompt|query|request|message|answer|notes?|text|title|intro|conclusion|argument|resume|cv|file|folder|screen|browser|tab|cursor|printer|fault|turn|pleasure|apologies|mistake|understanding|cat is on)|"
    r"(?:won|lost|beat|scored|tied|(?:is|are|was|were|['’]re) (?:up|down|ahead|behind)) by|points|the one (?:about|with|where|that)|epochs|timeout|hypothe\w+|scenario|role-?play|dnd|d&d|npc|level \d+)\b"
)

_STRIVE = (
    r"(?:quit|lose|save|learn|cut|eat|drink|conceive|have a (?:baby|kid)|get (?:off|into|in shape|fit|pregnant|sober|better at|stronger|my (?:licen[cs]e|degree|ged))|"
    r"be more|wean|stop|sleep|exercise|walk|run (?:a|more)|read more|gain|build (?:muscle|credit|a (?:house|life|business))|pay (?:off|down)|sell (?:my|our)|"
    r"buy (?:a|my|our)|move|find (?:a job|work)|adopt|spend (?:less|more))\b"
)
"""What people try for longer than an afternoon."""
_BLOCKED = (
    r"(?:open|see|find|get|access|log|connect|install|run|figure|tell|wait|believe|decide|remember|think|view|load|click|say|explain|compile|reach|"
    r"make (?:it|sense)|seem|help|be|have|do (?:it|that|this)|read (?:it|the|this)|argue|complain|thank|edit|print|solve|choose|imagine|change (?:it|the)|come up)"
)
"""What somebody cannot do just now."""
_PASSING = (
    r"(?:favou?rite|question|point|guess|bad|fault|day|morning|week|mood|head|brain|mind|heart|battery|wifi|wi-fi|connection|computer|screen|printer|mouse|keyboard|"
    r"stomach|throat|nose|feet|fingers|package|order|food|coffee|tea|soup|cake|app|site|character|hero|wizard|avatar|teacher|professor|opinion|"
    r"understanding|attempt|attention|hands|life|version|plan|idea|text|email|goodness|god|gosh|apologies|thanks|excuse|lips|train|bus|uber|flight)"
)
"""What is theirs for the moment, or in a manner of speaking."""

LASTING = Lasting(
    opens=(
        r"(?:(?:every|each|most|some|on|in|at|during|since|before|after|around|back (?:home|in)|as a|when I was|whenever I|for the (?:last|past)|over the|growing up|"
        r"(?:mon|tues|wednes|thurs|fri|satur|sun)days|weekends|mornings|evenings|nights|summers|winters|last|this|next|here in|down in|up in|with (?:two|three|four|\d+|a|my)|because of|thanks to|due to|for|my (?:divorce|accident|surgery|stroke|retirement|move|diagnosis|wedding|injury|operation))\b"
        r"(?: (?:my|our) \w+)?[^,;]{0,60}?,? )(?=(?:I|I['’]m|I['’]ve|I['’]ll|we|we['’]re|we['’]ve|my|our)\b(?! (?:was a|were)))"
    ),
    mine=(
        r"(?:I|we|my|our)\b|it['’]?s been\b|it['’]?s (?:just|only) (?:me|my|the)\b|there(?:['’]s| are| is) .{3,12} of us\b|"
        r"the (?:kids|twins|baby|boys|girls|grandkids|missus|wife|husband|in-laws|little one|older one|younger one|oldest|youngest|doctors?|dentist|vet|landlord|school|dogs?|cats?|puppy|horses?)\b|"
        r"(?:neither|both|none|one|two) of us\b|the (?:smell|sound|taste|texture|sight|noise|feel) of [\w' -]+ (?:me|my)\b|"
        r"(?!(?:it|this|that|these|those|which|what|he|she|they|there|the|here|so|something|nothing|everything(?! with)|someone|one|let|if|when|because|please|thank|any|both|none)\b)"
        r"[\w'’ -]{3,60}\b(?:me|my|I)\b"
    ),
    ahead=r"\b(?:will|going to|due|scheduled|supposed|set to|booked|closing|expecting|getting|hoping|planning|aiming|flying|having|leaving|starting|graduating|retiring|turning|hosting|moving|opening|starts?|begins?|opens?|ends?|expires?|arrives?|returns?|next|upcoming|coming|until|till)\b|['’]ll\b",
    inquires=(
        r"(?:(?:and|so|ok|okay|great|sure|also|thanks|got it|one more thing)[,!]? )*(?:what|which|where|who|when|how|do|does|are|is|have|has|did|any)\b(?=.*\b(?:you|your)\b)"
        r"(?!.*\b(?:like me|want|mean|meant|would|should(?! (?:know|be aware))|shall|could|can|help|need|see|seeing|getting|tried|trying|looking|think|mind|feel|feeling|doing|going|far|today|tonight|now|this|these(?! days)|those|"
        r"error|code|version|file|essay|format|tone|title|word|text|draft|question|passwords?|pass\w*|pins?|codes?|combinations?|combos?|cvv|card|account|ssn|social security|tokens?|keys?|secrets?|phrase|iban|permission|allow|authori[sz]e)\b)"
    ),
    asked=ASKED,
    fits=FITS,
    empty=r"(?:(?:no|none|nothing|not)(?:,? (?:that i|really|yet|much|special|particular|in particular|at the moment|i (?:do|have|am)).*)|not now|later|another time|nothing much|same|yes|yeah|yep|yup|no|nope|nah|ok|okay|sure|maybe|both|either|neither|none|nothing|any|anything|whatever|not really|idk|i don['’]t know|no idea|not sure|dunno|thanks?|please|skip|pass|hm+|lol|correct|right|exactly|true|i do|i am|i did)(?:[,.! ]+(?:please|thanks|thank you|of course|sure|i do|i am|i did|not|really|lol))*",
    void=r"\b(?:and|but) (?:it|nothing|the \w+) (?:still|just|now|keeps?|won['’]t|doesn['’]t|hangs?|crash\w*|fails?|failed|returns?|says|said|shows?|complains?|happens|happened|worked|works|broke|looks?|came out)\b|\b(?:gotta (?:go|run)|kidding|joking|jk)\b|\bI['’]?m (?:literally|basically|practically|essentially) (?:an?|the|dead|dying)\b",
    once=r"\bused to\b|\b(?:almost|nearly) (?=every|all\b|always|never|\d|an? (?:year|decade|hundred)|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty)",
    habit=r"\b(?:every|each|always|usually|never|often|\w+days|weekly|daily|most)\b",
    never=_MOMENT
    + "|"
    + _AT_HAND
    + r"|\b(?:you|your|yours|u|ur)\b|\bwe all\b|\bchanged my mind\b|\ball of us\b|\b(?:since |when )?we last \w+|\bproblems? with (?:it|that|this)\b|^.{0,40}\b(?:this|that|it|these|those)$|^I(?:['’]m| am) not (?!much of\b|(?:a |an )?(?:big|great|good|huge|strong|\w+ (?:person|eater|drinker|sleeper|dancer|reader|talker|swimmer))\b)|^I (?:don['’]t|do not) (?:\w+ly )?(?:have|live|own|know|think|understand|get|see|want|need|remember|believe|recall|feel)\b|^I['’]ve never been\b|\bname (?:is not|isn['’]t)\b|\bnot really\b|\bthis\b(?! (?:year|summer|spring|fall|winter|autumn|coming|town|city|country|house|cabin|cottage|farm|garden|shop|store|business|neighbou?rhood|job|company|apartment|flat|building|area|village|island|region|state|semester|term|month|january|february|march|april|may|june|july|august|september|october|november|december)\b)|\bI (?:just )?(?:wanted|want|needed|need(?!.*\b(?:because of my|to (?:function|sleep|focus|survive|concentrate)|every (?:day|night|morning)|at all times|whenever)\b))\b|\b(?:he|she|they) (?:said|says|told)\b",
    shapes=(
        # habits: any verb that is not of the mind, the past or the moment
        (
            2,
            rf"^(?:I|we) {_ADV}(?!{_MIND}\b)(?!{_LOOSE}\b)(?!{_PAST}\b)(?!\w{{3,}}ing\b)[a-z]{{3,}}\b(?! (?:it|that|this|them|so)\b| (?:of|at|the) (?:it|this)\b) \w+",
        ),
        (1, rf"^(?:I|we) {_ADV}{_LOOSE}\b (?!(?:it|that|this|them|so|with (?:it|that|this))\b)\w+"),
        (
            2,
            rf"^(?:I|we) (?:\w+ly )?(?:can['’]t|cannot|don['’]t|do not|won['’]t|never|rarely|barely|hardly|seldom|only|always|usually|mostly) (?:(?:really|even|ever|usually) )*(?!{_MIND}\b)(?!{_BLOCKED}\b)[a-z]{{2,}} (?!it\b|that\b|this\b|them\b)\w+",
        ),
        # the past that is the story of a life
        (1, rf"^(?:I|we) {_ADV}{_LIVED}\b"),
        (
            1,
            rf"^(?:I|we) {_ADV}{_PAST}\b.*(?:\b(?:for|spent|over|nearly|almost) (?:[\w-]+ ){{1,3}}(?:years|months|decades|summers|winters|semesters)|\b(?:19|20)\d\d\b|\bback in\b|\byears? ago\b|\bwhen I was\b|\bas a (?:kid|child|teen)|\bin (?:my|the) (?:\w+ )?(?:twenties|thirties|forties|fifties|army|navy|military|marines|coast guard|hospital)|\bgrowing up\b)",
        ),
        (2, r"^(?:I|we) (?:\w+ly )?lost (?:most|all|some|half|part) of (?:my|our)\b"),
        (
            2,
            r"^I(?:['’]m| am) (?:more|something|kind|sort|(?:a )?bit|not much) of an? \w+|^I(?:['’]m| am) not (?:a |an )?(?:big|great|good|huge|strong|much|\w+ (?:person|eater|drinker|sleeper|dancer|reader|talker|swimmer))\b",
        ),
        (
            2,
            r"^I need (?!to\b|help|a hand|this|that|your?)[\w'’ ]+ (?:because of my|to (?:function|sleep|focus|survive|concentrate)|every (?:day|night|morning)|at all times|whenever)\b",
        ),
        (2, r"^(?:I|we) used to \w+ .*\b(?:but|until|before|now)\b"),
        (1, r"^(?:I|we) (?:\w+ly )?used to (?!think|know|feel)\w+ \w+"),
        (
            2,
            r"^(?:I|we) (?:\w+ly )?(?:inherited|founded|enlisted|emigrated|immigrated|converted to|majored in|dropped out|grew up|separated|got (?:divorced|married|engaged|sober|laid off|fired|custody)|was (?:raised|adopted|diagnosed|laid off|fired|widowed|homeschooled)|had (?:surgery|an? (?:stroke|heart attack|miscarriage|transplant|c-section|\w+ replaced)|my \w+ removed))\b",
        ),
        # what has been going on or never was
        (
            2,
            rf"^(?:I|we)(?:['’]ve| have| haven['’]t| have not) {_ADV}(?:never )?{_DONE}\b.*\b(?:since|for (?:about |over |almost |nearly |more than |the (?:last|past) |like )*(?:\w+|[\w-]+|a (?:few|couple(?: of)?)) (?:years?|months?|decades?|semesters?)|years|times|countries|states|all my life|in years)\b",
        ),
        (
            2,
            rf"^(?:I|we)(?:['’]ve| have) {_ADV}(?:owned|raised|lived|served|coached|volunteered|taught|always|worked|written|published|run|climbed|visited|played|been (?:sober|clean|married|divorced|together|single|living|working|teaching|playing|learning|studying|training|riding|singing|vegan|vegetarian|caring|saving|renting|doing|going|seeing|taking|writing|running|growing|collecting|coaching|fostering|keeping|driving|sewing|knitting|painting)|become|switched|moved|stopped|quit|given up|cut (?:out|down|back)|kept|built|had (?:a|an|two|three|my|asthma|trouble|back)|got(?:ten)? (?:into|used|rid)|lost (?:my|a|an|over|\d+)|fallen in love|signed up|saved)\b",
        ),
        (2, r"^it['’]?s been (?:[\w-]+ ){1,4}(?:years?|months?) since I\b"),
        # being
        (
            2,
            r"^(?:I(?:['’]m| am|['’]ve been)|we(?:['’]re| are)) (?:(?:\w+ly|still|also|now|very|so|quite|pretty|really|super|kind of|a bit|only|just|basically|currently|definitely) )*(?:an?|the|one of|his|her|their) (?!(?:bit|little|fool|mess|wreck|idiot|genius|lot|few|couple|loss|robot|ghost|vampire|pirate|wizard|king|queen|god|alien|zombie|dinosaur|ninja|superhero|spy|tad|touch|best|worst|first to|last to|one who|same|fan of (?:this|that|it|how)|believer)\b)[\w-]+",
        ),
        (
            2,
            rf"^(?:I(?:['’]m| am)|we(?:['’]re| are)) (?:(?:\w+ly|still|also|now|very|so|quite|pretty|really|super|kind of|a bit|a little|only|just|basically|currently|both|all|no longer|more|way|much|too) )*(?:{_TRAITS})",
        ),
        (
            2,
            r"^(?:I(?:['’]m| am)|we(?:['’]re| are)) (?:\w+ly |still |also |now |both |all )*(?:on (?!it|top|board|track|the same|the (?:page|phone|fence)|my way|page|step|question|hold)|off (?!to|topic|track)|with (?!you|that|it)|in (?!a hurry|a rush|trouble|love|shock|awe|agreement|favor|favour|the mood|the middle|too deep|over my|here|it|a meeting|line|class|bed|the (?:car|shower|bathroom|office))|at (?!a loss|work|home|the (?:point|store|airport|gym|moment)|it|my (?:wit|limit|desk))|under (?!the impression)|out of work|between jobs|into (?!it|this))[\w'’]+(?: \w+)+",
        ),
        (
            2,
            rf"^(?:I(?:['’]m| am)|we(?:['’]re| are)) (?:\w+ly |still |also |now |both )*(?:living|raising|failing|flunking|renting|studying|training|learning|teaching|apprenticing|saving|dating|seeing (?!if|how|a bug|an)|caring|recovering|paying off|restoring|renovating|building a (?!function|query|class|model|website)|majoring|minoring|working (?:nights|days|two|three|part|full|as|in|at|for|toward|with (?:kids|children|people|patients|animals))|commuting|sharing|fostering|homeschooling|breastfeeding|expecting|rehabbing|grieving|retraining|interning|subletting|coaching|growing|allergic|trying to {_STRIVE})\b",
        ),
        (
            2,
            rf"^(?:I(?:['’]m| am)|we(?:['’]re| are)) (?:\w+ly )?(?:due|scheduled|supposed|set|booked|closing on|expecting|moving|getting (?:married|divorced|surgery|my|our)|hoping|planning|aiming|flying|having|leaving|starting|graduating|retiring|turning \d+|hosting|switching|opening|applying|taking (?:my|the)|running (?:a|the|my) \w*)\b.*(?:{_SOON}|\b(?:one day|someday|with my|with the kids)\b|(?-i: [A-Z][a-z]+))",
        ),
        (
            1,
            r"^(?:I(?:['’]m| am|['’]ve been| have been)|we(?:['’]re| are)) (?:\w+ly |still |also |now |both )*\w{2,}ing (?!it\b|that\b|this\b|to\b)\w+",
        ),
        (2, r"^(?:the|my|our) (?:plan|dream|goal|hope|aim|idea) is to \w+"),
        (
            2,
            r"^(?:there are|there['’]s|there is) (?:only |just )?(?:\w+) of us\b|^it['’]?s (?:just|only) (?:me|the two of us|my \w+) and\b|^it['’]?s just me\b",
        ),
        # having
        (
            2,
            r"^(?:I|we)(?:['’]ve got| have got| have| own|['’]ve) (?:also |still |only |just |now |already |always |both |had |a total of )*(?!to\b|been\b|no\b|not\b|any\b|enough\b|nothing\b|something\b|one more\b|more\b|another\b|it\b|that\b|this\b|these\b|you\b|the (?!same)|never\b|a lot\b|lots\b|seen\b|read\b|tried\b|heard\b|used\b|done\b|gone\b|got\b|had\b|said\b|\w+ed\b|a (?:question|few|couple|hunch|feeling|problem|point|suggestion|request|quick|bug|doubt|hard time|bad feeling|headache|cold|meeting|call|long day|minute|second|moment|look|good|great|bit|list|string|table|number|file|graph|chance|theory|rough|weird|favor|favour|confession)\b|an (?:idea|issue|error|array|hour|odd|interesting|important)\b|(?:two|three|four|five|six|\d+) (?:more|questions?|variables|equations|apples|files|numbers|minutes|hours|options|columns|rows|lists|tabs|ideas|problems|issues)\b)(?:[\w'’-]+)",
        ),
        # what is theirs
        (
            2,
            rf"^(?:my|our) (?:(?!team (?:won|lost))[\w'’-]+ ){{0,2}}?{_FAMILY}\b(?: (?-i:[A-Z])[\w'’-]+)?(?: (?:at|in|from|with|here|and|of|on) [\w'’]+(?: [\w'’]+)?)? (?!(?:won|lost|beat|scored|says?|said|thinks?|thought|tells?|told|asks?|asked|wonders?|joked?|laughed|is (?:\w+ing|annoying|slow|cute|funny|mad|angry|late|great|awesome|awful|tired|being)|are (?:\w+ing)|keeps?|won['’]t (?:load|start|open|turn)|froze|crashed|died on me|looks?|sounds?|suggested|recommended)\b)(?-i:[a-z])[\w'’]*",
        ),
        (
            2,
            r"^(?:my|our) (?:\w+ )?\w+ (?:and I|and me) (?!(?:were|was|had|are (?:arguing|debating|wondering|trying))\b)\w+",
        ),
        (
            1,
            rf"^(?:my|our) (?!{_PASSING}\b)[\w'’-]+(?: (?!{_PASSING}\b)[\w'’-]+)? (?:is|are|has|have|starts?|ends?|runs?|needs?|takes?|lives?|works?|comes?|gets?|goes|hurts?|was|were|used|uses|left|quit|moved|died|closed|opened|sits?|stays?|belongs?|keeps?|makes?)\b",
        ),
        # what things do to them
        (
            2,
            r"(?<!^)\b(?:is|are|was|were)(?:n['’]t)? (?:\w+ ){0,4}?(?:for me|to me|my (?:thing|life|world|nemesis|weakness|kryptonite|escape|therapy|happy place|religion|salvation|downfall|speciality|specialty))$",
        ),
        (
            2,
            rf"^(?:my|our) (?!(?:first|last|next|previous|other|only|main|initial|current|spirit)\b)(?:\w+ )??(?!{_PASSING}\b)[\w'’-]+(?: (?:and|of) [\w'’-]+)? (?:is|are|isn['’]t|aren['’]t|has|have|was|were) (?!\w+ing\b|(?:\w+ly |so |really |too |very )*(?:great|ok|okay|fine|good|bad|done|ready|slow|down|broken|wrong|here|there|up|over|right|lost|stuck|late|empty|full|killing)\b)\w+(?: \w+)+|^(?:my|our) [\w'’-]+(?: [\w'’-]+)?(?: (?:is|are)) (?:too |so |really |pretty )*(?:awful|terrible|illegible|messy|curly|straight|long|short|small|tiny|huge|strict|early|thin|thick|sensitive|weak|old|bilingual)\b",
        ),
        (
            2,
            r"(?<!^)\b(?:makes?|keeps?|gives?|gave|helps?|saved|saves|ruins?|ruined|sends?|gets?|drives?|puts?|calms?|relax(?:es)?|soothes?|stress(?:es)?|scares?|bores?|never did|never works?|doesn['’]t (?:do|work|suit|interest|bother)|does nothing|do nothing|did nothing|did wonders|works?|suits?|changed|cured|reminds?|bothers?|grosses|freaks?|creeps?|triggers?|upsets?|wrecks?|knocks?|kills?) (?:[\w'’]+ ){0,3}?(?:me|my)\b",
        ),
        (
            2,
            r"^(?:I|we) (?:\w+ly )?used to (?:be (?:an?|the|in|on|with|very|really|so|super)\b|have|own|play|work|live|teach|coach|run|sing|drive|smoke|drink|dance|swim|race|compete|write|manage|weigh)\b",
        ),
        (
            2,
            r"^(?!(?:bear|works?|sounds?|count|trust|seems?|looks?|feels?|same|good|fine|ok|nice|words?|life|beats?|excuse|pardon|forgive|help|give|tell|show|let|call|send|remind|make|get|believe|all|no|and|or|but|can|could|would)\b)(?:[\w'’-]+ ){1,5}?(?!(?:tells?|told|asks?|asked|shows?|showed|gives?|gave|lets?|sends?|sent|emails?|texts?|calls?|called|says?|reminds? me to|thanks?|trusts?|believes?|corrects?|allows?|to|for|with|of|at|on|by|in|from|and|like|than|about|between|help|give|tell|show|let|send|got|hit|beats?|lost)\b)[a-z]{3,} me\b",
        ),
        (
            2,
            r"^the (?:kids|twins|baby|boys|girls|little one|oldest|youngest|dogs?|cats?|puppy|horses?) (?:can['’]t|cannot|won['’]t|doesn['’]t|don['’]t|never|always|hates?|loves?|sleeps?|(?:is|are) (?:allergic|scared|afraid|terrified|blind|deaf|diabetic))\b",
        ),
        (
            2,
            r"^(?:neither|both|none|one|two) of us (?:is|are|have|has|can|can['’]t|drinks?|smokes?|eats?|drives?|works?|likes?|loves?|speaks?|cooks?|grew|come|comes|had|were|was)\b",
        ),
        (
            2,
            r"^[\w'’-]+(?: [\w'’-]+){0,3} (?:is|are) (?:the (?:one|only)|one|something|a|an|what) .*\bI (?:refuse|won['’]t|can['’]t|cannot|never|always|love|hate|avoid|enjoy|could (?:never|live)|swear by|live on|grew up)\b",
        ),
        (
            2,
            r"^I(?:['’]d| would) (?:never|always|much sooner|sooner) (?!have\b|say\b|know\b|guess\b|think\b|ask\b)\w+ \w+",
        ),
        # taste
        (
            2,
            r"^(?:I|we) (?:really |absolutely |just |never |honestly )*(?:loved|adored|devoured|hated|loathed|couldn['’]t (?:get through|finish|stand|get into|stomach)|could never (?:get into|stand|stomach)|didn['’]t (?:enjoy|like|care for)|grew to (?:love|hate)) (?!it\b|that\b|this\b|how\b|your\b|when\b)\w+",
        ),
        (
            1,
            r"^the (?:kids|twins|baby|boys|girls|grandkids|missus|wife|husband|in-laws|little one|older one|younger one|oldest|youngest|doctors?|dentist|vet|landlord|school)\b \w+",
        ),
    ),
    signs=(
        # time and place make a loose statement a firm one
        (1, _TIME),
        (1, _SOON),
        (1, r"(?<!^)(?-i:(?<=[a-z,] )[A-Z][\w'’-]+)"),
        (
            1,
            r"\b(?:\d+(?:st|nd|rd|th)?|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred)\b(?! (?:seconds?|secs|minutes?|mins|ms|px|pixels|items|words|lines|points|percent|pages|columns|rows|characters|times|tries|errors?|epochs|tokens|bytes|mb|gb|options?|examples?|more|of them)\b)",
        ),
        (
            1,
            r"\b(?:for (?:nearly |almost |basically )?everything|everywhere|for most things|for a living|on the side|by trade|in my family|in our family|at our house|in our house|at my (?:job|school|church|work|house|place))\b",
        ),
        # signs of the moment
        (
            -2,
            r"^(?:I|we)(?:['’]m| am|['’]re| are) (?:so |really |very |pretty |kind of |a bit |a little |still |just |too |super )*(?:tired|hungry|bored|sorry|confused|lost|stuck|happy|glad|sad|mad|angry|annoyed|excited|done|ready|back|here|fine|ok|okay|good|great|busy|late|sick of|dead|dying|starving|thirsty|cold|hot|curious|sure|afraid|worried|surprised|impressed|shocked|speechless|grateful|thankful|thrilled|lucky|in\b)(?! (?:at|with|of|to speak|married))\b",
        ),
        (
            -2,
            rf"^(?:I|we)(?:['’]m| am|['’]re| are) (?:just |still |currently |now |really )*(?:trying (?!to {_STRIVE})|looking|getting (?!married|divorced|surgery|my |our |used|old|into|better|worse)|asking|wondering|thinking|going to (?:grab|try|bed|go|do|use)|writing|reading|using|working on|having trouble|having (?:a )?(?:hard|issues|problems)|running into|talking|telling|saying|kidding|joking|guessing|assuming|about to|translating|debugging|making|doing|calling|testing)\b",
        ),
        (-2, r"\b(?:everyone|everybody|nobody|whoever)\b|\bwhat (?:I|we) (?:mean|meant|said)\b"),
    ),
    least=2,
)
