/*
 * link.c - linking a release to the registers of --population: who is identified, and the
 * verdicts on k-map, null-map and wrong-map.
 *
 * Columns are the quasi-identifier's that a register has, too. What is told are numbers; people and
 * their cells only with --show. `tacit anonymize` tries it on its own release where the policy
 * names a population, and reports; what refuses a release is a promise about the population.
 *
 * The file of --linked has a row for each record; with --show it, and the terminal, say who the
 * only candidates are, by the cells of the first register that are no columns of the release.
 */
#include "base/alloc.h"
#include "engine/attacks/registers.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "engine/job/csv.h"

enum {
    DEFAULT_UNIQUENESS = 2,
    MAX_PRINTED_SETS = 12, /* combinations of columns; the JSON has all of them */
    MAX_PAGE_SETS = 200,
    MAP_MODELS = 3
};

typedef struct linked_release {
    engine_registers
        registers; /* the first register's cells, for --show; else only files and names */
    tacit_link *link;
    tacit_link_unique *unique; /* by combinations of columns; NULL: not asked for */
    int32_t unique_count;
    int64_t k;
} linked_release;

static bool link_wanted(const engine_case *c)
{
    return c->policy->population != NULL;
}

/* ---- row by row ---- */

enum { MAX_PEOPLE = 20, BATCH = 1 << 14, CELL_BYTES = 4096 };

/* What is said of a person: columns by which nobody was linked. */
typedef struct sayings {
    const tacit_table *table;
    int32_t *columns;
    int32_t count;
    tacit_strview *cells; /* of a row, all columns */
    char *text;           /* a cell, unquoted */
} sayings;

static bool is_shared(const linked_release *found, tacit_strview name)
{
    for (int32_t i = 0; i < found->registers.c.column_count; i++)
        if (tacit_strview_equal(name, tacit_strview_of(found->registers.names[i])))
            return true;
    return false;
}

static void sayings_clear(sayings *s)
{
    tacit__free(s->columns);
    tacit__free(s->cells);
    tacit__free(s->text);
}

static bool sayings_init(sayings *s, const linked_release *found)
{
    *s = (sayings){.table = found->registers.tables[0]};
    int32_t columns = tacit_table_columns(s->table);
    s->columns = tacit__alloc((size_t)columns * sizeof *s->columns);
    s->cells = tacit__alloc((size_t)columns * sizeof *s->cells);
    s->text = tacit__alloc(CELL_BYTES);
    if (!s->columns || !s->cells || !s->text) {
        sayings_clear(s);
        return false;
    }
    for (int32_t i = 0; i < columns; i++)
        if (!is_shared(found, tacit_table_name(s->table, i)))
            s->columns[s->count++] = i;
    return true;
}

/* What a person's row says in one of the columns; the row is at hand. */
static tacit_strview say(const sayings *s, int32_t at)
{
    size_t len = tacit_csv_unquote(s->cells[s->columns[at]], s->text, CELL_BYTES);
    return (tacit_strview){s->text, len < CELL_BYTES ? len : CELL_BYTES};
}

static void put_record(engine_csv *csv, const linked_release *found, const sayings *s,
                       int64_t record)
{
    const tacit_link *link = found->link;
    uint32_t class = link->class_of[record];
    bool one = link->maps_to[class] == 1;
    engine_csv_integer(csv, record + 1);
    engine_csv_integer(csv, link->maps_to[class]);
    engine_csv_text(csv, tacit_strview_of(one ? "yes" : "no"));
    if (s && one)
        tacit_table_row(s->table, link->only[class], s->cells);
    for (int32_t i = 0; s && i < s->count; i++)
        engine_csv_text(csv, one ? say(s, i) : tacit_strview_of(""));
    engine_csv_row(csv);
}

