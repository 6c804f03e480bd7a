/*
 * test_loss_random.c - losses of small random tables against the formulas,
 * computed naively from the texts of the cells; and the same numbers, to the
 * last bit, for any number of threads.
 *
 * The naive side knows nothing of codes, bins in arrays or tallies: it compares
 * cells with each other, row by row.
 */
#include "loss.h"

#include "loss_world.h"
#include "random_cases.h"

static double entropy(const double *amounts, int count)
{
    double total = 0, bits = 0;
    for (int i = 0; i < count; i++)
        total += amounts[i];
    for (int i = 0; i < count; i++)
        bits += amounts[i] > 0 ? amounts[i] / total * log2(total / amounts[i]) : 0;
    return bits;
}

static int x_of(const world *w, const coded *c, int row)
{
    return w->origin[row] == TACIT_LOSS_MADE_UP ? c->count : c->before[w->origin[row]];
}

/* Rows of the release with that X and Y; -1: any. */
static double rows_with(const world *w, const coded *c, int x, int y)
{
    double count = 0;
    for (int row = 0; row < w->released; row++)
        count += (x < 0 || x_of(w, c, row) == x) && (y < 0 || c->after[row] == y);
    return count;
}

static double counted(const world *w, const coded *c)
{
    double bits = 0, pairs = 0, xs = 0, ys = 0, n = w->released;
    for (int x = 0; x <= c->count; x++) {
        xs += rows_with(w, c, x, -1) > 0;
        for (int y = 0; y < c->count; y++) {
            double both = rows_with(w, c, x, y);
            if (both > 0)
                bits += both / n * log2(both * n / rows_with(w, c, x, -1) / rows_with(w, c, -1, y));
            pairs += both > 0;
        }
    }
    for (int y = 0; y < c->count; y++)
        ys += rows_with(w, c, -1, y) > 0;
    return bits - fmax(pairs - xs - ys + 1, 0) / (2 * n * log(2));
}

static bool is_claim(const coded *c, int y)
{
    return y < c->domain && y != c->missing;
}

static double read_as_claims(const world *w, const coded *c)
{
    double xs[LABELS + 1] = {0}, wrong[LABELS + 1] = {0}, right = 0, wrongs = 0, left = 0;
    for (int row = 0; row < w->released; row++) {
        int x = x_of(w, c, row), y = c->after[row];
        xs[x]++;
        right += is_claim(c, y) && x == y;
        wrongs += is_claim(c, y) && x != y;
        wrong[x] += is_claim(c, y) && x != y;
    }
    for (int row = 0; row < w->released; row++) {
        int x = x_of(w, c, row), y = c->after[row];
        double p = right / (right + wrongs), chance;
        if (!is_claim(c, y))
            chance = rows_with(w, c, x, y) / rows_with(w, c, -1, y);
        else if (x == y)
            chance = p;
        else
            chance = (1 - p) * wrong[x] / (wrongs - wrong[y]);
        left -= log2(chance);
    }
    return entropy(xs, c->count + 1) - left / w->released;
}

static void check_information(const world *w, const tacit_loss *loss, int column)
{
    const tacit_loss_attribute *a = &loss->attributes[column];
    coded c = code(w, column);
    double before[LABELS] = {0}, after[LABELS] = {0}, weight = 0, variation = 0, real = 0;
    for (int row = 0; row < w->rows; row++)
        before[c.before[row]]++;
    for (int row = 0; row < w->released; row++) {
        after[c.after[row]] += weight_of(w, row);
        weight += weight_of(w, row);
        real += w->origin[row] != TACIT_LOSS_MADE_UP;
    }
    for (int i = 0; i < c.count; i++)
        variation += fabs(before[i] / w->rows - after[i] / weight) / 2;
    assert_near(a->entropy_original, entropy(before, c.count));
    assert_near(a->entropy_release, entropy(after, c.count));
    assert_near(a->margin_change, variation);
    assert_int_equal(a->categories, c.values);
    assert_int_equal(a->read_as_claims, column >= 2 && c.values > bins_allowed(w->rows));
    double bits = a->read_as_claims ? read_as_claims(w, &c) : counted(w, &c);
    bits = fmin(fmax(bits * fmin(real / w->rows, 1), 0), a->entropy_original);
    assert_near(a->information, bits);
    assert_near(a->lost, a->entropy_original > 0 ? 1 - bits / a->entropy_original : 0);
}

