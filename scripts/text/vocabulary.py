"""vocabulary.py - the words that made-up documents are filled with.

Names, places and medical terms come from data/text/lexicon.lst (scripts/lexicons/make.py has its form), the rest from
data/text/lists. Every open list is cut in two by a checksum of the word: one word in four belongs to the part "test", the
others to "train", so that a model is tested with words that it was not trained with. Closed lists (states, countries,
months) are not cut. Reading takes about a second.
"""
import os
import re
import zlib

LISTS = ("first female male nickname surname city state state_code country nationality street place disease drug body "
         "medical occupation word verb proper eponym title kin organization hospital university month weekday "
         "opens").split()
WEIGHED = {"first": 1, "female": 1, "male": 1, "surname": 2, "word": 3, "verb": 3, "city": 4}
TAKEN = ("female male surname city state state_code country street disease drug body medical occupation word verb "
         "university nationality eponym place").split()
SMALL = {"of", "on", "the", "de", "la", "del", "and", "in", "upon", "at", "le", "y", "du", "des", "by", "for"}
# How often a name of each weight is drawn, the rarest first: rare ones more often than people bear them.
SHARES = (5, 6, 10, 13, 18, 22, 26)


def of_part(part, word):
    """Whether a word of an open list belongs to this part."""
    return part == "all" or (part == "test") == (zlib.crc32(word.lower().encode()) % 4 == 0)


def capital(word):
    """The word of a name as it is written: Mcdonald as McDonald, o'neill as O'Neill."""
    word = word[:1].upper() + word[1:]
    if re.match(r"(Mc|O')[a-z]{3}", word):
        word = word[:2] + word[2].upper() + word[3:]
    return word


def titled(phrase):
    """A phrase with the capitals of a place or an institution."""
    words = phrase.split(" ")
    return " ".join(w if i and w in SMALL else "-".join(capital(p) for p in w.split("-")) for i, w in enumerate(words))


def front_coded(lines):
    """(word, class) of each line: a character says how many letters are as before, capitals end it."""
    before = ""
    for line in lines:
        rest = line[1:].rstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        before = before[:ord(line[0]) - ord("!")] + rest
        number = 0
        for letter in line[1 + len(rest):]:
            number = number * 26 + ord(letter) - ord("A")
        yield before, number


def read_lexicon(path):
    """{list: [(word, weight)]}, {short form: [names]} and [zip codes with their state]."""
    with open(path, encoding="ascii") as file:
        lines = file.read().split("\n")
    count = int(lines[0].split()[1])
    classes = []
    for line in lines[1:count + 1]:
        fields = line.split()
        classes.append((int(fields[0], 16), [0] + [int(f) for f in fields[1:]]))
    at = count + 2
    end = at + int(lines[at - 1].split()[1])
    lists = {name: [] for name in TAKEN}
    bits = [(name, 1 << LISTS.index(name)) for name in TAKEN]
    for word, number in front_coded(lines[at:end]):
        mask, weights = classes[number]
        for name, bit in bits:
            if mask & bit:
                lists[name].append((word, weights[WEIGHED[name]] if name in WEIGHED else 0))
    return lists, read_nicknames(lines[end:]), read_zips(lines[end:])


def read_nicknames(lines):
    """{name: [short forms]}"""
    short = {}
    for line in lines[1:int(lines[0].split()[1]) + 1]:
        nick, *names = line.split()
        for name in names:
            short.setdefault(name, []).append(nick)
    return short


def read_zips(lines):
    """[(three digits, state)]"""
    at = next(i for i, line in enumerate(lines) if line.startswith("zips "))
    return [(line[:3], line[4:6]) for line in lines[at + 1:] if line and line[4] != "-"]


def read_lists(folder):
    """{"file.key": [items]} of the lists there: "key: item, item, ...", a line that starts with a space goes on."""
    found = {}
    for name in sorted(os.listdir(folder)):
        key = None
        with open(os.path.join(folder, name), encoding="utf-8") as lines:
            for line in lines:
                if line.startswith("#") or not line.strip():
                    continue
                if not line.startswith(" "):
                    head, line = line.split(":", 1)
                    key = name.rsplit(".", 1)[0] + "." + head.strip()
                found.setdefault(key, []).extend(w.strip() for w in line.split(",") if w.strip())
    return found


class Vocabulary:
    """The words of one part, to be drawn with a stream of random numbers."""

    def __init__(self, part, lexicon, folder):
        lists, self.nicknames, self.zips = read_lexicon(lexicon)
        closed = {"state", "state_code", "country", "street", "nationality"}
        self.lists, self.weighed = {}, {}
        for name, pairs in lists.items():
            pairs = [p for p in pairs if name in closed or of_part(part, p[0])]
            self.lists[name] = [p[0] for p in pairs]
            if name in WEIGHED:
                self.weighed[name] = [[w for w, weight in pairs if weight == k] for k in range(1, 8)]
        self.own = {}
        for key, items in read_lists(folder).items():
            kept = [i for i in items if of_part(part, i)] if key.split(".")[0] != "closed" else items
            self.own[key] = kept or items

    def draw(self, rng, name):
        """A word of a list of the lexicon, by weight where there are weights."""
        if name not in self.weighed:
            return rng.choice(self.lists[name])
        levels = self.weighed[name]
        level = rng.choices(range(7), SHARES)[0]
        while not levels[level]:
            level = rng.randrange(7)
        return rng.choice(levels[level])

    def pick(self, rng, key):
        """An item of one of the own lists."""
        return rng.choice(self.own[key])


class Letters:
    """Names that are in no list, drawn letter by letter: each after the three before it."""

    def __init__(self, names):
        self.after = {}
        for name in names:
            if not name.isalpha():
                continue
            text = "^^^" + name + "$"
            for i in range(3, len(text)):
                self.after.setdefault(text[i - 3:i], []).append(text[i])

    def draw(self, rng):
        while True:
            text = "^^^"
            while text[-1] != "$" and len(text) < 16:
                text += rng.choice(self.after[text[-3:]])
            if text[-1] == "$" and 4 <= len(text) - 4 <= 10:
                return text[3:-1]
