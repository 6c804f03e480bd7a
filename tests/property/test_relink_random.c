/*
 * test_relink_random.c - re-linking by standardized distance and the verdicts on protection models,
 * against code that compares every record with every person by the definitions; and the searches
 * of all attacks, against looking at every point.
 */
#include "relink_world.h"

#include "audit/relink/relink.h"
#include "random_cases.h"

static const double ROUNDING = 1e-9;

/* ---- by the definitions ---- */

typedef struct column {
    double deviation, apart;
} column;

static column measure(const world *w, int index)
{
    double n = 0, sum = 0, squares = 0, differ = 0;
    for (int i = 0; i < w->people; i++) {
        if (w->known[i][index].kind != WORLD_VALUE)
            continue;
        n++;
        sum += w->known[i][index].low;
        for (int j = 0; j < w->people; j++)
            differ += w->known[j][index].kind == WORLD_VALUE &&
                      w->known[j][index].low != w->known[i][index].low;
    }
    for (int i = 0; i < w->people; i++) {
        double off = w->known[i][index].low - sum / n;
        squares += w->known[i][index].kind == WORLD_VALUE ? off * off : 0;
    }
    return (column){n > 1 ? sqrt(squares / (n - 1)) : 0, differ / (n * n)};
}

static double cell_cost(world_cell said, world_cell known, bool numeric, column c)
{
    bool measured = numeric && c.deviation > 0;
    double neutral = measured ? 2 : 2 * c.apart;
    if (said.kind == WORLD_STAR || said.kind == WORLD_FOREIGN)
        return 0;
    if (said.kind == WORLD_MISSING)
        return known.kind == WORLD_MISSING ? 0 : neutral;
    if (known.kind == WORLD_MISSING)
        return neutral;
    double gap = known.low < said.low    ? said.low - known.low
                 : known.low > said.high ? known.low - said.high
                                         : 0;
    if (measured)
        return gap / c.deviation * gap / c.deviation;
    return gap > 0 ? 2 : 0;
}

/* A name that nobody has says nothing. */
static world_cell heard(const world *w, int record, int index)
{
    world_cell said = w->said[record][index];
    for (int person = 0; person < w->people; person++) {
        world_cell known = w->known[person][index];
        if (w->numeric[index] || said.kind != WORLD_VALUE ||
            (known.kind == WORLD_VALUE && said.low <= known.low && known.low <= said.high))
            return said;
    }
    return (world_cell){WORLD_FOREIGN, 0, 0};
}

static double cost(const world *w, const column *columns, int record, int person)
{
    double sum = 0;
    for (int i = 0; i < w->columns; i++)
        sum += cell_cost(heard(w, record, i), w->known[person][i], w->numeric[i], columns[i]);
    return sum;
}

static void check_distance(const world *w, const tacit_relink *found)
{
    column columns[WORLD_COLUMNS];
    double right = 0;
    int64_t alone = 0, declared = 0, declared_right = 0;
    for (int i = 0; i < w->columns; i++)
        columns[i] = measure(w, i);
    for (int record = 0; record < w->records; record++) {
        double least = INFINITY;
        int64_t ties = 0, close = 0, own = 0;
        for (int person = 0; person < w->people; person++)
            least = fmin(least, cost(w, columns, record, person));
        for (int person = 0; person < w->people; person++) {
            double here = cost(w, columns, record, person);
            bool tie = here <= least * (1 + ROUNDING);
            ties += tie;
            close += !tie && here <= least / (w->r.options.margin * w->r.options.margin);
            own += tie && w->origin[record] == (uint32_t)person;
        }
        right += (double)own / (double)ties;
        alone += ties == 1;
        declared += ties == 1 && close == 0;
        declared_right += ties == 1 && close == 0 && own;
    }
    const tacit_relink_attack *attack = &found->attacks[TACIT_RELINK_STANDARD];
    assert_int_equal(attack->attacked, w->records);
    assert_float_equal(attack->right, right, 1e-6);
    assert_int_equal(attack->alone, alone);
    assert_int_equal(attack->declared, declared);
    assert_int_equal(attack->declared_right, declared_right);
}

/* Whether the label is, or stands for, the value. */
static bool fits(world_cell said, world_cell known)
{
    if (said.kind == WORLD_STAR)
        return true;
    if (said.kind == WORLD_FOREIGN)
        return false;
    if (said.kind == WORLD_MISSING || known.kind == WORLD_MISSING)
        return said.kind == known.kind;
    return said.low <= known.low && known.low <= said.high;
}

