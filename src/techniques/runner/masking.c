/*
 * masking.c - steps in their order: checked, then applied one after the other to one sheet; what
 * techniques ask of the runner meanwhile, and what is on record in the end.
 *
 * A step has a seed of its own (the run's, or its `seed`), and each of its streams a purpose and an
 * index: the numbers of a stretch do not depend on which thread draws them.
 *
 * A step speaks of what it was given when it claims to have kept something. That is the original
 * where no step before it has touched the columns it speaks of; where one has, and had claimed the
 * same, both together hold, within the sum of what each leaves open; otherwise nothing is known. A
 * later step undoes what earlier ones claim of its columns, and one that changes which rows there
 * are undoes everything.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/vector.h"
#include "techniques/runner/masking.h"
#include "techniques/runner/technique.h"

static bool copy_names(const char *const **out, size_t *count, tacit__arena *arena,
                       const tacit__runner_value *value)
{
    *out = NULL;
    *count = value ? value->text_count : 0;
    if (*count == 0)
        return true;
    const char **names = tacit__arena_alloc(arena, *count * sizeof *names);
    for (size_t i = 0; names && i < *count; i++) {
        names[i] = tacit__arena_copy(arena, tacit_strview_of(value->texts[i])).bytes;
        if (!names[i])
            return false;
    }
    *out = names;
    return names;
}

tacit_status tacit__claim(const tacit__runner_call *call, tacit_kept kept,
                          const tacit__runner_value *columns, const tacit__runner_value *within,
                          tacit_error *err)
{
    tacit_masked *masked = call->masked;
    kept.step = call->step;
    if (!copy_names(&kept.columns, &kept.column_count, &masked->arena, columns) ||
        !copy_names(&kept.within, &kept.within_count, &masked->arena, within) ||
        !TACIT__RESERVE_ONE(masked->kept, masked->kept_capacity, masked->kept_count))
        return tacit__nomem(err);
    masked->kept[masked->kept_count++] = kept;
    return TACIT_OK;
}

/* ---- which hold ---- */

static bool has(const char *const *names, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* Whether a step has changed something that a claim speaks of. */
static bool touches(const tacit_masking *masking, size_t step, const tacit_kept *kept)
{
    const char *const *names;
    size_t count = tacit_masking_columns(masking, step, &names);
    if (masking->steps[step].technique->features & TACIT_TECHNIQUE_OF_TUPLES)
        return true;
    for (size_t i = 0; i < count; i++)
        if (has(kept->columns, kept->column_count, names[i]) ||
            has(kept->within, kept->within_count, names[i]))
            return true;
    return false;
}

/* About the values that are released, whatever the original was. */
static bool is_absolute(const tacit_kept *kept)
{
    return kept->kind == TACIT_KEPT_GROUPS || kept->kind == TACIT_KEPT_RANGE ||
           kept->kind == TACIT_KEPT_NULL_MAP || kept->kind == TACIT_KEPT_TOGETHER;
}

static bool same_names(const char *const *a, size_t a_count, const char *const *b, size_t b_count)
{
    for (size_t i = 0; i < a_count; i++)
        if (!has(b, b_count, a[i]))
            return false;
    return a_count == b_count;
}

/* Whether two of the same claims in a row are one about both steps: two wrong maps may be a right
 * one, and what many rows have after a step a single row may have had before. */
static bool adds_up(tacit_kept_kind kind)
{
    return kind != TACIT_KEPT_WRONG_MAP && kind != TACIT_KEPT_COMMON && kind != TACIT_KEPT_UNCOPIED;
}

/* The same claim by a step before, which held until now. */
static const tacit_kept *earlier(const tacit_masked *masked, const tacit_kept *kept)
{
    for (const tacit_kept *each = masked->kept; each < kept; each++)
        if (each->kind == kept->kind && each->step < kept->step && adds_up(kept->kind) &&
            same_names(each->columns, each->column_count, kept->columns, kept->column_count) &&
            same_names(each->within, each->within_count, kept->within, kept->within_count))
            return each;
    return NULL;
}

/* Whether a claim of the step is one about the original. */
static bool reaches_back(tacit_kept *kept, const tacit_masked *masked, const tacit_masking *masking)
{
    bool untouched = true;
    for (size_t i = 0; i < kept->step; i++)
        untouched = untouched && !touches(masking, i, kept);
    if (untouched || is_absolute(kept))
        return true;
    const tacit_kept *before = earlier(masked, kept);
    if (before)
        kept->amount += before->amount;
    return before;
}

/* After a step: keeps the claims, its own and earlier ones, that hold of the original. */
static void settle_claims(tacit_masked *masked, const tacit_masking *masking, size_t step)
{
    size_t left = 0;
    for (size_t i = 0; i < masked->kept_count; i++) {
        tacit_kept *kept = &masked->kept[i];
        if (kept->step == step && !reaches_back(kept, masked, masking))
            kept->column_count = 0; /* of nothing: dropped below, where all can still be compared */
    }
    for (size_t i = 0; i < masked->kept_count; i++) {
        const tacit_kept *kept = &masked->kept[i];
        bool own = kept->step == step;
        if (own ? kept->column_count > 0 : !touches(masking, step, kept))
            masked->kept[left++] = *kept;
    }
    masked->kept_count = left;
}

/* Steps are told apart by two bytes of the purpose that are not zero, uses within one by a third.
 */
void tacit__call_random(tacit__random *random, const tacit__runner_call *call, uint8_t purpose,
                        uint32_t index)
{
    const char words[] = {(char)(0x80 | call->step % 100), (char)(1 + call->step / 100),
                          (char)(purpose + 1), 'T', '\0'};
    tacit__random_init(random, call->run, words, index);
}

double tacit__random_unit(tacit__random *random)
{
    uint64_t high = tacit__random_word(random) >> 5, low = tacit__random_word(random) >> 6;
    return (double)(high << 26 | low) * 0x1p-53;
}

double tacit__random_positive(tacit__random *random)
{
    return 1 - tacit__random_unit(random);
}

uint64_t tacit__random_below64(tacit__random *random, uint64_t bound)
{
    uint64_t most = UINT64_MAX - UINT64_MAX % bound, drawn;
    do {
        drawn = (uint64_t)tacit__random_word(random) << 32;
        drawn |= tacit__random_word(random);
    } while (drawn >= most);
    return drawn % bound;
}

typedef struct stretches {
    tacit__stretch_fn each;
    void *context;
    int64_t rows;
} stretches;

static tacit_status one(void *context, int64_t task, int worker, tacit_error *err)
{
    const stretches *s = context;
    int64_t from = task * TACIT__STRETCH, to = from + TACIT__STRETCH;
    return s->each(s->context, from, to < s->rows ? to : s->rows, task, worker, err);
}

tacit_status tacit__stretches(const tacit__sheet *sheet, const char *phase, tacit__stretch_fn each,
                              void *context, tacit_error *err)
{
    stretches s = {each, context, sheet->rows};
    return tacit__parallel(sheet->run, phase, (sheet->rows + TACIT__STRETCH - 1) / TACIT__STRETCH,
                           one, &s, err);
}

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
    return TACIT__PUSH(facts->list, facts->capacity, facts->count,
                       (tacit_masked_fact){name, number})
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
        settle_claims(masked, masking, index);
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
