/*
 * test_audit_models.c - promises beyond k before the judge: every model on classes
 * small enough to be computed by hand, rows moved so that a model breaks, rows
 * suppressed and left out, and what cannot be checked, which must be found.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "audit_case.h"

#define KIND(k)  (1u << TACIT_FINDING_##k)
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static char folder[] = "/tmp/tacit-models-XXXXXX";
static char tree_file[64], flat_file[64];
static tacit_hierarchy_spec TREE, TALL_TREE, FLAT_TREE;

static void write_file(char *path, size_t size, const char *name, const char *text)
{
    snprintf(path, size, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static int set_up(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(folder));
    write_file(tree_file, sizeof tree_file, "tree.csv",
               "flu;chest;any\ncold;chest;any\nhiv;blood;any\n;none;any\n");
    write_file(flat_file, sizeof flat_file, "flat.csv", "flu;any\ncold;any\n");
    TREE = (tacit_hierarchy_spec){TACIT_HIERARCHY_FILE, .no_suppression = true, .path = tree_file};
    TALL_TREE = (tacit_hierarchy_spec){TACIT_HIERARCHY_FILE, .path = tree_file};
    FLAT_TREE = (tacit_hierarchy_spec){TACIT_HIERARCHY_FILE, .path = flat_file};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    unlink(tree_file);
    unlink(flat_file);
    return rmdir(folder);
}

static bool near(double a, double b)
{
    return a == b || fabs(a - b) < 1e-9;
}

/* ---- hand-computed ---- */

/* Class 1: flu flu cold hiv. Class 2: flu flu flu cold. Of 8: 5, 2 and 1. */
static const char MIXED[] = "a,d\n1,flu\n2,flu\n1,flu\n1,cold\n2,flu\n1,hiv\n2,flu\n2,cold\n";

/* Class 1: flu flu flu hiv. Class 2: cold cold cold hiv. Of 8: 3, 3 and 2. */
static const char SPLIT[] = "a,d\n1,flu\n2,cold\n1,flu\n2,cold\n1,flu\n2,cold\n1,hiv\n2,hiv\n";

static const struct hand {
    const char *release;
    tacit_model_bound bound;
    double worst;
    int64_t classes, rows; /* that break it */
    int64_t row;           /* the first of them */
} HANDS[] = {
    {MIXED, {TACIT_MODEL_DISTINCT, 2, 0}, 2, 0, 0, 0},
    {MIXED, {TACIT_MODEL_DISTINCT, 3, 0}, 2, 1, 4, 2},
    {MIXED, {TACIT_MODEL_DISTINCT, 4, 0}, 2, 2, 8, 1},
    /* 1.5 bits and 0.75 log2(4/3) + 0.25 log2(4) bits */
    {MIXED, {TACIT_MODEL_ENTROPY, 1.75, 0}, 1.7547653506033955, 0, 0, 0},
    {MIXED, {TACIT_MODEL_ENTROPY, 1.76, 0}, 1.7547653506033955, 1, 4, 2},
    {MIXED, {TACIT_MODEL_ENTROPY, 2.8284271247461903, 0}, 1.7547653506033955, 1, 4, 2},
    {MIXED, {TACIT_MODEL_ENTROPY, 2.8285, 0}, 1.7547653506033955, 2, 8, 1},
    {MIXED, {TACIT_MODEL_ENTROPY, 1, 0}, 1.7547653506033955, 0, 0, 0},
    /* 2 against 1 + 1, and 3 against 1: less than c times as often */
    {MIXED, {TACIT_MODEL_RECURSIVE, 2, 3.01}, 3, 0, 0, 0},
    {MIXED, {TACIT_MODEL_RECURSIVE, 2, 3}, 3, 1, 4, 2},
    {MIXED, {TACIT_MODEL_RECURSIVE, 2, 1.01}, 3, 1, 4, 2},
    {MIXED, {TACIT_MODEL_RECURSIVE, 2, 1}, 3, 2, 8, 1},
    /* 2 against 1, and 3 against nothing */
    {MIXED, {TACIT_MODEL_RECURSIVE, 3, 1000}, INFINITY, 1, 4, 2},
    {MIXED, {TACIT_MODEL_RECURSIVE, 3, 2}, INFINITY, 2, 8, 1},
    {MIXED, {TACIT_MODEL_ALPHA, 0.75, 0}, 0.75, 0, 0, 0},
    {MIXED, {TACIT_MODEL_ALPHA, 0.74, 0}, 0.75, 1, 4, 2},
    {MIXED, {TACIT_MODEL_ALPHA, 0.49, 0}, 0.75, 2, 8, 1},
    /* one eighth too much hiv, one eighth too much flu */
    {MIXED, {TACIT_MODEL_CLOSENESS, 0.125, 0}, 0.125, 0, 0, 0},
    {MIXED, {TACIT_MODEL_CLOSENESS, 0.12, 0}, 0.125, 2, 8, 1},
    {SPLIT, {TACIT_MODEL_CLOSENESS, 0.375, 0}, 0.375, 0, 0, 0},
    {SPLIT, {TACIT_MODEL_CLOSENESS, 0.37, 0}, 0.375, 2, 8, 1},
    /* 3/8 move between flu and cold, half the height apart */
    {SPLIT, {TACIT_MODEL_CLOSENESS_TREE, 0.1875, 0}, 0.1875, 0, 0, 0},
    {SPLIT, {TACIT_MODEL_CLOSENESS_TREE, 0.187, 0}, 0.1875, 2, 8, 1},
    /* 1/8 moves from blood to chest, the whole height */
    {MIXED, {TACIT_MODEL_CLOSENESS_TREE, 0.125, 0}, 0.125, 0, 0, 0},
    /* hiv has 1/4 of class 1 and 1/8 of all; no words are in order, and none spans anything */
    {MIXED, {TACIT_MODEL_LIKENESS, 1, 0}, 1, 0, 0, 0},
    {MIXED, {TACIT_MODEL_LIKENESS, 0.5, 0}, 1, 1, 4, 1},
    /* flu 3/4 to 5/8: a gain of 1/5 where ln(8/5) = 0.47 is allowed, and hiv's 1 of ln(8) */
    {MIXED, {TACIT_MODEL_LIKENESS_ENHANCED, 1, 0}, 1, 0, 0, 0},
    {MIXED, {TACIT_MODEL_DISCLOSURE, 9, 0}, INFINITY, 1, 4, 2},
    {MIXED, {TACIT_MODEL_CLOSENESS_ORDER, 0.125, 0}, 0.125, 0, 0, 0},
    {MIXED, {TACIT_MODEL_RANGE, 1, 0}, 0, 2, 8, 1},
};

