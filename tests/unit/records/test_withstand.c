/*
 * test_withstand.c - earlier releases matched to the data, case by case.
 */
#include "previous.h"

static const char DATA[] =
    "Z,S,P,id\n02138,m,flu,ann\n02139,m,flu,ben\n02141,f,cold,cat\n,f,cold,dan\n";

static void open_data(fixture *f)
{
    fixture_open(f, DATA);
    fixture_mask(f, "Z");
    fixture_none(f, "S");
    fixture_none(f, "P");
}

typedef struct match_case {
    const char *release;
    const char *error; /* NULL: matched */
    int64_t matched, added, removed;
    uint32_t old_of[4];
    uint8_t levels[4]; /* of the first attribute */
} match_case;

static void test_matched(void **state)
{
    enum { NO = UINT32_MAX, NOT = TACIT_NOT_SHOWN };
    static const match_case CASES[] = {
        /* as it is, in another order */
        {"Z,S,P\n02141,f,cold\n02138,m,flu\n02139,m,flu\n,f,cold\n",
         NULL,
         4,
         0,
         0,
         {1, 2, 0, 3},
         {0, 0, 0, 0}},
        /* labels; a person who is gone, one who is new, a suppressed row */
        {"Z,S,P\n0213*,m,flu\n0213*,m,flu\n99999,f,flu\n*,*,cold\n",
         NULL,
         3,
         1,
         1,
         {0, 1, 3, NO},
         {1, 1, 5, NOT}},
        /* the finer label is taken first, the coarser by who is left */
        {"Z,S,P\n*,m,flu\n02138,m,flu\n", NULL, 2, 2, 0, {1, 0, NO, NO}, {0, 5, NOT, NOT}},
        /* a column that it does not show, another order of columns */
        {"P,Z\ncold,*\nflu,0213*\n", NULL, 2, 2, 0, {1, NO, 0, NO}, {1, NOT, 5, NOT}},
        /* columns outside the quasi-identifier must say the same, or be suppressed */
        {"Z,S,P\n0213*,m,cold\n0213*,m,*\n", NULL, 1, 3, 1, {1, NO, NO, NO}, {1, NOT, NOT, NOT}},
        {"Z,S,P\n0213*,m,cold\n", "old.csv: no row of it can be", 0, 0, 0, {0}, {0}},
        {"P,id\nflu,ann\n", "old.csv: has no column of the quasi-identifier", 0, 0, 0, {0}, {0}},
        {"Z,S,P\n", NULL, 0, 4, 0, {NO, NO, NO, NO}, {NOT, NOT, NOT, NOT}},
    };
    tacit_run run;
    fixture f;
    (void)state;
    tacit_run_init(&run);
    open_data(&f);
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        const match_case *c = &CASES[i];
        earlier e;
        tacit_error err = {0};
        tacit_previous *previous = NULL;
        char message[4096];
        earlier_open(&e, &f, c->release);
        tacit_status status = tacit_previous_new(&previous, &f.frame, 3, &e.shown, &run, &err);
        assert_int_equal(status, c->error ? TACIT_INVALID : TACIT_OK);
        snprintf(message, sizeof message, "%s: %s", err.file, err.message);
        if (c->error)
            assert_memory_equal(message, c->error, strlen(c->error));
        for (int row = 0; !c->error && row < 4; row++) {
            assert_int_equal(previous->old_of[row], c->old_of[row]);
            assert_int_equal(previous->levels[row * 3], c->levels[row]);
        }
        if (!c->error) {
            assert_int_equal(previous->matched, c->matched);
            assert_int_equal(previous->added, c->added);
            assert_int_equal(previous->removed, c->removed);
        }
        tacit_previous_free(previous);
        earlier_close(&e);
    }
    fixture_close(&f);
}

static size_t shout(tacit_strview value, char *out, size_t size, const void *payload)
{
    (void)payload;
    for (size_t i = 0; i < value.len && i < size; i++)
        out[i] = (char)(value.bytes[i] - 'a' + 'A');
    return value.len;
}

