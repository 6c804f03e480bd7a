/*
 * test_techniques_swapping.c - swapping over many small random tables: what must be kept is kept to
 * the byte, nothing stays where it must not, and threads do not matter.
 */
#include "masked_grid.h"

#include "random_cases.h"

static uint64_t running;

static void test_single(void **state)
{
    (void)state;
    uint64_t cases = many_cases(600);
    for (running = 1; running <= cases; running++) {
        uint64_t draws = running;
        int rows = (int)grid_draw(&draws, 40);
        char *csv = grid_random(&draws, rows, 5, 1 + (int)grid_draw(&draws, 6), "c");
        grid *before = grid_of(strdup(csv));
        grid *after = grid_run(csv, "swap columns=a,b,c within=d", running, 1);
        grid_same(before, after, "ad");
        grid_same(before, after, "bd");
        grid_same(before, after, "cd");
        grid_same(before, after, "de");
        for (int row = 0; row < rows; row++) /* ids differ, so nothing has come back */
            if (grid_count(before, row, "d") > 1)
                assert_string_not_equal(before->cells[row][0], after->cells[row][0]);
        grid_free(after);
        after = grid_run(csv, "swap columns=a,b share=0.4", running, 2);
        grid_same(before, after, "a");
        grid_same(before, after, "b");
        grid_same(before, after, "cde");
        grid_free(after);
        grid_free(before);
        free(csv);
    }
    running = 0;
}

/* The most frequent combination of a group has at most half of its rows. */
static bool can_be_deranged(const grid *g, const char *unit, const char *within)
{
    char both[16];
    snprintf(both, sizeof both, "%s%s", unit, within);
    for (int row = 0; row < g->rows; row++)
        if (2 * grid_count(g, row, both) > grid_count(g, row, within))
            return false;
    return true;
}

static void check_unit(const char *csv, const char *steps, const char *within, uint64_t seed)
{
    grid *before = grid_of(strdup(csv));
    tacit_error err = {0};
    tacit_table *table = masking_table(csv);
    tacit_masked *masked = masking_apply(table, steps, seed, 1, &err);
    bool possible = can_be_deranged(before, "bc", within);
    assert_int_equal(masked != NULL, possible);
    if (masked) {
        char both[16];
        grid *after = grid_of(masking_text(masked, 1));
        snprintf(both, sizeof both, "bc%s", within);
        grid_same(before, after, both);
        grid_text old, new;
        for (int row = 0; row < before->rows; row++) {
            grid_key(old, before, row, "bc");
            grid_key(new, after, row, "bc");
            assert_string_not_equal(old, new);
        }
        grid_free(after);
        tacit_masked_free(masked);
    } else {
        assert_int_equal(err.status, TACIT_INFEASIBLE);
    }
    tacit_table_free(table);
    grid_free(before);
}

static void test_unit(void **state)
{
    (void)state;
    uint64_t cases = many_cases(1500);
    for (running = 1; running <= cases; running++) {
        uint64_t draws = running * 77;
        int rows = (int)grid_draw(&draws, running % 3 ? 12 : 60);
        char *csv = grid_random(&draws, rows, 4, 1 + (int)grid_draw(&draws, 3), "");
        check_unit(csv, "swap columns=b,c unit=true", "", running);
        check_unit(csv, "swap columns=b,c unit=true within=d", "d", running);
        free(csv);
    }
    running = 0;
}

/* One combination has exactly half of many rows: each of the others' rows must get it. */
static void test_unit_half(void **state)
{
    (void)state;
    enum { HALF = 20000 };
    char *csv = malloc(HALF * 32), *at = csv + sprintf(csv, "a,b\n");
    for (int i = 0; i < 2 * HALF; i++)
        at += i % 2 ? sprintf(at, "%d,x\n", i) : sprintf(at, "%d,v%d\n", i, i % 1000);
    char *text = masking_run(csv, "swap columns=b unit=true", 3, 2);
    const char *line = strchr(text, '\n') + 1;
    for (int i = 0; i < 2 * HALF; i++, line = strchr(line, '\n') + 1)
        assert_int_equal(*(strchr(line, ',') + 1), i % 2 ? 'v' : 'x');
    free(text);
    free(csv);
}