static void test_by_hand(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(HANDS); i++) {
        const struct hand *h = &HANDS[i];
        bool tree = h->bound.kind == TACIT_MODEL_CLOSENESS_TREE;
        audit_case c = {.promise = {.k = 4}, .release = h->release};
        case_attribute(&c, "a", &CASE_NONE);
        case_model(&c, h->bound, "d", tree ? &TREE : NULL);
        tacit_verdict *v = case_judge(&c);
        const tacit_model_verdict *m = &v->models[0];
        if (!near(m->worst, h->worst) || m->classes_failing != h->classes)
            fail_msg("case %zu: worst %.17g, %d fail", i, m->worst, (int)m->classes_failing);
        assert_true(m->checked);
        assert_int_equal(m->classes, 2);
        assert_int_equal(m->rows_failing, h->rows);
        assert_int_equal(v->holds, h->classes == 0);
        assert_int_equal(verdict_kinds(v), h->classes ? KIND(MODEL) : 0);
        if (h->classes) {
            const tacit_finding *f = verdict_finding(v, TACIT_FINDING_MODEL);
            assert_int_equal(f->row, h->row);
            assert_int_equal(f->count, h->rows);
        }
        tacit_verdict_free(v);
    }
}

/* A suppressed level on top makes the tree taller and distances smaller. */
static void test_height(void **state)
{
    (void)state;
    audit_case c = {.promise = {.k = 4}, .release = SPLIT};
    case_attribute(&c, "a", &CASE_NONE);
    case_model(&c, (tacit_model_bound){TACIT_MODEL_CLOSENESS_TREE, 0.125, 0}, "d", &TALL_TREE);
    tacit_verdict *v = case_judge(&c);
    assert_true(v->holds && near(v->models[0].worst, 0.125));
    tacit_verdict_free(v);
}

/* Missing is a value, with a place of its own in the tree. */
static void test_missing(void **state)
{
    (void)state;
    audit_case c = {.promise = {.k = 2}, .release = "a,d\n1,flu\n1,\n2,cold\n2,\n"};
    case_attribute(&c, "a", &CASE_NONE);
    case_model(&c, (tacit_model_bound){TACIT_MODEL_DISTINCT, 2, 0}, "d", NULL);
    case_model(&c, (tacit_model_bound){TACIT_MODEL_CLOSENESS, 0.25, 0}, "d", NULL);
    case_model(&c, (tacit_model_bound){TACIT_MODEL_CLOSENESS_TREE, 0.125, 0}, "d", &TREE);
    assert_int_equal(case_kinds(&c), 0);
    c.release = "a,d\n1,flu\n1,flu\n2,\n2,\n"; /* all the way over the root */
    tacit_verdict *v = case_judge(&c);
    assert_true(near(v->models[2].worst, 0.5));
    assert_int_equal(v->finding_count, 3);
    tacit_verdict_free(v);
}

