"""make.py PACKAGES OWN OUT - the word lists of data/text, as one sorted, front-coded file.

The file (data/text/lexicon.lst) is text, in four sections, each "NAME COUNT" and then COUNT lines:

  classes    lists in hexadecimal and four weights (first name, surname, word, city; 0 to 7): what a word can
             be, the most frequent class first
  words      sorted; a character that says how many bytes are as in the line before ('!' for none, '"' for
             one, ...), the rest of the word in lower case, and its class in capitals, base 26 with 'A' for 0
  nicknames  short form, then the names it stands for
  zips       three digits, state, and the codes in use under them: 100 bits in hexadecimal, 00 first

scripts/lexicons/make.sh runs this; src/text/lexicon/lexicon.h has the lists in the same order as LISTS.
"""
import bisect
import collections
import re
import sys
import unicodedata

import sources

LISTS = ("first female male nickname surname city state state_code country nationality street place disease drug body "
         "medical occupation word verb proper eponym title kin organization hospital university month weekday "
         "brand opens").split()
BIT = {name: 1 << i for i, name in enumerate(LISTS)}
WEIGHED = ("first", "surname", "word", "city")
LONGEST = 64        # bytes of a key; src/text/lexicon/fold.h has the same
WORDS_OF_PHRASE = 6

# A weight is the number of these that a count reaches; of a rank, those that it does not exceed.
BABIES = (1, 20, 100, 1000, 10000, 100000, 1000000)
RANKS = (100, 1000, 5000, 15000, 35000, 60000, 1000000)
CODES = (1, 2, 5, 15, 40, 100, 200)  # zip codes of a place
PEOPLE = (0, 2000, 10000, 50000, 200000, 1000000, 5000000)
LEVELS = {10: 7, 20: 6, 35: 5, 40: 4, 50: 3, 55: 3, 60: 2, 70: 1}
# Places of these countries are taken whole, of others the large ones.
ENGLISH = {"US", "GB", "CA", "IE", "AU", "NZ"}
LARGE = 100000

SPECIAL = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ß": "ss", "æ": "ae", "œ": "oe",
                         "ı": "i", "ħ": "h", "’": "'", "‘": "'", "ʻ": "'", "–": "-"})


def fold(text):
    """As src/text/lexicon/fold.c does: lower case, no accents, single spaces."""
    plain = unicodedata.normalize("NFKD", text.lower().translate(SPECIAL))
    return " ".join("".join(c for c in plain if not unicodedata.combining(c)).split())


class Lexicon:
    def __init__(self):
        self.lists = collections.defaultdict(int)
        self.weights = collections.defaultdict(lambda: [0, 0, 0, 0])

    def add(self, name, text, weight=0):
        key = fold(text)
        if not re.fullmatch(r"[a-z0-9&][a-z0-9 '.&/-]*", key) or len(key) > LONGEST:
            return
        if len(key.split()) > WORDS_OF_PHRASE:
            return
        self.lists[key] |= BIT[name]
        if name in WEIGHED:
            at = WEIGHED.index(name)
            self.weights[key][at] = max(self.weights[key][at], weight)
        words = key.split()
        for count in range(1, len(words)):
            self.lists[" ".join(words[:count])] |= BIT["opens"]

    def add_all(self, name, texts):
        for text in texts:
            self.add(name, text)


def own(path):
    """Lines of a list of our own without comments, as lists of parts between colons, of words between commas."""
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            if not line.startswith("#") and line.strip():
                yield [[word.strip() for word in part.split(",") if word.strip()] for part in line.split(":")]


def own_words(folder, name):
    return [word for line in own("%s/%s.txt" % (folder, name)) for word in line[0]]


def add_people(lexicon, packages, folder):
    for name, (girls, boys) in sources.first_names(packages).items():
        lexicon.add("first", name, bisect.bisect_right(BABIES, girls + boys))
        for sex, count in (("female", girls), ("male", boys)):
            if count * 10 > girls + boys:
                lexicon.add(sex, name)
    for rank, name in enumerate(sources.surnames(packages), 1):
        lexicon.add("surname", name, 7 - bisect.bisect_left(RANKS, rank))
    nicknames = collections.defaultdict(list)
    for (formal,), short in own(folder + "/nicknames.txt"):
        for name in map(fold, short):
            if fold(formal) not in nicknames[name] and name != fold(formal):
                nicknames[name].append(fold(formal))
    lexicon.add_all("nickname", nicknames)
    lexicon.add_all("title", own_words(folder, "titles"))
    lexicon.add_all("kin", own_words(folder, "kin"))
    return nicknames


def add_places(lexicon, packages, folder):
    for name, country, people in sources.cities(packages):
        if country in ENGLISH or people >= LARGE:
            lexicon.add("city", name, bisect.bisect_right(PEOPLE, people))
    codes = collections.Counter((place, state) for _, place, state in sources.zips(packages))
    for (place, _), count in codes.items():
        lexicon.add("city", place, bisect.bisect_right(CODES, count))
    for names in own(folder + "/states.txt"):
        lexicon.add("state", names[0][0])
        lexicon.add_all("state_code", names[0][1:])
    for line in own(folder + "/countries.txt"):
        lexicon.add_all("country", line[0])
        lexicon.add_all("nationality", [w + s for w in (line[1] if len(line) > 1 else []) for s in ("", "s")])
    lexicon.add_all("street", sources.street_types(packages))
    lexicon.add_all("organization", own_words(folder, "organizations"))
    lexicon.add_all("hospital", own_words(folder, "hospitals"))
    lexicon.add_all("university", sources.universities(packages, ENGLISH))
    lexicon.add_all("brand", own_words(folder, "brands"))