/* Where not all can be mended, as few as possible keep what they had. */
static void test_unit_kept(void **state)
{
    (void)state;
    uint64_t cases = many_cases(400);
    for (running = 1; running <= cases; running++) {
        uint64_t draws = running * 131;
        int rows = 1 + (int)grid_draw(&draws, 20), most = 0, same = 0;
        char *csv = grid_random(&draws, rows, 2, 1 + (int)grid_draw(&draws, 2), "");
        grid *before = grid_of(strdup(csv));
        grid *after = grid_run(csv, "swap columns=b unit=true impossible=keep", running, 1);
        for (int row = 0; row < rows; row++) {
            int count = grid_count(before, row, "b");
            most = count > most ? count : most;
            same += strcmp(before->cells[row][1], after->cells[row][1]) == 0;
        }
        assert_int_equal(same, 2 * most > rows ? 2 * most - rows : 0);
        grid_same(before, after, "b");
        grid_free(before);
        grid_free(after);
        free(csv);
    }
    running = 0;
}

/* Ranks between two numbers of a column: how many steps apart their places can be at the least. */
static int ranks_apart(const grid *g, int column, double one, double other)
{
    double low = one < other ? one : other, high = one < other ? other : one;
    int between = 0;
    for (int row = 0; row < g->rows; row++) {
        const char *cell = g->cells[row][column];
        between += *cell && atof(cell) > low && atof(cell) < high;
    }
    return low == high ? 0 : between + 1;
}

static void test_ranks(void **state)
{
    (void)state;
    uint64_t cases = many_cases(600);
    for (running = 1; running <= cases; running++) {
        uint64_t draws = running * 19;
        int rows = (int)grid_draw(&draws, 60), numbers = 0;
        double percent = 5 + grid_draw(&draws, 60);
        char steps[96], *csv = grid_random(&draws, rows, 3, 2 + (int)grid_draw(&draws, 90), "b");
        grid *before = grid_of(strdup(csv));
        for (int row = 0; row < rows; row++)
            numbers += *before->cells[row][1] != '\0';
        if (numbers * percent / 100 < 1) {
            grid_free(before);
            free(csv);
            continue;
        }
        snprintf(steps, sizeof steps, "rank-swap columns=b percent=%g", percent);
        grid *after = grid_run(csv, steps, running, 2);
        int kept = 0;
        grid_same(before, after, "b");
        grid_same(before, after, "ac");
        for (int row = 0; row < rows; row++) {
            const char *old = before->cells[row][1], *new = after->cells[row][1];
            assert_int_equal(*old == '\0', *new == '\0');
            int apart = *old ? ranks_apart(before, 1, atof(old), atof(new)) : 0;
            assert_true(apart <= numbers * percent / 100);
            kept += *old && strcmp(old, new) == 0 && grid_count(before, row, "b") == 1;
        }
        assert_true(kept <= 1);
        grid_free(before);
        grid_free(after);
        free(csv);
    }
    running = 0;
}

/* Rows of the same d that are elsewhere (b, c) and still where they were. */
static int could_trade(const grid *before, const grid *after, int row)
{
    grid_text key, here, there;
    int count = 0;
    grid_key(key, before, row, "d");
    grid_key(here, before, row, "bc");
    for (int i = 0; i < before->rows; i++) {
        grid_text other, was;
        grid_key(other, before, i, "d");
        grid_key(was, before, i, "bc");
        grid_key(there, after, i, "bc");
        count += strcmp(key, other) == 0 && strcmp(was, here) != 0 && strcmp(was, there) == 0;
    }
    return count;
}

