/*
 * models_random.h - random tables with registers and models, and nodes of their
 * lattices.
 */
#ifndef TACIT_TESTS_SUPPORT_MODELS_RANDOM_H
#define TACIT_TESTS_SUPPORT_MODELS_RANDOM_H

#include "models.h"

enum { ATTRIBUTES = 3, COLUMNS = 7, MAX_MODELS = 5 };

/* Columns: zip (mask), group (file), age (interval); s (mask as a tree), t (file
 * as a tree, with a place for missing), u (many values), w (one value). */
typedef struct instance {
    fixture data, people, trees;
    char group_file[32], tree_file[32]; /* hierarchies of group and t */
    tacit_hierarchy_spec specs[ATTRIBUTES], trees_spec[2];
    tacit_model models[MAX_MODELS];
    uint64_t random;
} instance;

#define FAMILY "a;first;all\nb;first;all\nc;second;all\nd;second;all\ne;third;all\n"

static const tacit_hierarchy_spec MASK = {.kind = TACIT_HIERARCHY_MASK};
static const tacit_hierarchy_spec AGES = {
    .kind = TACIT_HIERARCHY_INTERVAL, .widths = {2, 8}, .width_count = 2};

static inline char *write_rows(uint64_t *random, int rows, uint32_t values)
{
    char *text = malloc(64 + (size_t)rows * 64);
    size_t at = (size_t)sprintf(text, "zip,group,age,s,t,u,w\n");
    for (int i = 0; i < rows; i++) {
        uint32_t draw[COLUMNS];
        for (int c = 0; c < COLUMNS; c++)
            draw[c] = next_number(random, values + (uint32_t)c);
        /* masks are as long as the longest value, so the first row has one */
        bool missing = i > 0 && next_number(random, 6) == 0;
        at += (size_t)(missing ? sprintf(text + at, ",")
                               : sprintf(text + at, "%u%u,", draw[0] % 3, draw[0] % 5));
        at += (size_t)(next_number(random, 6) ? sprintf(text + at, "%c,", 'a' + (int)draw[1] % 5)
                                              : sprintf(text + at, ","));
        at += (size_t)sprintf(text + at, "%u,", draw[2] % 12);
        missing = i > 0 && next_number(random, 5) == 0;
        at += (size_t)(missing ? sprintf(text + at, ",")
                               : sprintf(text + at, "%u%u,", draw[3] % 2, draw[3] % 4));
        at += (size_t)(next_number(random, 5) ? sprintf(text + at, "%c,", 'a' + (int)draw[4] % 5)
                                              : sprintf(text + at, ","));
        at += (size_t)sprintf(text + at, "%u,same\n", 1 + next_number(random, 40));
    }
    return text;
}

static inline void write_file(char *path, const char *text)
{
    strcpy(path, "/tmp/tacit-test-XXXXXX");
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
}

static inline void describe_hierarchies(instance *x, bool row_for_missing)
{
    write_file(x->group_file, row_for_missing ? FAMILY ";third;all\n" : FAMILY);
    write_file(x->tree_file, row_for_missing ? FAMILY ";lost;all\n" : FAMILY);
    x->specs[0] = x->trees_spec[0] = MASK;
    x->specs[1] = (tacit_hierarchy_spec){.kind = TACIT_HIERARCHY_FILE, .path = x->group_file};
    x->specs[2] = AGES;
    x->trees_spec[1] = (tacit_hierarchy_spec){.kind = TACIT_HIERARCHY_FILE, .path = x->tree_file};
}

static inline void open_attributes(fixture *f, char *text, const instance *x)
{
    static const char *const names[ATTRIBUTES] = {"zip", "group", "age"};
    fixture_open(f, text);
    free(text);
    for (int a = 0; a < ATTRIBUTES; a++)
        fixture_add(f, names[a], &x->specs[a]);
}

static inline double draw_share(uint64_t *random)
{
    return (1 + next_number(random, 20)) / 20.0;
}

static inline void draw_model(tacit_model *m, instance *x)
{
    uint64_t *random = &x->random;
    int32_t column = 3 + (int32_t)next_number(random, 4);
    *m = (tacit_model){.bound.kind = (tacit_model_kind)next_number(random, TACIT_MODELS),
                       .column = column};
    switch (m->bound.kind) {
    case TACIT_MODEL_DISTINCT: m->bound.bound = 1 + next_number(random, 4); break;
    case TACIT_MODEL_ENTROPY: m->bound.bound = 1 + next_number(random, 12) / 4.0; break;
    case TACIT_MODEL_RECURSIVE:
        m->bound.bound = 2 + next_number(random, 3);
        m->bound.second = (1 + next_number(random, 12)) / 4.0;
        break;
    case TACIT_MODEL_CLOSENESS_TREE:
        m->column = 3 + (int32_t)next_number(random, 2);
        m->hierarchy = x->trees.hierarchies[m->column - 3]; /* and as with closeness */
        m->bound.bound = draw_share(random);
        break;
    case TACIT_MODEL_CLOSENESS_ORDER:
        m->column = 5; /* the one that is sure to have numbers */
        m->bound.bound = draw_share(random);
        break;
    case TACIT_MODEL_LIKENESS:
    case TACIT_MODEL_LIKENESS_ENHANCED:
    case TACIT_MODEL_DISCLOSURE: m->bound.bound = draw_share(random) * 4; break;
    case TACIT_MODEL_RANGE: m->bound.bound = 1 + next_number(random, 20); break;
    case TACIT_MODEL_PRESENCE:
        m->column = -1;
        m->bound.bound = draw_share(random);
        m->bound.second = next_number(random, 2) ? 0 : m->bound.bound * draw_share(random);
        break;
    case TACIT_MODEL_MAP:
        m->column = -1;
        m->bound.bound = 1 + next_number(random, 20);
        break;
    case TACIT_MODEL_MAP_ESTIMATED:
        m->column = 5; /* the one that could be weights */
        m->bound.bound = 1 + next_number(random, 200);
        break;
    default: m->bound.bound = draw_share(random);
    }
    static const tacit_spread SPREADS[] = {{0, false}, {0, false},  {1, false},
                                           {3, false}, {0.1, true}, {0.25, true}};
    m->spread = SPREADS[next_number(random, 6)];
}