static bool maps(const world *w, int record, int person)
{
    for (int i = 0; i < w->columns; i++)
        if (!fits(w->said[record][i], w->known[person][i]))
            return false;
    return true;
}

static bool is_subject(const world *w, int person)
{
    for (int record = 0; record < w->records; record++)
        if (w->origin[record] == (uint32_t)person)
            return true;
    return false;
}

static tacit_link_verdict holds(bool it)
{
    return it ? TACIT_LINK_HOLDS : TACIT_LINK_BROKEN;
}

static void check_maps(const world *w, const tacit_relink *found)
{
    bool null_map = true, wrong_map = w->records > 2, k_map = true;
    int64_t smallest = INT64_MAX, to_own = 0;
    for (int record = 0; record < w->records; record++) {
        int64_t people = 0, subjects = 0;
        bool own = false;
        for (int person = 0; person < w->people; person++) {
            bool mapped = maps(w, record, person);
            people += mapped;
            subjects += mapped && is_subject(w, person);
            own |= mapped && w->origin[record] == (uint32_t)person;
        }
        null_map &= subjects == 0;
        wrong_map &= subjects == 1 && !own;
        k_map &= people >= w->r.options.k;
        smallest = people < smallest ? people : smallest;
        to_own += own;
    }
    assert_int_equal(found->maps.null_map, holds(null_map));
    assert_int_equal(found->maps.wrong_map, holds(wrong_map));
    assert_int_equal(found->maps.k_map, holds(k_map));
    assert_int_equal(found->maps.smallest, w->records ? smallest : 0);
    assert_int_equal(found->maps.to_own, to_own);
}

/* What linking counts must be what searches did; they are different code. */
static int check_nested(const world *w, const tacit_run *run)
{
    tacit__relink_scene scene = {.c = &w->r.c, .options = &w->r.options, .run = run};
    const tacit_relink_maps *found = &w->r.found->maps;
    tacit_relink_maps maps = {0};
    bool done = false;
    assert_int_equal(tacit__relink_scene_init(&scene, NULL), TACIT_OK);
    assert_int_equal(tacit__relink_map_nested(&maps, &done, &scene, NULL), TACIT_OK);
    if (done) {
        assert_int_equal(maps.records, found->records);
        assert_int_equal(maps.smallest, found->smallest);
        assert_int_equal(maps.to_nobody, found->to_nobody);
        assert_int_equal(maps.to_subject, found->to_subject);
        assert_int_equal(maps.to_one, found->to_one);
        assert_int_equal(maps.to_wrong, found->to_wrong);
        assert_int_equal(maps.to_own, found->to_own);
    }
    tacit__relink_scene_clear(&scene);
    return done;
}

static void test_by_definition(void **state)
{
    uint64_t *seed = *state;
    static world w;
    tacit_run run;
    tacit__random random;
    uint64_t nested = 0;
    tacit_run_init(&run);
    run.threads = 1;
    for (*seed = 1; *seed <= many_cases(3000); ++*seed) {
        tacit_run_seed_number(&run, *seed);
        tacit__random_init(&random, &run, "test", 0);
        world_open(&w, &random, *seed % 20 ? 8 : 60);
        w.r.options.margin = 0.47; /* no gaps of whole numbers are just that far apart */
        w.r.options.k = 1 + world_draw(&random, 3);
        const tacit_relink *found = relinked_run(&w.r, &run);
        check_distance(&w, found);
        check_maps(&w, found);
        nested += (uint64_t)check_nested(&w, &run);
        world_close(&w);
    }
    assert_in_range(nested, *seed / 3, *seed - 2); /* some stretches overlap, most do not */
    *seed = 0;
}

/* ---- searches ---- */

