/*
 * summary.c - what follows from a release and published frequencies (--summary).
 *
 * A value that was withheld and follows exposes its rows, and so does a tuple that was left out
 * where all that frequencies speak of follows of it. A value of tuples left out that follows by
 * itself belongs to no record, and is told only. `tacit anonymize` refuses a release that is
 * exposed so: who gives the frequencies says that they are published. Values are shown with --show
 * alone, otherwise rows and numbers.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "engine/attacks/attacks.h"
#include "engine/attacks/summaries.h"
#include "engine/job/text.h"
#include "engine/records/verdict.h"

enum { MOST_TOLD = 10, MOST_ON_PAGE = 200 };

/* ---- running ---- */

static bool wanted(const engine_case *c)
{
    return engine_has(c->session->settings, "summary");
}

/* The policy's name of a column, which outlives the file that speaks of it, or NULL. */
static const char *lasting_name(const tacit_policy *policy, tacit_strview name)
{
    for (int32_t i = 0; i < policy->column_count; i++)
        if (tacit_strview_equal(tacit_strview_of(policy->columns[i].name), name))
            return policy->columns[i].name;
    return NULL;
}

/* What goes wrong with the files here goes wrong again, and is told, when the attack runs. */
static void needs(engine_needs *out, const engine_case *c)
{
    engine_summaries summaries = {0};
    if (!engine_summaries_are_files(c->session)) {
        out->all = true;
        return;
    }
    tacit_status status = engine_summaries_read(&summaries, c->session, &(tacit_error){0});
    for (int32_t i = 0; i < summaries.count && status == TACIT_OK; i++) {
        tacit_strview names[TACIT_SUMMARY_COLUMNS];
        int32_t count = 0;
        status = tacit_summary_names(names, &count, summaries.files[i], NULL);
        for (int32_t k = 0; k < count; k++) {
            const char *name = lasting_name(c->policy, names[k]);
            if (name)
                engine_needs_add(out, name);
            else
                out->all = true;
        }
    }
    engine_summaries_clear(&summaries);
}

static tacit_status run(void **found, const engine_case *c, tacit_error *err)
{
    engine_summaries summaries = {0};
    tacit_summary_audit *audit = NULL;
    const tacit_policy *policy = c->policy;
    tacit_summary_column *columns =
        tacit__alloc_zeroed((size_t)policy->column_count + 1, sizeof *columns);
    tacit_status status =
        columns ? engine_summaries_read(&summaries, c->session, err) : tacit__nomem(err);
    for (int32_t i = 0; i < policy->column_count && columns; i++)
        columns[i] = (tacit_summary_column){policy->columns[i].name, &policy->columns[i].hierarchy};
    const tacit_summary_case summary = {.release = c->release,
                                        .columns = columns,
                                        .column_count = policy->column_count,
                                        .files = (const tacit_table *const *)summaries.files,
                                        .file_count = summaries.count};
    if (status == TACIT_OK)
        status = tacit_audit_summary(&audit, &summary, &c->session->run, err);
    if (status == TACIT_OK)
        *found = audit;
    engine_summaries_clear(&summaries);
    tacit__free(columns);
    return status;
}

static bool discloses(const void *found, const engine_case *c)
{
    (void)c;
    const tacit_summary_audit *audit = found;
    return audit->values_known > 0 || audit->left_out_known;
}

static bool promised(const engine_case *c)
{
    return c->own;
}

/* ---- in words ---- */

static const char *plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

/* "the tuple left out", "the 3 tuples left out". */
static void say_left_out(engine_text *out, int64_t count)
{
    if (count == 1)
        engine_text_print(out, "the tuple left out");
    else
        engine_text_print(out, "the %s tuples left out", engine_count(count).text);
}

/* The columns in which values of rows follow, as far as facts are listed. */
static void say_columns(engine_text *out, const tacit_summary_audit *audit)
{
    uint64_t said = 0;
    char name[48];
    for (int64_t i = 0; i < audit->fact_count; i++) {
        const tacit_summary_fact *fact = &audit->facts[i];
        uint64_t bit = UINT64_C(1) << fact->column;
        if (fact->kind != TACIT_SUMMARY_VALUE || fact->row == 0 || said & bit)
            continue;
        tacit_strview column = tacit_strview_of(audit->names[fact->column]);
        engine_text_print(out, "%s%s", said ? ", " : "",
                          engine_printable(name, sizeof name, column));
        said |= bit;
    }
}

static void say_values(engine_text *out, const tacit_summary_audit *audit, bool own)
{
    engine_text_print(out, "%s withheld value%s in %s row%s follow%s from the frequencies",
                      engine_count(audit->values_known).text, plural(audit->values_known),
                      engine_count(audit->rows_known).text, plural(audit->rows_known),
                      audit->values_known == 1 ? "s" : "");
    if (audit->tuples_known > 0)
        engine_text_print(out, ", and so all that they speak of is known of %s row%s",
                          engine_count(audit->tuples_known).text, plural(audit->tuples_known));
    if (own) {
        engine_text_print(out, "; generalize further, or suppress other rows, in ");
        say_columns(out, audit);
    }
}

