/*
 * arrow_owned.h - arrays, schemas and streams that are handed over with the memory they own.
 */
#ifndef TACIT_SRC_FORMATS_ARROW_OWNED_H
#define TACIT_SRC_FORMATS_ARROW_OWNED_H

#include <tacit/arrow.h>
#include <tacit/base.h>

enum { TACIT__ARROW_FORMAT_SIZE = 80, TACIT__ARROW_BUFFERS = 3 };

/* An array's buffers, which go with it; pointers is what the array shows of them. */
typedef struct tacit__arrow_owned {
    const void *pointers[TACIT__ARROW_BUFFERS];
    void *buffers[TACIT__ARROW_BUFFERS];
    struct ArrowArray dictionary;
    struct ArrowArray *children; /* NULL of a column */
    struct ArrowArray **child_pointers;
} tacit__arrow_owned;

typedef struct tacit__arrow_owned_schema {
    char format[TACIT__ARROW_FORMAT_SIZE];
    char *name;
    struct ArrowSchema dictionary;
    struct ArrowSchema *children;
    struct ArrowSchema **child_pointers;
} tacit__arrow_owned_schema;

/* An array with places for so many children, which are released with it once they are something.
 * NULL: no memory. */
tacit__arrow_owned *tacit__arrow_array_new(struct ArrowArray *array, int64_t length,
                                           int64_t children);
tacit__arrow_owned_schema *tacit__arrow_schema_new(struct ArrowSchema *schema, const char *format,
                                                   tacit_strview name, int64_t children);

/* A stream of one batch. Schema and batch are the stream's, or, where it is false for want of
 * memory, still the caller's. */
bool tacit__arrow_stream_new(struct ArrowArrayStream *stream, const struct ArrowSchema *schema,
                             const struct ArrowArray *batch);

#endif
