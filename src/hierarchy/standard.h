/*
 * standard.h - the hierarchies of classifications that ship with the library: what a code
 * generalizes to, whatever column it is in.
 */
#ifndef TACIT_SRC_HIERARCHY_STANDARD_H
#define TACIT_SRC_HIERARCHY_STANDARD_H

#include "base/arena.h"
#include "hierarchy/hierarchy.h"
#include "hierarchy/tree.h"

enum { TACIT__MAX_PREFIXES = 4 };

typedef struct tacit__standard_entry {
    tacit_strview label;
    tacit_strview codes; /* those that it holds, with commas between; of the deepest entries */
    uint32_t parent;     /* an entry, or TACIT__NONE */
    int depth;           /* 1: the highest */
} tacit__standard_entry;

/* Views are of the shipped text. Zero-initialized; cleared in any case. */
typedef struct tacit__standard {
    tacit_strview name, title, levels, forms;
    size_t dot; /* codes of more characters are written with a point behind so many */
    size_t key; /* characters of a code that entries hold; 0: all */
    bool marks; /* the first word of an entry stands for it */
    size_t prefixes[TACIT__MAX_PREFIXES]; /* lengths of codes on the levels below the entries */
    int prefix_count;
    int depth; /* of the deepest entries */
    tacit__standard_entry *entries;
    size_t capacity;
    uint32_t count;
} tacit__standard;

/* TACIT_INVALID, with the names there are, if there is none of that name. */
tacit_status tacit__standard_open(tacit__standard *standard, tacit_strview name, tacit_error *err);
void tacit__standard_close(tacit__standard *standard);

/* Levels from the ground to "*". */
int tacit__standard_height(const tacit__standard *standard);

enum { TACIT__STANDARD_UNKNOWN = -1, TACIT__STANDARD_NOMEM = -2 };

/* The labels of a value, which may be of any level, from level 0 to the height. Returns its own
 * level: below it, labels are the value as it is written. */
int tacit__standard_path(tacit_strview labels[TACIT_MAX_LEVELS], const tacit__standard *standard,
                         tacit_strview value, tacit__arena *arena);

/* Whether the standard hierarchy of a specification has the value, on any level. */
bool tacit__standard_knows(const tacit_hierarchy_spec *spec, tacit_strview value);

/* The same added to a tree, with names that no value has below its own level; unknown values are
 * left out. */
tacit_status tacit__standard_add(tacit__tree *tree, const tacit__standard *standard,
                                 tacit_strview value, tacit__arena *arena, tacit_error *err);

#endif
