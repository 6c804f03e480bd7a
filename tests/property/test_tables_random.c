/*
 * test_tables_random.c - random hierarchies and records, and what the definitions say of every
 * cell, computed from the records alone: value, contributors, the largest of them, the
 * relations, the rules; and tables that come back the same from .jj and from CSV.
 */
#include "tables.h"

#include "random_cases.h"

enum { LEAVES = 12, LABELS = 64, TREES = 2, RECORDS = 60, DIMENSIONS = 3 };

/* A dimension as its trees: which ground codes lie under each name. */
typedef struct axis {
    int leaves;
    int labels;
    char names[LABELS][8];
    uint32_t under[LABELS]; /* bit a leaf */
    int trees;
    char text[TREES][2048]; /* as .hrc */
    char path[TREES][128];
} axis;

typedef struct record {
    int leaf[DIMENSIONS];
    double value, shadow, weight;
    int holding; /* -1: none */
    bool asked;
} record;

typedef struct world {
    int dimensions;
    axis axes[DIMENSIONS];
    int records;
    record list[RECORDS];
    bool weighted, holdings, shadow, negative, counts;
} world;

static int label_of(axis *a, const char *name, uint32_t under)
{
    for (int i = 0; i < a->labels; i++)
        if (!strcmp(a->names[i], name)) {
            assert_int_equal(a->under[i], under);
            return i;
        }
    assert_true(a->labels < LABELS);
    strcpy(a->names[a->labels], name);
    a->under[a->labels] = under;
    return a->labels++;
}

static void write_line(axis *a, int t, int depth, const char *name)
{
    size_t len = strlen(a->text[t]);
    for (int i = 0; i <= depth; i++)
        a->text[t][len++] = '@';
    snprintf(a->text[t] + len, sizeof a->text[t] - len, ";%s\n", name);
}

/* Writes a node with the leaves [from, to) of an order, cut at random; now and then a name
 * stands alone above another. */
static void grow(axis *a, int t, int depth, const int *order, int from, int to, int *fresh)
{
    char name[8];
    uint32_t under = 0;
    for (int i = from; i < to; i++)
        under |= 1u << order[i];
    if (to - from == 1)
        snprintf(name, sizeof name, "l%d", order[from]);
    else if (depth == 0)
        strcpy(name, "T");
    else
        snprintf(name, sizeof name, "%c%d", 'a' + t, (*fresh)++);
    if (depth > 0 && depth < 5 && random_below(8) == 0 && t == 0) {
        char above[8];
        snprintf(above, sizeof above, "s%d", (*fresh)++);
        label_of(a, above, under);
        write_line(a, t, depth++, above);
    }
    label_of(a, name, under);
    write_line(a, t, depth, name);
    if (to - from == 1)
        return;
    for (int at = from; at < to;) {
        int most = depth < 3 ? to - at : 1;
        int step = at == from ? 1 + random_below(to - from - 1) : 1 + random_below(most);
        step = step > most ? most : step;
        grow(a, t, depth + 1, order, at, at + step, fresh);
        at += step;
    }
}

static void make_axis(axis *a, int number)
{
    int order[LEAVES], fresh = 0;
    *a = (axis){.leaves = 2 + random_below(5), .trees = 1 + (random_below(4) == 0)};
    for (int t = 0; t < a->trees; t++) {
        char name[32];
        for (int i = 0; i < a->leaves; i++) {
            int j = random_below(i + 1);
            order[i] = order[j];
            order[j] = i;
        }
        grow(a, t, 0, order, 0, a->leaves, &fresh);
        snprintf(name, sizeof name, "%d-%d.hrc", number, t);
        strcpy(a->path[t], file_of(name, a->text[t]));
    }
}

