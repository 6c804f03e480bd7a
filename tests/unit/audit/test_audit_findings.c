/*
 * test_audit_findings.c - a release tampered with in exactly one way is caught
 * for exactly that; the honest one passes.
 * Every expectation follows from reading the two tables of audit_honest.h.
 */
#include "audit_honest.h"

static void test_honest(void **state)
{
    (void)state;
    audit_case c = honest();
    promise(&c);
    for (int known = 0; known < 2; known++) {
        c.same_order = known;
        tacit_verdict *v = case_judge(&c);
        assert_true(v->holds);
        assert_int_equal(v->finding_count, 0);
        assert_int_equal(v->rows, 6);
        assert_int_equal(v->suppressed_rows, 0);
        assert_int_equal(v->unreleased_rows, 0);
        assert_true(v->values_checked);
        assert_true(v->rows_matched);
        assert_false(v->people_counted);
        assert_int_equal(v->set_count, 1);
        assert_int_equal(v->sets[0].classes, 3);
        assert_int_equal(v->sets[0].smallest, 2);
        assert_int_equal(v->sets[0].rows_below, 0);
        tacit_verdict_free(v);
    }
    c.original = NULL;
    tacit_verdict *v = case_judge(&c);
    assert_true(v->holds);
    assert_false(v->values_checked);
    assert_false(v->rows_matched);
    tacit_verdict_free(v);
}

static void test_shuffled(void **state)
{
    (void)state;
    static const char shuffled[] = "zip,number,sex,amount,note\n"
                                   "1000*,p9,f,60,\"said \"\"no\"\"\"\n"
                                   "0213*,p7,f,10,\"cough, dry\"\n"
                                   "0213*,p2,m,40,\"\"\n"
                                   "0213*,p9,f,20,\"fever\"\n"
                                   "1000*,p7,f,50,rash\n"
                                   "0213*,p1,m,30,fever\n";
    static const uint32_t order[] = {5, 0, 3, 1, 4, 2};
    static const uint32_t wrong[] = {5, 0, 3, 2, 4, 1};
    audit_case c = honest();
    promise(&c);
    c.release = shuffled;
    c.order = order;
    assert_int_equal(case_kinds(&c), 0);
    c.order = wrong;
    assert_int_equal(case_kinds(&c), KIND(VALUE) | KIND(CHANGED) | KIND(CHANGED));
    c.order = NULL;
    assert_int_not_equal(case_kinds(&c), 0); /* the claim of the same order is false */
    c.same_order = false;
    assert_int_equal(case_kinds(&c), 0);
}

static void test_k(void **state)
{
    (void)state;
    audit_case c = honest();
    promise(&c);
    c.promise.k = 3;
    tacit_verdict *v = case_judge(&c);
    const tacit_finding *f = verdict_finding(v, TACIT_FINDING_K);
    assert_non_null(f);
    assert_int_equal(f->row, 1);
    assert_int_equal(f->count, 6);
    assert_int_equal(v->sets[0].rows_below, 6);
    tacit_verdict_free(v);
    /* row 4 alone in its class, and row 3 with it */
    c.promise.k = 2;
    c.release = replaced(RELEASE, "p2,0213*,m", "p2,02134,m");
    v = case_judge(&c);
    f = verdict_finding(v, TACIT_FINDING_K);
    assert_int_equal(verdict_kinds(v), KIND(K) | KIND(TRAIL));
    assert_int_equal(f->row, 3);
    assert_int_equal(f->count, 2);
    assert_int_equal(v->sets[0].classes, 4);
    assert_int_equal(v->sets[0].smallest, 1);
    tacit_verdict_free(v);
}

static void test_missing_is_a_value(void **state)
{
    (void)state;
    audit_case c = {.promise = {.k = 2}, .release = "a,b\nx,\nx,\n,y\nx,y\n"};
    case_attribute(&c, "a", &CASE_NONE);
    case_attribute(&c, "b", &CASE_NONE);
    tacit_verdict *v = case_judge(&c);
    assert_int_equal(v->sets[0].classes, 3);
    assert_int_equal(v->sets[0].rows_below, 2);
    assert_int_equal(verdict_finding(v, TACIT_FINDING_K)->row, 3);
    tacit_verdict_free(v);
}

