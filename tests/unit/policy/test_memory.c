/*
 * test_memory.c - every allocation of the rooms that read, decide and write
 * failed in turn: tables, policies, profiles, reports and outputs. Hierarchies,
 * records and the judge have programs of their own.
 */
#include "starve.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <tacit/experimental/facts.h>
#include <tacit/experimental/policy.h>
#include <tacit/experimental/profile.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/strbuf.h"
#include "table/csv.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const char PLAIN[] = "zip,born,note\n02138,1965-09-20,a\n02139,1965-02-14,b\n,,\n";
static const char QUOTED[] = "\"zip\",\"a \"\"name\"\"\",note\n02138,\"x\",\"say \"\"hi\"\"\"\n"
                             "\"02139\",\"y\",\"a note that is longer than sixteen bytes\"\n";

/* ---- the heap itself ---- */

static tacit_status large_block(void *context, tacit_error *err)
{
    (void)context;
    void *block = tacit__alloc_zeroed(5 << 20, 1);
    tacit_status status = block ? TACIT_OK : TACIT_NOMEM;
    tacit__free(block);
    if (!block && err) {
        err->status = TACIT_NOMEM;
        strcpy(err->message, "out of memory");
    }
    return status;
}

static void test_large_block(void **state)
{
    (void)state;
    assert_int_equal(starve(large_block, NULL), 1);
}

/* ---- tables ---- */

typedef struct reading {
    tacit_strview text;
    tacit_csv_options options;
    size_t stretch;
    int threads;
} reading;

static tacit_status read_table(void *context, tacit_error *err)
{
    const reading *r = context;
    tacit_run run;
    tacit_run_init(&run);
    run.threads = r->threads;
    tacit_table *table = STARVE_UNTOUCHED;
    tacit_status status =
        tacit__table_read_stretches(&table, r->text, "f", &r->options, r->stretch, &run, err);
    if (status != TACIT_OK)
        assert_ptr_equal(table, STARVE_UNTOUCHED);
    else
        tacit_table_free(table);
    return status;
}

static reading reading_of(const char *text)
{
    reading r = {.text = tacit_strview_of(text), .stretch = TACIT__STRETCH, .threads = 1};
    tacit_csv_options_init(&r.options);
    return r;
}

static void test_read(void **state)
{
    (void)state;
    reading plain = reading_of(PLAIN), quoted = reading_of(QUOTED), bare = reading_of(PLAIN);
    bare.options.no_header = true;
    reading uncoded = reading_of(PLAIN), header = reading_of(QUOTED), tiny = reading_of(QUOTED);
    uncoded.options.code_none = true;
    header.options.header_only = true;
    tiny.stretch = 7;
    reading latin = reading_of("name,\xFC\nM\xFCller,1\n");
    latin.options.encoding = TACIT_ENCODING_DETECT;
    reading *readings[] = {&plain, &quoted, &bare, &uncoded, &header, &tiny, &latin};
    for (size_t i = 0; i < COUNT(readings); i++)
        starve(read_table, readings[i]);
    tiny.threads = 3;
    starve_way_of(read_table, &tiny, STARVE_FOR_GOOD);
}

/* Dictionaries, indices and lists that grow, short values and long ones. */
static void test_read_many_values(void **state)
{
    (void)state;
    tacit__strbuf text = {0};
    tacit__strbuf_text(&text, "a,b\n");
    for (int i = 0; i < 300; i++)
        tacit__strbuf_format(&text, "%d,\"a \"\"value\"\" of some length %d\"\n", i, i);
    reading r = reading_of(text.bytes);
    r.stretch = 1 << 12;
    assert_true(starve(read_table, &r) > 30);
    tacit__strbuf_clear(&text);
}

/* Beyond 65535 values codes take four bytes, and provisional ones do not do. */
static void test_read_wide_codes(void **state)
{
    (void)state;
    tacit__strbuf text = {0};
    tacit__strbuf_text(&text, "a\n");
    for (int i = 0; i < 66000; i++)
        tacit__strbuf_format(&text, "%d\n", i);
    reading r = reading_of(text.bytes);
    r.stretch = 1 << 17;
    assert_true(starve_way_of(read_table, &r, STARVE_ONCE) > 30);
    tacit__strbuf_clear(&text);
}

