/*
 * words.c - what a word counts for among the facts of a text: nothing (small words), more
 * or less by how common it is in English (the lexicon's weights), and more where it is of a
 * list that tells of people: occupations, kin, diseases, nationalities, and of things that
 * happen to few or that newspapers write about (section 9.5: "she may be in the news").
 *
 * Cost: a probe of a small table a word; the lexicon was asked when the text was read.
 */
#include <string.h>

#include "text/rare/rare.h"

/* Parted by blanks, in the order of the alphabet. */
static const char stop_words[] =
    "a about above across after again against ago all almost along already also although always "
    "am among an and another any anything are around as at away back be became because been "
    "before being below better between both but by can cannot came come could currently day days "
    "dear did didn't do does doesn't doing don't done dob down dr due during each either else "
    "enough "
    "etc even ever every far few followed following for from further gave get give given go goes "
    "going good got had has have having he her here hers herself him himself his how however i "
    "i'm if in into is isn't it its itself just know known last later least less let like made "
    "make makes many may md me might month months more most mr mrs ms much must my myself near "
    "need never "
    "next no none nor normal not nothing now of off often on once only onto or other others our "
    "ours out over own past per perhaps please quite rather re really recent recently regards "
    "same say says see seeing seem seen several shall she should since sincerely so some "
    "something still such sure take taken than thank thanks that the their them then there "
    "therefore these they this those though through thus time times to today together too took "
    "toward towards under until up upon us use used using usual usually very via was wasn't way "
    "we week weeks well went were what when where whether which while who whom whose why will "
    "with within without would year years yes yesterday yet you your yours";

static const char event_words[] =
    "abandoned abducted abduction abuse abused accident adopted adoption alcoholic amputated "
    "amputation arrest arrested arson arsonist assault assaulted attacked award awarded bankrupt "
    "bankruptcy battered beaten bombing bullied burglary burned celebrity champion championship "
    "cocaine combat convicted conviction court crash crashed crime criminal cult custody deported "
    "deportation detained died disaster divorce divorced drowned drowning earthquake embezzled "
    "escaped evicted eviction executed exile exiled expelled explosion famous felony fire fled "
    "flood foster fraud gang genocide gun gunshot hanged heroin hijacked homeless hostage "
    "hurricane imprisoned incest indicted inheritance inherited inmate jail jailed kidnapped "
    "kidnapping killed killing knife lawsuit lottery massacre miscarriage molested mugged murder "
    "murdered murderer newspaper olympic olympics orphan orphanage orphaned overdose overdosed "
    "pardoned parole poisoned police prison prisoner prize probation prosecuted prostitute "
    "prostitution quadruplets rape raped refugee rehab rescued riot robbed robbery runaway scandal "
    "sentenced shelter shooting smuggled stabbed stabbing stole stolen strangled sued suicidal "
    "suicide surrogate survivor terrorist theft tornado torture tortured trafficked triplets twin "
    "twins veteran victim violence violent war warrant widow widowed widower witness witnessed";

static const char number_words[] = "one two three four five six seven eight nine ten eleven twelve "
                                   "thirteen fourteen fifteen sixteen seventeen eighteen nineteen "
                                   "twenty thirty forty fifty sixty seventy eighty ninety";

static const char age_words[] = "age aged";

static size_t slot_of(const tacit__rare_words *words, uint64_t key)
{
    size_t at = key % TACIT__RARE_SLOTS;
    while (words->keys[at] != 0 && words->keys[at] != key)
        at = (at + 1) % TACIT__RARE_SLOTS;
    return at;
}

static void add_words(tacit__rare_words *words, const char *list, tacit__rare_class class)
{
    for (size_t len; *list; list += len + (list[len] == ' ')) {
        len = strcspn(list, " ");
        uint64_t key = tacit__word_key((tacit_strview){.bytes = list, .len = len});
        size_t at = slot_of(words, key);
        words->keys[at] = key;
        words->classes[at] = (uint8_t) class;
    }
}

void tacit__rare_words_init(tacit__rare_words *words)
{
    memset(words, 0, sizeof *words);
    add_words(words, stop_words, TACIT__RARE_STOP);
    add_words(words, event_words, TACIT__RARE_EVENT);
    add_words(words, number_words, TACIT__RARE_NUMBER);
    add_words(words, age_words, TACIT__RARE_AGE);
}

tacit__rare_class tacit__rare_class_of(const tacit__rare_words *words, uint64_t key)
{
    size_t at = slot_of(words, key);
    return words->keys[at] ? words->classes[at] : TACIT__RARE_PLAIN;
}

