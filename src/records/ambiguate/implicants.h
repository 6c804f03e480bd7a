/*
 * implicants.h - the prime implicants of f_i: the smallest sets of columns that
 * tell a row from all rows it differs from (2.4 of Vinterbo and Ohno-Machado, Table Ambiguation
 * By Minimal Cell Suppression), and a set of columns that hits each of them.
 */
#ifndef TACIT_RECORDS_AMBIGUATE_IMPLICANTS_H
#define TACIT_RECORDS_AMBIGUATE_IMPLICANTS_H

#include <tacit/experimental/records.h>

enum {
    TACIT__IMPLICANTS_MOST = 1 << 14, /* of a row, and conjuncts that contain no other */
    TACIT__IMPLICANTS_SEEN = 1024
};

/* Zero-initialized is empty; used for one row after the other. */
typedef struct tacit__implicants {
    uint64_t *primes; /* sets of columns */
    int64_t count;
    size_t room;
    uint64_t *conjuncts; /* F_i without those that contain another, small ones first */
    int64_t conjunct_count;
    size_t conjunct_room;
    uint64_t *sorted; /* the same in the making */
    size_t sorted_room;
    uint64_t *bits; /* sets of conjuncts, `words` each: those with a column, and two a level */
    size_t bits_room;
    int64_t words;
    int64_t steps; /* of the search */
    uint64_t seen[TACIT__IMPLICANTS_SEEN];
} tacit__implicants;

void tacit__implicants_clear(tacit__implicants *p);

/* Of a row with this line in the discernibility matrix. TACIT_LIMIT where there are too many. */
tacit_status tacit__implicants_find(tacit__implicants *p, const uint64_t *line, int64_t count,
                                    tacit_error *err);

/* Columns that hit all of them, found greedily: the one in the most that are not hit, for its
 * cost, again and again, ties to the first. */
uint64_t tacit__implicants_hit(const tacit__implicants *p, const double *costs, int32_t columns);

#endif
