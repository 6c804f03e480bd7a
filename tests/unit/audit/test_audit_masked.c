/*
 * test_audit_masked.c - the judge of masked tables by hand: each claim where it holds and where one
 * cell breaks it; and what no step may have changed.
 */
#include "masked_case.h"

/* One claim about tables whose columns may all have changed. */
static tacit_masked_verdict *hear(masked_case *m, const char *original, const char *masked,
                                  const char *claim)
{
    masked_case_init(m, original, masked, "a,b,g", "");
    masked_claim(m, claim);
    return masked_judge(m, 1);
}

static void holds(const char *original, const char *masked, const char *claim, double measured)
{
    masked_case m;
    tacit_masked_verdict *v = hear(&m, original, masked, claim);
    if (!v->holds)
        fail_msg("%s: %s", claim, v->findings[0].what);
    assert_true(v->claims[0].holds && v->claims[0].checked);
    if (isnan(measured))
        assert_true(isnan(v->claims[0].measured));
    else
        assert_float_equal(v->claims[0].measured, measured, 1e-9);
    tacit_masked_verdict_free(v);
    masked_case_clear(&m);
}

/* The claim is broken, in a column (NULL: all) and from a row on (0: none in particular). */
static void broken(const char *original, const char *masked, const char *claim, double measured,
                   const char *column, int64_t row)
{
    masked_case m;
    tacit_masked_verdict *v = hear(&m, original, masked, claim);
    if (v->holds)
        fail_msg("%s holds", claim);
    const tacit_masked_finding *finding = &v->findings[0];
    assert_int_equal(finding->kind, TACIT_MASKED_CLAIM);
    assert_int_equal(finding->claim, 0);
    assert_int_equal(finding->row, row);
    assert_false(v->claims[0].holds);
    assert_true(v->claims[0].checked);
    if (isfinite(measured))
        assert_float_equal(finding->measured, measured, 1e-9);
    else
        assert_true(isinf(finding->measured));
    if (column)
        assert_string_equal(finding->column, column);
    else
        assert_null(finding->column);
    tacit_masked_verdict_free(v);
    masked_case_clear(&m);
}

static void unchecked(const char *original, const char *masked, const char *claim, const char *what)
{
    masked_case m;
    tacit_masked_verdict *v = hear(&m, original, masked, claim);
    assert_false(v->holds);
    assert_int_equal(v->findings[0].kind, TACIT_MASKED_UNCHECKED);
    assert_false(v->claims[0].checked || v->claims[0].holds);
    assert_non_null(strstr(v->findings[0].what, what));
    tacit_masked_verdict_free(v);
    masked_case_clear(&m);
}

/* ---- claims about values ---- */

static void test_values(void **state)
{
    (void)state;
    const char *before = "a,b\nx,1\ny,2\nx,3\n";
    holds(before, "a,b\ny,1\nx,3\nx,2\n", "values columns=a,b", 0);
    holds("a,b\nx,1\n\"y, z\",2\n", "a,b\n\"y, z\",2\n\"x\",1\n", "values columns=a,b", 0);
    holds("a,b\n\"p\"\"q\",1\n", "a,b\n\"p\"\"q\",2\n", "values columns=a", 0);
    broken(before, "a,b\ny,1\ny,2\nx,3\n", "values columns=a,b", 2, "a", 0);
    broken("a,b\nx,1\n,2\n", "a,b\nx,1\nx,2\n", "values columns=a", 2, "a", 0);
    broken("a,b\n5,1\n", "a,b\n5.0,1\n", "values columns=a", 2, "a", 0);
    holds("a,b\n", "a,b\n", "values columns=a", 0);
}

static void test_values_within(void **state)
{
    (void)state;
    const char *before = "a,g\n1,p\n2,p\n3,q\n4,q\n";
    holds(before, "a,g\n2,p\n1,p\n4,q\n3,q\n", "values columns=a within=g", 0);
    broken(before, "a,g\n3,p\n2,p\n1,q\n4,q\n", "values columns=a within=g", 4, "a", 0);
    holds(before, "a,g\n3,p\n2,p\n1,q\n4,q\n", "values columns=a", 0);
    broken(before, "a,g\n1,p\n2,p\n3,q\n4,r\n", "values columns=a within=g", 2, "a", 0);
}