static void test_messages(void **state)
{
    (void)state;
    audit_case c = {.promise = {.k = 4}, .release = MIXED};
    case_attribute(&c, "a", &CASE_NONE);
    case_model(&c, (tacit_model_bound){TACIT_MODEL_DISTINCT, 3, 0}, "d", NULL);
    case_model(&c, (tacit_model_bound){TACIT_MODEL_RECURSIVE, 2, 1}, "d", NULL);
    case_model(&c, (tacit_model_bound){TACIT_MODEL_PRESENCE, 0.9, 0.5}, NULL, NULL);
    c.population = "a\n1\n1\n2\n2\n2\n2\n2\n2\n2\n2\n2\n2\n";
    tacit_verdict *v = case_judge(&c);
    assert_int_equal(v->finding_count, 3);
    assert_string_equal(
        v->findings[0].message,
        "1 class of 4 rows on a breaks distinct 3 of column \"d\", with 2 at worst; "
        "the first is that of row 2 (line 3)");
    assert_string_equal(v->findings[1].message,
                        "2 classes of 8 rows on a break recursive 1/2 of column \"d\", with 3 at "
                        "worst; the first is that of row 1 (line 2)");
    assert_string_equal(v->findings[2].message,
                        "2 classes of 8 rows on a break presence 0.5/0.9 of the population, with 2 "
                        "at worst; the first is that of row 1 (line 2)");
    assert_true(near(v->models[2].least, 0.4));
    tacit_verdict_free(v);
}

/* ---- the population ---- */

static const char PEOPLE[] = "b,a,c\n"
                             "x,11,1\nx,12,2\nx,12,3\ny,11,4\nx,21,5\ny,21,6\ny,22,7\n,31,8\n";

/* The same without the last. */
static const char REGISTERED[] = "b,a,c\n"
                                 "x,11,1\nx,12,2\nx,12,3\ny,11,4\nx,21,5\ny,21,6\ny,22,7\n";

/* Rows of the release, and whom each covers of the eight above. */
static const struct covered {
    const char *release;
    double least;
} COVERED[] = {
    {"a,b\n11,x\n", 1},       {"a,b\n1*,x\n", 3}, {"a,b\n1*,*\n", 4}, {"a,b\n*,y\n", 3},
    {"a,b\n*,*\n", 8},        {"a,b\n31,\n", 1},  {"a,b\n3*,y\n", 0}, {"a,b\n99,x\n", 0},
    {"a,b\n12,x\n1*,x\n", 2}, {"a,b\n*,\n", 1},   {"a,b\n,x\n", 0},   {"a,b\n2*,x\n*,*\n", 1},
    {"a,b\n2*,y\n*,*\n", 2},  {"a,b\n11,*\n", 2}, {"a,b\n11,z\n", 0},
};

static void test_covered(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(COVERED); i++) {
        audit_case c = {.promise = {.k = 1}, .release = COVERED[i].release, .population = PEOPLE};
        case_attribute(&c, "a", &CASE_MASK);
        case_attribute(&c, "b", &CASE_NONE);
        case_model(&c, (tacit_model_bound){TACIT_MODEL_MAP, 2, 0}, NULL, NULL);
        tacit_verdict *v = case_judge(&c);
        if (!near(v->models[0].worst, COVERED[i].least))
            fail_msg("case %zu: %g people covered", i, v->models[0].worst);
        assert_int_equal(v->holds, COVERED[i].least >= 2);
        tacit_verdict_free(v);
    }
}

static void test_presence(void **state)
{
    (void)state;
    /* 3 of 4 under (1*, *), and 1 of 3 under (2*, *) */
    audit_case c = {.promise = {.k = 1}, .release = "a,b\n1*,*\n2*,*\n1*,*\n1*,*\n"};
    case_attribute(&c, "a", &CASE_MASK);
    case_attribute(&c, "b", &CASE_NONE);
    case_model(&c, (tacit_model_bound){TACIT_MODEL_PRESENCE, 0.75, 0}, NULL, NULL);
    case_model(&c, (tacit_model_bound){TACIT_MODEL_PRESENCE, 0.75, 1.0 / 3}, NULL, NULL);
    c.population = REGISTERED;
    tacit_verdict *v = case_judge(&c);
    assert_true(v->holds);
    assert_true(near(v->models[0].worst, 0.75) && near(v->models[0].least, 1.0 / 3));
    tacit_verdict_free(v);
    c.population = PEOPLE; /* one more, who is known to be absent */
    v = case_judge(&c);
    assert_int_equal(v->finding_count, 1);
    assert_string_equal(v->findings[0].message,
                        "1 of the population lies in no class on a, b and is known to be absent, "
                        "against presence 0.3333333333/0.75");
    assert_true(near(v->models[1].least, 0));
    tacit_verdict_free(v);
    c.population = REGISTERED;
    c.models[0].bound.bound = 0.74;
    c.models[1].bound.second = 0.34;
    v = case_judge(&c);
    assert_int_equal(v->finding_count, 2);
    assert_int_equal(v->findings[0].row, 1);
    assert_int_equal(v->findings[0].count, 3);
    assert_int_equal(v->findings[1].row, 2);
    assert_int_equal(v->findings[1].count, 1);
    assert_non_null(strstr(v->findings[1].message, "with 0.3333 at worst"));
    tacit_verdict_free(v);
    c.release = "a,b\n99,x\n"; /* nobody in the register could be it */
    c.models[0].bound.bound = 1;
    v = case_judge(&c);
    assert_true(!v->holds && isinf(v->models[0].worst));
    tacit_verdict_free(v);
}

