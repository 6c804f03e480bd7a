/*
 * technique.h - what a technique is to the runner: one function that changes a sheet, given its
 * settings.
 *
 * A technique records facts (figures for the report) and claims (what it has kept, for the judge,
 * who checks them with code of its own). It draws random numbers from streams of its step only.
 */
#ifndef TACIT_TECHNIQUES_RUNNER_TECHNIQUE_H
#define TACIT_TECHNIQUES_RUNNER_TECHNIQUE_H

#include <tacit/experimental/techniques.h>

#include "base/random.h"
#include "techniques/sheet/sheet.h"

/* A setting's value, by the option's place in the technique's table. */
typedef struct tacit__runner_value {
    bool given;
    double number;            /* of numbers, integers and switches */
    int choice;               /* of choices */
    const char *const *texts; /* of texts, files, and names of columns */
    size_t text_count;
    int32_t *columns; /* of the sheet, where they are columns */
    int64_t line;
} tacit__runner_value;

/* One use of a technique. */
typedef struct tacit__runner_call {
    const tacit_technique *technique;
    size_t step;
    const tacit__runner_value *values; /* as the technique's options are */
    bool keep_others;                  /* cells that are no numbers stay; else they are an error */
    int decimals;                      /* -1: the column's */
    const tacit_run *run;              /* with the step's seed */
    const char *file;                  /* where the step stands, for messages */
    int64_t line;
    struct tacit_masked *masked; /* what facts and claims are noted in */
} tacit__runner_call;

struct tacit__technique_code {
    tacit_status (*apply)(tacit__sheet *sheet, const tacit__runner_call *call, tacit_error *err);
    /* NULL, or checks settings against each other, before there is any data. */
    tacit_status (*check)(const tacit__runner_call *call, tacit_error *err);
};

/* Independent streams of random numbers: a purpose of the technique's own choosing, and an index
 * such as a stretch. A column's place is part of the purpose where columns are drawn apart. */
void tacit__call_random(tacit__random *random, const tacit__runner_call *call, uint8_t purpose,
                        uint32_t index);

/* Uniform in [0, 1), of 53 bits; in (0, 1]; uniform below a bound that may exceed 32 bits. */
double tacit__random_unit(tacit__random *random);
double tacit__random_positive(tacit__random *random);
uint64_t tacit__random_below64(tacit__random *random, uint64_t bound);

/* Loads the columns of an option as numbers, with the decimals that the call asks for. */
tacit_status tacit__call_numbers(tacit__sheet *sheet, const tacit__runner_call *call,
                                 const tacit__runner_value *columns, tacit_error *err);

/* Notes a figure of the step, which adds to what was noted under the name before. */
tacit_status tacit__note(const tacit__runner_call *call, const char *name, double number,
                         tacit_error *err);

/* Notes what was kept of the columns (names), in each combination of within (NULL: none). */
tacit_status tacit__claim(const tacit__runner_call *call, tacit_kept kept,
                          const tacit__runner_value *columns, const tacit__runner_value *within,
                          tacit_error *err);

/* An error about the step, with its place in the policy. */
tacit_status tacit__call_error(const tacit__runner_call *call, const tacit__runner_value *value,
                               tacit_error *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Refuses two settings, by their places among the options, that name a column both. */
tacit_status tacit__call_apart(const tacit__runner_call *call, size_t a, size_t b,
                               tacit_error *err);

/* A loop over the stretches of a sheet's rows, on all cores. */
typedef tacit_status (*tacit__stretch_fn)(void *context, int64_t from, int64_t to, int64_t stretch,
                                          int worker, tacit_error *err);
tacit_status tacit__stretches(const tacit__sheet *sheet, const char *phase, tacit__stretch_fn each,
                              void *context, tacit_error *err);

#endif