static tacit_status read_descriptor(void *context, tacit_error *err)
{
    tacit_table *table = STARVE_UNTOUCHED;
    tacit_csv_options options;
    tacit_csv_options_init(&options);
    tacit_status status = tacit_table_read(&table, context, &options, NULL, err);
    if (status != TACIT_OK)
        assert_ptr_equal(table, STARVE_UNTOUCHED);
    else
        tacit_table_free(table);
    return status;
}

/* A mapped file, and one that is read; neither may stay open or mapped. */
static void test_read_file(void **state)
{
    (void)state;
    char path[] = "/tmp/tacit-memory-XXXXXX";
    int fd = mkstemp(path);
    assert_int_equal(write(fd, PLAIN, sizeof PLAIN - 1), sizeof PLAIN - 1);
    starve(read_descriptor, path);
    close(fd);
    unlink(path);
    starve(read_descriptor, "/proc/self/limits"); /* not a regular file's size */
    assert_int_equal(fcntl(fd, F_GETFD), -1);     /* the lowest descriptor is free again */
}

static size_t twice(tacit_strview value, char *out, size_t size, const void *payload)
{
    (void)payload;
    return (size_t)snprintf(out, size, "%.*s%.*s", (int)value.len, value.bytes, (int)value.len,
                            value.bytes);
}

typedef struct writing {
    const tacit_table *table;
    tacit_csv_layout layout;
    int fd;
} writing;

static tacit_status write_table(void *context, tacit_error *err)
{
    const writing *w = context;
    int64_t bytes = -7;
    tacit_status status = tacit_table_write(w->fd, "out", &bytes, w->table, &w->layout, NULL, err);
    if (status != TACIT_OK)
        assert_int_equal(bytes, -7);
    return status;
}

static void test_write(void **state)
{
    (void)state;
    tacit_table *table = NULL;
    assert_int_equal(
        tacit_table_read_memory(&table, tacit_strview_of(QUOTED), "f", NULL, NULL, NULL), TACIT_OK);
    const tacit_strview labels[] = {tacit_strview_of("02,13"), {NULL, 0}, tacit_strview_of("*")};
    const uint32_t order[] = {1, 0};
    const uint64_t suppressed[] = {2};
    const tacit_csv_column columns[] = {{.source = 0,
                                         .relabelled = true,
                                         .codes = tacit_table_codes(table, 0),
                                         .labels = labels,
                                         .label_count = COUNT(labels),
                                         .blanked = true},
                                        {.source = 1},
                                        {.source = 2, .rewrite = twice}};
    writing w = {.table = table,
                 .layout = {.columns = columns,
                            .column_count = COUNT(columns),
                            .suppressed = suppressed,
                            .suppressed_label = tacit_strview_of("*"),
                            .row_count = 2},
                 .fd = memfd_create("out", MFD_CLOEXEC)};
    starve(write_table, &w);
    w.layout.order = order;
    starve(write_table, &w);
    close(w.fd);
    tacit_table_free(table);
}

/* ---- policies and profiles ---- */

static const char POLICY[] =
    "k: 5\nmethod: datafly\nloss: 0.1\nperson: patient\nkey-file: key\n"
    "anonymity-table: {0.5: 3, 0.9: 10}\n"
    "quasi-identifiers: [[zip, born], [born, \"a name\"]]\n"
    "columns:\n"
    "  zip: {role: quasi, hierarchy: zip.csv, weight: 2}\n"
    "  born: {role: quasi, hierarchy: {interval: {origin: 0, widths: [5, 10]}}}\n"
    "  \"a name\": {role: quasi, hierarchy: {mask: right}, link: 0.5}\n"
    "  patient: {role: identifier, replace: pseudonym}\n";

static tacit_status parse_policy(void *context, tacit_error *err)
{
    (void)context;
    tacit_policy *policy = STARVE_UNTOUCHED;
    tacit_status status =
        tacit_policy_parse(&policy, tacit_strview_of(POLICY), "folder/p.yaml", err);
    if (status != TACIT_OK)
        assert_ptr_equal(policy, STARVE_UNTOUCHED);
    else {
        assert_int_equal(policy->column_count, 4);
        tacit_policy_free(policy);
    }
    return status;
}

static void test_policy_parse(void **state)
{
    (void)state;
    assert_true(starve(parse_policy, NULL) > 10);
}

