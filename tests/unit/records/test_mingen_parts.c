/*
 * test_mingen_parts.c - the parts of mingen that its answers do not show: lists rolled up
 * in every way against the library's classes, and a search that may keep next to nothing.
 */
#include "records.h"

#include "random_cases.h"

#include "records/classes/classes.h"
#include "records/mingen/mingen.h"

/* ---- lists ---- */

typedef struct list_case {
    int rows, columns;
    uint32_t values;
    bool person;
} list_case;

/* Few values and many, keys of one word and of several, lists for one core and for all. */
static const list_case LISTS[] = {
    {1, 1, 1, false},     {200, 3, 5, false},      {200, 3, 90, true},      {3000, 4, 1000, false},
    {400, 64, 9, false},  {300, 40, 90, true},     {5000, 2, 4000, true},   {300000, 3, 90, false},
    {300000, 3, 7, true}, {300000, 2, 9999, true}, {40000, 4, 9999, false},
};

static void open_case(fixture *f, const list_case *c)
{
    size_t size = (size_t)(c->rows + 1) * ((size_t)c->columns + 2) * 6;
    char *text = malloc(size), *at = text, name[16];
    uint64_t seed = (uint64_t)c->rows + c->values;
    for (int i = 0; i < c->columns; i++)
        at += sprintf(at, "c%d,", i);
    at += sprintf(at, "p\n");
    for (int r = 0; r < c->rows; r++) {
        for (int i = 0; i < c->columns; i++)
            at += r > 0 && next_number(&seed, 20) == 0
                      ? sprintf(at, ",")
                      : sprintf(at, "%04u,", next_number(&seed, c->values));
        at += sprintf(at, "%u\n", next_number(&seed, (uint32_t)c->rows));
    }
    fixture_open(f, text);
    free(text);
    for (int i = 0; i < c->columns; i++) {
        sprintf(name, "c%d", i);
        fixture_mask(f, name);
    }
    f->frame.person = c->person ? c->columns : -1;
}

static int by_key(const void *a, const void *b, void *words)
{
    const uint64_t *x = a, *y = b;
    for (int32_t w = 0; w < *(int32_t *)words; w++)
        if (x[w] != y[w])
            return x[w] < y[w] ? -1 : 1;
    return 0;
}

/* Keys with the rows behind each, in order. */
static uint64_t *sorted(const uint64_t *keys, const uint32_t *rows, int64_t count, int32_t words)
{
    uint64_t *entries = malloc((size_t)count * (size_t)(words + 1) * sizeof *entries);
    for (int64_t i = 0; i < count; i++) {
        memcpy(entries + i * (words + 1), keys + i * words, (size_t)words * sizeof *keys);
        entries[i * (words + 1) + words] = rows[i];
    }
    qsort_r(entries, (size_t)count, (size_t)(words + 1) * sizeof *entries, by_key, &words);
    return entries;
}

/* The entries of a list are the groups of the library. */
static void check_list(const tacit__list *list, const tacit__grouping *groups)
{
    int32_t words = list->layout.words;
    assert_int_equal(list->count, groups->count);
    uint64_t *keys = calloc((size_t)(list->count * words), sizeof *keys);
    for (int64_t i = 0; i < groups->count; i++)
        for (int32_t f = 0; f < list->layout.fields; f++) {
            uint64_t number = tacit__coder_decode(&groups->coder, groups->keys[i], f);
            keys[i * words + list->layout.word[f]] |= number << list->layout.shift[f];
        }
    uint64_t *found = sorted(list->keys, list->rows, list->count, words);
    uint64_t *wanted = sorted(keys, groups->rows, groups->count, words);
    assert_memory_equal(found, wanted, (size_t)(list->count * (words + 1)) * sizeof *found);
    free(keys);
    free(found);
    free(wanted);
}

static void draw_levels(uint8_t *levels, const fixture *f, const uint8_t *least, uint64_t *seed)
{
    for (int32_t a = 0; a < f->frame.attribute_count; a++) {
        int height = tacit_hierarchy_height(f->hierarchies[a]), low = least ? least[a] : 0;
        uint32_t drawn = next_number(seed, (uint32_t)(height - low) + 1);
        levels[a] = (uint8_t)(low + (next_number(seed, 2) ? (int)drawn : 0));
    }
}

static tacit_classes *count_classes(const fixture *f, const uint8_t *levels, const tacit_run *run)
{
    tacit_classes *classes = NULL;
    int wanted[TACIT_MAX_ATTRIBUTES];
    for (int32_t a = 0; a < f->frame.attribute_count; a++)
        wanted[a] = levels[a];
    assert_int_equal(tacit_classes_new(&classes, &f->frame, wanted, run, NULL), TACIT_OK);
    return classes;
}

