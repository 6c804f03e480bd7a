/*
 * recall.c - an earlier release as CSV once more, from its entry and what the data holder has.
 *
 * Labels that are not found (labels.c) belonged to people who have left the data. They become
 * values that nobody has and that lie under nothing but "*", each label its own: the row still
 * counts, and matches a later row only where both columns' other values say so or the later one
 * is suppressed. Their form follows the column's rule, so that whoever puts the values into a
 * lineage can read them: a number far outside, a day of a late year, a text of the most places a
 * mask can have.
 *
 * Of such days there are 2.6 million; should more be needed, the last ones are one.
 *
 * The CSV is about as long as the release was; it is held once.
 */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "hierarchy/hierarchy.h"
#include "hierarchy/written.h"
#include "ledger/ledger.h"

enum { ASK_EVERY_CLASSES = 1 << 12 };

typedef struct recalled {
    const tacit_ledger_entry *entry;
    tacit__summary *summary;
    tacit__ledger_labels *columns;
    tacit__strbuf csv;
    tacit__strbuf row;
    uint32_t *indices;
} recalled;

/* ---- values that nobody has ---- */

enum { STAND_IN = 96 };

/* Days of the years down from 9999, 28 a month. */
static void late_day(char *text, uint32_t number)
{
    enum { DAYS = 28, MONTHS = 12, LATEST = 9999, EARLIEST = 2200 };
    uint32_t year = number / (DAYS * MONTHS);
    year = year > LATEST - EARLIEST ? EARLIEST : LATEST - year;
    snprintf(text, STAND_IN, "%04u-%02u-%02u", year, number / DAYS % MONTHS + 1, number % DAYS + 1);
}

/* A number near the largest that the decimals of the rule leave room for. */
static void far_number(char *text, const tacit_ledger_column *column, uint32_t number)
{
    tacit_hierarchy_spec spec = {0};
    tacit__interval interval = {0};
    int64_t base = 9 * (TACIT__MAX_NUMBER / 10);
    if (tacit_hierarchy_spec_parse(&spec, column->hierarchy, NULL, NULL) == TACIT_OK)
        tacit__interval_check(&interval, &spec, NULL);
    for (int i = 0; i < interval.scale; i++)
        base /= 10;
    tacit_hierarchy_spec_clear(&spec);
    snprintf(text, STAND_IN, "%lld", (long long)base + number);
}

static void stand_in(char *text, const tacit_ledger_column *column, uint32_t number)
{
    if (strncmp(column->hierarchy, "interval:", 9) == 0)
        far_number(text, column, number);
    else if (strncmp(column->hierarchy, "date", 4) == 0)
        late_day(text, number);
    else if (strncmp(column->hierarchy, "mask:", 5) == 0)
        snprintf(text, STAND_IN, "?%0*u?", TACIT_MAX_LEVELS - 3, number);
    else
        snprintf(text, STAND_IN, "?%u", number);
}

static tacit_status fill_in(tacit__ledger_labels *labels, tacit_error *err)
{
    char text[STAND_IN];
    uint32_t number = 0;
    for (uint32_t i = 0; i < labels->column->labels; i++) {
        if (labels->found[i].bytes)
            continue;
        stand_in(text, labels->column, number++);
        labels->found[i] = tacit__arena_copy(&labels->arena, tacit_strview_of(text));
        if (!labels->found[i].bytes)
            return tacit__nomem(err);
    }
    return TACIT_OK;
}

/* ---- CSV ---- */

void tacit__ledger_cell(tacit__strbuf *csv, tacit_strview value)
{
    const char *at = value.bytes, *end = at + value.len;
    tacit__strbuf_text(csv, "\"");
    while (at < end) {
        const char *quote = memchr(at, '"', (size_t)(end - at));
        const char *stop = quote ? quote + 1 : end;
        tacit__strbuf_add(csv, at, (size_t)(stop - at));
        if (quote)
            tacit__strbuf_text(csv, "\"");
        at = stop;
    }
    tacit__strbuf_text(csv, "\"");
}

static void add_header(recalled *r)
{
    for (int32_t c = 0; c < r->entry->column_count; c++) {
        tacit__strbuf_text(&r->csv, c ? "," : "");
        tacit__ledger_cell(&r->csv, tacit_strview_of(r->entry->columns[c].name));
    }
    tacit__strbuf_text(&r->csv, "\n");
}

/* Writes the row of a class; returns whether a label of it was not found. known has, a column each,
 * the labels that were. */
static bool write_row(recalled *r, const unsigned char *const *unknown)
{
    bool strange = false;
    r->row.len = 0;
    for (int32_t c = 0; c < r->entry->column_count; c++) {
        uint32_t index = r->indices[c];
        tacit_strview value = {"", 0};
        if (index > 0) {
            value = r->columns[c].found[index - 1];
            strange |= unknown[c] && unknown[c][index - 1];
        }
        tacit__strbuf_text(&r->row, c ? "," : "");
        tacit__ledger_cell(&r->row, value);
    }
    tacit__strbuf_text(&r->row, "\n");
    return strange;
}

