/*
 * test_link.c - linking at its edges: nothing shared, joins that multiply, columns that never
 * agree, missing values, vague registers, being stopped; and many rows, where any number of threads
 * counts the same.
 */
#include "linked.h"

#include <stdlib.h>

/* ---- refusals ---- */

static void refused(linked *l, tacit_status status, const char *part)
{
    tacit_error err = {0};
    assert_int_equal(linked_try(l, NULL, &err), status);
    if (!strstr(err.message, part))
        fail_msg("\"%s\" does not say \"%s\"", err.message, part);
    linked_close(l);
}

static void test_refused(void **state)
{
    (void)state;
    linked l;
    linked_open(&l, "a,b\n1,2\n", "c,d\n1,2\n");
    linked_by(&l, "a", &LINKED_PLAIN);
    refused(&l, TACIT_INVALID, "shares no quasi-identifying column with the release");
    linked_open(&l, "a,b\n1,2\n", "a,d\n1,2\n");
    linked_by(&l, "a", &LINKED_PLAIN);
    linked_join(&l, "e,f\n1,2\n");
    refused(&l, TACIT_INVALID, "shares no column with the registers before it");
    linked_open(&l, "a,b\n1,2\n", "a,d\n1,2\n1,3\n1,4\n");
    linked_by(&l, "a", &LINKED_PLAIN);
    linked_join(&l, "a,f\n1,2\n1,3\n1,4\n");
    l.most_rows = 8;
    refused(&l, TACIT_LIMIT, "makes more than 8 rows");
}

static void test_join_at_its_limit(void **state)
{
    (void)state;
    linked l;
    linked_open(&l, "a,f\n1,2\n", "a,d\n1,2\n1,3\n1,4\n");
    linked_by(&l, "f", &LINKED_PLAIN);
    linked_join(&l, "a,f\n1,2\n1,3\n1,4\n");
    l.most_rows = 9;
    linked_run(&l, NULL, 2);
    assert_int_equal(l.c.rows, 9);
    assert_int_equal(l.link->people, 3);
    assert_int_equal(linked_people(&l, 0), 3); /* each once, of three rows */
    linked_close(&l);
}

/* ---- what agrees ---- */

static void test_columns_that_never_agree(void **state)
{
    (void)state;
    linked l;
    linked_open(&l, "a,b,c\n1,x,*\n2,y,*\n", "a,b,c\n1,v,1\n3,w,2\n");
    linked_by(&l, "a", &LINKED_PLAIN);
    linked_by(&l, "b", &LINKED_PLAIN);
    linked_by(&l, "c", &LINKED_PLAIN);
    linked_run(&l, NULL, 2);
    assert_int_equal(l.link->says, 3); /* c is suppressed: it says nothing */
    assert_int_equal(l.link->agrees, 1);
    assert_int_equal(l.link->records_by_people[0], 2);
    assert_int_equal(l.link->null_map, TACIT_LINK_HOLDS);
    linked_close(&l);
}

/* Missing is a value of its own; "*" and a mask in the register are vague. */
static void test_vague_registers(void **state)
{
    (void)state;
    static const int64_t WANT[] = {3, 1, 2, 5, 2};
    linked l;
    linked_open(&l, "z,x\n02138,1\n02141,1\n,1\n*,1\n0214*,1\n",
                "z,n\n02138,1\n0213*,1\n*,1\n,1\n02142,1\n");
    linked_by(&l, "z", &LINKED_MASK);
    linked_run(&l, NULL, 2);
    for (int64_t record = 0; record < 5; record++)
        assert_int_equal(linked_people(&l, record), WANT[record]);
    linked_close(&l);
}

static void test_nothing_there(void **state)
{
    (void)state;
    linked l;
    linked_open(&l, "z,x\n", "z,n\n");
    linked_by(&l, "z", &LINKED_PLAIN);
    linked_run(&l, NULL, 2);
    assert_int_equal(l.link->k_map, TACIT_LINK_HOLDS);
    assert_int_equal(l.link->null_map, TACIT_LINK_HOLDS);
    assert_int_equal(l.link->wrong_map, TACIT_LINK_BROKEN);
    linked_close(&l);
}

/* ---- many rows ---- */

enum { RECORDS = 30000, ROWS = 90000, COLUMNS = 3, GROUPS = 40, MEMBERS = 10 };

/* Two levels: "*", groups, members; a person may have two rows. */
typedef struct crowd_case {
    uint32_t nodes, *ends, *parents, *numbers;
    uint32_t *released[COLUMNS], *known[COLUMNS], *person;
    tacit_link_column columns[COLUMNS];
    tacit_link_case c;
} crowd_case;

static void *need(size_t count, size_t size)
{
    void *block = calloc(count, size);
    assert_non_null(block);
    return block;
}

