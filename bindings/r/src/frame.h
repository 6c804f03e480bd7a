/*
 * frame.h - data frames as Arrow C streams, and streams as data frames.
 */
#ifndef TACIT_R_FRAME_H
#define TACIT_R_FRAME_H

#include <stdbool.h>

#include <tacit/arrow.h>

#define R_NO_REMAP
#include <Rinternals.h>

/* A stream that was read, as far as it was: what frame_read() needs to be ended by a longjmp of R
 * without losing memory. Zero-initialized is empty. */
typedef struct frame_batches {
    struct ArrowSchema schema;
    struct ArrowArray *arrays;
    size_t count, capacity;
} frame_batches;

/* A stream over the columns that R/frame.R prepared. Numbers stay where R has them, so columns must
 * be protected for as long as the stream is used; no function of R is called by the stream. NULL,
 * or what is wrong. */
const char *frame_export(struct ArrowArrayStream *out, SEXP columns);

/* The columns of a stream as a list of vectors, named; each has an attribute "format", and one of
 * numbered texts an attribute "words". Columns
 * named in wide keep whole numbers of 64 bits as the bits of a double. The stream is released. */
SEXP frame_read(frame_batches *batches, struct ArrowArrayStream *stream, SEXP wide);

void frame_batches_clear(frame_batches *batches);

#endif