static void test_sets(void **state)
{
    (void)state;
    /* each column alone is 2-anonymous, both together are not */
    audit_case c = {.promise = {.k = 2}, .release = "a,b\nx,1\nx,2\ny,1\ny,2\n"};
    static const uint64_t alone[] = {1, 2}, both[] = {1, 3};
    case_attribute(&c, "a", &CASE_NONE);
    case_attribute(&c, "b", &CASE_NONE);
    c.promise.sets = alone;
    c.promise.set_count = 2;
    assert_int_equal(case_kinds(&c), 0);
    c.promise.sets = both;
    tacit_verdict *v = case_judge(&c);
    assert_int_equal(verdict_kinds(v), KIND(K));
    assert_int_equal(v->sets[0].rows_below, 0);
    assert_int_equal(v->sets[1].rows_below, 4);
    assert_int_equal(v->sets[1].classes, 4);
    tacit_verdict_free(v);
}

static void test_suppressed(void **state)
{
    (void)state;
    audit_case c = {.promise = {.k = 2}};
    case_attribute(&c, "a", &CASE_NONE);
    case_attribute(&c, "b", &CASE_NONE);
    c.original = "a,b\nx,1\nx,1\ny,1\nz,2\n";
    c.same_order = true;
    c.release = "a,b\nx,1\nx,1\n*,*\n*,*\n";
    tacit_verdict *v = case_judge(&c);
    assert_true(v->holds);
    assert_int_equal(v->suppressed_rows, 2);
    assert_int_equal(v->sets[0].classes, 2);
    tacit_verdict_free(v);
    /* one suppressed row is one too few: not k, but by its own name */
    c.original = "a,b\nx,1\nx,1\ny,1\n";
    c.release = "a,b\nx,1\nx,1\n*,*\n";
    v = case_judge(&c);
    assert_int_equal(verdict_kinds(v), KIND(SUPPRESSED));
    assert_int_equal(v->findings[0].row, 3);
    assert_int_equal(v->findings[0].count, 1);
    assert_int_equal(v->sets[0].smallest, 1);
    assert_int_equal(v->sets[0].rows_below, 1);
    tacit_verdict_free(v);
    /* an attribute at its top everywhere suppresses no row */
    c.release = "a,b\n*,1\n*,1\n*,1\n";
    v = case_judge(&c);
    assert_true(v->holds);
    assert_int_equal(v->suppressed_rows, 0);
    tacit_verdict_free(v);
}

static void test_left_out(void **state)
{
    (void)state;
    static const uint32_t order[] = {2, 0};
    audit_case c = {.promise = {.k = 2}};
    case_attribute(&c, "a", &CASE_NONE);
    c.original = "a,c\nx,1\ny,2\nx,3\nz,4\n";
    c.release = "a,c\nx,3\nx,1\n";
    c.order = order;
    assert_int_equal(case_kinds(&c), KIND(ROWS));
    c.promise.suppressed_dropped = true;
    tacit_verdict *v = case_judge(&c);
    assert_true(v->holds);
    assert_int_equal(v->unreleased_rows, 2);
    tacit_verdict_free(v);
    c.original = "a,c\nx,1\ny,2\nx,3\n";
    assert_int_equal(case_kinds(&c), KIND(SUPPRESSED));
    c.order = NULL;
    assert_int_equal(case_kinds(&c), KIND(SUPPRESSED));
    c.promise.suppressed_dropped = false;
    assert_int_equal(case_kinds(&c), KIND(ROWS));
}

static void test_left_out_people(void **state)
{
    (void)state;
    static const uint32_t order[] = {0, 1};
    audit_case c = {.promise = {.k = 2, .person = "p", .suppressed_dropped = true}};
    case_attribute(&c, "a", &CASE_NONE);
    case_identifier(&c, "p", false);
    c.release = "a\nx\nx\n";
    c.order = order;
    c.original = "p,a\n1,x\n2,x\n3,y\n4,z\n";
    assert_int_equal(case_kinds(&c), 0);
    c.original = "p,a\n1,x\n2,x\n3,y\n3,z\n"; /* two rows, but one person */
    assert_int_equal(case_kinds(&c), KIND(SUPPRESSED));
}

