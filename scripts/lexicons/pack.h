/*
 * pack.h - the parts of the program that turns data/text/lexicon.lst into the tables of
 * src/text/lexicon/tables.h while tacit is built. It is no part of the library: what is wrong with
 * the list ends it with a message.
 */
#ifndef TACIT_SCRIPTS_PACK_H
#define TACIT_SCRIPTS_PACK_H

#include <stdio.h>

#include "text/lexicon/fold.h"
#include "text/lexicon/keys.h"
#include "text/lexicon/tables.h"

typedef struct pack_word {
    tacit__hash128 hash;
    uint32_t class_number;
    uint8_t len;
    char bytes[TACIT__FOLDED_MAX];
} pack_word;

/* lexicon.lst in memory. */
typedef struct pack_list {
    tacit__lexicon_entry *classes;
    pack_word *words;
    size_t class_count, word_count, nickname_count;
    uint32_t *nicknames; /* offsets, one more than there are */
    char *names;
    tacit__zip_prefix *zips; /* 1000 */
} pack_list;

_Noreturn void pack_fail(const char *what);
void *pack_alloc(size_t count, size_t size); /* zeroed */

void pack_read(pack_list *list, FILE *file);

/* Cells of which three say each word's class; sets the seed with which that came out and the
 * size of a third. */
uint16_t *pack_map(uint64_t *seed, uint64_t *part, const pack_list *list);

/* TACIT__PAIR_WORDS numbers. */
uint64_t *pack_pairs(const pack_list *list);

/* TACIT__LETTERS_TABLE costs. */
tacit__letter_cost *pack_letters(const pack_list *list);

#endif