static void check_search(const tacit__relink_asker *asker, int64_t row, double reach)
{
    tacit__relink_stretch query[TACIT_MAX_RELINK_COLUMNS];
    tacit__relink_search s = {.tree = asker->tree, .costs = asker->costs, .query = query};
    double least = INFINITY;
    int64_t people = 0, subjects = 0, others = 0;
    tacit__relink_query(query, asker->view, row);
    tacit__relink_nearest(&s);
    for (uint32_t class = 0; class < asker->tree->count; class ++)
        least = fmin(least, tacit__relink_cost_of(&s, class));
    assert_true(s.least == least);
    s.limit = least * (1 + ROUNDING);
    s.reach = fmax(s.limit, least * reach);
    tacit__relink_count(&s);
    for (uint32_t class = 0; class < asker->tree->count; class ++) {
        double here = tacit__relink_cost_of(&s, class);
        people += here <= s.limit ? asker->view->scene->people.sizes[class] : 0;
        subjects += here <= s.limit ? asker->view->scene->subjects[class] : 0;
        others += here > s.limit && here <= s.reach;
    }
    assert_int_equal(s.people, people);
    assert_int_equal(s.subjects, subjects);
    assert_int_equal(s.others, others > 0);
}

/* Costs of weights: steps, none of which falls. */
static void draw_weights(tacit__relink_cost *costs, const tacit__relink_scene *scene,
                         tacit__random *random)
{
    tacit__relink_steps(costs, scene);
    for (int32_t i = 0; i < scene->columns; i++) {
        costs[i].half = world_draw(random, 4);
        costs[i].full = costs[i].half + world_draw(random, 4);
        costs[i].known_missing = world_draw(random, 4);
    }
}

static void check_view(const tacit__relink_scene *scene, int kind, tacit__random *random)
{
    tacit__relink_view view;
    tacit__relink_tree tree = {0};
    tacit__relink_cost costs[TACIT_MAX_RELINK_COLUMNS];
    assert_int_equal(tacit__relink_view_init(&view, scene, (tacit_relink_kind)kind, NULL),
                     TACIT_OK);
    if (kind == TACIT_RELINK_PROBABILITY)
        draw_weights(costs, scene, random);
    else
        tacit__relink_distances(costs, &view, (tacit_relink_kind)kind);
    assert_int_equal(tacit__relink_tree_init(&tree, &view, costs, NULL), TACIT_OK);
    tacit__relink_asker asker = {.view = &view, .tree = &tree, .costs = costs};
    for (int64_t row = 0; row < tacit_table_rows(scene->c->release); row++)
        check_search(&asker, row, 1 + world_draw(random, 4));
    tacit__relink_tree_clear(&tree);
    tacit__relink_view_clear(&view);
}

static void test_searches(void **state)
{
    uint64_t *seed = *state;
    static world w;
    tacit_run run;
    tacit__random random;
    tacit_run_init(&run);
    for (*seed = 1; *seed <= many_cases(1000); ++*seed) {
        tacit_run_seed_number(&run, *seed);
        tacit__random_init(&random, &run, "tree", 0);
        world_open(&w, &random, *seed % 10 ? 40 : WORLD_ROWS);
        tacit__relink_scene scene = {.c = &w.r.c, .options = &w.r.options};
        assert_int_equal(tacit__relink_scene_init(&scene, NULL), TACIT_OK);
        for (int kind = 0; kind < TACIT_RELINK_KINDS; kind++)
            check_view(&scene, kind, &random);
        tacit__relink_scene_clear(&scene);
        world_close(&w);
    }
    *seed = 0;
}

/* ---- results do not depend on threads ---- */

static void test_threads(void **state)
{
    uint64_t *seed = *state;
    static const int THREADS[] = {1, 2, 7};
    static world w;
    tacit_run run;
    tacit__random random;
    tacit_run_init(&run);
    for (*seed = 1; *seed <= many_cases(40); ++*seed) {
        tacit_relink first = {0};
        tacit_run_seed_number(&run, *seed);
        tacit__random_init(&random, &run, "thrd", 0);
        world_open(&w, &random, WORLD_ROWS);
        for (int i = 0; i < 3; i++) {
            run.threads = THREADS[i];
            relinked_run(&w.r, &run);
            tacit_relink here = *w.r.found;
            for (int j = 0; j < w.columns; j++)
                here.columns[j].name = NULL;
            if (i == 0)
                first = here;
            assert_memory_equal(&here, &first, sizeof first);
        }
        world_close(&w);
    }
    *seed = 0;
}

int main(void)
{
    static uint64_t seed;
    const struct CMUnitTest tests[] = {random_test(test_by_definition, &seed),
                                       random_test(test_searches, &seed),
                                       random_test(test_threads, &seed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
