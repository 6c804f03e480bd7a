/*
 * wide.c - `local` on wide tables, beside greedy k-member clustering.
 *
 *     bench_wide [FOLDER [JSON [ROWS...]]]
 *
 * The peer is k-member clustering (Byun, Kamra, Bertino and Li, *Efficient k-Anonymization Using
 * Clustering Techniques*, DASFAA 2007): a cluster starts with the record farthest from where the
 * last one started, and takes up k - 1 times the record that costs least with it; the fewer than k
 * that are left join where they cost least. It has the same hierarchies and the same metric,
 * granularity, as `local`, and looks costs up in a table that it makes for each cluster, so it is
 * no straw man: its time is a few additions for each pair of records and column. It takes n^2 / 2
 * pairs in all.
 *
 * Made-up tables of ROWS records (1000, 5000 and 20 000) with 10, 20, 30 and 60 columns, k = 5,
 * whose columns independent   have nothing to do with each other; factors       are each made of
 * one of a few hidden factors, and chance; skewed        have a few frequent values and many rare
 * ones, a third of them like another's; then the data sets of FOLDER (../shared/data) with all
 * their columns. Columns have 2 to 100 values and hierarchies of 2 to 6 levels. Printed are
 * granularity and Prec of both, what no release exceeds according to `local`, and processor
 * seconds. JSON is written, if named.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tacit/experimental/records.h>

#include "meter.h"

enum { MAX_COLUMNS = 64, K = 5, MAX_CODES = 1 << 16 };

static tacit_error err;

static void must(tacit_status status)
{
    char text[1200];
    if (status == TACIT_OK)
        return;
    fprintf(stderr, "bench_wide: %s\n", tacit_error_format(&err, text, sizeof text));
    exit(1);
}

static void *room(size_t count, size_t size)
{
    void *block = calloc(count ? count : 1, size);
    if (!block) {
        fprintf(stderr, "bench_wide: no memory\n");
        exit(1);
    }
    return block;
}

/* ---- tables ---- */

typedef struct subject {
    tacit_table *table;
    tacit_hierarchy *hierarchies[MAX_COLUMNS];
    tacit_attribute attributes[MAX_COLUMNS];
    tacit_frame frame;
} subject;

static void add_column(subject *s, int32_t column, const char *rule)
{
    int32_t at = s->frame.attribute_count++;
    tacit_hierarchy_spec spec = {.kind = TACIT_HIERARCHY_NONE};
    must(tacit_hierarchy_spec_parse(&spec, rule, NULL, &err));
    must(tacit_hierarchy_new(&s->hierarchies[at], &spec, s->table, column, &err));
    s->attributes[at] = (tacit_attribute){.column = column, .hierarchy = s->hierarchies[at]};
    tacit_hierarchy_spec_clear(&spec);
}

static void open_subject(subject *s)
{
    s->frame = (tacit_frame){.table = s->table, .attributes = s->attributes, .person = -1};
}

static void close_subject(subject *s)
{
    for (int32_t i = 0; i < s->frame.attribute_count; i++)
        tacit_hierarchy_free(s->hierarchies[i]);
    tacit_table_free(s->table);
    *s = (subject){0};
}

/* Sorts of columns, which repeat: values, and the rule that generalizes them. */
typedef struct sort {
    uint32_t values;
    const char *rule;
} sort;

static const sort SORTS[] = {{2, "none"},
                             {6, "interval:0/2"},
                             {4, "none"},
                             {12, "interval:0/3,6"},
                             {100, "interval:0/5,10,20,40"},
                             {3, "none"},
                             {24, "interval:0/2,4,12"},
                             {8, "interval:0/2,4"},
                             {5, "none"},
                             {50, "interval:0/5,10,20"}};
enum { SORT_COUNT = sizeof SORTS / sizeof SORTS[0], FACTORS = 6 };

typedef enum kind { INDEPENDENT, FACTORED, SKEWED, KINDS } kind;
static const char *const KIND_NAMES[KINDS] = {"independent", "factors", "skewed"};

static double draw_share(uint32_t *state)
{
    return (double)(meter_draw(state) >> 8) / (1 << 24);
}

