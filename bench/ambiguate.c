/*
 * ambiguate.c - blanks by covering: how many, and how long it takes.
 *
 *     bench_ambiguate [FOLDER [ROWS...]]
 *
 * On the data sets of FOLDER (../shared/data) with two blanks a row, beside the figures of
 * sdcMicro's localSuppression that its README.md has: its cells, and a hundredth of its
 * seconds. Then on made-up records of ROWS (a thousand to a million) rows. Each as published,
 * which is what sdcMicro promises, and with k promised both ways ("both", on the data sets with
 * any number of blanks a row, which is what sdcMicro has), where blanks that are
 * not needed are filled again within the time. Seconds are the best of three runs (of one where a
 * run takes long); beside them the seconds of counting the classes of the same table, and
 * the ratio of both.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "meter.h"
#include "records/ambiguate/state.h"
#include "records/blanks/boxes.h"

enum { REPEAT = 3, MAX_COLUMNS = 9, LONG = 5 /* seconds */ };

static tacit_error err;

static void must(tacit_status status)
{
    char text[1200];
    if (status == TACIT_OK)
        return;
    fprintf(stderr, "bench_ambiguate: %s\n", tacit_error_format(&err, text, sizeof text));
    exit(1);
}

/* A table and the columns that count. */
typedef struct subject {
    tacit_table *table;
    tacit_hierarchy *hierarchies[MAX_COLUMNS];
    tacit_attribute attributes[MAX_COLUMNS];
    tacit_frame frame;
} subject;

static void open_columns(subject *s, const char *const *columns)
{
    s->frame = (tacit_frame){.table = s->table, .attributes = s->attributes, .person = -1};
    for (; *columns; columns++) {
        int32_t at = s->frame.attribute_count++;
        int32_t column = tacit_table_find(s->table, tacit_strview_of(*columns));
        tacit_hierarchy_spec spec = {.kind = TACIT_HIERARCHY_NONE};
        must(tacit_hierarchy_new(&s->hierarchies[at], &spec, s->table, column, &err));
        s->attributes[at] = (tacit_attribute){.column = column, .hierarchy = s->hierarchies[at]};
    }
}

static void close_subject(subject *s)
{
    for (int32_t i = 0; i < s->frame.attribute_count; i++)
        tacit_hierarchy_free(s->hierarchies[i]);
    tacit_table_free(s->table);
}

/* What one run comes to; the best of several. */
typedef struct result {
    int64_t cells, classes;
    double bound, count, cover;
} result;

static double least(double a, double b)
{
    return a > 0 && a < b ? a : b;
}

/* Blanks that keep k both ways, those filled again that are not needed. */
static void cover_both(tacit__blanking *plan, const tacit__tableau *tableau, const subject *s,
                       const tacit_records_options *options, const tacit_run *run)
{
    tacit__state *state = NULL;
    int64_t removed;
    must(tacit__ambiguate_both(plan, tableau, &s->frame, options, run, &err));
    must(tacit__state_new(&state, tableau, plan, run, &err));
    must(tacit__state_minimize(&removed, state, false, run, &err));
    must(tacit__state_plan(plan, state, &err));
    tacit__state_free(state);
}

static void measure(result *r, const subject *s, const tacit_records_options *options)
{
    int levels[MAX_COLUMNS] = {0};
    tacit_run run;
    tacit_classes *classes;
    tacit__tableau tableau;
    tacit__blanking plan = {0};
    tacit_run_init(&run);
    double start = meter_seconds(CLOCK_MONOTONIC);
    must(tacit_classes_new(&classes, &s->frame, levels, &run, &err));
    r->count = least(r->count, meter_seconds(CLOCK_MONOTONIC) - start);
    start = meter_seconds(CLOCK_MONOTONIC);
    must(tacit__tableau_init(&tableau, &s->frame, classes, options, &run, &err));
    if (tableau.both)
        cover_both(&plan, &tableau, s, options, &run);
    else
        must(tacit__ambiguate_cover(&plan, &tableau, options->ambiguate, &run, &err));
    r->cover = least(r->cover, meter_seconds(CLOCK_MONOTONIC) - start);
    r->classes = tableau.classes;
    r->bound = plan.bound;
    r->cells = 0;
    for (int64_t i = 0; i < plan.count; i++)
        r->cells += plan.blanks[i].rows * __builtin_popcountll(plan.blanks[i].mask);
    tacit__blanking_clear(&plan);
    tacit__tableau_clear(&tableau);
    tacit_classes_free(classes);
}

static result best_of(const subject *s, int64_t k, int32_t most_row, bool both)
{
    tacit_ambiguate how = {.most_row = most_row, .as_published = !both};
    tacit_records_options options = {.k = k, .ambiguate = &how};
    result r = {0};
    for (int i = 0; i < REPEAT && r.cover < LONG; i++)
        measure(&r, s, &options);
    return r;
}

/* sdcMicro: cells and seconds (../shared/data/README.md). */
typedef struct figure {
    int64_t k, cells;
    double seconds;
} figure;

typedef struct data_set {
    const char *file;
    const char *columns[MAX_COLUMNS];
    figure figures[3];
} data_set;