/* Places b and c trade among rows that agree in d, where fewer than k share e. */
static void test_records(void **state)
{
    (void)state;
    uint64_t cases = many_cases(600);
    for (running = 1; running <= cases; running++) {
        uint64_t draws = running * 23;
        int rows = (int)grid_draw(&draws, 50), k = 2 + (int)grid_draw(&draws, 3);
        char steps[96], *csv = grid_random(&draws, rows, 5, 1 + (int)grid_draw(&draws, 4), "");
        grid *before = grid_of(strdup(csv));
        snprintf(steps, sizeof steps, "record-swap columns=b,c keep=d match=e k=%d", k);
        grid *after = grid_run(csv, steps, running, 2);
        grid_same(before, after, "bcd");
        grid_same(before, after, "ade");
        grid_text old, new;
        for (int row = 0; row < rows; row++) {
            bool risky = grid_count(before, row, "bce") < k;
            grid_key(old, before, row, "bc");
            grid_key(new, after, row, "bc");
            if (risky && strcmp(old, new) == 0)
                assert_int_equal(could_trade(before, after, row), 0);
        }
        grid_free(after);
        after = grid_run(csv, "record-swap columns=b keep=c,d share=0.5", running, 1);
        grid_same(before, after, "bcd");
        grid_same(before, after, "acde");
        grid_free(after);
        grid_free(before);
        free(csv);
    }
    running = 0;
}

/* Homes of one to three members, each in one place. */
static char *random_homes(uint64_t *draws, int homes)
{
    char *text = calloc((size_t)homes * 64 + 64, 1), *at = text + sprintf(text, "a,b,c,d\n");
    for (int home = 0; home < homes; home++) {
        uint32_t members = 1 + grid_draw(draws, 3), where = grid_draw(draws, 4);
        for (uint32_t i = 0; i < members; i++)
            at += sprintf(at, "h%d,p%u,%s,%u\n", home, where, grid_draw(draws, 2) ? "f" : "m",
                          grid_draw(draws, 6));
    }
    return text;
}

static void test_households(void **state)
{
    (void)state;
    uint64_t cases = many_cases(300);
    for (running = 1; running <= cases; running++) {
        uint64_t draws = running * 29;
        char *csv = random_homes(&draws, (int)grid_draw(&draws, 30));
        grid *before = grid_of(strdup(csv));
        grid *after = grid_run(
            csv, "record-swap columns=b household=a keep=c match=d k=3 share=0.2", running, 1);
        grid_same(before, after, "bc");
        grid_same(before, after, "acd");
        for (int row = 1; row < after->rows; row++)
            if (strcmp(after->cells[row][0], after->cells[row - 1][0]) == 0)
                assert_string_equal(after->cells[row][1], after->cells[row - 1][1]);
        grid_free(after);
        grid_free(before);
        free(csv);
    }
    running = 0;
}

/* ---- areas within areas ---- */

/* Homes in regions and districts of them: a home, b region, c district, d match, e and f keep,
 * g carried along. */
static char *random_districts(uint64_t *draws, int homes)
{
    char *text = calloc((size_t)homes * 128 + 64, 1), *at = text + sprintf(text, "a,b,c,d,e,f,g\n");
    for (int home = 0; home < homes; home++) {
        uint32_t members = 1 + grid_draw(draws, 2), region = grid_draw(draws, 3);
        uint32_t district = grid_draw(draws, 3), map = grid_draw(draws, 100);
        for (uint32_t i = 0; i < members; i++)
            at += sprintf(at, "h%d,r%u,d%u,%u,%s,%u,m%u\n", home, region, district,
                          grid_draw(draws, 5), grid_draw(draws, 2) ? "f" : "m", grid_draw(draws, 2),
                          map);
    }
    return text;
}