static void make_world(world *w)
{
    memset(w, 0, sizeof *w);
    w->dimensions = 1 + random_below(DIMENSIONS);
    for (int d = 0; d < w->dimensions; d++)
        make_axis(&w->axes[d], d);
    w->records = random_below(RECORDS);
    w->weighted = random_below(3) == 0;
    w->holdings = random_below(2);
    w->shadow = random_below(4) == 0;
    w->counts = random_below(4) == 0;
    w->negative = !w->counts && random_below(4) == 0;
    for (int i = 0; i < w->records; i++) {
        record *r = &w->list[i];
        for (int d = 0; d < w->dimensions; d++)
            r->leaf[d] = random_below(w->axes[d].leaves);
        r->value = random_below(100) * (random_below(4) == 0 ? 10 : 1) - (w->negative ? 50 : 0);
        r->shadow = random_below(50);
        r->weight = w->weighted ? (2 + random_below(15)) / 4.0 : 1;
        r->holding = w->holdings && random_below(5) ? random_below(8) : -1;
        r->asked = random_below(6) == 0;
    }
}

static char *csv_text(const world *w)
{
    char *text = malloc(RECORDS * 128 + 128), *at = text;
    for (int d = 0; d < w->dimensions; d++)
        at += sprintf(at, "d%d,", d);
    at += sprintf(at, "v,s,w,h,r\n");
    for (int i = 0; i < w->records; i++) {
        const record *r = &w->list[i];
        for (int d = 0; d < w->dimensions; d++)
            at += sprintf(at, "l%d,", r->leaf[d]);
        at += sprintf(at, "%.0f,%.0f,%.2f,", r->value, r->shadow, r->weight);
        at += r->holding < 0 ? sprintf(at, ",") : sprintf(at, "h%d,", r->holding);
        at += sprintf(at, "%s\n", r->asked ? "1" : i % 2 ? "0" : "");
    }
    return text;
}

static tacit_cells_spec *spec_for(const world *w)
{
    char text[2048] = "";
    for (int d = 0; d < w->dimensions; d++) {
        size_t len = strlen(text);
        snprintf(text + len, sizeof text - len, "d%d=%s%s%s ", d, w->axes[d].path[0],
                 w->axes[d].trees > 1 ? "," : "", w->axes[d].trees > 1 ? w->axes[d].path[1] : "");
    }
    tacit_cells_spec *spec = &spec_of(text)->spec;
    spec->value = w->counts ? NULL : "v";
    spec->weight = w->weighted ? "w" : NULL;
    spec->holding = w->holdings ? "h" : NULL;
    spec->shadow = w->shadow ? "s" : NULL;
    spec->request = "r";
    spec->cost = "s";
    spec->negative = w->negative;
    spec->top = 3;
    return spec;
}

static tacit_cells *cells_for(const world *w)
{
    char *text = csv_text(w);
    tacit_cells *cells = cells_of(text, spec_for(w), tacit_cells_from_records);
    free(text);
    return cells;
}

/* What one cell holds, by the definitions. */
typedef struct truth {
    double value, measure, gross;
    int64_t freq;
    double size[RECORDS], weight[RECORDS]; /* of contributors, largest first */
    bool asked[RECORDS];
} truth;

static bool lies_in(const world *w, const record *r, const int *labels)
{
    for (int d = 0; d < w->dimensions; d++)
        if (!(w->axes[d].under[labels[d]] >> r->leaf[d] & 1))
            return false;
    return true;
}

static double variable(const world *w, const record *r)
{
    return w->shadow ? r->shadow : w->counts ? 1 : r->value;
}

/* Contributors one by one: each holding, and each record without one. */
static truth truth_of(const world *w, const int *labels)
{
    truth t = {0};
    for (int i = 0; i < w->records; i++) {
        const record *r = &w->list[i];
        if (!lies_in(w, r, labels))
            continue;
        t.value += r->weight * (w->counts ? 1 : r->value);
        t.measure += r->weight * r->shadow;
        double sum = 0, weighted = 0;
        int records = 0;
        bool first = true, asked = false;
        for (int j = 0; j < w->records; j++) {
            const record *o = &w->list[j];
            bool same = i == j || (r->holding >= 0 && r->holding == o->holding);
            if (!same || !lies_in(w, o, labels))
                continue;
            first &= j >= i;
            records++;
            sum += variable(w, o);
            weighted += variable(w, o) * o->weight;
        }
        for (int j = 0; j < w->records; j++) {
            bool same = i == j || (r->holding >= 0 && r->holding == w->list[j].holding);
            asked |= same && w->list[j].asked;
        }
        if (!first)
            continue;
        bool units = !w->holdings; /* a holding is one, whatever its records stand for */
        double size = fabs(units ? sum : weighted), weight = units ? r->weight : 1;
        t.gross += size * weight;
        int at = (int)t.freq++;
        for (; at > 0 && t.size[at - 1] < size; at--) {
            t.size[at] = t.size[at - 1];
            t.weight[at] = t.weight[at - 1];
            t.asked[at] = t.asked[at - 1];
        }
        t.size[at] = size;
        t.weight[at] = weight;
        t.asked[at] = asked;
    }
    return t;
}

