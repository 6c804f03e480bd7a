/*
 * unnamed.c - the columns that a policy gives no role, before they leave as they
 * are: what a profile would say of them.
 *
 * Such columns are not coded, so that carrying them along costs little. A sample
 * of the rows, at equal steps through the file, is put together as a small CSV
 * file of these columns alone and profiled; what looks like an identifier, and
 * what has a value of its own in nearly every row of the sample, is refused. A
 * sample errs on the safe side: values that are rare in it may be shared by a few
 * rows of the file. Costs as much as SAMPLE_ROWS rows, whatever the file holds.
 */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/formula.h"
#include "base/strbuf.h"
#include "policy/profile_parts.h"

enum { SAMPLE_ROWS = 20000, FEWEST_ROWS = 1000, SAMPLE_CELLS = 2000000, SAMPLE_BYTES = 1 << 26 };

/* Fewer rows where there are many columns. */
static int64_t sample_size(const tacit_table *table, int32_t columns)
{
    int64_t rows = tacit_table_rows(table), most = SAMPLE_CELLS / columns;
    if (most > SAMPLE_ROWS)
        most = SAMPLE_ROWS;
    if (most < FEWEST_ROWS)
        most = FEWEST_ROWS;
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
        return tacit__error_at(err, TACIT_INVALID, policy->file, 0, 0,
                               "column \"%s\" has no role and %s: give it the role identifier to "
                               "drop it, quasi to generalize it, or sensitive or insensitive to "
                               "release it as it is%s",
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
        status = tacit__profile_columns(out, sample, run, err);
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