static void put_header(engine_csv *csv, const sayings *s)
{
    static const char *const OWN[] = {"row", "people", "unique"};
    for (int i = 0; i < 3; i++)
        engine_csv_text(csv, tacit_strview_of(OWN[i]));
    for (int32_t i = 0; s && i < s->count; i++)
        engine_csv_text(csv, tacit_table_name(s->table, s->columns[i]));
    engine_csv_row(csv);
}

static tacit_status put_all(engine_csv *csv, const linked_release *found, const sayings *s,
                            const engine_case *c)
{
    tacit_status status = TACIT_OK;
    put_header(csv, s);
    for (int64_t record = 0; record < found->link->records && status == TACIT_OK; record++) {
        put_record(csv, found, s, record);
        if (record % BATCH == 0)
            status = engine_session_check(c->session);
    }
    return status == TACIT_OK ? engine_csv_end(csv, c->session) : status;
}

static tacit_status write_linked(const linked_release *found, const engine_case *c,
                                 tacit_error *err)
{
    const char *path = engine_value(c->session->settings, "linked");
    engine_csv *csv = NULL;
    sayings s = {0};
    bool named = found->link->only && engine_has(c->session->settings, "show");
    if (!path)
        return TACIT_OK;
    if (named && !sayings_init(&s, found))
        return tacit__nomem(err);
    tacit_status status = engine_csv_new_private(&csv, path, err);
    if (status == TACIT_OK)
        status = put_all(csv, found, named ? &s : NULL, c);
    engine_csv_free(csv);
    sayings_clear(&s);
    return status;
}

/* ---- running ---- */

static void warn(const linked_release *found, const engine_case *c)
{
    uint64_t silent = found->link->says & ~found->link->agrees;
    for (; silent && !c->as_it_is; silent &= silent - 1) {
        char name[64];
        engine_printable(name, sizeof name,
                         tacit_strview_of(found->registers.names[__builtin_ctzll(silent)]));
        engine_warn(c->session,
                    "none of the released values of \"%s\" holds any value of the register", name);
    }
}

static tacit_status find_unique(linked_release *found, const engine_case *c, tacit_error *err)
{
    uint64_t most = engine_number(c->session->settings, "uniqueness", DEFAULT_UNIQUENESS);
    if (most == 0 || c->as_it_is)
        return TACIT_OK;
    if (most > TACIT_MAX_LINK_COLUMNS)
        most = TACIT_MAX_LINK_COLUMNS;
    return tacit_link_uniqueness(&found->unique, &found->unique_count, &found->registers.c,
                                 (int32_t)most, &c->session->run, err);
}

/* What only the work needed. File names and columns stay, and the first register where people
 * are shown. */
static void let_go(linked_release *found, bool shown)
{
    engine_registers *r = &found->registers;
    engine_registers kept = {.count = r->count};
    memcpy(kept.files, r->files, sizeof kept.files);
    memcpy(kept.names, r->names, sizeof kept.names);
    if (shown) {
        kept.tables[0] = r->tables[0];
        r->tables[0] = NULL;
    }
    int32_t columns = r->c.column_count;
    engine_registers_clear(r);
    *r = kept;
    r->c.column_count = columns;
}

static void free_link(void *found)
{
    linked_release *linked = found;
    engine_registers_clear(&linked->registers);
    tacit_link_free(linked->link);
    tacit_link_uniqueness_free(linked->unique);
    tacit__free(linked);
}

static tacit_status run_link(void **found, const engine_case *c, tacit_error *err)
{
    linked_release *made = tacit__alloc_zeroed(1, sizeof *made);
    bool shown = engine_has(c->session->settings, "show") && !c->as_it_is;
    if (!made)
        return tacit__nomem(err);
    tacit_status status = engine_registers_read(&made->registers, c, err);
    made->k = made->registers.c.k;
    made->registers.c.names = shown;
    if (status == TACIT_OK)
        status = tacit_link_new(&made->link, &made->registers.c, &c->session->run, err);
    if (status == TACIT_OK)
        status = find_unique(made, c, err);
    if (status == TACIT_OK && !c->as_it_is)
        status = write_linked(made, c, err);
    if (status != TACIT_OK) {
        free_link(made);
        return status;
    }
    warn(made, c);
    let_go(made, shown);
    *found = made;
    return TACIT_OK;
}

