/*
 * test_audit_identifiers.c - the judge on who is named: identifiers that are
 * left, pseudonyms that do not hold, columns that should or should not be there.
 */
#include "audit_honest.h"

static void test_identifier_left(void **state)
{
    (void)state;
    audit_case c = {.promise = {.k = 1}};
    case_attribute(&c, "a", &CASE_NONE);
    case_identifier(&c, "name", false);
    static const struct {
        const char *name, *note;
        bool left;
    } notes[] = {
        {"Alice Moore", "seen by Alice Moore.", true},
        {"Alice Moore", "Alice Moored", false},
        {"Alice Moore", "Alice Moored, Alice Moore", true},
        {"Alice Moore", "Alice", false},
        {"anna", "joanna came", false},
        {"Ann", "Ann came", false},            /* three letters turn up by chance */
        {"Anna", "Anna came", true},           /* four do not */
        {"12345678", "id 12345678", false},    /* eight digits do */
        {"123456789", "id 123456789", true},   /* nine do not */
        {"123456789", "id 1234567890", false}, /* another number */
        {"123-45-6789", "ssn=123-45-6789", true},
        {"J\xC3\xBCrg", "J\xC3\xBCrg,", true},
        {"O\"\"Neill", "by O\"\"Neill", true},
    };
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++) {
        char original[256], release[256];
        snprintf(original, sizeof original, "name,a,note\n\"%s\",x,\"%s\"\n", notes[i].name,
                 notes[i].note);
        snprintf(release, sizeof release, "a,note\nx,\"%s\"\n", notes[i].note);
        c.original = original;
        c.release = release;
        for (int known = 0; known < 2; known++) {
            c.same_order = known;
            assert_int_equal(case_kinds(&c), notes[i].left ? KIND(IDENTIFIER) : 0);
        }
    }
}

static void test_identifier_in_attribute(void **state)
{
    (void)state;
    audit_case c = {.promise = {.k = 2}, .same_order = true};
    case_attribute(&c, "town", &CASE_NONE);
    case_identifier(&c, "name", false);
    c.original = "name,town\nLondon,London\nSmith,London\n";
    c.release = "town\nLondon\nLondon\n"; /* shared by two: nobody can tell it is a name */
    assert_int_equal(case_kinds(&c), 0);
}

static void test_messages_show_no_values(void **state)
{
    (void)state;
    audit_case c = honest();
    promise(&c);
    c.release = "number,zip,sex,note,amount\n"
                "A1001,0213*,f,Alice Moore,10\n"
                "p9,99999,f,fever,20\n"
                "p1,0213*,m,fever,30\n"
                "p2,0213*,m,,40\n"
                "p7,*,*,rash,50\n"
                "p9,1000*,f,\"said \"\"no\"\"\",61\n";
    tacit_verdict *v = case_judge(&c);
    static const char *const values[] = {"A1001", "Alice", "99999", "0213", "61", "rash"};
    assert_true(v->finding_count >= 4);
    for (int32_t i = 0; i < v->finding_count; i++)
        for (size_t j = 0; j < sizeof values / sizeof *values; j++)
            assert_null(strstr(v->findings[i].message, values[j]));
    for (int32_t i = 1; i < v->finding_count; i++)
        assert_true(v->findings[i - 1].kind <= v->findings[i].kind);
    tacit_verdict_free(v);
}

static void test_pseudonyms(void **state)
{
    (void)state;
    for (int known = 0; known < 2; known++) {
        assert_int_equal(tampered("p1,0213*", "A1003,0213*", known), KIND(IDENTIFIER));
        assert_int_equal(tampered("p1,0213*", "A1004,0213*", known), KIND(IDENTIFIER));
        assert_int_equal(tampered("p1,0213*", "p2,0213*", known), KIND(CHANGED) | KIND(TRAIL));
        assert_int_equal(tampered("p7,1000*", "p8,1000*", known), KIND(CHANGED) | KIND(TRAIL));
    }
    /* exchanged between two rows: only the correspondence tells */
    audit_case c = honest();
    promise(&c);
    c.release = replaced(RELEASE, "p7,1000*", "p2,1000*");
    char first[4096];
    snprintf(first, sizeof first, "%s", c.release);
    c.release = replaced(first, "p2,0213*", "p7,0213*");
    assert_int_equal(case_kinds(&c), KIND(CHANGED) | KIND(TRAIL));
    /* somebody else's name within a pseudonym is not seen, one's own is */
    assert_int_equal(tampered("p1,0213*", "x-Carla Stone,0213*", true), KIND(IDENTIFIER));
}

static void test_pseudonym_of_missing(void **state)
{
    (void)state;
    audit_case c = {.promise = {.k = 1}};
    case_attribute(&c, "a", &CASE_NONE);
    case_identifier(&c, "id", true);
    c.original = "id,a\nu1,x\n,y\n,z\n";
    c.release = "id,a\nq,x\n,y\n,z\n";
    for (int known = 0; known < 2; known++) {
        c.same_order = known;
        assert_int_equal(case_kinds(&c), 0);
    }
}

