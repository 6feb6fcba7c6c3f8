"""Words that say nothing about what is looked for, in the languages people ask in.

Plain data, lower case, split on spaces. Question words and polite openings are in, because a question's "when"
is not in its answer. Refuses to know grammar. One surprise: the lists are used together whatever the language
is, so a word with a meaning in another language stays out of them (German "war", Spanish "son", Dutch "van").
"""

from __future__ import annotations

ENGLISH = """
a about actually again ago all already also always am an and another any anybody anyone anything anyway are
aren as ask asked at away back be became because become been before being between both but by can cannot
could couldn d did didn do does doesn doing don done down during each either else ever every everyone
everything few for from get gets getting give given go goes going gone gonna got gotta had hadn has hasn have
haven having he her here hers herself him himself his how however i if in into is isn it its itself just know
last let like ll lot lots m many may maybe me might mine more most much must my myself need needs
no nor not now of off oh ok okay on once one ones only onto or other others our ours out over own perhaps
please quite rather re really remember remind right s said same say says see seem seems shall she should
shouldn since so some somebody someone something sometimes sort still stuff such sure t take tell than thank
thanks that the their theirs them then there these they thing things think this those though through to told
too took toward type types um under until up upon us used using ve very want wanted wants was wasn way ways we
well went were weren what whatever when where whether which while who whom whose why will with within without
won would wouldn yeah yes yet you your yours yourself
"""

GERMAN = """
aber alle allem allen aller alles als also am an andere anderen auch auf aus bei beim bis bist bitte da
dabei damit dann darf das dass dazu dein deine deinem deinen deiner dem denn der des dich dies diese
diesem diesen dieser dir doch dort du durch eigentlich ein eine einem einen einer eines er es etwas euch euer
eure für gab gerade gern gerne gibt habe haben hast hatte hatten hier ihm ihn ihnen ihr ihre ihrem ihren
ihrer im in ins ist ja jede jeder jetzt kann kannst kein keine keinen könnte können mein meine meinem meinen
meiner meines mich mir mit mal muss nach nein nicht nichts noch nur ob oder ohne sag sagen sehr sein seine
seinem seinen seiner seit sich sie sind so soll sollte sollten sondern um und uns unser unsere unter viel vom von
vor wann waren warum was weiß weißt welche welchem welchen welcher welches wem wen wenn wer werde werden
wessen wie wieder wir wird wirst wo wohin womit worüber würde würden zu zum zur über
"""

ROMANCE = """
al algo ante antes aquel aquella aqui así aún bien cada como con contra cual cuales cuando cuanto cuál cuáles
cuándo cuánto cómo de del desde donde dónde durante e el ellas ellos en entre era eran eres es esa esas ese
eso esos esta estaba estas este esto estos está están fue fueron ha hace hacer han hasta hay he la las le les lo
los me mi mis muy más nada ni no nos nosotros nuestra nuestro o os otra otro para pero por porque pues que quien
quién quiénes qué se ser si sido sobre somos soy su sus sí también te tenía tengo tiene tienen todo todos
tu tus tú un una uno unos usted y ya yo
ai alors après au aucun aurait aussi autre aux avait avant avec avez avoir ce ceci cela celle celui ces cet cette
chez combien comme comment c d dans depuis des deux dont du elle elles encore est et étais était êtes être eu eux
faire fait font il ils j je jusque l là leur leurs lui ma mais moi moins mon même n ne nos notre nous on ont ou
où par parce pas peu peut plus pourquoi pouvez puis qu quand quel quelle quelles quels qui quoi sa sans se
sera ses seulement sommes sont souvent suis sur t ta tes toi ton tous tout toute très une va vers voici voilà vos
votre vous à ça
ad agli alla alle allo anche avere che chi ci coi col così cosa cui da dal dalla dalle degli dei della delle
dello dove è erano essere fa gli ha hai hanno ho i il io lei loro lui ma mie miei mio molto ne negli nei nel
nella non nostro ogni perché però più poi qual quale quali quando quanto quella quelli quello questa queste questi
questo sei sempre siamo sono sta stato sua sue sugli sui sul sulla suo suoi tra tua tuo tutti tutto voi
ao aos às até com da das depois do dos ela elas ele eles em então essa esse está estão eu foi foram isso isto já
lhe mais mas mesmo meu meus minha minhas muito na não nas nem no nos nós num numa ou para pela pelo por porque qual
quais quando quem são se sem ser seu seus só sua suas também tem têm tinha tua um uma você vocês
"""

