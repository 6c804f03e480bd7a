/*
 * test_audit_finer.c - the minimality attack on promises of sensitive values: examples by hand, and
 * random tables against going through every group of rows that a class could have in a finer one.
 */
#include "models.h"

#include "random_cases.h"

#include <tacit/experimental/audit_finer.h>

enum { ROWS = 11 };

static const tacit_hierarchy_spec MASK = {.kind = TACIT_HIERARCHY_MASK};

/* Attacks the data with zip released on a level. */
static tacit_finer attack(const fixture *f, int level, int64_t k, const tacit_model *model)
{
    char text[4096] = "zip,ill\n";
    size_t at = strlen(text);
    for (int64_t row = 0; row < tacit_table_rows(f->table); row++) {
        tacit_strview cells[2], zip = name_on(f, row, 0, level);
        tacit_table_row(f->table, row, cells);
        at += (size_t)sprintf(text + at, "%.*s,%.*s\n", (int)zip.len, zip.bytes, (int)cells[1].len,
                              cells[1].bytes);
    }
    fixture release;
    tacit_run run;
    tacit_error err = {0};
    tacit_finer found = {0};
    const tacit_promise_attribute attribute = {"zip", &MASK};
    const tacit_promise_model models[] = {{model->bound, "ill", NULL, model->spread}};
    const tacit_promise promise = {
        .k = k, .attributes = &attribute, .attribute_count = 1, .models = models, .model_count = 1};
    fixture_open(&release, text);
    tacit_run_init(&run);
    const tacit_evidence evidence = {.release = release.table, .original = f->table};
    if (tacit_audit_finer(&found, &promise, &evidence, NULL, &run, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    fixture_close(&release);
    return found;
}

static void test_by_hand(void **state)
{
    (void)state;
    static const struct {
        const char *rows;
        tacit_model_bound bound;
        int64_t k, refused, candidates, exposed, certain;
    } CASES[] = {
        /* three cannot share one of HIV, HIV, flu, cold, cough, two can, and what is plain */
        {"11,h\n11,h\n12,f\n12,c\n12,g\n", {TACIT_MODEL_DISTINCT, 2, 0}, 2, 1, 1, 2, 2},
        /* either pair may have it */
        {"11,h\n11,h\n12,f\n12,c\n", {TACIT_MODEL_DISTINCT, 2, 0}, 2, 1, 2, 0, 0},
        /* one value or the other: the pair is known, its value is not */
        {"11,h\n11,h\n12,f\n12,f\n12,g\n", {TACIT_MODEL_DISTINCT, 2, 0}, 2, 1, 1, 2, 0},
        /* k explains it */
        {"11,h\n12,h\n12,f\n12,c\n", {TACIT_MODEL_DISTINCT, 2, 0}, 2, 0, 0, 0, 0},
        /* of three, two with h are more than half; of five they are not */
        {"11,h\n11,h\n11,f\n12,a\n12,b\n12,c\n12,d\n12,e\n",
         {TACIT_MODEL_ALPHA, 0.5, 0},
         3,
         1,
         1,
         3,
         0},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        fixture f;
        char text[256];
        snprintf(text, sizeof text, "zip,ill\n%s", CASES[i].rows);
        fixture_open(&f, text);
        fixture_mask(&f, "zip");
        const tacit_model model = {.bound = CASES[i].bound, .column = 1};
        tacit_finer found = attack(&f, 1, CASES[i].k, &model);
        assert_true(found.asked);
        assert_int_equal(found.refused, CASES[i].refused);
        assert_int_equal(found.candidates, CASES[i].candidates);
        assert_int_equal(found.exposed_rows, CASES[i].exposed);
        assert_int_equal(found.certain_rows, CASES[i].certain);
        fixture_close(&f);
    }
}

/* Whether some n rows of a class break the model. */
static bool some_break(const fixture *f, const rows_list *class, int64_t n,
                       const tacit_model *model)
{
    for (uint32_t set = 0; set < UINT32_C(1) << class->count; set++) {
        rows_list part = {.count = 0};
        if (__builtin_popcount(set) != n)
            continue;
        for (int64_t i = 0; i < class->count; i++)
            if (set >> i & 1)
                part.rows[part.count++] = class->rows[i];
        if (!naive_sensitive(f, &part, model))
            return true;
    }
    return false;
}

static rows_list like(const fixture *f, int64_t row, int level)
{
    rows_list list = {.count = 0};
    for (int64_t i = 0; i < tacit_table_rows(f->table); i++)
        if (value_on(f, i, 0, level) == value_on(f, row, 0, level))
            list.rows[list.count++] = i;
    return list;
}

static void expect(const fixture *f, int level, int64_t k, const tacit_model *model)
{
    int64_t candidates = 0, rows = 0;
    bool keeps_k = true;
    for (int64_t row = 0; row < tacit_table_rows(f->table); row++) {
        rows_list class = like(f, row, level), group = like(f, row, level - 1);
        if (group.rows[0] != row) /* each group once */
            continue;
        keeps_k &= group.count >= k;
        if (group.count == class.count || !some_break(f, &class, group.count, model))
            continue;
        candidates++;
        rows += group.count;
    }
    tacit_finer found = attack(f, level, k, model);
    assert_true(found.asked);
    assert_int_equal(found.refused, keeps_k);
    assert_int_equal(found.candidates, keeps_k ? candidates : 0);
    assert_int_equal(found.candidate_rows, keeps_k ? rows : 0);
    assert_int_equal(found.exposed_rows, keeps_k && candidates == 1 ? rows : 0);
    assert_int_equal(found.impossible, keeps_k && candidates == 0);
}

static void draw_bound(tacit_model *model, uint64_t *random)
{
    static const tacit_spread SPREADS[] = {{0, false}, {2, false}, {0.2, true}};
    *model = (tacit_model){.column = 1, .spread = SPREADS[next_number(random, 3)]};
    model->bound.kind = (tacit_model_kind)next_number(random, 4);
    switch (model->bound.kind) {
    case TACIT_MODEL_DISTINCT: model->bound.bound = 2 + next_number(random, 2); break;
    case TACIT_MODEL_ENTROPY: model->bound.bound = 1.3 + next_number(random, 8) / 5.0; break;
    case TACIT_MODEL_RECURSIVE:
        model->bound.bound = 2 + next_number(random, 2);
        model->bound.second = (1 + next_number(random, 8)) / 3.0;
        break;
    default: model->bound.bound = (2 + next_number(random, 8)) / 10.0;
    }
}

static void test_random(void **state)
{
    (void)state;
    uint64_t random = 26;
    for (uint32_t i = 0; i < many_cases(60); i++) {
        char text[256] = "zip,ill\n";
        size_t at = strlen(text);
        int rows = 2 + (int)next_number(&random, ROWS - 1);
        uint32_t values = 2 + next_number(&random, 8);
        for (int row = 0; row < rows; row++)
            at += (size_t)sprintf(text + at, "%u%u,%u\n", next_number(&random, 2),
                                  next_number(&random, 3), next_number(&random, values));
        fixture f;
        tacit_model model;
        fixture_open(&f, text);
        fixture_mask(&f, "zip");
        draw_bound(&model, &random);
        /* a level that shows as many labels as the one below could be that one */
        for (int level = 1; level <= 2; level++)
            expect(&f, level, 1 + next_number(&random, 3), &model);
        fixture_close(&f);
    }
}

/* What mingen refused always had a group that breaks the promise, and the attack never rules it
 * out. */
static void test_mingen_is_not_ruled_out(void **state)
{
    (void)state;
    uint64_t random = 7;
    int refused = 0;
    for (uint32_t i = 0; i < many_cases(300); i++) {
        char text[512] = "zip,ill\n";
        size_t at = strlen(text);
        int rows = 4 + (int)next_number(&random, 20);
        for (int row = 0; row < rows; row++)
            at += (size_t)sprintf(text + at, "%u%u,%u\n", next_number(&random, 2),
                                  next_number(&random, 2), next_number(&random, 5));
        fixture f;
        tacit_model model;
        tacit_run run;
        tacit_solution *solution = NULL;
        fixture_open(&f, text);
        fixture_mask(&f, "zip");
        draw_bound(&model, &random);
        f.frame.models = &model;
        f.frame.model_count = 1;
        tacit_run_init(&run);
        const tacit_records_options options = {.k = 2};
        if (tacit_method_find("mingen")->solve(&solution, &f.frame, &options, &run, NULL) ==
                TACIT_OK &&
            solution->suppressed_rows == 0 && solution->levels[0] > 0) {
            tacit_finer found = attack(&f, solution->levels[0], 2, &model);
            assert_int_equal(found.impossible, 0);
            refused += found.refused;
        }
        tacit_solution_free(solution);
        fixture_close(&f);
    }
    assert_true(refused > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mingen_is_not_ruled_out),
                                       cmocka_unit_test(test_by_hand),
                                       cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
