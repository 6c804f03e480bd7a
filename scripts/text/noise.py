"""noise.py - what befalls text after it is written: capitals, lower case, typing mistakes, odd spaces, no accents.

Each takes pieces (text, label) and gives pieces, so that a span moves with its text.
"""
import re
import unicodedata


def upper(pieces, rng):
    return [(text.upper(), label) for text, label in pieces]


def lower(pieces, rng):
    return [(text.lower(), label) for text, label in pieces]


def bare(text):
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


def no_accents(pieces, rng):
    return [(bare(text), label) for text, label in pieces]


def mistake(word, rng):
    """One letter gone, doubled, swapped with the next or another one."""
    at = rng.randrange(1, len(word) - 1)
    return rng.choice((word[:at] + word[at + 1:], word[:at] + word[at] + word[at:],
                       word[:at] + word[at + 1] + word[at] + word[at + 2:],
                       word[:at] + rng.choice("abcdefghiklmnoprstu") + word[at + 1:]))


def typos(pieces, rng):
    """One word in thirty is mistyped."""
    def change(match):
        return mistake(match.group(), rng) if rng.random() < 0.033 else match.group()
    return [(re.sub(r"[A-Za-z]{4,}", change, text) if label in (None, "PERSON", "PLACE", "ORGANIZATION") else text,
             label) for text, label in pieces]


def spaces(pieces, rng):
    """Double spaces between sentences, new lines within them, as mail programs break lines."""
    if rng.random() < 0.5:
        return [(re.sub(r"\. (?=[A-Z])", ".  ", text) if label is None else text, label) for text, label in pieces]
    return [(re.sub(r" ", lambda m: "\n" if rng.random() < 0.05 else " ", text) if label is None else text, label)
            for text, label in pieces]


CHANGES = {"upper": upper, "lower": lower, "bare": no_accents, "typos": typos, "spaces": spaces}
