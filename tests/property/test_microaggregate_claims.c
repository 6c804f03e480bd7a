/*
 * test_microaggregate_claims.c - what microaggregation claims, counted again on what is written:
 * random tables with equals, gaps and strata, in every way.
 */
#include "masking.h"

#include <math.h>

enum { ROWS = 60 };

static uint32_t draw(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

/* A stratum and two columns; now and then a gap. */
static void draw_table(char *csv, uint32_t *seed)
{
    uint32_t rows = draw(seed) % ROWS, coarse = 1 + draw(seed) % 40, gaps = 4 + draw(seed) % 40;
    csv += sprintf(csv, "g,a,b\n");
    for (uint32_t i = 0; i < rows; i++) {
        csv += sprintf(csv, "%c,", "xy"[draw(seed) % 2]);
        csv += draw(seed) % gaps
                   ? sprintf(csv, "%d.%u,", (int)(draw(seed) % coarse) - 5, draw(seed) % 2 * 5)
                   : sprintf(csv, ",");
        csv += draw(seed) % gaps ? sprintf(csv, "%u\n", draw(seed) % coarse) : sprintf(csv, "\n");
    }
}

/* Fields of a table of three columns. */
typedef struct rows {
    char *text;
    char *cells[ROWS][3];
    int count;
} rows;

static rows rows_of(const char *csv)
{
    rows r = {.text = strdup(csv)};
    char *line = strchr(r.text, '\n') + 1;
    for (; *line; r.count++) {
        char *end = strchr(line, '\n');
        *end = '\0';
        r.cells[r.count][0] = line;
        for (int i = 1; i < 3; i++) {
            char *comma = strchr(r.cells[r.count][i - 1], ',');
            *comma = '\0';
            r.cells[r.count][i] = comma + 1;
        }
        line = end + 1;
    }
    return r;
}

static int place_of(const char *name)
{
    return strcmp(name, "g") == 0 ? 0 : strcmp(name, "a") == 0 ? 1 : 2;
}

static bool agree(const rows *r, int i, int j, const char *const *names, size_t count)
{
    for (size_t n = 0; n < count; n++)
        if (strcmp(r->cells[i][place_of(names[n])], r->cells[j][place_of(names[n])]) != 0)
            return false;
    return true;
}

static void check_groups(const rows *is, const tacit_kept *kept)
{
    for (int i = 0; i < is->count; i++) {
        int same = 0;
        for (int j = 0; j < is->count; j++)
            same += agree(is, i, j, kept->columns, kept->column_count) &&
                    agree(is, i, j, kept->within, kept->within_count);
        assert_true(same >= kept->amount);
    }
}

static void check_sum(const rows *was, const rows *is, const tacit_kept *kept)
{
    int place = place_of(kept->columns[0]);
    assert_int_equal(kept->column_count, 1);
    for (int i = 0; i < is->count; i++) {
        double off = 0;
        for (int j = 0; j < is->count; j++)
            if (agree(was, i, j, kept->within, kept->within_count))
                off += atof(is->cells[j][place]) - atof(was->cells[j][place]);
        assert_true(fabs(off) <= kept->amount * (1 + 1e-9));
    }
}

static bool check(const char *csv, const char *line, uint64_t seed)
{
    tacit_error err = {0};
    const tacit_kept *kept;
    tacit_table *table = masking_table(csv);
    tacit_masked *masked = masking_apply(table, line, seed, 1, &err);
    if (!masked) {
        assert_int_equal(err.status, TACIT_INFEASIBLE);
        tacit_table_free(table);
        return false;
    }
    char *text = masking_text(masked, 1);
    rows was = rows_of(csv), is = rows_of(text);
    assert_int_equal(is.count, was.count);
    size_t count = tacit_masked_kept(masked, &kept);
    for (size_t i = 0; i < count; i++)
        if (kept[i].kind == TACIT_KEPT_GROUPS)
            check_groups(&is, &kept[i]);
        else
            check_sum(&was, &is, &kept[i]);
    bool grouped = masking_kept(masked, TACIT_KEPT_GROUPS);
    free(was.text);
    free(is.text);
    free(text);
    tacit_masked_free(masked);
    tacit_table_free(table);
    return grouped;
}

static void test_claims(void **state)
{
    (void)state;
    static const char *const WAYS[] = {"way=mdav",
                                       "way=variable",
                                       "way=univariate",
                                       "way=mdav within=g",
                                       "way=univariate within=g",
                                       "way=mdav few=keep",
                                       "way=univariate aggregate=median"};
    uint32_t seed = 23;
    int grouped = 0;
    for (int i = 0; i < 2100; i++) {
        char csv[ROWS * 32], line[128];
        draw_table(csv, &seed);
        snprintf(line, sizeof line, "microaggregate columns=a,b k=%u %s", 2 + draw(&seed) % 3,
                 WAYS[i % 7]);
        grouped += check(csv, line, (uint64_t)i);
    }
    assert_true(grouped > 500); /* not refused all the time */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_claims)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
