/*
 * profile.c - a first look at a table, column by column and then together, and a look at the
 * columns that a policy gives no role.
 *
 * Rows are passed over twice: once for each column, to count its codes, and once for all likely
 * quasi-identifiers, to count combinations (see profile_groups.c). Everything else looks at
 * distinct values or at groups, so the cost follows rows times columns of one small integer each.
 * How much a column adds to uniqueness is counted by leaving it out.
 *
 * Columns without a role are looked at before they leave as they are. They are not coded, so that
 * carrying them along costs little. A sample of the rows, at equal steps through the file, is put
 * together as a small CSV file of these columns alone and profiled; what looks like an identifier,
 * and what has a value of its own in nearly every row of the sample, is refused. A sample errs on
 * the safe side: values that are rare in it may be shared by a few rows of the file. Costs as much
 * as SAMPLE_ROWS rows, whatever the file holds.
 */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/error.h"
#include "base/formula.h"
#include "base/parallel.h"
#include "base/strbuf.h"
#include "base/utf8.h"
#include "hierarchy/written.h"
#include "policy/profile_parts.h"

static tacit_status count_codes(tacit__facts *facts, const tacit_table *table, int32_t column,
                                tacit_error *err)
{
    facts->rows = tacit_table_rows(table);
    facts->distinct = tacit_table_distinct(table, column);
    uint32_t *counts = tacit__alloc_zeroed((size_t)facts->distinct + 1, sizeof *counts);
    if (!counts)
        return tacit__nomem(err);
    tacit_codes_view codes = tacit_table_codes(table, column);
    for (int64_t row = 0; row < facts->rows; row++)
        counts[tacit_codes_at(codes, row)]++;
    for (uint32_t code = 0; code < facts->distinct; code++) {
        facts->singles += counts[code] == 1;
        facts->top = counts[code] > facts->top ? counts[code] : facts->top;
    }
    facts->missing = counts[facts->distinct];
    tacit__free(counts);
    return TACIT_OK;
}

typedef struct looking {
    const tacit_table *table;
    tacit_profile *profile;
    bool suggests; /* what columns could generalize to */
} looking;

/* What the file says of it: "Marital status; 5 labelled codes". Labels of values may be values of
 * the data, where a program has made codes of them, so none is told. */
static void tell_about(tacit_profile_column *column, const tacit_table *table, int32_t index)
{
    tacit_strview value, text = {"", 0};
    uint32_t codes = 0;
    tacit_table_words(table, index, -1, &value, &text);
    tacit__shown label = tacit__show(text);
    while (tacit_table_words(table, index, codes, &value, &text))
        codes++;
    column->coded = codes > 0 && codes >= column->distinct / 2;
    if (codes > 0)
        snprintf(column->about, sizeof column->about, "%s%s%u labelled code%s", label.text,
                 label.text[0] ? "; " : "", codes, codes == 1 ? "" : "s");
    else
        snprintf(column->about, sizeof column->about, "%s", label.text);
}

static tacit_status look_at_column(void *context, int64_t index, int worker, tacit_error *err)
{
    (void)worker;
    const looking *l = context;
    tacit_profile_column *column = &l->profile->columns[index];
    tacit__facts facts = {0};
    tacit_status status = count_codes(&facts, l->table, (int32_t)index, err);
    if (status != TACIT_OK)
        return status;
    tacit__facts_of_values(&facts, l->table, (int32_t)index);
    int64_t present = facts.rows - facts.missing;
    column->name = tacit_table_name(l->table, (int32_t)index);
    column->distinct = facts.distinct;
    column->missing = facts.missing;
    column->top_share = present ? (double)facts.top / (double)present : 0;
    column->shortest = facts.shortest;
    column->longest = facts.longest;
    tell_about(column, l->table, (int32_t)index);
    tacit__classify(column, &facts, l->table, (int32_t)index);
    return l->suggests ? tacit__profile_suggest(column, &facts, l->table, (int32_t)index, err)
                       : TACIT_OK;
}