/* What a policy says, as text; memory for it is not refused. */
static tacit__strbuf policy_text(const tacit_policy *p)
{
    bool hungry = starving.on;
    starving.on = false;
    tacit__strbuf text = {0};
#define SHOWN(string) ((string) ? (string) : "-")
    tacit__strbuf_format(&text, "%d %d %g %s %s %s %d %d %d %d\n", (int)p->k, p->has_loss, p->loss,
                         SHOWN(p->method), SHOWN(p->person), SHOWN(p->key_file), p->keep_order,
                         p->has_anonymity, p->no_suppression, p->anonymity_count);
    tacit__strbuf_format(&text, "%s %s %s %s %s %s %s %d\n", SHOWN(p->household),
                         SHOWN(p->sampling_weight), SHOWN(p->metric), SHOWN(p->prefer),
                         SHOWN(p->ledger), SHOWN(p->source), SHOWN(p->population),
                         p->population_model_count);
    for (int32_t i = 0; i < p->anonymity_count; i++)
        tacit__strbuf_format(&text, "%g=%d ", p->anonymity_table[i].level,
                             (int)p->anonymity_table[i].k);
    for (int32_t i = 0; i < p->set_count; i++)
        for (int32_t c = 0; c < p->sets[i].count; c++)
            tacit__strbuf_format(&text, "%d:%d ", i, p->sets[i].columns[c]);
    for (int32_t i = 0; i < p->column_count; i++) {
        const tacit_policy_column *c = &p->columns[i];
        tacit__strbuf_format(&text, "%s %d %d %s %d %g %d %g %d %d %d %d\n", c->name, c->role,
                             c->hierarchy.kind, SHOWN(c->hierarchy.path), c->has_weight, c->weight,
                             c->has_link, c->link, c->has_replace, c->replace, c->least_level,
                             c->model_count);
    }
    assert_false(text.failed);
    starving.on = hungry;
    return text;
}

typedef struct setting {
    tacit_policy *policy;
    const char *key, *value;
} setting;

static tacit_status set_policy(void *context, tacit_error *err)
{
    const setting *s = context;
    tacit__strbuf before = policy_text(s->policy);
    long long live = starving.live;
    tacit_status status = tacit_policy_set(s->policy, s->key, s->value, err);
    tacit__strbuf after = policy_text(s->policy);
    if (status != TACIT_OK)
        assert_string_equal(before.bytes, after.bytes);
    else
        assert_string_not_equal(before.bytes, after.bytes);
    tacit__strbuf_clear(&after);
    if (status == TACIT_OK)
        starving.live = live; /* what the policy holds now is its own */
    tacit__strbuf_clear(&before);
    return status;
}

static void test_policy_set(void **state)
{
    (void)state;
    const struct {
        const char *key, *value;
    } flags[] = {
        {"k", "7"},
        {"method", "other"},
        {"person", "somebody"},
        {"household", "home"},
        {"sampling-weight", "w"},
        {"key-file", "other.key"},
        {"ledger", "books"},
        {"source", "people"},
        {"anonymity-table", "0.2=2,0.4=4"},
        {"quasi-identifiers", "zip,born;\"a name\",zip"},
        {"quasi", "new,\"another \"\"new\"\" one\",zip"},
        {"identifier", "zip,new,newer"},
        {"role", "new=sensitive"},
        {"hierarchy", "born=mask:left"},
        {"hierarchy", "born=born.csv"},
        {"hierarchy", "new=interval:0/5,10"},
        {"weight", "new=3"},
        {"replace", "new=keep"},
        {"metric", "loss"},
        {"prefer", "order"},
        {"population", "people.csv"},
        {"k-map", "5"},
        {"generalize", "new:1"},
        {"diversity", "new=3,entropy:2,recursive:2/3"},
    };
    for (size_t i = 0; i < COUNT(flags); i++)
        for (int way = STARVE_ONCE; way <= STARVE_FOR_GOOD; way++) {
            setting s = {.key = flags[i].key, .value = flags[i].value};
            assert_int_equal(
                tacit_policy_parse(&s.policy, tacit_strview_of(POLICY), "folder/p.yaml", NULL),
                TACIT_OK);
            assert_true(starve_way_of(set_policy, &s, (starve_way)way) > 0);
            tacit_policy_free(s.policy);
        }
}

