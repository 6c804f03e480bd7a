"""values.py - what the slots of templates become: places, streets, organizations, numbers and plain words.

Every maker takes the scene (the document that is being written: its stream of random numbers, its vocabulary, its
persons) and gives pieces (text, label). Numbers are made up within their forms; a card number has its check digit, an
IBAN its two, so that they are what a template would find.
"""
import datetime

from people import plain_surname, surname, first_name
from vocabulary import capital, titled

MONTHS = ("January February March April May June July August September October November December").split()


def digits(scene, form):
    """'#' a digit, '@' a capital letter, other characters themselves."""
    rng = scene.rng
    return "".join(str(rng.randrange(10)) if c == "#" else rng.choice("ABCDEFGHJKLMNPRSTUVWXYZ") if c == "@" else c
                   for c in form)


def ordinal(number):
    last = 0 if number % 100 in (11, 12, 13) else number % 10
    return str(number) + {1: "st", 2: "nd", 3: "rd"}.get(last, "th")


def of_list(label, key):
    return lambda scene: [(scene.words.pick(scene.rng, key), label)]


def of_forms(label, key):
    return lambda scene: [(digits(scene, scene.words.pick(scene.rng, key)), label)]


def of_lexicon(label, name, change=str):
    return lambda scene: [(change(scene.words.draw(scene.rng, name)), label)]


# ---- places

def made_town(scene):
    """Frankstad, Port Angela, East Peterhaven: what nobody's list has."""
    rng, words = scene.rng, scene.words
    name = capital(words.draw(rng, rng.choice(("male", "female", "surname"))))
    dice = rng.random()
    if dice < 0.40:
        return words.pick(rng, "closed.before_town") + " " + name
    town = name + words.pick(rng, "closed.town_end")
    return words.pick(rng, "closed.before_town") + " " + town if dice > 0.85 else town


def town(scene):
    rng, words = scene.rng, scene.words
    dice = rng.random()
    if dice < 0.28:
        return made_town(scene)
    if dice < 0.48:
        return words.pick(rng, "people.%s_town" % scene.language())
    if dice < 0.51:
        return capital(scene.made_last.draw(rng))
    return titled(words.draw(rng, "city"))


def state(scene):
    return [(titled(scene.words.draw(scene.rng, "state")), "PLACE")]


def state_code(scene):
    return [(scene.rng.choice(scene.words.own["closed.st"]), "PLACE")]


def zip_code(scene):
    rng = scene.rng
    code = digits(scene, "#####") if rng.random() < 0.4 else rng.choice(scene.words.zips)[0] + digits(scene, "##")
    return [(code + (digits(scene, "-####") if rng.random() < 0.12 else ""), "PLACE")]


def country(scene):
    rng = scene.rng
    if rng.random() < 0.3:
        return [(scene.words.pick(rng, "closed.country"), "PLACE")]
    return [(titled(scene.words.draw(rng, "country")), "PLACE")]


def locality(scene):
    """A town as sentences name it, alone or with what it lies in."""
    rng = scene.rng
    pieces = [(town(scene), "PLACE")]
    if rng.random() < 0.25:
        pieces += [(rng.choice((", ", ", ", " ")), None)] + rng.choice((state, state_code, country))(scene)
    return pieces


# ---- streets

def street_name(scene):
    """Mary Glen, Turner Square, 5th Avenue, Old Mill Road."""
    rng, words = scene.rng, scene.words
    kind = (words.pick(rng, "closed.street_often") if rng.random() < 0.6 else titled(words.draw(rng, "street")))
    if rng.random() < 0.08:
        kind = kind.rstrip(".") + "s" if not kind.endswith((".", "s")) else kind
    dice = rng.random()
    if dice < 0.10:
        name = ordinal(rng.randrange(1, 180))
    elif dice < 0.40:
        name = words.pick(rng, "streets.name")
    elif dice < 0.55:
        name = first_name(scene, rng.choice("fm"))
    else:
        name = plain_surname(scene)
    before = rng.choice(("N ", "N. ", "South ", "W. ", "East ", "North ", "S ", "NW ", "Old ", "Upper ", "West ")) \
        if rng.random() < 0.12 else ""
    return before + name + " " + kind


def unit(scene):
    return digits(scene, scene.words.pick(scene.rng, "closed.unit"))


