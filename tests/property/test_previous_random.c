/*
 * test_previous_random.c - the join of two releases beside an adversary who writes down every
 * largest set of pairs and every person, on thousands of small random releases.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "random_cases.h"
#include "two_releases.h"

static uint64_t seed;

/* What the adversary writes down. */
typedef struct notes {
    two_case *c;
    int64_t most;                          /* pairs in a world */
    bool possible[MAX_ROWS][MAX_ROWS + 1]; /* the last: the row may be new */
    int32_t partner[MAX_ROWS];
    bool taken[MAX_ROWS];
} notes;

static void each_world(notes *n, int64_t row, int64_t pairs, bool note)
{
    if (row == n->c->two.now_rows) {
        if (pairs > n->most)
            n->most = pairs;
        for (int64_t i = 0; note && pairs == n->most && i < row; i++)
            n->possible[i][n->partner[i]] = true;
        return;
    }
    n->partner[row] = MAX_ROWS;
    each_world(n, row + 1, pairs, note);
    for (int64_t j = 0; j < n->c->two.before_rows; j++) {
        if (n->taken[j] || !agree(n->c, row, j))
            continue;
        n->taken[j] = true;
        n->partner[row] = (int32_t)j;
        each_world(n, row + 1, pairs + 1, note);
        n->taken[j] = false;
    }
}

static uint32_t joined(const notes *n, int64_t row, int64_t with, int32_t column)
{
    uint32_t own = n->c->now[column][row];
    bool as_it_was = with == MAX_ROWS || n->c->equal_only[column];
    return as_it_was ? own : finer(own, n->c->before[column][with]);
}

/* The finest node that holds everything the row can be in a column. */
static uint32_t common(const notes *n, int64_t row, int32_t column)
{
    for (uint32_t node = n->c->columns[column].node_count; node-- > 0;) {
        bool holds = true;
        for (int64_t j = 0; j <= MAX_ROWS; j++)
            if (n->possible[row][j])
                holds &= tacit_lineage_holds(n->c->ends[column], node, joined(n, row, j, column));
        if (holds)
            return node;
    }
    fail();
    return 0;
}

/* Whether a person has a value in the box of a row and its partner, in every column of a set. */
static bool in_box(const notes *n, int64_t row, int64_t with, const uint32_t *person, uint64_t set)
{
    for (int32_t i = 0; i < n->c->two.quasi_count; i++)
        if ((set >> i & 1) &&
            !tacit_lineage_holds(n->c->ends[i], joined(n, row, with, i), person[i]))
            return false;
    return true;
}

static bool is_candidate(const notes *n, int64_t row, const uint32_t *person, uint64_t set)
{
    for (int64_t j = 0; j <= MAX_ROWS; j++)
        if (n->possible[row][j] && in_box(n, row, j, person, set))
            return true;
    return false;
}

/* The next of all persons, in the columns of the quasi-identifier. */
static bool next_person(const two_case *c, uint32_t *person)
{
    for (int32_t i = 0; i < c->two.quasi_count; i++) {
        if (++person[i] < c->columns[i].node_count)
            return true;
        person[i] = 0;
    }
    return false;
}

/* Fewest candidates of any person in each box of each row. */
static void count_persons(const notes *n, uint64_t set, int64_t fewest[MAX_ROWS][MAX_ROWS + 1])
{
    int64_t rows = n->c->two.now_rows;
    uint32_t person[MAX_COLUMNS] = {0};
    do {
        int64_t candidates = 0;
        for (int64_t row = 0; row < rows; row++)
            candidates += is_candidate(n, row, person, set);
        for (int64_t row = 0; row < rows; row++)
            for (int64_t j = 0; j <= MAX_ROWS; j++)
                if (n->possible[row][j] && in_box(n, row, j, person, set) &&
                    candidates < fewest[row][j])
                    fewest[row][j] = candidates;
    } while (next_person(n->c, person));
}