static tacit_status check_policy(void *context, tacit_error *err)
{
    const tacit_table *table = context;
    tacit_policy *policy = NULL;
    const char **names = STARVE_UNTOUCHED;
    size_t count = 77;
    tacit_status status = tacit_policy_new(&policy, err);
    if (status == TACIT_OK)
        status = tacit_policy_set(policy, "k", "2", err);
    if (status == TACIT_OK)
        status = tacit_policy_set(policy, "quasi", "zip,born", err);
    if (status == TACIT_OK)
        status = tacit_policy_check(policy, table, err);
    if (status == TACIT_OK)
        status = tacit_policy_coded(&names, &count, policy, err);
    if (status == TACIT_OK) {
        assert_int_equal(count, 2);
        tacit_policy_names_free(names);
    } else {
        assert_ptr_equal(names, STARVE_UNTOUCHED);
        assert_int_equal(count, 77);
    }
    tacit_policy_free(policy);
    return status;
}

static tacit_status make_profile(void *context, tacit_error *err)
{
    const tacit_table *table = context;
    tacit_profile *profile = STARVE_UNTOUCHED;
    char *yaml = STARVE_UNTOUCHED;
    tacit_status status = tacit_profile_new(&profile, table, NULL, err);
    if (status != TACIT_OK) {
        assert_ptr_equal(profile, STARVE_UNTOUCHED);
        return status;
    }
    status = tacit_profile_policy(&yaml, profile, "draft", err);
    if (status != TACIT_OK)
        assert_ptr_equal(yaml, STARVE_UNTOUCHED);
    else
        tacit_text_free(yaml);
    tacit_profile_free(profile);
    return status;
}

static tacit_status look_at_unnamed(void *context, tacit_error *err)
{
    const tacit_table *table = context;
    tacit_profile *profile = STARVE_UNTOUCHED;
    tacit_policy *policy = NULL;
    tacit_status status = tacit_policy_new(&policy, err);
    if (status == TACIT_OK)
        status = tacit_profile_unnamed(&profile, policy, table, NULL, err);
    if (status == TACIT_OK)
        tacit_profile_free(profile);
    else
        assert_ptr_equal(profile, STARVE_UNTOUCHED);
    tacit_policy_free(policy);
    return status;
}

static void test_policy_of_a_table(void **state)
{
    (void)state;
    tacit_table *table = NULL;
    assert_int_equal(
        tacit_table_read_memory(&table, tacit_strview_of(PLAIN), "f", NULL, NULL, NULL), TACIT_OK);
    starve(check_policy, table);
    starve(make_profile, table);
    starve(look_at_unnamed, table);
    tacit_table_free(table);
}

/* ---- reports ---- */

static tacit_status make_report(void *context, tacit_error *err)
{
    (void)context;
    static const tacit_report_column COLUMNS[] = {{.key = "levels"}, {.heading = "level"}};
    tacit_report *report = STARVE_UNTOUCHED;
    char *json = STARVE_UNTOUCHED;
    tacit_status status = tacit_report_new(&report, "title", err);
    if (status != TACIT_OK) {
        assert_ptr_equal(report, STARVE_UNTOUCHED);
        return status;
    }
    tacit_report_text(report, "file", "f.csv");
    tacit_report_text(report, "bad", "not \xFF UTF-8");
    tacit_report_real(report, "seconds.read", 0.5);
    tacit_report_bool(report, "good", true);
    tacit_report_integer_in(report, "columns", tacit_strview_of("a.b"), 3);
    tacit_report_begin(report, &(tacit_report_table){.name = "steps",
                                                     .title = "Steps",
                                                     .printed = true,
                                                     .columns = COLUMNS,
                                                     .column_count = 2});
    tacit_report_cell_integers(report, (const int64_t[]){1, 2}, 2);
    tacit_report_cell(report, "1");
    tacit_report_line(report, "label", "a sentence");
    tacit_report_push_text(report, "list", tacit_strview_of("x"));
    tacit_report_list(report, "findings");
    status = tacit_report_json(&json, report, err);
    if (status != TACIT_OK)
        assert_ptr_equal(json, STARVE_UNTOUCHED);
    else
        tacit_text_free(json);
    tacit_report_free(report);
    return status;
}

