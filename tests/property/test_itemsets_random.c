/*
 * test_itemsets_random.c - km-anonymity of sets by definition: random small tables, whose sets the
 * method protects and whose every combination of items is counted by comparing rows; the loss
 * beside the least that any recoding of a class has, found by trying all; the judge on random
 * releases, kept and broken; and both from a policy to the file and back.
 *
 * TACIT_LONG in the environment makes a hundred times as many cases.
 */
#include <math.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include <tacit/experimental/itemsets.h>
#include <tacit/job.h>

#include "audit_case.h"
#include "naive_csv.h"
#include "random_cases.h"

enum { METHODS = 4000, OPTIMA = 400, VERDICTS = 3000, RELEASES = 60 };
enum { MAX_ROWS = 24, ITEMS = 6, COLUMNS = 2, LABELS = 10, NOTHING = -1 };

/* Items a to f; a and b are x, c to e are y, f alone is z; all are t. Labels 0 to 5 are items. */
static const char *const NAMES[LABELS] = {"a", "b", "c", "d", "e", "f", "x", "y", "z", "t"};
static const int PARENT[LABELS] = {6, 6, 7, 7, 7, 8, 9, 9, 9, -1};
static const double LOSS[LABELS] = {0, 0, 0, 0, 0, 0, 2.0 / 6, 3.0 / 6, 0, 1};
static char tree_file[] = "/tmp/tacit-test-XXXXXX";

static int write_tree(void **state)
{
    static const char TREE[] = "a;x;t\nb;x;t\nc;y;t\nd;y;t\ne;y;t\nf;z;t\n";
    (void)state;
    int fd = mkstemp(tree_file);
    bool written = fd >= 0 && write(fd, TREE, sizeof TREE - 1) == sizeof TREE - 1;
    return close(fd) != 0 || !written;
}

static int remove_tree(void **state)
{
    (void)state;
    return unlink(tree_file);
}

typedef struct world {
    uint64_t random;
    int rows, columns, classes, k, m;
    unsigned sets[MAX_ROWS][COLUMNS]; /* a bit an item, or a label */
    uint32_t class_of[MAX_ROWS];
    int person[MAX_ROWS];
    bool by_person, tree, keeps_all;
} world;

static void draw_world(world *w, uint64_t seed, int most)
{
    *w = (world){.random = seed * UINT64_C(0x9E3779B97F4A7C15) + 1};
    w->rows = 2 + (int)draw(&w->random, (uint32_t)most - 1);
    w->columns = 1 + (draw(&w->random, 3) == 0);
    w->classes = 1 + (int)draw(&w->random, 2);
    w->k = 2 + (int)draw(&w->random, 3);
    w->m = 1 + (int)draw(&w->random, 4);
    w->by_person = draw(&w->random, 3) == 0;
    w->tree = draw(&w->random, 4) > 0;
    w->keeps_all = w->tree && draw(&w->random, 4) == 0;
    uint32_t sparse = 1 + draw(&w->random, 4);
    for (int i = 0; i < w->rows; i++) {
        for (int c = 0; c < w->columns; c++)
            for (int item = 0; item < ITEMS; item++)
                w->sets[i][c] |= (unsigned)(draw(&w->random, sparse + 1) == 0) << item;
        w->class_of[i] = draw(&w->random, (uint32_t)w->classes);
        w->person[i] = (int)draw(&w->random, (uint32_t)w->rows);
    }
}

/* Cells in any order, with blanks and empty items among them. */
static int write_cell(char *text, world *w, unsigned set, int labels)
{
    int at = 0, from = (int)draw(&w->random, (uint32_t)labels);
    for (int i = 0; i < labels; i++) {
        int item = (i + from) % labels;
        if (set >> item & 1)
            at += sprintf(text + at, "%s%s%s", at ? draw(&w->random, 4) ? ";" : " ; " : "",
                          NAMES[item], draw(&w->random, 9) ? "" : ";");
    }
    return at;
}

static void write_table(char *text, world *w, int labels)
{
    int at = sprintf(text, "p,q,s0,s1\n");
    for (int i = 0; i < w->rows; i++) {
        at += sprintf(text + at, "%d,%u,", w->person[i], (unsigned)w->class_of[i]);
        at += write_cell(text + at, w, w->sets[i][0], labels);
        at += sprintf(text + at, ",");
        at += write_cell(text + at, w, w->sets[i][1], labels);
        at += sprintf(text + at, "\n");
    }
}