/* ---- suppressed rows, rows left out, several quasi-identifiers ---- */

static void test_suppressed_rows(void **state)
{
    (void)state;
    audit_case c = {.promise = {.k = 2}, .release = "a,b,d\n1,x,flu\n1,x,cold\n*,*,hiv\n*,*,hiv\n"};
    case_attribute(&c, "a", &CASE_NONE);
    case_attribute(&c, "b", &CASE_NONE);
    case_model(&c, (tacit_model_bound){TACIT_MODEL_DISTINCT, 2, 0}, "d", NULL);
    tacit_verdict *v = case_judge(&c);
    assert_int_equal(verdict_kinds(v), KIND(MODEL));
    assert_int_equal(v->findings[0].row, 3);
    assert_int_equal(v->findings[0].count, 2);
    tacit_verdict_free(v);
    /* On each of two quasi-identifiers they hide among others, but not from who looks at both. */
    static const uint64_t sets[] = {1, 2};
    c.promise.sets = sets;
    c.promise.set_count = 2;
    c.release = "a,b,d\n*,x,flu\n*,x,cold\n1,*,flu\n1,*,cold\n*,*,hiv\n*,*,hiv\n";
    v = case_judge(&c);
    assert_int_equal(verdict_kinds(v), KIND(MODEL));
    assert_int_equal(v->finding_count, 1);
    assert_string_equal(v->findings[0].message,
                        "1 class of 2 rows, suppressed rows together, breaks distinct 2 of column "
                        "\"d\", with 1 at worst; the first is that of row 5 (line 6)");
    assert_int_equal(v->models[0].classes, 5);
    tacit_verdict_free(v);
}

/* What holds on all attributes may be asked on each of several sets. */
static void test_sets(void **state)
{
    (void)state;
    static const uint64_t sets[] = {1, 2};
    audit_case c = {.promise = {.k = 2, .sets = sets, .set_count = 2}};
    c.release = "a,b,d\n1,x,flu\n1,y,cold\n2,x,flu\n2,y,cold\n";
    case_attribute(&c, "a", &CASE_NONE);
    case_attribute(&c, "b", &CASE_NONE);
    case_model(&c, (tacit_model_bound){TACIT_MODEL_ALPHA, 0.5, 0}, "d", NULL);
    case_model(&c, (tacit_model_bound){TACIT_MODEL_MAP, 3, 0}, NULL, NULL);
    c.population = "a,b\n1,x\n1,x\n1,z\n2,y\n2,y\n2,y\n";
    tacit_verdict *v = case_judge(&c);
    assert_int_equal(v->finding_count, 2); /* a is fine: both are about b */
    assert_non_null(strstr(v->findings[0].message, "2 classes of 4 rows on b break alpha 0.5"));
    assert_non_null(strstr(v->findings[1].message, "1 class of 2 rows on b breaks k-map 3"));
    assert_int_equal(v->findings[1].row, 1);
    tacit_verdict_free(v);
}

static const char WHOLE[] = "a,d\n1,flu\n1,cold\n2,flu\n2,cold\n3,hiv\n4,hiv\n";
static const char REST[] = "a,d\n1,flu\n1,cold\n2,flu\n2,cold\n";

static void test_rows_left_out(void **state)
{
    (void)state;
    static const uint32_t order[] = {0, 1, 2, 3};
    for (int known = 0; known < 2; known++) {
        audit_case c = {.promise = {.k = 2, .suppressed_dropped = true}};
        c.original = WHOLE;
        c.release = REST;
        c.order = known ? order : NULL;
        case_attribute(&c, "a", &CASE_NONE);
        case_model(&c, (tacit_model_bound){TACIT_MODEL_CLOSENESS, 0.34, 0}, "d", NULL);
        case_model(&c, (tacit_model_bound){TACIT_MODEL_DISTINCT, 2, 0}, "d", NULL);
        case_model(&c, (tacit_model_bound){TACIT_MODEL_MAP, 3, 0}, NULL, NULL);
        c.population = "a\n1\n1\n1\n2\n2\n2\n";
        tacit_verdict *v = case_judge(&c);
        /* of the original a third is flu, cold and hiv each */
        assert_true(near(v->models[0].worst, 2.0 / 3));
        assert_int_equal(v->models[0].classes_failing, 1);
        assert_int_equal(v->models[1].classes_failing, 1);
        assert_int_equal(v->models[2].classes, 3);
        assert_int_equal(v->models[2].classes_failing, 0);
        assert_int_equal(v->finding_count, 2);
        assert_string_equal(v->findings[0].message,
                            "1 class of 2 rows, those left out of the release, breaks closeness "
                            "0.34 of column \"d\", with 0.6667 at worst");
        assert_int_equal(v->findings[0].row, 0);
        tacit_verdict_free(v);
        c.models[0].bound.bound = 0.33;
        v = case_judge(&c);
        assert_int_equal(v->models[0].classes_failing, 3);
        tacit_verdict_free(v);
        c.original = NULL; /* then the release is all there is */
        c.order = NULL;
        v = case_judge(&c);
        assert_true(v->holds && near(v->models[0].worst, 0));
        tacit_verdict_free(v);
    }
}