def add_words(lexicon, packages):
    known = set()
    for word, level in sources.scowl(packages, ("words", "contractions"), sorted(LEVELS)):
        if not word.endswith("'s"):
            known.add(word)
            lexicon.add("word", word, LEVELS[level])
    for word, _ in sources.scowl(packages, ("upper", "proper-names"), sorted(LEVELS)):
        if not word.endswith("'s"):
            lexicon.add("proper", word)
    return known


def inflected(verb, known):
    """Regular forms of a verb that the word lists have."""
    stem = verb[:-1] if verb.endswith("e") else verb
    forms = {verb, verb + "s", verb + "es", stem + "ed", stem + "ing",
             verb + verb[-1] + "ed", verb + verb[-1] + "ing"}
    if verb.endswith("y"):
        forms |= {verb[:-1] + "ies", verb[:-1] + "ied"}
    return (forms & known) | {verb}


def add_nouns(lexicon, packages, folder, known):
    net = sources.WordNet(packages)
    diseases = net.under({"ill health", "disorder", "symptom", "injury", "pathology", "mental disorder"}, {"26"})
    lexicon.add_all("disease", diseases)
    drugs = net.under({"drug", "medicine", "vaccine", "hormone", "antibiotic"}, {"06", "27", "08"})
    lexicon.add_all("drug", drugs - net.under({"alcohol", "tobacco"}, {"13", "06", "20"}))
    lexicon.add_all("drug", own_words(folder, "drugs"))
    lexicon.add_all("body", net.of_file("08", False))
    lexicon.add_all("medical", net.under({"medical procedure", "medical care", "medical instrument", "medical science",
                                          "microorganism", "enzyme", "protein"}, {"04", "06", "09", "05", "27"}))
    lexicon.add_all("medical", own_words(folder, "medical"))
    lexicon.add_all("occupation", net.under({"worker", "professional", "leader", "expert", "creator", "entertainer",
                                             "serviceman", "scientist", "athlete"}, {"18"}))
    lexicon.add_all("place", net.of_file("15", True) | net.of_file("17", True))
    for verb in net.verbs():
        lexicon.add_all("verb", inflected(verb, known))
    for name in own_words(folder, "eponyms"):
        lexicon.add_all("eponym", (name, name + "'s", name + "s"))


def add_calendar(lexicon, folder):
    for (kind,), names in own(folder + "/calendar.txt"):
        lexicon.add_all(kind, names)


def zip_lines(packages):
    codes, states = collections.defaultdict(int), collections.defaultdict(collections.Counter)
    for code, _, state in sources.zips(packages):
        codes[code[:3]] |= 1 << (99 - int(code[3:]))
        states[code[:3]][state] += 1
    return ["%s %s %025x" % (prefix, min(states[prefix], key=lambda s: (-states[prefix][s], s)) or "--", codes[prefix])
            for prefix in sorted(codes)]


def capitals(number):
    text = chr(65 + number % 26)
    while number >= 26:
        number //= 26
        text = chr(65 + number % 26) + text
    return text


def coded(keys, class_of):
    """Front coding of sorted keys."""
    before = ""
    for key in keys:
        shared = 0
        while shared < min(len(key), len(before), 90) and key[shared] == before[shared]:
            shared += 1
        yield chr(33 + shared) + key[shared:] + capitals(class_of[key])
        before = key


def main(packages, folder, out):
    lexicon = Lexicon()
    nicknames = add_people(lexicon, packages, folder)
    add_places(lexicon, packages, folder)
    known = add_words(lexicon, packages)
    add_nouns(lexicon, packages, folder, known)
    add_calendar(lexicon, folder)

    entries = {key: (lists,) + tuple(lexicon.weights[key]) for key, lists in lexicon.lists.items()}
    frequency = collections.Counter(entries.values())
    classes = sorted(frequency, key=lambda entry: (-frequency[entry], entry))
    number = {entry: i for i, entry in enumerate(classes)}
    sections = (("classes", ["%x %d %d %d %d" % entry for entry in classes]),
                ("words", list(coded(sorted(entries), {key: number[entry] for key, entry in entries.items()}))),
                ("nicknames", [name + " " + " ".join(nicknames[name]) for name in sorted(nicknames)]),
                ("zips", zip_lines(packages)))
    with open(out, "w", encoding="ascii", newline="\n") as file:
        for name, lines in sections:
            file.write("%s %d\n" % (name, len(lines)) + "".join(line + "\n" for line in lines))
    for name in LISTS:
        print("%-13s %7d" % (name, sum(1 for entry in entries.values() if entry[0] & BIT[name])))
    print("%-13s %7d, %d classes" % ("all", len(entries), len(classes)))


if __name__ == "__main__":
    main(*sys.argv[1:])