static void test_people(void **state)
{
    (void)state;
    audit_case c = {.promise = {.k = 2, .person = "p"}};
    case_attribute(&c, "a", &CASE_NONE);
    c.original = "p,a\n1,x\n1,x\n2,y\n3,y\n";
    c.release = "p,a\n1,x\n1,x\n2,y\n3,y\n";
    for (int known = 0; known < 2; known++) {
        c.same_order = known;
        tacit_verdict *v = case_judge(&c);
        assert_int_equal(verdict_kinds(v), KIND(K) | KIND(TRAIL));
        assert_true(v->people_counted);
        assert_int_equal(v->sets[0].smallest, 1);
        assert_int_equal(v->sets[0].rows_below, 2);
        tacit_verdict_free(v);
    }
    /* the release's person column dressed up as two people: the original knows */
    c.release = "p,a\n1,x\n9,x\n2,y\n3,y\n";
    c.same_order = true;
    assert_int_equal(case_kinds(&c), KIND(K) | KIND(CHANGED));
    /* nobody can say who is who */
    c.release = "a\nx\nx\ny\ny\n";
    c.same_order = false;
    tacit_verdict *v = case_judge(&c);
    assert_true(v->holds);
    assert_false(v->people_counted);
    tacit_verdict_free(v);
    /* suppressed rows of one person */
    c.original = "p,a\n1,x\n1,z\n2,y\n3,y\n";
    c.release = "a\n*\n*\ny\ny\n";
    c.same_order = true;
    assert_int_equal(case_kinds(&c), KIND(SUPPRESSED));
    /* missing persons may all be the same one */
    c.original = "p,a\n,x\n,x\n2,y\n3,y\n";
    c.release = "a\nx\nx\ny\ny\n";
    assert_int_equal(case_kinds(&c), KIND(K));
}

static void test_value(void **state)
{
    (void)state;
    for (int known = 0; known < 2; known++) {
        /* postcodes of two rows moved to another region, counts of classes intact */
        audit_case c = honest();
        promise(&c);
        c.same_order = known;
        c.release = "number,zip,sex,note,amount\n"
                    "p7,0213*,f,\"cough, dry\",10\n"
                    "p9,0213*,f,fever,20\n"
                    "p1,1000*,m,fever,30\n"
                    "p2,1000*,m,,40\n"
                    "p7,1000*,f,rash,50\n"
                    "p9,1000*,f,\"said \"\"no\"\"\",60\n";
        unsigned kinds = case_kinds(&c);
        assert_true(kinds & KIND(VALUE));
        assert_int_equal(kinds & ~KIND(ROWS), KIND(VALUE));
    }
    unsigned found = KIND(VALUE) | KIND(K) | KIND(TRAIL);
    assert_int_equal(tampered("p9,0213*", "p9,0214*", true), found);
    assert_int_equal(tampered("p9,0213*", "p9,", true), found);
    assert_int_equal(tampered("p9,0213*", "p9,0214*", false), found);
    /* missing is on every level, so whole rows are compared as well */
    assert_int_equal(tampered("p9,0213*", "p9,", false), found | KIND(ROWS));
}

static void test_value_place(void **state)
{
    (void)state;
    audit_case c = honest();
    promise(&c);
    c.promise.k = 1;
    c.release = replaced(RELEASE, "p1,0213*,m", "p1,0213*,f");
    tacit_verdict *v = case_judge(&c);
    const tacit_finding *f = verdict_finding(v, TACIT_FINDING_VALUE);
    assert_int_equal(v->finding_count, 1);
    assert_int_equal(f->row, 3);
    assert_int_equal(f->count, 1);
    assert_non_null(strstr(f->message, "sex"));
    assert_non_null(strstr(f->message, "line 4"));
    assert_false(v->rows_matched);
    tacit_verdict_free(v);
}