static tacit_grid_cell cell_of_grid(void *subject, int row, int column)
{
    (void)subject, (void)row, (void)column;
    return (tacit_grid_cell){TACIT_GRID_PRIMARY, "<x>", "hidden & suppressed"};
}

static tacit_status make_page(void *context, tacit_error *err)
{
    (void)context;
    static const char *const names[] = {"one", "two"};
    static const double first[] = {1, 2}, second[] = {3, 4};
    const tacit_bars bars = {.title = "t",
                             .x_label = "x",
                             .y_label = "y",
                             .names = names,
                             .first = first,
                             .second = second,
                             .first_name = "before",
                             .second_name = "after",
                             .count = 2,
                             .marker = 1,
                             .marker_name = "k"};
    const tacit_curve curve = {"one", first, false};
    const tacit_curves curves = {.title = "t",
                                 .x_label = "x",
                                 .y_label = "y",
                                 .x = first,
                                 .x_count = 2,
                                 .curves = &curve,
                                 .curve_count = 1};
    const tacit_heat heat = {
        .title = "t", .x_label = "x", .y_label = "y", .names = names, .count = 1, .shares = first};
    const tacit_grid_heading heading = {"one", 1};
    const tacit_cell_grid grid = {.title = "t",
                                  .row_name = "r",
                                  .rows = &heading,
                                  .row_count = 1,
                                  .columns = &heading,
                                  .column_count = 1,
                                  .cell = cell_of_grid,
                                  .legend = true};
    const tacit_page_vertex vertex = {"one", 1};
    const tacit_page_edge edge = {.known = true, .way = TACIT_EDGE_TO_ROW, .hover = "a & b"};
    const tacit_page_bipartite graph = {"t", "r", "c", &vertex, 1, &vertex, 1, &edge, 1};
    tacit_page *page = STARVE_UNTOUCHED;
    char *html = STARVE_UNTOUCHED;
    tacit_status status = tacit_page_new(&page, "a <title>", err);
    if (status != TACIT_OK) {
        assert_ptr_equal(page, STARVE_UNTOUCHED);
        return status;
    }
    tacit_page_heading(page, "heading");
    tacit_page_paragraph(page, "text & text");
    tacit_page_banner(page, true, "good");
    tacit_page_tiles(page, names, names, 2);
    tacit_page_table(page, "caption", names, 2, names, 1);
    tacit_page_bars(page, &bars);
    tacit_page_curves(page, &curves);
    tacit_page_heat(page, &heat);
    tacit_page_cells(page, &grid);
    tacit_page_graph(page, &graph);
    status = tacit_page_html(&html, page, err);
    if (status != TACIT_OK)
        assert_ptr_equal(html, STARVE_UNTOUCHED);
    else
        tacit_text_free(html);
    tacit_page_free(page);
    return status;
}

static void test_reports(void **state)
{
    (void)state;
    starve(make_report, NULL);
    starve(make_page, NULL);
}

/* ---- outputs ---- */

static tacit_status open_output(void *context, tacit_error *err)
{
    tacit_output *output = STARVE_UNTOUCHED;
    tacit_status status = tacit_output_new(&output, context, err);
    if (status != TACIT_OK)
        assert_ptr_equal(output, STARVE_UNTOUCHED);
    else
        tacit_output_free(output);
    return status;
}

/* Through a link, which must not be taken for the file when memory runs out. */
static void test_output(void **state)
{
    (void)state;
    char folder[] = "/tmp/tacit-memory-XXXXXX", link[64], file[64];
    assert_non_null(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/out.csv", folder);
    snprintf(link, sizeof link, "%s/link.csv", folder);
    close(open(file, O_CREAT | O_WRONLY, 0600));
    assert_int_equal(symlink(file, link), 0);
    starve(open_output, link);
    unlink(file);
    starve(open_output, file);
    starve(open_output, "-");
    unlink(link);
    assert_int_equal(rmdir(folder), 0); /* nothing is left in it */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_large_block),
        cmocka_unit_test(test_read),
        cmocka_unit_test(test_read_many_values),
        cmocka_unit_test(test_read_wide_codes),
        cmocka_unit_test(test_read_file),
        cmocka_unit_test(test_write),
        cmocka_unit_test(test_policy_parse),
        cmocka_unit_test(test_policy_set),
        cmocka_unit_test(test_policy_of_a_table),
        cmocka_unit_test(test_reports),
        cmocka_unit_test(test_output),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