SLAVIC = """
а бы был была были было быть в вам вас ведь весь во вот все всё вы где да даже для до его ее её если есть еще ещё
же за и из или им их к как какая какие какой кем ко когда кого кому кто куда ли меня мне мной мои мой моя моё мы
на над нам нас наш не него нее неё нет ни них но ну о об один она они оно от очень по под потому почему при про
раз с сам свой себя сейчас со так также такой там тебе тебя то тогда того тоже только ты у уже хотя чего чей чем
что чтобы чья эта эти это этого этой этом этот я
"""

HINDI = """
अपना अपनी अपने अब अभी आप आपका आपकी आपके इस इसका इसकी इसके इसी उन उनका उनकी उनके उस उसका उसकी उसके एक ऐसा और कब कभी कर करता करती करते
करना करने का कि कितना कितनी कितने किस किसका किसकी किसके किसी की कुछ के को कोई कौन कौनसा क्या क्यों गई गए गया जब जहाँ जा जाता
जाती जाते जो तक तब तुम तुम्हारा तुम्हारी तुम्हें तो था थी थे दिया दो न नहीं ने पर फिर भी मुझे में मेरा मेरी मेरे मैं मैंने यह यहाँ या ये रहा रही
रहे लिए लेकिन वह वहाँ वाला वाली वाले वे वो सकता सकती सकते सब साथ से ही हुआ हुई हुए हूँ है हैं हो होता होती होते होना
"""

OTHER = """
aan als bij dat de deze dit een en er geen haar heb hebben heeft het hij hoe hun ik je jij jou jouw kan maar
mij mijn naar niet nog nu of om onze ook op over te tot uit voor waar waarom wanneer wat we welke wie wij
ze zij zijn zo
att av den det där efter eller en ett från för han hon hur här i inte jag kan med min mitt mina mot när och om
på som så till var vad vem vi är
bo co czy dla do gdzie i ich ja jak jaka jaki jakie jego jej jest jestem kiedy kto które który ma mam mi mnie
moja moje mój na nie o od po przez się są ta tak te to tu ty w we z za że
acaba ama bana bende benim bir biz bu bunu da de daha diye en gibi hangi hani hem her için ile ise kadar kaç
ki kimin mi mu mı mü ne neden nerede niçin o ona onu sen senin siz şu ve veya ya çok
من في على إلى عن مع هذا هذه ذلك التي الذي ما ماذا متى أين كيف لماذا هل هو هي هم أنا أنت نحن كان كانت لا لم لن قد كل
أو و ثم إن أن
"""

SMALL_TALK = """
hello hi hey hiya howdy morning afternoon evening night goodbye bye cheers welcome cool nice great good fine
perfect awesome lovely wonderful amazing super thanks thankyou thx ty yep yup nope nah hmm haha hahaha lol sorry
wow ha tomorrow later soon interesting funny true exactly agreed understood done continue repeat sounds look
looks works alright day today up help mind
hallo guten tag morgen abend nacht tschüss danke dankeschön vielen prima toll gut super schön genau klar okay moin
hola buenos buenas días dias tardes noches gracias adiós perfecto vale genial claro bueno
bonjour bonsoir salut merci beaucoup revoir parfait super bien accord bonne nuit journée
ciao buongiorno buonasera grazie mille perfetto bene
olá oi bom boa dia tarde noite obrigado obrigada tchau
привет здравствуйте здравствуй спасибо пока хорошо ладно доброе утро добрый день вечер отлично понятно
नमस्ते धन्यवाद शुक्रिया ठीक अच्छा हाँ जी
"""

UNSPACED_SMALL_TALK = (
    "你好 您好 谢谢 谢谢你 早上好 晚上好 晚安 再见 好的 好 嗯 是的 对 不 哈哈 没关系 不客气 "
    "こんにちは こんばんは おはよう おはようございます ありがとう ありがとうございます さようなら はい いいえ "
    "안녕 안녕하세요 감사합니다 고마워 네 아니요 สวัสดี ขอบคุณ ครับ ค่ะ"
)