def house(scene):
    rng = scene.rng
    number = str(rng.randrange(1, 10 ** rng.choice((1, 2, 3, 3, 4, 4, 5))))
    return number + (rng.choice("ABCab") if rng.random() < 0.05 else "")


def foreign_street(scene):
    """The street alone, in one of the languages."""
    rng, words = scene.rng, scene.words
    tongue = scene.language()
    if "streets." + tongue not in words.own:
        tongue = "german"
    form = words.pick(rng, "streets." + tongue)
    last = words.pick(rng, "people.%s_last" % tongue)
    return form.replace("*", last).replace("+", words.pick(rng, "people.%s_town" % tongue))


# ---- organizations

def a_word(scene):
    return titled(scene.words.draw(scene.rng, "word"))


def organization(scene):
    rng = scene.rng
    dice = rng.random()
    a, b = surname(scene), plain_surname(scene)
    end = scene.words.pick(rng, "closed.company")
    if dice < 0.12:
        name = a.split("-")[0] + "-" + b
    elif dice < 0.20:
        name = "%s, %s and %s" % (a, b, plain_surname(scene))
    elif dice < 0.32:
        name = a + rng.choice((" ", " ", ", ")) + end
    elif dice < 0.37:
        name = a + rng.choice((" and Sons", " & Sons", " Bros.", " Brothers", " and Daughters", " & " + b))
    elif dice < 0.50:
        name = brand(scene)
    elif dice < 0.56:
        inner = scene.words.pick(rng, "organizations.brand") if rng.random() < 0.6 else a_word(scene)
        name = scene.words.pick(rng, "organizations.phrase").replace("*", inner)
    elif dice < 0.61:
        name = scene.words.pick(rng, "organizations.plain")
    elif dice < 0.71:
        name = scene.words.pick(rng, "organizations.known")
    elif dice < 0.88:
        field = scene.words.pick(rng, "organizations.field")
        name = rng.choice((a, b, town(scene), a_word(scene), scene.words.pick(rng, "closed.hill")))
        name += " " + field
    else:
        name = titled(scene.words.draw(rng, "university")) if rng.random() < 0.3 else \
            scene.words.pick(rng, "organizations.agency").replace("*", town(scene))
    return name


def brand(scene):
    """Two words or one made of two, or coined: Solar Ledger, Brightpath, Data Harbor Labs, Ledgerix."""
    rng, words = scene.rng, scene.words
    a, b = words.pick(rng, "organizations.brand"), words.pick(rng, "organizations.brand")
    coined = rng.choice((a, a, a_word(scene))).rstrip("aeiouy") + words.pick(rng, "organizations.coined")
    name = rng.choice((a + " " + b, a + b.lower(), a + b, a + b.lower(), a + "-" + b, a + " " + b, coined, coined))
    return name + (" " + words.pick(rng, "closed.company") if rng.random() < 0.25 else "")


def hospital(scene):
    rng, words = scene.rng, scene.words
    end = words.pick(rng, "closed.hospital_end")
    if rng.random() < 0.22:
        place = rng.choice((town(scene), words.pick(rng, "closed.hill"), plain_surname(scene),
                            a_word(scene) + " " + words.pick(rng, "closed.feature"),
                            plain_surname(scene) + " " + words.pick(rng, "closed.feature")))
        return place + " " + words.pick(rng, "closed.practice_end")
    dice = rng.random()
    if dice < 0.18:
        first = first_name(scene, rng.choice("fm"))
        return rng.choice(("St. %s's %s", "Saint %s %s", "St. %s %s", "St %s's %s")) % (first, end)
    if dice < 0.40:
        return words.pick(rng, "closed.hospital_name") + " " + end
    if dice < 0.58:
        return plain_surname(scene) + " " + end
    if dice < 0.76:
        return town(scene) + " " + end
    if dice < 0.84:
        return "Mount " + rng.choice((plain_surname(scene), words.pick(rng, "closed.hospital_name"))) + " " + end
    if dice < 0.92:
        return "%s and %s %s" % (plain_surname(scene), plain_surname(scene), end)
    return words.pick(rng, "organizations.hospital")


# ---- numbers

def a_day(scene):
    return datetime.date(1930, 1, 1) + datetime.timedelta(days=scene.rng.randrange(35000))