/* ---- in words ---- */

/* The columns of a set by their names, cut to size. */
static const char *list_names(char *out, size_t size, const linked_release *found, uint64_t columns)
{
    char name[64];
    out[0] = '\0';
    for (int32_t i = 0; i < found->registers.c.column_count; i++)
        if (columns >> i & 1)
            engine_append_name(
                out, size,
                engine_printable(name, sizeof name, tacit_strview_of(found->registers.names[i])));
    return out;
}

/* A bin of the distribution: "0", "5-9", "10000 or more". */
typedef struct bin_text {
    char text[32];
} bin_text;
static bin_text bin_name(int bin)
{
    bin_text name;
    long long from = (long long)tacit_link_bin_start(bin);
    long long to = bin + 1 < TACIT_LINK_BINS ? (long long)tacit_link_bin_start(bin + 1) - 1 : 0;
    if (bin + 1 == TACIT_LINK_BINS)
        snprintf(name.text, sizeof name.text, "%lld or more", from);
    else if (from == to)
        snprintf(name.text, sizeof name.text, "%lld", from);
    else
        snprintf(name.text, sizeof name.text, "%lld-%lld", from, to);
    return name;
}

/* Records that are somebody's for all that is known: one candidate, and not known to be another. */
static int64_t count_exposed(const linked_release *found)
{
    return found->link->records_one - found->link->truth.wrong;
}

/* People who find their record by it alone: they could be no other, and it is not known to be
 * another's. */
static int64_t count_found(const linked_release *found)
{
    return found->link->has_truth ? found->link->truth.found : found->link->people_in_one;
}

static double people_of(const linked_release *found)
{
    return found->link->people > 0 ? (double)found->link->people : 1;
}

static void say_k_map(engine_map_model *model, const linked_release *found)
{
    const tacit_link *link = found->link;
    int len;
    if (link->k_map == TACIT_LINK_HOLDS)
        len = snprintf(model->why, sizeof model->why,
                       "every record maps to %s people or more; k is %lld",
                       engine_count(link->smallest).text, (long long)found->k);
    else
        len = snprintf(model->why, sizeof model->why,
                       "%s of %s records map to fewer than k = %lld people, one of them to %s",
                       engine_count(link->records_below).text, engine_count(link->records).text,
                       (long long)found->k, engine_count(link->smallest).text);
    if (link->has_truth)
        snprintf(model->why + len, sizeof model->why - (size_t)len,
                 "; %s map to their own subject among others or alone",
                 engine_count(link->truth.to_own).text);
}

static void say_null_map(engine_map_model *model, const tacit_link *link)
{
    if (link->null_map == TACIT_LINK_BROKEN)
        snprintf(model->why, sizeof model->why, "%s to a subject",
                 engine_many(link->truth.to_subject, "record maps|records map").text);
    else if (link->null_map == TACIT_LINK_HOLDS)
        snprintf(model->why, sizeof model->why, "no record maps to %s",
                 link->records_by_people[0] == link->records ? "anybody" : "a subject");
    else if (link->has_truth)
        snprintf(model->why, sizeof model->why,
                 "no record maps to a subject that is known; the truth leaves %s out",
                 engine_many(link->records - link->truth.records, "record").text);
    else
        snprintf(model->why, sizeof model->why,
                 "records map to people, but their subjects are not known (--truth)");
}