UNSPACED_STOP = (
    "的 了 吗 呢 吧 啊 是 我 你 他 她 它 们 我的 你的 我们 你们 什么 怎么 哪里 哪儿 哪个 谁 几 多少 为什么 "
    "什 么 怎 请 问 在 有 和 与 就 都 也 还 很 这 那 个 叫什 么名 是什 在哪 我叫 "
    "は が を に で と の も か よ ね です ます した して いる この その あの 何 誰 いつ どこ なぜ 私の 私は 僕の ですか ますか "
    "은 는 이 가 을 를 의 에 에서 도 와 과 나 내 제 저 무엇 뭐 누구 언제 어디 왜 어떻게 입니까 인가요 나요 "
    "ที่ และ ของ เป็น คือ อะไร ที่ไหน เมื่อไร ใคร ฉัน ผม คุณ"
)

STOP_WORDS: frozenset[str] = frozenset(
    f"{ENGLISH} {GERMAN} {ROMANCE} {SLAVIC} {HINDI} {OTHER} {UNSPACED_STOP}".split()
)
"""Words left out of a search as long as others remain."""

NAMING = frozenset(
    [
        "called",
        "named",
        "name",
        "names",
        "heißt",
        "heiße",
        "heissen",
        "heißen",
        "namens",
        "llama",
        "llamo",
        "llaman",
        "nombre",
        "appelle",
        "appelles",
        "nom",
        "chiama",
        "chiamo",
        "nome",
        "зовут",
        "звать",
        "имя",
        "नाम",
        "叫",
        "名字",
        "名前",
        "이름",
        "ชื่อ",
    ]
)
"""Words that ask for a name: worth a search, but an answer may well do without them."""

COMMANDS = frozenset(
    [
        "write",
        "explain",
        "describe",
        "summarise",
        "summarize",
        "translate",
        "convert",
        "fix",
        "list",
        "define",
        "compare",
        "calculate",
        "generate",
        "draft",
        "rewrite",
        "mean",
        "means",
        "meaning",
        "word",
        "words",
        "schreibe",
        "erkläre",
        "beschreibe",
        "übersetze",
        "bedeutet",
        "bedeutung",
        "escribe",
        "explica",
        "traduce",
        "significa",
        "écris",
        "explique",
        "traduis",
        "signifie",
        "напиши",
        "объясни",
        "переведи",
        "значит",
    ]
)
"""Words that tell an assistant what to do: no evidence that a memory is meant."""

GREETINGS = frozenset(f"{SMALL_TALK} {UNSPACED_SMALL_TALK}".split())
"""Words of greeting, thanks and assent."""

CHATTER: frozenset[str] = STOP_WORDS | GREETINGS
"""Words of which a message that asks for nothing is made."""

_DELIGHT = """
absolutely adorable admire aw aww beautiful brilliant congrats congratulations cute definitely delicious delighted
excited exciting fantastic fascinating fun funny glad gorgeous happy hear helpful hope idea impressive incredible
inspired inspiring kidding lucky neat outstanding pretty proud stunning sweet terrific thrilled totally whoa woah
woohoo yay yummy
wunderschön herrlich fantastisch spannend glückwunsch freut froh süß klingt beeindruckend wirklich großartig
qué bonito bonita precioso fantástico increíble felicidades encantador suena maravilloso maravillosa
magnifique génial formidable félicitations incroyable ravi adorable chouette beau belle
che bello bella fantastico congratulazioni incrível fantástico parabéns lindo linda
замечательно прекрасно здорово круто красиво потрясающе поздравляю рад рада класс ого
बहुत बढ़िया सुंदर बधाई वाह
太棒了 太好了 真棒 很棒 棒 哇 恭喜 不错 すごい 素敵 いいですね おめでとう 좋네요 멋져요 축하해요
"""
PRAISE: frozenset[str] = frozenset(_DELIGHT.split())
"""Words of delight and approval: with small talk they make up a sentence that tells nothing."""