static void test_everything_left_out(void **state)
{
    (void)state;
    audit_case c = {.promise = {.k = 2, .suppressed_dropped = true}};
    c.original = WHOLE;
    c.release = "a,d\n";
    case_attribute(&c, "a", &CASE_NONE);
    case_model(&c, (tacit_model_bound){TACIT_MODEL_DISTINCT, 3, 0}, "d", NULL);
    case_model(&c, (tacit_model_bound){TACIT_MODEL_CLOSENESS_TREE, 0, 0}, "d", &TREE);
    case_model(&c, (tacit_model_bound){TACIT_MODEL_MAP, 6, 0}, NULL, NULL);
    c.population = WHOLE;
    assert_int_equal(case_kinds(&c), 0);
    c.models[0].bound.bound = 4;
    c.models[2].bound.bound = 7;
    tacit_verdict *v = case_judge(&c);
    assert_int_equal(v->finding_count, 2);
    tacit_verdict_free(v);
}

static void test_nothing_at_all(void **state)
{
    (void)state;
    audit_case c = {.promise = {.k = 2}, .release = "a,d\n", .population = "a\n"};
    case_attribute(&c, "a", &CASE_NONE);
    case_model(&c, (tacit_model_bound){TACIT_MODEL_CLOSENESS_TREE, 0, 0}, "d", &TREE);
    case_model(&c, (tacit_model_bound){TACIT_MODEL_MAP, 6, 0}, NULL, NULL);
    tacit_verdict *v = case_judge(&c);
    assert_true(v->holds && v->models[0].checked && v->models[1].checked);
    assert_true(isnan(v->models[0].worst) && isnan(v->models[1].worst));
    tacit_verdict_free(v);
}

/* ---- mutants ---- */

/* Two classes that keep everything; one row moved over breaks each model. */
static const char KEPT[] = "a,d\n"
                           "1,flu\n1,cold\n1,hiv\n1,flu\n1,cold\n1,hiv\n"
                           "2,flu\n2,cold\n2,hiv\n2,flu\n2,cold\n2,hiv\n";
static const char MOVED[] = "a,d\n"
                            "1,flu\n1,cold\n1,hiv\n1,flu\n1,cold\n2,hiv\n"
                            "2,flu\n2,cold\n2,hiv\n2,flu\n2,cold\n2,hiv\n";

static void test_moved_row(void **state)
{
    (void)state;
    static const tacit_model_bound bounds[] = {
        {TACIT_MODEL_ENTROPY, 2.9999, 0},   {TACIT_MODEL_RECURSIVE, 3, 1.5},
        {TACIT_MODEL_ALPHA, 0.34, 0},       {TACIT_MODEL_CLOSENESS, 0, 0},
        {TACIT_MODEL_CLOSENESS_TREE, 0, 0}, {TACIT_MODEL_PRESENCE, 0.6, 0},
        {TACIT_MODEL_PRESENCE, 1, 0.59999},
    };
    for (size_t i = 0; i < COUNT(bounds); i++) {
        bool people = bounds[i].kind == TACIT_MODEL_PRESENCE;
        bool tree = bounds[i].kind == TACIT_MODEL_CLOSENESS_TREE;
        audit_case c = {.promise = {.k = 5}, .release = KEPT};
        case_attribute(&c, "a", &CASE_NONE);
        case_model(&c, bounds[i], people ? NULL : "d", tree ? &TREE : NULL);
        c.population = "a\n1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n2\n2\n2\n2\n2\n2\n2\n2\n2\n2\n";
        assert_int_equal(case_kinds(&c), 0);
        c.release = MOVED;
        if (case_kinds(&c) != KIND(MODEL))
            fail_msg("%s: a row moved is not found", tacit_model_name(bounds[i].kind));
    }
}

static void test_moved_person(void **state)
{
    (void)state;
    audit_case c = {.promise = {.k = 2}, .release = "a,d\n1*,x\n1*,y\n2*,x\n2*,x\n"};
    case_attribute(&c, "a", &CASE_MASK);
    case_model(&c, (tacit_model_bound){TACIT_MODEL_MAP, 3, 0}, NULL, NULL);
    c.population = "a\n11\n12\n13\n21\n22\n23\n";
    assert_int_equal(case_kinds(&c), 0);
    c.population = "a\n11\n12\n13\n21\n22\n13\n";
    assert_int_equal(case_kinds(&c), KIND(MODEL));
    c.release = "a,d\n1*,x\n1*,y\n2*,x\n22,x\n"; /* one cell finer, and k breaks too */
    assert_int_equal(case_kinds(&c), KIND(MODEL) | KIND(K));
}

/* ---- what cannot be checked ---- */

static void expect_unchecked(audit_case *c, const char *message)
{
    tacit_verdict *v = case_judge(c);
    assert_int_equal(verdict_kinds(v), KIND(MODEL));
    assert_string_equal(v->findings[0].message, message);
    assert_false(v->holds || v->models[0].checked);
    tacit_verdict_free(v);
}