/* Pseudonyms per row differ in every row, link none, and are nobody's number. */
static void test_row_pseudonyms(void **state)
{
    (void)state;
    static const struct {
        const char *release;
        unsigned findings;
    } cases[] = {
        {"id,a\nq1,x\nq2,x\nq3,y\nq4,y\n", 0},
        {"id,a\nq1,x\nq1,x\nq3,y\nq4,y\n", KIND(CHANGED)},
        {"id,a\n,x\n,x\nq3,y\nq4,y\n", KIND(CHANGED)},
        {"id,a\nu1,x\nq2,x\nq3,y\nq4,y\n", KIND(IDENTIFIER)},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int known = 0; known < 3; known++) {
            audit_case c = {.promise = {.k = 2, .person = "id"}, .release = cases[i].release};
            case_attribute(&c, "a", &CASE_NONE);
            case_identifier(&c, "id", true);
            c.identifiers[0].per_row = true;
            c.original = known < 2 ? "id,a\nu1,x\nu2,x\nu1,y\nu2,y\n" : NULL;
            c.same_order = known == 1;
            tacit_verdict *v = case_judge(&c);
            unsigned told = known < 2 ? ~0u : ~KIND(IDENTIFIER);
            assert_int_equal(verdict_kinds(v), cases[i].findings & told);
            assert_int_equal(v->people_counted, known == 1); /* nobody is told by the release */
            assert_false(v->trails.checked);
            tacit_verdict_free(v);
        }
}

/* Rows of a dropped identifier that repeats may be one person's: k values in every class, unless
 * the promise says whose rows they are. Rows without a value may be anybody's. */
