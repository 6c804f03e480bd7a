/*
 * test_audit_noise.c - the judge of counts with noise: what is honest holds, and noise that is
 * missing or of another scale, another count, a sum that is off and people who count too often are
 * found.
 */
#include "tables.h"

#include <tacit/experimental/audit_noise.h>

#include "people.h"
#include "rounding.h"
#include "starve.h"

typedef struct noisy {
    tacit_table *records;
    tacit_cells *cells;
    tacit_altered altered;
    tacit_noise_claim claim;
} noisy;

static noisy noisy_of(const char *text, const tacit_cells_spec *spec, uint64_t seed)
{
    noisy n = {.records = csv_of(text)};
    tacit_alter_options options;
    tacit_error err = {0};
    if (tacit_cells_from_records(&n.cells, n.records, spec, NULL, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    tacit_alter_options_init(&options);
    options.epsilon = 1000000;
    options.most = spec->most;
    n.altered = altered_by(n.cells, "dp", &options, seed, 1);
    n.claim = (tacit_noise_claim){
        .records = n.records, .person = spec->holding, .most = spec->most, .epsilon = 1000000};
    return n;
}

static void noisy_clear(noisy *n)
{
    tacit_altered_clear(&n->altered);
    tacit_cells_free(n->cells);
    tacit_table_free(n->records);
}

static tacit_noise_audit audit_of(const noisy *n, const double *published)
{
    tacit_noise_audit audit;
    tacit_error err = {0};
    if (tacit_audit_noise(&audit, n->cells, published, &n->claim, NULL, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    return audit;
}

/* Random people with many records, by every bound: the judge counts what the method counts. */
static void test_honest(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        tables_end(NULL);
        char *text = people_records(1 + (int)seed % 9, 60, seed, -1);
        noisy n = noisy_of(text, people_spec(1 + (int32_t)seed % 4), seed);
        tacit_noise_audit audit = audit_of(&n, n.altered.value);
        assert_true(tacit_noise_holds(&audit));
        assert_int_equal(audit.ground, PEOPLE_GROUND);
        assert_int_equal(audit.left_out, n.cells->left_out);
        assert_true(audit.people <= 1 + (int)seed % 9);
        noisy_clear(&n);
        free(text);
    }
}

/* 400 cells in one dimension, of which a few are not empty. */
static noisy wide_of(uint64_t seed)
{
    static char codes[8000], dimension[200];
    int at = 0;
    for (int i = 0; i < 400; i++)
        at += sprintf(codes + at, "c%d;all\n", i);
    tables_end(NULL);
    snprintf(dimension, sizeof dimension, "code=%s", file_of("codes.csv", codes));
    table_spec *spec = spec_of(dimension);
    spec->spec.most = 1;
    return noisy_of("code\nc1\nc1\nc2\nc399\n", &spec->spec, seed);
}

static void test_noise(void **state)
{
    (void)state;
    noisy n = wide_of(5);
    double *other = calloc((size_t)n.cells->count, sizeof *other);
    tacit_noise_audit audit = audit_of(&n, n.altered.value);
    assert_true(tacit_noise_holds(&audit));
    assert_int_equal(audit.people, 4);
    assert_true(audit.distance < 0.1 && audit.chance > 0.001);
    /* none */
    audit = audit_of(&n, n.cells->value);
    assert_false(tacit_noise_holds(&audit));
    /* four times as much as is said: found by its distribution */
    for (int32_t i = 0; i < n.cells->count; i++)
        other[i] = n.cells->value[i] + 4 * (n.altered.value[i] - n.cells->value[i]);
    audit = audit_of(&n, other);
    assert_int_equal(audit.broken, 0);
    assert_true(audit.distance > 0.15);
    /* as if it were for an epsilon of 8 */
    n.claim.epsilon = 8000000;
    audit = audit_of(&n, n.altered.value);
    assert_false(tacit_noise_holds(&audit));
    free(other);
    noisy_clear(&n);
}

/* Distances by hand: noise 0 in both of two cells, where P(X <= -1) is q/(1 + q). */
static void test_distance(void **state)
{
    (void)state;
    tables_end(NULL);
    char text[200];
    snprintf(text, sizeof text, "code=%s", file_of("two.csv", "a;all\nb;all\n"));
    table_spec *spec = spec_of(text);
    spec->spec.most = 1;
    noisy n = noisy_of("code\na\n", &spec->spec, 1);
    tacit_noise_audit audit = audit_of(&n, n.cells->value);
    double q = exp(-1), distance = q / (1 + q);
    assert_true(fabs(audit.distance - distance) < 1e-12);
    assert_true(fabs(audit.chance - fmin(1, 2 * exp(-4 * distance * distance))) < 1e-12);
    noisy_clear(&n);
}

static void test_found(void **state)
{
    (void)state;
    tables_end(NULL);
    noisy n =
        noisy_of("id,place,branch\n1,north,farm\n1,south,mine\n2,west,bank\n", people_spec(2), 9);
    tacit_noise_audit audit = audit_of(&n, n.altered.value);
    assert_true(tacit_noise_holds(&audit));
    /* a person counts twice where once is said */
    n.claim.most = 1;
    audit = audit_of(&n, n.altered.value);
    assert_int_equal(audit.miscounted, 1);
    assert_int_equal(audit.left_out, 1);
    assert_false(tacit_noise_holds(&audit));
    n.claim.most = 2;
    /* a sum is off, and a value is no whole number */
    n.altered.value[0]++;
    audit = audit_of(&n, n.altered.value);
    assert_true(audit.broken > 0);
    n.altered.value[0] -= 0.5;
    audit = audit_of(&n, n.altered.value);
    assert_true(audit.broken > 1);
    noisy_clear(&n);
}

static tacit_status attempt(void *context, tacit_error *err)
{
    const noisy *n = context;
    tacit_noise_audit audit = {.ground = -7};
    tacit_status status =
        tacit_audit_noise(&audit, n->cells, n->altered.value, &n->claim, NULL, err);
    assert_true(status == TACIT_OK ? audit.ground == PEOPLE_GROUND : audit.ground == -7);
    return status;
}

static tacit_status attempt_method(void *context, tacit_error *err)
{
    const tacit_table *records = context;
    tacit_cells *cells = NULL;
    tacit_altered altered = {.changed = -7};
    tacit_alter_options options;
    tacit_run run = starve_run(1);
    tacit_alter_options_init(&options);
    options.epsilon = options.most = 1;
    tacit_status status = tacit_cells_from_records(&cells, records, people_spec(1), NULL, err);
    if (status == TACIT_OK)
        status = tacit_alter(&altered, cells, tacit_alter_method_find("dp"), &options, &run, err);
    if (status == TACIT_OK)
        tacit_altered_clear(&altered);
    else
        assert_int_equal(altered.changed, -7);
    tacit_cells_free(cells);
    tables_end(NULL);
    return status;
}

static void test_memory(void **state)
{
    (void)state;
    tables_end(NULL);
    noisy n =
        noisy_of("id,place,branch\n1,north,farm\n1,south,mine\n2,west,bank\n", people_spec(2), 9);
    starve(attempt, &n);
    tables_end(NULL);
    starve_some(attempt_method, n.records, 60);
    noisy_clear(&n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_honest),   cmocka_unit_test(test_noise),
        cmocka_unit_test(test_distance), cmocka_unit_test(test_found),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, tables_end);
}