static tacit_status write_rows(tacit_ledger_recalled *out, recalled *r,
                               const unsigned char *const *unknown, const tacit_run *run,
                               tacit_error *err)
{
    tacit__class_reader reader = {r->summary, 0};
    int64_t rows = 0, classes = 0;
    bool broken = false;
    tacit_status status = TACIT_OK;
    while (status == TACIT_OK && tacit__class_next(&reader, r->indices, &rows, &broken)) {
        if (write_row(r, unknown))
            out->unknown_rows += rows;
        for (int64_t i = 0; i < rows && !r->csv.failed && !r->row.failed; i++)
            tacit__strbuf_add(&r->csv, r->row.bytes, r->row.len);
        out->rows += rows;
        if (r->csv.failed || r->row.failed)
            status = tacit__nomem(err);
        else if (++classes % ASK_EVERY_CLASSES == 0)
            status = tacit__progress(run, "recalling", classes, r->summary->classes, err);
    }
    return status;
}

/* ---- all of it ---- */

/* A byte a label of a column: it was not found. NULL in *out where all were. */
static tacit_status mark_unknown(unsigned char **out, const tacit__ledger_labels *labels,
                                 tacit_error *err)
{
    if (!labels->missing)
        return TACIT_OK;
    *out = tacit__alloc_zeroed(labels->column->labels, 1);
    if (!*out)
        return tacit__nomem(err);
    for (uint32_t i = 0; i < labels->column->labels; i++)
        (*out)[i] = !labels->found[i].bytes;
    return TACIT_OK;
}

static tacit_status find_column(tacit_ledger_recalled *out, recalled *r, unsigned char **unknown,
                                int32_t c, const tacit_ledger *ledger,
                                const tacit_ledger_sight *sight, const tacit_run *run,
                                tacit_error *err)
{
    tacit__ledger_labels *labels = &r->columns[c];
    tacit_status status =
        tacit__labels_find(labels, ledger, r->entry->number, &r->entry->columns[c],
                           r->summary->labels[c], sight, run, err);
    if (status == TACIT_OK)
        status = mark_unknown(unknown, labels, err);
    if (status == TACIT_OK)
        status = fill_in(labels, err);
    out->unknown_labels += labels->missing;
    return status;
}

static tacit_status recall(tacit_ledger_recalled *out, recalled *r, const tacit_ledger *ledger,
                           const tacit_ledger_sight *sight, const tacit_run *run, tacit_error *err)
{
    int32_t count = r->entry->column_count;
    unsigned char **unknown = tacit__alloc_zeroed((size_t)count, sizeof *unknown);
    r->columns = tacit__alloc_zeroed((size_t)count, sizeof *r->columns);
    r->indices = tacit__alloc_array((size_t)count, sizeof *r->indices);
    tacit_status status = unknown && r->columns && r->indices ? TACIT_OK : tacit__nomem(err);
    for (int32_t c = 0; c < count && status == TACIT_OK; c++)
        status = find_column(out, r, &unknown[c], c, ledger, sight, run, err);
    if (status == TACIT_OK) {
        add_header(r);
        status = write_rows(out, r, (const unsigned char *const *)unknown, run, err);
    }
    if (status == TACIT_OK && r->csv.failed)
        status = tacit__nomem(err);
    for (int32_t c = 0; unknown && c < count; c++)
        tacit__free(unknown[c]);
    tacit__free(unknown);
    return status;
}

static void clear_columns(recalled *r)
{
    for (int32_t c = 0; r->columns && c < r->entry->column_count; c++)
        tacit__labels_clear(&r->columns[c]);
    tacit__free(r->columns);
    tacit__free(r->indices);
    tacit__strbuf_clear(&r->row);
}

tacit_status tacit_ledger_recall(tacit_ledger_recalled *out, const tacit_ledger *ledger,
                                 int64_t number, const tacit_ledger_sight *sight,
                                 const tacit_run *run, tacit_error *err)
{
    tacit_ledger_entry entry = {0};
    tacit__summary summary = {0};
    tacit_ledger_recalled made = {0};
    recalled r = {.entry = &entry, .summary = &summary};
    tacit_status status = tacit__entry_load(&entry, &summary, ledger, number, err);
    if (status == TACIT_OK)
        status = recall(&made, &r, ledger, sight, run, err);
    clear_columns(&r);
    if (status == TACIT_OK) {
        made.csv = r.csv.bytes;
        made.len = r.csv.len;
        *out = made;
    } else
        tacit__strbuf_clear(&r.csv);
    tacit__summary_clear(&summary);
    tacit__entry_clear(&entry);
    return status;
}
