/*
 * piece.h - where a piece of a document ends, so that documents of any length are read in
 * constant memory.
 */
#ifndef TACIT_TEXT_READ_PIECE_H
#define TACIT_TEXT_READ_PIECE_H

#include <tacit/base.h>

/* How much of the text is the next piece, at most limit: all where it is the last and fits;
 * otherwise up to the last empty line in the second half, or else the last line, or word, or
 * character. Depends on the bytes alone. */
size_t tacit__piece_end(tacit_strview text, size_t limit, bool last);

#endif