/* The quasi-identifiers' columns: of so many it is counted what they are together. */
static void choose_quasi(tacit_profile *profile, int32_t *columns)
{
    for (int32_t i = 0; i < profile->column_count; i++) {
        tacit_profile_column *column = &profile->columns[i];
        if (column->role != TACIT_ROLE_QUASI)
            continue;
        if (profile->counted_count < TACIT__PROFILE_QUASI)
            columns[profile->counted_count++] = i;
        profile->quasi_count++;
    }
}

static tacit_status leave_each_out(tacit_profile *profile, const tacit__policy_groups *groups,
                                   const int32_t *columns, const tacit_run *run, tacit_error *err)
{
    for (int32_t i = 0; i < profile->counted_count; i++) {
        tacit__policy_groups *fewer = NULL;
        tacit_status status = tacit__groups_without(&fewer, groups, i, run, err);
        if (status != TACIT_OK)
            return status;
        profile->columns[columns[i]].unique_added =
            profile->unique_rows - tacit__groups_below(fewer, 2);
        tacit__groups_free(fewer);
    }
    return TACIT_OK;
}

static tacit_status count_unique(tacit_profile *profile, const tacit_table *table,
                                 const tacit_run *run, tacit_error *err)
{
    int32_t columns[TACIT__PROFILE_QUASI];
    tacit__policy_groups *groups = NULL;
    choose_quasi(profile, columns);
    if (profile->quasi_count == 0)
        return TACIT_OK;
    tacit_status status =
        tacit__groups_new(&groups, table, columns, profile->counted_count, run, err);
    if (status != TACIT_OK)
        return status;
    profile->classes = tacit__groups_count(groups);
    profile->unique_rows = tacit__groups_below(groups, 2);
    profile->below_rows = tacit__groups_below(groups, TACIT_PROFILE_K);
    status = leave_each_out(profile, groups, columns, run, err);
    tacit__groups_free(groups);
    return status;
}

/* The columns by themselves, without what they are together. */
static tacit_status profile_columns(tacit_profile **out, const tacit_table *table, bool suggests,
                                    const tacit_run *run, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    int32_t count = tacit_table_columns(table);
    for (int32_t i = 0; i < count; i++)
        assert(tacit_table_is_coded(table, i));
    tacit_profile *profile = tacit__alloc_zeroed(1, sizeof *profile);
    tacit_profile_column *columns = tacit__alloc_zeroed((size_t)count, sizeof *columns);
    if (!profile || !columns) {
        tacit__free(columns);
        status = tacit__nomem(err);
        goto cleanup;
    }
    profile->columns = columns;
    profile->column_count = count;
    profile->person = profile->weight = -1;
    profile->rows = tacit_table_rows(table);
    profile->encoding = tacit_table_encoding(table);
    looking l = {table, profile, suggests};
    status = tacit__parallel(run, "profile", count, look_at_column, &l, err);
    if (status != TACIT_OK)
        goto cleanup;
    *out = profile;
    profile = NULL;
cleanup:
    tacit_profile_free(profile);
    return status;
}

tacit_status tacit_profile_new(tacit_profile **out, const tacit_table *table, const tacit_run *run,
                               tacit_error *err)
{
    tacit_profile *profile = NULL;
    tacit_status status = profile_columns(&profile, table, true, run, err);
    if (status == TACIT_OK)
        status = tacit__profile_people(profile, table, err);
    if (status == TACIT_OK)
        status = tacit__profile_across(profile, table, err);
    if (status == TACIT_OK)
        status = count_unique(profile, table, run, err);
    if (status == TACIT_OK)
        *out = profile;
    else
        tacit_profile_free(profile);
    return status;
}

void tacit_profile_free(tacit_profile *profile)
{
    if (!profile)
        return;
    tacit__free(profile->columns);
    tacit__free(profile);
}