static void test_unit(void **state)
{
    (void)state;
    const char *before = "a,b\nx,1\ny,2\nx,3\n";
    holds(before, "a,b\nx,3\nx,1\ny,2\n", "unit columns=a,b", 0);
    broken(before, "a,b\nx,3\nx,2\ny,1\n", "unit columns=a,b", 4, NULL, 0);
    broken("a,b\nx,\n", "a,b\n,x\n", "unit columns=a,b", 2, NULL, 0);
    holds("a,b,g\nx,1,p\ny,2,q\n", "a,b,g\nx,1,p\ny,2,q\n", "unit columns=a,b within=g", 0);
    broken("a,b,g\nx,1,p\ny,2,q\n", "a,b,g\ny,2,p\nx,1,q\n", "unit columns=a,b within=g", 4, NULL,
           0);
}

static void test_shares(void **state)
{
    (void)state;
    const char *before = "a,g\nx,p\nx,p\ny,p\ny,q\n";
    holds(before, before, "shares columns=a", 0);
    holds(before, "a,g\nx,p\ny,p\ny,p\ny,q\n", "shares columns=a amount=0.25", 0.25);
    broken(before, "a,g\nx,p\ny,p\ny,p\ny,q\n", "shares columns=a amount=0.2", 0.25, "a", 0);
    broken(before, "a,g\nx,p\ny,p\ny,p\ny,q\n", "shares columns=a within=g amount=0.3", 1. / 3, "a",
           0);
    broken(before, "a,g\nx,p\nx,p\ny,p\ny,r\n", "shares columns=a within=g amount=0.9", 1, "a", 0);
    holds("a\nx\ny\nz\n", "a\nx\ny\n\"\"\n", "shares columns=a amount=0.334", 1. / 3);
    holds("a\n", "a\n", "shares columns=a", NAN);
}

static void test_groups(void **state)
{
    (void)state;
    const char *before = "a,b\n1,1\n1,2\n2,1\n2,2\n";
    holds(before, "a,b\nx,p\nx,p\ny,q\ny,q\n", "groups columns=a,b amount=2", 2);
    broken(before, "a,b\nx,p\nx,p\ny,q\ny,p\n", "groups columns=a,b amount=2", 1, NULL, 3);
    holds(before, "a,b\n,\n\"\",\ny,q\ny,q\n", "groups columns=a,b amount=2", 2);
    broken(before, "a,b\n,\nx,p\nx,p\nx,p\n", "groups columns=a,b amount=2", 1, NULL, 1);
    holds(before, before, "groups columns=a within=b amount=1", 1);
    broken(before, before, "groups columns=a within=b amount=2", 1, NULL, 1);
    holds("a,b\n", "a,b\n", "groups columns=a amount=5", NAN);
}

static void test_maps(void **state)
{
    (void)state;
    const char *before = "a,b\nx,1\ny,2\nz,\n,\n";
    holds(before, "a,b\nk,1\nl,2\nm,\n,1\n", "null_map columns=a,b", 0);
    holds(before, "a,b\nx,2\nl,2\nm,\n,1\n", "null_map columns=a,b", 0);
    broken(before, "a,b\nk,1\nx,1\nm,\n,1\n", "null_map columns=a,b", 1, NULL, 2);
    broken(before, "a,b\nk,1\nl,2\n\"z\",\n,1\n", "null_map columns=a,b", 1, NULL, 3);
    broken(before, "a,b\nk,1\nl,2\nm,\n,\n", "null_map columns=a,b", 1, NULL, 4);
    holds(before, "a,b\ny,2\n,\nx,1\nz,\n", "wrong_map columns=a,b", 0);
    broken(before, "a,b\ny,2\nx,1\nz,\ny,2\n", "wrong_map columns=a,b", 1, NULL, 3);
    broken(before, "a,b\ny,2\nx,2\nx,1\nz,\n", "wrong_map columns=a,b", 1, NULL, 2);
    broken(before, "a,b\ny,2\nz,\nx,1\n,\n", "wrong_map columns=a,b", 1, NULL, 4);
    holds("a,g\nx,p\ny,p\n", "a,g\ny,p\nx,p\n", "wrong_map columns=a within=g", 0);
    broken("a,g\nx,p\ny,q\n", "a,g\ny,p\nx,q\n", "wrong_map columns=a within=g", 2, NULL, 1);
}