/* ---- by definition ---- */

/* What rows show: a bit a label, those of the second column above those of the first. */
typedef unsigned shown;

static int people_with(const world *w, const shown *rows, uint32_t class, shown wanted)
{
    int people = 0;
    for (int i = 0; i < w->rows; i++) {
        bool counts = w->class_of[i] == class && (rows[i] & wanted) == wanted;
        for (int j = 0; j < i && counts && w->by_person; j++)
            counts = w->class_of[j] != class || (rows[j] & wanted) != wanted ||
                     w->person[j] != w->person[i];
        people += counts;
    }
    return people;
}

/* The fewest people of a class who share up to m labels that a row of it has; 0: it has none. */
static int fewest_of(const world *w, const shown *rows, uint32_t class)
{
    int fewest = 0;
    for (int i = 0; i < w->rows; i++)
        for (shown set = rows[i]; set && w->class_of[i] == class; set = (set - 1) & rows[i]) {
            int people = __builtin_popcount(set) <= w->m ? people_with(w, rows, class, set) : 0;
            fewest = people && (!fewest || people < fewest) ? people : fewest;
        }
    return fewest;
}

static bool class_keeps(const world *w, const shown *rows, uint32_t class)
{
    int fewest = fewest_of(w, rows, class);
    return fewest == 0 || fewest >= w->k;
}

/* Labels that stand for an item: itself and what is above it. */
static shown above(const world *w, int item)
{
    shown set = 0;
    for (int label = item; label >= 0; label = w->tree ? PARENT[label] : -1)
        set |= 1u << label;
    return set;
}

/* A cell as it is written: sorted, each label once. */
static shown read_cell(tacit_strview cell)
{
    shown set = 0;
    char before = 0;
    for (size_t i = 0; i < cell.len; i += 2) {
        int label = 0;
        while (label < LABELS && *NAMES[label] != cell.bytes[i])
            label++;
        assert_true(label < LABELS && cell.bytes[i] > before);
        assert_true(i + 1 == cell.len || cell.bytes[i + 1] == ';');
        assert_true(i + 2 != cell.len);
        before = cell.bytes[i];
        set |= 1u << label;
    }
    return set;
}

/* ---- the method ---- */

static tacit_status protect(tacit_itemset_release **out, world *w, tacit_error *err)
{
    static char text[1 << 13];
    tacit_table *table = NULL;
    tacit_run run;
    tacit_csv_options options;
    tacit_hierarchy_spec tree = {.kind = TACIT_HIERARCHY_FILE, .path = tree_file},
                         none = {.kind = TACIT_HIERARCHY_NONE};
    tacit_itemset_column columns[COLUMNS];
    write_table(text, w, ITEMS);
    tacit_run_init(&run);
    tacit_csv_options_init(&options);
    options.delimiter = ',';
    assert_int_equal(
        tacit_table_read_memory(&table, tacit_strview_of(text), "case", &options, &run, err),
        TACIT_OK);
    for (int c = 0; c < COLUMNS; c++)
        columns[c] = (tacit_itemset_column){2 + c, ";", w->tree ? &tree : &none, w->keeps_all};
    const tacit_itemsets asked = {table,       columns,
                                  w->columns,  w->k,
                                  w->m,        w->by_person ? 0 : -1,
                                  w->class_of, (uint32_t)w->classes};
    tacit_status status = tacit_itemsets_protect(out, &asked, &run, err);
    tacit_table_free(table);
    return status;
}

static void read_release(shown *rows, const world *w, const tacit_itemset_release *release)
{
    for (int i = 0; i < w->rows; i++) {
        rows[i] = 0;
        for (int c = 0; c < w->columns; c++) {
            const tacit_itemset_cells *cells = &release->columns[c];
            assert_true(cells->codes[i] < cells->label_count);
            rows[i] |= read_cell(cells->labels[cells->codes[i]]) << (c * LABELS);
        }
    }
}

/* What an item is released as in a class: a label, NOTHING, or -2 where rows differ so that others
 * under the same label hide it. */