/* Rows that have a possible box with the same nodes as one of a row, in the columns of a set. */
static int64_t count_sharing(const notes *n, int64_t row, int64_t with, uint64_t set)
{
    int64_t sharing = 0;
    for (int64_t other = 0; other < n->c->two.now_rows; other++) {
        bool shares = false;
        for (int64_t j = 0; j <= MAX_ROWS; j++) {
            bool same = n->possible[other][j];
            for (int32_t i = 0; i < n->c->two.quasi_count && same; i++)
                same &= !(set >> i & 1) || joined(n, other, j, i) == joined(n, row, with, i);
            shares |= same;
        }
        sharing += shares;
    }
    return sharing;
}

typedef struct exposure {
    int64_t sharing[MAX_ROWS], candidates[MAX_ROWS];
    bool sure[MAX_ROWS];
} exposure;

static void lower(int64_t *to, int64_t number)
{
    *to = number < *to ? number : *to;
}

static void expose_set(exposure *e, const notes *n, uint64_t set)
{
    const tacit_two_releases *two = &n->c->two;
    int64_t fewest[MAX_ROWS][MAX_ROWS + 1];
    for (int64_t row = 0; row < MAX_ROWS; row++)
        for (int64_t j = 0; j <= MAX_ROWS; j++)
            fewest[row][j] = two->k;
    count_persons(n, set, fewest);
    for (int64_t row = 0; row < two->now_rows; row++) {
        bool all = true;
        for (int64_t j = 0; j <= MAX_ROWS; j++) {
            if (!n->possible[row][j])
                continue;
            int64_t sharing = count_sharing(n, row, j, set);
            all &= (two->by_candidates ? fewest[row][j] : sharing) < two->k;
            lower(&e->candidates[row], fewest[row][j]);
            lower(&e->sharing[row], sharing);
        }
        e->sure[row] |= all;
    }
}

static void expose(exposure *e, const notes *n)
{
    const tacit_two_releases *two = &n->c->two;
    for (int64_t row = 0; row < two->now_rows; row++) {
        e->candidates[row] = e->sharing[row] = two->k;
        e->sure[row] = false;
    }
    for (int32_t s = 0; s < (two->sets ? two->set_count : 1); s++)
        expose_set(e, n, two->sets ? two->sets[s] : UINT64_MAX);
}

static void check_rows(const notes *n, const tacit_joined *joined_, const exposure *e)
{
    const tacit_two_releases *two = &n->c->two;
    int64_t exposed = 0, possible = 0, sure = 0, traced = 0, finer_rows = 0;
    int64_t sharing = two->now_rows ? two->k : 0, candidates = sharing;
    for (int64_t row = 0; row < two->now_rows; row++) {
        uint32_t kind = joined_->kind_of[row];
        bool is_finer = false;
        for (int32_t i = 0; i < two->column_count; i++) {
            uint32_t expected = common(n, row, i);
            if (joined_->columns[i].width)
                assert_int_equal(tacit_codes_at(joined_->columns[i], row), expected);
            else
                assert_int_equal(n->c->now[i][row], expected);
            is_finer |= i < two->quasi_count && expected != n->c->now[i][row];
        }
        assert_int_equal(joined_->sharing[kind], e->sharing[row]);
        assert_int_equal(joined_->candidates[kind], e->candidates[row]);
        assert_int_equal(joined_->sure[kind], e->sure[row]);
        traced += e->candidates[row] < two->k;
        bool thin = (two->by_candidates ? e->candidates[row] : e->sharing[row]) < two->k,
             certain = e->sure[row] || e->candidates[row] < two->k;
        exposed += certain;
        possible += thin && !certain;
        sure += e->sure[row];
        finer_rows += is_finer;
        lower(&sharing, e->sharing[row]);
        lower(&candidates, e->candidates[row]);
    }
    assert_int_equal(joined_->exposed_rows, exposed);
    assert_int_equal(joined_->possible_rows, possible);
    assert_int_equal(joined_->traced_rows, traced);
    assert_int_equal(joined_->sure_rows, sure);
    assert_int_equal(joined_->finer_rows, finer_rows);
    assert_int_equal(joined_->fewest_sharing, sharing);
    assert_int_equal(joined_->fewest_candidates, candidates);
}