static void test_lone_star(void **state)
{
    (void)state;
    static const tacit_hierarchy_spec bare = {.kind = TACIT_HIERARCHY_INTERVAL,
                                              .no_suppression = true,
                                              .widths = {100},
                                              .width_count = 1};
    audit_case c = {.promise = {.k = 1}};
    case_attribute(&c, "a", &CASE_NONE);
    case_attribute(&c, "b", &bare);
    c.original = "a,b\nx,11\ny,22\n";
    for (int known = 0; known < 2; known++) {
        c.same_order = known;
        c.release = "a,b\n*,11\ny,22\n"; /* on top of a's ladder */
        assert_int_equal(case_kinds(&c), 0);
        c.release = "a,b\n***,11\ny,22\n";
        assert_int_equal(case_kinds(&c), KIND(VALUE));
        c.release = "a,b\nx,11\ny,0-99\n";
        assert_int_equal(case_kinds(&c), 0);
        c.release = "a,b\nx,*\ny,22\n"; /* not on b's, which ends in 0-99 */
        assert_int_equal(case_kinds(&c), KIND(VALUE));
        c.release = "a,b\n*,*\ny,22\n"; /* but the row is suppressed as a whole */
        assert_int_equal(case_kinds(&c), 0);
    }
}

/* A missing value is not known to lie under the values' top: it may be released as missing or "*",
 * never as the top. */
static void test_missing_called_top(void **state)
{
    (void)state;
    static const tacit_hierarchy_spec bare = {.kind = TACIT_HIERARCHY_INTERVAL,
                                              .no_suppression = true,
                                              .widths = {100},
                                              .width_count = 1};
    audit_case c = {.promise = {.k = 1}};
    case_attribute(&c, "a", &CASE_NONE);
    case_attribute(&c, "b", &bare);
    c.original = "a,b\nx,11\ny,\n";
    for (int known = 0; known < 2; known++) {
        c.same_order = known;
        c.release = "a,b\nx,0-99\ny,0-99\n";
        assert_true(case_kinds(&c) & KIND(VALUE));
        c.release = "a,b\nx,0-99\ny,\n";
        assert_int_equal(case_kinds(&c), 0);
        c.release = "a,b\nx,*\ny,*\n";
        assert_int_equal(case_kinds(&c), 0);
    }
}

/* Three cells 11 where the original has one, and a single other cell below 1*:
 * two cells are too many, however one counts. */
static void test_too_many(void **state)
{
    (void)state;
    audit_case c = {.promise = {.k = 1}};
    case_attribute(&c, "a", &CASE_MASK);
    c.original = "a\n11\n12\n21\n22\n";
    c.release = "a\n11\n11\n11\n2*\n";
    tacit_verdict *v = case_judge(&c);
    assert_int_equal(verdict_kinds(v), KIND(VALUE));
    assert_int_equal(v->findings[0].count, 2);
    tacit_verdict_free(v);
    c.release = "a\n1*\n1*\n1*\n22\n";
    v = case_judge(&c);
    assert_int_equal(v->findings[0].count, 1);
    tacit_verdict_free(v);
    c.release = "a\n1*\n*\n2*\n11\n"; /* each cell on a level of its own */
    v = case_judge(&c);
    assert_true(v->holds);
    assert_false(v->rows_matched);
    tacit_verdict_free(v);
}

static void test_missing_values(void **state)
{
    (void)state;
    audit_case c = {.promise = {.k = 1}, .same_order = true};
    case_attribute(&c, "a", &CASE_NONE);
    case_attribute(&c, "b", &CASE_NONE);
    c.original = "a,b\n,1\ny,2\n";
    for (int known = 0; known < 2; known++) {
        c.same_order = known;
        c.release = "a,b\n,1\ny,2\n";
        assert_int_equal(case_kinds(&c), 0);
        c.release = "a,b\n*,1\ny,2\n";
        assert_int_equal(case_kinds(&c), 0);
        c.release = "a,b\ny,1\ny,2\n";
        assert_true(case_kinds(&c) & KIND(VALUE));
        c.release = "a,b\n,1\n,2\n";
        assert_true(case_kinds(&c) & KIND(VALUE));
    }
}

static void test_rows(void **state)
{
    (void)state;
    static const uint32_t twice[] = {0, 1, 2, 3, 4, 4}, beyond[] = {0, 1, 2, 3, 4, 6};
    audit_case c = honest();
    promise(&c);
    c.order = twice;
    tacit_verdict *v = case_judge(&c);
    const tacit_finding *f = verdict_finding(v, TACIT_FINDING_ROWS);
    assert_non_null(f);
    assert_int_equal(f->row, 6);
    assert_int_equal(f->count, 1);
    assert_false(v->rows_matched);
    tacit_verdict_free(v);
    c.order = beyond;
    assert_true(case_kinds(&c) & KIND(ROWS));
    c.order = NULL;
    for (int known = 0; known < 2; known++) {
        c.same_order = known;
        c.release = replaced(RELEASE, "p9,0213*,f,fever,20\n",
                             "p9,0213*,f,fever,20\np9,0213*,f,fever,20\n");
        assert_true(case_kinds(&c) & KIND(ROWS));
        c.release = replaced(RELEASE, "p9,0213*,f,fever,20\n", "");
        assert_true(case_kinds(&c) & KIND(ROWS));
    }
}

