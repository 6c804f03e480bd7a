"""people.py - persons as documents name them.

A person has a first name, a middle one, a surname and a short form, of the United States in most cases, of one of the
languages in lists/people.txt otherwise, of letters alone now and then, and sometimes of words that are words as well.
"""
from vocabulary import capital

KIN = {"f": "mother wife daughter sister aunt grandmother niece girlfriend".split(),
       "m": "father husband son brother uncle grandfather nephew boyfriend".split()}


def first_name(scene, sex):
    rng, words = scene.rng, scene.words
    dice = rng.random()
    if dice < 0.16:
        return words.pick(rng, "both.first_" + sex)
    if dice < 0.19:
        return capital(scene.made_first.draw(rng))
    if dice < 0.22:
        return words.pick(rng, "people.%s_%s" % (scene.language(), sex))
    return capital(words.draw(rng, "female" if sex == "f" else "male"))


def plain_surname(scene):
    rng, words = scene.rng, scene.words
    dice = rng.random()
    if dice < 0.15:
        return words.pick(rng, "both.surname")
    if dice < 0.17:
        return capital(words.draw(rng, "word"))
    if dice < 0.21:
        return capital(scene.made_last.draw(rng))
    if dice < 0.28:
        return words.pick(rng, "people.%s_last" % scene.language())
    if dice < 0.31:
        return capital(words.draw(rng, "female" if rng.random() < .5 else "male"))
    if dice < 0.33:
        return rng.choice(("O'", "O'", "Mc", "Mac", "D'", "Fitz")) + capital(scene.made_last.draw(rng))
    return capital(words.draw(rng, "surname"))


def surname(scene):
    rng = scene.rng
    dice = rng.random()
    if dice < 0.05:
        return plain_surname(scene) + "-" + plain_surname(scene)
    if dice < 0.07:
        return rng.choice(scene.words.own["closed.particle"]) + " " + plain_surname(scene)
    return plain_surname(scene)


class Person:
    def __init__(self, scene, family=None):
        rng, words = scene.rng, scene.words
        self.scene = scene
        self.sex = rng.choice("fm")
        if rng.random() < 0.22:
            tongue = scene.language()
            self.first = words.pick(rng, "people.%s_%s" % (tongue, self.sex))
            self.last = words.pick(rng, "people.%s_last" % tongue)
            if tongue in ("spanish", "portuguese") and rng.random() < 0.35:
                self.last += rng.choice((" ", "-", " y ")) + words.pick(rng, "people.%s_last" % tongue)
        else:
            self.first = first_name(scene, self.sex)
            self.last = surname(scene)
            if rng.random() < 0.02:
                self.first += rng.choice((" ", "-")) + first_name(scene, self.sex)
        if family and rng.random() < 0.7:
            self.last = family.last
        self.middle = first_name(scene, self.sex)
        self.letter = rng.choice("AABCDDEEFGHJJKLLMMNPRRSTTVWW")
        short = words.nicknames.get(self.first.lower())
        self.nick = capital(rng.choice(short)) if short else self.made_nick()
        self.written = rng.choice(("first last", "first last", "first last", "first m last", "first m last",
                                   "first middle last", "f last", "f m last"))
        self.whole = self.form(self.written)
        if rng.random() < 0.03:
            self.whole += rng.choice((" Jr.", ", Jr.", " III", " Sr.", " II"))

    def made_nick(self):
        rng, words = self.scene.rng, self.scene.words
        if rng.random() < 0.5:
            return words.pick(rng, "both.nick")
        stem = self.first.split(" ")[0][:rng.choice((3, 4))].rstrip("aeiouy-'")
        return (stem or self.first) + rng.choice(("y", "ie", "", "o", "i"))

    def form(self, written):
        parts = {"first": self.first, "middle": self.middle, "last": self.last, "m": self.letter + ".",
                 "f": self.first[:1] + "."}
        return " ".join(parts[p] for p in written.split(" "))

    def title(self):
        many = ("Mr.", "Mr.", "Mr", "Mister") if self.sex == "m" else ("Mrs.", "Ms.", "Miss", "Ms", "Mrs")
        return self.scene.rng.choice(many)

    def typo(self):
        """The surname with one letter wrong, as in a salutation typed in a hurry."""
        rng, name = self.scene.rng, self.last
        if len(name) < 4:
            return name
        at = rng.randrange(1, len(name) - 1)
        return rng.choice((name[:at] + rng.choice("aeiourst") + name[at + 1:], name[:at] + name[at + 1:],
                           name[:at] + name[at + 1] + name[at] + name[at + 2:]))

    def anyhow(self):
        """As a sentence may name somebody: with a title or not, whole or in part."""
        form = self.scene.rng.choice(("first", "first", "title", "title", "full", None, "nick", "fl"))
        if form == "title":
            return [(self.title() + " ", None), (self.last, "PERSON")]
        return self.part(form)

    def part(self, name):
        """Pieces of one written form: see PARTS and WORDS."""
        if name in WORDS:
            return [(WORDS[name][self.sex == "m"], None)]
        if name == "any":
            return self.anyhow()
        if name == "title":
            return [(self.title(), None)]
        if name == "kin":
            return [(self.scene.rng.choice(KIN[self.sex]), None)]
        return [(PARTS[name](self), "PERSON")]


PARTS = {
    None: lambda p: p.whole,
    "full": lambda p: p.form("first last"),
    "first": lambda p: p.first,
    "middle": lambda p: p.middle,
    "last": lambda p: p.last,
    "typo": lambda p: p.typo(),
    "nick": lambda p: p.nick,
    "fml": lambda p: p.form("first m last"),
    "long": lambda p: p.form("first middle last"),
    "fl": lambda p: p.form("f last"),
    "fmi": lambda p: p.form("f m last"),
    "lf": lambda p: p.last + ", " + p.first,
    "lfm": lambda p: p.last + ", " + p.form("first m"),
    "lfu": lambda p: (p.last + ", " + p.first).upper(),
    "ls": lambda p: p.last + " " + p.first,
    "li": lambda p: p.last + " " + p.first[:1],
    "fi": lambda p: p.first + " " + p.last[:1] + ".",
    "initials": lambda p: p.first[:1].upper() + p.last[:1].upper(),
    "three": lambda p: p.first[:1].upper() + p.letter + p.last[:1].upper(),
    "dotted": lambda p: p.first[:1].upper() + "." + p.last[:1].upper() + ".",
    "firstu": lambda p: p.first.upper(),
    "lastu": lambda p: p.last.upper(),
    "firstl": lambda p: p.first.lower(),
    "lastl": lambda p: p.last.lower(),
    "lower": lambda p: p.form("first last").lower(),
}
WORDS = {  # a woman's, a man's
    "he": ("she", "he"), "ce": ("She", "He"), "his": ("her", "his"), "cis": ("Her", "His"), "him": ("her", "him"),
    "man": ("woman", "man"), "boy": ("girl", "boy"), "gentleman": ("lady", "gentleman"), "male": ("female", "male"),
    "sex": ("F", "M"), "self": ("herself", "himself"), "son": ("daughter", "son"),
}