/* ---- numbers ---- */

/* Mean of the places among the numbers that are compared. */
static double rank_of(const double *numbers, int count, double number)
{
    double below = 0, equal = 0;
    for (int i = 0; i < count; i++) {
        below += numbers[i] < number;
        equal += numbers[i] == number;
    }
    return below + (equal + 1) / 2;
}

static void assert_same(double value, double expected)
{
    if (isnan(expected))
        assert_true(isnan(value));
    else
        assert_near(value, expected);
}

static void check_numbers(const world *w, const tacit_loss *loss, int column)
{
    const tacit_loss_attribute *a = &loss->attributes[column];
    double x[MAX_ROWS], y[MAX_ROWS], distance = 0, ranks = 0;
    int count = 0, others = 0;
    moments before = moments_of(w, false, column), after = moments_of(w, true, column);
    for (int row = 0; row < w->released; row++) {
        if (w->origin[row] == TACIT_LOSS_MADE_UP)
            continue;
        x[count] = number_of(w->before[w->origin[row]][column]);
        y[count] = number_of(w->after[row][column]);
        others += !isnan(x[count]) && isnan(y[count]);
        count += !isnan(x[count]) && !isnan(y[count]);
    }
    for (int i = 0; i < count; i++) {
        distance += fabs(x[i] - y[i]);
        ranks += fabs(rank_of(x, count, x[i]) - rank_of(y, count, y[i]));
    }
    bool varies = before.variance > 0;
    assert_true(a->numeric);
    assert_int_equal(a->compared, count);
    assert_int_equal(a->no_numbers, others);
    if (count && varies)
        assert_near(a->il1s, distance / count / sqrt(2 * before.variance));
    assert_same(a->rank_change, count ? ranks / count / count : NAN);
    assert_same(a->mean_shift, varies ? (after.mean - before.mean) / sqrt(before.variance) : NAN);
    assert_same(a->variance_change, varies ? after.variance / before.variance - 1 : NAN);
}

static double covariance(const world *w, bool release)
{
    double sum = 0, weight = 0, rows = 0;
    moments a = moments_of(w, release, 0), b = moments_of(w, release, 1);
    for (int row = 0; row < (release ? w->released : w->rows); row++) {
        double x = number_of(release ? w->after[row][0] : w->before[row][0]);
        double y = number_of(release ? w->after[row][1] : w->before[row][1]);
        double amount = release ? weight_of(w, row) : 1;
        if (isnan(x) || isnan(y))
            continue;
        sum += amount * (x - a.mean) * (y - b.mean);
        weight += amount;
        rows++;
    }
    return rows > 1 ? sum / weight * rows / (rows - 1) : 0;
}

static double correlation(double covariance_of, moments a, moments b)
{
    double scale = sqrt(a.variance * b.variance);
    return scale > 0 ? fmin(fmax(covariance_of / scale, -1), 1) : 0;
}

/* Of two by two correlations the eigenvalues are 1 + |r| and 1 - |r|. */
static void check_correlations(const world *w, const tacit_loss *loss)
{
    moments m[2][2];
    for (int side = 0; side < 2; side++)
        for (int column = 0; column < 2; column++)
            m[side][column] = moments_of(w, side, column);
    for (int column = 0; column < 2; column++)
        if (!(m[0][column].variance > 0) || isnan(m[1][column].variance)) {
            assert_true(isnan(loss->correlation_change));
            return;
        }
    double c[2] = {covariance(w, false), covariance(w, true)};
    double r[2] = {correlation(c[0], m[0][0], m[0][1]), correlation(c[1], m[1][0], m[1][1])};
    assert_near(loss->covariance_change,
                fabs(c[1] - c[0]) / sqrt(m[0][0].variance * m[0][1].variance));
    assert_near(loss->correlation_change, fabs(r[1] - r[0]));
    assert_near(loss->eigen_first, fabs(fabs(r[1]) - fabs(r[0])) / (1 + fabs(r[0])));
}

