/*
 * itemsets.h - columns whose cells are sets of items, such as `milk;bread`, and km-anonymity of
 * them (Terrovitis, Mamoulis and Kalnis, Privacy-preserving anonymization of set-valued data,
 * VLDB 2008).
 *
 * Whoever knows to which class a person belongs, and up to m items of the person's sets, is to find
 * k people there whom these items fit. In each class an item is released as it is, as one of its
 * generalizations, or not at all, and as the same in every row of the class. Every combination of
 * up to m released items, over all such columns together, that one of the class has, k people of it
 * have.
 */
#ifndef TACIT_ITEMSETS_H
#define TACIT_ITEMSETS_H

#include <tacit/experimental/hierarchy.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The most items that an adversary may be said to know. */
enum { TACIT_MAX_KNOWN_ITEMS = 8 };

/* Rows of no class are left out of the release. */
#define TACIT_ITEMSETS_NO_CLASS UINT32_MAX

typedef struct tacit_itemset_column {
    int32_t column;                        /* of the table, coded */
    const char *separator;                 /* between two items; blanks around items do not count */
    const tacit_hierarchy_spec *hierarchy; /* of items. Without one they can only be left out; `*`
                                              is no item, so its level is not used */
    bool keeps_all;                        /* nothing is left out: items are generalized only */
} tacit_itemset_column;

typedef struct tacit_itemsets {
    const tacit_table *table;
    const tacit_itemset_column *columns;
    int32_t column_count;
    int64_t k;
    int m;
    int32_t person;           /* column whose values are people, or -1: every row is one; rows
                                 where it is missing are one person */
    const uint32_t *class_of; /* a row each */
    uint32_t class_count;
} tacit_itemsets;

/* What a column's items became. An item counts once a row; rows that are left out do not count. */
typedef struct tacit_itemset_loss {
    int64_t distinct; /* items */
    int64_t items;    /* all together */
    int64_t generalized;
    int64_t left_out;
    double loss; /* the mean over them of 1 where it was left out, 0 where it is as it was, and else
                    the share of the hierarchy's items that lie under what it became */
} tacit_itemset_loss;

/* Cells for the writer: labels[codes[row]], a column each; what they say is sorted, each item
 * once. */
typedef struct tacit_itemset_cells {
    uint32_t *codes;
    tacit_strview *labels;
    uint32_t label_count;
    char *text;
    tacit_itemset_loss loss;
} tacit_itemset_cells;

typedef struct tacit_itemset_release {
    tacit_itemset_cells *columns;
    int32_t column_count;
} tacit_itemset_release;

/* A heuristic: the fewer rows a class has, the more is left out. Nothing that was left out could be
 * released as it is beside all else. TACIT_INFEASIBLE where a column keeps all and a class cannot;
 * TACIT_LIMIT where the combinations are too many to look at. An item that the hierarchy does not
 * have, or a label of it that has the separator, is an error. */
tacit_status tacit_itemsets_protect(tacit_itemset_release **out, const tacit_itemsets *itemsets,
                                    const tacit_run *run, tacit_error *err);
void tacit_itemset_release_free(tacit_itemset_release *release);

#ifdef __cplusplus
}
#endif
#endif
