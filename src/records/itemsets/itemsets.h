/*
 * itemsets.h - what the files of this folder share: the items of all columns and what they
 * generalize to (items.c), and what becomes of them in one class (place.c).
 */
#ifndef TACIT_RECORDS_ITEMSETS_ITEMSETS_H
#define TACIT_RECORDS_ITEMSETS_ITEMSETS_H

#include <tacit/experimental/itemsets.h>

#define TACIT__NO_NODE UINT32_MAX /* above a root; and what becomes of an item that is left out */

/* A column: its items, bound to their hierarchy, and the items of each of its cells. */
typedef struct tacit__item_column {
    char *text; /* the items, one a line, as a table of their own */
    tacit_table *table;
    tacit_hierarchy *hierarchy;
    uint32_t first;  /* node of its first item; the others follow */
    uint32_t count;  /* distinct items */
    size_t *start;   /* a code of the column each, missing too: where its items start; one more */
    uint32_t *items; /* nodes, each once in a cell, ascending */
} tacit__item_column;

/* The items of all columns, and above them what they generalize to. Parents have higher numbers
 * than what lies under them. */
typedef struct tacit__item_world {
    const tacit_itemsets *asked;
    tacit__item_column *columns;
    uint32_t count;        /* nodes */
    uint32_t *parent;      /* a node each, or TACIT__NO_NODE */
    double *loss;          /* a node each: what an item loses that becomes it */
    tacit_strview *labels; /* borrowed */
    uint8_t *keeps;        /* a node each: nothing under it is left out */
    size_t capacity;
} tacit__item_world;

tacit_status tacit__items_init(tacit__item_world *world, const tacit_itemsets *asked,
                               const tacit_run *run, tacit_error *err);
void tacit__items_clear(tacit__item_world *world);

/* The sets of some rows: those of one class, rows of one person next to each other. */
typedef struct tacit__item_rows {
    int64_t count;
    size_t *start;   /* a row each, and one more */
    uint32_t *items; /* nodes of items, ascending in each row */
    uint32_t *who;   /* a row each: the person, by number */
    int64_t before;  /* rows of other classes that are done, */
    int64_t all;     /* and of all classes: for progress */
} tacit__item_rows;

/* Memory for placing, reused from class to class. Zero-initialized is empty. */
typedef struct tacit__placing tacit__placing;

tacit_status tacit__placing_new(tacit__placing **out, const tacit__item_world *world,
                                const tacit_run *run, tacit_error *err);
void tacit__placing_free(tacit__placing *placing);

/* What each item of the rows becomes: image[item], a node or TACIT__NO_NODE, for the items that
 * they have. */
tacit_status tacit__items_place(uint32_t *image, tacit__placing *placing,
                                const tacit__item_rows *rows, tacit_error *err);

#endif