/* The largest sum that so many units of contributors make up. */
static double largest(const truth *t, double units)
{
    double sum = 0;
    for (int i = 0; i < t->freq && units > 0; i++) {
        double taken = fmin(units, fmax(t->weight[i], 1));
        sum += taken * t->size[i];
        units -= taken;
    }
    return sum;
}

static void assert_near(double a, double b)
{
    if (fabs(a - b) > 1e-9 * fmax(1, fabs(b)))
        fail_msg("%.17g is not %.17g", a, b);
}

/* Calls for every combination of names. */
static void each_cell(const world *w, const tacit_cells *cells,
                      void (*check)(const world *, const tacit_cells *, int32_t, const truth *))
{
    int labels[DIMENSIONS] = {0}, d;
    do {
        char names[64] = "";
        for (d = 0; d < w->dimensions; d++) {
            strcat(names, w->axes[d].names[labels[d]]);
            strcat(names, "|");
        }
        truth t = truth_of(w, labels);
        check(w, cells, cell_named(cells, names), &t);
        for (d = w->dimensions - 1; d >= 0; d--) {
            if (++labels[d] < w->axes[d].labels)
                break;
            labels[d] = 0;
        }
    } while (d >= 0);
}

static void check_cell(const world *w, const tacit_cells *cells, int32_t cell, const truth *t)
{
    assert_near(cells->value[cell], t->value);
    assert_near(cells->measure[cell], t->measure);
    assert_int_equal(cells->freq[cell], t->freq);
    assert_int_equal(cells->gross != NULL, w->negative || w->shadow);
    if (cells->gross)
        assert_near(cells->gross[cell], t->gross);
    for (int r = 0; r < cells->top_count; r++)
        assert_near(cells->top[cell * cells->top_count + r], largest(t, r + 1) - largest(t, r));
    bool tie = t->freq > 1 && t->size[0] == t->size[1];
    if (!tie)
        assert_int_equal(cells->asked[cell], t->freq > 0 && t->asked[0]);
}

static void check_relations(const tacit_cells *cells)
{
    const tacit_relations *all = &cells->relations;
    int64_t expected = 0;
    bool several = false;
    for (int32_t d = 0; d < cells->dimension_count; d++) {
        const tacit_dimension *dimension = &cells->dimensions[d];
        for (int32_t t = 0; t < dimension->tree_count; t++)
            for (int32_t c = 0; c < dimension->code_count; c++) {
                const int32_t *starts = dimension->trees[t].child_starts;
                assert_int_not_equal(starts[c + 1] - starts[c], 1); /* folded */
                if (starts[c + 1] > starts[c])
                    expected += cells->count / dimension->code_count;
            }
        several |= dimension->tree_count > 1;
    }
    if (several)
        assert_true(all->count <= expected);
    else
        assert_int_equal(all->count, expected);
    for (int32_t r = 0; r < all->count; r++) {
        double sum = 0;
        for (int64_t j = all->starts[r]; j < all->starts[r + 1]; j++) {
            assert_true(all->coefs[j] == (j == all->starts[r] ? -1 : 1));
            sum += all->coefs[j] * cells->value[all->items[j]];
        }
        assert_near(sum, 0);
    }
    int32_t *order = sorted_relations(all);
    for (int32_t r = 1; r < all->count; r++)
        assert_true(compare_relations(&order[r - 1], &order[r]) < 0);
    free(order);
}