static inline void open_instance(instance *x, uint64_t seed)
{
    *x = (instance){.random = seed};
    uint64_t *random = &x->random;
    describe_hierarchies(x, next_number(random, 2));
    int rows = 1 + (int)next_number(random, 60), people = 1 + (int)next_number(random, 300);
    open_attributes(&x->data, write_rows(random, rows, 1 + next_number(random, 12)), x);
    open_attributes(&x->people, write_rows(random, people, 1 + next_number(random, 14)), x);
    fixture_open(&x->trees, x->data.text);
    fixture_add(&x->trees, "s", &x->trees_spec[0]);
    fixture_add(&x->trees, "t", &x->trees_spec[1]);
    add_population(&x->data, &x->people);
    x->data.frame.models = x->models;
    x->data.frame.model_count = 1 + (int32_t)next_number(random, MAX_MODELS);
    for (int32_t i = 0; i < x->data.frame.model_count; i++)
        draw_model(&x->models[i], x);
}

static inline void close_instance(instance *x)
{
    unlink(x->group_file);
    unlink(x->tree_file);
    tacit_population_free(x->data.frame.population);
    fixture_close(&x->trees);
    fixture_close(&x->people);
    fixture_close(&x->data);
}

/* A node: groups of base classes, and of rows. */
typedef struct node {
    int levels[ATTRIBUTES];
    uint32_t group_of[NAIVE_ROWS]; /* a base class each */
    uint32_t of_row[NAIVE_ROWS];
    int64_t groups;
    int64_t rows[NAIVE_ROWS]; /* a group each */
    uint64_t fails[NAIVE_ROWS / 64];
} node;

static inline void group_rows(node *n, const instance *x, const tacit_classes *base)
{
    const fixture *f = &x->data;
    tacit_run run;
    tacit_run_init(&run);
    static uint32_t class_of[NAIVE_ROWS];
    assert_int_equal(tacit_classes_assign(base, &f->frame, class_of, &run, NULL), TACIT_OK);
    n->groups = 0;
    memset(n->rows, 0, sizeof n->rows);
    for (int64_t i = 0; i < tacit_table_rows(f->table); i++) {
        int64_t like = 0;
        while (like < i && !same_on(f, i, like, UINT64_MAX, n->levels))
            like++;
        n->of_row[i] = like < i ? n->of_row[like] : (uint32_t)n->groups++;
        n->group_of[class_of[i]] = n->of_row[i];
        n->rows[n->of_row[i]]++;
    }
}

static inline void fail_node(node *n, tacit__models *models, int threads)
{
    tacit_run run;
    tacit_run_init(&run);
    run.threads = threads;
    memset(n->fails, 0, sizeof n->fails);
    const tacit__models_question asked = {
        .group_of = n->group_of, .groups = n->groups, .levels = n->levels, .most = INT64_MAX};
    assert_int_equal(tacit__models_failing(n->fails, models, &asked, &run, NULL), TACIT_OK);
    int64_t least = tacit__models_least(models);
    for (int64_t g = 0; g < n->groups; g++)
        if (n->rows[g] < least)
            assert_true(n->fails[g >> 6] >> (g & 63) & 1);
}

/* Asked of some groups, with few rows that may fail: groups that nobody asked about are not said
 * to fail, others only if they do, and more rows than that if there are. */
static inline void ask_some(const node *n, tacit__models *models, uint64_t gone, int64_t most)
{
    uint64_t some[NAIVE_ROWS / 64] = {0}, skipped[NAIVE_ROWS / 64] = {gone};
    int64_t said = 0, failing = 0;
    tacit_run run;
    tacit_run_init(&run);
    const tacit__models_question asked = {.group_of = n->group_of,
                                          .groups = n->groups,
                                          .levels = n->levels,
                                          .gone = skipped,
                                          .most = most};
    assert_int_equal(tacit__models_failing(some, models, &asked, &run, NULL), TACIT_OK);
    for (int64_t g = 0; g < n->groups; g++) {
        bool skip = skipped[g >> 6] >> (g & 63) & 1, fails = n->fails[g >> 6] >> (g & 63) & 1;
        bool says = some[g >> 6] >> (g & 63) & 1;
        said += says && !skip ? n->rows[g] : 0;
        failing += fails && !skip ? n->rows[g] : 0;
        assert_true(fails || !says);
    }
    assert_true(said == failing || (said > most && failing > most));
}

static inline bool fails(const node *n, int64_t group)
{
    return n->fails[group >> 6] >> (group & 63) & 1;
}

static inline bool any_fails(const node *n)
{
    for (int64_t g = 0; g < n->groups; g++)
        if (fails(n, g))
            return true;
    return false;
}

static inline void raise_levels(int *levels, const instance *x, uint64_t *random)
{
    for (int a = 0; a < ATTRIBUTES; a++)
        levels[a] += (int)next_number(
            random, (uint32_t)(tacit_hierarchy_height(x->data.hierarchies[a]) - levels[a]) + 1);
}

#endif