/* From rows to a node, from there to one above, and from pairs to classes. */
static void check_way_up(const fixture *f, const tacit__ladders *ladders, uint64_t *seed)
{
    uint8_t low[TACIT_MAX_ATTRIBUTES], high[TACIT_MAX_ATTRIBUTES];
    tacit__list rows = {0}, raised = {0}, classes = {0};
    tacit__desk desk = {0}, room = {0};
    tacit_run run;
    bool person = f->frame.person >= 0;
    tacit_run_init(&run);
    draw_levels(low, f, NULL, seed);
    draw_levels(high, f, low, seed);
    tacit_classes *below = count_classes(f, low, &run), *above = count_classes(f, high, &run);
    assert_int_equal(tacit__list_rows(&rows, ladders, low, INT64_MAX, &run, NULL), TACIT_OK);
    check_list(&rows, person ? &below->pairs : &below->groups);
    tacit__raise how = {ladders, &rows, high, person, false, &run};
    assert_int_equal(tacit__list_raise(&raised, &desk, &how, NULL), TACIT_OK);
    check_list(&raised, person ? &above->pairs : &above->groups);
    how = (tacit__raise){ladders, &raised, high, false, true, &run};
    assert_int_equal(tacit__list_raise(&classes, &room, &how, NULL), TACIT_OK);
    check_list(&classes, &above->groups);
    int64_t people = 0;
    for (int64_t i = 0; i < classes.count; i++)
        people += classes.tallies[i];
    assert_int_equal(people, raised.count);
    tacit__list_clear(&rows);
    tacit__list_clear(&raised);
    tacit__list_clear(&classes);
    tacit__desk_clear(&desk);
    tacit__desk_clear(&room);
    tacit_classes_free(below);
    tacit_classes_free(above);
}

static void test_lists(void **state)
{
    (void)state;
    uint64_t seed = 11;
    for (size_t i = 0; i < sizeof LISTS / sizeof *LISTS; i++) {
        fixture f;
        tacit__ladders *ladders = calloc(1, sizeof *ladders);
        open_case(&f, &LISTS[i]);
        assert_int_equal(tacit__ladders_init(ladders, &f.frame, NULL), TACIT_OK);
        uint64_t rounds = LISTS[i].rows > 10000 ? 2 : many_cases(40);
        for (uint64_t round = 0; round < rounds; round++)
            check_way_up(&f, ladders, &seed);
        tacit__ladders_clear(ladders);
        free(ladders);
        fixture_close(&f);
    }
}

/* ---- a search with a bad memory ---- */

typedef struct searched {
    uint8_t best[TACIT_MAX_ATTRIBUTES];
    double cost, bound;
    int64_t minimal;
} searched;

/* Searches with room for so many nodes and boxes; 0: as many as usual. */
static searched search_with(const fixture *f, const tacit_records_options *options, int64_t room)
{
    tacit_run run;
    tacit__mingen *g = NULL;
    tacit__counter counter = {0};
    tacit__mingen_found found = {0};
    tacit__minimal minimal = {0};
    tacit__list *root = NULL;
    searched result = {{0}, 0, 0, 0};
    tacit_run_init(&run);
    assert_int_equal(tacit__mingen_new(&g, &f->frame, options, &run, NULL), TACIT_OK);
    assert_int_equal(tacit__counter_init(&counter, g, NULL), TACIT_OK);
    if (room > 0) {
        counter.most = counter.least_kept = room;
        counter.max_boxes = (size_t)room;
    }
    assert_int_equal(tacit__mingen_start(&found, &root, &counter, NULL), TACIT_OK);
    assert_int_equal(tacit__mingen_search(&found, &counter, root, NULL), TACIT_OK);
    assert_int_equal(tacit__mingen_minimal(&minimal, found.best, &counter, root, NULL), TACIT_OK);
    memcpy(result.best, found.best->levels, (size_t)f->frame.attribute_count);
    result.cost = found.best->cost;
    result.bound = found.bound;
    result.minimal = minimal.count;
    for (int64_t i = 0; i < minimal.count; i++)
        assert_true(minimal.nodes[i]->feasible);
    free(minimal.nodes);
    tacit__list_release(root);
    tacit__counter_clear(&counter);
    tacit__mingen_free(g);
    return result;
}

static void test_little_capacity(void **state)
{
    (void)state;
    const list_case c = {600, 5, 60, false};
    fixture f;
    open_case(&f, &c);
    for (tacit_metric metric = 0; metric < tacit_metric_count(); metric++) {
        const tacit_records_options options = {.k = 3, .max_suppressed = 40, .metric = metric};
        searched usual = search_with(&f, &options, 0);
        for (int64_t room = 1; room < 200; room *= 5) {
            searched little = search_with(&f, &options, room);
            assert_memory_equal(usual.best, little.best, 5);
            assert_true(usual.cost == little.cost && usual.bound == little.bound);
            assert_int_equal(usual.minimal, little.minimal);
        }
    }
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_little_capacity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