/* One record: a share from 0 to 1 for each column, which says how far its value is up. */
static void draw_record(double *shares, kind k, int columns, uint32_t *state)
{
    double factors[FACTORS];
    for (int f = 0; f < FACTORS; f++)
        factors[f] = draw_share(state);
    for (int c = 0; c < columns; c++) {
        double chance = draw_share(state), other = draw_share(state);
        shares[c] = chance;
        if (k == FACTORED) {
            double mixed = factors[c % FACTORS] + 0.35 * (chance + other - 1);
            shares[c] = mixed < 0 ? -mixed : mixed > 1 ? 2 - mixed : mixed;
        } else if (k == SKEWED) {
            bool follows = c % 3 == 2 && other < 0.8;
            shares[c] = follows ? shares[c - 1] : chance * chance * chance;
        }
        shares[c] = shares[c] >= 1 ? 0.999999 : shares[c];
    }
}

static char *make_records(kind k, int columns, int64_t rows)
{
    size_t space = (size_t)rows * (size_t)columns * 4 + 4096, at = 0;
    char *text = room(space, 1);
    double shares[MAX_COLUMNS];
    uint32_t state = 2463534242u;
    for (int c = 0; c < columns; c++)
        at += (size_t)snprintf(text + at, space - at, "c%d%c", c, c + 1 < columns ? ',' : '\n');
    for (int64_t i = 0; i < rows; i++) {
        draw_record(shares, k, columns, &state);
        for (int c = 0; c < columns; c++)
            at += (size_t)snprintf(text + at, space - at, "%d%c",
                                   (int)(shares[c] * SORTS[c % SORT_COUNT].values),
                                   c + 1 < columns ? ',' : '\n');
    }
    return text;
}

static void open_made(subject *s, char **text, kind k, int columns, int64_t rows)
{
    tacit_csv_options csv;
    *text = make_records(k, columns, rows);
    tacit_csv_options_init(&csv);
    must(tacit_table_read_memory(&s->table, tacit_strview_of(*text), "made up", &csv, NULL, &err));
    open_subject(s);
    for (int c = 0; c < columns; c++)
        add_column(s, c, SORTS[c % SORT_COUNT].rule);
}

/* ---- k-member clustering ---- */

typedef struct clusterer {
    const tacit_frame *frame;
    int64_t rows;
    int32_t columns;
    double *cost[MAX_COLUMNS][TACIT_MAX_LEVELS]; /* by the value's number: granularity */
    uint32_t *codes;                             /* record by record */
    size_t starts[MAX_COLUMNS + 1];
    double *joined;          /* a code of each column: what the cluster's box costs with it there */
    int levels[MAX_COLUMNS]; /* of the cluster's box */
    uint32_t first;          /* record of the cluster */
    uint32_t *left;          /* records in no cluster */
    int64_t left_count;
    uint32_t *records; /* cluster by cluster */
    int64_t *ends;
    int64_t clusters;
    int64_t homes[K]; /* of those left whom clusters have taken up */
    int64_t joiners;
} clusterer;

static const uint32_t *codes_of(const clusterer *c, uint32_t record)
{
    return c->codes + (size_t)record * (size_t)c->columns;
}

static void clusterer_init(clusterer *c, const tacit_frame *frame)
{
    *c = (clusterer){
        .frame = frame, .rows = tacit_table_rows(frame->table), .columns = frame->attribute_count};
    c->codes = room((size_t)c->rows * (size_t)c->columns, sizeof *c->codes);
    for (int32_t a = 0; a < c->columns; a++) {
        const tacit_hierarchy *h = frame->attributes[a].hierarchy;
        int32_t column = frame->attributes[a].column;
        uint32_t leaves = tacit_hierarchy_leaves(h);
        tacit_codes_view view = tacit_table_codes(frame->table, column);
        for (int64_t r = 0; r < c->rows; r++)
            c->codes[r * c->columns + a] = tacit_codes_at(view, r);
        for (int level = 0; level <= tacit_hierarchy_height(h); level++) {
            uint32_t count = tacit_hierarchy_count(h, level);
            c->cost[a][level] = room(count + 1, sizeof(double));
            for (uint32_t v = 0; v < count && leaves > 1; v++)
                c->cost[a][level][v] =
                    (tacit_hierarchy_leaves_under(h, level, v) - 1.0) / (leaves - 1.0);
        }
        c->starts[a + 1] = c->starts[a] + tacit_table_distinct(frame->table, column) + 1;
    }
    c->joined = room(c->starts[c->columns], sizeof *c->joined);
    c->left = room((size_t)c->rows, sizeof *c->left);
    c->records = room((size_t)c->rows, sizeof *c->records);
    c->ends = room((size_t)c->rows + 1, sizeof *c->ends);
    for (int64_t r = 0; r < c->rows; r++)
        c->left[r] = (uint32_t)r;
    c->left_count = c->rows;
}