/* Depends on the word alone, not on where it stands. */
static tacit_rare_kind kind_of(const tacit__lexicon_entry *entry)
{
    static const struct {
        tacit_rare_kind kind;
        uint32_t lists;
    } order[] = {
        {TACIT_RARE_OCCUPATION, TACIT__LIST_BIT(TACIT__LIST_OCCUPATION)},
        {TACIT_RARE_KIN, TACIT__LIST_BIT(TACIT__LIST_KIN)},
        {TACIT_RARE_DISEASE, TACIT__LIST_BIT(TACIT__LIST_DISEASE)},
        {TACIT_RARE_WORD, TACIT__LIST_BIT(TACIT__LIST_DRUG) | TACIT__LIST_BIT(TACIT__LIST_BODY) |
                              TACIT__LIST_BIT(TACIT__LIST_MEDICAL) |
                              TACIT__LIST_BIT(TACIT__LIST_EPONYM)},
        {TACIT_RARE_PLACE,
         TACIT__LIST_BIT(TACIT__LIST_NATIONALITY) | TACIT__LIST_BIT(TACIT__LIST_COUNTRY)},
        {TACIT_RARE_WORD, TACIT__LIST_BIT(TACIT__LIST_WORD)},
        {TACIT_RARE_NAME, TACIT__LIST_BIT(TACIT__LIST_FIRST) | TACIT__LIST_BIT(TACIT__LIST_NICK) |
                              TACIT__LIST_BIT(TACIT__LIST_SURNAME) |
                              TACIT__LIST_BIT(TACIT__LIST_CITY) |
                              TACIT__LIST_BIT(TACIT__LIST_PROPER)},
    };
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
        if (entry->lists & order[i].lists)
            return order[i].kind;
    return TACIT_RARE_WORD;
}

/* About log2 of how much rarer than the most common words, by the lexicon's weight; a word
 * that is in no list of words may be anything: a term, a slip of the pen, a name. */
static uint8_t bits_of(const tacit__lexicon_entry *entry)
{
    static const uint8_t bits[8] = {9, 12, 12, 10, 8, 6, 4, 1};
    return bits[entry->word & 7];
}

static bool counts(const tacit__word *word)
{
    return word->key != 0 && word->shape != TACIT__SHAPE_DIGITS &&
           word->shape != TACIT__SHAPE_BOTH && word->shape != TACIT__SHAPE_INITIAL &&
           word->end - word->start > 2;
}

tacit__rare_worth tacit__rare_worth_of(const tacit__rare_words *words,
                                       const tacit__document *document, const tacit__word *word)
{
    tacit__rare_class class = tacit__rare_class_of(words, word->key);
    if (!counts(word) || class == TACIT__RARE_STOP)
        return (tacit__rare_worth){.class = TACIT__RARE_STOP};
    tacit__lexicon_entry entry = word->entry;
    if (word->flags & TACIT__WORD_PHRASE) /* it has the phrase's lists, too */
        tacit__lexicon_find(&entry, tacit__word_text(document, word));
    tacit_rare_kind kind = class == TACIT__RARE_EVENT ? TACIT_RARE_EVENT : kind_of(&entry);
    return (tacit__rare_worth){
        .class = (uint8_t) class, .kind = (uint8_t)kind, .bits = bits_of(&entry)};
}

tacit_rare_kind tacit__rare_phrase_kind(tacit_strview phrase)
{
    tacit__lexicon_entry entry;
    return tacit__lexicon_find(&entry, phrase) ? kind_of(&entry) : TACIT_RARE_WORD;
}

int tacit__rare_factor(tacit_rare_kind kind)
{
    return kind == TACIT_RARE_WORD ? 1 : kind == TACIT_RARE_EVENT ? 3 : 2;
}

const char *tacit_rare_kind_name(tacit_rare_kind kind)
{
    static const char *const names[TACIT_RARE_KINDS] = {
        [TACIT_RARE_WORD] = "word",
        [TACIT_RARE_PLACE] = "place",
        [TACIT_RARE_DISEASE] = "disease",
        [TACIT_RARE_KIN] = "kin",
        [TACIT_RARE_OCCUPATION] = "occupation",
        [TACIT_RARE_NAME] = "name",
        [TACIT_RARE_EVENT] = "event",
    };
    return names[kind < TACIT_RARE_KINDS ? kind : TACIT_RARE_WORD];
}