/* The joined table's classes, counted pair by pair. */
static void check_classes(const notes *n, const tacit_joined *joined_)
{
    const tacit_two_releases *two = &n->c->two;
    int64_t classes = 0, smallest = 0;
    for (int64_t row = 0; row < two->now_rows; row++) {
        int64_t alike = 0, earlier = 0;
        for (int64_t other = 0; other < two->now_rows; other++) {
            bool same = true;
            for (int32_t i = 0; i < two->quasi_count; i++)
                same &= common(n, row, i) == common(n, other, i);
            alike += same;
            earlier += same && other < row;
        }
        assert_int_equal(joined_->alike[joined_->kind_of[row]], alike);
        classes += earlier == 0;
        smallest = smallest == 0 || alike < smallest ? alike : smallest;
    }
    assert_int_equal(joined_->joined_classes, classes);
    assert_int_equal(joined_->smallest_class, smallest);
}

static void check_worlds(const notes *n, const tacit_joined *joined_)
{
    two_case *c = n->c;
    int64_t certain = 0, fresh = 0;
    for (int64_t row = 0; row < c->two.now_rows; row++) {
        int64_t kinds = 0;
        for (int64_t j = 0; j < c->two.before_rows; j++) {
            bool first = n->possible[row][j];
            for (int64_t i = 0; i < j; i++)
                first &= !same_rows(c->before, i, c->before, j, c->two.column_count);
            kinds += first;
        }
        fresh += n->possible[row][MAX_ROWS];
        certain += kinds == 1 && !n->possible[row][MAX_ROWS];
    }
    assert_int_equal(joined_->same_rows, n->most);
    assert_int_equal(joined_->fresh_rows, fresh);
    assert_int_equal(joined_->certain_rows, certain);
}

