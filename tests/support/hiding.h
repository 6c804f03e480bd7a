/*
 * hiding.h - a table with three attributes and one column more as the tests of hiding need it:
 * classes, tableau and state.
 */
#ifndef TACIT_TESTS_SUPPORT_HIDING_H
#define TACIT_TESTS_SUPPORT_HIDING_H

#include "records.h"

#include "ambiguate.h"
#include "records/ambiguate/state.h"

typedef struct world {
    fixture f;
    tacit_classes *classes;
    tacit_records_options options;
    tacit_ambiguate how;
    tacit__tableau tableau;
    tacit__state *state;
    tacit_run run;
} world;

/* The first three columns are attributes. */
static inline void world_open(world *w, const char *csv, int32_t most_row)
{
    static const int ground[3] = {0};
    *w = (world){.how = {.most_row = most_row}};
    tacit_run_init(&w->run);
    fixture_open(&w->f, csv);
    for (int32_t c = 0; c < 3; c++) {
        char name[32];
        tacit_strview view = tacit_table_name(w->f.table, c);
        snprintf(name, sizeof name, "%.*s", (int)view.len, view.bytes);
        fixture_none(&w->f, name);
    }
    w->options = (tacit_records_options){.k = 2, .ambiguate = &w->how};
    assert_int_equal(tacit_classes_new(&w->classes, &w->f.frame, ground, &w->run, NULL), TACIT_OK);
    assert_int_equal(
        tacit__tableau_init(&w->tableau, &w->f.frame, w->classes, &w->options, &w->run, NULL),
        TACIT_OK);
    assert_int_equal(tacit__state_new(&w->state, &w->tableau, NULL, &w->run, NULL), TACIT_OK);
}

static inline void world_close(world *w)
{
    tacit__state_free(w->state);
    tacit__tableau_clear(&w->tableau);
    tacit_classes_free(w->classes);
    fixture_close(&w->f);
}

static const char PEOPLE[] __attribute__((unused)) =
    "zip,birth,sex,test\n"
    "02138,1964,f,neg\n02139,1964,m,neg\n02138,1965,f,pos\n"
    "02138,1964,f,neg\n02141,1970,m,pos\n";

#endif