/* ---- columns without a role ---- */

enum { SAMPLE_ROWS = 20000, MIN_ROWS = 1000, SAMPLE_CELLS = 2000000, SAMPLE_BYTES = 1 << 26 };

/* Fewer rows where there are many columns. */
static int64_t sample_size(const tacit_table *table, int32_t columns)
{
    int64_t rows = tacit_table_rows(table), most = SAMPLE_CELLS / columns;
    if (most > SAMPLE_ROWS)
        most = SAMPLE_ROWS;
    if (most < MIN_ROWS)
        most = MIN_ROWS;
    return rows < most ? rows : most;
}

/* A cell as the data has it: what it looks like is not changed by an apostrophe that guards it. */
static void add_cell(tacit__strbuf *text, tacit_strview cell, bool guarded)
{
    bool quoted = cell.len > 1 && cell.bytes[0] == '"';
    tacit_strview says = {cell.bytes + quoted, cell.len - 2 * quoted};
    if (guarded)
        says = tacit__unguarded(says);
    tacit__strbuf_text(text, quoted ? "\"" : "");
    tacit__strbuf_add(text, says.bytes, says.len);
    tacit__strbuf_text(text, quoted ? "\"" : "");
}

/* Cells are quoted in the file where they have to be. An empty one is written in
 * quotes, lest a line be empty. */
static void add_row(tacit__strbuf *text, const tacit_table *table, const tacit_strview *cells,
                    const int32_t *columns, int32_t count)
{
    char delimiter = tacit_table_delimiter(table);
    for (int32_t i = 0; i < count; i++) {
        tacit_strview cell = cells[columns[i]];
        if (i > 0)
            tacit__strbuf_add(text, &delimiter, 1);
        if (cell.len > 0)
            add_cell(text, cell, tacit_table_guard(table) != TACIT_GUARD_NONE);
        else
            tacit__strbuf_text(text, "\"\"");
    }
    tacit__strbuf_text(text, "\n");
}

static tacit_status draw_sample(tacit__strbuf *text, const tacit_table *table,
                                const int32_t *columns, int32_t count, tacit_error *err)
{
    int64_t rows = tacit_table_rows(table), looks = sample_size(table, count);
    tacit_strview *cells = tacit__alloc_array((size_t)tacit_table_columns(table), sizeof *cells);
    if (!cells)
        return tacit__nomem(err);
    for (int64_t i = 0; i < looks && text->len < SAMPLE_BYTES; i++) {
        int64_t row = i * rows / looks; /* below 2^15 * 2^32 */
        tacit_table_row(table, row, cells);
        add_row(text, table, cells, columns, count);
    }
    tacit__free(cells);
    return text->failed ? tacit__nomem(err) : TACIT_OK;
}

static tacit_status read_sample(tacit_table **sample, const tacit__strbuf *text,
                                const tacit_table *table, const int32_t *columns, int32_t count,
                                const tacit_run *run, tacit_error *err)
{
    tacit_strview *names = tacit__alloc_array((size_t)count, sizeof *names);
    if (!names)
        return tacit__nomem(err);
    for (int32_t i = 0; i < count; i++)
        names[i] = tacit_table_name(table, columns[i]);
    tacit_csv_options options;
    tacit_csv_options_init(&options);
    options.delimiter = tacit_table_delimiter(table);
    options.no_header = true;
    options.names = names;
    options.name_count = (size_t)count;
    options.max_field = SIZE_MAX;
    tacit_status status = tacit_table_read_memory(sample, (tacit_strview){text->bytes, text->len},
                                                  tacit_table_file(table), &options, run, err);
    tacit__free(names);
    return status;
}

