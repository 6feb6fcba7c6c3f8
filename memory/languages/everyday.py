"""What people tell of their lives in the same few ways everywhere: the same statements, in every language.

Owns ages reached, animals and people named in passing, languages at home, moves, conditions, medicines by their names,
savings, and what takes the place of what has just ended. Data only. One surprise: these are tried after a language's
own slots, so that they only read what was left whole before.

More than 300 lines: the ways of all languages stay side by side.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from memory.languages.pack import Slot

# fmt: off
# one statement a line, however long: a table is read down, not across
_DRUG = (
    r"(?P<value>(?:\d+ ?mg (?:de |di |of )?)?[\w-]*(?:thyrox|tirox|metform|omepra|pantopra|sertral|fluox|citalopr|paroxet|venlaf|duloxet|mirtaz|insulin|ibupro|paracetam|"
    r"aspirin|vastatin|amlodip|bisopro|metopro|ramipr|enalapr|lisinopr|sartan|warfarin|xarelto|eliquis|predniso|cortiso|methotrex|metotrex|ritalin|methylphen|metilfen|adderall|"
    r"vyvanse|concerta|quetiap|olanzap|lamotrig|valproat|pregabal|gabapent|ventolin|salbutam|cetiriz|loratad|ozempic|semaglut|eutirox|euthyrox|synthroid|sintrom|тирокс|метформ|"
    r"инсулин|омепраз|бисопрол|сертрал|варфар|аспирин)\w*(?: \d+ ?(?:mg|mcg|мг|мкг))?)"
)
_CAR = (
    r"(?P<value>(?:\d{4} )?(?-i:Seat|Renault|Clio|Twingo|Kangoo|Peugeot|Citro[eë]n|Ford|Fiesta|Focus|Opel|Corsa|Volkswagen|VW|Golf|Polo|Passat|Audi|BMW|Mercedes|Fiat|Panda|Punto|"
    r"Alfa Romeo|Toyota|Yaris|Corolla|Honda|Civic|Jazz|Hyundai|Kia|Nissan|Mazda|Dacia|Duster|Skoda|Škoda|Volvo|Mini|Tesla|Suzuki|Subaru|Chevrolet|Vauxhall|Jeep|Ibiza|León|Onix|Gol|Uno|Kombi)"
    r"(?: (?-i:[A-Z0-9])[\w-]*){0,2}(?: (?:del|de|von|from|dal) (?:19|20)\d\d)?)"
)


def _list(thing: str, link: str) -> str:
    return rf"(?P<value>(?:{thing})(?:(?:,|,? (?:{link})) (?:{thing}))*)"


TONGUES = r"(?:english|french|spanish|german|italian|portuguese|russian|mandarin|cantonese|chinese|japanese|korean|arabic|hindi|urdu|bengali|punjabi|tamil|polish|turkish|greek|dutch|swedish|norwegian|danish|finnish|hebrew|farsi|persian|swahili|vietnamese|thai|tagalog|ukrainian|romanian|hungarian|czech|welsh|irish|gaelic|catalan|sign language|asl|bsl)"
_DE_TONGUE = r"(?:deutsch|englisch|französisch|spanisch|italienisch|portugiesisch|russisch|polnisch|türkisch|kurdisch|arabisch|chinesisch|japanisch|koreanisch|niederländisch|schwedisch|griechisch|kroatisch|serbisch|bosnisch|albanisch|rumänisch|ukrainisch|persisch|farsi|hindi|urdu|vietnamesisch|ungarisch|tschechisch|plattdeutsch|gebärdensprache)"
_FR_TONGUE = r"(?:(?:le |l['’])?(?:français|anglais|espagnol|allemand|italien|portugais|russe|chinois|mandarin|japonais|coréen|arabe|kabyle|berbère|breton|basque|occitan|corse|catalan|polonais|turc|kurde|grec|néerlandais|wolof|lingala|créole|hindi|hébreu|roumain|vietnamien|persan|arménien|la langue des signes))"
_ES_TONGUE = r"(?:español|castellano|inglés|francés|alemán|italiano|portugués|ruso|chino|japonés|coreano|árabe|catalán|valenciano|gallego|euskera|vasco|polaco|turco|griego|quechua|aymara|guaraní|rumano|hindi|neerlandés|sueco|ucraniano)"
_IT_TONGUE = r"(?:italiano|inglese|francese|spagnolo|tedesco|portoghese|russo|cinese|giapponese|coreano|arabo|polacco|turco|greco|rumeno|albanese|catalano|sardo|friulano|siciliano|napoletano|veneto|ladino|ucraino|hindi|olandese)"
_PT_TONGUE = r"(?:português|inglês|espanhol|francês|alemão|italiano|russo|chinês|mandarim|japonês|coreano|árabe|crioulo|guarani|polonês|turco|grego|hindi|holandês|ucraniano|libras)"
_RU_TONGUE = r"(?:английский|французский|немецкий|испанский|итальянский|португальский|китайский|японский|корейский|арабский|польский|турецкий|греческий|чешский|иврит|татарский|украинский|грузинский|армянский|казахский|хинди|русский)"
_ZH_TONGUE = r"(?:普通话|粤语|闽南语|客家话|上海话|四川话|英语|英文|法语|德语|西班牙语|意大利语|葡萄牙语|俄语|日语|日文|韩语|韩文|阿拉伯语|泰语|越南语|手语)"
_HI_TONGUE = r"(?:हिंदी|हिन्दी|मराठी|गुजराती|पंजाबी|बंगाली|बांग्ला|तमिल|तेलुगु|कन्नड़|मलयालम|उर्दू|भोजपुरी|मारवाड़ी|मैथिली|अंग्रेज़ी|अंग्रेजी|नेपाली|कोंकणी|ओड़िया|असमिया|राजस्थानी|हरियाणवी|सिंधी|कश्मीरी|तुलु)"
_DE_FOLK = r"(?:,? (?:die|der|das|sie|er|und|aber|beide)\b.*)?"
_RU_PAST = r"(?: (?:вчера|сегодня|недавно|на (?:прошлой|этой) неделе|в \w+))?"
_ILL_ES = r"(?:diabétic|asmátic|celíac|hipertens|epiléptic|daltónic|sord|cieg|zurd|disléxic|hemofílic|alcohólic)[oa]"
_ILL_IT = r"(?:diabetic|asmatic|celiac|ipertes|epilettic|daltonic|sord|ciec|mancin|dislessic|autistic|emofiliac)[oa]"
_ILL_PT = r"(?:diabétic|asmátic|celíac|hipertens|epiléptic|daltônic|surd|ceg|canhot|disléxic|hemofílic)[oa]|autista|cadeirante"
_ILL_ZH = r"(?:糖尿病|高血压|低血压|心脏病|哮喘|抑郁症|焦虑症|癫痫|甲亢|甲减|痛风|类风湿|偏头痛)"
_ILL_JA = r"(?:糖尿病|高血圧|低血圧|喘息|うつ病|てんかん|花粉症|偏頭痛|乳糖不耐症|心臓病|リウマチ|アトピー|発達障害)"
_ILL_KO = r"(?:당뇨병?|고혈압|저혈압|천식|우울증|공황장애|간질|심장병|유당불내증|관절염|아토피)"
_ES_PLAYS = r"(?:(?:el|la|los) )?(?:bajo|guitarra|piano|violín|batería|flauta|saxo(?:fón)?|trompeta|cajón|acordeón|violonchelo|chelo|ukelele|teclado|clarinete)"
_IT_PLAYS = r"(?:(?:il|la) |l['’])?(?:basso|chitarra|pianoforte|piano|violino|batteria|flauto|sax(?:ofono)?|tromba|fisarmonica|violoncello|ukulele|clarinetto)"
_DE_PLAYS = r"(?:bass|gitarre|klavier|geige|schlagzeug|flöte|saxofon|saxophon|trompete|akkordeon|cello|ukulele|klarinette|orgel)"
_EN_EATS = r"(?P<value>meat|red meat|fish|seafood|eggs|dairy|cheese|chicken|pork|beef|gluten|bread|sugar|everything)"
_SO_NOW = r"(?=.*(?<!\w)(?:{})(?!\w))"

NO_NAMES = (
    r"(?:capric\w+|aqu[aá]ri\w*|acuario|verseau|piscis|peixes|pesci|poissons|aries|ariete|bélier|tauro|touro|toro|taureau|g[eé]m\w+|gêmeos|gémeaux|cáncer|câncer|cancro|leão|virgem|vergine|vierge|bilancia|balança|"
    r"escorpi\w+|scorpion\w*|sagit\w+|cat[oóò]li\w+|catholique|musulm\w+|muçulman\w|judí[oa]|juif|juive|ebre[oa]|ate[oa]|athée|agn[oó]stic\w|vegan\w*|végan\w*|vegetarian\w*|végétarien\w*|"
    r"español\w*|mexican\w|argentin[oa]|colombian\w|chilen\w|peruan\w|venezolan\w|cuban\w|catalán|catalana|vasc[oa]|galleg[oa]|andaluz\w*|madrileñ\w|aleman\w*|inglés|inglesa|italian[oa]|milanese|napoletan\w|"
    r"sicilian[oa]|sard[oa]|brasileir\w|portugu[eê]s\w?|paulista|carioca|gaúch\w|mineir[oa]|baian\w|angolan\w|français\w*|belge|suisse|breton\w*|basque|corse|parisien\w*|marseillais\w*|québécois\w*|marocain\w*|"
    r"algérien\w*|tunisien\w*|sénégalais\w*|allemand\w*|anglais\w*|juventin[oa]|interista|milanista|romanista|corinthian[oa]|flamenguista|palmeirense|madridista|culé)\b"
)
"""What "soy", "je suis", "sono" and "sou" are followed by in capitals though it is no name: signs, creeds, peoples, clubs."""
GREETING = re.compile(
    r"\W*(?:hallo|hi|hey|hello|hiya|moin|servus|guten (?:tag|morgen|abend)|grüezi|grüß (?:dich|gott)|hola|buenas|buenos días|ciao|salve|buongiorno|buonasera|salut|bonjour|bonsoir|coucou|"
    r"oi|olá|bom dia|boa (?:tarde|noite)|привет\w*|здравствуй\w*|добр(?:ый|ое) \w+|हाय|हैलो|नमस्ते|नमस्कार|はじめまして|初めまして|안녕하세요|안녕)(?!\w)",
    re.IGNORECASE,
)
"""Words that open a conversation."""
_DE_JOB = (
    r"(?:[\w-]*(?:koch|köchin|arzt|ärztin|lehrer|lehrerin|erzieher|erzieherin|krankenschwester|pfleger|pflegerin|hebamme|ingenieur|ingenieurin|informatiker|informatikerin|verkäufer|verkäuferin|polizist|polizistin|"
    r"anwalt|anwältin|architekt|architektin|student|studentin|schüler|schülerin|friseur|friseurin|tischler|tischlerin|schreiner|schreinerin|elektriker|elektrikerin|mechaniker|mechanikerin|bäcker|bäckerin|"
    r"landwirt|landwirtin|arbeiter|arbeiterin|therapeut|therapeutin|programmierer|programmiererin|journalist|journalistin|fotograf|fotografin|künstler|künstlerin|musiker|musikerin|kellner|kellnerin|"
    r"buchhalter|buchhalterin|sachbearbeiter|sachbearbeiterin|professor|professorin|grafiker|grafikerin|designer|designerin|entwickler|entwicklerin|sanitäter|sanitäterin|feuerwehrmann|maurer|gärtner|gärtnerin|"
    r"fahrer|fahrerin|apotheker|apothekerin|psychologe|psychologin|trainer|trainerin|pilot|pilotin|soldat|soldatin|richter|richterin|beamter|beamtin|makler|maklerin|übersetzer|übersetzerin|berater|beraterin|"
    r"techniker|technikerin|biologe|biologin|chemiker|chemikerin|physiker|physikerin|assistent|assistentin))"
)

EVERYDAY: Mapping[str, tuple[Slot, ...]] = {
    "en": (
        Slot("age", r"I (?:just |recently |finally )*turned (?P<value>\d{1,3})(?: (?:yesterday|today|(?:on|in|last|this|a|two|three|\d+) .+))?"),
        Slot("birthday", r"my (?:b-?day|birthday) (?:is|falls on|['’]s)(?: on)? (?:the )?{value}", words=5, dated=True),
        Slot("name", r"(?:I|we)(?:['’]ve)? (?:(?:now|also|just|recently) )*(?:have|own|got|adopted|keep|rescued) (?P<count>a|an|another|two|three|four|five)(?: [\w-]+){0,2}? {who}(?:s|es)?(?: now| at home)?(?:,|:) (?:(?:called|named) )?" + _list("{name}", "and") + r"(?:,? (?:and |but )?(?:they|who|both|he|she|it)\b.*)?", many=True),
        Slot("home", r"(?:I['’]m )?based (?:out of|in) {value}", words=4, proper=True),
        Slot("home", r"I(?:['’]ve| have) been (?:living |based )?in (?!(?-i:[A-Z]{2,4}\b|Marketing|Sales|Finance|Tech|Love|Therapy|Recovery|Education|Banking|Retail))(?P<value>{name})(?:,? (?:since (?:\d{4}|I was .+)|for (?:(?:about|over|almost|nearly|like) )?(?:\d+|an?|two|three|four|five|six|ten|many|a few|several) (?:years?|months?|decades?).*))", words=5, proper=True),
        Slot("language", r"(?:I|we) (?:(?:also|mostly|mainly|only|both|all) )*speak " + _list(TONGUES, "and") + r"(?: (?:at home|at work|with my .+|with each other|in the family))?", many=True),
        Slot("condition", r"I(?:['’]m| am| use| have) (?:in )?(?:a )?(?P<value>wheelchair(?: user)?)"),
        Slot("vehicle", r"(?:I|we) (?:drive|own|have) (?:an? )?(?:old |used |tiny )?" + _CAR),
        Slot("diet", _SO_NOW.format("now|again|these days") + rf"(?:I|we) (?:now |also )*eat {_EN_EATS}(?: again)?"),
        Slot("employer", r"(?:I['’]m|I am) (?:now )?(?:at|with) (?:an?|this) (?:[\w-]+ ){0,3}(?:startup|start-up|company|firm|agency|studio|bakery|restaurant|clinic|bank|school|shop|charity|practice) (?:called|named) {value}", words=4),
        Slot("employer", r"(?:(?:now|and now) )?(?:I['’]m|I am) (?:now )?(?:at|with) {value}", words=5, instead=True),
        Slot("home", r"(?:(?:now|and now) )?(?:I['’]m|I am|we['’]re) (?:now )?in {value}", words=4, proper=True, instead=True),
        Slot("allergy", r"{value} makes? my (?:throat|mouth|lips|face|tongue) (?:close up|close|swell up|swell|itch|tingle)", many=True, words=4),
        Slot("hobby", r"I play (?:the )?(?P<value>cello|viola|violin|piano|guitar|bass|drums|flute|clarinet|saxophone|sax|trumpet|harp|ukulele|banjo|accordion|oboe|trombone|organ|keyboards?)(?:,? .*)?"),
        Slot("plan", r"(?:I['’]m|I am|we['’]re|we are) (?:expecting|having) (?P<value>(?:our|my|a) (?:first|second|third|fourth|baby|little one|boy|girl)\b.*)", words=12, dated=True),
        Slot("medication", rf"I(?:['’]m on| take| am on) {_DRUG}(?: (?:for|every|each|daily|once|twice|in the|at)\b.*)?"),
    ),
    "de": (
        Slot("age", r"ich (?:bin|wurde) (?:(?:gestern|heute|gerade|jetzt|neulich|letzte \w+|letzten \w+|am \w+|im \w+) )*(?P<value>\d{1,3})(?: jahre alt)?(?: geworden)?"),
        Slot("age", r"(?:gestern|heute|letzte woche|am \w+) bin ich (?P<value>\d{1,3})(?: jahre alt)? geworden"),
        Slot("name", r"(?:ich|wir) (?:habe|haben)(?: jetzt| noch| auch)* (?P<count>zwei|drei|vier)(?: \w+)?? {who}(?:e|en|n|s)?(?:,|:) " + _list("{name}", "und") + _DE_FOLK, many=True),
        Slot("name", r"(?:ich|wir) (?:habe|haben)(?: jetzt| noch| auch)* (?P<count>eine?n?)(?: \w+)?? {who}(?:en|n)?,? (?:der|die|das|er|sie|es) heißt {value}", words=3),
        Slot("allergy", r"ich habe (?:eine )?(?:starke |leichte |schwere )?(?P<value>[\w-]{3,}(?:allergie|unverträglichkeit))"),
        Slot("allergy", r"ich vertrage (?:leider |gar |überhaupt )*kein(?:e|en)? {value}", many=True, words=6),
        Slot("language", r"(?:(?:zuhause|zu hause|daheim|in der familie|mit meine\w+ \w+) )?(?:sprechen|reden) wir(?: (?:zuhause|zu hause|daheim|meist|meistens|auch))* " + _list(_DE_TONGUE, "und"), many=True),
        Slot("language", r"(?:wir (?:sprechen|reden)|ich spreche)(?: (?:zuhause|zu hause|daheim|in der familie|meist|meistens|auch))* " + _list(_DE_TONGUE, "und") + r"(?: (?:zuhause|zu hause|daheim))?", many=True),
        Slot("school", r"ich studiere (?:gerade |seit \w+ |jetzt )*(?P<value>(?-i:[A-ZÄÖÜ])[\w-]+(?: und (?-i:[A-ZÄÖÜ])[\w-]+)? (?:in|an der|an|im) .+)", words=8),
        Slot("condition", r"ich (?:sitze|bin) im (?P<value>rollstuhl)"),
        Slot("diet", r"(?:ich|wir) (?:esse|essen) (?:jetzt|inzwischen|mittlerweile|wieder)(?: (?:wieder|auch))* (?P<value>fleisch|fisch|eier|milchprodukte|käse|geflügel|alles)"),
        Slot("goal", r"ich spare (?:gerade |momentan |zurzeit |derzeit |schon )*(?P<value>(?:auf|für) (?!dich|mich).+)", words=10),
        Slot("employer", r"(?:ich bin|bin ich) (?:jetzt |nun |inzwischen )?(?:bei|in) (?:einem|einer) (?:\w+ ){0,3}(?:start-?up|firma|agentur|unternehmen|büro|kanzlei|bäckerei|praxis) (?:namens|mit (?:dem )?namen) {value}", words=4),
        Slot("employer", r"(?:jetzt |nun )?(?:ich bin|bin ich|bin) (?:jetzt |nun |inzwischen )?(?:bei|beim) {value}", words=4, instead=True),
        Slot("home", r"(?:jetzt |nun )?(?:ich bin|bin ich|bin) (?:jetzt |nun |inzwischen )?in {value}", words=3, proper=True, instead=True),
        Slot("plan", r"(?:ich|wir) (?:laufe|laufen|werde operiert|(?:erwarte|erwarten|bekomme|bekommen|kriege|kriegen)(?=.* (?:kind|baby|zwillinge|enkelkind|nachwuchs))) (?!.*\b(?:jede[nrsm]?|immer|meistens|oft|manchmal|nicht|nie|dein\w*)\b){value}", words=14, dated=True),
        Slot("plan", r"wir heiraten(?: (?:am|im))? {value}", words=8, dated=True),
        Slot("vehicle", r"(?:ich|wir) (?:fahre|habe|fahren|haben) (?:eine?n? )?(?:alten? |neuen? )?" + _CAR),
        Slot("hobby", rf"ich spiele (?:(?:am wochenende|seit \w+ \w+|abends|manchmal|auch) )*(?P<value>{_DE_PLAYS})(?:,? (?:in|aber|leider|seit|und zwar) .+)?"),
        Slot("role", rf"(?:ich bin|{{they}} ist) (?:eine? )?(?P<value>{_DE_JOB})(?: (?:in|an) .+)?", words=3),
        Slot("medication", rf"ich nehme (?:(?:jeden|jede) \w+ |täglich |morgens |abends |seit \w+ )*{_DRUG}(?: .*)?"),
        Slot("role", r"ich bin (?P<value>[\w-]*(?:lehrer|lehrerin|erzieher|erzieherin|verkäufer|verkäuferin|hebamme)) (?:an|in|bei) (?:einer|einem|der|dem|einen) (?:\w+ )?\w+(?: in .+)?", words=3),
    ),
    "fr": (
        Slot("age", r"j['’]ai (?:eu|fêté(?: mes)?) (?P<value>\d{1,3}) ans(?: (?:hier|aujourd['’]hui|récemment|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|(?:la|le|en|il y a|ce|cette) .+))?"),
        Slot("name", r"(?:j['’]ai|nous avons|on a|j['’]ai adopté|on a adopté) (?P<count>une?|deux|trois|quatre)(?: \w+)?? {who}s?(?: maintenant)?(?:,|:| :) " + _list("{name}", "et") + r"(?:,? (?:ils|elles|qui|et|mais|il|elle)\b.*)?", many=True),
        Slot("condition", r"je suis (?P<value>(?:diabétique|asthmatique|épileptique|hémophile|cardiaque)(?: (?:de )?type [12])?)"),
        Slot("home", r"(?:on vient|je viens|nous venons) (?:tout juste |juste )?(?:de |d['’])(?:déménager|emménager|m['’]installer|s['’]installer|nous installer) (?:à|en|au|aux|dans|près de|sur) ?{value}", words=6),
        Slot("role", r"je suis (?:une? )?(?P<value>(?:sage-femme|prof(?:esseure?)?|instit(?:utrice|uteur)?|kiné|aide-soignante?|comptable|secrétaire|bibliothécaire|libraire|vétérinaire|fonctionnaire|maître|maîtresse)(?: (?:de |d['’])[\w-]+(?! dans))?)(?: (?:à|en) {name}| (?:dans|au|chez|à la) (?P<place>.+))?", words=4),
        Slot("language", r"(?:(?:à la maison|chez nous|en famille),? )?(?:on parle|nous parlons|je parle)(?: (?:surtout|aussi|plutôt))* " + _list(_FR_TONGUE, "et") + r"(?: (?:à la maison|chez nous|en famille|entre nous))?", many=True),
        Slot("diet", r"(?=.*\b(?:maintenant|désormais|à nouveau|de nouveau)\b)(?:je|on) (?:re)?mange(?: (?:maintenant|désormais|à nouveau|de nouveau))? (?:du |de la |des |de )?(?P<value>poisson|viande|œufs|oeufs|fromage|poulet|gluten|tout)(?: (?:maintenant|désormais|à nouveau|de nouveau))?"),
        Slot("goal", r"(?:j['’](?:économise|épargne)|je mets (?:de l['’]argent |des sous )?de côté) (?P<value>pour .+)", words=12),
        Slot("employer", r"(?:maintenant |désormais )?je suis (?:maintenant |désormais )?(?:chez|à la|au) {value}", words=4, instead=True),
        Slot("home", r"(?:maintenant |désormais )?(?:je suis|on est) (?:maintenant |désormais )?(?:à|en|au) {value}", words=3, proper=True, instead=True),
        Slot("allergy", r"(?:le |la |les |l['’])?{value} me (?:donnent?|filent?|provoquent?) (?:des plaques|de l['’]urticaire|des boutons|une réaction allergique)", many=True, words=4),
        Slot("hobby", r"je joue (?P<value>(?:du |de la |de l['’])(?:violoncelle|violon|piano|guitare|basse|batterie|flûte|clarinette|saxo(?:phone)?|trompette|harpe|accordéon|ukulélé|contrebasse))(?:,? .*)?"),
        Slot("event", r"(?P<value>j['’]ai rompu avec .+)", words=10),
        Slot("plan", r"(?:j['’]ai|on a) (?P<value>(?:un |mon |une )?(?:rdv|rendez-vous|exam|visite|consultation|entretien)\b.*)", words=14, dated=True),
        Slot("plan", r"(?:je|on|nous) (?!.*\b(?:chaque|tou(?:s|tes) les|toujours|souvent)\b)(?:cours|court|courons|me marie|se marie|nous marions|me fais opérer|(?:attends|attend|attendons)(?= (?:un|notre|mon|le) (?:bébé|enfant|premier|deuxième|troisième|second|petit))|(?:passe|passons)(?= (?:un |mon |le |l['’])(?:examen|entretien|permis|bac|concours|oral))) {value}", words=14, dated=True),
        Slot("vehicle", r"(?:j['’]ai|je roule en|je conduis|on a) (?:une? )?(?:vieille |vieux |petite )?" + _CAR),
        Slot("medication", rf"je prends (?:du |de la |de l['’])?{_DRUG}(?: .*)?"),
        Slot("birthday", r"mon anniv(?:ersaire)?,? (?:c['’]est|est|tombe) (?:le )?{value}", words=6, dated=True),
    ),
    "es": (
        Slot("age", r"(?:cumplí|he cumplido|acabo de cumplir) (?P<value>\d{1,3})(?: años| añitos)?(?: (?:ayer|hoy|hace poco|el \w+|la semana pasada|el mes pasado|en \w+))?"),
        Slot("name", r"(?:ahora )?(?:tengo|tenemos|adopté|adoptamos) (?P<count>una?|dos|tres|cuatro|otr[oa])(?: \w+)?? {who}s?(?:,|:) " + _list("{name}", "y|e") + r"(?:,? (?:y|que|pero|se|son|los|las|amb[oa]s)\b.*)?", many=True),
        Slot("name", r"(?:ahora )?(?:tengo|tenemos|adopté|adoptamos) (?P<count>una?|otr[oa])(?: \w+)?? {who},? (?:y )?se llama {value}", words=3),
        Slot("condition", rf"soy (?P<value>{_ILL_ES}(?: (?:de )?tipo (?:1|2|uno|dos))?)"),
        Slot("condition", r"(?:voy|estoy|ando|me muevo) en (?P<value>silla de ruedas)"),
        Slot("home", r"(?:nos |me )?(?:acabo|acabamos) de (?:mudar|instalar|trasladar)(?:me|nos)? (?:a|en) {value}", words=5),
        Slot("role", r"soy (?:el |la |una? )?(?P<value>(?:profe|maestr[oa]|cajer[oa]|comercial|autónom[oa]|funcionari[oa]|veterinari[oa]|fisio(?:terapeuta)?|psicólog[oa]|electricista|enfermer[oa])(?: de \w+)?)(?: (?:en|por) .+)?", words=4),
        Slot("language", r"(?:(?:en casa|con mi familia),? )?(?:hablamos|hablo)(?: (?:sobre todo|también|más))* " + _list(_ES_TONGUE, "y|e") + r"(?: (?:en casa|con mi .+|en familia))?", many=True),
        Slot("language", rf"llevo .{{2,20}} (?:aprendiendo|estudiando) (?P<value>{_ES_TONGUE})", many=True),
        Slot("diet", r"(?:ahora (?:también )?|ya )(?:como|comemos) (?P<value>pescado|carne|huevos?|marisco|lácteos|queso|pollo|gluten|de todo)"),
        Slot("goal", r"(?:estoy ahorrando|ahorro) (?P<value>para (?!ti).+)", words=10),
        Slot("employer", r"(?:ahora )?estoy en (?:una? (?:\w+ )?(?:empresa|startup|start-up|agencia|estudio|bufete|banco|tienda) (?:que se llama|llamad[oa]) )(?P<value>.+)", words=4),
        Slot("employer", r"(?:ahora )?(?:estoy|soy) (?:ahora )?en {value}", words=4, instead=True, proper=True),
        Slot("home", r"(?:ahora )?(?:estoy|estamos) (?:ahora )?en {value}", words=3, proper=True, instead=True),
        Slot("plan", r"(?!.*\b(?:cada|todos los|todas las|siempre|a menudo)\b)(?:corro|corremos|vuelo|volamos|viajo|viajamos|nos casamos|me caso|esperamos(?= (?:a )?(?:nuestr[oa]|un) (?:primer|segund|tercer|bebé|hij))|me operan|me opero|empiezo|empezamos|tenemos (?=boda|cita|vuelo)) {value}", words=14, dated=True),
        Slot("event", r"(?:la semana pasada |ayer |el mes pasado )?(?P<value>(?:he )?(?:corté|cortado|rompí|roto|terminé|terminado) con (?P<ex>{name}).*)", words=10),
        Slot("plan", r"tengo (?P<value>(?:el |la |mi |un |una )?(?:dentista|médico|boda|vuelo|examen|entrevista|cita|revisión|oposición|operación)\b.*)", words=14, dated=True),
        Slot("vehicle", r"(?:tengo|conduzco|manejo|llevo) (?:una? )?(?:viej[oa] )?" + _CAR),
        Slot("hobby", rf"(?:(?:los|las) (?:findes?|fines de semana|tardes|noches|lunes|martes|miércoles|jueves|viernes|sábados|domingos) |a veces |de vez en cuando )?toco (?P<value>{_ES_PLAYS})(?:,? .*)?"),
        Slot("medication", rf"tomo {_DRUG}(?: (?:tod[oa]s|cada|por|para|a diario|desde|una|dos)\b.*)?"),
    ),
    "it": (
        Slot("age", r"ho (?:appena |da poco )?(?:compiuto|fatto) (?P<value>\d{1,3}) anni(?: (?:ieri|oggi|da poco|la settimana scorsa|il mese scorso|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica|a \w+))?"),
        Slot("name", r"(?:adesso |ora )?(?:ho|abbiamo|ho adottato|abbiamo adottato) (?P<count>une?|uno|una|due|tre|quattro|un['’]altr[oa])(?: \w+)?? {who}(?:,|:) " + _list("{name}", "ed?") + r"(?:,? (?:e|che|ma|si|sono)\b.*)?", many=True),
        Slot("name", r"(?:adesso |ora )?(?:ho|abbiamo) (?P<count>un|uno|una)(?: \w+)?? {who},? (?:e )?si chiama {value}", words=3),
        Slot("condition", rf"sono (?P<value>(?:{_ILL_IT})(?: di tipo (?:1|2|uno|due))?)"),
        Slot("condition", r"(?:sono|sto|mi muovo|vado) (?:in|su una) (?P<value>sedia a rotelle|carrozzina)"),
        Slot("home", r"(?:ci siamo|mi sono) (?:appena |da poco |finalmente )?(?:trasferit|traslocat)[oiae] (?:a|ad|in|nel|nella|vicino a) {value}", words=5),
        Slot("role", r"(?:faccio|sono) (?:il |la |lo |un[ao]? |un['’]|l['’])?(?P<value>(?:infermier[ea]|maestr[oa]|insegnante|barista|commess[oa]|operai[oa]|cuoc[oa]|impiegat[oa]|segretari[oa]|ostetric[oa]|veterinari[oa]|farmacista|psicolog[oa]|prof))(?: (?:a|ad) {name})?", words=3),
        Slot("language", r"(?:(?:a casa|in casa|in famiglia),? )?(?:parliamo|parlo)(?: (?:anche|soprattutto))* " + _list(_IT_TONGUE, "ed?") + r"(?: (?:a casa|in casa|in famiglia|tra noi))?", many=True),
        Slot("school", r"(?:sto studiando|studio) (?P<value>\w+(?: \w+)? (?:a|ad|al|alla|all['’]|in) ?(?:{name}|(?:università|politecnico|accademia)).*)", words=7),
        Slot("diet", r"(?:adesso |ora )(?:mangio|mangiamo) (?:anche )?(?:il |la |le |i )?(?P<value>pesce|carne|uova|formaggio|latticini|pollo|glutine|tutto)"),
        Slot("goal", r"(?:sto (?:risparmiando|mettendo (?:da parte|via)(?: (?:i |dei )?soldi)?)|metto (?:da parte|via)(?: (?:i |dei )?soldi)?|risparmio) (?P<value>per (?!te\b).+)", words=12),
        Slot("employer", r"(?:adesso |ora )?(?:sono|lavoro) in un(?:a|['’]) ?(?:\w+ )?(?:azienda|startup|start-up|agenzia|ditta|società|banca) (?:che si chiama|chiamata) {value}", words=4),
        Slot("employer", r"(?:adesso |ora )?sono (?:adesso |ora )?(?:da|in|alla|al|presso) {value}", words=4, proper=True, instead=True),
        Slot("home", r"(?:adesso |ora )?(?:sono|sto|stiamo) (?:adesso |ora )?a {value}", words=3, proper=True, instead=True),
        Slot("plan", r"(?!.*\b(?:ogni|tutti i|tutte le|sempre|spesso)\b)(?:corro|corriamo|volo|voliamo|parto|partiamo|mi sposo|ci sposiamo|aspettiamo(?= (?:il|la|un|una|il nostro) (?:prim[oa]|second[oa]|terz[oa]|bambin[oa]|bimb[oa]|figli[oa])\b)|mi operano|inizio|cominciamo|comincio) {value}", words=14, dated=True),
        Slot("plan", r"(?:ho|abbiamo) (?P<value>(?:il |la |un |una |l['’]|un['’])?(?:dentista|medico|visita|appuntamento|colloquio|esame|volo|matrimonio|operazione|riunione)\b.*)", words=14, dated=True),
        Slot("vehicle", r"(?:ho|guido) (?:un[ao]? |un['’]|la |una )?(?:vecchi[oa] |nuov[oa] )?" + _CAR),
        Slot("hobby", rf"(?:(?:nel (?:weekend|fine settimana)|la sera|il (?:sabato|venerdì)|la domenica|a volte|ogni tanto) )?suono (?P<value>{_IT_PLAYS})(?:,? .*)?"),
        Slot("allergy", r"(?:i |le |il |la |gli |lo |l['’])?{value} mi (?:fanno|fa) venire (?:l['’]orticaria|l['’]allergia|uno sfogo|le bolle)", many=True, words=4),
        Slot("medication", rf"prendo (?:l['’]|il |la )?{_DRUG}(?: .*)?"),
    ),
    "pt": (
        Slot("age", r"(?:fiz|completei|acabei de fazer|acabei de completar) (?P<value>\d{1,3}) (?:anos|aninhos)(?: (?:ontem|hoje|há pouco|(?:na |no )?\w+ passad[oa]|na \w+|no \w+|em \w+))?"),
        Slot("name", r"(?:agora )?(?:tenho|temos|adotei|adotamos) (?P<count>uma?|dois|duas|três|quatro|outr[oa])(?: \w+)?? {who}s?(?:,|:) " + _list("{name}", "e") + r"(?:,? (?:e|que|mas|eles|elas|ele|ela|se|os|as)\b.*)?", many=True),
        Slot("name", r"(?:agora )?(?:tenho|temos|adotei|adotamos) (?P<count>uma?|outr[oa])(?: \w+)?? {who},? (?:e )?(?:ele |ela |que )?se chama {value}", words=3),
        Slot("condition", rf"sou (?P<value>(?:{_ILL_PT})(?: (?:do )?tipo (?:1|2|um|dois))?)"),
        Slot("condition", r"(?:uso|ando de|estou (?:em|numa|de)|vivo numa) (?P<value>cadeira de rodas)"),
        Slot("home", r"(?:a gente |nós )?(?:acab(?:ou|ei|amos)) de (?:se |me |nos )?(?:mudar|instalar) (?:pra|para o|para a|para|pro|em) {value}", words=5),
        Slot("home", r"a gente se mudou (?:pra|para o|para a|para|pro) {value}", words=5),
        Slot("language", r"(?:(?:em casa|na minha família),? )?(?:a gente fala|falamos|falo)(?: (?:mais|também))* " + _list(_PT_TONGUE, "e") + r"(?: (?:em casa|em família|com minha .+|com meu .+))?", many=True),
        Slot("diet", r"(?:agora (?:também )?|já )(?:como|comemos|a gente come) (?P<value>peixe|carne|ovos?|laticínios|queijo|frango|glúten|de tudo)"),
        Slot("goal", r"estou (?:juntando(?: dinheiro| grana)?|economizando|guardando dinheiro|poupando) (?P<value>(?:para|pra) (?!você).+)", words=10),
        Slot("employer", r"(?:agora )?(?:estou|t[ôo]|sou) (?:em|num|numa|no|na) (?:uma? )?(?:\w+ )?(?:empresa|startup|start-up|agência|firma|banco|loja|escritório) (?:chamad[oa]|que se chama) {value}", words=4),
        Slot("employer", r"(?:agora )?(?:estou|t[ôo]) (?:agora )?(?:na|no) {value}", words=4, proper=True, instead=True),
        Slot("home", r"(?:agora )?(?:estou|t[ôo]|estamos) (?:agora )?em {value}", words=3, proper=True, instead=True),
        Slot("plan", r"(?!.*\b(?:cada|todo|toda|todos|todas|sempre)\b)(?:corro|voo|vou correr|vou operar|vamos casar|vamos nos casar|me caso|nos casamos|(?:estamos esperando|esperamos)(?= (?:o|a|um|uma|nosso|nossa) (?:primeir|segund|terceir|bebê|filh))|começo|começamos) {value}", words=14, dated=True),
        Slot("plan", r"tenho (?P<value>(?:o |a |um |uma )?(?:dentista|médico|casamento|voo|prova|entrevista|consulta|exame|cirurgia)\b.*)", words=14, dated=True),
        Slot("vehicle", r"(?:tenho|dirijo|ando de) (?:uma? )?(?:velh[oa] )?" + _CAR),
        Slot("allergy", r"(?:o |a |os |as )?{value} me (?:dá|dão|causa|causam) (?:urticária|alergia|coceira)", many=True, words=4),
        Slot("hobby", r"toco (?P<value>(?:o |a )?(?:violoncelo|violino|violão|piano|guitarra|baixo|bateria|flauta|clarinete|saxofone|trompete|harpa|acordeão|sanfona|ukulele|cavaquinho|teclado))(?:,? .*)?"),
        Slot("medication", rf"tomo {_DRUG}(?: (?:tod[oa]s?|cada|de|para|pra|por|desde|uma|duas|há)\b.*)?"),
    ),
    "ru": (
        Slot("age", rf"мне{_RU_PAST} исполнил(?:ось|ся|ось уже) (?P<value>\d{{1,3}})(?: лет| года?)?{_RU_PAST}"),
        Slot("name", r"у (?:меня|нас) (?:есть |живут |живёт )?(?P<count>один|одна|два|две|три|четыре)?(?: \w+)?? ?{who}(?:и|ы|а|ек)?(?:,|:| [—–-]) " + _list("{name}", "и"), many=True),
        Slot("condition", r"я (?P<value>диабетик|астматик|гипертоник|аллергик|эпилептик|дальтоник|левша)(?:,? .*)?"),
        Slot("condition", r"я (?:на|в) (?P<value>(?:инвалидной |инвалидном )?(?:коляске|кресле))"),
        Slot("role", r"(?:я|{they}(?: [—–-])?) (?P<value>(?:учитель(?:ница)?|преподаватель(?:ница)?|врач|медсестра|медбрат|программист(?:ка)?|инженер|бухгалтер|юрист|адвокат|повар|водитель|продавец|продавщица|дизайнер|архитектор|переводчи(?:к|ца)|журналист(?:ка)?|парикмахер|механик|электрик|строитель|менеджер|психолог|воспитатель(?:ница)?|акушерка|фармацевт|ветеринар)(?: [а-яё]+)?)", words=3),
        Slot("language", r"(?:дома |в семье )?(?:мы|я) (?:дома |в семье )?говори(?:м|ю) (?P<value>(?:по-[а-яё]+|на [а-яё]+ском|на иврите|на хинди)(?: и (?:по-[а-яё]+|на [а-яё]+ском))?)(?: дома)?"),
        Slot("language", rf"(?:я )?(?:(?:уже|второй|третий|полгода|год|\d+|два|три|несколько|месяц|лет|года|месяца|месяцев) )*(?:учу|изучаю) {_list(_RU_TONGUE, 'и')}(?: .*)?", many=True),
        Slot("avoids", r"(?:я )?(?!это|его|её)(?P<value>[а-яё]+(?: и [а-яё]+)?) (?:не (?:ем|пью|курю|перевариваю|переношу))(?: (?:вообще|совсем|никогда))?", many=True, words=4),
        Slot("avoids", r"(?:я )?не переношу {value}", many=True, words=4),
        Slot("diet", r"(?:я )?(?:теперь|снова|опять) (?:я )?(?:ем|едим) (?P<value>рыбу|мясо|яйца|молочное|сыр|курицу|всё)"),
        Slot("goal", r"(?:я |мы )?(?:коплю|копим|откладываю|откладываем) (?P<value>на (?!тебя).+)", words=8),
        Slot("employer", r"(?:теперь )?(?:я )?(?:теперь )?(?:в|на) {value}(?: теперь)?", words=3, instead=True),
        Slot("home", r"(?:теперь )?(?:(?:я|мы) )?(?:теперь )?в {value}(?: теперь)?", words=3, proper=True, instead=True),
        Slot("child", r"(?:у (?:меня|нас) )?(?P<value>(?:двое|трое|четверо|пятеро) детей)"),
        Slot("plan", r"(?!.*(?:кажд|всегда|обычно|часто))(?:я |мы )?(?P<value>(?:лечу|летим|еду|едем|уезжаю|уезжаем|улетаю|бегу|переезжаю|переезжаем|женюсь|женимся|выхожу замуж|ждём (?=(?:\w+ )?(?:реб[её]нка|малыша))|рожаю|ложусь на операцию|иду (?:к (?:врачу|зубному|стоматологу|терапевту|юристу|парикмахеру)|на (?:приём|собеседование|свадьбу|экзамен|операцию|концерт)))(?!\w).*)", words=12, dated=True),
        Slot("home", r"{who} живёт в {value}", words=3),
        Slot("name", r"{who} зовут {value}", words=3),
        Slot("allergy", r"у {who} (?:сильная )?аллергия на {value}", many=True, words=6),
        Slot("allergy", r"от {value} у меня (?:сыпь|аллергия|отёк|крапивница|чешется \w+)", many=True, words=4),
        Slot("hobby", r"(?:(?:по (?:выходным|вечерам|утрам)|иногда) )?(?:я )?играю (?P<value>на (?:гитаре|пианино|фортепиано|басу|бас-гитаре|барабанах|скрипке|виолончели|флейте|саксофоне|трубе|аккордеоне|баяне|укулеле|синтезаторе))(?:,? .*)?"),
        Slot("medication", rf"(?:(?:кажд\w+ (?:утро|день|вечер)|утром|постоянно) )?(?:я )?(?:пью|принимаю) {_DRUG}(?: .*)?"),
    ),
    "zh": (
        Slot("age", r"(?:昨天|今天|上周|上个月|刚刚|刚|这周)?我(?:昨天|今天|上周|上个月|刚刚|刚|今年|已经)*(?:满|滿|过了|滿了) ?(?P<value>\d{1,3}) ?(?:岁|歲)"),
        Slot("name", r"我们?(?:家)?(?:现在|刚)?(?:养了|养|有|领养了)(?P<count>一|两|三|四)?(?:只|条|个)(?:小|大)?{who}[，,](?:它)?(?:叫|名叫|名字叫|名字是) ?{value}", words=4),
        Slot("name", r"我们?(?:家)?(?:现在|刚)?(?:养了|养|有)(?P<count>两|三|四|几)(?:只|条|个){who}[，,](?:分别)?(?:叫|名叫|名字叫|名字是) ?{value}", many=True, words=6),
        Slot("condition", rf"我(?:有|患有|得了|是)(?P<value>(?:[一二12]型)?{_ILL_ZH})(?:患者)?"),
        Slot("condition", r"我(?:坐|用|使用|坐着)(?P<value>轮椅)"),
        Slot("origin", r"我(?:从小)?在 ?{value}(?:长大|出生)的?", words=4),
        Slot("language", rf"我?们?在家里?(?:都|一般|主要)?(?:说|讲)(?P<value>{_ZH_TONGUE}(?:(?:和|、){_ZH_TONGUE})*)", many=True),
        Slot("language", rf"我(?:正在|在|已经)?(?:学|学习|自学)了?(?P<value>{_ZH_TONGUE})(?:学了)?(?:(?:一|两|三|四|五|半|几|\d+)个?(?:年|月|多月)多?)?", many=True),
        Slot("school", r"我(?:现在|目前)?在(?P<value>[^，。在]{2,8}?)(?:读|念|学)(?!书|习|研|博)[^了吗，,]{2,8}", words=5),
        Slot("goal", r"我们?(?:正在|在)?(?:攒钱|存钱|攒着钱)(?P<value>(?:买|去|换|开|付|装修).{1,10})", words=8),
        Slot("diet", r"我?们?(?:现在|又|开始)+(?:也)?吃(?P<value>鱼|肉|海鲜|鸡蛋|牛肉|猪肉|鸡肉|荤)"),
        Slot("employer", r"(?:我)?现在在 ?{value}(?:上班|工作)?", words=4, instead=True),
        Slot("home", r"(?:我)?现在在 ?{value}", words=4, instead=True),
        Slot("plan", r"(?:我|我们)(?!.*(?:每|总是|经常))(?P<value>(?:要|会|打算|准备|约了|得|去).{2,14})", words=10, dated=True),
        Slot("hobby", r"(?:周末|平时|有空|晚上)?我(?:周末|平时|有空|也)?(?:在.{1,6}?)?会?(?:弹|拉|吹|打)(?P<value>贝斯|吉他|钢琴|小提琴|大提琴|古筝|琵琶|二胡|笛子|萨克斯|架子鼓|鼓)(?:[，,].*)?"),
        Slot("medication", r"我(?:每天|一直|长期|每天早上|早上|晚上)(?:都)?(?:要)?(?:吃|服用|打)(?P<value>优甲乐|二甲双胍|胰岛素|阿司匹林|降压药|[^饭菜面早午晚]{1,6}(?:片|胶囊|药|素))"),
    ),
    "ja": (
        Slot("name", r"(?:私は|僕は|俺は|わたしは)?(?P<value>(?![^、。]*(?:生|員|者|師|歳|才|人|家|好き|中|初|今日|よろしく|質問|相談|お願い)(?:です|と))[^、。はがをにで\s]{1,6})(?:です|と申します|といいます)", words=4, greeted=True),
        Slot("age", r"(?:昨日|今日|先月|先週|最近|今年|この前)*、?(?:(?:私|僕|俺|わたし)(?:は|も)?、?)?(?P<value>\d{1,3})(?:歳|才)に(?:なりました|なった|なったよ|なったばかり)(?:です)?"),
        Slot("name", r"{who}を(?P<count>\d|[一二三四])?(?:匹|頭|羽)?飼って(?:い)?て、名前は、?{value}(?:です|だよ|と言います|といいます)?", many=True, words=8),
        Slot("condition", rf"(?:(?:私|僕|俺|わたし)(?:は|も|が)?、?)?(?P<value>(?:[12一二]型)?{_ILL_JA})(?:です|なんです|持ち(?:です)?|があります|を持って(?:い)?ます)?"),
        Slot("condition", r"(?:(?:私|僕|俺|わたし)(?:は|も|が)?、?)?(?P<value>車椅子)(?:です|ユーザーです|を使って(?:い)?(?:ます|る)|生活です)"),
        Slot("language", r"(?:家|うち|実家|家族と)(?:で)?は、?(?P<value>[^\s、。はを]{1,8}語)(?:を|で)(?:話して(?:い)?(?:ます|る)|話します|しゃべって(?:い)?(?:ます|る))"),
        Slot("language", r"(?:(?:私|僕|俺|わたし)(?:は|も|が)?、?)?(?P<value>[^\s、。はを]{1,8}語)を(?:[^、。]{1,8}?)?(?:勉強して|習って|学んで)(?:い)?(?:ます|る)"),
        Slot("goal", r"(?P<value>[^、。]{1,14}(?:ために|のために))(?:お金を)?(?:貯金して|貯めて|節約して)(?:い)?(?:ます|る)"),
        Slot("diet", r"(?:今は|今では|最近は)、?(?P<value>魚|お?肉|卵|乳製品|何でも)(?:を|も)?食べ(?:ます|てます|ています|る)"),
        Slot("employer", r"(?:今|いま)は、?{value}(?:に|で)(?:います|いる|働いて(?:い)?(?:ます|る))", words=6, instead=True),
        Slot("home", r"(?:今|いま)は、?{value}に(?:います|いる)", words=6, instead=True),
        Slot("plan", r"(?!.*(?:毎|いつも|よく))(?P<value>[^、。]{2,16}(?:行き|走り|結婚し|引っ越し|入院し|出発し|引っ越すことになり|生まれ)(?:ます|る予定です|ることになりました))", words=14, dated=True),
        Slot("plan", r"(?P<value>[^、。]{2,16}の予約)が(?:あります|ある|入って(?:い)?(?:ます|る))", words=14, dated=True),
        Slot("hobby", r"(?:週末|休日|たまに|普段)?は?、?(?:[^、。]{1,6}で)?(?P<value>ベース|ギター|ピアノ|ドラム|バイオリン|チェロ|三味線|サックス|キーボード)を?(?:弾いて|叩いて|吹いて|演奏して)(?:い)?(?:ます|る)(?:、.*)?"),
        Slot("medication", r"(?:毎日|毎朝|毎晩)、?(?P<value>チラーヂン|メトホルミン|インスリン|ワーファリン|[^、。を]{1,10}(?:ン|錠|剤|薬))を(?:飲んで|服用して|打って)(?:い)?(?:ます|る)"),
        Slot("dislikes", r"(?:(?:私|僕|俺|わたし)(?:は|も)?、?)?(?P<value>[^、。はが]{1,10})が(?:大)?(?:嫌い|苦手)で"),
        Slot("origin", r"(?:(?:私|僕|俺|わたし)(?:は|も)?、?)?(?P<value>[^、。はがで]{1,8})で(?:育って|生まれて|生まれ育って)"),
    ),
    "ko": (
        Slot("name", r"(?:저는|전|나는|난) (?P<value>[가-힣]{2,4}?)(?<!학생)(?<!생)(?<!원)(?<!사)(?<!자)(?<!인)(?<!님)(?<!팬)(?:이에요|예요|입니다|이라고 해요|라고 해요|라고 합니다)", words=2, greeted=True),
        Slot("age", r"(?:저는 |나는 |전 |난 )?(?:어제|오늘|지난주에|지난달에|올해|이제|막)? ?(?P<value>\d{1,3}) ?(?:살|세)(?:이|가)? ?(?:됐어요|되었어요|됐어|됐습니다|되었습니다|됐네요)"),
        Slot("name", r"{who} (?P<count>한|두|세|네) ?마리(?:를)? (?:키워요|키우고 있어요|키웁니다|있어요),? 이름은 {value}(?:이에요|예요|입니다)?", many=True, words=5),
        Slot("name", r"{who}(?:를)? (?:키우기 시작했어요|입양했어요|데려왔어요|키워요),? 이름은 {value}(?:이에요|예요|입니다)?", words=3),
        Slot("name", r"{who} 이름은 {value}(?:이에요|예요|입니다|이야|야|이고|고)", words=2),
        Slot("condition", rf"(?:저는 |나는 )?(?P<value>(?:제?[12]형 ?)?{_ILL_KO})(?:이|가|을|를)? (?:있어요|있습니다|있어|앓고 있어요|앓고 있습니다)"),
        Slot("condition", r"(?:저는 |나는 )?(?P<value>휠체어)(?:를|을)? (?:타요|타고 다녀요|탑니다|사용해요|써요)"),
        Slot("language", r"(?:집에서는?|가족끼리는?|가족이랑) (?P<value>[^ ]+어)(?:를|로|을)? (?:써요|해요|말해요|얘기해요|사용해요|씁니다|합니다)"),
        Slot("language", r"(?:저는 |나는 )?(?P<value>[^ ]+어) (?:배운 지|공부한 지) [^ ]+(?: 정도)? (?:됐어요|되었어요|됐습니다|넘었어요)"),
        Slot("allergy", r"(?:저는 |나는 )?{value}(?:를|을|만)? 먹으면 (?:두드러기가|알레르기가) (?:나요|생겨요|올라와요)", many=True, words=3),
        Slot("goal", r"(?:저는 |나는 )?(?P<value>.{1,14}(?:려고|위해|위해서)) (?:돈 모으고 있어요|돈을 모으고 있어요|저축하고 있어요|저축 중이에요|돈 모으는 중이에요)"),
        Slot("diet", r"(?:이제|이제는|요즘은|다시) (?P<value>생선|고기|계란|해산물|유제품|치즈)(?:도|을|를)? 먹어요"),
        Slot("plan", r"(?!.*(?:마다|매주|매일|매년|항상|자주))(?:저는 |나는 |우리 |저희는? )?(?P<value>.{1,16} (?:가|떠나|출발하|뛰|달리|이사해|결혼해|태어나|입원해|수술해)요)", words=8, dated=True),
        Slot("plan", r"(?P<value>.*(?:예약|면접|시험|수술|약속|결혼식|진료)) (?:있어요|있습니다|있어|잡혀 있어요)", words=8, dated=True),
        Slot("hobby", r"(?:주말엔|주말에는?|가끔|취미로)? ?(?:저는 )?(?:[^ ]+에서 )?(?P<value>베이스|기타|피아노|드럼|바이올린|첼로|플루트|색소폰)(?:를|을)? (?:쳐요|칩니다|켜요|연주해요|불어요)(?:,.*)?"),
        Slot("dislikes", r"(?:저는 |나는 )?(?P<value>[^ ]+(?: [^ ]+ 거)?)(?:를|을)? (?:진짜 |정말 |너무 )?(?:싫어해요|싫어합니다|싫어해|극혐이에요)", many=True, words=4),
        Slot("vehicle", r"(?:저는 |나는 )?(?:오래된 |낡은 |새 |중고 )?(?P<value>[^ ]{2,8})(?:를|을)? 몰(?:아요|고 다녀요|고 있어요)"),
        Slot("role", r"(?:저는 |나는 |전 |난 )?(?:[^ ]+(?:교|원)(?:에서)? )?(?P<value>(?:[^ ]+ )?(?:선생님|간호사|의사|교사|변호사|요리사|개발자|디자이너|공무원|회사원))(?:이에요|예요|입니다|이고|고)", words=3),
    ),
    "hi": (
        Slot("name", r"मैं (?P<value>(?!ठीक|अच्छ|खुश|अकेल|उदास|दुखी|व्यस्त|हैरान|भारतीय|हिंदू|मुस्लिम|सिख|थक|यहाँ|तैयार|बीमार|परेशान|नया|नई|शाकाहारी|[^ ]*(?:िया|टर|र्थी|छात्र|छात्रा|नर्स|शिक्षक|टीचर|ीय|ियर|वकील|किसान) )[^ ]+) (?:हूँ|हूं)", words=1, greeted=True),
        Slot("age", r"(?:कल |आज )?मैं (?:अब |अभी |कल )?(?P<value>\d{1,3}) (?:साल|वर्ष) (?:का|की) (?:हो गया|हो गई)(?: हूँ| हूं| है)?"),
        Slot("name", r"(?:मेरे|हमारे) पास (?P<count>एक|दो|तीन|चार) (?:[^ ]+ )?{who}(?:याँ|यां|ियाँ|े)? (?:हैं|है),? " + r"(?P<value>[^ ,]+(?: और [^ ,]+)?)", many=True, words=5),
        Slot("name", r"(?:अब )?(?:मेरे|हमारे) पास (?P<count>एक) (?:[^ ]+ )?{who} है,? (?:और )?(?:उसका|इसका) नाम {value} है", words=3),
        Slot("home", r"(?:एक|दो|तीन|कुछ) (?:महीने|साल|हफ़्ते|हफ्ते) पहले (?:मैं|हम) {value} (?:में )?(?:शिफ्ट हो|रहने आ) (?:गए|गया|गई)(?: हैं| हूँ| है)?", words=3),
        Slot("home", r"(?:मैं|हम) (?:(?:पिछले (?:महीने|साल|हफ़्ते|हफ्ते)|अभी|हाल ही में) )*{value} (?:में )?(?:शिफ्ट हो|रहने आ) (?:गए|गया|गई)(?: हैं| हूँ| है)?", words=3),
        Slot("origin", r"मैं {value} में (?:पला-?बढ़ा|पली-?बढ़ी|बड़ा हुआ|बड़ी हुई)(?: हूँ)?(?: है)?", words=3),
        Slot("avoids", r"मुझे {value} नहीं (?:पचता|पचती|पचते|सूट करता|सूट करती)(?: है)?", many=True, words=4),
        Slot("language", rf"(?:घर (?:पर|में) )?(?:हम|मैं) (?:घर (?:पर|में) )?(?P<value>{_HI_TONGUE}(?: और {_HI_TONGUE})?) बोल(?:ते|ता|ती) (?:हैं|हूँ|हूं)", many=True, words=4),
        Slot("school", r"मैं {value} में पढ़ (?:रहा|रही) (?:हूँ|हूं)", words=5),
        Slot("role", r"मैं (?:एक )?(?P<value>(?:[^ ,]+ (?:का|की) )?(?:टीचर|शिक्षक|शिक्षिका|अध्यापक|अध्यापिका|प्रोफेसर|ट्यूटर|डॉक्टर|छात्र|छात्रा)) (?:हूँ|हूं)", words=4),
        Slot("vehicle", r"(?:मेरे|हमारे) पास (?:एक )?(?:पुरानी |नई )?(?P<value>(?:मारुति|स्विफ्ट|आल्टो|ऑल्टो|होंडा|हीरो|बजाज|टाटा|महिंद्रा|हुंडई|टोयोटा|एक्टिवा|स्प्लेंडर|बुलेट)(?: [^ ]+)?) है"),
        Slot("hobby", r"मैं (?:(?:वीकेंड पर|शाम को|कभी-कभी|बैंड में|रविवार को) )*(?P<value>गिटार|पियानो|तबला|हारमोनियम|सितार|बांसुरी|ड्रम|वायलिन|ढोलक|कीबोर्ड) (?:बजाता|बजाती) (?:हूँ|हूं)"),
        Slot("goal", r"(?:मैं|हम) (?P<value>.{2,30} के लिए) (?:पैसे|पैसा) (?:बचा|जोड़|जमा कर) (?:रहा|रही|रहे) (?:हूँ|हूं|हैं)", words=8),
        Slot("diet", r"(?:मैं )?अब (?:मैं )?(?P<value>मछली|मांस|अंडे|अंडा|चिकन|दूध) (?:भी )?(?:खाता|खाती|खाते|पीता|पीती) (?:हूँ|हूं|हैं)"),
        Slot("employer", r"(?:मैं )?अब (?:मैं )?{value} में (?:हूँ|हूं)", words=3, instead=True),
        Slot("home", r"(?:मैं )?अब (?:मैं )?{value} में (?:हूँ|हूं)", words=3, instead=True),
        Slot("plan", r"(?P<value>.{2,24} (?:मैं|हम) .{2,30} (?:जा|आ|शिफ्ट हो|निकल) (?:रहा|रही|रहे) (?:हूँ|हूं|हैं))", words=12, dated=True),
        Slot("plan", r"(?P<value>.{2,30} के पास जाना) है", words=10, dated=True),
        Slot("plan", r"(?P<value>.{0,20}(?:हमारी|मेरी) शादी) है", words=8, dated=True),
    ),
}
"""By language code."""
# fmt: on
