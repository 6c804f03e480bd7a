/*
 * knowers.h - tables with contributors for the tests of what those must not find out who know what
 * they gave, and the judge of it. Include it after tables.h and suppress.h.
 */
#ifndef TACIT_TESTS_SUPPORT_INSIDERS_H
#define TACIT_TESTS_SUPPORT_INSIDERS_H

#include <tacit/experimental/audit_cells.h>

/* The methods that hide from contributors, ending in NULL. */
static const char *const HIDING_METHODS[] = {"hypercube", "hitas", "optimal", "auto", NULL};

/* What random records look like. */
typedef struct records_shape {
    int dimensions; /* at most 3 */
    bool hierarchical;
    int records;
    int owners; /* that they are shared by */
    bool holdings;
    bool counted; /* instead of summed */
} records_shape;

static inline void write_records(char *text, const int *kinds, const records_shape *shape)
{
    int at = 0;
    for (int d = 0; d < shape->dimensions; d++)
        at += sprintf(text + at, "d%d,", d);
    at += sprintf(text + at, "v,h\n");
    for (int k = 0; k < shape->records; k++) {
        for (int d = 0; d < shape->dimensions; d++)
            at += sprintf(text + at, "%c,", AXIS_LEAVES[kinds[d]][2 * random_below(2 + kinds[d])]);
        at += sprintf(text + at, "%d,o%d\n", 1 + random_below(random_below(3) ? 9 : 40),
                      random_below(shape->owners));
    }
}

static inline tacit_cells *random_contributors(const records_shape *shape)
{
    static char text[8192], names[512];
    int kinds[3], at = 0;
    tables_end(NULL);
    for (int d = 0; d < shape->dimensions; d++) {
        char name[8] = {(char)('0' + d), '\0'};
        kinds[d] = random_below(shape->hierarchical ? 4 : 2);
        at += sprintf(names + at, "d%d=%s ", d, file_of(name, AXIS_TREES[kinds[d]]));
    }
    write_records(text, kinds, shape);
    tacit_cells_spec *spec = &spec_of(names)->spec;
    spec->value = shape->counted ? NULL : "v";
    spec->holding = shape->holdings ? "h" : NULL;
    return cells_of(text, spec, tacit_cells_from_records);
}

/* Whether a pattern keeps all that the options ask for: primary cells from everybody, and as the
 * audit has it from those who know more, and sums. */
static inline bool keeps_all(const tacit_cells *cells, const char *status,
                             const tacit_suppress_options *options)
{
    const tacit_cells_audit_options asked = {
        .primaries = true, .singletons = options->singletons, .sums = options->sums};
    tacit_cells_audit *audit = NULL;
    tacit_run run;
    tacit_run_init(&run);
    run.threads = 1;
    assert_int_equal(tacit_audit_cells(&audit, cells, status, &asked, &run, NULL), TACIT_OK);
    bool kept = audit->underprotected == 0 && audit->singleton_count == 0 && audit->sum_count == 0;
    tacit_cells_audit_free(audit);
    return kept;
}

/* Whether no cell is suppressed for nothing, besides. */
static inline bool hides_all(const tacit_cells *cells, const char *status)
{
    int32_t *exposed = malloc((size_t)cells->count * sizeof *exposed), count = -1;
    assert_int_equal(tacit_audit_cells_judge(exposed, &count, cells, status, NULL, NULL, NULL),
                     TACIT_OK);
    free(exposed);
    return count == 0;
}

static inline tacit_status suppressed_from_insiders(tacit_pattern *out, const tacit_cells *cells,
                                                    const char *method,
                                                    const tacit_suppress_options *options,
                                                    tacit_error *err)
{
    tacit_run run;
    tacit_run_init(&run);
    run.threads = 1;
    return tacit_suppress(out, cells, tacit_suppress_method_find(method), options,
                          tacit_audit_cells_judge, NULL, &run, err);
}

/* Whether nothing keeps what is asked for: the more is suppressed, the more is kept. */
static inline bool nothing_keeps(const tacit_cells *cells, const tacit_suppress_options *options)
{
    char *status = malloc((size_t)cells->count);
    for (int32_t i = 0; i < cells->count; i++)
        status[i] = cells->status[i] == 's' ? 'x' : cells->status[i];
    bool kept = keeps_all(cells, status, options);
    free(status);
    return !kept;
}

#endif