static void make_tree(crowd_case *x)
{
    x->nodes = 1 + GROUPS * (1 + MEMBERS);
    x->ends = need(x->nodes, sizeof *x->ends);
    x->parents = need(x->nodes, sizeof *x->parents);
    x->numbers = need(x->nodes, sizeof *x->numbers);
    for (uint32_t node = 0; node < x->nodes; node++) {
        uint32_t place = node ? (node - 1) % (1 + MEMBERS) : 0;
        bool group = node > 0 && place == 0;
        x->numbers[node] = node;
        x->parents[node] = node == 0 || group ? 0 : node - place;
        x->ends[node] = node == 0 ? x->nodes : group ? node + 1 + MEMBERS : node + 1;
    }
}

static uint32_t draw_node(const crowd_case *x, bool leaf)
{
    uint32_t node = (uint32_t)rand() % x->nodes;
    if (leaf && x->ends[node] > node + 1)
        node = x->nodes - 1;
    return node;
}

static void make_case(crowd_case *x)
{
    srand(7);
    make_tree(x);
    x->person = need(ROWS, sizeof *x->person);
    for (uint32_t row = 1; row < ROWS; row++)
        x->person[row] = x->person[row - 1] + (rand() % 8 != 0);
    for (int i = 0; i < COLUMNS; i++) {
        x->released[i] = need(RECORDS, sizeof *x->released[i]);
        x->known[i] = need(ROWS, sizeof *x->known[i]);
        for (int64_t row = 0; row < RECORDS; row++)
            x->released[i][row] = draw_node(x, i == 1);
        for (int64_t row = 0; row < ROWS; row++)
            x->known[i][row] = i == 2 && rand() % 3 == 0 ? 0 : draw_node(x, true);
        x->columns[i] = (tacit_link_column){
            x->nodes,         x->ends,    x->parents, {x->released[i], 4}, x->numbers, x->nodes,
            {x->known[i], 4}, x->numbers, x->nodes};
    }
    x->c = (tacit_link_case){.columns = x->columns,
                             .column_count = COLUMNS,
                             .records = RECORDS,
                             .rows = ROWS,
                             .person = x->person,
                             .people = (int64_t)x->person[ROWS - 1] + 1,
                             .k = 5};
}

static void free_case(crowd_case *x)
{
    for (int i = 0; i < COLUMNS; i++) {
        free(x->released[i]);
        free(x->known[i]);
    }
    free(x->person);
    free(x->ends);
    free(x->parents);
    free(x->numbers);
}

static int64_t count_by_hand(const crowd_case *x, int64_t record)
{
    int64_t people = 0, last = -1;
    for (int64_t row = 0; row < ROWS; row++) {
        bool agree = true;
        for (int i = 0; i < COLUMNS && agree; i++)
            agree = tacit_lineage_agree(x->ends, x->released[i][record], x->known[i][row]);
        if (agree && (int64_t)x->person[row] != last) {
            people++;
            last = x->person[row];
        }
    }
    return people;
}

static void test_many_rows(void **state)
{
    (void)state;
    crowd_case x;
    tacit_link *links[3] = {NULL};
    tacit_error err = {0};
    tacit_run run;
    tacit_run_init(&run);
    make_case(&x);
    for (int i = 0; i < 3; i++) {
        run.threads = i ? 2 * i + 1 : 1;
        assert_int_equal(tacit_link_new(&links[i], &x.c, &run, &err), TACIT_OK);
        size_t size = (size_t)links[0]->classes * sizeof(uint32_t);
        assert_int_equal(links[i]->classes, links[0]->classes);
        assert_memory_equal(links[i]->maps_to, links[0]->maps_to, size);
        assert_memory_equal(links[i]->only, links[0]->only, size);
        assert_memory_equal(links[i]->people_by_records, links[0]->people_by_records,
                            sizeof links[0]->people_by_records);
    }
    for (int64_t record = 0; record < RECORDS; record += 997)
        assert_int_equal(links[0]->maps_to[links[0]->class_of[record]], count_by_hand(&x, record));
    for (int i = 0; i < 3; i++)
        tacit_link_free(links[i]);
    free_case(&x);
}

static bool stop(const char *phase, int64_t done, int64_t total, void *payload)
{
    (void)phase, (void)done, (void)total;
    int *left = payload;
    return --*left > 0;
}

/* Whenever it is stopped, it ends and says so. */
static void test_stopped(void **state)
{
    (void)state;
    crowd_case x;
    tacit_run run;
    tacit_run_init(&run);
    run.threads = 2;
    run.progress = stop;
    make_case(&x);
    tacit_status status = TACIT_CANCELLED;
    for (int after = 1; status == TACIT_CANCELLED; after += 7) {
        tacit_link *link = NULL;
        tacit_error err = {0};
        int left = after;
        run.payload = &left;
        status = tacit_link_new(&link, &x.c, &run, &err);
        assert_true((status == TACIT_OK) == (link != NULL));
        tacit_link_free(link);
    }
    assert_int_equal(status, TACIT_OK);
    free_case(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_join_at_its_limit),
        cmocka_unit_test(test_columns_that_never_agree),
        cmocka_unit_test(test_vague_registers),
        cmocka_unit_test(test_nothing_there),
        cmocka_unit_test(test_many_rows),
        cmocka_unit_test(test_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