/* ---- pairs and whole rows ---- */

/* Mutual information of cells that are shares, corrected, over `fewer` bits. */
static double told(double (*cells)[LABELS][2], int side, const coded *a, const coded *b, int rows,
                   double fewer)
{
    double bits = 0, both = 0, single = 0;
    for (int i = 0; i < a->count; i++)
        for (int j = 0; j < b->count; j++) {
            double of_a = 0, of_b = 0, share = cells[i][j][side];
            for (int k = 0; k < b->count; k++)
                of_a += cells[i][k][side];
            for (int k = 0; k < a->count; k++)
                of_b += cells[k][j][side];
            single += (j == 0 && of_a > 0) + (i == 0 && of_b > 0);
            both += share > 0;
            bits += share > 0 ? share * log2(share / of_a / of_b) : 0;
        }
    bits -= fmax(both - single + 1, 0) / (2 * rows * log(2));
    return fmin(fmax(bits / fewer, 0), 1);
}

static void check_told(const world *w, const tacit_loss *loss, const tacit_loss_two_way *pair,
                       double (*cells)[LABELS][2], const coded *c)
{
    const tacit_loss_attribute *a = &loss->attributes[pair->second];
    const tacit_loss_attribute *b = &loss->attributes[pair->first];
    const coded *second = &c[pair->second], *first = &c[pair->first];
    double fewer = fmin(a->entropy_original, b->entropy_original);
    bool known = fewer > 0 && !a->read_as_claims && !b->read_as_claims;
    assert_same(pair->told_before, known ? told(cells, 0, second, first, w->rows, fewer) : NAN);
    assert_same(pair->told_after, known ? told(cells, 1, second, first, w->released, fewer) : NAN);
}

static void check_margins(const world *w, const tacit_loss *loss)
{
    static coded c[COLUMNS];
    double most_cell = -1, most_variation = -1, weight = 0;
    for (int i = 0; i < COLUMNS; i++)
        c[i] = code(w, i);
    for (int row = 0; row < w->released; row++)
        weight += weight_of(w, row);
    for (int a = 0; a < COLUMNS; a++)
        for (int b = 0; b < a; b++) {
            static double cells[LABELS][LABELS][2];
            double cell = 0, variation = 0;
            memset(cells, 0, sizeof cells);
            for (int row = 0; row < w->rows; row++)
                cells[c[a].before[row]][c[b].before[row]][0] += 1.0 / w->rows;
            for (int row = 0; row < w->released; row++)
                cells[c[a].after[row]][c[b].after[row]][1] += weight_of(w, row) / weight;
            for (int i = 0; i < c[a].count; i++)
                for (int j = 0; j < c[b].count; j++) {
                    double apart = fabs(cells[i][j][0] - cells[i][j][1]);
                    cell = fmax(cell, apart);
                    variation += apart / 2;
                }
            const tacit_loss_two_way *pair = &loss->two_way[a * (a - 1) / 2 + b];
            assert_true(pair->second == a && pair->first == b);
            assert_near(pair->cell, cell);
            assert_near(pair->variation, variation);
            check_told(w, loss, pair, cells, c);
            most_cell = fmax(most_cell, cell);
            most_variation = fmax(most_variation, variation);
        }
    assert_int_equal(loss->pairs, COLUMNS * (COLUMNS - 1) / 2);
    assert_near(loss->cell.change, most_cell);
    assert_near(loss->variation.change, most_variation);
    double intact = 0;
    for (int row = 0; row < w->released; row++) {
        bool same = w->origin[row] != TACIT_LOSS_MADE_UP;
        for (int i = 0; i < COLUMNS && same; i++)
            same = c[i].before[w->origin[row]] == c[i].after[row];
        intact += same;
    }
    assert_near(loss->intact, intact / w->rows);
}