static int image_of(const world *w, const shown *rows, uint32_t class, int column, int item)
{
    shown all = above(w, item) << (column * LABELS), any = 0;
    for (int i = 0; i < w->rows; i++)
        if (w->class_of[i] == class && w->sets[i][column] >> item & 1) {
            all &= rows[i];
            any |= rows[i];
        }
    any &= above(w, item) << (column * LABELS);
    if (!any)
        return NOTHING;
    assert_true(all); /* it is left out in some rows and not in others */
    return __builtin_popcount(all) == 1 ? __builtin_ctz(all) : -2;
}

/* Everything shown is true of its row, and what was left out could not stay as it is. */
static void check_true(const world *w, const shown *rows)
{
    for (int i = 0; i < w->rows; i++)
        for (int c = 0; c < w->columns; c++) {
            shown may = 0;
            for (int item = 0; item < ITEMS; item++)
                may |= w->sets[i][c] >> item & 1 ? above(w, item) : 0;
            assert_false(rows[i] >> (c * LABELS) & ((1u << LABELS) - 1) & ~may);
        }
}

static void check_left_out(const world *w, const shown *rows, uint32_t class)
{
    for (int c = 0; c < w->columns; c++)
        for (int item = 0; item < ITEMS; item++) {
            shown more[MAX_ROWS];
            bool has = false;
            if (image_of(w, rows, class, c, item) != NOTHING)
                continue;
            for (int i = 0; i < w->rows; i++) {
                bool here = w->class_of[i] == class && w->sets[i][c] >> item & 1;
                has |= here;
                more[i] = rows[i] | (here ? 1u << (item + c * LABELS) : 0);
            }
            assert_false(has && w->keeps_all);
            assert_false(has && class_keeps(w, more, class));
        }
}

/* Whether the items of a class, each as the most general value, keep it. */
static bool tops_keep(const world *w, uint32_t class)
{
    shown rows[MAX_ROWS] = {0};
    for (int i = 0; i < w->rows; i++)
        for (int c = 0; c < w->columns; c++)
            rows[i] |= w->sets[i][c] ? 1u << (LABELS - 1 + c * LABELS) : 0;
    return class_keeps(w, rows, class);
}

static void protect_world(uint64_t seed, int *failed)
{
    world w;
    tacit_error err = {0};
    tacit_itemset_release *release = NULL;
    shown rows[MAX_ROWS];
    draw_world(&w, seed, MAX_ROWS);
    tacit_status status = protect(&release, &w, &err);
    if (status != TACIT_OK) {
        bool could = true;
        for (int class = 0; class < w.classes; class ++)
            could &= tops_keep(&w, (uint32_t) class);
        if (status != TACIT_INFEASIBLE || !w.keeps_all || could)
            fail_msg("%s", err.message);
        ++*failed;
        return;
    }
    read_release(rows, &w, release);
    check_true(&w, rows);
    for (int class = 0; class < w.classes; class ++) {
        assert_true(class_keeps(&w, rows, (uint32_t) class));
        check_left_out(&w, rows, (uint32_t) class);
    }
    tacit_itemset_release_free(release);
}

static void test_method(void **state)
{
    uint64_t *seed = *state, cases = many_cases(METHODS);
    int failed = 0;
    for (*seed = 1; *seed <= cases; ++*seed)
        protect_world(*seed, &failed);
    assert_true((uint64_t)failed < cases / 10);
    *seed = 0;
}

/* ---- the least loss ---- */

/* What each item of the first column becomes, as digits: itself, its generalizations, nothing. */
static int image_at(const world *w, int item, int digit)
{
    int label = item;
    for (; digit > 0 && label >= 0; digit--)
        label = w->tree ? PARENT[label] : -1;
    return label;
}

static double try_recoding(const world *w, const int *digits)
{
    shown rows[MAX_ROWS] = {0};
    double loss = 0;
    for (int i = 0; i < w->rows; i++)
        for (int item = 0; item < ITEMS; item++) {
            int label = image_at(w, item, digits[item]);
            if (!(w->sets[i][0] >> item & 1))
                continue;
            loss += label < 0 ? 1 : LOSS[label];
            rows[i] |= label < 0 ? 0 : 1u << label;
        }
    return class_keeps(w, rows, 0) ? loss : INFINITY;
}