/* Sexes of two rows exchanged: no single column betrays it. */
static void test_rows_exchanged(void **state)
{
    (void)state;
    audit_case c = {.promise = {.k = 2}};
    case_attribute(&c, "a", &CASE_NONE);
    case_attribute(&c, "b", &CASE_NONE);
    c.original = "a,b,c\nx,1,p\nx,1,q\nx,1,q\ny,2,r\ny,2,s\ny,2,s\n";
    c.release = "a,b,c\nx,1,p\nx,1,q\nx,1,r\ny,2,q\ny,2,s\ny,2,s\n";
    assert_int_equal(case_kinds(&c), KIND(ROWS));
    c.same_order = true;
    assert_int_equal(case_kinds(&c), KIND(CHANGED));
}

static void test_changed(void **state)
{
    (void)state;
    assert_int_equal(tampered("fever,20", "fever,21", true), KIND(CHANGED));
    assert_int_equal(tampered("fever,20", "fever,21", false), KIND(CHANGED) | KIND(ROWS));
    assert_int_equal(tampered("cough, dry", "cough,dry", true), KIND(CHANGED));
    assert_int_equal(tampered("m,,40", "m,x,40", true), KIND(CHANGED));
    assert_int_equal(tampered("said \"\"no", "said \"\"\"\"no", true), KIND(CHANGED));
    assert_int_equal(tampered("rash", "\"rash\"", true), 0); /* only quoted otherwise */
}

static void test_empty(void **state)
{
    (void)state;
    audit_case c = {.promise = {.k = 2}};
    case_attribute(&c, "a", &CASE_NONE);
    c.release = "a,c\n";
    tacit_verdict *v = case_judge(&c);
    assert_true(v->holds);
    assert_int_equal(v->sets[0].classes, 0);
    assert_int_equal(v->sets[0].smallest, 0);
    tacit_verdict_free(v);
    c.original = "a,c\n";
    assert_int_equal(case_kinds(&c), 0);
    c.original = "a,c\nx,1\ny,2\n";
    assert_int_equal(case_kinds(&c), KIND(ROWS));
    c.promise.suppressed_dropped = true;
    assert_int_equal(case_kinds(&c), 0);
    c.original = "a,c\nx,1\n";
    assert_int_equal(case_kinds(&c), KIND(SUPPRESSED));
    c.release = "a,c\nx,1\n";
    c.promise.k = 1;
    assert_int_equal(case_kinds(&c), 0);
}

static void test_many_findings(void **state)
{
    (void)state;
    enum { COLUMNS = 60 };
    char original[2048] = "a", release[2048] = "a";
    for (int i = 0; i < COLUMNS; i++) {
        snprintf(original + strlen(original), 16, ",c%d", i);
        snprintf(release + strlen(release), 16, ",%c%d", i % 2 ? 'd' : 'c', i);
    }
    for (int row = 0; row < 2; row++) {
        strcat(original, "\nx");
        strcat(release, row ? "\n*" : "\nz");
        for (int i = 0; i < COLUMNS; i++) {
            strcat(original, ",1");
            strcat(release, ",2");
        }
    }
    audit_case c = {.promise = {.k = 2}, .original = original, .release = release};
    case_attribute(&c, "a", &CASE_NONE);
    c.same_order = true;
    tacit_verdict *v = case_judge(&c);
    /* one each of k, suppressed and value; 30 of each other kind, of which 14 fit */
    assert_int_equal(v->finding_count, 31);
    assert_int_equal(verdict_kinds(v),
                     KIND(K) | KIND(SUPPRESSED) | KIND(VALUE) | KIND(CHANGED) | KIND(COLUMN));
    assert_non_null(strstr(v->findings[30].message, "16 more like this"));
    tacit_verdict_free(v);
}

