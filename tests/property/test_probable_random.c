/*
 * test_probable_random.c - linking by probability against its definitions on thousands of small
 * files: every pair is compared on the text, EM runs over all pairs, posteriors follow from the
 * formula, and of all assignments the best is looked for one by one. Then on a register with a
 * known truth, misspelled names, shifted dates and people who are not in it.
 *
 * TACIT_LONG in the environment makes a hundred times as many cases.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "linked.h"
#include "naive_csv.h"
#include "random_cases.h"

enum { CASES = 1500, COLUMNS = 4, MAX_RECORDS = 8, MAX_PEOPLE = 12 };
enum { NAME, BIRTH, ZIP, PAY };

static const char *const NAMES[COLUMNS] = {"name", "birth", "zip", "pay"};
static const tacit_hierarchy_spec *const SPECS[COLUMNS] = {&LINKED_PLAIN, &LINKED_PLAIN,
                                                           &LINKED_MASK, &LINKED_PLAIN};
static const double NEAR = 1e-7;

typedef struct world {
    uint64_t random;
    int records, people, passes;
    char record[MAX_RECORDS][COLUMNS][NAIVE_TEXT];
    char person[MAX_PEOPLE][COLUMNS][NAIVE_TEXT];
    naive_text release, reg;
    linked l;
    tacit_probable_options options;
    int32_t places[COLUMNS]; /* a column of the link each: which it is here */
} world;

/* ---- files ---- */

static void draw_value(char *out, int column, uint64_t *random)
{
    static const char *const WORDS[] = {"martha", "marhta",  "Martha", "dwayne",  "duane",
                                        "dixon",  "dickson", "jones",  "johnson", "an"};
    static const char *const ZIPS[] = {"02138", "02139", "02141", "94110", "94117"};
    if (draw(random, 12) == 0)
        *out = '\0';
    else if (column == NAME)
        strcpy(out, WORDS[draw(random, 10)]);
    else if (column == BIRTH)
        sprintf(out, "19%02u-%02u-%02u", 60 + draw(random, 3), 1 + draw(random, 4),
                1 + draw(random, 12));
    else if (column == ZIP)
        strcpy(out, ZIPS[draw(random, 5)]);
    else
        sprintf(out, "%u", 10 * draw(random, 12));
}

/* 0213* or 021** of a ZIP. */
static void mask_zip(char *zip, uint64_t *random)
{
    for (size_t from = 3 + draw(random, 2); *zip && from < 5; from++)
        zip[from] = '*';
}

/* A record is somebody's, with errors, and vague in its ZIP; or nobody's. */
static void draw_record(world *w, int r)
{
    int own = (int)draw(&w->random, (uint32_t)w->people);
    for (int c = 0; c < COLUMNS; c++) {
        char *out = w->record[r][c];
        if (draw(&w->random, 5))
            strcpy(out, w->person[own][c]);
        else
            draw_value(out, c, &w->random);
        if (c == ZIP && draw(&w->random, 3) == 0)
            mask_zip(out, &w->random);
        if (draw(&w->random, 15) == 0)
            strcpy(out, "*");
    }
}

static void put_rows(naive_text *to, char (*rows)[COLUMNS][NAIVE_TEXT], int count)
{
    naive_puts(to, "name,birth,zip,pay\n");
    for (int i = 0; i < count; i++)
        for (int c = 0; c < COLUMNS; c++) {
            naive_put_cell(to, rows[i][c], false);
            naive_put(to, c + 1 < COLUMNS ? ',' : '\n');
        }
    naive_put(to, '\0');
}

/* What a release and a register take to be linked: the case, and the columns of both. */
static void open_files(linked *l, const char *release, const char *people)
{
    tacit_error err = {0};
    linked_open(l, release, people);
    for (int c = 0; c < COLUMNS; c++)
        linked_by(l, NAMES[c], SPECS[c]);
    if (linked_try(l, NULL, &err) != TACIT_OK)
        fail_msg("%s", err.message);
}

