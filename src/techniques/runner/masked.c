/*
 * masked.c - what was done, figures of each step; and what techniques ask of the runner.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"
#include "techniques/runner/masking.h"

void tacit_masked_free(tacit_masked *masked)
{
    if (!masked)
        return;
    for (size_t i = 0; i < masked->step_count; i++)
        tacit__free(masked->facts[i].list);
    tacit__free(masked->facts);
    tacit__free(masked->kept);
    tacit__arena_clear(&masked->arena);
    tacit__sheet_clear(&masked->sheet);
    tacit__free(masked);
}

void tacit_masked_let_go(tacit_masked *masked)
{
    tacit__sheet *sheet = &masked->sheet;
    tacit__sheet kept = {.rows = sheet->rows, .origin = sheet->origin};
    sheet->origin = NULL;
    tacit__sheet_clear(sheet);
    *sheet = kept;
}

int64_t tacit_masked_rows(const tacit_masked *masked)
{
    return masked->sheet.rows;
}

const uint32_t *tacit_masked_origin(const tacit_masked *masked)
{
    return masked->sheet.origin;
}

size_t tacit_masked_facts(const tacit_masked *masked, size_t step, const tacit_masked_fact **facts)
{
    *facts = masked->facts[step].list;
    return masked->facts[step].count;
}

size_t tacit_masked_kept(const tacit_masked *masked, const tacit_kept **kept)
{
    *kept = masked->kept;
    return masked->kept_count;
}

tacit_status tacit__note(const tacit__runner_call *call, const char *name, double number,
                         tacit_error *err)
{
    tacit__step_facts *facts = &call->masked->facts[call->step];
    for (size_t i = 0; i < facts->count; i++)
        if (strcmp(facts->list[i].name, name) == 0) {
            facts->list[i].number += number;
            return TACIT_OK;
        }
    return TACIT__PUSH(facts->list, facts->room, facts->count, (tacit_masked_fact){name, number})
               ? TACIT_OK
               : tacit__nomem(err);
}

/* ---- for techniques ---- */

tacit_status tacit__call_numbers(tacit__sheet *sheet, const tacit__runner_call *call,
                                 const tacit__runner_value *columns, tacit_error *err)
{
    tacit_status status = tacit__sheet_load(sheet, columns->columns, columns->text_count, err);
    for (size_t i = 0; status == TACIT_OK && i < columns->text_count; i++) {
        int32_t column = columns->columns[i];
        status = tacit__sheet_numbers(sheet, column, call->keep_others, err);
        if (status == TACIT_OK && call->decimals >= 0)
            tacit__sheet_decimals(&sheet->columns[column], call->decimals);
    }
    return status;
}

tacit_status tacit__call_error(const tacit__runner_call *call, const tacit__runner_value *value,
                               tacit_error *err, const char *format, ...)
{
    char text[512];
    va_list rest;
    va_start(rest, format);
    vsnprintf(text, sizeof text, format, rest);
    va_end(rest);
    return tacit__error_at(err, TACIT_INVALID, call->file,
                           value && value->line ? value->line : call->line, 0, "%s: %s",
                           call->technique->name, text);
}

tacit_status tacit__call_apart(const tacit__runner_call *call, size_t a, size_t b, tacit_error *err)
{
    const tacit__runner_value *x = &call->values[a], *y = &call->values[b];
    for (size_t i = 0; i < x->text_count; i++)
        for (size_t j = 0; j < y->text_count; j++)
            if (strcmp(x->texts[i], y->texts[j]) == 0)
                return tacit__call_error(call, y, err, "the column \"%s\" is in `%s` and in `%s`",
                                         tacit__show(tacit_strview_of(x->texts[i])).text,
                                         call->technique->options[a].name,
                                         call->technique->options[b].name);
    return TACIT_OK;
}