static void clusterer_clear(clusterer *c)
{
    for (int32_t a = 0; a < c->columns; a++)
        for (int level = 0; level < TACIT_MAX_LEVELS; level++)
            free(c->cost[a][level]);
    free(c->codes);
    free(c->joined);
    free(c->left);
    free(c->records);
    free(c->ends);
}

/* Looks up what each code of a column costs with the cluster's box. */
static void join_column(clusterer *c, int32_t a)
{
    const tacit_hierarchy *h = c->frame->attributes[a].hierarchy;
    uint32_t own = codes_of(c, c->first)[a];
    for (size_t v = 0; v < c->starts[a + 1] - c->starts[a]; v++) {
        int level = c->levels[a];
        while (tacit_hierarchy_map(h, level)[v] != tacit_hierarchy_map(h, level)[own])
            level++;
        c->joined[c->starts[a] + v] = c->cost[a][level][tacit_hierarchy_map(h, level)[own]];
    }
}

static void start_cluster(clusterer *c, uint32_t record)
{
    c->first = record;
    for (int32_t a = 0; a < c->columns; a++) {
        c->levels[a] = 0;
        join_column(c, a);
    }
}

static void widen(clusterer *c, uint32_t record)
{
    for (int32_t a = 0; a < c->columns; a++) {
        const tacit_hierarchy *h = c->frame->attributes[a].hierarchy;
        uint32_t own = codes_of(c, c->first)[a], other = codes_of(c, record)[a];
        int before = c->levels[a];
        while (tacit_hierarchy_map(h, c->levels[a])[own] !=
               tacit_hierarchy_map(h, c->levels[a])[other])
            c->levels[a]++;
        if (c->levels[a] != before)
            join_column(c, a);
    }
}

static double cost_with(const clusterer *c, uint32_t record)
{
    const uint32_t *codes = codes_of(c, record);
    double cost = 0;
    for (int32_t a = 0; a < c->columns; a++)
        cost += c->joined[c->starts[a] + codes[a]];
    return cost;
}

/* The record left that costs most, or least, with the cluster. */
static int64_t find_left(const clusterer *c, bool most)
{
    int64_t best = 0;
    double found = most ? -INFINITY : INFINITY;
    for (int64_t i = 0; i < c->left_count; i++) {
        double cost = cost_with(c, c->left[i]);
        if (most ? cost > found : cost < found) {
            found = cost;
            best = i;
        }
    }
    return best;
}

static uint32_t take_left(clusterer *c, int64_t index)
{
    uint32_t record = c->left[index];
    c->left[index] = c->left[--c->left_count];
    return record;
}

static void cluster_all(clusterer *c)
{
    int64_t at = 0;
    start_cluster(c, 0);
    while (c->left_count >= K) {
        start_cluster(c, c->first); /* the box has grown; distances are from the record */
        start_cluster(c, take_left(c, find_left(c, true)));
        c->records[at++] = c->first;
        for (int i = 1; i < K; i++) {
            uint32_t record = take_left(c, find_left(c, false));
            widen(c, record);
            c->records[at++] = record;
        }
        c->ends[c->clusters++] = at;
    }
}