static void test_repeated(void **state)
{
    (void)state;
    static const struct {
        const char *original;
        unsigned findings;
    } cases[] = {
        {"id,a\nu1,x\nu2,x\nu1,y\nu2,y\n", 0},
        {"id,a\nu1,x\nu1,x\nu1,y\nu2,y\n", KIND(PERSON)},
        {"id,a\n\"u1\",x\nu1,x\nu1,y\nu2,y\n", KIND(PERSON)},
        {"id,a\n,x\n,x\nu1,y\nu2,y\n", 0},
        {"id,a\nu1,x\n,x\nu1,y\nu2,y\n", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int known = 0; known < 2; known++) {
            audit_case c = {.promise = {.k = 2}, .release = "a\nx\nx\ny\ny\n"};
            case_attribute(&c, "a", &CASE_NONE);
            case_identifier(&c, "id", false);
            c.original = cases[i].original;
            c.same_order = known;
            assert_int_equal(case_kinds(&c), known ? cases[i].findings : 0);
            c.promise.rows_are_people = true;
            assert_int_equal(case_kinds(&c), 0);
        }
}

/* Scrubbed text may say anything, but for who it is about. */
static void test_scrubbed(void **state)
{
    (void)state;
    static const char *const names[] = {"note"};
    audit_case c = {.promise = {.k = 1, .scrubbed = names, .scrubbed_count = 1}};
    case_attribute(&c, "a", &CASE_NONE);
    case_identifier(&c, "name", false);
    c.original = "name,a,note,b\nAnna,x,Anna came,1\nBert,y,\"Bert, too\",2\n";
    static const struct {
        const char *release;
        unsigned findings, unknown; /* with and without a correspondence of rows */
    } cases[] = {
        {"a,note,b\nx,Cleo came,1\ny,\"Dora, too\",2\n", 0, 0},
        {"a,note,b\nx,,1\ny,Anna,2\n", 0, 0}, /* another row's name is not looked for */
        {"a,note,b\nx,Cleo and Anna,1\ny,\"Dora, too\",2\n", KIND(IDENTIFIER), 0},
        {"a,note,b\nx,Cleo came,7\ny,\"Dora, too\",2\n", KIND(CHANGED), KIND(ROWS) | KIND(CHANGED)},
        {"a,b\nx,1\ny,2\n", KIND(COLUMN), KIND(COLUMN)},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int known = 0; known < 2; known++) {
            c.release = cases[i].release;
            c.same_order = known;
            assert_int_equal(case_kinds(&c), known ? cases[i].findings : cases[i].unknown);
        }
}

static void test_columns(void **state)
{
    (void)state;
    audit_case c = honest();
    promise(&c);
    for (int i = 0; i < 2; i++) {
        c.original = i ? NULL : ORIGINAL;
        c.release = "name,number,zip,sex,note,amount\nzz,p,0213*,f,\"cough, dry\",10\n";
        assert_true(case_kinds(&c) & KIND(COLUMN));
        c.release = replaced(RELEASE, "number,zip", "number,region"); /* no such attribute */
        assert_int_equal(case_kinds(&c) & KIND(COLUMN), KIND(COLUMN));
        c.release = replaced(RELEASE, "number,zip", "other,zip"); /* no pseudonym */
        assert_true(case_kinds(&c) & KIND(COLUMN));
    }
    c.original = ORIGINAL;
    c.release = replaced(RELEASE, "note,amount", "note,extra");
    assert_int_equal(case_kinds(&c), KIND(COLUMN));
    c.original = NULL;
    c.release = replaced(RELEASE, "note,amount", "note,\" NAME\"");
    assert_int_equal(case_kinds(&c), KIND(COLUMN));
    case_identifier(&c, "nowhere", false);
    c.original = ORIGINAL;
    c.release = RELEASE;
    assert_int_equal(case_kinds(&c), KIND(COLUMN));
}

static void test_fewer_columns(void **state)
{
    (void)state;
    audit_case c = honest();
    promise(&c);
    c.release =
        "sex,zip,number\nf,0213*,a\nf,0213*,b\nm,0213*,c\nm,0213*,d\nf,1000*,a\nf,1000*,b\n";
    for (int known = 0; known < 2; known++) {
        c.same_order = known;
        assert_int_equal(case_kinds(&c), 0);
    }
}

static void test_without_header(void **state)
{
    (void)state;
    tacit_csv_options options;
    tacit_run run;
    tacit_run_init(&run);
    tacit_csv_options_init(&options);
    options.no_header = true;
    options.delimiter = ',';
    tacit_table *original = NULL, *release = NULL;
    assert_int_equal(tacit_table_read_memory(&original, tacit_strview_of("Alice,x,1\nBruno,x,2\n"),
                                             "o.csv", &options, &run, NULL),
                     TACIT_OK);
    const tacit_strview names[] = {tacit_strview_of("V2"), tacit_strview_of("V3")};
    options.names = names;
    options.name_count = 2;
    assert_int_equal(tacit_table_read_memory(&release, tacit_strview_of("x,1\nx,2\n"), "r.csv",
                                             &options, &run, NULL),
                     TACIT_OK);
    audit_case c = {.promise = {.k = 2}};
    case_attribute(&c, "V2", &CASE_NONE);
    case_identifier(&c, "V1", false);
    for (int known = 0; known < 2; known++) {
        tacit_evidence evidence = {.release = release, .original = original, .same_order = known};
        tacit_verdict *v = NULL;
        assert_int_equal(tacit_audit_release(&v, &c.promise, &evidence, &run, NULL), TACIT_OK);
        assert_true(v->holds);
        tacit_verdict_free(v);
    }
    tacit_table_free(release);
    tacit_table_free(original);
}

/* Numbers too short to be looked for in cells, but a whole column of them is
 * the identifier again, whether rows correspond or not. */
static void test_copied_identifier(void **state)
{
    (void)state;
    audit_case c = {.promise = {.k = 2}};
    c.original = "id,sex,file\n11,f,11\n12,f,\"12\"\n13,f,13\n,f,7\n14,f,14\n15,f,15\n16,f,16\n";
    c.release = "sex,file\nf,11\nf,\"12\"\nf,13\nf,7\nf,14\nf,15\nf,16\n";
    case_attribute(&c, "sex", &CASE_NONE);
    case_identifier(&c, "id", false);
    assert_int_equal(case_kinds(&c), KIND(IDENTIFIER));
    c.same_order = true;
    assert_int_equal(case_kinds(&c), KIND(IDENTIFIER));
    /* one row that differs: chance, for all that is known */
    c.original = "id,sex,file\n11,f,11\n12,f,12\n13,f,13\n14,f,14\n15,f,15\n16,f,61\n";
    c.release = "sex,file\nf,11\nf,12\nf,13\nf,14\nf,15\nf,61\n";
    assert_int_equal(case_kinds(&c), 0);
    /* an identifier that is nearly always the same says nothing */
    c.original = "id,sex,file\n1,f,1\n1,f,1\n1,f,1\n1,f,1\n1,f,1\n2,f,2\n";
    c.release = "sex,file\nf,1\nf,1\nf,1\nf,1\nf,1\nf,2\n";
    assert_int_equal(case_kinds(&c), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_identifier_left),
        cmocka_unit_test(test_identifier_in_attribute),
        cmocka_unit_test(test_messages_show_no_values),
        cmocka_unit_test(test_pseudonyms),
        cmocka_unit_test(test_pseudonym_of_missing),
        cmocka_unit_test(test_row_pseudonyms),
        cmocka_unit_test(test_repeated),
        cmocka_unit_test(test_scrubbed),
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_fewer_columns),
        cmocka_unit_test(test_without_header),
        cmocka_unit_test(test_copied_identifier),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
