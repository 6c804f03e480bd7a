/*
 * test_models_agree.c - methods and judge read models alike: of random nodes of
 * random lattices, those that the methods would release are those that the
 * judge lets pass. Neither knows the other's code.
 */
#include "models_random.h"

#include "random_cases.h"

#include <tacit/experimental/audit.h>

static const char *const NAMES[] = {"zip", "group", "age", "s", "t", "u", "w"};

/* The release of a node as CSV. */
static char *release_text(const instance *x, const int *levels)
{
    char *text = malloc((size_t)(tacit_table_rows(x->data.table) + 1) * 128);
    size_t at = 0;
    for (int c = 0; c < COLUMNS; c++)
        at += (size_t)sprintf(text + at, "%s%c", NAMES[c], c + 1 < COLUMNS ? ',' : '\n');
    for (int64_t row = 0; row < tacit_table_rows(x->data.table); row++) {
        tacit_strview cells[COLUMNS];
        tacit_table_row(x->data.table, row, cells);
        for (int c = 0; c < COLUMNS; c++) {
            tacit_strview cell = c < ATTRIBUTES ? name_on(&x->data, row, c, levels[c]) : cells[c];
            at += (size_t)sprintf(text + at, "%.*s%c", (int)cell.len, cell.bytes ? cell.bytes : "",
                                  c + 1 < COLUMNS ? ',' : '\n');
        }
    }
    return text;
}

static bool passes(const instance *x, const int *levels)
{
    tacit_promise_attribute attributes[ATTRIBUTES];
    tacit_promise_model models[MAX_MODELS];
    tacit_verdict *verdict = NULL;
    tacit_error err = {0};
    tacit_run run;
    fixture release;
    tacit_run_init(&run);
    for (int a = 0; a < ATTRIBUTES; a++)
        attributes[a] = (tacit_promise_attribute){NAMES[a], &x->specs[a]};
    for (int32_t i = 0; i < x->data.frame.model_count; i++) {
        const tacit_model *m = &x->models[i];
        models[i] =
            (tacit_promise_model){m->bound, m->column < 0 ? NULL : NAMES[m->column],
                                  m->hierarchy ? &x->trees_spec[m->column - 3] : NULL, m->spread};
    }
    char *text = release_text(x, levels);
    fixture_open(&release, text);
    tacit_promise promise = {.k = 1,
                             .attributes = attributes,
                             .attribute_count = ATTRIBUTES,
                             .models = models,
                             .model_count = x->data.frame.model_count};
    tacit_evidence evidence = {.release = release.table,
                               .original = x->data.table,
                               .same_order = true,
                               .population = x->people.table};
    if (tacit_audit_release(&verdict, &promise, &evidence, &run, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    bool holds = verdict->holds;
    for (int32_t i = 0; i < verdict->finding_count; i++)
        if (verdict->findings[i].kind != TACIT_FINDING_MODEL)
            fail_msg("%s", verdict->findings[i].message);
    tacit_verdict_free(verdict);
    fixture_close(&release);
    free(text);
    return holds;
}

static void test_agree(void **state)
{
    (void)state;
    static const int ground[ATTRIBUTES] = {0};
    static node n;
    int released = 0, nodes = (int)many_cases(1000);
    for (int i = 0; i < nodes; i++) {
        instance x;
        open_instance(&x, 5000000 + (uint64_t)i);
        tacit_classes *base = classes_on(&x.data, ground);
        tacit__models *models = models_on(&x.data, base, 2);
        memset(n.levels, 0, sizeof n.levels);
        raise_levels(n.levels, &x, &x.random);
        group_rows(&n, &x, base);
        fail_node(&n, models, 2);
        bool keeps = !any_fails(&n);
        if (keeps != passes(&x, n.levels))
            fail_msg("instance %d: methods and judge disagree", i);
        released += keeps;
        tacit__models_free(models);
        tacit_classes_free(base);
        close_instance(&x);
    }
    assert_in_range(released, nodes / 50, nodes - nodes / 50); /* both happen */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