/* What must hold of bars: they add up to all records, and show no few of them. */
static void check_bars(const world *w, const tacit_loss *loss)
{
    for (int i = 0; i < COLUMNS; i++) {
        const tacit_loss_attribute *a = &loss->attributes[i];
        double before = 0, after = 0;
        for (int bar = 0; bar < a->bar_count; bar++) {
            double records = a->bars[bar].before * w->rows;
            assert_true(records < 1e-9 || records > 5 - 1e-9);
            before += a->bars[bar].before;
            after += a->bars[bar].after;
        }
        if (a->bar_count) {
            assert_near(before, 1);
            assert_near(after, 1);
        }
    }
}

/* ---- tests ---- */

/* Numbers of a structure by their places; the bits are compared, so that NAN equals itself. */
static void assert_same_bits(const void *a, const void *b, const size_t *places, size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_memory_equal((const char *)a + places[i], (const char *)b + places[i],
                            sizeof(double));
}

#define OF(field) offsetof(tacit_loss_attribute, field)
#define IN(field) offsetof(tacit_loss, field)

static void assert_equal_losses(const tacit_loss *a, const tacit_loss *b)
{
    static const size_t OWN[] = {
        OF(entropy_original),  OF(entropy_release), OF(information),     OF(lost),
        OF(margin_change),     OF(compared),        OF(no_numbers),      OF(il1s),
        OF(mean_change),       OF(mean_shift),      OF(variance_change), OF(rank_change),
        OF(correlation_change)};
    static const size_t ALL[] = {IN(intact),
                                 IN(information),
                                 IN(lost),
                                 IN(joint_original),
                                 IN(joint_release),
                                 IN(il1s),
                                 IN(mean_shift),
                                 IN(variance_change),
                                 IN(covariance_change),
                                 IN(correlation_change),
                                 IN(eigen_first),
                                 IN(eigen_all),
                                 IN(cell.change),
                                 IN(variation.change),
                                 IN(pmse),
                                 IN(pmse_share),
                                 IN(pmse_expected),
                                 IN(pmse_ratio)};
    for (int32_t i = 0; i < a->attribute_count; i++) {
        assert_string_equal(a->attributes[i].name, b->attributes[i].name);
        assert_int_equal(a->attributes[i].bar_count, b->attributes[i].bar_count);
        assert_same_bits(&a->attributes[i], &b->attributes[i], OWN, sizeof OWN / sizeof OWN[0]);
    }
    assert_int_equal(a->cell.first, b->cell.first);
    assert_int_equal(a->variation.second, b->variation.second);
    assert_same_bits(a, b, ALL, sizeof ALL / sizeof ALL[0]);
}

static void test_formulas(void **state)
{
    uint64_t *seed = *state;
    static world w;
    for (*seed = 1; *seed <= many_cases(1500); ++*seed) {
        make_world(&w, *seed);
        tacit_loss_options options;
        tacit_loss_case c = {loss_table(w.texts[0]),
                             loss_table(w.texts[1]),
                             w.origin,
                             w.weighted ? w.weights : NULL,
                             {NULL, NULL}};
        tacit_loss_options_init(&options);
        tacit_loss *loss = loss_of_case(&c, &options, 1);
        assert_int_equal(loss->attribute_count, COLUMNS);
        for (int column = 0; column < COLUMNS; column++)
            check_information(&w, loss, column);
        for (int column = 0; column < 2; column++)
            check_numbers(&w, loss, column);
        check_correlations(&w, loss);
        check_margins(&w, loss);
        check_bars(&w, loss);
        assert_true(loss->pmse >= 0 && loss->pmse_share <= 1);
        if (*seed % 10 == 0)
            for (int threads = 2; threads <= 7; threads += 5) {
                tacit_loss *other = loss_of_case(&c, &options, threads);
                assert_equal_losses(loss, other);
                assert_memory_equal(loss->two_way, other->two_way,
                                    (size_t)loss->pairs * sizeof *loss->two_way);
                tacit_loss_free(other);
            }
        tacit_loss_free(loss);
        tacit_table_free((tacit_table *)c.original);
        tacit_table_free((tacit_table *)c.release);
    }
    *seed = 0;
}