static void say_wrong_map(engine_map_model *model, const tacit_link *link)
{
    const tacit_link_truth *truth = &link->truth;
    if (link->wrong_map == TACIT_LINK_HOLDS)
        snprintf(model->why, sizeof model->why,
                 "each record maps to exactly one subject, and not to its own");
    else if (link->wrong_map == TACIT_LINK_UNKNOWN)
        snprintf(model->why, sizeof model->why,
                 "only a truth that knows every record's subject can show it%s",
                 link->has_truth ? "; this one leaves some out" : " (--truth)");
    else if (link->records <= 2)
        snprintf(model->why, sizeof model->why, "it takes more than 2 records");
    else if (truth->to_own > 0)
        snprintf(model->why, sizeof model->why, "%s own subject",
                 engine_many(truth->to_own, "record maps to its|records map to their").text);
    else if (truth->to_subject > truth->to_one_subject)
        snprintf(
            model->why, sizeof model->why, "%s to several subjects",
            engine_many(truth->to_subject - truth->to_one_subject, "record maps|records map").text);
    else
        snprintf(model->why, sizeof model->why, "some records map to no subject");
}

static void judge_models(engine_map_model models[MAP_MODELS], const linked_release *found)
{
    const tacit_link *link = found->link;
    models[0] = (engine_map_model){.name = "k-map", .verdict = link->k_map};
    models[1] = (engine_map_model){.name = "null-map", .verdict = link->null_map};
    models[2] = (engine_map_model){.name = "wrong-map", .verdict = link->wrong_map};
    say_k_map(&models[0], found);
    say_null_map(&models[1], link);
    say_wrong_map(&models[2], link);
}

/* Whether somebody who is known to be in the data is found by his values. A promise about the
 * population supposes that nobody knows who is; and where k is promised both ways and the original
 * is at hand, the judge counts it for those who are. */
static bool finds_people(const linked_release *found, const engine_case *c)
{
    const tacit_promise *promise = &c->promise->promise;
    bool counted = promise->both_ways && c->original;
    return count_found(found) > 0 && c->policy->population_model_count == 0 && !counted;
}

static bool link_discloses(const void *found, const engine_case *c)
{
    return count_exposed(found) > 0 || finds_people(found, c);
}

static int64_t link_exposed(const void *found, const engine_case *c)
{
    (void)c;
    return count_exposed(found);
}

/* From people to records: whoever knows that they are in the data. */
static void append_found(char *out, size_t size, const linked_release *found)
{
    const tacit_link *link = found->link;
    if (link->people_in_one > 0)
        engine_append(out, size, "; %s %s could be a single record%s",
                      engine_count(link->people_in_one).text,
                      link->people_in_one == 1 ? "person" : "people", link->has_truth ? "," : "");
    if (link->people_in_one > 0 && link->has_truth)
        engine_append(out, size, " %s of them their own", engine_count(link->truth.found).text);
}

static void say_records(char *out, size_t size, const linked_release *linked)
{
    const tacit_link *link = linked->link;
    char names[160];
    list_names(names, sizeof names, linked, UINT64_MAX);
    if (link->records_one == 0 && link->records_by_people[0] == link->records)
        snprintf(out, size, "no record maps to any of %s people by %s",
                 engine_count(link->people).text, names);
    else if (link->records_one == 0)
        snprintf(out, size, "no record maps to exactly one of %s people by %s; the fewest are %s",
                 engine_count(link->people).text, names, engine_count(link->smallest).text);
    else if (link->has_truth)
        snprintf(
            out, size,
            "%s of %s records map to exactly one of %s people by %s: correctly %s, wrongly %s%s",
            engine_count(link->records_one).text, engine_count(link->records).text,
            engine_count(link->people).text, names, engine_count(link->truth.right).text,
            engine_count(link->truth.wrong).text,
            link->truth.right + link->truth.wrong < link->records_one ? ", the others unknown"
                                                                      : "");
    else
        snprintf(out, size,
                 "%s of %s records map to exactly one of %s people by %s; %s of those people could "
                 "be no other record",
                 engine_count(link->records_one).text, engine_count(link->records).text,
                 engine_count(link->people).text, names, engine_count(link->pairs).text);
}

