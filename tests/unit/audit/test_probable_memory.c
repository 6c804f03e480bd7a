/*
 * test_probable_memory.c - every allocation of linking by probability failed in turn; files without
 * rows, without anybody who could be a record, and too many columns.
 */
#include "starve.h"

#include "linked.h"

static const char RELEASE[] = "name,birth,zip,pay\nann,1961-10-02,0213*,10\nabe,1961-07-15,02139,\n"
                              "*,*,*,*\nann,1961-10-02,0213*,10\nzoe,1999-12-12,02141,70\n";
static const char PEOPLE[] =
    "name,birth,zip,pay\nanne,1961-10-02,02138,10\nabe,1961-07-14,02139,20\n"
    "al,1961-03-08,02138,30\n,1952-06-02,,40\ndon,1970-01-30,02141,\n";

static void open_linked(linked *l, const char *release, const char *people)
{
    linked_open(l, release, people);
    linked_by(l, "name", &LINKED_PLAIN);
    linked_by(l, "birth", &LINKED_PLAIN);
    linked_by(l, "zip", &LINKED_MASK);
    linked_by(l, "pay", &LINKED_PLAIN);
    assert_int_equal(linked_try(l, NULL, NULL), TACIT_OK);
}

static tacit_status link_once(void *context, tacit_error *err)
{
    const linked *l = context;
    tacit_run run = starve_run(1);
    tacit_probable *found = STARVE_UNTOUCHED;
    tacit_probable_options options;
    const int32_t *places = tacit_linkage_columns(l->linkage);
    const tacit_probable_case c = {&l->c, l->release, l->registers[0], places, places, NULL};
    tacit_probable_options_init(&options);
    tacit_status status = tacit_probable_new(&found, &c, &options, &run, err);
    if (status == TACIT_OK)
        tacit_probable_free(found);
    else
        assert_ptr_equal(found, STARVE_UNTOUCHED);
    return status;
}

static void test_starved(void **state)
{
    (void)state;
    linked l;
    open_linked(&l, RELEASE, PEOPLE);
    assert_true(starve(link_once, &l) > 40);
    assert_true(starve_way_of(link_once, &l, STARVE_FOR_GOOD) > 40);
    linked_close(&l);
}

/* Where there is nothing to compare, nobody is linked. */
static void test_empty(void **state)
{
    (void)state;
    static const char HEADER[] = "name,birth,zip,pay\n",
                      BLANK[] = "name,birth,zip,pay\n,,,\n*,*,*,*\n";
    static const char *const FILES[][2] = {
        {HEADER, PEOPLE}, {RELEASE, HEADER}, {HEADER, HEADER}, {BLANK, PEOPLE}, {RELEASE, BLANK}};
    for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++) {
        linked l;
        tacit_probable *found = NULL;
        tacit_probable_options options;
        tacit_probable_options_init(&options);
        open_linked(&l, FILES[i][0], FILES[i][1]);
        const int32_t *places = tacit_linkage_columns(l.linkage);
        const tacit_probable_case c = {&l.c, l.release, l.registers[0], places, places, NULL};
        assert_int_equal(tacit_probable_new(&found, &c, &options, NULL, NULL), TACIT_OK);
        assert_int_equal(found->assigned, 0);
        assert_int_equal(found->pairs, 0);
        for (int64_t r = 0; r < found->records; r++)
            assert_int_equal(found->links[r].person, TACIT_LINK_NOBODY);
        tacit_probable_free(found);
        linked_close(&l);
    }
}

static void test_refused(void **state)
{
    (void)state;
    tacit_link_case link = {.column_count = TACIT_MAX_PROBABLE_COLUMNS + 1};
    tacit_probable_case c = {.link = &link};
    tacit_probable *found = NULL;
    tacit_probable_options options;
    tacit_probable_options_init(&options);
    assert_int_equal(tacit_probable_new(&found, &c, &options, NULL, NULL), TACIT_LIMIT);
    link.column_count = 1;
    link.person = (const uint32_t[]){0};
    assert_int_equal(tacit_probable_new(&found, &c, &options, NULL, NULL), TACIT_INVALID);
    assert_null(found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_starved), cmocka_unit_test(test_empty),
                                       cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