static void test_sensitive_unchecked(void **state)
{
    (void)state;
    audit_case c = {.promise = {.k = 1}, .release = "a,d\n1,flu\n1,hiv\n"};
    case_attribute(&c, "a", &CASE_NONE);
    case_model(&c, (tacit_model_bound){TACIT_MODEL_DISTINCT, 1, 0}, "e", NULL);
    expect_unchecked(&c, "what is promised about column \"e\" cannot be judged: it is not in the "
                         "release");
    c.models[0] = (tacit_promise_model){
        .bound = {TACIT_MODEL_CLOSENESS_TREE, 1, 0}, .column = "d", .hierarchy = &FLAT_TREE};
    expect_unchecked(&c, "what is promised about column \"d\" cannot be judged: a hierarchy does "
                         "not fit the values (line 3)");
    c.models[0] = (tacit_promise_model){.bound = {TACIT_MODEL_DISTINCT, 1, 0}, .column = "d"};
    c.promise.suppressed_dropped = true;
    c.original = "a,e\n1,flu\n1,hiv\n2,flu\n";
    tacit_verdict *v = case_judge(&c);
    assert_true(verdict_kinds(v) & KIND(MODEL));
    assert_false(v->models[0].checked);
    tacit_verdict_free(v);
    c.original = "a,d\n1,flu\n1,cold\n2,flu\n"; /* no hiv there */
    v = case_judge(&c);
    assert_true(verdict_kinds(v) & KIND(MODEL));
    assert_false(v->models[0].checked);
    tacit_verdict_free(v);
    c.original = "a,d\n1,flu\n1,hiv\n2,flu\n";
    c.release = "a,d\n1,hiv\n1,hiv\n"; /* one hiv too many */
    v = case_judge(&c);
    assert_non_null(
        strstr(verdict_finding(v, TACIT_FINDING_MODEL)->message, "more of some values"));
    tacit_verdict_free(v);
}

static void test_population_unchecked(void **state)
{
    (void)state;
    audit_case c = {.promise = {.k = 1}, .release = "a,d\nflu,1\n"};
    case_attribute(&c, "a", &FLAT_TREE);
    case_model(&c, (tacit_model_bound){TACIT_MODEL_MAP, 1, 0}, NULL, NULL);
    expect_unchecked(&c,
                     "what is promised about the population cannot be judged: no register of it "
                     "is at hand");
    c.population = "b\nflu\n";
    expect_unchecked(&c, "what is promised about the population cannot be judged: attribute \"a\" "
                         "is not in the register");
    c.population = "a\nflu\ncold\nhiv\n";
    expect_unchecked(&c, "what is promised about the population cannot be judged: a hierarchy does "
                         "not fit the values (line 4)");
    c.population = "a\nflu\ncold\n";
    assert_int_equal(case_kinds(&c), 0);
}

/* Columns that nobody coded. */
static void test_uncoded(void **state)
{
    (void)state;
    static const char *const coded[] = {"a"};
    tacit_run run;
    tacit_csv_options options;
    tacit_table *release = NULL, *people = NULL;
    tacit_run_init(&run);
    tacit_csv_options_init(&options);
    options.coded = coded;
    options.coded_count = 1;
    const char *csv = "a,d\n1,flu\n1,cold\n";
    assert_int_equal(
        tacit_table_read_memory(&release, tacit_strview_of(csv), "r", &options, &run, NULL), 0);
    options.coded = NULL;
    options.coded_count = 0;
    options.code_none = true;
    assert_int_equal(
        tacit_table_read_memory(&people, tacit_strview_of(csv), "p", &options, &run, NULL), 0);
    audit_case c = {.promise = {.k = 2}};
    case_attribute(&c, "a", &CASE_NONE);
    case_model(&c, (tacit_model_bound){TACIT_MODEL_DISTINCT, 1, 0}, "d", NULL);
    case_model(&c, (tacit_model_bound){TACIT_MODEL_MAP, 1, 0}, NULL, NULL);
    tacit_evidence evidence = {.release = release, .population = people};
    tacit_verdict *v = NULL;
    assert_int_equal(tacit_audit_release(&v, &c.promise, &evidence, &run, NULL), TACIT_OK);
    assert_int_equal(v->finding_count, 2);
    assert_non_null(strstr(v->findings[0].message, "it is not coded in the release"));
    assert_non_null(strstr(v->findings[1].message, "is not coded in the register"));
    tacit_verdict_free(v);
    tacit_table_free(release);
    tacit_table_free(people);
}