static void link_sentence(char *out, size_t size, const void *found, const engine_case *c)
{
    (void)c;
    say_records(out, size, found);
    append_found(out, size, found);
}

/* ---- charts ---- */

static void draw_distribution(tacit_page *page, const void *subject)
{
    const tacit_link *link = subject;
    bin_text texts[TACIT_LINK_BINS];
    const char *names[TACIT_LINK_BINS];
    double records[TACIT_LINK_BINS], people[TACIT_LINK_BINS];
    for (int bin = 0; bin < TACIT_LINK_BINS; bin++) {
        texts[bin] = bin_name(bin);
        names[bin] = texts[bin].text;
        records[bin] = (double)link->records_by_people[bin];
        people[bin] = (double)link->people_by_records[bin];
    }
    tacit_bars bars = {.title = "Records by the number of people they map to",
                       .x_label = "people",
                       .y_label = "records",
                       .names = names,
                       .first = records,
                       .first_name = "records",
                       .count = TACIT_LINK_BINS,
                       .root_scale = true,
                       .marker = -1};
    tacit_page_bars(page, &bars);
    bars = (tacit_bars){.title = "People by the number of records they could be",
                        .x_label = "records",
                        .y_label = "people",
                        .names = names,
                        .first = people,
                        .first_name = "people",
                        .count = TACIT_LINK_BINS,
                        .root_scale = true,
                        .marker = -1};
    tacit_page_bars(page, &bars);
}

/* Pairs of columns as a triangle of fields, single ones on the diagonal. */
static void draw_unique(tacit_page *page, const void *subject)
{
    const linked_release *found = subject;
    int count = found->registers.c.column_count;
    double people = people_of(found);
    double *shares = tacit__alloc((size_t)(count * count) * sizeof *shares);
    if (!shares) {
        tacit_page_fail(page);
        return;
    }
    for (int i = 0; i < count * count; i++)
        shares[i] = NAN;
    for (int32_t i = 0; i < found->unique_count; i++) {
        uint64_t columns = found->unique[i].columns;
        int first = __builtin_ctzll(columns), last = 63 - __builtin_clzll(columns);
        if (__builtin_popcountll(columns) <= 2)
            shares[last * count + first] = (double)found->unique[i].alone / people;
    }
    const tacit_heat heat = {.title = "People who are unique by one or two columns",
                             .x_label = "column",
                             .y_label = "people who are alone",
                             .names = found->registers.names,
                             .count = count,
                             .shares = shares};
    tacit_page_heat(page, &heat);
    tacit__free(shares);
}

/* ---- facts ---- */

static const char *bins_text(char *text, size_t size, const int64_t *bins)
{
    text[0] = '\0';
    for (int bin = 0; bin < TACIT_LINK_BINS; bin++)
        if (bins[bin] > 0)
            engine_append(text, size, "%s %s: %s", *text ? "," : "", bin_name(bin).text,
                          engine_count(bins[bin]).text);
    return text;
}

/* In lines on the terminal, in charts on the page. */
static void add_distribution(tacit_report *report, const tacit_link *link)
{
    char text[512];
    unsigned before = tacit_report_show(report, TACIT_SHOW_TEXT);
    if (link->records > 0) {
        tacit_report_line(report, "", "records by the people they map to:%s",
                          bins_text(text, sizeof text, link->records_by_people));
        tacit_report_line(report, "", "people by the records they could be:%s",
                          bins_text(text, sizeof text, link->people_by_records));
    }
    tacit_report_show(report, before);
    if (link->records_by_people[0] > 0)
        tacit_report_line(
            report, "",
            "%s records map to nobody: the register lacks their people, or values were changed",
            engine_count(link->records_by_people[0]).text);
    tacit_report_drawing(report, draw_distribution, link);
    for (int bin = 0; bin < TACIT_LINK_BINS; bin++) {
        bin_text range = bin_name(bin);
        tacit_strview name = tacit_strview_of(range.text);
        tacit_report_integer_in(report, "records_by_people", name, link->records_by_people[bin]);
        tacit_report_integer_in(report, "people_by_records", name, link->people_by_records[bin]);
    }
}

