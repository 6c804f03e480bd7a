/*
 * test_link_memory.c - every allocation of linking failed in turn: joining registers, lineages,
 * counting with and without people who have several rows, a truth, and uniqueness.
 */
#include "starve.h"

#include "linked.h"

static const char RELEASE[] = "zip,sex,job\n0213*,f,*\n02138,m,j1\n*,*,*\n02139,f,j2\n";
static const char PEOPLE[] = "id,zip,sex\n1,02138,m\n2,02139,f\n3,02138,f\n4,,m\n5,02141,f\n";
static const char JOBS[] = "id,job\n1,j1\n1,j2\n2,j2\n3,j1\n3,j1\n";

typedef struct attempt {
    tacit_linkage_files files;
    const uint32_t *truth;
    int threads;
} attempt;

static tacit_status link_files(void *context, tacit_error *err)
{
    const attempt *a = context;
    tacit_run run = starve_run(a->threads);
    tacit_linkage *linkage = NULL;
    tacit_link *link = STARVE_UNTOUCHED;
    tacit_link_unique *sets = STARVE_UNTOUCHED;
    int32_t count = 0;
    tacit_status status = tacit_linkage_new(&linkage, &a->files, &run, err);
    if (status != TACIT_OK)
        return status;
    tacit_link_case c = tacit_linkage_case(linkage);
    c.truth = a->truth;
    c.names = true;
    status = tacit_link_new(&link, &c, &run, err);
    if (status == TACIT_OK)
        tacit_link_free(link);
    else
        assert_ptr_equal(link, STARVE_UNTOUCHED);
    if (status == TACIT_OK)
        status = tacit_link_uniqueness(&sets, &count, &c, 2, &run, err);
    if (status == TACIT_OK)
        tacit_link_uniqueness_free(sets);
    else
        assert_ptr_equal(sets, STARVE_UNTOUCHED);
    tacit_linkage_free(linkage);
    return status;
}

static void test_starved(void **state)
{
    (void)state;
    static const uint32_t TRUTH[] = {1, 0, TACIT_LINK_NOBODY, 2};
    for (int chained = 0; chained < 2; chained++) {
        linked l;
        linked_open(&l, RELEASE, PEOPLE);
        if (chained)
            linked_join(&l, JOBS);
        linked_by(&l, "zip", &LINKED_MASK);
        linked_by(&l, "sex", &LINKED_PLAIN);
        linked_by(&l, "job", &LINKED_PLAIN);
        attempt a = {linked_files(&l), TRUTH, 1};
        assert_true(starve(link_files, &a) > 40);
        a.threads = 2;
        assert_true(starve_way_of(link_files, &a, STARVE_FOR_GOOD) > 40);
        linked_close(&l);
    }
}

/* Keys of more than 64 bits are folded, and the folds kept. */
static tacit_status link_wide(void *context, tacit_error *err)
{
    tacit_run run = starve_run(1);
    tacit_link *link = STARVE_UNTOUCHED;
    tacit_status status = tacit_link_new(&link, context, &run, err);
    if (status == TACIT_OK) {
        assert_int_equal(link->maps_to[link->class_of[0]], 1);
        tacit_link_free(link);
    }
    return status;
}

static void test_wide_starved(void **state)
{
    (void)state;
    enum { COLUMNS = 40, NODES = 9 };
    static const uint32_t ENDS[NODES] = {9, 2, 3, 4, 5, 6, 7, 8, 9}, PARENTS[NODES] = {0};
    static const uint32_t NUMBERS[NODES] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    static const uint8_t RELEASED[] = {1, 2, 3, 4, 5, 6, 7, 8}, KNOWN[] = {2, 1, 3, 4, 5, 6, 7, 8};
    tacit_link_column columns[COLUMNS];
    for (int i = 0; i < COLUMNS; i++)
        columns[i] = (tacit_link_column){NODES, ENDS,       PARENTS, {RELEASED, 1}, NUMBERS,
                                         NODES, {KNOWN, 1}, NUMBERS, NODES};
    tacit_link_case c = {
        .columns = columns, .column_count = COLUMNS, .records = 8, .rows = 8, .people = 8, .k = 2};
    assert_true(starve(link_wide, &c) > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_starved),
                                       cmocka_unit_test(test_wide_starved)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
