"""The words for times past in the languages people ask in: months, seasons, weekdays, "last week", "three days ago".

Plain data, lower case. Patterns stand without word boundaries; the reader adds them where a script has any. Refuses
to reckon. One surprise: a word that is a time in one language and something else in another is out of the list, or
stands only beside what makes it a time (French "hier" is German for "here", so it needs a sentence in French).
"""

from __future__ import annotations

_MONTHS = """
january jan januar enero janvier gennaio janeiro января январе январь जनवरी;
february feb februar febrero février fevrier febbraio fevereiro февраля феврале февраль फरवरी फ़रवरी;
march mar märz marzo mars março марта марте март मार्च;
april apr abril avril aprile апреля апреле апрель अप्रैल;
may mai mayo maggio maio мая мае май मई;
june jun juni junio juin giugno junho июня июне июнь जून;
july jul juli julio juillet luglio julho июля июле июль जुलाई;
august aug agosto août aout августа августе август अगस्त;
september sept sep septiembre septembre settembre setembro сентября сентябре сентябрь सितंबर सितम्बर;
october oct oktober octubre octobre ottobre outubro октября октябре октябрь अक्टूबर अक्तूबर;
november nov noviembre novembre novembro ноября ноябре ноябрь नवंबर नवम्बर;
december dec dezember diciembre décembre decembre dicembre dezembro декабря декабре декабрь दिसंबर दिसम्बर
"""
MONTHS: dict[str, int] = {
    name: number for number, names in enumerate(_MONTHS.split(";"), 1) for name in names.split()
}

AMBIGUOUS = frozenset(
    ["may", "mar", "mars", "march", "mai", "sep", "jun", "jan", "mae", "fall", "spring", "estate"]
)
"""Also ordinary words: only beside a number or after a word that introduces a time."""

LEAD = r"(?:in|since|during|around|early|late|mid|last|this|by|of|im|seit|letzten|en|de|du|em|в|last)"

HAN_MONTHS: dict[str, int] = {
    word: number
    for number, word in enumerate(
        ["一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二"], 1
    )
}

SEASONS: dict[str, int] = {
    word: month
    for month, words in (
        (3, "spring frühling frühjahr primavera printemps весной весну वसंत"),
        (6, "summer sommer verano été estate verão летом лето गर्मी गर्मियों"),
        (9, "autumn fall herbst otoño automne autunno outono осенью осень"),
        (12, "winter invierno hiver inverno зимой зиму सर्दी सर्दियों"),
    )
    for word in words.split(" ")
}
"""Season to its first month; northern hemisphere."""

ADVERBS = frozenset(["весной", "летом", "осенью", "зимой"])
"""Seasons that are a time by themselves; the others need a word that introduces a time, or tells which one."""

SEASONS_UNSPACED: dict[str, int] = {
    word: month
    for month, words in (
        (3, "春天 春季 春 봄에 봄"),
        (6, "夏天 夏季 夏 여름에 여름"),
        (9, "秋天 秋季 秋 가을에 가을"),
        (12, "冬天 冬季 冬 겨울에 겨울"),
    )
    for word in words.split(" ")
}
WHICH_UNSPACED = r"(?:去年|昨年|작년|지난|今年|올해|(?:19|20)\d\d ?[年년]) ?[の的]? ?"

SEASON_LEAD = (
    r"(?:last|this|in the|in|during the|letzte[nrms]?|vergangene[nrms]?|vorige[nrms]?|diese[nrms]?|im|el|l'|en|cet|cette|au"
    r"|nell'|nel|d'|no(?=\s+(?:verão|outono|inverno))|[nl]a(?=\s+primavera)|прошл\w+|эт\w+|पिछली|पिछले|इस)"
)
PAST_AFTER = r"(?:pasad[oa]|derni(?:er|ère)|scors[oa]|passad[oa])"
PAST_BEFORE = r"(?:last|letzte[nrms]?|vergangene[nrms]?|vorige[nrms]?|прошл\w+|पिछली|पिछले|지난)"