static const data_set data_sets[] = {
    {"sdcmicro/testdata.csv",
     {"urbrur", "roof", "walls", "water", "electcon", "relat", "sex"},
     {{2, 157, 0.6}, {3, 293, 0.9}, {5, 500, 1.6}}},
    {"adult/adult.csv",
     {"sex", "race", "marital-status", "education", "workclass"},
     {{2, 543, 2.0}, {3, 1049, 3.7}, {5, 1722, 7.2}}},
    {"adult/adult.csv",
     {"sex", "age", "race", "marital-status", "education"},
     {{2, 3187, 21}, {3, 5101, 42}, {5, 7883, 73}}},
    {"adult/adult.csv", /* which eight the figure is of is not said: all but the salary */
     {"sex", "age", "race", "marital-status", "education", "native-country", "workclass",
      "occupation"},
     {{2, 14466, 382}}}};

static void compare(const char *folder)
{
    printf("%-22s %2s %2s | %6s %7s %8s | %6s %7s | %8s %9s | %8s | %8s %6s\n", "two blanks a row",
           "of", "k", "cells", "bound", "sdcMicro", "both", "bound", "seconds", "its/100", "both",
           "classes", "ratio");
    for (size_t d = 0; d < sizeof data_sets / sizeof data_sets[0]; d++) {
        const data_set *set = &data_sets[d];
        subject s = {0};
        char path[512];
        tacit_csv_options csv;
        tacit_csv_options_init(&csv);
        snprintf(path, sizeof path, "%s/%s", folder, set->file);
        must(tacit_table_read(&s.table, path, &csv, NULL, &err));
        open_columns(&s, set->columns);
        for (int i = 0; i < 3 && set->figures[i].k; i++) {
            const figure *f = &set->figures[i];
            result r = best_of(&s, f->k, 2, false), both = best_of(&s, f->k, 0, true);
            printf(
                "%-22s %2d %2d | %6d %7.0f %8d | %6d %7.0f | %8.4f %9.4f | %8.4f | %8.4f %6.1f\n",
                set->file, (int)s.frame.attribute_count, (int)f->k, (int)r.cells, r.bound,
                (int)f->cells, (int)both.cells, both.bound, r.cover, f->seconds / 100, both.cover,
                r.count, r.cover / r.count);
            fflush(stdout);
        }
        close_subject(&s);
    }
}

/* Records of six columns, whose values are the rarer the higher they are. */
static char *make_records(int64_t rows)
{
    static const uint32_t values[] = {2, 5, 7, 16, 41, 73};
    size_t room = (size_t)rows * 18 + 64, at = 0;
    char *text = malloc(room);
    uint32_t state = 12345;
    if (!text)
        exit(1);
    at += (size_t)snprintf(text, room, "a,b,c,d,e,f\n");
    for (int64_t i = 0; i < rows; i++)
        for (int c = 0; c < 6; c++) {
            double share = (double)(meter_draw(&state) >> 8) / (1 << 24);
            at += (size_t)snprintf(text + at, room - at, "%d%c", (int)(share * share * values[c]),
                                   c < 5 ? ',' : '\n');
        }
    return text;
}

static void grow(int64_t rows)
{
    static const char *const columns[] = {"a", "b", "c", "d", "e", "f", NULL};
    subject s = {0};
    tacit_csv_options csv;
    char *text = make_records(rows);
    tacit_csv_options_init(&csv);
    must(tacit_table_read_memory(&s.table, tacit_strview_of(text), "made up", &csv, NULL, &err));
    open_columns(&s, columns);
    for (int32_t most_row = 2; most_row <= 6; most_row += 4) {
        result r = best_of(&s, 3, most_row, false);
        printf("%10lld %9lld %6d | %8lld %8.0f %7.3f | %8.4f %8.4f %6.1f\n", (long long)rows,
               (long long)r.classes, (int)most_row, (long long)r.cells, r.bound,
               100.0 * (double)r.cells / (6.0 * (double)rows), r.cover, r.count, r.cover / r.count);
    }
    result both = best_of(&s, 3, 0, true);
    printf("%10lld %9lld   both | %8lld %8.0f %7.3f | %8.4f %8.4f %6.1f\n", (long long)rows,
           (long long)both.classes, (long long)both.cells, both.bound,
           100.0 * (double)both.cells / (6.0 * (double)rows), both.cover, both.count,
           both.cover / both.count);
    fflush(stdout);
    close_subject(&s);
    free(text);
}

int main(int count, char **words)
{
    static const char *const usual[] = {"1000", "10000", "100000", "1000000"};
    const char *folder = count > 1 && *words[1] ? words[1] : "../shared/data";
    char path[512];
    snprintf(path, sizeof path, "%s/adult/adult.csv", folder);
    if (access(path, R_OK) == 0)
        compare(folder);
    else
        printf("%s is not at hand\n", path);
    printf("\n%10s %9s %6s | %8s %8s %7s | %8s %8s %6s\n", "rows", "classes", "a row", "cells",
           "bound", "%cells", "seconds", "classes", "ratio");
    for (int i = 0; i < (count > 2 ? count - 2 : 4); i++)
        grow(strtoll(count > 2 ? words[i + 2] : usual[i], NULL, 10));
    printf("\nlargest memory %.0f MB\n", meter_megabytes());
    return 0;
}