def date(scene):
    """A day in one of many written forms."""
    day, rng = a_day(scene), scene.rng
    month = MONTHS[day.month - 1]
    form = scene.words.pick(rng, "closed.date")
    values = {"M": month, "b": month[:3], "m": str(day.month), "mm": "%02d" % day.month, "d": str(day.day),
              "dd": "%02d" % day.day, "Y": str(day.year), "y": "%02d" % (day.year % 100),
              "w": day.strftime("%A"), "a": day.strftime("%a"),
              "o": ordinal(day.day)}
    text = "".join(values.get(part, part.replace("_", ",")) for part in form.split("~"))
    return [(text, "DATE")]


def year(scene):
    return [(str(scene.rng.randrange(1940, 2026)), "DATE")]


def month_year(scene):
    rng = scene.rng
    return [(rng.choice(MONTHS) + rng.choice((" ", " of ", ", ")) + str(rng.randrange(1950, 2026)), "DATE")]


def age(scene):
    return [(str(scene.rng.randrange(1, 100)), "AGE")]


def phone(scene):
    text = digits(scene, scene.words.pick(scene.rng, "closed.phone"))
    return [(text, "PHONE")]


def email(scene):
    rng = scene.rng
    a, b = (plain(first_name(scene, rng.choice("fm"))), plain(plain_surname(scene)))
    user = rng.choice((a + "." + b, a[:1] + b, a + b, b + a[:1], a + str(rng.randrange(100)), a + "_" + b, b))
    return [(user + "@" + host(scene), "EMAIL")]


def plain(text):
    return "".join(c for c in text.lower() if c.isascii() and c.isalnum()) or "info"


def host(scene):
    rng = scene.rng
    if rng.random() < 0.45:
        return scene.words.pick(rng, "closed.mail")
    return plain(rng.choice((plain_surname(scene), brand(scene)))) + scene.words.pick(rng, "closed.domain")


def url(scene):
    rng = scene.rng
    if rng.random() < 0.3:
        letters = "".join(rng.choice("abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ0123456789") for _ in range(9))
        return [(rng.choice(("http://t.co/", "https://t.co/", "http://bit.ly/", "https://youtu.be/")) + letters, "URL")]
    text = rng.choice(("https://www.", "http://", "www.", "https://")) + host(scene)
    return [(text + rng.choice(("", "/", "/contact", "/p/" + digits(scene, "####"), "/a/" + digits(scene, "@#@##"))),
             "URL")]


def card(scene):
    number = scene.rng.choice(("4", "51", "55", "37", "6011"))
    number += digits(scene, "#" * ((14 if number == "37" else 15) - len(number)))
    total = 0
    for i, digit in enumerate(reversed(number)):
        value = int(digit) * (2 if i % 2 == 0 else 1)
        total += value - 9 if value > 9 else value
    number += str(-total % 10)
    if scene.rng.random() < 0.4 and len(number) == 16:
        number = scene.rng.choice((" ", "-")).join(number[i:i + 4] for i in range(0, 16, 4))
    return [(number, "CARD")]


def iban(scene):
    land, length = scene.rng.choice((("DE", 18), ("GB", 18), ("NL", 14), ("FR", 23), ("ES", 20), ("CH", 17)))
    body = digits(scene, "@@@@" if land in ("GB", "NL") else "")
    body += digits(scene, "#" * (length - len(body)))
    value = int("".join(str(int(c, 36)) for c in body + land + "00"))
    text = "%s%02d%s" % (land, 98 - value % 97, body)
    if scene.rng.random() < 0.4:
        text = " ".join(text[i:i + 4] for i in range(0, len(text), 4))
    return [(text, "IBAN")]


def ip(scene):
    return [(".".join(str(scene.rng.randrange(1, 255)) for _ in range(4)), "IP")]


def number(low, high):
    return lambda scene: [(str(scene.rng.randint(low, high)), None)]


def decimal(scene):
    return [("%d.%d" % (scene.rng.randrange(0, 40), scene.rng.randrange(10)), None)]


def clock(scene):
    rng = scene.rng
    hour, minute = rng.randrange(24), rng.choice((0, 5, 10, 15, 20, 30, 40, 45, 50))
    noon = "am" if hour < 12 else "pm"
    return [(rng.choice(("%02d%02d" % (hour, minute), "%d:%02d" % (hour, minute),
                         "%d:%02d %s" % (hour % 12 or 12, minute, noon), "%d %s" % (hour % 12 or 12, noon),
                         "%02d:%02d" % (hour, minute))), None)]