/* ---- claims about numbers ---- */

static void test_sum(void **state)
{
    (void)state;
    const char *before = "a,g\n0.1,p\n0.2,p\n0.3,q\n,q\n";
    holds(before, "a,g\n0.3,p\n0.30,p\n0.0,q\n,q\n", "sum columns=a", 0);
    broken(before, "a,g\n0.1,p\n0.2,p\n0.3000000000000001,q\n,q\n", "sum columns=a", 1e-16, "a", 0);
    broken(before, "a,g\n0.3,p\n0.3,p\n0.0,q\n,q\n", "sum columns=a within=g", 0.3, "a", 0);
    holds(before, "a,g\n0.3,p\n0.3,p\n0.0,q\n,q\n", "sum columns=a within=g amount=0.3", 0.3);
    holds("a\n1e3\n2.5E-3\n", "a\n1000.0025\n0\n", "sum columns=a", 0);
    holds("a\n5\nNA\n", "a\n5.0\n\n", "sum columns=a", 0);
    holds("a,g\n0,p\n", "a,g\n0,q\n", "sum columns=a within=g", 0);
    holds("a\n100000000000000000\n1\n", "a\n100000000000000001\n0\n", "sum columns=a", 0);
    broken("a\n100000000000000000\n", "a\n100000000000000001\n", "sum columns=a", 1, "a", 0);
    holds("a\n0.00012345678901234567\n-007\n", "a\n-7\n1.2345678901234567e-04\n", "sum columns=a",
          0);
    holds("a\n.\n-\n1.2.3\n5\n", "a\n1e\n+\n\n5.\n", "sum columns=a", 0);
    unchecked("a\n1234567890123456789\n", "a\n1234567890123456789\n", "sum columns=a", "digits");
    unchecked("a\n1e30\n1\n", "a\n1e30\n1\n", "sum columns=a", "far apart");
    holds("a\n-1\n+2\n.5\n", "a\n-1.5\n2.\n1\n", "sum columns=a", 0);
}

static void test_moments(void **state)
{
    (void)state;
    const char *before = "a,b\n1,10\n2,30\n3,20\n";
    holds(before, "a,b\n3,20\n1,10\n2,30\n", "moments columns=a,b", 0);
    /* correlations of 0.5 and -1 */
    broken(before, "a,b\n3,10\n1,30\n2,20\n", "moments columns=a,b", 1.5, "a", 0);
    holds(before, "a,b\n3,10\n1,30\n2,20\n", "moments columns=a,b amount=1.5", 1.5);
    /* a mean of 2, moved by 1 with a standard deviation of sqrt(2/3) */
    broken(before, "a,b\n2,10\n3,30\n4,20\n", "moments columns=a amount=1", sqrt(1.5), "a", 0);
    broken("a\n5\n5\n", "a\n5\n6\n", "moments columns=a amount=100", INFINITY, "a", 0);
    holds("a\n5\n5\n\n", "a\n5\n5.0\nx\n", "moments columns=a", 0);
    holds("a,b\n1,\n2,5\n3,6\n", "a,b\n1,\n2,5\n3,6\n", "moments columns=a,b", 0);
    broken("a\n1\n2\n", "a\nx\ny\n", "moments columns=a amount=9", INFINITY, "a", 0);
    holds("a\n100000001.5\n100000002.5\n", "a\n100000002.5\n100000001.5\n", "moments columns=a", 0);
    holds("a\nx\n", "a\ny\n", "moments columns=a", NAN);
}

static void test_near(void **state)
{
    (void)state;
    const char *before = "a\n10\n12.5\n\nNA\n";
    holds(before, "a\n12.0\n10.5\n\nNA\n", "near columns=a amount=2", 2);
    broken(before, "a\n12.0\n10.4\n\nNA\n", "near columns=a amount=2", 2.1, "a", 2);
    broken(before, "a\n12\n12.5\n1\nNA\n", "near columns=a amount=2", INFINITY, "a", 3);
    broken(before, "a\n12\n12.5\n\nNa\n", "near columns=a amount=2", INFINITY, "a", 4);
    broken(before, "a\n12\n\n\nNA\n", "near columns=a amount=2", INFINITY, "a", 2);
    broken("a\n10.2\n", "a\n13\n", "near columns=a amount=2.799999", 2.8, "a", 1);
    holds("a\n10.2\n", "a\n13\n", "near columns=a amount=2.8", 2.8);
    holds("a\n0.3\n", "a\n0.1\n", "near columns=a amount=0.2", 0.2);
    holds("a\n1000\n", "a\n1e3\n", "near columns=a", 0);
    broken("a\n1400\n", "a\n1e3\n", "near columns=a amount=300", 400, "a", 1);
}