void engine_map_models_facts(tacit_report *report, const engine_map_model *models, int count)
{
    static const char *const VERDICTS[] = {"unknown", "holds", "broken"};
    static const tacit_report_column COLUMNS[] = {{.key = "model", .heading = "model"},
                                                  {.key = "verdict", .heading = "verdict"},
                                                  {.key = "why", .heading = "why"}};
    unsigned before = tacit_report_show(report, TACIT_SHOW_TEXT);
    for (int i = 0; i < count; i++)
        tacit_report_line(report, models[i].name, "%s: %s", VERDICTS[models[i].verdict],
                          models[i].why);
    tacit_report_show(report, before);
    tacit_report_begin(report, TACIT_TABLE("protection", "Protection models", false, COLUMNS));
    for (int i = 0; i < count; i++) {
        tacit_report_cell(report, "%s", models[i].name);
        tacit_report_cell(report, "%s", VERDICTS[models[i].verdict]);
        tacit_report_cell(report, "%s", models[i].why);
    }
}

static void print_unique(tacit_report *report, const linked_release *found)
{
    char names[160];
    unsigned before = tacit_report_show(report, TACIT_SHOW_TEXT);
    for (int32_t i = 0; i < found->unique_count && i < MAX_PRINTED_SETS; i++)
        tacit_report_line(report, i ? "" : "uniqueness", "%5.1f%% of the register are unique by %s",
                          100 * (double)found->unique[i].alone / people_of(found),
                          list_names(names, sizeof names, found, found->unique[i].columns));
    if (found->unique_count > MAX_PRINTED_SETS)
        tacit_report_line(report, "", "and %d combinations more: see --report or --html",
                          (int)(found->unique_count - MAX_PRINTED_SETS));
    tacit_report_show(report, before);
}

/* A row for each combination, as Figure 16 has it. */
static void add_unique(tacit_report *report, const linked_release *found)
{
    static const tacit_report_column COLUMNS[] = {
        {.key = "columns"},
        {.heading = "columns"},
        {.key = "groups", .heading = "groups"},
        {.key = "alone", .heading = "people alone"},
        {.heading = "% alone", .decimals = 1},
        {.key = "below_k"},
        {.heading = "% below k", .decimals = 1},
    };
    tacit_report_table table = *TACIT_TABLE(
        "uniqueness", "People of the register who are unique by their values", false, COLUMNS);
    table.page_rows = MAX_PAGE_SETS;
    tacit_report_begin(report, &table);
    for (int32_t i = 0; i < found->unique_count; i++) {
        const tacit_link_unique *set = &found->unique[i];
        tacit_strview columns[TACIT_MAX_LINK_COLUMNS];
        size_t count = 0;
        char names[256];
        for (int32_t j = 0; j < found->registers.c.column_count; j++)
            if (set->columns >> j & 1)
                columns[count++] = tacit_strview_of(found->registers.names[j]);
        tacit_report_cell_texts(report, columns, count);
        tacit_report_cell(report, "%s", list_names(names, sizeof names, found, set->columns));
        tacit_report_cell_integer(report, set->groups);
        tacit_report_cell_integer(report, set->alone);
        tacit_report_cell_real(report, 100 * (double)set->alone / people_of(found));
        tacit_report_cell_integer(report, set->below);
        tacit_report_cell_real(report, 100 * (double)set->below / people_of(found));
    }
    tacit_report_drawing(report, draw_unique, found);
}

