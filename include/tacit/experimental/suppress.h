/*
 * suppress.h - methods that choose which cells of a statistical table to suppress so
 * that its primary cells keep their protection intervals.
 *
 * A method is one file and one line in the table of methods. It looks at cells and
 * relations (and at dimensions where it must) and gives a pattern. Subtable methods may
 * leave cells exposed that only the whole table exposes: tacit_suppress asks the
 * method, has the whole table checked, and has what was found protected too, until
 * nothing is found or nothing can be done.
 */
#ifndef TACIT_SUPPRESS_H
#define TACIT_SUPPRESS_H

#include <tacit/experimental/intervals.h>
#include <tacit/experimental/total.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What hypercube makes small when it chooses a cuboid. */
typedef enum tacit_cuboid_cost {
    TACIT_CUBOID_COST = 0, /* the costs of the cells it would suppress anew */
    TACIT_CUBOID_COUNT,    /* their number */
    TACIT_CUBOID_VALUE,    /* their values */
    TACIT_CUBOID_LOG       /* log(1 + value) */
} tacit_cuboid_cost;

/* What is asked of a method. Zero-initialized: the defaults. */
typedef struct tacit_suppress_options {
    tacit_cuboid_cost cuboid;
    double cuboid_level; /* percent of a cell's value that a cuboid must hide on either side; 0: the
                            cell's own protection levels */
    bool zeros;          /* empty and zero cells may be corners */
    bool second_cuboid;  /* a primary cell of one contributor gets two cuboids, instead of one
                            without other such cells */
    bool singletons;     /* a contributor who knows what he gave must not find out another's primary
                            cell either */
    bool sums;           /* nor anybody a sum of primary cells of a relation too well */
    int64_t rounds; /* auto: of local search; 0: as many as the method finds worth it; -1: none */
    double
        wider;        /* partial: percent of its width that an interval is published wider, around a
                         place by chance (the run's seed), so that its ends and its middle tell nothing */
    double work;      /* partial, hitas, singletons and sums: how often the usual work may be done
                         before the best so far is taken; 0: once */
    bool total_costs; /* total: cells count by their costs, instead of one each */
    tacit_total_options total; /* the same */
} tacit_suppress_options;

/* What a method found. Owned arrays; cleared with tacit_pattern_clear. */
typedef struct tacit_pattern {
    char *status;        /* a letter a cell: the cells' own, some `s` now `x` */
    int32_t secondary;   /* cells that are `x` and were not primary */
    double cost;         /* of all secondary cells */
    double lower_bound;  /* no pattern costs less; NAN: nothing is known */
    bool proven;         /* and this one costs no more */
    bool stopped;        /* by the progress callback: this is the best so far */
    int32_t subtables;   /* looked at; 0 where there are none */
    int32_t rounds;      /* over them */
    int32_t repaired;    /* cells that the judge found exposed: protected then or, where they had
                            been suppressed for nothing, published again */
    int32_t added;       /* total: suppressed by the method */
    double added_cost;   /* total: their number, or their cost; the bound is on it */
    int32_t unprotected; /* a primary cell for which nothing could be done; -1: none */
    tacit_intervals intervals; /* partial: what is published of suppressed cells, and all that hides
                                  them; then cost and bound are weights times widths, before these
                                  were made wider and rounded. Else NULL */
    char *rivals; /* auto: the letters of other patterns, one after the other, that may turn out to
                     be cheaper once the judge has seen them; NULL where there are none, and
                     when tacit_suppress is done with them */
    int32_t rival_count;
} tacit_pattern;

void tacit_pattern_clear(tacit_pattern *pattern);

typedef struct tacit_suppress_method {
    const char *name;
    const char *summary;
    bool total; /* promises that nothing is known exactly about primary cells, not even a sum
                   (total.h), in place of intervals */
    /* status: the letters to begin with (`x` from an earlier round is to be protected from
     * exact disclosure, as in any table that holds it). */
    tacit_status (*solve)(tacit_pattern *out, const tacit_cells *cells, const char *status,
                          const tacit_suppress_options *options, const tacit_run *run,
                          tacit_error *err);
} tacit_suppress_method;

/* The methods, ending in an entry without a name, and the one of a name. */
const tacit_suppress_method *tacit_suppress_methods(void);
const tacit_suppress_method *tacit_suppress_method_find(const char *name);

/* Whom the adversary's programs are asked about after each round: cells that are exposed or
 * hidden too little. Whoever calls gives the judge (audit_cells.h), so that no method shares
 * its code. exposed has room for every cell and gets *count of them, ascending. */
typedef tacit_status (*tacit_suppress_judge)(int32_t *exposed, int32_t *count,
                                             const tacit_cells *cells, const char *status,
                                             const tacit_run *run, void *payload, tacit_error *err);

/* The method, then repair, unless the method promises total protection: protects what the judge
 * found over the whole table (intervals become a little wider), publishes again what turns out to
 * be known all the same, and asks again. TACIT_INFEASIBLE names a cell that cannot be protected.
 * What a method that was stopped had found is judged all the same, and given only if nothing is
 * found. */
tacit_status tacit_suppress(tacit_pattern *out, const tacit_cells *cells,
                            const tacit_suppress_method *method,
                            const tacit_suppress_options *options, tacit_suppress_judge judge,
                            void *payload, const tacit_run *run, tacit_error *err);

#ifdef __cplusplus
}
#endif
#endif
