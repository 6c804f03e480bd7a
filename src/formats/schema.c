/*
 * schema.c - what is known of a file's columns. Everything that it names lives in its arena.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"
#include "formats/formats.h"

tacit_status tacit__schema_new(tacit_schema **out, const tacit_format *format, tacit_error *err)
{
    tacit_schema *schema = tacit__alloc_zeroed(1, sizeof *schema);
    if (!schema)
        return tacit__nomem(err);
    schema->format = format;
    schema->kept = 1;
    *out = schema;
    return TACIT_OK;
}

tacit_schema *tacit_schema_keep(const tacit_schema *schema)
{
    tacit_schema *kept = (tacit_schema *)(uintptr_t)schema;
    if (kept)
        kept->kept++;
    return kept;
}

void tacit_schema_free(tacit_schema *schema)
{
    if (!schema || --schema->kept > 0)
        return;
    for (size_t i = 0; i < schema->label_set_count; i++)
        tacit__free(schema->label_sets[i].labels);
    tacit__free(schema->label_sets);
    tacit__free(schema->columns);
    tacit__arena_clear(&schema->arena);
    tacit__free(schema);
}

tacit__schema_column *tacit__schema_add(tacit_schema *schema, tacit_strview name)
{
    tacit__schema_column column = {.name = tacit__arena_copy(&schema->arena, name),
                                   .label_set = -1};
    if (!column.name.bytes ||
        !TACIT__PUSH(schema->columns, schema->capacity, schema->count, column))
        return NULL;
    return &schema->columns[schema->count - 1];
}

const tacit__schema_column *tacit__schema_find(const tacit_schema *schema, tacit_strview name)
{
    for (size_t i = 0; i < schema->count; i++)
        if (tacit_strview_equal(schema->columns[i].name, name))
            return &schema->columns[i];
    return NULL;
}

int32_t tacit__schema_label_set(tacit_schema *schema, tacit_strview name)
{
    for (size_t i = 0; i < schema->label_set_count; i++)
        if (tacit_strview_equal(schema->label_sets[i].name, name))
            return (int32_t)i;
    tacit__label_set set = {.name = tacit__arena_copy(&schema->arena, name)};
    if (!set.name.bytes ||
        !TACIT__PUSH(schema->label_sets, schema->label_set_capacity, schema->label_set_count, set))
        return -1;
    return (int32_t)schema->label_set_count - 1;
}

bool tacit__schema_label(tacit_schema *schema, int32_t set, tacit_strview value, tacit_strview text)
{
    tacit__label_set *labels = &schema->label_sets[set];
    tacit__label label = {tacit__arena_copy(&schema->arena, value),
                          tacit__arena_copy(&schema->arena, text)};
    return label.value.bytes && label.text.bytes &&
           TACIT__PUSH(labels->labels, labels->capacity, labels->count, label);
}

const tacit_format *tacit_schema_format(const tacit_schema *schema)
{
    return schema->format;
}
