"""Irregular forms that a stemmer cannot bring together: a question says "buy", its answer "bought".

Plain data, one group of forms between semicolons, English only; a query looks for every form of its words.
"""

from __future__ import annotations

_GROUPS = """
begin began begun; bite bit bitten; blow blew blown; break broke broken; bring brought; build built; burn burnt;
buy bought; catch caught; child children kid kids; choose chose chosen chosen; come came; creep crept; deal dealt;
dig dug; draw drew drawn; dream dreamt; drink drank drunk; drive drove driven; eat ate eaten; fall fell fallen;
feed fed; feel felt; fight fought; find found; flee fled; fly flew flown; foot feet; forget forgot forgotten;
forgive forgave forgiven; freeze froze frozen; give gave given; grow grew grown; hang hung; hear heard;
hide hid hidden; hold held; keep kept; knit knitted; know knew known; lay laid; lead led; leap leapt;
learn learnt; leave left; lend lent; lie lay lain; life lives; light lit; lose lost; make made; man men;
mean meant; meet met; mouse mice; pay paid; person people; ride rode ridden; ring rang rung; rise rose risen;
run ran; sell sold; send sent; sew sewn; shake shook shaken; shoot shot; show shown; shrink shrank; sing sang sung;
sink sank; sit sat; sleep slept; slide slid; speak spoke spoken; spend spent; spill spilt; stand stood;
steal stole stolen; stick stuck; strike struck; swear swore sworn; sweep swept; swim swam swum; swing swung;
teach taught; tear tore torn; throw threw thrown; tooth teeth; understand understood; wake woke woken;
wear wore worn; weave wove woven; weep wept; wife wives; win won; woman women; write wrote written;
mum mom mother; dad father; grandma grandmother; grandpa grandfather; tv television; phone telephone;
bike bicycle; photo photograph picture; fridge refrigerator; job work; movie film
"""


def _index() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for group in _GROUPS.replace("\n", " ").split(";"):
        forms = tuple(dict.fromkeys(group.split()))
        for form in forms:
            found[form] = tuple(dict.fromkeys((*found.get(form, ()), *forms)))
    return found


FORMS: dict[str, tuple[str, ...]] = _index()
"""Every form to all forms of its group, itself among them."""


def forms_of(word: str) -> tuple[str, ...]:
    """Return a word with its irregular forms, the word itself first."""
    return tuple(dict.fromkeys((word, *FORMS.get(word, ()))))