WEEKDAYS: dict[str, int] = {
    name: number
    for number, names in enumerate(
        (
            "monday montag lunes lundi lunedì segunda segunda-feira понедельник सोमवार 周一 星期一 週一 月曜日 월요일",
            "tuesday dienstag martes mardi martedì terça terça-feira вторник मंगलवार 周二 星期二 週二 火曜日 화요일",
            "wednesday mittwoch miércoles mercredi mercoledì quarta quarta-feira среду बुधवार 周三 星期三 週三 水曜日 수요일",
            "thursday donnerstag jueves jeudi giovedì quinta quinta-feira четверг गुरुवार 周四 星期四 週四 木曜日 목요일",
            "friday freitag viernes vendredi venerdì sexta sexta-feira пятницу शुक्रवार 周五 星期五 週五 金曜日 금요일",
            "saturday samstag sonnabend sábado samedi sabato субботу शनिवार 周六 星期六 週六 土曜日 토요일",
            "sunday sonntag domingo dimanche domenica воскресенье रविवार 周日 星期日 週日 星期天 周天 日曜日 일요일",
        )
    )
    for name in names.split(" ")
}

NOT_BARE = frozenset(["segunda", "quarta", "quinta", "sexta"])
"""Names of days that are also "second", "fourth" and so on: never a time by themselves."""

TO_COME_BEFORE = r"next|coming|this|nächste[nrms]?|kommende[nrms]?|diese[nrms]?|próxim[oa]|prossim[oa]|следующ\w+|अगले|下个?|来週の?|다음 ?주?"
TO_COME_AFTER = r"prochain|que viene|prossim[oa]|que vem"
OF_LAST_WEEK = r"上个?|上個|先週の?|지난 ?주 ?"

PAST = (
    r"did|was|were|had|said|told|talked|went|happened|habe|hab|hatte|war|sagte|haben|dije|hice|fue|era|hablamos|pasó"
    r"|ai|ai-je|avons|était|ho|abbiamo|disse|fiz|falei|foi|сказал\w*|говорил\w*|был\w*|делал\w*|था|थी|थे|किया|कहा|बताया"
)
"""Words of a question about what has been; without one a bare weekday may be one to come."""

PAST_UNSPACED = "了|过|過|した|ました|だった|했|었|았"
"""The same, as endings."""

ASKING = (
    r"what|when|where|who|whom|which|why|how|did|was|were|tell me|remind me|wann|wo|wer|wen|welche[nrs]?|warum|wie|habe ich"
    r"|qué|cuándo|dónde|quién|quand|où|qui|quoi|cosa|quando|dove|chi|o que|onde|quem|что|когда|где|кто|क्या|कब|कहाँ"
)
"""Words that open a question which nobody bothers to end with its mark."""

NAMED: dict[str, str] = {
    "day_before": "day before yesterday|vorgestern|anteayer|antes de ayer|avant-hier|l'altro ieri|anteontem|позавчера",
    "last_night": "last night|gestern (?:abend|nacht)|anoche|hier soir|ieri sera|ontem à noite|вчера вечером",
    "yesterday": "yesterday|gestern|ayer|ieri|ontem|вчера|बीते कल|कल रात",
    "today": (
        "today|this (?:morning|afternoon|evening)|tonight|heute|hoy|esta (?:mañana|tarde|noche)|aujourd'hui|ce (?:matin|soir)"
        "|oggi|stamattina|stasera|hoje|сегодня|आज"
    ),
    "last_weekend": (
        "last weekend|(?:letztes|vergangenes|am letzten|am vergangenen) wochenende|(?:el )?fin de semana pasado"
        "|le week-?end dernier|(?:lo )?scorso (?:fine settimana|weekend)|(?:il )?(?:fine settimana|weekend) scorso"
        "|(?:no )?fim de semana passado|(?:в|на) прошлые выходные"
    ),
    "last_week": (
        "last week|(?:letzte|vergangene|vorige)n? woche|(?:la )?semana pasada|(?:la )?semaine (?:dernière|passée)"
        "|(?:la )?(?:settimana scorsa|scorsa settimana)|(?:na )?semana passada|на прошлой неделе"
        "|पिछले (?:हफ़्ते|हफ्ते|सप्ताह)"
    ),
    "this_week": (
        "this week|diese[rn]? woche|esta semana|cette semaine|questa settimana|nesta semana|essa semana|на этой неделе"
        "|इस (?:हफ़्ते|हफ्ते|सप्ताह)"
    ),
    "last_month": (
        "last month|(?:letzten|vergangenen|vorigen) monat|(?:el )?mes pasado|(?:le )?mois (?:dernier|passé)"
        "|(?:il )?(?:mese scorso|scorso mese)|(?:no )?mês passado|в прошлом месяце|पिछले (?:महीने|माह)"
    ),
    "this_month": (
        "this month|diese[nms] monat|este mes|ce mois(?:-ci)?|questo mese|n?este mês|в этом месяце|इस महीने"
    ),
    "last_year": (
        "last year|(?:letzte[sn]|vergangene[sn]|vorige[sn]) jahr|(?:el )?año pasado|l'année (?:dernière|passée)|l'an (?:dernier|passé)"
        "|(?:l')?anno scorso|(?:lo )?scorso anno|(?:no )?ano passado|в прошлом году|पिछले (?:साल|वर्ष)"
    ),
    "this_year": (
        "this year|diese[sm] jahr|este año|cette année|quest'anno|n?este ano|в этом году|इस (?:साल|वर्ष)"
    ),
}
"""Readings with the phrases for them, in scripts that keep words apart."""