/* The first level on which a row's home is at risk; 2: on none. */
static int risk_of(const grid *g, int row, int k)
{
    int least = 2;
    for (int i = 0; i < g->rows; i++) {
        if (strcmp(g->cells[i][0], g->cells[row][0]) != 0)
            continue;
        int level = grid_count(g, i, "bd") < k ? 0 : grid_count(g, i, "bcd") < k ? 1 : 2;
        least = level < least ? level : least;
    }
    return least;
}

/* Whether two homes have as many members of each of what is always kept. */
static bool homes_alike(const grid *g, int a, int b)
{
    int counts[2][2] = {{0}};
    for (int i = 0; i < g->rows; i++) {
        counts[0][g->cells[i][4][0] == 'f'] += strcmp(g->cells[i][0], g->cells[a][0]) == 0;
        counts[1][g->cells[i][4][0] == 'f'] += strcmp(g->cells[i][0], g->cells[b][0]) == 0;
    }
    return counts[0][0] == counts[1][0] && counts[0][1] == counts[1][1];
}

static bool same_place(const grid *a, int row, const grid *b, int other, int level)
{
    return strcmp(a->cells[row][1], b->cells[other][1]) == 0 &&
           (level == 0 || strcmp(a->cells[row][2], b->cells[other][2]) == 0);
}

/* Every home that is at risk on a level is in another area of it, or could not have traded: whoever
 * is like it and elsewhere has traded, or was stuck before it. Returns the rows that stayed. */
static int check_risky(const grid *before, const grid *after, int k)
{
    int stayed = 0;
    for (int row = 0; row < before->rows; row++) {
        int level = risk_of(before, row, k);
        if (level == 2)
            continue;
        bool moved = !same_place(before, row, after, row, 1);
        stayed += !moved;
        if (moved) /* as another's partner it may have moved less far, but for a larger area's */
            continue;
        for (int i = 0; i < before->rows; i++)
            if (same_place(before, i, after, i, 1) && !same_place(before, row, before, i, level) &&
                risk_of(before, i, k) >= level && homes_alike(before, row, i))
                fail_msg("home of row %d is at risk on level %d, stayed, and could trade with that "
                         "of row %d",
                         row, level, i);
    }
    return stayed;
}

/* Rows of homes at risk that moved within the area in which they are at risk: none, for the
 * largest areas are done first, and partners on smaller ones are at risk there or not at all. */
static void check_far(const grid *before, const grid *after, int k)
{
    for (int row = 0; row < before->rows; row++)
        if (risk_of(before, row, k) == 0 && !same_place(before, row, after, row, 1))
            assert_false(same_place(before, row, after, row, 0));
}

static void test_districts(void **state)
{
    (void)state;
    uint64_t cases = many_cases(300);
    for (running = 1; running <= cases; running++) {
        uint64_t draws = running * 37;
        char steps[128], *csv = random_districts(&draws, (int)grid_draw(&draws, 40));
        int k = 2 + (int)grid_draw(&draws, 3);
        snprintf(steps, sizeof steps,
                 "record-swap columns=b,c levels=true household=a keep=e,f least=1 match=d k=%d "
                 "carry=g",
                 k);
        grid *before = grid_of(strdup(csv)), *after = grid_run(csv, steps, running, 2);
        grid_same(before, after, "bce");
        grid_same(before, after, "bcg");
        grid_same(before, after, "adef");
        for (int row = 1; row < after->rows; row++)
            if (strcmp(after->cells[row][0], after->cells[row - 1][0]) == 0)
                for (int column = 1; column < 7; column += column == 2 ? 4 : 1)
                    assert_string_equal(after->cells[row][column], after->cells[row - 1][column]);
        int stayed = check_risky(before, after, k);
        check_far(before, after, k);
        tacit_error err = {0};
        tacit_table *table = masking_table(csv);
        tacit_masked *masked = masking_apply(table, steps, running, 1, &err);
        assert_true(masking_fact(masked, 0, "records_at_risk_kept") == stayed);
        tacit_masked_free(masked);
        tacit_table_free(table);
        grid_free(after);
        grid_free(before);
        free(csv);
    }
    running = 0;
}