/* What a column that names people by itself looks like, or NULL. */
static const char *likeness(const tacit_profile_column *column)
{
    static const char *const called[][2] = {
        {"e-mail", "looks like e-mail addresses"},
        {"URL", "looks like web addresses"},
        {"IP", "looks like network addresses"},
        {"phone", "looks like phone numbers"},
        {"name", "looks like names"},
        {"address", "looks like street addresses"},
        {"IBAN", "looks like account numbers"},
        {"free text", "looks like free text, which may name people"},
    };
    if (column->role != TACIT_ROLE_IDENTIFIER)
        return column->near_unique ? "has a value of its own in nearly every row" : NULL;
    for (size_t i = 0; i < sizeof called / sizeof called[0]; i++)
        if (strcmp(column->type, called[i][0]) == 0)
            return called[i][1];
    return "looks like an identifier of people";
}

/* ", and so are NAME, NAME": the others that would be refused next. */
static void list_others(char *text, size_t size, const tacit_profile *profile, int32_t first)
{
    enum { SHOWN = 8 };
    int32_t shown = 0;
    size_t used = 0;
    text[0] = '\0';
    for (int32_t i = first + 1; i < profile->column_count && used < size; i++) {
        if (!likeness(&profile->columns[i]))
            continue;
        if (shown++ == SHOWN) {
            snprintf(text + used, size - used, ", ...");
            return;
        }
        used += (size_t)snprintf(text + used, size - used, "%s\"%s\"",
                                 shown == 1 ? "; the same goes for " : ", ",
                                 tacit__show(profile->columns[i].name).text);
    }
}

static tacit_status refuse_personal(const tacit_profile *profile, const tacit_policy *policy,
                                    tacit_error *err)
{
    char others[512];
    for (int32_t i = 0; i < profile->column_count; i++) {
        const tacit_profile_column *column = &profile->columns[i];
        const char *looks = likeness(column);
        if (!looks && policy->strict)
            looks = "strict asks for one";
        if (!looks)
            continue;
        list_others(others, sizeof others, profile, i);
        return tacit__error_at(
            err, TACIT_INVALID, policy->file, 0, 0,
            "column \"%s\" has no role and %s: give it the role identifier to drop it, quasi to "
            "generalize it, or sensitive or insensitive to release it unchanged%s",
            tacit__show(column->name).text, looks, others);
    }
    return TACIT_OK;
}

/* The profile of a sample, with names that outlive it. */
static tacit_status look(tacit_profile **out, const tacit_table *table, const int32_t *columns,
                         int32_t count, const tacit_run *run, tacit_error *err)
{
    tacit__strbuf text = {0};
    tacit_table *sample = NULL;
    tacit_status status = draw_sample(&text, table, columns, count, err);
    if (status == TACIT_OK)
        status = read_sample(&sample, &text, table, columns, count, run, err);
    if (status == TACIT_OK)
        status = profile_columns(out, sample, false, run, err);
    for (int32_t i = 0; status == TACIT_OK && i < count; i++)
        (*out)->columns[i].name = tacit_table_name(table, columns[i]);
    tacit_table_free(sample);
    tacit__strbuf_clear(&text);
    return status;
}

tacit_status tacit_profile_unnamed(tacit_profile **out, const tacit_policy *policy,
                                   const tacit_table *table, const tacit_run *run, tacit_error *err)
{
    tacit_profile *profile = NULL;
    int32_t count = tacit_policy_unnamed(NULL, 0, policy, table);
    if (count == 0 || tacit_table_rows(table) == 0) {
        *out = NULL;
        return TACIT_OK;
    }
    int32_t *columns = tacit__alloc_array((size_t)count, sizeof *columns);
    if (!columns)
        return tacit__nomem(err);
    tacit_policy_unnamed(columns, count, policy, table);
    tacit_status status = look(&profile, table, columns, count, run, err);
    if (status == TACIT_OK)
        status = refuse_personal(profile, policy, err);
    if (status == TACIT_OK) {
        *out = profile;
        profile = NULL;
    }
    tacit_profile_free(profile);
    tacit__free(columns);
    return status;
}