/* What says whose row it is decides, whatever else would fit. */
static void test_linked(void **state)
{
    fixture f;
    earlier e;
    tacit_run run;
    tacit_error err = {0};
    tacit_previous *previous = NULL;
    (void)state;
    tacit_run_init(&run);
    open_data(&f);
    earlier_open(&e, &f, "Z,S,P,id\n0213*,m,flu,BEN\n*,*,*,DAN\n*,*,*,EVE\n");
    const tacit_previous_link link = {3, 3, shout, NULL};
    e.shown.links = &link;
    e.shown.link_count = 1;
    assert_int_equal(tacit_previous_new(&previous, &f.frame, 3, &e.shown, &run, &err), TACIT_OK);
    assert_int_equal(previous->old_of[0], TACIT_NO_ROW);
    assert_int_equal(previous->old_of[1], 0);
    assert_int_equal(previous->old_of[3], 1);
    assert_int_equal(previous->removed, 1);
    tacit_previous_free(previous);
    earlier_close(&e);
    fixture_close(&f);
}

/* A label that stands on several levels: the lowest that means as much. */
static void test_short_branch(void **state)
{
    fixture f;
    earlier e;
    tacit_run run;
    tacit_error err = {0};
    tacit_previous *previous = NULL;
    (void)state;
    tacit_run_init(&run);
    fixture_open(&f, "C,D\na,1\nb,1\n");
    fixture_file(&f, "C", "a;a;r\nb;x;r\nc;x;r\n");
    earlier_open(&e, &f, "C\na\nx\n");
    assert_int_equal(tacit_previous_new(&previous, &f.frame, 1, &e.shown, &run, &err), TACIT_OK);
    assert_int_equal(previous->levels[0], 0);
    assert_int_equal(previous->levels[1], 1);
    tacit_previous_free(previous);
    earlier_close(&e);
    fixture_close(&f);
}

/* People, not rows: two rows of one person hide nobody. */
static void test_people(void **state)
{
    fixture f;
    earlier e;
    tacit_run run;
    tacit_error err = {0};
    (void)state;
    tacit_run_init(&run);
    for (int people = 2; people <= 3; people++) {
        tacit_previous *previous = NULL;
        tacit_rowwise release = {.rows = 3, .attributes = 1};
        tacit_previous_answer answer;
        uint8_t levels[] = {0, 0, 0};
        uint64_t suppressed = 0, exposed = 0;
        fixture_open(&f, people == 2 ? "S,id\nm,a\nm,a\nm,b\n" : "S,id\nm,a\nm,c\nm,b\n");
        fixture_none(&f, "S");
        f.frame.person = 1;
        earlier_open(&e, &f, "S\n");
        release.levels = levels;
        release.suppressed = &suppressed;
        assert_int_equal(tacit_previous_new(&previous, &f.frame, 1, &e.shown, &run, &err),
                         TACIT_OK);
        const tacit_previous_question question = {
            .previous = previous, .frame = &f.frame, .release = &release, .k = 3};
        assert_int_equal(tacit_previous_check(&answer, &exposed, &question, &run, &err), TACIT_OK);
        assert_int_equal(answer.exposed, people == 2 ? 3 : 0);
        tacit_previous_free(previous);
        earlier_close(&e);
        fixture_close(&f);
    }
}

/* Two rows that both can be any of two combinations: four pairs, and no more than are allowed. */
static void test_limit(void **state)
{
    fixture f;
    earlier e;
    tacit_run run;
    (void)state;
    tacit_run_init(&run);
    fixture_open(&f, "S,P\nm,flu\nm,cold\n");
    fixture_none(&f, "S");
    fixture_none(&f, "P");
    earlier_open(&e, &f, "S,P\n*,*\nm,*\n");
    for (int64_t most = 3; most <= 4; most++) {
        tacit_previous *previous = NULL;
        tacit_error err = {0};
        e.shown.max_pairs = most;
        assert_int_equal(tacit_previous_new(&previous, &f.frame, 3, &e.shown, &run, &err),
                         most == 3 ? TACIT_LIMIT : TACIT_OK);
        if (most == 3)
            assert_non_null(strstr(err.message, "more than 3 pairs"));
        else
            assert_int_equal(previous->matched, 2);
        tacit_previous_free(previous);
    }
    earlier_close(&e);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matched),      cmocka_unit_test(test_linked),
        cmocka_unit_test(test_short_branch), cmocka_unit_test(test_people),
        cmocka_unit_test(test_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
