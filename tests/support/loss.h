/*
 * loss.h - tables and what is measured of them, for the tests of the loss room.
 */
#ifndef TACIT_TESTS_SUPPORT_LOSS_H
#define TACIT_TESTS_SUPPORT_LOSS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tacit/experimental/loss.h>

/* A table of a text, which must outlive it; every column is coded. */
static inline tacit_table *loss_table(const char *text)
{
    tacit_csv_options options;
    tacit_run run;
    tacit_error err = {0};
    tacit_table *table = NULL;
    tacit_run_init(&run);
    tacit_csv_options_init(&options);
    options.delimiter = ',';
    if (tacit_table_read_memory(&table, tacit_strview_of(text), "test", &options, &run, &err) !=
        TACIT_OK)
        fail_msg("%s", err.message);
    return table;
}

static inline tacit_loss *loss_of_case(const tacit_loss_case *c, const tacit_loss_options *options,
                                       int threads)
{
    tacit_run run;
    tacit_error err = {0};
    tacit_loss *loss = NULL;
    tacit_run_init(&run);
    run.threads = threads;
    if (tacit_loss_measure(&loss, c, options, &run, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    return loss;
}

/* With the default options; origin as in tacit_loss_case. */
static inline tacit_loss *loss_of(const char *original, const char *release, const uint32_t *origin)
{
    tacit_loss_options options;
    tacit_loss_case c = {loss_table(original), loss_table(release), origin, NULL, {NULL, NULL}};
    tacit_loss_options_init(&options);
    tacit_loss *loss = loss_of_case(&c, &options, 1);
    tacit_table_free((tacit_table *)c.original);
    tacit_table_free((tacit_table *)c.release);
    return loss;
}

#define assert_near(value, expected)                            \
    do {                                                        \
        double v_ = (value), e_ = (expected);                   \
        if (!(fabs(v_ - e_) <= 1e-9 * (1 + fabs(e_))))          \
            fail_msg("%s is %.12g, not %.12g", #value, v_, e_); \
    } while (0)

#endif