static void test_range(void **state)
{
    (void)state;
    const char *before = "a\n10\n20\n\nNA\n";
    holds(before, "a\n0\n100\n\nNA\n", "range columns=a low=0 high=100", 0);
    broken(before, "a\n0\n101\n\nNA\n", "range columns=a low=0 high=100", 1, "a", 2);
    broken(before, "a\n-7\n101\n\nNA\n", "range columns=a low=0 high=100", 7, "a", 1);
    holds(before, "a\n2.7\n3\n\nNA\n", "range columns=a low=2.7 high=3", 0);
    broken(before, "a\n2.7\n3.0001\n\nNA\n", "range columns=a low=2.7 high=3", 0.0001, "a", 2);
    holds(before, "a\n\n\n\nNA\n", "range columns=a low=2.7 high=3", NAN);
    holds(before, "a\n-5\n5\n\n\n", "range columns=a low=-inf high=5", 0);
}

static void test_common(void **state)
{
    (void)state;
    const char *before = "a,b\n1,x\n1,x\n1,y\n2,y\n\"2\",\n3,\n";
    /* 4 is nobody's, empty cells are two rows' */
    holds(before, "a,b\n1,x\n1,x\n4,y\n2,y\n2,\n4,\n", "common columns=a,b amount=2", 2);
    broken(before, "a,b\n1,x\n1,x\n4,y\n2,y\n3,\n4,\n", "common columns=a,b amount=2", 1, "a", 5);
    broken(before, "a,b\n1,x\n2,x\n4,y\n2,y\n1,\n4,\n", "common columns=a,b amount=3", 2, "a", 2);
    holds(before, "a,b\n4,z\n4,z\n4,z\n4,z\n4,z\n4,z\n", "common columns=a,b amount=9", NAN);
    /* another spelling is another value */
    holds(before, "a,b\n3.0,x\n1,x\n1,y\n1,y\n1,y\n1,y\n", "common columns=a amount=3", 3);
}

static void test_uncopied(void **state)
{
    (void)state;
    const char *before = "a,b\n1,x\n1,x\n1,y\n2,y\n2,\n3,\n";
    holds(before, "a,b\n1,x\n2,x\n3,x\n3,y\n1,\n1,x\n", "uncopied columns=a,b", 0);
    broken(before, "a,b\n1,x\n2,x\n2,\n3,y\n1,\n1,y\n", "uncopied columns=a,b", 2, NULL, 3);
    broken(before, "a,b\n3,x\n1,x\n1,y\n3,y\n1,y\n1,y\n", "uncopied columns=a", 2, NULL, 1);
}

/* ---- what cannot be checked ---- */

static void test_unchecked(void **state)
{
    (void)state;
    const char *before = "a\n10\n";
    unchecked(before, before, "13 columns=a", "kind of claim");
    unchecked(before, before, "-1 columns=a", "kind of claim");
    unchecked(before, before, "sum", "names no column");
    unchecked(before, before, "sum columns=z", "masked table does not have");
    unchecked(before, before, "groups columns=a within=z amount=1", "masked table does not have");
    unchecked(before, before, "sum columns=a amount=nan", "amount");
    unchecked(before, before, "near columns=a amount=-1", "amount");
    unchecked(before, before, "range columns=a low=2 high=1", "range");
}

static void test_new_column(void **state)
{
    (void)state;
    masked_case m;
    masked_case_init(&m, "a\n10\n", "a,w\n10,2\n", "", "w");
    masked_claim(&m, "range columns=w low=1 high=2");
    masked_claim(&m, "groups columns=w amount=1");
    masked_claim(&m, "null_map columns=w");
    tacit_masked_verdict *v = masked_judge(&m, 1);
    assert_true(v->claims[0].holds);
    assert_true(v->claims[1].holds);
    assert_false(v->claims[2].checked);
    assert_int_equal(v->finding_count, 1);
    assert_string_equal(v->findings[0].column, "w");
    assert_non_null(strstr(v->findings[0].what, "the original does not have"));
    tacit_masked_verdict_free(v);
    masked_case_clear(&m);
}

