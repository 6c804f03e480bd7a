/*
 * test_sparse_random.c - sparse files of random tables against the same tables as tacit_cells: the
 * same verdicts and the same number of cells added, whatever the order of the file and whichever of
 * its cells it leaves out. Their releases pass the second check, and none does that was
 * changed in any line.
 */
#include "tables.h"

#include "random_cases.h"
#include "sparse.h"

enum { MAX = 5 };

static uint64_t seed;

typedef struct drawn {
    int rows, columns;
    int value[MAX * MAX], upper[MAX * MAX];
    char status[MAX * MAX];
    int cost[MAX * MAX];
    int order[MAX * MAX];
} drawn;

static drawn draw(void)
{
    drawn d = {.rows = 2 + random_below(MAX - 1), .columns = 2 + random_below(MAX - 1)};
    int zeros = random_below(2) * 40, count = d.rows * d.columns;
    for (int i = 0; i < count; i++) {
        bool hidden = random_below(100) < 40;
        d.value[i] = random_below(100) < zeros ? 0 : 1 + random_below(9);
        d.upper[i] = d.value[i] + (d.value[i] && random_below(100) < zeros / 4 ? 0 : 20);
        d.status[i] = hidden ? "uux"[random_below(3)] : "sssz"[random_below(zeros ? 4 : 3)];
        d.cost[i] = 1 + random_below(3);
        d.order[i] = i;
    }
    for (int i = count - 1; i > 0; i--) {
        int j = random_below(i + 1), kept = d.order[i];
        d.order[i] = d.order[j];
        d.order[j] = kept;
    }
    return d;
}

/* The cells of a table, all or those that others cannot be told from. Lines that would be without
 * a cell keep their first. */
static void list_cells(char *text, size_t size, const drawn *d, bool shuffled, bool all)
{
    bool row_seen[MAX] = {0}, column_seen[MAX] = {0};
    size_t len = (size_t)snprintf(text, size, "r,c,v,status,weight,upper\n");
    for (int k = 0; k < d->rows * d->columns; k++) {
        int i = shuffled ? d->order[k] : k, row = i / d->columns, column = i % d->columns;
        bool ordinary = d->status[i] == 's' && d->value[i] > 0 && d->value[i] < d->upper[i] &&
                        row_seen[row] && column_seen[column];
        if (ordinary && !all)
            continue;
        row_seen[row] = column_seen[column] = true;
        len += (size_t)snprintf(text + len, size - len, "r%d,c%d,%d,%c,%d,%d\n", row, column,
                                d->value[i], d->status[i], all ? d->cost[i] : 1, d->upper[i]);
    }
}

static tacit_flat_table *dense_list(const char *text, bool costs)
{
    table_spec *spec = spec_of("r c");
    tacit_flat_table *flat = NULL;
    spec->spec.value = "v";
    spec->spec.cost = costs ? "weight" : NULL;
    tacit_cells *cells = cells_of(text, &spec->spec, tacit_cells_from_table);
    assert_int_equal(tacit_flat_from_cells(&flat, cells, NULL, costs, NULL), TACIT_OK);
    flat->view.name = NULL; /* the cells, which have the names, are not kept */
    tacit_cells_free(cells);
    return flat;
}

static void compare_audits(const tacit_flat_view *a, const tacit_flat_view *b)
{
    tacit_total_audit *left = NULL, *right = NULL;
    assert_int_equal(tacit_audit_total(&left, a, NULL, NULL, NULL), TACIT_OK);
    assert_int_equal(tacit_audit_total(&right, b, NULL, NULL, NULL), TACIT_OK);
    assert_int_equal(left->total, right->total);
    assert_int_equal(left->suppressed, right->suppressed);
    assert_int_equal(left->secret, right->secret);
    assert_int_equal(left->leaks, right->leaks);
    assert_int_equal(left->known, right->known);
    assert_int_equal(left->invariant_count, right->invariant_count);
    assert_int_equal(left->strong, right->strong);
    tacit_total_audit_free(left);
    tacit_total_audit_free(right);
}

