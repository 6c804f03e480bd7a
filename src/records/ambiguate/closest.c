/*
 * closest.c - the fewest columns in which two rows differ that do: the smallest m_ij,
 * the paper's lower bound for 2-ambiguity (after Theorem 3).
 *
 * For d = 1, 2, ... it is asked whether two classes differ in d columns; none differ in fewer by
 * then. Where the sets of d columns are few, each is left out in turn, and the first two classes
 * that are the same without it end the search: a pass over the classes for each set. Where
 * they are many, columns are dealt into d + 1 hands: two classes that differ in d columns are
 * the same in all columns of some hand, so only those are compared. With random values hands
 * of some columns leave few. In wide tables without any rows that are near each other hands
 * are small and leave too many; work is counted, and beyond a limit nobody knows.
 */
#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "records/ambiguate/state.h"

enum {
    MAX_SETS = 1000,        /* of columns to be left out; all of up to twelve columns */
    PAIRS_A_WORD = 1 << 20, /* between two words with the caller */
    MAX_WORK = 1 << 28      /* pairs compared, and classes looked up */
};

typedef struct seeking {
    const tacit__tableau *tableau;
    tacit__packed packed;
    tacit__map map; /* of classes, by their values in the columns that are left */
    const tacit_run *run;
    int32_t apart; /* columns */
    int64_t work;
    bool found;
} seeking;

static bool same_without(seeking *s, uint64_t left_out)
{
    s->work += s->tableau->classes;
    int32_t words = s->packed.words;
    uint64_t sieve[TACIT__PACKED_WORDS];
    tacit__packed_sieve(sieve, &s->packed, ~left_out);
    tacit__map_empty(&s->map);
    for (int64_t i = 0; i < s->tableau->classes; i++) {
        const uint64_t *bits = tacit__packed_bits(&s->packed, i);
        uint64_t hash = tacit__packed_hash(bits, sieve, words);
        size_t probe = 0;
        uint32_t j;
        while ((j = tacit__map_next(&s->map, hash, &probe)) != TACIT__NONE)
            if (tacit__packed_agree(bits, tacit__packed_bits(&s->packed, j), sieve, words))
                return true;
        tacit__map_put(&s->map, hash);
    }
    return false;
}

static tacit_status try_leaving_out(seeking *s, tacit_error *err)
{
    uint64_t set = tacit__first_set(s->apart);
    tacit_status status = TACIT_OK;
    for (; status == TACIT_OK && set && !s->found && s->work < MAX_WORK;
         set = tacit__next_set(set, s->tableau->columns)) {
        s->found = same_without(s, set);
        status = tacit__progress(s->run, "closest rows", s->apart, s->tableau->columns, err);
    }
    return status;
}

static bool close_enough(const seeking *s, int64_t i, int64_t j)
{
    const uint32_t *x = tacit__tableau_codes(s->tableau, i),
                   *y = tacit__tableau_codes(s->tableau, j);
    int32_t differ = 0;
    for (int32_t c = 0; c < s->tableau->columns && differ <= s->apart; c++)
        differ += x[c] != y[c];
    return differ <= s->apart;
}

/* Compares a class, by its place, with those that are the same in a hand and came before. */
static tacit_status compare(seeking *s, const tacit__lookup *lookup, uint32_t i, tacit_error *err)
{
    for (uint32_t j = lookup->next[i]; j != TACIT__NONE && !s->found && s->work < MAX_WORK;
         j = lookup->next[j]) {
        s->found = close_enough(s, i, j);
        if (++s->work % PAIRS_A_WORD == 0) {
            tacit_status status =
                tacit__progress(s->run, "closest rows", s->apart, s->tableau->columns, err);
            if (status != TACIT_OK)
                return status;
        }
    }
    return TACIT_OK;
}

static tacit_status look_at_hand(seeking *s, uint64_t hand, tacit_error *err)
{
    uint64_t sieve[TACIT__PACKED_WORDS];
    tacit__lookup lookup;
    tacit__packed_sieve(sieve, &s->packed, hand);
    tacit_status status = tacit__lookup_init(&lookup, &s->packed, sieve, s->tableau->classes, err);
    if (status != TACIT_OK)
        return status;
    for (int64_t i = 0;
         status == TACIT_OK && !s->found && s->work < MAX_WORK && i < s->tableau->classes; i++) {
        s->work++;
        status = tacit__lookup_add(&lookup, (uint32_t)i, err);
        if (status == TACIT_OK)
            status = compare(s, &lookup, (uint32_t)i, err);
    }
    tacit__lookup_clear(&lookup);
    return status;
}

static tacit_status deal_out(seeking *s, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int32_t h = 0; status == TACIT_OK && !s->found && s->work < MAX_WORK && h <= s->apart;
         h++) {
        uint64_t hand = 0;
        for (int32_t c = h; c < s->tableau->columns; c += s->apart + 1)
            hand |= UINT64_C(1) << c;
        status = look_at_hand(s, hand, err);
        if (status == TACIT_OK)
            status = tacit__progress(s->run, "closest rows", s->apart, s->tableau->columns, err);
    }
    return status;
}

static tacit_status find_closest(seeking *s, tacit_error *err)
{
    int32_t columns = s->tableau->columns;
    tacit_status status = TACIT_OK;
    while (status == TACIT_OK && !s->found && s->work < MAX_WORK) {
        s->apart++;
        status = tacit__count_sets(columns, s->apart) <= MAX_SETS ? try_leaving_out(s, err)
                                                                  : deal_out(s, err);
    }
    return status;
}

tacit_status tacit__tableau_closest(int32_t *out, const tacit__tableau *tableau,
                                    const tacit_run *run, tacit_error *err)
{
    seeking s = {.tableau = tableau, .run = run};
    if (tableau->classes < 2) {
        *out = 0;
        return TACIT_OK;
    }
    tacit_status status = tacit__packed_init(&s.packed, tableau, err);
    if (status == TACIT_OK)
        status = tacit__map_reserve(&s.map, (size_t)tableau->classes) ? find_closest(&s, err)
                                                                      : tacit__nomem(err);
    if (status == TACIT_OK)
        *out = s.found ? s.apart : -1;
    tacit__map_clear(&s.map);
    tacit__packed_clear(&s.packed);
    return status;
}
