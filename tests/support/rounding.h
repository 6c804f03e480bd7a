/*
 * rounding.h - rounded tables looked at one by one, for tests. Include it after tables.h.
 */
#ifndef TACIT_TESTS_SUPPORT_ROUNDING_H
#define TACIT_TESTS_SUPPORT_ROUNDING_H

#include <tacit/experimental/alter.h>

/* A method that must succeed. */
static inline tacit_altered altered_by(const tacit_cells *cells, const char *method,
                                       const tacit_alter_options *options, uint64_t seed,
                                       int threads)
{
    tacit_altered altered = {0};
    tacit_error err = {0};
    tacit_run run;
    tacit_run_init(&run);
    run.threads = threads;
    tacit_run_seed_number(&run, seed);
    if (tacit_alter(&altered, cells, tacit_alter_method_find(method), options, &run, &err) !=
        TACIT_OK)
        fail_msg("%s", err.message);
    return altered;
}

/* Relations that values do not keep. */
static inline int32_t broken_in(const tacit_cells *cells, const double *value)
{
    const tacit_relations *all = &cells->relations;
    int32_t broken = 0;
    for (int32_t r = 0; r < all->count; r++) {
        double sum = -all->rhs[r];
        for (int64_t j = all->starts[r]; j < all->starts[r + 1]; j++)
            sum += all->coefs[j] * value[all->items[j]];
        broken += fabs(sum) > 1e-6;
    }
    return broken;
}

/* What every table of multiples keeps: no cell as far as the reach, zeros where they were. */
static inline void check_rounded(const tacit_cells *cells, const tacit_altered *altered,
                                 const tacit_alter_options *options)
{
    for (int32_t i = 0; i < cells->count; i++) {
        double value = altered->value[i], number = value / options->base;
        assert_true(fabs(number - nearbyint(number)) < 1e-9);
        double moved = fabs(value - cells->value[i]);
        assert_true(altered->within ? moved < altered->reach - 1e-9
                                    : moved <= altered->reach + 1e-9);
        assert_true(cells->value[i] != 0 || value == 0);
        assert_true(cells->value[i] < 0 || value >= 0);
    }
    assert_int_equal(altered->broken, broken_in(cells, altered->value));
}

#endif