def heading(scene):
    """Plain words with capitals, as titles have them: they are not names."""
    rng = scene.rng
    words = [scene.words.draw(rng, rng.choice(("word", "word", "verb", "medical"))) for _ in range(rng.randint(1, 4))]
    return [(" ".join(capital(w) for w in words), None)]


SLOTS = {
    "city": lambda s: [(town(s), "PLACE")], "town": lambda s: [(titled(s.words.draw(s.rng, "city")), "PLACE")],
    "locality": locality, "state": state, "st": state_code, "zip": zip_code, "country": country,
    "region": of_list("PLACE", "organizations.region"),
    "street_name": lambda s: [(street_name(s), "STREET")], "unit": lambda s: [(unit(s), "STREET")],
    "house": lambda s: [(house(s), "STREET")], "foreign_street": lambda s: [(foreign_street(s), "STREET")],
    "foreign_town": lambda s: [(s.words.pick(s.rng, "people.%s_town" % s.language()), "PLACE")],
    "foreign_zip": of_forms("PLACE", "closed.foreign_zip"), "uk_zip": of_forms("PLACE", "closed.uk_zip"),
    "street": lambda s: [(house(s) + " " + street_name(s) + (s.rng.choice((" ", ", ")) + unit(s)
                                                             if s.rng.random() < 0.3 else ""), "STREET")],
    "org": lambda s: [(organization(s), "ORGANIZATION")], "brand": lambda s: [(brand(s), "ORGANIZATION")],
    "hospital": lambda s: [(hospital(s), "ORGANIZATION")],
    "hospital_short": of_list("ORGANIZATION", "organizations.hospital_short"),
    "insurer": of_list("ORGANIZATION", "closed.insurer"), "team": of_list("ORGANIZATION", "organizations.team"),
    "school": lambda s: [(s.words.pick(s.rng, "organizations.school").replace(
        "*", s.rng.choice((plain_surname, town))(s)), "ORGANIZATION")],
    "paper": of_list("ORGANIZATION", "organizations.paper"),
    "first": lambda s: [(first_name(s, s.rng.choice("fm")), "PERSON")],
    "last": lambda s: [(surname(s), "PERSON")],
    "person": lambda s: s.fresh().part("full"), "any_person": lambda s: s.fresh().part(None),
    "nick": lambda s: [(s.fresh().nick, "PERSON")],
    "date": date, "year": year, "month_year": month_year, "age": age, "phone": phone, "email": email, "url": url,
    "card": card, "iban": iban, "ip": ip, "ssn": of_forms("SSN", "closed.ssn"), "id": of_forms("ID", "closed.id"),
    "mrn": of_forms("ID", "closed.mrn"), "policy": of_forms("ID", "closed.policy"),
    "n": number(2, 9), "nn": number(10, 99), "nnn": number(100, 400), "dec": decimal, "time": clock,
    "dose": number(1, 60), "heading": heading,
    "drug": of_lexicon(None, "drug"), "disease": of_lexicon(None, "disease"), "body": of_lexicon(None, "body"),
    "medical": of_lexicon(None, "medical"), "job": of_lexicon(None, "occupation"), "word": of_lexicon(None, "word"),
    "verb": of_lexicon(None, "verb"), "nationality": of_lexicon(None, "nationality", titled),
    "eponym_any": of_lexicon(None, "eponym", titled),
    "eponym": of_list(None, "clean.eponym"), "illness": of_list(None, "clean.illness"),
    "drug_often": of_list(None, "clean.drug"), "dish": of_list(None, "clean.dish"),
    "thing": of_list(None, "clean.thing"), "good": of_list(None, "clean.good"),
    "occupation": of_list(None, "clean.occupation"), "song": of_list(None, "clean.song"),
    "handle": lambda s: [(plain(first_name(s, s.rng.choice("fm"))) + digits(s, s.rng.choice(("", "##", "_##"))),
                          "PERSON")],
    "typist": lambda s: [("".join(s.rng.choice("abcdefghjklmnprstw") for _ in range(s.rng.choice((2, 2, 3)))), None)],
}