static void add_link_numbers(tacit_report *report, const linked_release *found)
{
    static const tacit_field FIELDS[] = {
        TACIT_FIELD(tacit_link, people, "people", NULL, 0),
        TACIT_FIELD(tacit_link, records, "records", NULL, 0),
        TACIT_FIELD(tacit_link, classes, "classes", NULL, 0),
        TACIT_FIELD(tacit_link, smallest, "fewest_people", NULL, 0),
        TACIT_FIELD(tacit_link, records_one, "records_identified", NULL, 0),
        TACIT_FIELD(tacit_link, people_one, "people_identified", NULL, 0),
        TACIT_FIELD(tacit_link, pairs, "one_to_one", NULL, 0),
        TACIT_FIELD(tacit_link, people_in_one, "people_in_one_record", NULL, 0),
        TACIT_FIELD(tacit_link, people_below, "people_in_fewer_than_k", NULL, 0),
    };
    for (int32_t i = 0; i < found->registers.c.column_count; i++)
        tacit_report_push_text(report, "columns", tacit_strview_of(found->registers.names[i]));
    tacit_report_integer(report, "registers", found->registers.count);
    tacit_report_fields(report, FIELDS, TACIT_COUNT_OF(FIELDS), found->link);
}

static void add_person(tacit_report *report, const linked_release *found, const sayings *s,
                       int64_t record, bool first)
{
    char line[512], cell[96], name[64];
    snprintf(line, sizeof line, "row %lld is", (long long)record + 1);
    tacit_table_row(s->table, found->link->only[found->link->class_of[record]], s->cells);
    for (int32_t i = 0; i < s->count; i++)
        engine_append(
            line, sizeof line, "%s %s %s", i ? "," : "",
            engine_printable(name, sizeof name, tacit_table_name(s->table, s->columns[i])),
            engine_printable(cell, sizeof cell, say(s, i)));
    tacit_report_line(report, first ? "people" : "", "%s", line);
}

/* Who the only candidates are. */
static void add_people(tacit_report *report, const linked_release *found)
{
    sayings s;
    const tacit_link *link = found->link;
    if (!found->registers.tables[0] || link->records_one == 0 || !sayings_init(&s, found))
        return;
    int64_t shown = 0;
    for (int64_t record = 0; record < link->records && shown < MAX_PEOPLE; record++)
        if (link->maps_to[link->class_of[record]] == 1)
            add_person(report, found, &s, record, shown++ == 0);
    if (link->records_one > shown)
        tacit_report_line(report, "", "and %s more: --linked writes all of them",
                          engine_count(link->records_one - shown).text);
    sayings_clear(&s);
}

static void add_truth(tacit_report *report, const tacit_link_truth *truth)
{
    static const tacit_field TRUTH[] = {
        TACIT_FIELD(tacit_link_truth, records, "truth.records", NULL, 0),
        TACIT_FIELD(tacit_link_truth, subjects, "truth.subjects", NULL, 0),
        TACIT_FIELD(tacit_link_truth, to_own, "truth.to_own_subject", NULL, 0),
        TACIT_FIELD(tacit_link_truth, to_subject, "truth.to_a_subject", NULL, 0),
        TACIT_FIELD(tacit_link_truth, to_one_subject, "truth.to_one_subject", NULL, 0),
        TACIT_FIELD(tacit_link_truth, to_wrong_subject, "truth.to_wrong_subject", NULL, 0),
        TACIT_FIELD(tacit_link_truth, right, "truth.identified_rightly", NULL, 0),
        TACIT_FIELD(tacit_link_truth, wrong, "truth.identified_wrongly", NULL, 0),
        TACIT_FIELD(tacit_link_truth, found, "truth.subjects_found", NULL, 0),
    };
    tacit_report_fields(report, TRUTH, TACIT_COUNT_OF(TRUTH), truth);
}