/* However a table looks, nothing is lost when it is released as it is, in any order. */
static void test_identity(void **state)
{
    uint64_t *seed = *state;
    static world w;
    for (*seed = 1; *seed <= many_cases(500); ++*seed) {
        make_world(&w, *seed);
        uint64_t random = *seed;
        for (int row = 0; row < w.rows; row++)
            w.origin[row] = (uint32_t)row;
        for (int row = w.rows - 1; row > 0; row--) {
            uint32_t other = draw(&random, (uint32_t)row + 1), swapped = w.origin[row];
            w.origin[row] = w.origin[other];
            w.origin[other] = swapped;
        }
        for (int row = 0; row < w.rows; row++)
            memcpy(w.after[row], w.before[w.origin[row]], sizeof w.after[row]);
        write_table(w.texts[1], w.after, w.rows);
        tacit_loss *loss = loss_of(w.texts[0], w.texts[1], w.origin);
        for (int i = 0; i < COLUMNS; i++)
            assert_near(loss->attributes[i].lost, 0);
        assert_near(loss->lost, 0);
        assert_near(loss->intact, 1);
        assert_near(loss->joint_original, loss->joint_release);
        assert_near(loss->variation.change, 0);
        assert_near(loss->pmse, 0);
        assert_true(isnan(loss->il1s) || loss->il1s == 0);
        assert_true(isnan(loss->eigen_first) || fabs(loss->eigen_first) < 1e-9);
        tacit_loss_free(loss);
    }
    *seed = 0;
}

/* A large swap of few or many values, of numbers too, leaves next to nothing to be read. */
static void test_swapped(void **state)
{
    uint64_t *seed = *state;
    enum { ROWS = 2000 };
    static char texts[2][ROWS * 40];
    static int values[ROWS][3], order[ROWS];
    for (*seed = 1; *seed <= many_cases(8); ++*seed) {
        uint64_t random = *seed;
        size_t used[2] = {0, 0};
        for (int side = 0; side < 2; side++)
            used[side] = (size_t)sprintf(texts[side], "few,many,number\n");
        for (int row = 0; row < ROWS; row++) {
            order[row] = row;
            values[row][0] = (int)draw(&random, 3);
            values[row][1] = (int)draw(&random, 1000);
            values[row][2] = (int)draw(&random, 1 << 20);
        }
        for (int row = ROWS - 1; row > 0; row--) {
            int other = (int)draw(&random, (uint32_t)row + 1), swapped = order[row];
            order[row] = order[other];
            order[other] = swapped;
        }
        for (int row = 0; row < ROWS; row++)
            for (int side = 0; side < 2; side++) {
                const int *v = values[side ? order[row] : row];
                used[side] +=
                    (size_t)sprintf(texts[side] + used[side], "f%d,m%d,%d\n", v[0], v[1], v[2]);
            }
        tacit_loss *loss = loss_of(texts[0], texts[1], NULL);
        for (int i = 0; i < 3; i++) {
            assert_near(loss->attributes[i].margin_change, 0);
            if (loss->attributes[i].lost < 0.97)
                fail_msg("%s has lost %g", loss->attributes[i].name, loss->attributes[i].lost);
        }
        assert_true(loss->attributes[1].read_as_claims);
        assert_near(loss->pmse, 0);
        tacit_loss_free(loss);
    }
    *seed = 0;
}

int main(void)
{
    static uint64_t seed;
    const struct CMUnitTest tests[] = {random_test(test_formulas, &seed),
                                       random_test(test_identity, &seed),
                                       random_test(test_swapped, &seed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