/* More columns than are read at once. */
static void test_many_columns(void **state)
{
    (void)state;
    const char *before = "a,b,c,d,e,f,g,h,i,j,k,l,m,n,o\n1,2,3,4,5,6,7,8,9,1,2,3,4,5,6\n";
    const char *after = "a,b,c,d,e,f,g,h,i,j,k,l,m,n,o\n1,2,3,4,5,6,7,8,9,1,2,3,4,5,7\n";
    masked_case m;
    masked_case_init(&m, before, after, "o", "");
    masked_claim(&m, "sum columns=a,b,c,d,e,f,g,h");
    masked_claim(&m, "values columns=f,g,h,i,j,k,l,m");
    masked_claim(&m, "near columns=a,b,c,d,e,f,g,h,i,j,k,l,m,n amount=0");
    masked_claim(&m, "sum columns=n,o");
    tacit_masked_verdict *v = masked_judge(&m, 2);
    for (int i = 0; i < 3; i++)
        assert_true(v->claims[i].holds);
    assert_false(v->claims[3].holds);
    assert_string_equal(v->claims[3].column, "o");
    assert_int_equal(v->finding_count, 1);
    assert_int_equal(v->findings[0].claim, 3);
    tacit_masked_verdict_free(v);
    masked_case_clear(&m);
}

/* ---- what no step may have changed ---- */

static void expect(const masked_case *m, tacit_masked_finding_kind kind, const char *column,
                   int64_t row, double measured, const char *what)
{
    tacit_masked_verdict *v = masked_judge(m, 1);
    for (size_t i = 0; i < v->finding_count; i++) {
        const tacit_masked_finding *f = &v->findings[i];
        if (f->kind == kind && strstr(f->what, what) && f->row == row && f->measured == measured &&
            f->claim == SIZE_MAX && (!column || (f->column && strcmp(f->column, column) == 0))) {
            tacit_masked_verdict_free(v);
            return;
        }
    }
    fail_msg("\"%s\" is not among the %zu findings", what, v->finding_count);
}

static void expect_nothing(const masked_case *m)
{
    tacit_masked_verdict *v = masked_judge(m, 1);
    if (!v->holds)
        fail_msg("%s", v->findings[0].what);
    tacit_masked_verdict_free(v);
}

static void test_bytes(void **state)
{
    (void)state;
    masked_case m;
    masked_case_init(&m, "a,b\n1,x\n2,y\n", "a,b\n5,x\n2,y\n", "a", "");
    tacit_masked_verdict *v = masked_judge(&m, 1);
    assert_true(v->holds);
    assert_int_equal(v->cells_compared, 4);
    assert_int_equal(v->cells_changed, 1);
    assert_int_equal(v->column_count, 1);
    assert_string_equal(v->columns[0].name, "a");
    assert_int_equal(v->columns[0].compared, 2);
    assert_int_equal(v->columns[0].changed, 1);
    tacit_masked_verdict_free(v);
    m.c.touched_count = 0;
    expect(&m, TACIT_MASKED_BYTES, "a", 1, 1, "no step may have changed");
    masked_case_clear(&m);
    /* the same value, and other bytes */
    masked_case_init(&m, "a,b\n1,x\n2,y\n", "a,b\n1,x\n2,\"y\"\n", "a", "");
    expect(&m, TACIT_MASKED_BYTES, "b", 2, 1, "no step may have changed");
    masked_case_clear(&m);
}