/* Makes the box around a cluster again, those who have joined it included. Returns its records. */
static int64_t take_up(clusterer *c, int64_t cluster)
{
    int64_t from = cluster ? c->ends[cluster - 1] : 0, count = c->ends[cluster] - from;
    start_cluster(c, c->records[from]);
    for (int64_t i = from + 1; i < c->ends[cluster]; i++)
        widen(c, c->records[i]);
    for (int64_t i = 0; i < c->joiners; i++)
        if (c->homes[i] == cluster) {
            widen(c, c->left[i]);
            count++;
        }
    return count;
}

/* What the box of the cluster in hand costs a record: granularity's cost, and Prec's. */
static void cost_box(double *granularity, double *prec, const clusterer *c)
{
    *granularity = *prec = 0;
    for (int32_t a = 0; a < c->columns; a++) {
        const tacit_hierarchy *h = c->frame->attributes[a].hierarchy;
        uint32_t number = tacit_hierarchy_map(h, c->levels[a])[codes_of(c, c->first)[a]];
        *granularity += c->cost[a][c->levels[a]][number];
        *prec += (double)c->levels[a] / tacit_hierarchy_height(h);
    }
}

/* Those who are left, fewer than k, join the clusters where they cost least. */
static void join_clusters(clusterer *c)
{
    for (int64_t i = 0; i < c->left_count; i++) {
        double least = INFINITY, before, other;
        for (int64_t b = 0; b < c->clusters; b++) {
            double members = (double)take_up(c, b);
            cost_box(&before, &other, c);
            double more = cost_with(c, c->left[i]) * (members + 1) - before * members;
            if (more < least) {
                least = more;
                c->homes[i] = b;
            }
        }
        c->joiners++;
    }
}

typedef struct result {
    double granularity, prec, bound, seconds;
} result;

static result sum_clusters(clusterer *c)
{
    double granularity = 0, prec = 0, cells = (double)c->rows * c->columns;
    for (int64_t b = 0; b < c->clusters; b++) {
        double one, other, members = (double)take_up(c, b);
        cost_box(&one, &other, c);
        granularity += one * members;
        prec += other * members;
    }
    return (result){.granularity = 1 - granularity / cells, .prec = 1 - prec / cells};
}

static result by_clusters(const subject *s)
{
    clusterer c;
    double start = meter_seconds(CLOCK_PROCESS_CPUTIME_ID);
    clusterer_init(&c, &s->frame);
    cluster_all(&c);
    join_clusters(&c);
    result r = sum_clusters(&c);
    r.seconds = meter_seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
    clusterer_clear(&c);
    return r;
}

/* ---- local ---- */

static result by_local(const subject *s)
{
    tacit_records_options options = {.k = K, .metric = TACIT_METRIC_GRANULARITY};
    tacit_solution *solution = NULL;
    tacit_metrics metrics;
    tacit_run run;
    tacit_run_init(&run);
    double start = meter_seconds(CLOCK_PROCESS_CPUTIME_ID);
    must(tacit_method_find("local")->solve(&solution, &s->frame, &options, &run, &err));
    result r = {.seconds = meter_seconds(CLOCK_PROCESS_CPUTIME_ID) - start};
    must(tacit_metrics_of(&metrics, solution, NULL, &s->frame, &options, &run, &err));
    r.granularity = metrics.granularity;
    r.prec = metrics.precision;
    r.bound = tacit_metric_of_cost(options.metric, solution->search.lower_bound);
    tacit_solution_free(solution);
    return r;
}

/* ---- both ---- */

typedef struct output {
    FILE *json; /* NULL: none */
    bool any;
} output;

static void compare(output *out, const char *what, const subject *s)
{
    long long rows = (long long)tacit_table_rows(s->frame.table);
    int columns = (int)s->frame.attribute_count;
    result peer = by_clusters(s), own = by_local(s);
    double above = 100 * (own.granularity / peer.granularity - 1);
    printf("%-14s %7lld %4d | %.4f %.4f %7.2f s | %.4f %.4f %7.2f s | %.4f | %+6.1f %%\n", what,
           rows, columns, peer.granularity, peer.prec, peer.seconds, own.granularity, own.prec,
           own.seconds, own.bound, above);
    fflush(stdout);
    if (!out->json)
        return;
    fprintf(out->json,
            "%s\n  {\"what\": \"%s\", \"rows\": %lld, \"columns\": %d, \"clustering\": "
            "{\"granularity\": %.4f, \"prec\": %.4f, \"processor\": %.3f}, \"local\": "
            "{\"granularity\": %.4f, \"prec\": %.4f, \"at_best\": %.4f, \"processor\": %.3f}, "
            "\"above_percent\": %.1f}",
            out->any ? "," : "[", what, rows, columns, peer.granularity, peer.prec, peer.seconds,
            own.granularity, own.prec, own.bound, own.seconds, above);
    out->any = true;
}