static double least_loss(const world *w)
{
    int digits[ITEMS] = {0}, most = w->tree ? 4 : 2;
    double least = INFINITY;
    for (;;) {
        least = fmin(least, try_recoding(w, digits));
        int item = 0;
        while (item < ITEMS && ++digits[item] == most)
            digits[item++] = 0;
        if (item == ITEMS)
            return least;
    }
}

/* The heuristic loses no less than the best, and not much more in all. */
static void test_optimum(void **state)
{
    uint64_t *seed = *state, cases = many_cases(OPTIMA);
    double all = 0, best = 0;
    uint64_t exact = 0;
    for (*seed = 1; *seed <= cases; ++*seed) {
        world w;
        tacit_error err = {0};
        tacit_itemset_release *release = NULL;
        draw_world(&w, *seed, 14);
        w.columns = w.classes = 1;
        w.keeps_all = w.by_person = false;
        w.m = 1 + w.m % 3;
        memset(w.class_of, 0, sizeof w.class_of);
        assert_int_equal(protect(&release, &w, &err), TACIT_OK);
        const tacit_itemset_loss *loss = &release->columns[0].loss;
        double lost = loss->loss * (double)loss->items, least = least_loss(&w);
        assert_true(lost >= least - 1e-9);
        all += lost;
        best += least;
        exact += lost <= least + 1e-9;
        tacit_itemset_release_free(release);
    }
    print_message("%.1f lost where %.1f is the least; %llu of %llu are the best\n", all, best,
                  (unsigned long long)exact, (unsigned long long)cases);
    assert_true(all <= 1.1 * best && exact > cases / 2);
    *seed = 0;
}

/* ---- apriori-based anonymization, as in the paper ---- */

/* A cut through the tree: what each item becomes; and what the rows of a table without classes show
 * then. */
static void show_cut(shown *rows, const world *w, const int *cut)
{
    for (int i = 0; i < w->rows; i++) {
        rows[i] = 0;
        for (int item = 0; item < ITEMS; item++)
            rows[i] |= w->sets[i][0] >> item & 1 ? 1u << cut[item] : 0;
    }
}

static double loss_of_cut(const world *w, const int *cut)
{
    double loss = 0;
    for (int i = 0; i < w->rows; i++)
        for (int item = 0; item < ITEMS; item++)
            loss += w->sets[i][0] >> item & 1 ? LOSS[cut[item]] : 0;
    return loss;
}

/* Generalizes the whole subtree of a label. */
static void raise_cut(int *cut, int to)
{
    for (int item = 0; item < ITEMS; item++)
        for (int label = cut[item]; label >= 0; label = PARENT[label])
            if (label == to)
                cut[item] = to;
}

/* Of all ways to generalize the labels of a combination that is too rare, the one that loses least
 * and makes it frequent enough. */
static bool repair(int *cut, const world *w, shown rare)
{
    int labels[ITEMS + 1], count = 0, steps[ITEMS + 1] = {0}, best[ITEMS];
    double least = INFINITY;
    for (int label = 0; label < LABELS; label++)
        if (rare >> label & 1)
            labels[count++] = label;
    for (int at = 0; at < count;) {
        int tried[ITEMS];
        shown rows[MAX_ROWS], wanted = 0;
        memcpy(tried, cut, sizeof tried);
        for (int i = 0; i < count; i++) {
            int to = labels[i];
            for (int s = 0; s < steps[i]; s++)
                to = PARENT[to] < 0 ? to : PARENT[to];
            raise_cut(tried, to);
        }
        for (int item = 0; item < ITEMS; item++)
            wanted |= rare >> cut[item] & 1 ? 1u << tried[item] : 0;
        show_cut(rows, w, tried);
        double loss = loss_of_cut(w, tried);
        if (loss < least && people_with(w, rows, 0, wanted) >= w->k) {
            least = loss;
            memcpy(best, tried, sizeof best);
        }
        for (at = 0; at < count && ++steps[at] == 3; at++)
            steps[at] = 0;
    }
    if (least < INFINITY)
        memcpy(cut, best, sizeof best);
    return least < INFINITY;
}

/* The first combination of that size that is too rare; 0: none is. */
static shown rare_of(const world *w, const shown *rows, int size)
{
    for (int i = 0; i < w->rows; i++)
        for (shown set = rows[i]; set; set = (set - 1) & rows[i])
            if (__builtin_popcount(set) == size && people_with(w, rows, 0, set) < w->k)
                return set;
    return 0;
}

