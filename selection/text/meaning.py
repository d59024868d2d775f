"""Words that change what a sentence says: numbers, units, negation, conditions.

English, and the commonest words of German, French, Spanish, Italian and Polish where they are not
also words of another of these languages.
"""

from __future__ import annotations

import re

from selection.text.normal import NO, PRIME


def _listed(text: str) -> frozenset[str]:
    return frozenset(text.split())


NUMBER_WORDS = _listed(
    """two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred
    thousand million billion dozen half twice zwei drei vier fünf sechs sieben acht neun zehn elf
    zwölf vierzehn zwanzig dreissig hundert tausend deux trois quatre cinq sept huit neuf dix
    quinze vingt trente dos tres cuatro cinco siete ocho nueve diez"""
)

ONE = _listed("one ein eine einen einem einer un une una uno")
"""Numbers only before a unit: "one day", but "this one"."""

UNITS = _listed(
    """% ‰ ° percent percentage pct prozent procent
    second seconds sec secs s minute minutes min mins hour hours hr hrs h day days d night nights
    week weeks wk wks month months mo year years yr yrs decade decades am pm ms millisecond
    milliseconds sekunde sekunden minuten stunde stunden tag tage tagen woche wochen monat monate
    monaten jahr jahre jahren jour jours heure heures semaine semaines mois ans día días hora horas
    semana semanas mes meses año años giorno giorni ore settimana settimane mesi anno anni dni
    godzin godziny tygodni miesięcy lat
    nm µm μm mm cm m km inch inches foot feet ft yard yards yd mile miles mi metre metres meter
    meters kilometre kilometres kilometer kilometers centimetre centimetres acre acres hectare
    hectares ha
    mg µg μg g kg gram grams gramm kilogram kilograms kilogramm lb lbs pound pounds oz ounce ounces
    ton tons tonne tonnes t ml cl dl l litre litres liter liters gallon gallons pint pints
    c f k celsius fahrenheit kelvin bit bits byte bytes kb mb gb tb pb kib mib gib tib kbps mbps
    gbps tbps hz khz mhz ghz w kw mw gw kwh mwh v kv mv ma mah j kj kcal cal calories pa kpa mpa
    bar psi db px dpi rpm mph kmh knots
    dollar dollars euro euros cent cents pence yen franc francs rupee rupees usd eur gbp chf jpy
    cny inr cad aud sek nok dkk pln zł
    k m bn mn"""
)
"""Units where they follow a number; many are other words elsewhere."""

PRIMES = frozenset([PRIME, PRIME * 2])

_AUXILIARIES = _listed(
    "can do does did is are was were has have had wo would could should must need ai might"
)
NEGATIONS = _listed(
    f"""no not never none nobody nothing nowhere neither nor without cannot non ≠ ¬ {NO}
    nicht kein keine keinen keinem keiner keines nie niemals nichts weder ohne
    ne pas jamais aucun aucune sans nunca ningún ninguna nessun nessuna senza bez żaden"""
) | frozenset(f"{auxiliary}nt" for auxiliary in _AUXILIARIES)

CONDITIONS = _listed(
    """if unless except excepting excluding excludes exception exceptions otherwise provided
    providing depending wenn falls sofern ausser ausgenommen sauf salvo excepto eccetto tranne
    jeśli chyba"""
)

CONDITION_PHRASES = re.compile(
    r"\b(?:only (?:when|for|in|with|after|before|on)|(?:as|so) long as|subject to|in case"
    r"|apart from|other than|but not|es sei denn|nur (?:bei|für|mit)|à moins que|a menos que)\b"
)