static void compare_made(output *out, int64_t rows)
{
    static const int columns[] = {10, 20, 30, 60};
    for (kind k = 0; k < KINDS; k++)
        for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
            subject s = {0};
            char *text = NULL;
            open_made(&s, &text, k, columns[i], rows);
            compare(out, KIND_NAMES[k], &s);
            close_subject(&s);
            free(text);
        }
}

/* A data set: its file, and a rule for each of its columns, in order: "@" stands for the file of
 * hierarchies named after the column; NULL: none. */
typedef struct data_set {
    const char *name, *file, *hierarchies;
    bool no_header;
    const char *rules[MAX_COLUMNS];
} data_set;

#define MONEY "interval:0/1000000,5000000,10000000,50000000"
static const data_set DATA_SETS[] = {
    {.name = "adult", .file = "adult/adult.csv", .hierarchies = "adult/adult_hierarchy_"},
    {.name = "fars_subset",
     .file = "fars_subset/fars_subset.csv",
     .hierarchies = "fars_subset/fars_hierarchy_"},
    {.name = "testdata",
     .file = "sdcmicro/testdata.csv",
     .rules = {"none", "none", "none", "none", "none", "none", "none", "interval:0/5,10,20,40",
               "none", MONEY, MONEY, "interval:0/1000000,5000000,10000000", "interval:0/10,100,500",
               "none", "none"}},
    {.name = "mushroom_int", .file = "suda2/mushroom_int_8124x23.csv", .no_header = true}};

static void compare_file(output *out, const char *folder, const data_set *set)
{
    char path[512];
    subject s = {0};
    tacit_csv_options csv;
    snprintf(path, sizeof path, "%s/%s", folder, set->file);
    if (access(path, R_OK) != 0) {
        printf("%s is not at hand\n", path);
        return;
    }
    tacit_csv_options_init(&csv);
    csv.no_header = set->no_header;
    csv.pass_stray_end = true;
    must(tacit_table_read(&s.table, path, &csv, NULL, &err));
    open_subject(&s);
    for (int32_t c = 0; c < tacit_table_columns(s.table); c++) {
        tacit_strview name = tacit_table_name(s.table, c);
        snprintf(path, sizeof path, "%s/%s%.*s.csv", folder,
                 set->hierarchies ? set->hierarchies : "", (int)name.len, name.bytes);
        add_column(&s, c, set->hierarchies ? path : set->rules[c] ? set->rules[c] : "none");
    }
    compare(out, set->name, &s);
    close_subject(&s);
}

int main(int count, char **words)
{
    static const char *const usual[] = {"1000", "5000", "20000"};
    const char *folder = count > 1 && *words[1] ? words[1] : "../shared/data";
    output out = {.json = count > 2 && *words[2] ? fopen(words[2], "w") : NULL};
    printf("%-14s %7s %4s | %-23s | %-23s | %6s | %s\n", "k = 5", "rows", "of",
           "k-member: gran., Prec", "local: gran., Prec", "bound", "above it");
    for (size_t i = 0; i < sizeof DATA_SETS / sizeof DATA_SETS[0]; i++)
        compare_file(&out, folder, &DATA_SETS[i]);
    for (int i = 0; i < (count > 3 ? count - 3 : 3); i++)
        compare_made(&out, strtoll(count > 3 ? words[i + 3] : usual[i], NULL, 10));
    if (out.json) {
        fprintf(out.json, "%s]\n", out.any ? "\n" : "[");
        if (fclose(out.json) != 0)
            return 1;
    }
    return 0;
}