static void known_sentence(char *out, size_t size, const tacit_summary_audit *audit, bool own)
{
    engine_text text = {0};
    if (audit->left_out_known) {
        engine_text_print(&text, "all that the frequencies speak of follows of ");
        say_left_out(&text, audit->left_out);
    }
    if (audit->left_out_known && audit->values_known > 0)
        engine_text_print(&text, "; ");
    if (audit->values_known > 0)
        say_values(&text, audit, own);
    snprintf(out, size, "%s%s", text.bytes ? text.bytes : "",
             audit->exact ? "" : "; not exact: more may follow");
    engine_text_clear(&text);
}

static void sentence(char *out, size_t size, const void *found, const engine_case *c)
{
    const tacit_summary_audit *audit = found;
    char left[80] = "";
    if (discloses(found, c)) {
        known_sentence(out, size, audit, c->own);
        return;
    }
    if (audit->left_out > 0)
        snprintf(left, sizeof left, ", nor all of a tuple of the %s left out",
                 engine_count(audit->left_out).text);
    snprintf(out, size,
             "no withheld value follows from %d table%s of frequencies of %s subjects%s%s",
             audit->tables, plural(audit->tables), engine_count(audit->subjects).text, left,
             audit->exact ? "" : "; bounds, not exact: some may");
}

/* Whose values a fact is about. */
static void who(engine_text *out, const tacit_summary_fact *fact)
{
    if (fact->row == 0)
        say_left_out(out, fact->rows);
    else if (fact->rows == 1)
        engine_text_print(out, "row %lld", (long long)fact->row);
    else
        engine_text_print(out, "%s rows, the first of them row %lld", engine_count(fact->rows).text,
                          (long long)fact->row);
}

/* The values, with the least and most rows that have each where these are several. */
static void show_values(engine_text *out, const tacit_summary_fact *fact)
{
    for (int32_t i = 0; i < fact->share_count; i++) {
        const tacit_summary_share *share = &fact->shares[i];
        engine_text_print(out, "%s%s", i ? ", " : "", share->text[0] ? share->text : "missing");
        if (fact->possible == 1)
            continue;
        engine_text_print(out, share->least == share->most ? " (%lld)" : " (%lld to %lld)",
                          (long long)share->least, (long long)share->most);
    }
    if (fact->possible > fact->share_count)
        engine_text_print(out, ", and %lld more", (long long)(fact->possible - fact->share_count));
}

static void what(engine_text *out, const tacit_summary_fact *fact, bool show)
{
    switch (fact->kind) {
    case TACIT_SUMMARY_VALUE: engine_text_print(out, "the value follows"); break;
    case TACIT_SUMMARY_NARROWED:
        engine_text_print(out, "%lld of the %lld values that the label holds are left",
                          (long long)fact->possible, (long long)fact->of);
        break;
    default:
        engine_text_print(out, "how many have each of %lld values is known",
                          (long long)fact->possible);
    }
    if (show) {
        engine_text_print(out, ": ");
        show_values(out, fact);
    }
}

static bool shows_values(const engine_case *c)
{
    return engine_has(c->session->settings, "show");
}

static void tell(FILE *to, const void *found, const engine_case *c)
{
    const tacit_summary_audit *audit = found;
    int64_t count = audit->fact_count < MOST_TOLD ? audit->fact_count : MOST_TOLD;
    for (int64_t i = 0; i < count; i++) {
        const tacit_summary_fact *fact = &audit->facts[i];
        engine_text text = {0};
        char name[48], *line;
        engine_text_print(
            &text, "%s of ",
            engine_printable(name, sizeof name, tacit_strview_of(audit->names[fact->column])));
        who(&text, fact);
        engine_text_print(&text, ": ");
        what(&text, fact, shows_values(c));
        line = text.failed ? NULL : tacit__alloc(text.len + 1);
        if (line)
            engine_print_labelled(
                to, "",
                engine_printable(line, text.len + 1, (tacit_strview){text.bytes, text.len}));
        tacit__free(line);
        engine_text_clear(&text);
    }
    if (audit->fact_total > count) {
        char more[160];
        snprintf(more, sizeof more, "and %s more, of which the report lists the first %s",
                 engine_count(audit->fact_total - count).text,
                 engine_count(audit->fact_count - count).text);
        engine_print_labelled(to, "", more);
    }
}

/* ---- reports ---- */

static const char *const KINDS[] = {"nothing", "value", "narrowed", "counted"};

