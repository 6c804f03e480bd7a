/*
 * test_total_audit_random.c - the total protection test, invariant cells and known sums against
 * a judge who goes through all changes of small random tables with bounds, zeros and ties, against
 * who reaches whom in larger ones, and invariant cells against linear programs. Patterns of the
 * method with a cell published again are refused where they must be.
 */
#include "tables.h"

#include "flat.h"
#include "random_cases.h"
#include "solver/solver.h"

#include <tacit/experimental/audit_cells.h>

static uint64_t seed;

/* share: percent that are suppressed; bounded: percent on a bound. */
static flat draw(int share, int bounded)
{
    flat f = flat_of(1 + random_below(4), 1 + random_below(5));
    for (int i = 0; i < flat_cells(&f); i++) {
        f.lower[i] = random_below(3) ? 0 : -INFINITY;
        f.value[i] = 1 + random_below(2);
        f.upper[i] = random_below(2) ? 3 : INFINITY;
        if (random_below(100) < bounded && random_below(2))
            f.lower[i] = f.value[i];
        else if (random_below(100) < bounded)
            f.upper[i] = f.value[i];
        if (random_below(100) < share)
            f.status[i] = random_below(2) ? 'u' : 'x';
        f.secret[i] = f.status[i] == 'u';
    }
    return f;
}

