/*
 * arrow_owned.c - what is handed over: each array, schema and stream owns its memory and frees it
 * when it is released. A child may be taken out of its parent, as the specification allows, and is
 * then released by itself.
 */
#include "formats/arrow_owned.h"

#include <errno.h>
#include <stdio.h>

#include "base/alloc.h"

static void release_array(struct ArrowArray *array)
{
    tacit__arrow_owned *owned = array->private_data;
    for (int64_t i = 0; i < array->n_children; i++)
        if (array->children[i]->release)
            array->children[i]->release(array->children[i]);
    if (array->dictionary && array->dictionary->release)
        array->dictionary->release(array->dictionary);
    for (int i = 0; i < TACIT__ARROW_BUFFERS; i++)
        tacit__free(owned->buffers[i]);
    tacit__free(owned->children);
    tacit__free(owned->child_pointers);
    tacit__free(owned);
    array->release = NULL;
}

static void release_schema(struct ArrowSchema *schema)
{
    tacit__arrow_owned_schema *owned = schema->private_data;
    for (int64_t i = 0; i < schema->n_children; i++)
        if (schema->children[i]->release)
            schema->children[i]->release(schema->children[i]);
    if (schema->dictionary && schema->dictionary->release)
        schema->dictionary->release(schema->dictionary);
    tacit__free(owned->name);
    tacit__free(owned->children);
    tacit__free(owned->child_pointers);
    tacit__free(owned);
    schema->release = NULL;
}

tacit__arrow_owned *tacit__arrow_array_new(struct ArrowArray *array, int64_t length,
                                           int64_t children)
{
    tacit__arrow_owned *owned = tacit__alloc_zeroed(1, sizeof *owned);
    if (!owned)
        return NULL;
    *array = (struct ArrowArray){.length = length,
                                 .buffers = owned->pointers,
                                 .release = release_array,
                                 .private_data = owned};
    if (children == 0)
        return owned;
    owned->children = tacit__alloc_zeroed((size_t)children, sizeof *owned->children);
    owned->child_pointers = tacit__alloc_zeroed((size_t)children, sizeof *owned->child_pointers);
    if (!owned->children || !owned->child_pointers) {
        release_array(array);
        return NULL;
    }
    for (int64_t i = 0; i < children; i++)
        owned->child_pointers[i] = &owned->children[i];
    array->children = owned->child_pointers;
    array->n_children = children;
    return owned;
}

tacit__arrow_owned_schema *tacit__arrow_schema_new(struct ArrowSchema *schema, const char *format,
                                                   tacit_strview name, int64_t children)
{
    tacit__arrow_owned_schema *owned = tacit__alloc_zeroed(1, sizeof *owned);
    if (!owned)
        return NULL;
    snprintf(owned->format, sizeof owned->format, "%s", format);
    *schema = (struct ArrowSchema){.format = owned->format,
                                   .flags = children ? 0 : ARROW_FLAG_NULLABLE,
                                   .release = release_schema,
                                   .private_data = owned};
    owned->name = tacit__copy_bytes(name.bytes, name.len);
    schema->name = owned->name;
    bool failed = !owned->name;
    if (children > 0) {
        owned->children = tacit__alloc_zeroed((size_t)children, sizeof *owned->children);
        owned->child_pointers =
            tacit__alloc_zeroed((size_t)children, sizeof *owned->child_pointers);
        failed = failed || !owned->children || !owned->child_pointers;
    }
    if (failed) {
        release_schema(schema);
        return NULL;
    }
    for (int64_t i = 0; i < children; i++)
        owned->child_pointers[i] = &owned->children[i];
    schema->children = owned->child_pointers;
    schema->n_children = children;
    return owned;
}

/* ---- the stream ---- */

typedef struct release_stream {
    struct ArrowSchema schema;
    struct ArrowArray batch; /* until it is taken */
} release_stream;

static bool copy_schema(struct ArrowSchema *out, const struct ArrowSchema *schema)
{
    tacit__arrow_owned_schema *owned = tacit__arrow_schema_new(
        out, schema->format, tacit_strview_of(schema->name), schema->n_children);
    bool whole = owned;
    for (int64_t i = 0; i < schema->n_children && whole; i++)
        whole = copy_schema(out->children[i], schema->children[i]);
    if (whole && schema->dictionary) {
        whole = copy_schema(&owned->dictionary, schema->dictionary);
        out->dictionary = whole ? &owned->dictionary : NULL;
    }
    if (owned && !whole)
        release_schema(out);
    return whole;
}

static int give_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    const release_stream *own = stream->private_data;
    return copy_schema(out, &own->schema) ? 0 : ENOMEM;
}

static int give_batch(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    release_stream *own = stream->private_data;
    *out = own->batch;
    own->batch = (struct ArrowArray){0};
    return 0;
}

static const char *last_error(struct ArrowArrayStream *stream)
{
    (void)stream;
    return NULL;
}

static void release_stream_of(struct ArrowArrayStream *stream)
{
    release_stream *own = stream->private_data;
    if (own->schema.release)
        own->schema.release(&own->schema);
    if (own->batch.release)
        own->batch.release(&own->batch);
    tacit__free(own);
    stream->release = NULL;
}

bool tacit__arrow_stream_new(struct ArrowArrayStream *stream, const struct ArrowSchema *schema,
                             const struct ArrowArray *batch)
{
    release_stream *own = tacit__alloc(sizeof *own);
    if (!own)
        return false;
    *own = (release_stream){*schema, *batch};
    *stream = (struct ArrowArrayStream){.get_schema = give_schema,
                                        .get_next = give_batch,
                                        .get_last_error = last_error,
                                        .release = release_stream_of,
                                        .private_data = own};
    return true;
}