static tacit_joined *join(const two_case *c, int threads)
{
    tacit_error err = {0};
    tacit_joined *out = NULL;
    tacit_run run;
    tacit_run_init(&run);
    run.threads = threads;
    if (tacit_join_releases(&out, &c->two, &run, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    return out;
}

static void test_worlds(void **state)
{
    (void)state;
    for (seed = 1; seed <= many_cases(12000); seed++) {
        two_case c;
        exposure e;
        draw_case(&c, seed);
        notes n = {.c = &c};
        each_world(&n, 0, 0, false);
        each_world(&n, 0, 0, true);
        expose(&e, &n);
        tacit_joined *joined_ = join(&c, 1 + (int)(seed % 2));
        assert_true(joined_->by_worlds);
        check_worlds(&n, joined_);
        check_rows(&n, joined_, &e);
        check_classes(&n, joined_);
        tacit_joined_free(joined_);
    }
    seed = 0;
}

/* A partner for a row, others moving for it if need be. */
static bool find_partner(notes *n, int64_t row, int64_t left_out, bool *tried)
{
    for (int64_t j = 0; j < n->c->two.before_rows; j++) {
        if (tried[j] || j == left_out || !agree(n->c, row, j))
            continue;
        tried[j] = true;
        if (n->partner[j] < 0 || find_partner(n, n->partner[j], left_out, tried)) {
            n->partner[j] = (int32_t)row;
            return true;
        }
    }
    return false;
}

/* The size of a largest matching without a row of each release; -1: all of them. Here partners are
 * those of the earlier release's rows. */
static int64_t match_most(notes *n, int64_t left_out, int64_t left_out_before)
{
    int64_t pairs = 0;
    for (int64_t j = 0; j < n->c->two.before_rows; j++)
        n->partner[j] = -1;
    for (int64_t row = 0; row < n->c->two.now_rows; row++) {
        bool tried[MAX_ROWS] = {false};
        pairs += row != left_out && find_partner(n, row, left_out_before, tried);
    }
    return pairs;
}

/* Larger releases: a pair is possible if what is left without both can be matched but for one. */
static void test_larger(void **state)
{
    (void)state;
    for (seed = 1; seed <= many_cases(200); seed++) {
        two_case c;
        exposure e;
        draw_case_of(&c, seed, MAX_ROWS, seed % 2);
        notes n = {.c = &c};
        n.most = match_most(&n, -1, -1);
        for (int64_t row = 0; row < c.two.now_rows; row++) {
            n.possible[row][MAX_ROWS] = match_most(&n, row, -1) == n.most;
            for (int64_t j = 0; j < c.two.before_rows; j++)
                n.possible[row][j] = agree(&c, row, j) && match_most(&n, row, j) == n.most - 1;
        }
        expose(&e, &n);
        tacit_joined *joined_ = join(&c, 1 + (int)(seed % 2));
        check_worlds(&n, joined_);
        check_rows(&n, joined_, &e);
        check_classes(&n, joined_);
        tacit_joined_free(joined_);
    }
    seed = 0;
}

/* Whether two rows of the release are of a kind: a column without a tree that the earlier release
 * does not have says nothing. */
static bool of_a_kind(const two_case *c, int64_t a, int64_t b)
{
    for (int32_t i = 0; i < c->two.column_count; i++) {
        bool says = !c->equal_only[i] || c->columns[i].before.codes.width > 0;
        if (says && c->now[i][a] != c->now[i][b])
            return false;
    }
    return true;
}

/* Pairs of different rows that agree. */
static int64_t count_pairs(two_case *c)
{
    int64_t pairs = 0;
    for (int64_t i = 0; i < c->two.now_rows; i++)
        for (int64_t j = 0; j < c->two.before_rows; j++) {
            bool first = agree(c, i, j);
            for (int64_t h = 0; h < i; h++)
                first &= !of_a_kind(c, h, i);
            for (int64_t h = 0; h < j; h++)
                first &= !same_rows(c->before, h, c->before, j, c->two.column_count);
            pairs += first;
        }
    return pairs;
}

/* Too many pairs: one box a row, what all partners have in common. */
static void expose_pairwise(exposure *e, notes *n)
{
    two_case *c = n->c, boxes = *c;
    for (int64_t row = 0; row < c->two.now_rows; row++) {
        bool any = false;
        for (int64_t j = 0; j < c->two.before_rows; j++)
            any |= n->possible[row][j] = agree(c, row, j);
        n->possible[row][MAX_ROWS] = !any;
    }
    notes one = {.c = &boxes};
    for (int64_t row = 0; row < c->two.now_rows; row++) {
        one.possible[row][MAX_ROWS] = true;
        for (int32_t i = 0; i < c->two.column_count; i++)
            boxes.now[i][row] = common(n, row, i);
    }
    expose(e, &one);
}

static void test_pairwise(void **state)
{
    (void)state;
    int64_t met = 0;
    for (seed = 1; seed <= many_cases(4000); seed++) {
        two_case c;
        exposure e;
        draw_case(&c, seed);
        int64_t pairs = count_pairs(&c);
        c.two.max_pairs = 1 + draw(&c, 4);
        tacit_joined *joined_ = join(&c, 1 + (int)(seed % 2));
        assert_int_equal(joined_->by_worlds, pairs <= c.two.max_pairs);
        assert_int_equal(joined_->pairs, joined_->by_worlds ? pairs : -1);
        if (!joined_->by_worlds) {
            notes n = {.c = &c};
            expose_pairwise(&e, &n);
            check_rows(&n, joined_, &e);
            check_classes(&n, joined_);
            assert_int_equal(joined_->same_rows, -1);
            met++;
        }
        tacit_joined_free(joined_);
    }
    assert_true(met > 100);
    seed = 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        random_test(test_worlds, &seed),
        random_test(test_larger, &seed),
        random_test(test_pairwise, &seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