static void link_facts(tacit_report *report, const void *found, const engine_case *c)
{
    (void)c;
    const linked_release *linked = found;
    engine_map_model models[MAP_MODELS];
    add_link_numbers(report, linked);
    add_distribution(report, linked->link);
    judge_models(models, linked);
    engine_map_models_facts(report, models, MAP_MODELS);
    if (linked->link->has_truth)
        add_truth(report, &linked->link->truth);
    print_unique(report, linked);
    unsigned before = tacit_report_show(report, TACIT_SHOW_TEXT); /* values are nowhere else */
    add_people(report, linked);
    tacit_report_show(report, before);
    if (linked->unique_count > 0)
        add_unique(report, linked);
}

/* ---- the definition ---- */

/* How the register leaves conditions a and c. A record that maps to nobody is safe where none
 * maps to a subject; otherwise the register may only lack its people. */
static void show_conditions(engine_ads *ads, const linked_release *linked, const engine_case *c)
{
    bool followed = c->verdict && c->verdict->trails.alone > 0;
    const tacit_link *link = linked->link;
    int64_t nobody = link->records_by_people[0];
    if (link->records == 0)
        return;
    if (link->wrong_map == TACIT_LINK_HOLDS)
        engine_ads_meet(ads, ENGINE_ADS_INACCURATE, ENGINE_ADS_HOLDS,
                        "each record maps to one subject, but not to its own, so what it says "
                        "about that subject is not accurate (condition c: wrong-map)");
    if (link->null_map == TACIT_LINK_HOLDS)
        engine_ads_meet(ads, ENGINE_ADS_OTHER_PEOPLE, ENGINE_ADS_HOLDS,
                        "no record maps to %s, so nobody is found (condition a: null-map)",
                        nobody == link->records ? "anybody" : "a subject");
    else if (link->smallest >= 2 && followed)
        engine_ads_meet(ads, ENGINE_ADS_OTHER_PEOPLE, ENGINE_ADS_UNKNOWN,
                        "every record maps to at least %s people of the register, but to how many "
                        "those map together that a column links was not tried (condition a)",
                        engine_count(link->smallest).text);
    else if (link->smallest >= 2)
        engine_ads_meet(
            ads, ENGINE_ADS_OTHER_PEOPLE, ENGINE_ADS_HOLDS,
            "every record maps to at least %s people of the register (condition a: k-map)",
            engine_count(link->smallest).text);
    else if (count_exposed(linked) > 0)
        engine_ads_meet(ads, ENGINE_ADS_OTHER_PEOPLE, ENGINE_ADS_NOT_MET,
                        "%s of %s records map to exactly one person of the register, and nothing "
                        "shows that this is wrong (condition a)",
                        engine_count(count_exposed(linked)).text, engine_count(link->records).text);
    else
        engine_ads_meet(ads, ENGINE_ADS_OTHER_PEOPLE, ENGINE_ADS_UNKNOWN,
                        "no record is known to map to its subject alone, but %s map to nobody or "
                        "to a wrong person, and the register may lack the right one (condition a)",
                        engine_count(nobody + link->records_one).text);
}

static void link_shows(engine_ads *ads, const void *found, const engine_case *c)
{
    const linked_release *linked = found;
    char names[160];
    engine_ads_say(ads, ENGINE_ADS_POPULATION, ENGINE_ADS_ASSUMED,
                   "the people are the %s of the register, which need not be all",
                   engine_count(linked->link->people).text);
    engine_ads_say(ads, ENGINE_ADS_EXTERNAL, ENGINE_ADS_ASSUMED,
                   "others know %s of them, from %d %s, and nothing else",
                   list_names(names, sizeof names, linked, UINT64_MAX),
                   (int)linked->registers.count,
                   linked->registers.count == 1 ? "register" : "registers joined");
    show_conditions(ads, linked, c);
}

const engine_attack engine_attack_link = {
    .name = "linking",
    .title = "Linking to a register",
    .wanted = link_wanted,
    .run = run_link,
    .discloses = link_discloses,
    .sentence = link_sentence,
    .facts = link_facts,
    .shows = link_shows,
    .exposed = link_exposed,
    .free = free_link,
};
