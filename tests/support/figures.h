/*
 * figures.h - the tables of Sweeney, Computational Disclosure Control, that
 * several tests use, with their hierarchies.
 */
#ifndef TACIT_TESTS_SUPPORT_FIGURES_H
#define TACIT_TESTS_SUPPORT_FIGURES_H

#include "records.h"

#define FIGURE_ETHNICITY "Asian;Person\nBlack;Person\nWhite;Person\n"
#define FIGURE_ZIP       "02138;0213*;021**\n02139;0213*;021**\n02141;0214*;021**\n02142;0214*;021**\n"

/* Figure 27: heights 2 and 3. */
static inline void figure_27(fixture *f)
{
    fixture_open(f, "Eth,ZIP\nAsian,02138\nAsian,02139\nAsian,02141\nAsian,02142\n"
                    "Black,02138\nBlack,02139\nBlack,02141\nBlack,02142\n"
                    "White,02138\nWhite,02139\nWhite,02141\nWhite,02142\n");
    fixture_file(f, "Eth", FIGURE_ETHNICITY);
    fixture_file(f, "ZIP", FIGURE_ZIP);
}

/* Figure 34 with the birth dates of Figure 44: heights 2, 5, 2 and 3 (Figure 33) with a
 * suppressed value on top, otherwise 1, 4, 1 and 2 (Figure 32). */
static inline void figure_34_with(fixture *f, bool suppression)
{
    fixture_open(f, "Race,BirthDate,Gender,ZIP,Problem\n"
                    "black,9/20/65,male,02141,short of breath\n"
                    "black,2/14/65,male,02141,chest pain\n"
                    "black,10/23/65,female,02138,painful eye\n"
                    "black,8/24/65,female,02138,wheezing\n"
                    "black,11/7/64,female,02138,obesity\n"
                    "black,12/1/64,female,02138,chest pain\n"
                    "white,10/23/64,male,02138,short of breath\n"
                    "white,3/15/65,female,02139,hypertension\n"
                    "white,8/13/64,male,02139,obesity\n"
                    "white,5/5/64,male,02139,fever\n"
                    "white,2/13/67,male,02138,vomiting\n"
                    "white,3/21/67,male,02138,back pain\n");
    f->no_suppression = !suppression;
    fixture_file(f, "Race", "black;person\nwhite;person\n");
    fixture_file(f, "BirthDate",
                 "9/20/65;9/65;1965;1965-69;1960-69\n2/14/65;2/65;1965;1965-69;1960-69\n"
                 "10/23/65;10/65;1965;1965-69;1960-69\n8/24/65;8/65;1965;1965-69;1960-69\n"
                 "11/7/64;11/64;1964;1960-64;1960-69\n12/1/64;12/64;1964;1960-64;1960-69\n"
                 "10/23/64;10/64;1964;1960-64;1960-69\n3/15/65;3/65;1965;1965-69;1960-69\n"
                 "8/13/64;8/64;1964;1960-64;1960-69\n5/5/64;5/64;1964;1960-64;1960-69\n"
                 "2/13/67;2/67;1967;1965-69;1960-69\n3/21/67;3/67;1967;1965-69;1960-69\n");
    fixture_file(f, "Gender", "male;human\nfemale;human\n");
    fixture_file(f, "ZIP", FIGURE_ZIP);
}

static inline void figure_34(fixture *f)
{
    figure_34_with(f, true);
}

/* A solution, its application and its metrics. */
typedef struct outcome {
    tacit_solution *solution;
    tacit_application *application;
    tacit_metrics metrics;
} outcome;

static inline tacit_status solve_by(outcome *o, const fixture *f, const char *method,
                                    const tacit_records_options *options,
                                    const tacit_apply_options *apply, uint64_t seed, int threads,
                                    tacit_error *err)
{
    tacit_run run;
    tacit_run_init(&run);
    tacit_run_seed_number(&run, seed);
    run.threads = threads;
    *o = (outcome){0};
    tacit_status status =
        tacit_method_find(method)->solve(&o->solution, &f->frame, options, &run, err);
    if (status == TACIT_OK)
        status = tacit_solution_apply(&o->application, o->solution, &f->frame, apply, &run, err);
    if (status == TACIT_OK)
        status = tacit_metrics_of(&o->metrics, o->solution, o->application, &f->frame, options,
                                  &run, err);
    return status;
}

static inline tacit_status solve_with(outcome *o, const fixture *f,
                                      const tacit_records_options *options,
                                      const tacit_apply_options *apply, uint64_t seed, int threads,
                                      tacit_error *err)
{
    return solve_by(o, f, "datafly", options, apply, seed, threads, err);
}

static inline void solve_figure(outcome *o, const fixture *f, const tacit_records_options *options)
{
    tacit_error err = {0};
    tacit_apply_options apply = {.keep_order = true};
    if (solve_with(o, f, options, &apply, 1, 2, &err) != TACIT_OK)
        fail_msg("%s", err.message);
}

static inline void outcome_clear(outcome *o)
{
    tacit_application_free(o->application);
    tacit_solution_free(o->solution);
}

#endif