/* Its loss; infinite where it fails. */
static double apriori_loss(const world *w)
{
    int cut[ITEMS] = {0, 1, 2, 3, 4, 5};
    for (int size = 1; size <= w->m; size++) {
        shown rows[MAX_ROWS], rare;
        for (show_cut(rows, w, cut); (rare = rare_of(w, rows, size)); show_cut(rows, w, cut))
            if (!repair(cut, w, rare))
                return INFINITY;
    }
    return loss_of_cut(w, cut);
}

/* Nothing left out: the method loses less than the paper's, in all. */
static void test_apriori(void **state)
{
    uint64_t *seed = *state, cases = many_cases(OPTIMA);
    double ours = 0, theirs = 0;
    uint64_t compared = 0;
    for (*seed = 1; *seed <= cases; ++*seed) {
        world w;
        tacit_error err = {0};
        tacit_itemset_release *release = NULL;
        draw_world(&w, *seed, MAX_ROWS);
        w.columns = w.classes = 1;
        w.tree = w.keeps_all = true;
        w.by_person = false;
        w.m = 1 + w.m % 3;
        memset(w.class_of, 0, sizeof w.class_of);
        double loss = apriori_loss(&w);
        tacit_status status = protect(&release, &w, &err);
        if (status != TACIT_OK) {
            assert_true(status == TACIT_INFEASIBLE && loss == INFINITY);
            continue;
        }
        if (loss < INFINITY) {
            ours += release->columns[0].loss.loss * (double)release->columns[0].loss.items;
            theirs += loss;
            compared++;
        }
        tacit_itemset_release_free(release);
    }
    print_message("%.1f lost where the paper's algorithm loses %.1f, on %llu tables\n", ours,
                  theirs, (unsigned long long)compared);
    assert_true(compared > cases / 2 && ours < theirs);
    *seed = 0;
}

/* ---- the judge ---- */

static void judge_world(uint64_t seed, int *kept)
{
    static char text[1 << 13];
    world w;
    shown rows[MAX_ROWS];
    draw_world(&w, seed, 12);
    w.k = 2;
    uint32_t kinds = 1 + draw(&w.random, 3); /* few different sets keep it more often */
    for (int i = 0; i < w.rows; i++) {
        for (int c = 0; c < w.columns; c++)
            w.sets[i][c] = w.sets[draw(&w.random, kinds) % (uint32_t)w.rows][c];
        rows[i] = w.sets[i][0] | w.sets[i][1] << LABELS;
    }
    write_table(text, &w, LABELS);
    tacit_promise_items items[COLUMNS] = {{"s0", ";", &CASE_NONE}, {"s1", ";", &CASE_NONE}};
    audit_case c = {.promise = {.k = 2, .km = w.m, .items = items, .items_count = w.columns},
                    .release = text,
                    .threads = 1};
    c.promise.rows_are_people = !w.by_person;
    case_attribute(&c, "q", &CASE_NONE);
    tacit_verdict *v = case_judge(&c);
    int fewest = 0, failing = 0;
    for (int class = 0; class < w.classes; class ++) {
        w.by_person = false; /* the release's own column would link rows */
        int here = fewest_of(&w, rows, (uint32_t) class);
        fewest = here && (!fewest || here < fewest) ? here : fewest;
        failing += here && here < 2;
    }
    assert_true(v->items.checked);
    assert_int_equal(v->items.classes_failing, failing);
    assert_int_equal(!(verdict_kinds(v) >> TACIT_FINDING_ITEMS & 1), failing == 0);
    if (!failing)
        assert_int_equal(v->items.smallest, fewest);
    *kept += failing == 0 && fewest > 0;
    tacit_verdict_free(v);
}

static void test_verdicts(void **state)
{
    uint64_t *seed = *state, cases = many_cases(VERDICTS);
    int kept = 0;
    for (*seed = 1; *seed <= cases; ++*seed)
        judge_world(*seed, &kept);
    assert_true((uint64_t)kept > cases / 20 && (uint64_t)kept < cases);
    *seed = 0;
}

/* ---- from a policy to the file ---- */

