/*
 * masking.c - steps in their order: checked, then applied one after the other to one sheet.
 */
#include "techniques/runner/masking.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

static tacit__runner_call call_of(const tacit_masking *masking, size_t index, const tacit_run *run,
                                  tacit_masked *masked)
{
    const tacit__runner_step *step = &masking->steps[index];
    return (tacit__runner_call){
        .technique = step->technique,
        .step = index,
        .values = step->values,
        .keep_others = step->keep_others,
        .decimals = step->decimals,
        .run = run,
        .file = step->file,
        .line = step->line,
        .masked = masked,
    };
}

static tacit_status read_step(tacit_masking *masking, const tacit_technique_step *asked,
                              tacit_error *err)
{
    tacit__runner_step *step = &masking->steps[masking->count];
    tacit_status status = tacit__step_read(step, asked, &masking->arena, err);
    if (status != TACIT_OK)
        return status;
    masking->count++;
    tacit__runner_call call = call_of(masking, masking->count - 1, NULL, NULL);
    return step->technique->code->check ? step->technique->code->check(&call, err) : TACIT_OK;
}

tacit_status tacit_masking_new(tacit_masking **out, const tacit_technique_step *steps, size_t count,
                               tacit_error *err)
{
    if (count > TACIT_MAX_STEPS)
        return tacit__error(err, TACIT_LIMIT, "a policy has at most %d techniques",
                            TACIT_MAX_STEPS);
    tacit_masking *masking = tacit__alloc_zeroed(1, sizeof *masking);
    if (!masking)
        return tacit__nomem(err);
    masking->steps = tacit__alloc_zeroed(count, sizeof *masking->steps);
    tacit_status status = masking->steps ? TACIT_OK : tacit__nomem(err);
    for (size_t i = 0; status == TACIT_OK && i < count; i++)
        status = read_step(masking, &steps[i], err);
    if (status == TACIT_OK)
        *out = masking;
    else
        tacit_masking_free(masking);
    return status;
}

void tacit_masking_free(tacit_masking *masking)
{
    if (!masking)
        return;
    for (size_t i = 0; i < masking->count; i++)
        tacit__step_clear(&masking->steps[i]);
    tacit__free(masking->steps);
    tacit__arena_clear(&masking->arena);
    tacit__free(masking);
}

size_t tacit_masking_steps(const tacit_masking *masking)
{
    return masking->count;
}

const tacit_technique *tacit_masking_technique(const tacit_masking *masking, size_t step)
{
    return masking->steps[step].technique;
}

size_t tacit_masking_columns(const tacit_masking *masking, size_t step, const char *const **names)
{
    const tacit__runner_step *s = &masking->steps[step];
    for (size_t i = 0; i < s->value_count; i++)
        if (strcmp(s->technique->options[i].name, "columns") == 0) {
            *names = s->values[i].texts;
            return s->values[i].text_count;
        }
    *names = NULL;
    return 0;
}

/* ---- columns ---- */

/* A column that an earlier step writes has no place in the table. */
static bool is_written(const tacit_masking *masking, size_t before, const char *name)
{
    for (size_t i = 0; i < before; i++) {
        const tacit__runner_step *step = &masking->steps[i];
        for (size_t j = 0; j < step->value_count; j++)
            if (strcmp(step->technique->options[j].name, "write") == 0 &&
                step->values[j].text_count == 1 && strcmp(step->values[j].texts[0], name) == 0)
                return true;
    }
    return false;
}

static tacit_status lacks(const tacit__runner_step *step, const tacit__runner_value *value,
                          const char *name, const tacit_table *table, tacit_error *err)
{
    tacit__shown shown = tacit__show(tacit_strview_of(name));
    return tacit__error_at(err, TACIT_INVALID, step->file, value->line, 0,
                           "%s names the column \"%s\", which %s does not have",
                           step->technique->name, shown.text, tacit_table_file(table));
}

tacit_status tacit_masking_check(const tacit_masking *masking, const tacit_table *table,
                                 tacit_error *err)
{
    for (size_t i = 0; i < masking->count; i++) {
        const tacit__runner_step *step = &masking->steps[i];
        for (size_t j = 0; j < step->value_count; j++) {
            const tacit__runner_value *value = &step->values[j];
            bool columns = step->technique->options[j].sort == TACIT_TECHNIQUE_COLUMNS;
            for (size_t n = 0; columns && n < value->text_count; n++)
                if (tacit_table_find(table, tacit_strview_of(value->texts[n])) < 0 &&
                    !is_written(masking, i, value->texts[n]))
                    return lacks(step, value, value->texts[n], table, err);
        }
    }
    return TACIT_OK;
}

/* The sheet's columns behind the names of a step. */
static tacit_status find_columns(tacit__runner_step *step, const tacit__sheet *sheet,
                                 tacit_error *err)
{
    for (size_t j = 0; j < step->value_count; j++) {
        tacit__runner_value *value = &step->values[j];
        if (step->technique->options[j].sort != TACIT_TECHNIQUE_COLUMNS || !value->given)
            continue;
        value->columns = tacit__alloc_array(value->text_count, sizeof *value->columns);
        if (!value->columns)
            return tacit__nomem(err);
        for (size_t n = 0; n < value->text_count; n++) {
            value->columns[n] = tacit__sheet_find(sheet, value->texts[n]);
            if (value->columns[n] < 0)
                return lacks(step, value, value->texts[n], sheet->table, err);
        }
    }
    return TACIT_OK;
}

/* ---- applying ---- */

static tacit_status apply_step(tacit_masked *masked, const tacit_masking *masking, size_t index,
                               const tacit_run *run, tacit_error *err)
{
    tacit__runner_step step = masking->steps[index];
    tacit_run seeded = *run;
    if (step.has_seed)
        tacit_run_seed_number(&seeded, step.seed);
    step.values = tacit__alloc_array(step.value_count + 1, sizeof *step.values);
    if (!step.values)
        return tacit__nomem(err);
    memcpy(step.values, masking->steps[index].values, step.value_count * sizeof *step.values);
    tacit__runner_call call = call_of(masking, index, &seeded, masked);
    call.values = step.values;
    tacit_status status = find_columns(&step, &masked->sheet, err);
    if (status == TACIT_OK)
        status = step.technique->code->apply(&masked->sheet, &call, err);
    if (status == TACIT_OK)
        tacit__claims_settle(masked, masking, index);
    step.file = NULL; /* the masking's */
    tacit__step_clear(&step);
    return status;
}

tacit_status tacit_masking_apply(tacit_masked **out, const tacit_masking *masking,
                                 const tacit_table *table, const tacit_run *run, tacit_error *err)
{
    tacit_status status = tacit_masking_check(masking, table, err);
    if (status != TACIT_OK)
        return status;
    tacit_masked *masked = tacit__alloc_zeroed(1, sizeof *masked);
    if (!masked)
        return tacit__nomem(err);
    masked->facts = tacit__alloc_zeroed(masking->count, sizeof *masked->facts);
    masked->step_count = masked->facts ? masking->count : 0;
    status = masked->facts ? tacit__sheet_init(&masked->sheet, table, run, err) : tacit__nomem(err);
    for (size_t i = 0; status == TACIT_OK && i < masking->count; i++)
        status = apply_step(masked, masking, i, run, err);
    masked->sheet.run = NULL; /* not the masked table's to keep */
    if (status == TACIT_OK)
        *out = masked;
    else
        tacit_masked_free(masked);
    return status;
}