static void test_header(void **state)
{
    (void)state;
    masked_case m;
    masked_case_init(&m, "a,b\n1,x\n", "a,c\n1,x\n", "a,b", "");
    expect(&m, TACIT_MASKED_HEADER, "b", 0, 0, "missing");
    expect(&m, TACIT_MASKED_HEADER, "c", 0, 0, "no step has written");
    masked_case_clear(&m);
    masked_case_init(&m, "a,b\n1,x\n", "b,a\nx,1\n", "", "");
    expect(&m, TACIT_MASKED_HEADER, "a", 0, 0, "not in its place");
    masked_case_clear(&m);
    masked_case_init(&m, "a,b\n1,x\n", "a,b,w\n1,x,3\n", "", "");
    expect(&m, TACIT_MASKED_HEADER, "w", 0, 0, "no step has written");
    m.written[0] = "w";
    m.c.written_count = 1;
    expect_nothing(&m);
    m.written[0] = "v";
    expect(&m, TACIT_MASKED_HEADER, "v", 0, 0, "missing");
    masked_case_clear(&m);
    masked_case_init(&m, "a,b\n1,x\n", "a\n1\n", "a,b", "");
    expect(&m, TACIT_MASKED_HEADER, "b", 0, 0, "missing");
    tacit_masked_verdict *v = masked_judge(&m, 1);
    assert_int_equal(v->cells_compared, 1);
    assert_int_equal(v->columns[1].compared, 0);
    tacit_masked_verdict_free(v);
    masked_case_clear(&m);
}

static void test_rows(void **state)
{
    (void)state;
    masked_case m;
    masked_case_init(&m, "a,b\n1,x\n2,y\n3,z\n", "a,b\n3,z\n1,x\n2,y\n", "", "");
    m.origin[0] = 2, m.origin[1] = 0, m.origin[2] = 1;
    expect_nothing(&m); /* another order */
    m.origin[1] = 2;
    expect(&m, TACIT_MASKED_ROWS, NULL, 2, 1, "there again");
    expect(&m, TACIT_MASKED_ROWS, NULL, 0, 1, "not there");
    expect(&m, TACIT_MASKED_BYTES, "a", 2, 1, "no step may have changed");
    m.origin[1] = 3;
    expect(&m, TACIT_MASKED_ROWS, NULL, 2, 1, "come from rows that");
    m.origin[1] = UINT32_MAX;
    expect(&m, TACIT_MASKED_ROWS, NULL, 2, 1, "made up");
    masked_case_clear(&m);
    masked_case_init(&m, "a,b\n1,x\n2,y\n3,z\n", "a,b\n1,x\n3,z\n3,z\n", "", "");
    m.origin[1] = 2;
    expect(&m, TACIT_MASKED_ROWS, NULL, 3, 1, "there again");
    m.c.rows_changed = true;
    expect_nothing(&m); /* row 2 left out, row 3 twice */
    m.origin[1] = 7;
    expect(&m, TACIT_MASKED_ROWS, NULL, 2, 1, "come from rows that");
    masked_case_clear(&m);
    masked_case_init(&m, "a\n1\n2\n", "a\n1\n", "", "");
    expect(&m, TACIT_MASKED_ROWS, NULL, 0, 1, "not there");
    masked_case_clear(&m);
}

static void test_made_up(void **state)
{
    (void)state;
    masked_case m;
    masked_case_init(&m, "a,b\n1,x\n", "a,b\n1,x\n7,\n", "a", "");
    m.origin[1] = UINT32_MAX;
    m.c.rows_changed = true;
    expect_nothing(&m);
    m.c.touched_count = 0;
    expect(&m, TACIT_MASKED_BYTES, "a", 2, 1, "made up have cells");
    m.c.filled = true;
    expect(&m, TACIT_MASKED_BYTES, "a", 2, 1, "no row of the original says");
    masked_case_clear(&m);
    masked_case_init(&m, "a,b\n1,x\n2,y\n", "a,b\n\"2\",x\n1,x\n,\n2,y\n", "", "");
    m.c.rows_changed = m.c.filled = true;
    m.origin[0] = m.origin[2] = UINT32_MAX;
    m.origin[1] = 0, m.origin[3] = 1;
    expect_nothing(&m);
    masked_case_clear(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),     cmocka_unit_test(test_values_within),
        cmocka_unit_test(test_unit),       cmocka_unit_test(test_shares),
        cmocka_unit_test(test_groups),     cmocka_unit_test(test_maps),
        cmocka_unit_test(test_sum),        cmocka_unit_test(test_moments),
        cmocka_unit_test(test_near),       cmocka_unit_test(test_range),
        cmocka_unit_test(test_common),     cmocka_unit_test(test_uncopied),
        cmocka_unit_test(test_uncopied),   cmocka_unit_test(test_unchecked),
        cmocka_unit_test(test_new_column), cmocka_unit_test(test_many_columns),
        cmocka_unit_test(test_bytes),      cmocka_unit_test(test_header),
        cmocka_unit_test(test_rows),       cmocka_unit_test(test_made_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