/* What a row gets stands in a row of the same class; with another, it is another one if there is.
 */
static void test_substitutes(void **state)
{
    (void)state;
    uint64_t cases = many_cases(600);
    for (running = 1; running <= cases; running++) {
        uint64_t draws = running * 31;
        int rows = (int)grid_draw(&draws, 30);
        char steps[96], *csv = grid_random(&draws, rows, 4, 1 + (int)grid_draw(&draws, 5), "b");
        snprintf(steps, sizeof steps, "substitute columns=b,c within=d draw=%s another=%s",
                 running % 2 ? "uniform" : "frequency", running % 3 ? "true" : "false");
        grid *before = grid_of(strdup(csv)), *after = grid_run(csv, steps, running, 2);
        grid_same(before, after, "ad");
        for (int row = 0; row < rows; row++)
            for (int column = 1; column < 3; column++) {
                const char *old = before->cells[row][column], *new = after->cells[row][column];
                bool found = false, others = false;
                for (int i = 0; i < rows; i++) {
                    bool same = strcmp(before->cells[i][3], before->cells[row][3]) == 0;
                    const char *cell = before->cells[i][column];
                    found |= same && strcmp(cell, new) == 0;
                    others |= same && *cell && strcmp(cell, old) != 0;
                }
                assert_true(found);
                assert_int_equal(*old == '\0', *new == '\0');
                if (*old && others && running % 3)
                    assert_string_not_equal(old, new);
            }
        grid_free(before);
        grid_free(after);
        free(csv);
    }
    running = 0;
}

/* Every other row is as likely to be where a cell comes from. */
static void test_uniform(void **state)
{
    (void)state;
    const char *const steps[] = {"swap columns=a", "swap columns=a unit=true"};
    for (int way = 0; way < 2; way++) {
        int counts[5][5] = {{0}};
        for (uint64_t seed = 1; seed <= 4000; seed++) {
            grid *after = grid_run("a\n0\n1\n2\n3\n4\n", steps[way], seed, 1);
            for (int row = 0; row < 5; row++)
                counts[row][atoi(after->cells[row][0])]++;
            grid_free(after);
        }
        for (int row = 0; row < 5; row++)
            for (int from = 0; from < 5; from++)
                if (row == from)
                    assert_int_equal(counts[row][from], 0);
                else /* 1000 expected, a standard deviation of 27 */
                    assert_in_range(counts[row][from], 830, 1170);
    }
}

static void test_threads(void **state)
{
    (void)state;
    const char *const steps[] = {
        "swap columns=b,c,d",
        "swap columns=b,c unit=true",
        "swap columns=b,d share=0.3 within=c",
        "rank-swap columns=b,d percent=3",
        "substitute columns=b,d within=c",
        "record-swap columns=b keep=c match=d k=3 share=0.1",
        "record-swap columns=c,b levels=true match=d k=3 rate=0.1",
        "rank-swap columns=b,c percent=3 as=text within=d",
    };
    char *csv = malloc(1 << 21), *at = csv + sprintf(csv, "a,b,c,d\n");
    for (int i = 0; i < 50000; i++)
        at += sprintf(at, "%d,%d,v%d,%d\n", i, i * 7 % 1001, i * 31 % 17, i % 900);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        masking_threads(csv, steps[i]);
    free(csv);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        random_test(test_single, &running),    random_test(test_unit, &running),
        random_test(test_unit_kept, &running), cmocka_unit_test(test_unit_half),
        random_test(test_ranks, &running),     random_test(test_substitutes, &running),
        random_test(test_records, &running),   random_test(test_households, &running),
        random_test(test_districts, &running), cmocka_unit_test(test_uniform),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