static void add_fact(tacit_account *account, const tacit_summary_audit *audit,
                     const tacit_summary_fact *fact, bool show)
{
    tacit_account_push_object(account, "attacks.summary.facts");
    tacit_account_text(account, "@.kind", tacit_strview_of(KINDS[fact->kind]));
    tacit_account_text(account, "@.column", tacit_strview_of(audit->names[fact->column]));
    tacit_account_bool(account, "@.left_out", fact->row == 0);
    if (fact->row > 0)
        tacit_account_integer(account, "@.row", fact->row);
    tacit_account_integer(account, "@.rows", fact->rows);
    tacit_account_integer(account, "@.possible", fact->possible);
    tacit_account_integer(account, "@.of", fact->of);
    for (int32_t i = 0; i < fact->share_count && show; i++) {
        tacit_account_push_text(account, "@.values", tacit_strview_of(fact->shares[i].text));
        tacit_account_push_integer(account, "@.least", fact->shares[i].least);
        tacit_account_push_integer(account, "@.most", fact->shares[i].most);
    }
}

static void account(tacit_account *account, const void *found, const engine_case *c)
{
    const tacit_summary_audit *audit = found;
    for (int32_t i = 0; i < audit->column_count; i++)
        tacit_account_push_text(account, "attacks.summary.columns",
                                tacit_strview_of(audit->names[i]));
    tacit_account_integer(account, "attacks.summary.tables", audit->tables);
    tacit_account_integer(account, "attacks.summary.subjects", audit->subjects);
    tacit_account_integer(account, "attacks.summary.left_out", audit->left_out);
    tacit_account_bool(account, "attacks.summary.exact", audit->exact);
    tacit_account_integer(account, "attacks.summary.values_known", audit->values_known);
    tacit_account_integer(account, "attacks.summary.rows_known", audit->rows_known);
    tacit_account_integer(account, "attacks.summary.tuples_known", audit->tuples_known);
    tacit_account_integer(account, "attacks.summary.cells_narrowed", audit->cells_narrowed);
    tacit_account_bool(account, "attacks.summary.left_out_known", audit->left_out_known);
    tacit_account_integer(account, "attacks.summary.left_out_values", audit->left_out_values);
    tacit_account_integer(account, "attacks.summary.programs", audit->programs);
    tacit_account_integer(account, "attacks.summary.fact_count", audit->fact_total);
    tacit_account_list(account, "attacks.summary.facts");
    for (int64_t i = 0; i < audit->fact_count; i++)
        add_fact(account, audit, &audit->facts[i], shows_values(c));
}

static void add_texts(tacit_grid *grid, const tacit_summary_audit *audit,
                      const tacit_summary_fact *fact, bool show)
{
    engine_text class = {0}, follows = {0};
    who(&class, fact);
    what(&follows, fact, show);
    tacit_grid_add_view(grid, (tacit_strview){class.bytes, class.len});
    tacit_grid_add(grid, "%s", audit->names[fact->column]);
    tacit_grid_add_view(grid, (tacit_strview){follows.bytes, follows.len});
    tacit_grid_add(grid, "%lld", (long long)fact->rows);
    engine_text_clear(&class);
    engine_text_clear(&follows);
}

static void page(tacit_page *page, const void *found, const engine_case *c)
{
    static const char *const HEADER[] = {"class", "column", "what follows", "rows"};
    const tacit_summary_audit *audit = found;
    char text[200];
    tacit_grid grid;
    snprintf(text, sizeof text,
             "The frequencies are %d tables of %s subjects, of whom the release has %s.",
             audit->tables, engine_count(audit->subjects).text, engine_count(audit->rows).text);
    tacit_page_paragraph(page, text);
    tacit_grid_init(&grid, HEADER, 4);
    for (int64_t i = 0; i < audit->fact_count && i < MOST_ON_PAGE; i++)
        add_texts(&grid, audit, &audit->facts[i], shows_values(c));
    if (audit->fact_count > 0)
        tacit_grid_show(&grid, page, "What follows from the release and the frequencies");
    tacit_grid_clear(&grid);
}

static void shows(engine_ads *ads, const void *found, const engine_case *c)
{
    const tacit_summary_audit *audit = found;
    char text[ENGINE_ADS_TEXT];
    sentence(text, sizeof text, found, c);
    engine_ads_say(ads, ENGINE_ADS_EXTERNAL,
                   discloses(found, c) ? ENGINE_ADS_BROKEN
                   : audit->exact      ? ENGINE_ADS_HOLDS
                                       : ENGINE_ADS_UNKNOWN,
                   "%s", text);
}

static void release_found(void *found)
{
    tacit_summary_audit_free(found);
}

const engine_attack engine_attack_summary = {
    .name = "summary",
    .title = "Published frequencies",
    .wanted = wanted,
    .needs = needs,
    .run = run,
    .discloses = discloses,
    .promised = promised,
    .sentence = sentence,
    .tell = tell,
    .account = account,
    .page = page,
    .shows = shows,
    .free = release_found,
};
