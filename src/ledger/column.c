/*
 * column.c - what an entry says of a column beside its labels: how to make them again.
 *
 * A rule is written down as a flag writes it, dates with the order that their column told, a
 * hierarchy file by its absolute name and a keyed hash of its bytes. Two rules make labels that
 * depend on the whole column, so what they went by is kept too: a mask has as many places as the
 * longest value had characters, and intervals read `20-24` only where every number was whole.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/decimal.h"
#include "base/error.h"
#include "base/utf8.h"
#include "hierarchy/hierarchy.h"
#include "ledger/ledger.h"

static void add_number(tacit__strbuf *out, const char *before, double number)
{
    char text[TACIT__DECIMAL_SIZE];
    tacit__decimal_write(text, number);
    tacit__strbuf_text(out, before);
    tacit__strbuf_text(out, text);
}

/* The rule as tacit_hierarchy_spec_parse reads it. */
static void write_rule(tacit__strbuf *out, const tacit_hierarchy_spec *spec, tacit_date_order order)
{
    static const char *const dates[] = {
        [TACIT_DATES_TELL] = "date",
        [TACIT_DAY_FIRST] = "date:day-first",
        [TACIT_MONTH_FIRST] = "date:month-first",
    };
    switch (spec->kind) {
    case TACIT_HIERARCHY_MASK:
        tacit__strbuf_text(out, spec->mask_left ? "mask:left" : "mask:right");
        break;
    case TACIT_HIERARCHY_DATE: tacit__strbuf_text(out, dates[order]); break;
    case TACIT_HIERARCHY_INTERVAL:
        add_number(out, "interval:", spec->origin);
        for (int i = 0; i < spec->width_count; i++)
            add_number(out, i ? "," : "/", spec->widths[i]);
        break;
    case TACIT_HIERARCHY_FILE:
    case TACIT_HIERARCHY_NONE: tacit__strbuf_text(out, "none"); break;
    }
}

static tacit_status name_file(tacit_ledger_column *column, const tacit_hierarchy_spec *spec,
                              const unsigned char *key, tacit_error *err)
{
    char *path = realpath(spec->path, NULL);
    if (!path)
        return errno == ENOMEM ? tacit__nomem(err)
                               : tacit__io(err, spec->path, "cannot find", errno);
    size_t len = strlen(path);
    tacit_status status = TACIT_OK;
    if (tacit__utf8_valid(path, len) != len)
        status = tacit__error_at(err, TACIT_INVALID, spec->path, 0, 0,
                                 "a ledger can only remember names that are UTF-8; give the "
                                 "hierarchy's file, or its folder, another name");
    else
        status = tacit__ledger_digest_file(column->file_hash, key, TACIT__LEDGER_HIERARCHY,
                                           spec->path, err);
    column->hierarchy = status == TACIT_OK ? tacit__copy_bytes(path, len) : NULL;
    if (status == TACIT_OK && !column->hierarchy)
        status = tacit__nomem(err);
    free(path); /* realpath's */
    return status;
}

static int64_t form_of(const tacit_ledger_fact *fact)
{
    const tacit_hierarchy *hierarchy = fact->hierarchy;
    if (!hierarchy)
        return 0;
    if (fact->spec->kind == TACIT_HIERARCHY_MASK)
        return tacit_hierarchy_height(hierarchy);
    if (fact->spec->kind != TACIT_HIERARCHY_INTERVAL || tacit_hierarchy_count(hierarchy, 1) == 0)
        return 0;
    return tacit_hierarchy_label(hierarchy, 1, 0).bytes[0] == '[';
}

const tacit_ledger_fact *tacit__fact_find(const tacit_ledger_fact *facts, int32_t count,
                                          const char *name)
{
    for (int32_t i = 0; i < count; i++)
        if (strcmp(facts[i].name, name) == 0)
            return &facts[i];
    return NULL;
}

tacit_status tacit__ledger_column_init(tacit_ledger_column *column, tacit_strview name,
                                       const tacit_ledger_fact *fact, const unsigned char *key,
                                       tacit_error *err)
{
    const char *role = fact && fact->role ? fact->role : "none";
    column->name = tacit__copy_bytes(name.bytes, name.len);
    column->role = tacit__copy_bytes(role, strlen(role));
    if (!column->name || !column->role)
        return tacit__nomem(err);
    if (fact && fact->spec && fact->spec->kind == TACIT_HIERARCHY_FILE)
        return name_file(column, fact->spec, key, err);
    static const tacit_hierarchy_spec none;
    tacit__strbuf rule = {0};
    const tacit_hierarchy_spec *spec = fact && fact->spec ? fact->spec : &none;
    bool bound = fact && fact->hierarchy && spec->order == TACIT_DATES_TELL;
    write_rule(&rule, spec, bound ? fact->hierarchy->order : spec->order);
    if (rule.failed) {
        tacit__strbuf_clear(&rule);
        return tacit__nomem(err);
    }
    column->hierarchy = rule.bytes;
    column->form = fact && fact->spec ? form_of(fact) : 0;
    return TACIT_OK;
}
