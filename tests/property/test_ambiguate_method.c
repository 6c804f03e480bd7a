/*
 * test_ambiguate_method.c - releases of the method ambiguate on random small tables, with
 * everything that can be asked of it at once, against definitions row by row.
 */
#include "boxes.h"

#include <tacit/experimental/ambiguate.h>

#include "dependencies.h"
#include "random_cases.h"

enum { ATTRIBUTES = 3, MAX_HIDDEN = 3 };

/* A table whose last column is no attribute, and what is asked. */
typedef struct question {
    numbers n;
    tacit_hidden hidden[MAX_HIDDEN];
    tacit_ambiguate how;
    tacit_ambiguity report;
    tacit_records_options options;
} question;

static void draw_hidden(question *q, uint64_t *seed)
{
    q->how.hidden = q->hidden;
    q->how.hidden_count = (int32_t)next_number(seed, MAX_HIDDEN + 1);
    for (int i = 0; i < q->how.hidden_count; i++) {
        int32_t right = (int32_t)next_number(seed, ATTRIBUTES + 1);
        uint64_t left = next_number(seed, 1 << ATTRIBUTES) & ~(UINT64_C(1) << right);
        q->hidden[i] = (tacit_hidden){.left = left, .right = right};
    }
}

static void draw_question(question *q, uint64_t *seed)
{
    *q = (question){.n = {.rows = 3 + (int)next_number(seed, 8), .columns = ATTRIBUTES + 1}};
    for (int r = 0; r < q->n.rows; r++)
        for (int c = 0; c <= ATTRIBUTES; c++) /* columns that follow each other depend */
            q->n.at[r][c] =
                c > 0 && next_number(seed, 3) ? q->n.at[r][c - 1] : (int)next_number(seed, 4);
    q->how = (tacit_ambiguate){.way = next_number(seed, TACIT_AMBIGUATE_WAYS),
                               .redundant = next_number(seed, 2),
                               .as_published = next_number(seed, 3) == 0,
                               .most_row = next_number(seed, 3) ? 0 : 2,
                               .most_column = next_number(seed, 3) ? 0 : 3,
                               .report = &q->report};
    bool ours = q->how.way == TACIT_AMBIGUATE_COVER || q->how.way == TACIT_AMBIGUATE_EXACT;
    q->how.as_published |= !ours;
    q->options = (tacit_records_options){.k = 1 + next_number(seed, 3), .ambiguate = &q->how};
    draw_hidden(q, seed);
}

/* -1 where a cell is suppressed. */
static void read_release(numbers *out, const question *q, const outcome *o)
{
    *out = q->n;
    for (int r = 0; r < q->n.rows; r++)
        for (int32_t a = 0; a < ATTRIBUTES; a++) {
            tacit_strview label = released(o, a, r);
            if (label.bytes && tacit_strview_equal(label, tacit_hierarchy_suppressed()))
                out->at[r][a] = -1;
        }
}

static bool agree(const numbers *n, int i, int j, uint64_t columns)
{
    for (int c = 0; c < n->columns; c++)
        if (columns >> c & 1 && n->at[i][c] != n->at[j][c] && n->at[i][c] >= 0 && n->at[j][c] >= 0)
            return false;
    return true;
}

static int64_t alpha_of(const numbers *n, int row)
{
    int64_t alpha = 0;
    for (int j = 0; j < n->rows; j++)
        alpha += agree(n, row, j, (1 << ATTRIBUTES) - 1);
    return alpha;
}

/* A blank, which is below 0, may differ from anything. */
static bool may_differ(int one, int other)
{
    return one < 0 || other < 0 || one != other;
}

static bool is_hidden(const numbers *n, const tacit_hidden *d)
{
    for (int i = 0; i < n->rows; i++)
        for (int j = 0; j < i; j++)
            if (agree(n, i, j, d->left) && may_differ(n->at[i][d->right], n->at[j][d->right]))
                return true;
    return false;
}

static void check_blanks(const question *q, const numbers *n)
{
    int64_t column[ATTRIBUTES] = {0}, cells = 0;
    for (int r = 0; r < n->rows; r++) {
        int row = 0;
        for (int c = 0; c < ATTRIBUTES; c++) {
            row += n->at[r][c] < 0;
            column[c] += n->at[r][c] < 0;
        }
        cells += row;
        assert_true(!q->how.most_row || row <= q->how.most_row);
    }
    for (int c = 0; c < ATTRIBUTES; c++)
        assert_true(!q->how.most_column || column[c] <= q->how.most_column);
    assert_int_equal(cells, q->report.cells);
}

/* Whether the person of a row of the original fits a released row. */
static bool fits(const question *q, const numbers *n, int person, int row)
{
    for (int c = 0; c < ATTRIBUTES; c++)
        if (n->at[row][c] >= 0 && n->at[row][c] != q->n.at[person][c])
            return false;
    return true;
}

/* k people fit every row, and everybody fits k rows. */
static void check_both(const question *q, const numbers *n)
{
    int64_t people_least = n->rows, rows_least = n->rows;
    for (int i = 0; i < n->rows; i++) {
        int64_t people = 0, rows = 0;
        for (int j = 0; j < n->rows; j++) {
            people += fits(q, n, j, i);
            rows += fits(q, n, i, j);
        }
        people_least = people < people_least ? people : people_least;
        rows_least = rows < rows_least ? rows : rows_least;
    }
    assert_true(people_least >= q->options.k && rows_least >= q->options.k);
    assert_int_equal(people_least, q->report.people_after);
    assert_int_equal(rows_least, q->report.rows_after);
}

static void check_release(const question *q, const numbers *n)
{
    int64_t least = n->rows;
    if (!q->how.as_published)
        check_both(q, n);
    for (int r = 0; r < n->rows; r++)
        least = alpha_of(n, r) < least ? alpha_of(n, r) : least;
    assert_true(least >= q->options.k);
    assert_int_equal(least, q->report.alpha_after);
    check_blanks(q, n);
    for (int i = 0; i < q->how.hidden_count; i++)
        assert_true(is_hidden(n, &q->hidden[i]));
}

static bool try_question(question *q, const fixture *f)
{
    outcome o;
    numbers n;
    tacit_solution *solution = NULL;
    tacit_run run;
    tacit_error err = {0};
    tacit_run_init(&run);
    tacit_status status =
        tacit_method_find("ambiguate")->solve(&solution, &f->frame, &q->options, &run, &err);
    if (status != TACIT_OK) {
        assert_true(status == TACIT_INFEASIBLE || status == TACIT_LIMIT);
        assert_true(err.message[0]);
        return false;
    }
    measure_solution(&o, f, solution, q->options.k, 1, 1);
    read_release(&n, q, &o);
    check_release(q, &n);
    outcome_clear(&o);
    return true;
}

static void test_releases(void **state)
{
    uint64_t *seed = *state, released_ones = 0;
    for (*seed = 1; *seed <= many_cases(1000); ++*seed) {
        uint64_t drawn = *seed;
        question q;
        fixture f;
        draw_question(&q, &drawn);
        numbers_open(&f, &q.n, -2);
        for (int c = 0; c < ATTRIBUTES; c++)
            fixture_none(&f, (const char *[]){"c0", "c1", "c2"}[c]);
        released_ones += try_question(&q, &f);
        fixture_close(&f);
    }
    assert_true(released_ones > *seed / 2);
    *seed = 0;
}

int main(void)
{
    static uint64_t seed;
    const struct CMUnitTest tests[] = {random_test(test_releases, &seed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