static tacit_total_audit *audit_flat(const tacit_flat_view *view, int sums)
{
    tacit_total_audit_options options = {.sums = sums};
    tacit_total_audit *audit = NULL;
    tacit_error err = {0};
    if (tacit_audit_total(&audit, view, &options, NULL, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    return audit;
}

static bool is_invariant(const tacit_total_audit *audit, int cell)
{
    for (int k = 0; k < audit->invariant_count; k++)
        if (audit->invariant[k] == cell)
            return true;
    return false;
}

static void check_invariant(const tacit_total_audit *audit, const changes *c)
{
    for (int k = 0; k < c->count; k++)
        assert_int_equal(is_invariant(audit, c->cell[k]), free_ways(c, &c->cell[k], 1) == 0);
    for (int k = 1; k < audit->invariant_count; k++)
        assert_true(audit->invariant[k - 1] < audit->invariant[k]);
}

/* A known sum never changes, and no smaller sum of its cells is known. */
static void check_sum(const tacit_total_audit *audit, const tacit_known_sum *sum, const changes *c)
{
    int cells[FLAT_MAX];
    double value = 0;
    assert_true(sum->count > 0);
    for (int k = 0; k < sum->count; k++) {
        const tacit_known_term *term = &audit->terms[sum->first + k];
        cells[k] = term->cell;
        value += term->sign * c->table->value[term->cell];
    }
    assert_true(fabs(value - sum->value) < 1e-9);
    for (int r = 0; r < c->rank; r++) {
        int64_t change = 0;
        for (int k = 0; k < sum->count; k++)
            change += audit->terms[sum->first + k].sign * c->basis[r][cells[k]];
        assert_int_equal(change % PRIME, 0);
    }
    assert_int_equal(free_ways(c, cells, sum->count), sum->count - 1);
}

/* Listed sums are independent. */
static int count_independent(const tacit_total_audit *audit, const tacit_known_sum *sums, int count)
{
    static int64_t basis[FLAT_MAX][FLAT_MAX];
    int lead[FLAT_MAX], rank = 0;
    for (int s = 0; s < count; s++) {
        int64_t vector[FLAT_MAX] = {0};
        for (int k = sums[s].first; k < sums[s].first + sums[s].count; k++)
            vector[audit->terms[k].cell] = audit->terms[k].sign;
        extend(basis, lead, &rank, vector, FLAT_MAX);
    }
    return rank;
}

static void check_sums(const tacit_total_audit *audit, const changes *c)
{
    for (int s = 0; s < audit->leak_count; s++) {
        const tacit_known_sum *sum = &audit->leak[s];
        check_sum(audit, sum, c);
        for (int k = sum->first; k < sum->first + sum->count; k++)
            assert_true(c->table->secret[audit->terms[k].cell]);
        assert_true(s == 0 || sum[-1].count <= sum->count);
    }
    for (int s = 0; s < audit->sum_count; s++) {
        check_sum(audit, &audit->sum[s], c);
        assert_true(s == 0 || audit->sum[s - 1].count <= audit->sum[s].count);
    }
    assert_int_equal(count_independent(audit, audit->leak, audit->leak_count), audit->leaks);
}

static void test_judge(void **state)
{
    (void)state;
    static changes c;
    int total = 0, broken = 0, invariant = 0;
    for (uint64_t i = 1, cases = many_cases(3000); i <= cases; i++) {
        random_start(seed = i);
        flat f = draw(20 + random_below(60), random_below(3) ? random_below(60) : 0);
        tacit_flat_view view = flat_view(&f);
        find_changes(&c, &f);
        tacit_total_audit *audit = audit_flat(&view, 100);
        assert_int_equal(audit->suppressed, c.count);
        assert_int_equal(audit->leaks, judge_leaks(&c));
        assert_int_equal(audit->total, audit->leaks == 0);
        assert_int_equal(audit->known, c.count - free_ways(&c, c.cell, c.count));
        check_invariant(audit, &c);
        check_sums(audit, &c);
        total += audit->total;
        broken += !audit->total;
        invariant += audit->invariant_count;
        tacit_total_audit_free(audit);
    }
    if (total < 100 || broken < 100 || invariant < 100)
        fail_msg("%d total, %d broken, %d invariant", total, broken, invariant);
    seed = 0;
}

/* ---- patterns that were broken ---- */

/* The verdict of all changes on the table as it is now; the audit must say the same. */
static bool both_say_total(const flat *f)
{
    static changes c;
    tacit_flat_view view = flat_view(f);
    find_changes(&c, f);
    tacit_total_audit *audit = audit_flat(&view, 0);
    bool total = audit->total;
    assert_int_equal(total, judge_leaks(&c) == 0);
    assert_int_equal(audit->leaks, judge_leaks(&c));
    check_invariant(audit, &c);
    tacit_total_audit_free(audit);
    return total;
}

static int cell_at(const flat *f, int row, int column)
{
    int i = 0;
    while (f->row[i] != row || f->column[i] != column)
        i++;
    return i;
}

/* What a method suppressed is total; a pattern in which one of its cells is published again, or is
 * put on its bound, is what all changes say, and most are refused. */
static void test_broken_pattern(void **state)
{
    (void)state;
    int whole = 0, refused = 0, published = 0;
    for (uint64_t i = 1, cases = many_cases(400); i <= cases; i++) {
        random_start(seed = i);
        flat f = draw(30, random_below(2) ? 0 : 20);
        tacit_flat_view view = flat_view(&f);
        tacit_total_plan plan = {0};
        if (tacit_total_protect(&plan, &view, NULL, NULL, NULL) != TACIT_OK)
            continue;
        for (int k = 0; k < plan.count; k++)
            f.status[cell_at(&f, plan.row[k], plan.column[k])] = 'x';
        assert_true(both_say_total(&f));
        whole++;
        for (int k = 0; k < plan.count; k++) {
            int cell = cell_at(&f, plan.row[k], plan.column[k]);
            double lower = f.lower[cell];
            f.status[cell] = 's';
            refused += !both_say_total(&f);
            published++;
            f.status[cell] = 'x';
            if (f.upper[cell] > f.value[cell])
                f.lower[cell] = f.value[cell];
            both_say_total(&f);
            f.lower[cell] = lower;
        }
        tacit_total_plan_clear(&plan);
    }
    if (whole < 50 || published < 100 || refused < published / 2)
        fail_msg("%d total, %d of %d refused", whole, refused, published);
    seed = 0;
}

/* ---- larger tables, by who reaches whom ---- */

enum { SIDE = 24, LINES = 2 * SIDE };

/* Rows, then columns: each has a bit for every line that it reaches. */
typedef struct reached {
    int count;
    uint64_t reach[LINES];
} reached;

static void add_edge(reached *l, int from, int to)
{
    l->reach[from] |= UINT64_C(1) << to;
}

static void close_lines(reached *l)
{
    for (int v = 0; v < l->count; v++)
        l->reach[v] |= UINT64_C(1) << v;
    for (int middle = 0; middle < l->count; middle++)
        for (int v = 0; v < l->count; v++)
            if (l->reach[v] >> middle & 1)
                l->reach[v] |= l->reach[middle];
}

static bool both_ways(const reached *l, int a, int b)
{
    return l->reach[a] >> b & 1 && l->reach[b] >> a & 1;
}

typedef struct sparse {
    int rows, columns, count;
    int32_t row[SIDE * SIDE], column[SIDE * SIDE];
    double value[SIDE * SIDE];
    char status[SIDE * SIDE];
} sparse;

static void draw_sparse(sparse *s)
{
    s->rows = 2 + random_below(SIDE - 1);
    s->columns = 2 + random_below(SIDE - 1);
    s->count = 0;
    int share = 2 + random_below(15), zeros = random_below(3) ? random_below(70) : 0;
    int secret = random_below(101);
    for (int i = 0; i < s->rows * s->columns; i++) {
        if (random_below(100) >= share)
            continue;
        s->row[s->count] = i / s->columns;
        s->column[s->count] = i % s->columns;
        s->value[s->count] = random_below(100) >= zeros;
        s->status[s->count++] = random_below(100) < secret ? 'u' : 'x';
    }
}

/* Who reaches whom by the cells with these letters but one, both ways or along directions. */
static reached lines_of(const sparse *s, bool directed, const char *letters, int without)
{
    reached l = {.count = s->rows + s->columns};
    for (int i = 0; i < s->count; i++) {
        int row = s->row[i], column = s->rows + s->column[i];
        if (i == without || !strchr(letters, s->status[i]))
            continue;
        add_edge(&l, row, column);
        if (!directed || s->value[i] > 0)
            add_edge(&l, column, row);
    }
    close_lines(&l);
    return l;
}

static int count_classes(const reached *l)
{
    int count = 0;
    for (int v = 0; v < l->count; v++) {
        bool first = true;
        for (int u = 0; u < v; u++)
            first &= !both_ways(l, u, v);
        count += first;
    }
    return count;
}

/* A cell is known unless one end reaches the other without it, the way it can move. */
static bool moves(const sparse *s, int cell)
{
    reached l = lines_of(s, true, "ux", cell);
    int row = s->row[cell], column = s->rows + s->column[cell];
    return l.reach[column] >> row & 1 || (s->value[cell] > 0 && l.reach[row] >> column & 1);
}

/* Cells that stay within strong components, and join what is left of these without Q. */
static reached loose_lines(const sparse *s, const reached *strong)
{
    sparse inside = *s;
    inside.count = 0;
    for (int i = 0; i < s->count; i++)
        if (both_ways(strong, s->row[i], s->rows + s->column[i])) {
            inside.row[inside.count] = s->row[i];
            inside.column[inside.count] = s->column[i];
            inside.value[inside.count] = s->value[i];
            inside.status[inside.count++] = s->status[i];
        }
    return lines_of(&inside, false, "x", -1);
}

static void test_reach(void **state)
{
    (void)state;
    static sparse s;
    int total = 0, known = 0, moving = 0;
    for (uint64_t i = 1, cases = many_cases(300); i <= cases; i++) {
        random_start(seed = i);
        draw_sparse(&s);
        tacit_flat_view view = {.rows = s.rows,
                                .columns = s.columns,
                                .count = s.count,
                                .row = s.row,
                                .column = s.column,
                                .value = s.value,
                                .status = s.status};
        reached strong = lines_of(&s, true, "ux", -1), loose = loose_lines(&s, &strong);
        int parts = count_classes(&strong), crossing = 0, secret = 0;
        tacit_total_audit *audit = audit_flat(&view, 0);
        for (int k = 0; k < s.count; k++) {
            bool apart = !both_ways(&strong, s.row[k], s.rows + s.column[k]);
            crossing += apart;
            secret += apart && s.status[k] == 'u';
            assert_int_equal(is_invariant(audit, k), !moves(&s, k));
        }
        assert_int_equal(audit->known, s.rows + s.columns - parts + crossing);
        assert_int_equal(audit->leaks, count_classes(&loose) - parts + secret);
        assert_int_equal(audit->total, audit->leaks == 0);
        total += audit->total;
        known += audit->invariant_count;
        moving += s.count - audit->invariant_count;
        tacit_total_audit_free(audit);
    }
    if (total < 10 || known < 300 || moving < 300)
        fail_msg("%d total, %d known, %d not", total, known, moving);
    seed = 0;
}

/* ---- programs ---- */

/* Deviations of the suppressed cells, at most 10 either way. */
static tacit__solver *program_of(const flat *f, int *cells, int *count)
{
    double lower[FLAT_MAX], upper[FLAT_MAX], zeros[FLAT_MAX] = {0}, ones[2 * FLAT_MAX];
    int32_t starts[FLAT_MAX + 1], items[2 * FLAT_MAX];
    tacit__solver *solver = NULL;
    *count = 0;
    for (int i = 0; i < flat_cells(f); i++)
        if (flat_hidden(f, i)) {
            lower[*count] = fmax(f->lower[i] - f->value[i], -10);
            upper[*count] = fmin(f->upper[i] - f->value[i], 10);
            cells[(*count)++] = i;
        }
    int at = 0, lines = f->rows + f->columns;
    for (int line = 0; line < lines; line++) {
        starts[line] = at;
        for (int k = 0; k < *count; k++)
            if (line < f->rows ? f->row[cells[k]] == line : f->column[cells[k]] == line - f->rows) {
                ones[at] = 1;
                items[at++] = k;
            }
    }
    starts[lines] = at;
    tacit__solver_lines columns = {.count = *count, .lower = lower, .upper = upper};
    tacit__solver_lines rows = {.count = lines,
                                .lower = zeros,
                                .upper = zeros,
                                .starts = starts,
                                .items = items,
                                .values = ones};
    assert_int_equal(tacit__solver_new(&solver, NULL, NULL), TACIT_OK);
    assert_int_equal(tacit__solver_add_columns(solver, &columns, NULL), TACIT_OK);
    assert_int_equal(tacit__solver_add_rows(solver, &rows, NULL), TACIT_OK);
    return solver;
}

/* The furthest that a cell can go down (side 1) or up (side -1). */
static double furthest(tacit__solver *solver, int column, double side)
{
    tacit__solver_answer answer;
    tacit__solver_options options = {0};
    tacit__solver_set_cost(solver, column, side);
    assert_int_equal(tacit__solver_solve(&answer, solver, &options, NULL, NULL), TACIT_OK);
    assert_int_equal(answer.result, TACIT__SOLVER_OPTIMAL);
    tacit__solver_set_cost(solver, column, 0);
    return side * answer.cost;
}

static void test_programs(void **state)
{
    (void)state;
    int fixed = 0, moved = 0;
    for (uint64_t i = 1, cases = many_cases(300); i <= cases; i++) {
        random_start(seed = i);
        flat f = draw(20 + random_below(60), random_below(60));
        tacit_flat_view view = flat_view(&f);
        tacit_total_audit *audit = audit_flat(&view, 0);
        int cells[FLAT_MAX], count;
        tacit__solver *solver = program_of(&f, cells, &count);
        for (int k = 0; k < count; k++) {
            bool known = furthest(solver, k, -1) - furthest(solver, k, 1) < 1e-7;
            assert_int_equal(is_invariant(audit, cells[k]), known);
            fixed += known;
            moved += !known;
        }
        tacit__solver_free(solver);
        tacit_total_audit_free(audit);
    }
    assert_true(fixed > 100 && moved > 100);
    seed = 0;
}

/* ---- the table audit ---- */

/* A table as a long CSV, with bounds and status of every cell. */
static tacit_cells *cells_drawn(void)
{
    flat f = draw(30 + random_below(50), random_below(60));
    while (f.rows < 2 || f.columns < 2)
        f = draw(30 + random_below(50), random_below(60));
    char text[4096], *at = text + sprintf(text, "r,c,v,lower,upper,status\n");
    for (int i = 0; i < flat_cells(&f); i++)
        at += sprintf(at, "r%d,c%d,%g,%g,%g,%c\n", f.row[i], f.column[i], f.value[i],
                      fmax(f.lower[i], -50), fmin(f.upper[i], 50), f.status[i]);
    table_spec *spec = spec_of("r c");
    spec->spec.value = "v";
    spec->spec.negative = true;
    return cells_of(text, &spec->spec, tacit_cells_from_table);
}

/* Two judges who share no code: linear programs over cells and relations, and the graph. */
static void test_table_audit(void **state)
{
    (void)state;
    int known = 0, hidden = 0;
    for (uint64_t i = 1, cases = many_cases(300); i <= cases; i++) {
        random_start(seed = i);
        tacit_cells *cells = cells_drawn();
        tacit_flat_table *table = NULL;
        tacit_cells_audit *other = NULL;
        assert_int_equal(tacit_flat_from_cells(&table, cells, NULL, false, NULL), TACIT_OK);
        assert_int_equal(tacit_audit_cells(&other, cells, NULL, NULL, NULL, NULL), TACIT_OK);
        tacit_total_audit *audit = audit_flat(&table->view, 0);
        assert_int_equal(audit->invariant_count, other->disclosed);
        assert_int_equal(audit->suppressed, other->cell_count);
        for (int k = 0, at = 0; k < other->cell_count; k++)
            if (other->cells[k].disclosed)
                assert_int_equal(table->cells[audit->invariant[at++]], other->cells[k].cell);
        known += other->disclosed;
        hidden += other->cell_count - other->disclosed;
        tacit_total_audit_free(audit);
        tacit_cells_audit_free(other);
        tacit_flat_table_free(table);
        tacit_cells_free(cells);
    }
    assert_true(known > 100 && hidden > 100);
    seed = 0;
}

/* The order of the list and what it leaves out change nothing but the numbers of cells. */
static void test_order(void **state)
{
    (void)state;
    for (uint64_t i = 1, cases = many_cases(300); i <= cases; i++) {
        random_start(seed = i);
        flat f = draw(50, random_below(40)), g = f;
        tacit_flat_view view = flat_view(&f), other = flat_view(&g);
        int place[FLAT_MAX];
        other.count = 0;
        for (int k = 0; k < flat_cells(&f); k++) {
            int at = random_below(other.count + 1);
            if (!flat_hidden(&f, k))
                continue;
            for (int j = other.count++; j > at; j--)
                place[j] = place[j - 1];
            place[at] = k;
        }
        for (int j = 0; j < other.count; j++) {
            int k = place[j];
            g.row[j] = f.row[k], g.column[j] = f.column[k], g.status[j] = f.status[k];
            g.value[j] = f.value[k], g.lower[j] = f.lower[k], g.upper[j] = f.upper[k];
            g.secret[j] = f.secret[k];
        }
        tacit_total_audit *a = audit_flat(&view, 5), *b = audit_flat(&other, 5);
        assert_int_equal(a->leaks, b->leaks);
        assert_int_equal(a->sum_count, b->sum_count);
        assert_int_equal(a->invariant_count, b->invariant_count);
        for (int k = 0; k < b->invariant_count; k++)
            assert_true(is_invariant(a, place[b->invariant[k]]));
        for (int k = 0; k < b->term_count; k++)
            assert_int_equal(a->terms[k].cell, place[b->terms[k].cell]);
        tacit_total_audit_free(a);
        tacit_total_audit_free(b);
    }
    seed = 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        random_test(test_judge, &seed),       random_test(test_broken_pattern, &seed),
        random_test(test_reach, &seed),       random_test(test_programs, &seed),
        random_test(test_table_audit, &seed), random_test(test_order, &seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