enum { WORLDS = 150 };

static void test_records(void **state)
{
    uint64_t *seed = *state;
    for (*seed = 1; *seed <= many_cases(WORLDS); ++*seed) {
        world w;
        random_start(*seed);
        make_world(&w);
        tacit_cells *cells = cells_for(&w);
        each_cell(&w, cells, check_cell);
        check_relations(cells);
        tacit_cells_free(cells);
        tables_end(NULL);
    }
    *seed = 0;
}

static tacit_rule rule_now;
static tacit_level_side side_now;

/* The level at which a rule finds the cell, from the contributors alone; -1: by the margin;
 * 0: it does not. */
static double found(const truth *t, const world *w)
{
    const tacit_rule *rule = &rule_now;
    double total = w->negative || w->shadow ? t->gross : fabs(t->value);
    double first = largest(t, 1), two = largest(t, 2), level = 0;
    switch (rule->kind) {
    case TACIT_RULE_FREQ: return t->freq >= 1 && t->freq <= rule->n ? -1 : 0;
    case TACIT_RULE_REQUEST: return t->asked[0] && first > rule->p / 100 * total ? -1 : 0;
    case TACIT_RULE_DOMINANCE: level = 100 / rule->p * largest(t, rule->n) - total; break;
    case TACIT_RULE_P: level = rule->p / 100 * first - (total - two); break;
    case TACIT_RULE_PQ: level = rule->p / rule->q * first - (total - two); break;
    }
    if (fabs(level) <= 1e-9 * total)
        return 0;
    return fmax(level, 0);
}

static void check_rule(const world *w, const tacit_cells *cells, int32_t cell, const truth *t)
{
    double level = found(t, w), total = w->negative || w->shadow ? t->gross : 0;
    bool tie = t->freq > 1 && t->size[0] == t->size[1];
    if (rule_now.kind == TACIT_RULE_REQUEST && tie)
        return;
    if (t->value == 0 && total == 0) {
        assert_int_equal(cells->status[cell], t->freq ? 's' : 'z');
        return;
    }
    assert_int_equal(cells->status[cell], level != 0 ? 'u' : 's');
    double below = cells->value[cell] - cells->lower[cell];
    double above = cells->upper[cell] - cells->value[cell];
    bool margin = level < 0;
    if (margin)
        level = fmax(w->counts, 0.1 * fabs(t->value));
    else if (w->shadow && level > 0)
        level *= fabs(t->value) / t->gross; /* to the scale of the value */
    bool low = margin || side_now == TACIT_LEVEL_BOTH || side_now == TACIT_LEVEL_LOWER;
    bool high = margin || side_now == TACIT_LEVEL_BOTH || side_now == TACIT_LEVEL_UPPER;
    assert_near(cells->lpl[cell], low ? fmin(level, below) : 0);
    assert_near(cells->upl[cell], high ? fmin(level, above) : 0);
    assert_near(cells->spl[cell], low || high ? 0 : fmin(2 * level, above + below));
}

static void test_rules(void **state)
{
    uint64_t *seed = *state;
    static const char *const RULES[] = {"freq:3", "nk:1,75",  "nk:2,60.5", "p:15",
                                        "p:100",  "pq:20,40", "request:30"};
    for (*seed = 1; *seed <= many_cases(WORLDS); ++*seed) {
        world w;
        random_start(*seed);
        make_world(&w);
        tacit_cells *cells = cells_for(&w);
        tacit_rules_options options;
        tacit_error err = {0};
        tacit_rules_options_init(&options);
        options.zero = TACIT_CELL_FREE;
        options.side = side_now = (tacit_level_side)random_below(4);
        assert_int_equal(
            tacit_rule_parse(&rule_now, RULES[random_below(sizeof RULES / sizeof *RULES)], NULL),
            TACIT_OK);
        if (tacit_cells_apply_rules(cells, &rule_now, 1, &options, &err) != TACIT_OK)
            fail_msg("%s", err.message);
        each_cell(&w, cells, check_rule);
        assert_int_equal(tacit_cells_check(cells, NULL), TACIT_OK);
        tacit_cells_free(cells);
        tables_end(NULL);
    }
    *seed = 0;
}