static tacit_probable *link_files(const linked *l, const tacit_probable_options *options)
{
    int32_t places[COLUMNS];
    tacit_error err = {0};
    tacit_probable *found = NULL;
    bool names[COLUMNS];
    for (int32_t i = 0; i < l->c.column_count; i++) {
        places[i] = tacit_linkage_columns(l->linkage)[i];
        names[i] = places[i] == ZIP;
    }
    const tacit_probable_case c = {&l->c, l->release, l->registers[0], places, places, names};
    if (tacit_probable_new(&found, &c, options, NULL, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    return found;
}

/* ---- comparing, by the text ---- */

static double naive_jaro(const char *a, const char *b)
{
    int n = (int)strlen(a), k = (int)strlen(b), most = n > k ? n : k;
    int window = most / 2 - 1 > 0 ? most / 2 - 1 : 0, matches = 0, halves = 0, next = 0;
    int match_of[NAIVE_TEXT];
    bool taken[NAIVE_TEXT] = {false};
    for (int i = 0; i < n; i++) {
        match_of[i] = -1;
        for (int j = 0; j < k && match_of[i] < 0; j++)
            if (abs(i - j) <= window && !taken[j] && a[i] == b[j])
                match_of[i] = j;
        if (match_of[i] >= 0)
            taken[match_of[i]] = true;
        matches += match_of[i] >= 0;
    }
    for (int i = 0; i < n; i++) {
        if (match_of[i] < 0)
            continue;
        while (!taken[next])
            next++;
        halves += a[i] != b[next++];
    }
    return matches ? ((double)matches / n + (double)matches / k +
                      (double)(matches - halves / 2) / matches) /
                         3
                   : 0;
}

static double naive_likeness(const char *a, const char *b)
{
    char x[NAIVE_TEXT], y[NAIVE_TEXT];
    int same = 0;
    for (int i = 0; i == 0 || x[i - 1]; i++)
        x[i] = (char)(a[i] >= 'A' && a[i] <= 'Z' ? a[i] + 32 : a[i]);
    for (int i = 0; i == 0 || y[i - 1]; i++)
        y[i] = (char)(b[i] >= 'A' && b[i] <= 'Z' ? b[i] + 32 : b[i]);
    while (same < 4 && x[same] && x[same] == y[same])
        same++;
    double jaro = naive_jaro(x, y);
    return jaro + 0.1 * same * (1 - jaro);
}

static bool naive_near_dates(const char *a, const char *b)
{
    int x[3], y[3], length[] = {0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31},
                    days[2] = {0, 0};
    sscanf(a, "%d-%d-%d", &x[0], &x[1], &x[2]);
    sscanf(b, "%d-%d-%d", &y[0], &y[1], &y[2]);
    for (int side = 0; side < 2; side++) {
        int *d = side ? y : x;
        for (int year = 1960; year < d[0]; year++)
            days[side] += year % 4 ? 365 : 366;
        for (int month = 1; month < d[1]; month++)
            days[side] += length[month] + (month == 2 && d[0] % 4 == 0);
        days[side] += d[2];
    }
    int parts = (x[0] == y[0]) + (x[1] == y[1]) + (x[2] == y[2]);
    return parts >= 2 || abs(days[0] - days[1]) <= 31 ||
           (x[0] == y[0] && x[1] == y[2] && x[2] == y[1]);
}

static bool naive_same(int column, const char *released, const char *known)
{
    if (column != ZIP)
        return strcmp(released, known) == 0;
    for (int i = 0; i < 5; i++)
        if (released[i] != '*' && known[i] != '*' && released[i] != known[i])
            return false;
    return true;
}

/* Of the numbers that people have. */
static double naive_close(const world *w)
{
    double sum = 0, squares = 0, count = 0;
    for (int p = 0; p < w->people; p++)
        if (*w->person[p][PAY]) {
            sum += atof(w->person[p][PAY]);
            squares += atof(w->person[p][PAY]) * atof(w->person[p][PAY]);
            count++;
        }
    double variance = count ? squares / count - sum / count * (sum / count) : 0;
    return 0.25 * sqrt(variance > 0 ? variance : 0) + 1e-9;
}

/* Where nobody's value is a date or a number, texts are compared. */
static bool has_values(const world *w, int column)
{
    for (int p = 0; p < w->people; p++)
        if (*w->person[p][column])
            return true;
    return false;
}

static int naive_level(const world *w, int column, int r, int p)
{
    const char *a = w->record[r][column], *b = w->person[p][column];
    if (!*a || !*b || strcmp(a, "*") == 0)
        return TACIT_PROBABLE_LEVELS;
    if (naive_same(column, a, b))
        return TACIT_PROBABLE_SAME;
    if (strchr(a, '*') || strchr(b, '*'))
        return TACIT_PROBABLE_APART;
    bool near = column == BIRTH ? naive_near_dates(a, b)
                : column == PAY ? fabs(atof(a) - atof(b)) <= naive_close(w)
                                : naive_likeness(a, b) >= 0.85;
    return near ? TACIT_PROBABLE_NEAR : TACIT_PROBABLE_APART;
}

/* ---- the model, over all pairs ---- */

typedef struct model {
    double m[COLUMNS][3], near[COLUMNS], present;
    double same[COLUMNS][MAX_RECORDS]; /* share of the register that can have the value */
    double posterior[MAX_RECORDS][MAX_PEOPLE], sum[MAX_RECORDS];
    bool compared[MAX_RECORDS][MAX_PEOPLE];
} model;

static void measure_register(model *m, const world *w)
{
    for (int c = 0; c < COLUMNS; c++) {
        double near = 0.5, apart = 0.5;
        for (int r = 0; r < w->records; r++) {
            double same = 0, known = 0;
            for (int p = 0; p < w->people; p++) {
                int level = naive_level(w, c, r, p);
                known += *w->person[p][c] != '\0';
                same += level == TACIT_PROBABLE_SAME;
                near += level == TACIT_PROBABLE_NEAR;
                apart += level == TACIT_PROBABLE_APART;
            }
            bool silent = !*w->record[r][c] || strcmp(w->record[r][c], "*") == 0;
            m->same[c][r] = silent || known == 0 ? 1 : same / known;
        }
        m->near[c] = near / (near + apart);
    }
}

/* Who is in a block: of the columns with the smallest shares, the first ones, who is the same. */
static void find_blocks(model *m, const world *w)
{
    for (int r = 0; r < w->records; r++) {
        bool used[COLUMNS] = {false};
        for (int p = 0; p < w->people; p++)
            m->compared[r][p] = w->passes == 0;
        for (int pass = 0; pass < w->passes; pass++) {
            int best = -1;
            for (int32_t i = 0; i < COLUMNS; i++) {
                int c = w->places[i];
                if (!used[c] && m->same[c][r] < 1 && (best < 0 || m->same[c][r] < m->same[best][r]))
                    best = c;
            }
            if (best < 0)
                break;
            used[best] = true;
            for (int p = 0; p < w->people; p++)
                m->compared[r][p] |= naive_level(w, best, r, p) == TACIT_PROBABLE_SAME;
        }
    }
}

static double naive_likelihood(const model *m, const world *w, int r, int p)
{
    double product = 1;
    for (int c = 0; c < COLUMNS; c++) {
        double same = m->same[c][r], near = m->near[c];
        int level = naive_level(w, c, r, p);
        if (same < 1 && level == TACIT_PROBABLE_SAME)
            product *= m->m[c][level] / same;
        else if (same < 1 && level == TACIT_PROBABLE_NEAR)
            product *= m->m[c][level] / ((1 - same) * near);
        else if (same < 1 && level == TACIT_PROBABLE_APART)
            product *= m->m[c][level] / ((1 - same) * (1 - near));
    }
    return product;
}

static void find_posteriors(model *m, const world *w)
{
    for (int r = 0; r < w->records; r++) {
        m->sum[r] = 0;
        for (int p = 0; p < w->people; p++)
            m->sum[r] += m->compared[r][p] ? naive_likelihood(m, w, r, p) : 0;
        for (int p = 0; p < w->people; p++)
            m->posterior[r][p] = !m->compared[r][p]
                                     ? 0
                                     : m->present / w->people * naive_likelihood(m, w, r, p) /
                                           (1 - m->present + m->present / w->people * m->sum[r]);
    }
}

static bool is_compared(const model *m, const world *w, int r)
{
    for (int p = 0; p < w->people; p++)
        if (m->compared[r][p])
            return true;
    return false;
}

static void run_em(model *m, const world *w)
{
    static const double FIRST[3] = {0.90, 0.06, 0.04};
    m->present = 0.5;
    for (int c = 0; c < COLUMNS; c++)
        memcpy(m->m[c], FIRST, sizeof FIRST);
    for (int round = 0; round < 500; round++) {
        double present = 0.5, records = 1, count[COLUMNS][3], moved = 0;
        for (int c = 0; c < COLUMNS; c++)
            memcpy(count[c], FIRST, sizeof FIRST);
        find_posteriors(m, w);
        for (int r = 0; r < w->records; r++) {
            records += is_compared(m, w, r);
            for (int p = 0; p < w->people; p++) {
                present += m->posterior[r][p];
                for (int c = 0; c < COLUMNS; c++) {
                    int level = naive_level(w, c, r, p);
                    if (level < 3 && m->same[c][r] < 1)
                        count[c][level] += m->posterior[r][p];
                }
            }
        }
        moved = fabs(present / records - m->present);
        m->present = present / records;
        for (int c = 0; c < COLUMNS; c++)
            for (int level = 0; level < 3; level++) {
                double new = count[c][level] / (count[c][0] + count[c][1] + count[c][2]);
                moved = fmax(moved, fabs(new - m->m[c][level]));
                m->m[c][level] = new;
            }
        if (moved <= 1e-10)
            break;
    }
    find_posteriors(m, w);
}

/* ---- against it ---- */

/* The largest gain of records from one on, people being taken. */
static double best_gain(const model *m, const world *w, int r, unsigned taken)
{
    if (r == w->records)
        return 0;
    double best = best_gain(m, w, r + 1, taken);
    for (int p = 0; p < w->people; p++)
        if (!(taken >> p & 1) && m->posterior[r][p] >= 1.0 / TACIT_PROBABLE_CANDIDATES) {
            double odds = m->present / w->people * naive_likelihood(m, w, r, p) / (1 - m->present);
            best = fmax(best, log(odds) + best_gain(m, w, r + 1, taken | 1U << p));
        }
    return best;
}

static void check_assignment(const tacit_probable *found, const model *m, const world *w)
{
    double gain = 0;
    unsigned taken = 0;
    int64_t assigned = 0;
    for (int r = 0; r < w->records; r++) {
        uint32_t p = found->links[r].assigned;
        if (p == TACIT_LINK_NOBODY)
            continue;
        assert_false(taken >> p & 1);
        taken |= 1U << p;
        assigned++;
        assert_float_equal(found->links[r].assigned_posterior, m->posterior[r][p], NEAR);
        assert_true(m->posterior[r][p] >= 1.0 / TACIT_PROBABLE_CANDIDATES - NEAR);
        gain += log(m->present / w->people * naive_likelihood(m, w, r, (int)p) / (1 - m->present));
    }
    assert_int_equal(found->assigned, assigned);
    assert_float_equal(gain, best_gain(m, w, 0, 0), 1e-5);
}

static void check_model(const tacit_probable *found, const model *m, const world *w)
{
    for (int i = 0; i < COLUMNS; i++)
        assert_float_equal(found->near[i], m->near[w->places[i]], NEAR);
    assert_float_equal(found->present, m->present, NEAR);
    for (int i = 0; i < COLUMNS; i++)
        for (int level = 0; level < 3; level++)
            assert_float_equal(found->m[i][level], m->m[w->places[i]][level], NEAR);
    for (int r = 0; r < w->records; r++) {
        const tacit_probable_link *link = &found->links[r];
        double best = 0;
        assert_int_equal(link->record, r);
        for (int p = 0; p < w->people; p++)
            best = fmax(best, m->posterior[r][p]);
        assert_true((link->person == TACIT_LINK_NOBODY) == !is_compared(m, w, r));
        assert_float_equal(link->posterior, best, NEAR);
        if (link->person != TACIT_LINK_NOBODY)
            assert_float_equal(m->posterior[r][link->person], best, NEAR);
    }
}

static void check_case(uint64_t seed)
{
    world *w = calloc(1, sizeof *w);
    model *m = calloc(1, sizeof *m);
    w->random = seed * UINT64_C(0x9E3779B97F4A7C15) + 1;
    w->records = 1 + (int)draw(&w->random, MAX_RECORDS);
    w->people = 1 + (int)draw(&w->random, MAX_PEOPLE);
    w->passes = (int)draw(&w->random, 4);
    for (int p = 0; p < w->people; p++)
        for (int c = 0; c < COLUMNS; c++)
            draw_value(w->person[p][c], c, &w->random);
    for (int p = 0; p < w->people; p++) /* registers may be vague, too */
        if (draw(&w->random, 6) == 0)
            mask_zip(w->person[p][ZIP], &w->random);
    for (int c = 0; c < COLUMNS; c++)
        if (!has_values(w, c))
            strcpy(w->person[0][c], c == NAME    ? "jones"
                                    : c == BIRTH ? "1961-01-01"
                                    : c == ZIP   ? "02138"
                                                 : "10");
    for (int r = 0; r < w->records; r++)
        draw_record(w, r);
    put_rows(&w->release, w->record, w->records);
    put_rows(&w->reg, w->person, w->people);
    open_files(&w->l, w->release.bytes, w->reg.bytes);
    memcpy(w->places, tacit_linkage_columns(w->l.linkage), sizeof w->places);
    tacit_probable_options_init(&w->options);
    w->options.passes = w->passes;
    tacit_probable *found = link_files(&w->l, &w->options);
    measure_register(m, w);
    find_blocks(m, w);
    run_em(m, w);
    check_model(found, m, w);
    check_assignment(found, m, w);
    tacit_probable_free(found);
    linked_close(&w->l);
    free(w->release.bytes);
    free(w->reg.bytes);
    free(w);
    free(m);
}

static void test_small(void **state)
{
    uint64_t *seed = *state, cases = many_cases(CASES);
    for (*seed = 1; *seed <= cases; ++*seed)
        check_case(*seed);
    *seed = 0;
}

/* ---- assignments alone ---- */

enum { SIDE = 6 };

static double best_sum(double gains[SIDE][SIDE], int row, unsigned taken)
{
    if (row == SIDE)
        return 0;
    double best = best_sum(gains, row + 1, taken);
    for (int c = 0; c < SIDE; c++)
        if (!(taken >> c & 1) && !isnan(gains[row][c]))
            best = fmax(best, gains[row][c] + best_sum(gains, row + 1, taken | 1U << c));
    return best;
}

static void test_assignments(void **state)
{
    uint64_t *seed = *state, cases = many_cases(2 * CASES);
    for (*seed = 1; *seed <= cases; ++*seed) {
        uint64_t random = *seed * UINT64_C(0x9E3779B97F4A7C15) + 1;
        tacit_assignment_edge edges[SIDE * SIDE];
        size_t starts[SIDE + 1], count = 0;
        double gains[SIDE][SIDE], sum = 0;
        uint32_t match[SIDE], dense = 1 + draw(&random, 4), most = 2 + draw(&random, 20);
        unsigned taken = 0;
        for (int r = 0; r < SIDE; r++) {
            starts[r] = count;
            for (int c = 0; c < SIDE; c++) {
                gains[r][c] = draw(&random, 4) < dense ? (double)draw(&random, most) - 2 : NAN;
                if (!isnan(gains[r][c]))
                    edges[count++] = (tacit_assignment_edge){(uint32_t)c, gains[r][c]};
            }
        }
        starts[SIDE] = count;
        assert_int_equal(tacit_assignment_best(match, starts, edges, SIDE, SIDE, NULL), TACIT_OK);
        for (int r = 0; r < SIDE; r++) {
            if (match[r] == TACIT_LINK_NOBODY)
                continue;
            assert_false(taken >> match[r] & 1);
            taken |= 1U << match[r];
            sum += gains[r][match[r]];
        }
        assert_float_equal(sum, best_sum(gains, 0, 0), 1e-9);
    }
    *seed = 0;
}

/* ---- a register with a known truth ---- */

enum { REGISTER = 3000, THERE = 500, ELSEWHERE = 100 };

static void draw_name(char *out, uint64_t *random)
{
    static const char *const PARTS[] = {"ba", "lo", "mer", "tin", "sa",  "ko", "rel", "da",
                                        "vi", "no", "gar", "el",  "ith", "wu", "jen", "os"};
    *out = '\0';
    for (int i = 0; i < 4; i++)
        strcat(out, PARTS[draw(random, 16)]);
}

static void draw_person(char person[COLUMNS][NAIVE_TEXT], uint64_t *random)
{
    draw_name(person[NAME], random);
    sprintf(person[BIRTH], "%04u-%02u-%02u", 1930 + draw(random, 70), 1 + draw(random, 12),
            1 + draw(random, 28));
    sprintf(person[ZIP], "0%04u", 2100 + draw(random, 40));
    sprintf(person[PAY], "%u", 1000 * (10 + draw(random, 60)));
}

/* One in four names is misspelled, one in four dates shifted, one in six ZIPs is another; the last
 * digit is not released. */
static void make_errors(char person[COLUMNS][NAIVE_TEXT], uint64_t *random)
{
    if (draw(random, 4) == 0) {
        size_t at = 1 + draw(random, (uint32_t)strlen(person[NAME]) - 2);
        char kept = person[NAME][at];
        person[NAME][at] = person[NAME][at + 1];
        person[NAME][at + 1] = kept;
    }
    if (draw(random, 4) == 0)
        sprintf(person[BIRTH] + 8, "%02u", 1 + draw(random, 28));
    if (draw(random, 6) == 0)
        sprintf(person[ZIP], "0%04u", 2100 + draw(random, 40));
    strcpy(person[ZIP] + 4, "*");
}

typedef struct planted {
    char person[REGISTER][COLUMNS][NAIVE_TEXT];
    char record[THERE + ELSEWHERE][COLUMNS][NAIVE_TEXT];
    uint32_t truth[THERE + ELSEWHERE];
    naive_text release, reg;
} planted;

static planted *plant(uint64_t seed, bool unrelated)
{
    planted *p = calloc(1, sizeof *p);
    uint64_t random = seed * UINT64_C(0x9E3779B97F4A7C15) + 1;
    for (int i = 0; i < REGISTER; i++)
        draw_person(p->person[i], &random);
    for (int i = 0; i < THERE + ELSEWHERE; i++) {
        bool there = i % 6 != 0 && !unrelated;
        p->truth[i] = there ? (uint32_t)((i * 7919) % REGISTER) : TACIT_LINK_NOBODY;
        if (there)
            memcpy(p->record[i], p->person[p->truth[i]], sizeof p->record[i]);
        else
            draw_person(p->record[i], &random);
        make_errors(p->record[i], &random);
    }
    put_rows(&p->release, p->record, THERE + ELSEWHERE);
    put_rows(&p->reg, p->person, REGISTER);
    return p;
}

static void planted_free(planted *p)
{
    free(p->release.bytes);
    free(p->reg.bytes);
    free(p);
}

static void test_planted(void **state)
{
    uint64_t *seed = *state, cases = many_cases(4);
    for (*seed = 1; *seed <= cases; ++*seed) {
        planted *p = plant(*seed, false);
        linked l;
        tacit_probable_options options;
        tacit_link *exact = NULL;
        tacit_probable_options_init(&options);
        open_files(&l, p->release.bytes, p->reg.bytes);
        l.c.truth = p->truth;
        assert_int_equal(tacit_link_new(&exact, &l.c, NULL, NULL), TACIT_OK);
        tacit_probable *found = link_files(&l, &options);
        double declared = (double)found->declared, right = (double)found->right_declared;
        assert_int_equal(found->known, THERE);
        assert_true(right / declared > 0.97); /* those of nobody's records are wrong, too */
        assert_true(right / THERE > 0.95);
        assert_true(fabs(found->present - (double)THERE / (THERE + ELSEWHERE)) < 0.03);
        assert_true(fabs(found->expected - (double)found->right_assigned) < 15);
        assert_true(exact->truth.right < 0.6 * THERE); /* who allows for no errors finds few */
        options.passes = 0;
        tacit_probable *all = link_files(&l, &options);
        assert_int_equal(all->pairs, (int64_t)(THERE + ELSEWHERE) * REGISTER);
        assert_true(found->pairs < all->pairs / 5);
        assert_true(llabs(all->right_declared - found->right_declared) <= 10);
        tacit_probable_free(all);
        tacit_probable_free(found);
        tacit_link_free(exact);
        linked_close(&l);
        planted_free(p);
    }
    *seed = 0;
}

/* Nobody is found in a register of others. */
static void test_unrelated(void **state)
{
    uint64_t *seed = *state;
    for (*seed = 1; *seed <= 3; ++*seed) {
        planted *p = plant(*seed, true);
        linked l;
        tacit_probable_options options;
        tacit_probable_options_init(&options);
        open_files(&l, p->release.bytes, p->reg.bytes);
        tacit_probable *found = link_files(&l, &options);
        assert_true(found->declared <= 2);
        assert_true(found->present < 0.1);
        tacit_probable_free(found);
        linked_close(&l);
        planted_free(p);
    }
    *seed = 0;
}

/* Limits leave records out, those attacked are what they were, and no limit is passed. */
static void test_limits(void **state)
{
    (void)state;
    planted *p = plant(1, false);
    linked l;
    tacit_probable_options options;
    tacit_probable_options_init(&options);
    open_files(&l, p->release.bytes, p->reg.bytes);
    options.max_records = 50;
    tacit_probable *found = link_files(&l, &options);
    assert_int_equal(found->records, 50);
    assert_int_equal(found->all, THERE + ELSEWHERE);
    for (int64_t i = 1; i < found->records; i++)
        assert_true(found->links[i - 1].record < found->links[i].record);
    tacit_probable_free(found);
    options.max_records = 1000;
    options.max_pairs = 20000;
    found = link_files(&l, &options);
    assert_true(found->records > 0 && found->records < THERE);
    assert_true(found->pairs < 20000 + REGISTER);
    tacit_probable_free(found);
    linked_close(&l);
    planted_free(p);
}

/* W. E. Winkler (1990) and the tables that repeat him. */
static void test_likeness(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        double alike;
    } PAIRS[] = {{"MARTHA", "MARHTA", 0.961},
                 {"DWAYNE", "DUANE", 0.840},
                 {"DIXON", "DICKSONX", 0.813},
                 {"SHACKLEFORD", "SHACKELFORD", 0.982},
                 {"NICHLESON", "NICHULSON", 0.956},
                 {"JERALDINE", "GERALDINE", 0.926},
                 {"abc", "xyz", 0},
                 {"a", "a", 1},
                 {"", "", 1},
                 {"a", "", 0},
                 {"Same", "sAME", 1}};
    for (size_t i = 0; i < sizeof PAIRS / sizeof *PAIRS; i++) {
        tacit_strview a = tacit_strview_of(PAIRS[i].a), b = tacit_strview_of(PAIRS[i].b);
        assert_float_equal(tacit_likeness(a, b), PAIRS[i].alike, 0.0006);
        assert_float_equal(tacit_likeness(b, a), PAIRS[i].alike, 0.0006);
    }
}

int main(void)
{
    uint64_t seed = 0;
    const struct CMUnitTest tests[] = {
        random_test(test_small, &seed),   random_test(test_assignments, &seed),
        random_test(test_planted, &seed), random_test(test_unrelated, &seed),
        cmocka_unit_test(test_limits),    cmocka_unit_test(test_likeness),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