static void expect_invalid(const audit_case *c)
{
    tacit_verdict *v = NULL;
    tacit_error err = {0};
    assert_int_equal(case_try(&v, c, &err), TACIT_INVALID);
    assert_null(v);
    assert_true(err.message[0]);
}

static void test_senseless_promises(void **state)
{
    (void)state;
    static const uint64_t beyond[] = {4}, nothing[] = {0};
    audit_case good = {.promise = {.k = 2}, .release = "a,b\nx,1\nx,1\n"};
    expect_invalid(&good); /* no attribute at all */
    case_attribute(&good, "a", &CASE_NONE);
    case_attribute(&good, "b", &CASE_NONE);
    audit_case c = good;
    c.promise.attributes = c.attributes;
    c.promise.k = 0;
    expect_invalid(&c);
    c.promise.k = 2;
    c.promise.sets = beyond;
    c.promise.set_count = 1;
    expect_invalid(&c);
    c.promise.sets = nothing;
    expect_invalid(&c);
    c.promise.set_count = 0;
    expect_invalid(&c);
    c.promise.sets = NULL;
    c.attributes[1].name = "a";
    expect_invalid(&c);
    c.attributes[1].name = "b";
    case_identifier(&c, "a", false);
    expect_invalid(&c);
}

static void test_attribute_must_be_coded(void **state)
{
    (void)state;
    tacit_csv_options options;
    tacit_run run;
    tacit_run_init(&run);
    tacit_csv_options_init(&options);
    options.code_none = true;
    tacit_table *release = NULL;
    tacit_error err = {0};
    assert_int_equal(tacit_table_read_memory(&release, tacit_strview_of("a\nx\n"), "r.csv",
                                             &options, &run, &err),
                     TACIT_OK);
    audit_case c = {.promise = {.k = 1}};
    case_attribute(&c, "a", &CASE_NONE);
    tacit_evidence evidence = {.release = release};
    tacit_verdict *v = NULL;
    assert_int_equal(tacit_audit_release(&v, &c.promise, &evidence, &run, &err), TACIT_INVALID);
    assert_null(v);
    tacit_table_free(release);
}

static bool stop(const char *phase, int64_t done, int64_t total, void *payload)
{
    (void)phase, (void)done, (void)total;
    return --*(int *)payload > 0;
}

static void test_cancelled(void **state)
{
    (void)state;
    audit_case c = honest();
    promise(&c);
    tacit_table *original = case_table(&(audit_case){0}, ORIGINAL),
                *release = case_table(&(audit_case){0}, RELEASE);
    tacit_evidence evidence = {.release = release, .original = original, .same_order = true};
    int stopped = 0;
    for (int patience = 1;; patience++) {
        int left = patience;
        tacit_run run;
        tacit_run_init(&run);
        run.threads = 1;
        run.progress = stop;
        run.payload = &left;
        tacit_verdict *v = NULL;
        tacit_error err = {0};
        tacit_status status = tacit_audit_release(&v, &c.promise, &evidence, &run, &err);
        if (status == TACIT_OK) {
            assert_true(v->holds);
            tacit_verdict_free(v);
            break;
        }
        assert_int_equal(status, TACIT_CANCELLED);
        assert_null(v);
        stopped++;
    }
    assert_true(stopped > 3);
    tacit_table_free(original);
    tacit_table_free(release);
    tacit_verdict_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_honest),
        cmocka_unit_test(test_shuffled),
        cmocka_unit_test(test_k),
        cmocka_unit_test(test_missing_is_a_value),
        cmocka_unit_test(test_sets),
        cmocka_unit_test(test_suppressed),
        cmocka_unit_test(test_left_out),
        cmocka_unit_test(test_left_out_people),
        cmocka_unit_test(test_people),
        cmocka_unit_test(test_value),
        cmocka_unit_test(test_value_place),
        cmocka_unit_test(test_lone_star),
        cmocka_unit_test(test_missing_called_top),
        cmocka_unit_test(test_too_many),
        cmocka_unit_test(test_missing_values),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_rows_exchanged),
        cmocka_unit_test(test_changed),
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_many_findings),
        cmocka_unit_test(test_senseless_promises),
        cmocka_unit_test(test_attribute_must_be_coded),
        cmocka_unit_test(test_cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