static void test_nonsense(void **state)
{
    (void)state;
    static const tacit_promise_model bad[] = {
        {{TACIT_MODEL_DISTINCT, 0, 0}, "d", NULL, {0, false}},
        {{TACIT_MODEL_ENTROPY, NAN, 0}, "d", NULL, {0, false}},
        {{TACIT_MODEL_ALPHA, 0.5, 0}, NULL, NULL, {0, false}},
        {{TACIT_MODEL_MAP, 2, 0}, "d", NULL, {0, false}},
        {{TACIT_MODEL_CLOSENESS_TREE, 0.5, 0}, "d", NULL, {0, false}},
        {{(tacit_model_kind)TACIT_MODELS, 1, 1}, "d", NULL, {0, false}},
    };
    for (size_t i = 0; i < COUNT(bad); i++) {
        audit_case c = {.promise = {.k = 1}, .release = MIXED};
        case_attribute(&c, "a", &CASE_NONE);
        case_model(&c, bad[i].bound, bad[i].column, bad[i].hierarchy);
        tacit_verdict *v = NULL;
        tacit_error err = {0};
        assert_int_equal(case_try(&v, &c, &err), TACIT_INVALID);
        assert_null(v);
    }
    /* A hierarchy that is not there is no finding about the release. */
    tacit_hierarchy_spec gone = {TACIT_HIERARCHY_FILE, .path = "/nowhere/h.csv"};
    audit_case c = {.promise = {.k = 1}, .release = MIXED};
    case_attribute(&c, "a", &CASE_NONE);
    case_model(&c, (tacit_model_bound){TACIT_MODEL_CLOSENESS_TREE, 1, 0}, "d", &gone);
    tacit_verdict *v = NULL;
    tacit_error err = {0};
    assert_int_equal(case_try(&v, &c, &err), TACIT_IO);
    assert_string_equal(err.file, "/nowhere/h.csv");
}

/* ---- many of everything ---- */

/* Ten models of one column are more than are judged together; and a class is the
 * same whatever block it is in. */
static void test_many(void **state)
{
    (void)state;
    enum { ROWS = 300000, CLASSES = 100 };
    char *csv = malloc(ROWS * 8 + 8), *at = csv;
    at += sprintf(at, "a,d\n");
    for (int i = 0; i < ROWS; i++)
        at += sprintf(at, "%d,%d\n", i % CLASSES, i / CLASSES % (i % CLASSES == 7 ? 2 : 3));
    audit_case c = {.promise = {.k = 2}, .release = csv};
    case_attribute(&c, "a", &CASE_NONE);
    for (int i = 0; i < 10; i++)
        case_model(&c, (tacit_model_bound){TACIT_MODEL_DISTINCT, 1 + i % 3, 0}, "d", NULL);
    tacit_verdict *v = case_judge(&c);
    for (int i = 0; i < 10; i++) {
        assert_int_equal(v->models[i].classes, CLASSES);
        assert_true(v->models[i].worst == 2);
        assert_int_equal(v->models[i].classes_failing, i % 3 == 2);
        assert_int_equal(v->models[i].rows_failing, i % 3 == 2 ? ROWS / CLASSES : 0);
    }
    assert_int_equal(v->findings[0].row, 8);
    tacit_verdict_free(v);
    free(csv);
}

/* Of 0 to 1000, 5 % are 50. Class 1 has 390, 410, 440, within 50 but across the border 400 of one
 * grid; class 2 has 0, 500, 1000. By hand: class 1 has one value on the grid that starts at 50,
 * class 2 three on both. */
static void test_near_numbers(void **state)
{
    (void)state;
    static const struct {
        tacit_model_bound bound;
        tacit_spread spread;
        bool holds;
    } CASES[] = {
        {{TACIT_MODEL_DISTINCT, 2, 0}, {0, false}, true},
        {{TACIT_MODEL_DISTINCT, 2, 0}, {0.05, true}, false},
        {{TACIT_MODEL_DISTINCT, 2, 0}, {50, false}, false},
        {{TACIT_MODEL_DISTINCT, 2, 0}, {5, false}, true},
        {{TACIT_MODEL_DISTINCT, 3, 0}, {4, false}, true},
        {{TACIT_MODEL_ENTROPY, 1.5, 0}, {0.05, true}, false},
        {{TACIT_MODEL_ENTROPY, 1.5, 0}, {0, false}, true},
        {{TACIT_MODEL_RECURSIVE, 2, 3}, {0.05, true}, false},
        {{TACIT_MODEL_RECURSIVE, 2, 3}, {0, false}, true},
        {{TACIT_MODEL_ALPHA, 0.5, 0}, {0.05, true}, false},
        {{TACIT_MODEL_ALPHA, 0.5, 0}, {0, false}, true},
        {{TACIT_MODEL_CLOSENESS, 0.5, 0}, {0.05, true}, true}, /* tells all values apart */
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        audit_case c = {.promise = {.k = 3}};
        case_attribute(&c, "a", &CASE_NONE);
        case_model(&c, CASES[i].bound, "d", NULL);
        c.models[0].spread = CASES[i].spread;
        c.release = "a,d\n1,390\n1,410\n1,440\n2,0\n2,500\n2,1000\n";
        tacit_verdict *v = case_judge(&c);
        assert_int_equal(v->holds, CASES[i].holds);
        assert_int_equal(v->models[0].classes, 2);
        assert_int_equal(v->models[0].classes_failing, !CASES[i].holds);
        assert_int_equal(v->models[0].rows_failing, CASES[i].holds ? 0 : 3);
        tacit_verdict_free(v);
    }
}