/* Several rules: primary where any finds, the largest of their levels. */
static void test_rules_together(void **state)
{
    uint64_t *seed = *state;
    static const char *const RULES[] = {"freq:2", "nk:2,70", "p:20"};
    for (*seed = 1; *seed <= many_cases(WORLDS); ++*seed) {
        world w;
        random_start(*seed);
        make_world(&w);
        tacit_cells *cells = cells_for(&w), *single[3];
        tacit_rule rules[3];
        tacit_rules_options options;
        tacit_rules_options_init(&options);
        for (int r = 0; r < 3; r++) {
            single[r] = cells_for(&w);
            assert_int_equal(tacit_rule_parse(&rules[r], RULES[r], NULL), TACIT_OK);
            assert_int_equal(tacit_cells_apply_rules(single[r], &rules[r], 1, &options, NULL), 0);
        }
        assert_int_equal(tacit_cells_apply_rules(cells, rules, 3, &options, NULL), TACIT_OK);
        for (int32_t c = 0; c < cells->count; c++) {
            bool any = false;
            double low = 0, high = 0;
            for (int r = 0; r < 3; r++) {
                any |= single[r]->status[c] == 'u';
                low = fmax(low, single[r]->lpl[c]);
                high = fmax(high, single[r]->upl[c]);
            }
            assert_int_equal(cells->status[c] == 'u', any);
            assert_true(cells->lpl[c] == low && cells->upl[c] == high);
        }
        for (int r = 0; r < 3; r++)
            tacit_cells_free(single[r]);
        tacit_cells_free(cells);
        tables_end(NULL);
    }
    *seed = 0;
}

/* Written and read again: the same bits from .jj, and from CSV with the same hierarchies. */
static void test_round_trip(void **state)
{
    uint64_t *seed = *state;
    for (*seed = 1; *seed <= many_cases(WORLDS); ++*seed) {
        world w;
        random_start(*seed);
        make_world(&w);
        tacit_cells *cells = cells_for(&w);
        tacit_rule rule;
        tacit_rules_options options;
        tacit_rules_options_init(&options);
        options.side = (tacit_level_side)random_below(4);
        assert_int_equal(tacit_rule_parse(&rule, "p:33.3", NULL), TACIT_OK);
        assert_int_equal(tacit_cells_apply_rules(cells, &rule, 1, &options, NULL), TACIT_OK);
        assert_int_equal(
            tacit_cells_set_costs(cells, TACIT_COST_VALUE, random_below(3) / 2.0, NULL), TACIT_OK);
        char *jj = written(write_as_jj, cells), *csv = written(write_as_csv, cells);
        tacit_cells *from_jj = jj_of(jj);
        assert_same_cells(cells, from_jj);
        tacit_cells_spec *spec = spec_for(&w);
        spec->weight = spec->holding = spec->shadow = spec->request = spec->cost = NULL;
        spec->value = strstr(csv, ";value;") ? "value" : NULL;
        tacit_cells *from_csv = cells_of(csv, spec, tacit_cells_from_table);
        assert_same_cells(cells, from_csv);
        assert_memory_equal(cells->freq, from_csv->freq, cells->count * sizeof *cells->freq);
        assert_memory_equal(cells->top, from_csv->top,
                            cells->count * cells->top_count * sizeof *cells->top);
        tacit_cells_free(cells);
        tacit_cells_free(from_jj);
        tacit_cells_free(from_csv);
        free(jj);
        free(csv);
        tables_end(NULL);
    }
    *seed = 0;
}

int main(void)
{
    uint64_t seed = 0;
    const struct CMUnitTest tests[] = {
        random_test(test_records, &seed),
        random_test(test_rules, &seed),
        random_test(test_rules_together, &seed),
        random_test(test_round_trip, &seed),
    };
    return cmocka_run_group_tests(tests, NULL, tables_end);
}
