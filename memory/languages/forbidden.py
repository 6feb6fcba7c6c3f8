"""What somebody must not eat, drink or take, as their doctor or their body says it: the same few slots, in every language.

Owns whose word counts as a doctor's, so that it is not put aside as something somebody else said. Data only. One
surprise: these slots are tried before all others, since a diet taken for a dislike is what nobody may overlook.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from memory.languages.pack import Slot


@dataclass(frozen=True, slots=True)
class Forbidden:
    """How one language says what somebody must do without."""

    doctor: str
    """Pattern of the doctor a sentence opens with."""
    told: tuple[str, ...]
    """Patterns of what follows the doctor, with ``{value}``."""
    own: tuple[str, ...]
    """Patterns of whole clauses in which no doctor speaks, with ``{value}``."""
    passing: str
    """Searched for in a value: of the moment, or no thing at all ("more", "tonight")."""

    def slots(self) -> tuple[Slot, ...]:
        """Return the ways to say it as slots of what somebody avoids."""
        patterns = (*(self.doctor + told for told in self.told), *self.own)
        return tuple(Slot("avoids", pattern, many=True, words=10) for pattern in patterns)

    def reported(self, pattern: str) -> str:
        """Return the pattern of what others say, without what a doctor forbids."""
        return rf"(?!(?:{'|'.join(self.doctor + told.replace('{value}', '.+') for told in self.told)}))(?:{pattern})"


_EN_EAT = r"(?:eat|drink|have|consume|take|smoke|touch|use)"
_EN_EATING = r"(?:eating|drinking|having|consuming|taking|smoking|touching|using)"
_EN_NOW = r"(?!it\b|this\b|that\b|so\b|too\b|more\b|another\b|all\b|anything\b|before\b|after\b|tonight\b|much\b|late\b|a\b)"
_EN_DRUG = (
    r"(?:any )?(?:[\w-]+ ){0,2}(?:\w*(?:profen|cillin|mycin|oxacin|cycline|codone|pirin|statin|zepam)s?|codeine|morphine|tramadol|naproxen|"
    r"paracetamol|acetaminophen|tylenol|advil|cortisone|penicillin|sulfa|nsaids?|painkillers|antibiotics|antihistamines|statins|steroids|sedatives|opioids)\b"
)
_EN_WHY = r"(?:,? (?:since|because|due to|as long as|on account of|after|while|with my|for my|for medical|for health)\b.*)?"
_EN_SINCE = r"(?:(?:since|because of|due to|after|on account of|with|for) my [\w'’-]+(?: [\w'’-]+){0,3}?,? )?"
_DE_EAT = r"(?:essen|trinken|nehmen|rauchen|zu mir nehmen)"
_DE_SINCE = r"(?:(?:seit|wegen|aufgrund|nach) (?:meiner?[smn]?|der|dem|des) [\w-]+(?: [\w-]+)?? )?"
_DE_NOT = r"(?:(?:leider|gar|überhaupt|eigentlich|absolut|streng|strikt) )*"
_ES_THE = r"(?:el |la |los |las |lo )?"
_FR_THE = r"(?:le |la |les |l['’]|du |de la |de l['’]|des |de |d['’]|au |aux |à la |à l['’])?"
_FR_EAT = r"(?:manger|boire|prendre|consommer|fumer)"
_FR_WHY = r"(?:,? (?:depuis|à cause|en raison|parce|car)\b.*)?"
_IT_THE = r"(?:il |lo |la |i |gli |le |l['’])?"
_PT_THE = r"(?:o |a |os |as )?"
_RU_EAT = r"(?:(?:есть|пить|употреблять|принимать|курить) )?"
_HI_EAT = r"(?:(?:खाना|पीना|लेना|खाने|पीने|लेने)(?: की| से| के लिए| को)? )?"
_ZH_EAT = r"(?:再)?(?:吃|喝|碰|抽|用|沾)"
_JA_TOLD = r"(?:て(?:い)?(?:ます|る)|ました|た)(?:よ|ね|んです)?"
_KO_SAID = r"(?:했어요|했습니다|했어|했다|하셨어요|하셨습니다|하셨어|해요|하세요|하네요)"

FORBIDDEN: Mapping[str, Forbidden] = {
    "en": Forbidden(
        r"(?:my|the|our) (?:family |heart |eye )?(?:doctors?|gp|physician|nurse|cardiologist|dieti[tc]ian|nutritionist|allergist|"
        r"gastroenterologist|endocrinologist|nephrologist|dentist|surgeon|midwife|pharmacist|specialist|neurologist|obgyn) "
        r"(?:(?:has|have|had|just|recently|strictly|also) )*",
        (
            rf"(?:forbade|forbidden|forbids|banned|bans|prohibited|prohibits) me (?:from )?(?:to )?(?:(?:{_EN_EAT}|{_EN_EATING}) )?(?:any )?{{value}}{_EN_WHY}",
            (
                r"(?:told|tells|ordered|advised|asked|warned|wants|instructed|recommended) (?:me )?(?:to (?:avoid|stay away from|stay off|steer clear of|cut out|give up|"
                rf"stop {_EN_EATING}|quit|skip)|(?:not|never) to {_EN_EAT}|(?:against|off)(?: {_EN_EATING})?) (?:any )?{_EN_NOW}{{value}}{_EN_WHY}"
            ),
            rf"(?:doesn['’]t|won['’]t|does not|will not) (?:let|allow|want) me (?:to )?{_EN_EAT} (?:any )?{_EN_NOW}{{value}}{_EN_WHY}",
            (
                rf"(?:says?|said)(?: that)? (?:I (?:(?:can['’]t|cannot|can not|can no longer|mustn['’]t|must not|shouldn['’]t|should not|may not|am not allowed to) {_EN_EAT}|"
                rf"(?:have to|need to|must|should) (?:avoid|stay away from|cut out|give up))|to avoid|not to {_EN_EAT}|no(?: more)?) (?:any )?{_EN_NOW}{{value}}{_EN_WHY}"
            ),
        ),
        (
            (
                rf"{_EN_SINCE}(?:I|we|{{they}}) (?:really |just |also |still )*(?:can['’]t|cannot|can not|can no longer|must not|mustn['’]t|may not|shouldn['’]t|should not) "
                rf"(?:(?:eat|drink|consume|smoke) |take (?={_EN_DRUG}))(?:any )?{_EN_NOW}{{value}}{_EN_WHY}"
            ),
            rf"{_EN_SINCE}(?:I(?:['’]m| am)|we(?:['’]re| are)|{{they}}(?:['’]s| is)) (?:not|no longer) (?:allowed|permitted|supposed|meant)(?: to {_EN_EAT})?(?: any)? (?!to\b){_EN_NOW}{{value}}{_EN_WHY}",
            rf"{{they}} isn['’]t (?:allowed|permitted|supposed|meant)(?: to {_EN_EAT})?(?: any)? (?!to\b){_EN_NOW}{{value}}{_EN_WHY}",
            rf"(?:(?:it['’]s|on|my) )?doctor['’]?s['’]? orders[:,-]? ?(?:no(?: more)?|to avoid|not to {_EN_EAT}|avoid|I (?:can['’]t|cannot|mustn['’]t) {_EN_EAT}) {{value}}",
            r"(?P<value>(?!it\b|this\b|that\b)[\w'’-]+(?: [\w'’-]+){0,2}?) (?:doesn['’]t|don['’]t|does not|do not|can['’]t|cannot) (?:go|mix|be mixed|interact well|be taken) with my (?:new |heart |blood )?(?:meds|medication|medicine|pills|tablets|treatment|blood thinners?)",
            r"(?P<value>(?!it\b|this\b|that\b)[\w'’-]+(?: [\w'’-]+){0,2}?) and my (?:new |heart |blood )?(?:meds|medication|medicine|pills|tablets|treatment|blood thinners?) (?:don['’]t|do not|can['’]t|cannot|must not) (?:mix|be mixed|be taken together|go together)",
        ),
        r"^(?:another|so|too|more|any ?more|it|this|that|these|those|(?:anything|everything|all)$)(?:\b|$)|\b(?:today|tonight|right now|this (?:morning|evening|afternoon|week)|tomorrow)\b",
    ),
    "de": Forbidden(
        r"(?:mein|meine|der|die|unser|unsere) (?:arzt|ärztin|hausarzt|hausärztin|doktor|kardiologe|kardiologin|internist|internistin|zahnarzt|zahnärztin|"
        r"hebamme|ernährungsberaterin?|allergologe|allergologin|facharzt|fachärztin) ",
        (
            rf"hat mir {_DE_NOT}{{value}} {_DE_NOT}(?:verboten|untersagt|gestrichen|abgeraten)",
            rf"(?:verbietet|verbot|untersagt|untersagte) mir {_DE_NOT}{{value}}",
            rf"(?:sagt|meint|sagte|meinte|hat gesagt|hat mir gesagt),? (?:dass )?ich (?:soll|darf|sollte|dürfe|solle) {_DE_NOT}(?:kein(?:e|en|erlei)? {{value}} (?:mehr )?{_DE_EAT}|auf {{value}} verzichten)",
        ),
        (
            rf"{_DE_SINCE}(?:ich darf|darf ich|ich kann|kann ich) {_DE_SINCE}{_DE_NOT}kein(?:e|en|erlei)? {{value}} (?:mehr )?{_DE_EAT}",
            rf"(?:ich darf|darf ich|ich kann|kann ich) {_DE_SINCE}{_DE_NOT}{{value}} (?:nicht|nie)(?: mehr)? {_DE_EAT}",
            rf"ich {_DE_NOT}kein(?:e|en|erlei)? {{value}} (?:mehr )?{_DE_EAT} (?:darf|soll|kann)",
            r"ich (?:muss|soll) (?:auf )?{value} (?:meiden|vermeiden|verzichten)",
            r"(?:mir|uns) (?:ist|wurde|sind|wurden) (?:vom arzt |von der ärztin |ärztlich )?{value} (?:vom arzt |von der ärztin |ärztlich )?(?:verboten|untersagt)(?: worden)?",
        ),
        r"^(?:mehr|so viel|das|es|alles|nichts)\b|\b(?:heute|gerade|jetzt|morgen)\b",
    ),
    "es": Forbidden(
        r"(?:el|la|mi) (?:médic[oa]|doctora?|cardiólog[oa]|dentista|endocrin[oa]|nutricionista|alergólog[oa]|nefrólog[oa]|digestólog[oa]|ginecólog[oa]) ",
        (
            rf"me (?:ha |tiene )?(?:prohibió|prohibido|prohíbe|prohibía|quitó|quitado) (?:(?:de )?(?:comer|beber|tomar|fumar) )?{_ES_THE}{{value}}",
            (
                r"me (?:ha )?(?:dijo|dicho|dice|mandó|mandado|recomendó|recomendado|pidió|pedido|ordenó|ordenado|aconsejó|aconsejado) (?:que (?:evite|no (?:coma|beba|tome|fume))|"
                rf"(?:evitar|no (?:comer|beber|tomar|fumar)|dejar(?: de (?:comer|beber|tomar))?)) {_ES_THE}{{value}}"
            ),
        ),
        (
            rf"(?:me|nos) (?:han prohibido|prohibieron|han quitado|quitaron) (?:(?:comer|beber|tomar|fumar) )?{_ES_THE}{{value}}",
            rf"(?:yo )?(?:tengo prohibid[oa]s?|no debo|ya no puedo|no me dejan) (?:(?:comer|beber|tomar|fumar) )(?:nada de )?{_ES_THE}{{value}}",
            rf"(?:yo )?tengo prohibid[oa]s? {_ES_THE}{{value}}",
            rf"(?:desde|por|a causa de|debido a) (?:mi|el|la) [\w ]+?,? (?:ya )?no puedo (?:comer|beber|tomar) {_ES_THE}{{value}}",
        ),
        r"^(?:más|nada|tanto|eso|esto|todo)\b|\b(?:hoy|esta noche|ahora mismo|mañana)\b",
    ),
    "fr": Forbidden(
        r"(?:mon|ma|le|la) (?:médecin|docteur|doctoresse|cardiologue|dentiste|diététicienne?|nutritionniste|allergologue|gynécologue|généraliste|spécialiste) ",
        (
            rf"m['’](?:a |avait )?(?:interdit|défendu|déconseillé|supprimé|interdisait) (?:(?:de|d['’]) ?{_FR_EAT} )?{_FR_THE}{{value}}{_FR_WHY}",
            rf"m['’]a (?:dit|demandé|conseillé|ordonné|recommandé|prescrit) (?:d['’]éviter|de ne (?:pas|plus) {_FR_EAT}|d['’]arrêter) {_FR_THE}{{value}}{_FR_WHY}",
        ),
        (
            rf"(?:depuis (?:mon|ma|mes|le|la) [\w ]+?,? )?je ne (?:peux|dois) (?:pas|plus|jamais) {_FR_EAT} {_FR_THE}{{value}}{_FR_WHY}",
            rf"je n['’]ai (?:pas|plus) (?:le )?droit (?:de {_FR_EAT} )?{_FR_THE}{{value}}{_FR_WHY}",
            rf"(?:il m['’]est interdit|on m['’]a interdit) (?:de {_FR_EAT} )?{_FR_THE}{{value}}{_FR_WHY}",
            rf"{_FR_THE}(?P<value>[\w'’ -]+?) m['’](?:est|sont) (?:strictement |formellement )?interdite?s?{_FR_WHY}",
        ),
        r"^(?:plus|rien|ça|cela|autant|tout|ce soir)\b|\b(?:ce soir|aujourd['’]hui|maintenant|ce midi|demain)\b",
    ),
    "it": Forbidden(
        r"(?:il|la)(?: mio| mia)? (?:medic[oa]|dottore|dottoressa|cardiolog[oa]|dentista|dietologo|dietologa|nutrizionista|allergolog[oa]|ginecolog[oa]) ",
        (
            rf"mi (?:ha )?(?:proibito|vietato|proibisce|vieta|tolto) (?:di (?:mangiare|bere|prendere|fumare) )?{_IT_THE}{{value}}",
            rf"mi (?:ha )?(?:detto|dice|ordinato|consigliato|chiesto|raccomandato) di (?:evitare|non (?:mangiare|bere|prendere|fumare)|smettere di (?:mangiare|bere|prendere|fumare)) {_IT_THE}{{value}}",
        ),
        (
            rf"(?:dalla (?:mia )?diagnosi |dopo la diagnosi )?non (?:posso|devo) (?:più )?(?:mangiare|bere|assumere|prendere) {_IT_THE}{{value}}",
            rf"mi (?:hanno|è stat[oa]|sono stat[ei]) (?:proibit|vietat|tolt)[oaie] {_IT_THE}{{value}}",
        ),
        r"^(?:più|niente|tanto|questo|tutto)\b|\b(?:adesso|stasera|oggi|ora|domani)\b",
    ),
    "pt": Forbidden(
        r"(?:o |a )?(?:meu |minha )?(?:médic[oa]|doutora?|cardiologista|dentista|nutricionista|alergista|endocrinologista|ginecologista) ",
        (
            rf"(?:me )?(?:proibiu|proíbe|cortou|vetou|tirou)(?:-me)? (?:de (?:comer|beber|tomar|fumar) )?{_PT_THE}{{value}}",
            rf"(?:me )?(?:mandou|disse|falou|pediu|recomendou|aconselhou|orientou)(?:-me)? (?:para |pra |a |que )?(?:eu )?(?:evitar|evite|cortar|(?:não|nao) (?:comer|beber|tomar|coma|beba|tome)|parar de (?:comer|beber|tomar)) {_PT_THE}{{value}}",
        ),
        (
            rf"(?:eu )?(?:estou|fui|sou) proibid[oa] de (?:(?:comer|beber|tomar|fumar) )?{_PT_THE}{{value}}",
            rf"(?:desde (?:o|a|meu|minha) [\w ]+?,? )?(?:eu )?não (?:posso|devo) (?:mais )?(?:comer|beber|tomar) {_PT_THE}{{value}}",
        ),
        r"^(?:mais|nada|tanto|isso|isto|tudo)\b|\b(?:agora|hoje|amanhã)\b",
    ),
    "ru": Forbidden(
        r"(?:мой |моя |наш |лечащий )*(?:врач|доктор|кардиолог|терапевт|диетолог|аллерголог|стоматолог|гастроэнтеролог|эндокринолог|гинеколог) ",
        (
            rf"(?:мне )?(?:(?:строго|категорически) )?(?:запретил[аи]?|запрещает|не разрешает|не разрешил[аи]?) (?:мне )?{_RU_EAT}{{value}}",
            r"(?:мне )?(?:сказал[аи]?|велел[аи]?|посоветовал[аи]?|рекомендовал[аи]?|приказал[аи]?) (?:мне )?(?:избегать|исключить|не (?:есть|пить|употреблять|принимать)|отказаться от) {value}",
        ),
        (
            rf"(?:(?:из-за|после|с момента|с) [\w-]+(?: [\w-]+)?? )?мне (?:(?:строго|категорически|больше|теперь|вообще|совсем) )*(?:нельзя|запрещено|запретили|не разрешают) {_RU_EAT}{{value}}",
            r"мне (?:противопоказан[аоы]?|запрещен[аы]|запрещён) {value}",
        ),
        r"^(?:больше|столько|это|так|ничего)(?!\w)|(?<!\w)(?:сегодня|сейчас|завтра)(?!\w)",
    ),
    "hi": Forbidden(
        r"(?:मेरे |मेरी )?(?:डॉक्टर|डाक्टर|डॉक्टर साहब|चिकित्सक|वैद्य) ने ",
        (
            rf"(?:मुझे |मुझको )?{{value}} {_HI_EAT}(?:सख्त |बिल्कुल )?(?:मना|बंद|मनाही) (?:किया|कर दिया|कर रखा|की|करवा दिया|करवाया)(?: है| हुआ है)?",
        ),
        (
            rf"मुझे {{value}} {_HI_EAT}(?:सख्त |बिल्कुल )?(?:मना|मनाही|वर्जित) है",
            r"(?:मैं|हम) {value} (?:बिल्कुल |अब |कभी )*नहीं (?:खा|पी|ले) (?:सकता|सकती|सकते)(?: हूँ| हूं| हैं)?",
        ),
        r"^(?:ज़्यादा|ज्यादा|इतना|यह|कुछ|और)(?: |$)|(?:^| )(?:आज|अभी|कल)(?: |$)",
    ),
    "zh": Forbidden(
        r"(?:我的?)?(?:主治)?(?:医生|醫生|大夫|医师|醫師|营养师)",
        (
            rf"(?:不让|不讓|不许|不許|不准|不允许|禁止)我 ?(?:{_ZH_EAT})? ?{{value}}",
            rf"(?:说|說|让|讓|叫|要|嘱咐|要求|告诉|建议|叮嘱)(?:我)?(?:不能|不可以|别|不要|不得|少|要?忌|必须戒|戒) ?(?:{_ZH_EAT})? ?{{value}}",
        ),
        (
            rf"(?:(?:自从)?(?:确诊|確診|诊断|診斷|手术|手術|生病)(?:之后|以后|后|後)[,，]?)我?(?:就)?(?:不能|不可以|不准|不许){_ZH_EAT} ?{{value}}",
        ),
        r"^[了吧呢啊的这那]|今天|今晚|现在|明天|太多",
    ),
    "ja": Forbidden(
        r"(?:お?医者(?:さん|様)?|主治医|かかりつけ医|担当医|ドクター|栄養士)(?:の先生)?(?:に|から|は|が)、?(?:私に)?",
        (
            rf"{{value}}(?:を|は)(?:固く|きつく)?(?:止められ|禁じられ|禁止され|控えるよう(?:に)?(?:と)?言われ|避けるよう(?:に)?(?:と)?言われ|食べないよう(?:に)?(?:と)?言われ|飲まないよう(?:に)?(?:と)?言われ|食べるなと言われ|飲むなと言われ|控えろと言われ|食べてはいけないと言われ){_JA_TOLD}",
        ),
        (
            r"(?:私|わたし|僕|俺|自分)?(?:は|も)?、?{value}(?:を|は)(?:食べて|飲んで|食べちゃ|飲んじゃ)(?:は)?(?:いけません|いけない|だめです|ダメです|だめなんです|ダメなんです)",
        ),
        r"^(?:これ|それ|あれ|もう|何も)|今日|今夜|今は|明日",
    ),
    "ko": Forbidden(
        r"(?:의사 ?선생님|담당 ?의사|의사|주치의|영양사)(?:가|이|께서|는|은|께서는)? (?:저에게 |저한테 |나한테 |제게 )?",
        (
            rf"{{value}}(?:을|를|은|는)? (?:절대 )?(?:먹지|마시지|드시지|피우지) (?:말라고|않아야 한다고|못하게|말아야 한다고) {_KO_SAID}",
            rf"{{value}}(?:을|를|은|는)? (?:피하라고|끊으라고|금지|금하라고|줄이라고) ?{_KO_SAID}",
        ),
        (
            r"(?:저는|나는|전|난|제가|내가)? ?{value}(?:을|를|은|는) (?:절대 )?(?:먹으면|마시면|피우면) 안 (?:돼요|됩니다|돼|되거든요|된다)",
            r"(?:저는|나는|전|난|제가|내가) {value}(?:을|를|은|는) 못 (?:먹어요|먹습니다|먹어|먹는다|마셔요|마십니다|마셔)",
        ),
        r"^(?:이것|그것|더|아무것)|오늘|지금|내일",
    ),
}
"""By language code."""