UNSPACED: dict[str, str] = {
    "day_before": "前天|一昨日|おととい|그저께|그제|เมื่อวานซืน",
    "last_night": "昨晚|昨夜|昨晩|ゆうべ|어젯밤|เมื่อคืน",
    "yesterday": "昨天|昨日|きのう|어제|เมื่อวาน",
    "today": "今天|今日|今早|今晚|今朝|오늘|วันนี้",
    "last_weekend": "上周末|上週末|上个周末|先週末|지난 ?주말",
    "last_week": "上周|上週|上个?星期|上個星期|上个?礼拜|先週|지난 ?주|저번 ?주|สัปดาห์ที่แล้ว|อาทิตย์ที่แล้ว",
    "this_week": "这周|本周|這週|这个?星期|今週|이번 ?주|สัปดาห์นี้",
    "last_month": "上个月|上個月|上月|先月|지난 ?달|저번 ?달|เดือนที่แล้ว",
    "this_month": "这个月|這個月|本月|今月|이번 ?달|เดือนนี้",
    "last_year": "去年|昨年|작년|지난 ?해|ปีที่แล้ว",
    "this_year": "今年|올해|ปีนี้",
}
"""The same in scripts that do not."""

FRENCH = r"j'\w*|je|qu'\w*|est-ce|ai-je|avons|dit|fait|nous|vous"
"""Words one of which makes "hier" French."""

GERMAN = "ich|du|wir|ist|sind|was|wer|wo|wie|gibt|das|der|die|habe|hat|bin"
"""Words one of which makes it German."""

NUMBERS: dict[str, int] = {
    word: number
    for number, spoken in enumerate(
        (
            "a an one einem einer un una uno une um uma один одну एक 一 한",
            "two couple zwei dos deux due dois duas два две दो 二 两 兩 두",
            "three few drei tres trois tre três три तीन 三 세",
            "four vier cuatro quatre quattro quatro четыре चार 四 네",
            "five fünf cinco cinq cinque пять पाँच पांच 五 다섯",
            "six sechs seis sei шесть छह 六 여섯",
            "seven sieben siete sept sette sete семь सात 七 일곱",
            "eight acht ocho huit otto oito восемь आठ 八 여덟",
            "nine neun nueve neuf nove девять नौ 九 아홉",
            "ten zehn diez dix dieci dez десять दस 十 열",
        ),
        1,
    )
    for word in spoken.split(" ")
}

AGO: tuple[tuple[str, str], ...] = (
    ("ago", r"(?:a )?{n}(?: of)? {unit} ago"),
    ("vor", r"vor {n} {unit}"),
    ("hace", r"hace {n} {unit}"),
    ("il y a", r"il y a {n} {unit}"),
    (" fa", r"{n} {unit} fa"),
    ("há", r"há {n} {unit}"),
    ("atrás", r"{n} {unit} atrás"),
    ("назад", r"(?:{n} )?{unit} назад"),
    ("पहले", r"{n} {unit} पहले"),
)
"""A word each needs, with the whole."""

AGO_UNSPACED: tuple[tuple[str, str], ...] = (
    ("前", r"{n} ?{unit} ?(?:以)?前"),
    ("전", r"{n} ?{unit} ?전"),
)

UNITS: tuple[tuple[str, int], ...] = (
    (r"days?|tag(?:en?)?|d[ií]as?|jours?|giorn[oi]|день|дня|дней|दिन|天|日|일", 1),
    (
        r"weeks?|wochen?|semanas?|semaines?|settiman[ae]|недел[юиья]+|हफ़्ते|हफ्ते|सप्ताह|周|週間|週|个?星期|個星期|주일|주",
        7,
    ),
    (
        r"months?|monat(?:en?)?|mes(?:es)?|mois|mes[ei]|mês|месяц(?:а|ев)?|महीने|个月|個月|か月|ヶ月|カ月|개월|달",
        31,
    ),
    (r"years?|jahr(?:en?)?|años?|ans?|années?|ann[oi]|anos?|год(?:а)?|лет|साल|年|년", 366),
)
"""Units with their length in days."""