static void write_policy(char *text, const world *w, const char *method, bool drop)
{
    int at = sprintf(text,
                     "k: %d\nkm: %d\nmethod: %s\nloss: %g\nsuppressed: %s\nkeep-order: true\n"
                     "person: %s\n",
                     w->k, w->m, method, (w->rows % 4) / 4.0, drop ? "drop" : "keep",
                     w->by_person ? "p" : "none");
    at += sprintf(text + at, "columns:\n  p: identifier\n  q: quasi\n");
    for (int c = 0; c < COLUMNS; c++)
        at += sprintf(text + at, "  s%d: {role: %s, items: \";\"%s%s}\n", c,
                      c ? "insensitive" : "sensitive", w->tree ? ", hierarchy: " : "",
                      w->tree ? tree_file : "");
}

static tacit_status run_job(naive_table *out, char *table, const char *policy, tacit_error *err)
{
    static char text[1 << 16];
    int fd = memfd_create("release", MFD_CLOEXEC);
    tacit_job *job = NULL;
    tacit_run run;
    tacit_run_init(&run);
    run.threads = 1;
    assert_int_equal(tacit_job_new(&job, "anonymize", err), TACIT_OK);
    if (tacit_job_set_text(job, "policy", policy, err) != TACIT_OK ||
        tacit_job_set(job, "seed", "7", err) != TACIT_OK ||
        tacit_job_input_bytes(job, table, strlen(table), err) != TACIT_OK ||
        tacit_job_output_descriptor(job, "output", fd, err) != TACIT_OK)
        fail_msg("%s\n%s", err->message, policy);
    tacit_status status = tacit_job_run(job, &run, err);
    if (status == TACIT_OK)
        status = tacit_job_commit(job, err);
    if (status == TACIT_OK) {
        ssize_t bytes = pread(fd, text, sizeof text, 0);
        assert_true(bytes > 0 && naive_read(out, text, (size_t)bytes, ','));
    }
    tacit_job_free(job);
    close(fd);
    return status;
}

/* Rows keep their order, so those that are left out are known by their absence alone: the people
 * of the others are counted as rows then. */
static void check_file(world *w, const naive_table *release)
{
    shown rows[MAX_ROWS];
    bool left = release->rows - 1 < w->rows;
    w->rows = release->rows - 1;
    w->by_person &= !left;
    for (int i = 0; i < w->rows; i++) {
        const char *q = release->cell[i + 1][0];
        w->class_of[i] = *q == '*' ? 9 : (uint32_t)(*q - '0');
        rows[i] = read_cell(tacit_strview_of(release->cell[i + 1][1])) |
                  read_cell(tacit_strview_of(release->cell[i + 1][2])) << LABELS;
    }
    for (uint32_t class = 0; class < 10; class ++)
        assert_true(class_keeps(w, rows, class));
}

static void test_releases(void **state)
{
    static const char *const NAMES_OF[] = {"mingen", "local", "datafly", "k-similar"};
    static char table[1 << 13], policy[1 << 10];
    static naive_table release;
    uint64_t *seed = *state, cases = many_cases(RELEASES), found = 0;
    for (*seed = 1; *seed <= cases; ++*seed)
        for (size_t m = 0; m < sizeof NAMES_OF / sizeof *NAMES_OF; m++) {
            world w;
            tacit_error err = {0};
            draw_world(&w, *seed, MAX_ROWS);
            bool drop = !w.by_person && *seed % 3 == 0;
            if (w.by_person && strcmp(NAMES_OF[m], "k-similar") == 0)
                continue; /* it counts rows */
            write_table(table, &w, ITEMS);
            write_policy(policy, &w, NAMES_OF[m], drop);
            tacit_status status = run_job(&release, table, policy, &err);
            if (status == TACIT_OK)
                check_file(&w, &release);
            else if (status != TACIT_INFEASIBLE || strstr(err.message, "judge"))
                fail_msg("%s: %s", NAMES_OF[m], err.message);
            found += status == TACIT_OK;
        }
    assert_true(found > cases);
    *seed = 0;
}

int main(void)
{
    static uint64_t seed;
    const struct CMUnitTest tests[] = {
        random_test(test_method, &seed),   random_test(test_optimum, &seed),
        random_test(test_apriori, &seed),  random_test(test_verdicts, &seed),
        random_test(test_releases, &seed),
    };
    return cmocka_run_group_tests(tests, write_tree, remove_tree);
}