/* Both plans cost the same where both are proven; *plan is that of the second. */
static bool compare_plans(tacit_total_plan *plan, const tacit_flat_view *a,
                          const tacit_flat_view *b)
{
    tacit_total_plan other = {0};
    tacit_status left = tacit_total_protect(&other, a, NULL, NULL, NULL);
    tacit_status right = tacit_total_protect(plan, b, NULL, NULL, NULL);
    assert_int_equal(left, right);
    if (left != TACIT_OK) {
        assert_int_equal(left, TACIT_INFEASIBLE);
        return false;
    }
    assert_true(other.optimal && plan->optimal);
    assert_true(fabs(other.cost - plan->cost) < 1e-9);
    tacit_total_plan_clear(&other);
    return true;
}

/* No line of a release can be left out, doubled or given another letter unnoticed. */
static void tamper(const tacit_table *table, const tacit_total_plan *plan, char *text)
{
    size_t len = strlen(text);
    char *changed = malloc(2 * len + 2), *line = text;
    for (int i = 1 + random_below(8); i > 0 && strchr(line, '\n')[1]; i--)
        line = strchr(line, '\n') + 1;
    char *end = strchr(line, '\n');
    int kind = random_below(3), before = (int)(line - text), one = (int)(end + 1 - line);
    if (kind == 0)
        sprintf(changed, "%.*s%s", before, text, end + 1);
    else if (kind == 1)
        sprintf(changed, "%.*s%.*s%s", before, text, one, line, line);
    else {
        sprintf(changed, "%s", text);
        changed[end - 1 - text] = end[-1] == 'z' ? 's' : 'z';
    }
    tacit_cells_written *found = sparse_checked(table, plan, &SPARSE, changed);
    assert_false(found->holds);
    tacit_cells_written_free(found);
    free(changed);
}

static void check_release(const tacit_table *table, const tacit_flat_table *flat,
                          const tacit_total_plan *plan)
{
    char *text = sparse_text(table, flat, plan, &SPARSE, 0);
    tacit_cells_written *found = sparse_checked(table, plan, &SPARSE, text);
    if (!found->holds)
        fail_msg("%s", found->problems[0].message);
    tacit_cells_written_free(found);
    tamper(table, plan, text);
    tacit_table *again = csv_of(text);
    tacit_flat_table *read = sparse_list(again, &SPARSE);
    int32_t hidden = plan->count;
    for (int32_t i = 0; i < flat->view.count; i++)
        hidden += !flat->view.status || strchr("ux", flat->view.status[i]);
    for (int32_t i = 0; i < read->view.count; i++)
        hidden -= !read->view.status || strchr("ux", read->view.status[i]);
    assert_int_equal(hidden, 0);
    tacit_flat_table_free(read);
    tacit_table_free(again);
    free(text);
}

static void compare(const drawn *d, bool all)
{
    char whole[2048], text[2048];
    list_cells(whole, sizeof whole, d, false, true);
    list_cells(text, sizeof text, d, true, all);
    tacit_flat_table *dense = dense_list(whole, all);
    tacit_table *table = csv_of(text);
    tacit_flat_table *sparse = sparse_list(table, &SPARSE);
    tacit_total_plan plan = {0};
    compare_audits(&dense->view, &sparse->view);
    if (compare_plans(&plan, &dense->view, &sparse->view)) {
        check_release(table, sparse, &plan);
        tacit_total_plan_clear(&plan);
    }
    tacit_flat_table_free(sparse);
    tacit_table_free(table);
    tacit_flat_table_free(dense);
}

static void test_against_cells(void **state)
{
    (void)state;
    for (seed = 1; seed <= many_cases(400); seed++) {
        random_start(seed);
        drawn d = draw();
        compare(&d, seed % 2);
    }
    seed = 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {random_test(test_against_cells, &seed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