/* Codes like 007 and words are what they are, and so is missing. */
static void test_near_is_for_numbers(void **state)
{
    (void)state;
    audit_case c = {.promise = {.k = 3}};
    case_attribute(&c, "a", &CASE_NONE);
    case_model(&c, (tacit_model_bound){TACIT_MODEL_DISTINCT, 3, 0}, "d", NULL);
    c.models[0].spread = (tacit_spread){1, true};
    c.release = "a,d\n1,007\n1,008\n1,009\n2,x\n2,y\n2,\n3,7\n3,x\n3,\n";
    assert_int_equal(case_kinds(&c), 0);
    c.release = "a,d\n1,7\n1,8\n1,\n";
    assert_int_equal(case_kinds(&c), KIND(MODEL));
}

/* "1;x" as 1,"x", below the names of the columns. */
static void quote_values(char *csv, const char *rows)
{
    char *to = stpcpy(csv, "a,d\n");
    for (; *rows; rows++)
        if (*rows == ';')
            to = stpcpy(to, ",\"");
        else if (*rows == '\n')
            to = stpcpy(to, "\"\n");
        else
            *to++ = *rows;
    *to = '\0';
}

/* Numbers with a mark that all share, with thousands parted, and days; codes and marks that differ
 * are words. The first class is near, the second is not, both have three values as text. */
static void test_near_forms(void **state)
{
    (void)state;
    static const struct {
        const char *rows;
        bool near;
    } FORMS[] = {
        {"1;$50000.01\n1;$50000.02\n1;$50000.03\n2;$20000\n2;$90000\n2;$70000\n", true},
        {"1;$50,000.01\n1;$50,000.02\n1;$50,000\n2;$20,000\n2;$90,000\n2;$7,000\n", true},
        {"1;50.000,01 EUR\n1;50.000,02 EUR\n1;50.000,03 EUR\n2;20.000,00 EUR\n2;1.090.000,00 "
         "EUR\n2;70,00 EUR\n",
         true},
        {"1;-$50000.01\n1;-$50000.02\n1;-$50000.03\n2;$50000\n2;$90000\n2;$70000\n", true},
        {"1;CHF 50'000\n1;CHF 50'001\n1;CHF 50'002\n2;CHF 1\n2;CHF 90'000\n2;CHF 7\n", true},
        {"1;70 kg\n1;71kg\n1;70.5 kg\n2;50 kg\n2;190 kg\n2;90 kg\n", true},
        {"1;2020-02-28\n1;2020-02-29\n1;2020-03-01\n2;2001-01-01\n2;1990-08-08\n2;2015-01-31\n",
         true},
        {"1;28.2.2020\n1;29.2.2020\n1;1.3.2020\n2;1.1.2001\n2;8.8.1990\n2;31.1.2015\n", true},
        {"1;28/2/2020\n1;29/2/2020\n1;1/3/2020\n2;1/1/2001\n2;8/8/1990\n2;31/1/2015\n", true},
        {"1;J45\n1;J46\n1;J47\n2;J01\n2;J99\n2;J70\n", false},
        {"1;$50000\n1;50001 EUR\n1;CHF 50002\n2;$1\n2;2 EUR\n2;CHF 3\n", false},
        {"1;007\n1;008\n1;009\n2;$001\n2;$003\n2;$002\n", false},
        {"1;1,23,4 EUR\n1;1,23,5 EUR\n1;1,23,6 EUR\n2;a\n2;b\n2;c\n", false},
    };
    for (size_t i = 0; i < sizeof FORMS / sizeof *FORMS; i++) {
        char release[256];
        audit_case c = {.promise = {.k = 3}};
        case_attribute(&c, "a", &CASE_NONE);
        case_model(&c, (tacit_model_bound){TACIT_MODEL_DISTINCT, 2, 0}, "d", NULL);
        c.models[0].spread = (tacit_spread){0.05, true};
        quote_values(release, FORMS[i].rows);
        c.release = release;
        tacit_verdict *v = case_judge(&c);
        if (v->models[0].rows_failing != (FORMS[i].near ? 3 : 0))
            fail_msg("%s", FORMS[i].rows);
        tacit_verdict_free(v);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_height),
        cmocka_unit_test(test_missing),
        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_covered),
        cmocka_unit_test(test_presence),
        cmocka_unit_test(test_suppressed_rows),
        cmocka_unit_test(test_sets),
        cmocka_unit_test(test_rows_left_out),
        cmocka_unit_test(test_everything_left_out),
        cmocka_unit_test(test_nothing_at_all),
        cmocka_unit_test(test_moved_row),
        cmocka_unit_test(test_moved_person),
        cmocka_unit_test(test_sensitive_unchecked),
        cmocka_unit_test(test_population_unchecked),
        cmocka_unit_test(test_uncoded),
        cmocka_unit_test(test_nonsense),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_near_numbers),
        cmocka_unit_test(test_near_is_for_numbers),
        cmocka_unit_test(test_near_forms),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
