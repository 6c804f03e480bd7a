/*
 * encoding.h - text that is not UTF-8: which encoding it has, and the same text as UTF-8.
 */
#ifndef TACIT_TABLE_ENCODING_H
#define TACIT_TABLE_ENCODING_H

#include <tacit/table.h>

#include "base/strbuf.h"

/* The encoding of these bytes, by what was asked for; TACIT_ENCODING_UTF8 also where nothing fits,
 * for then the reader has to say what is wrong. */
tacit_encoding tacit__encoding_of(tacit_strview bytes, tacit_encoding asked);

/* Adds the text as UTF-8, without a byte order mark. Bytes that the encoding has no character for
 * are TACIT_PARSE with their place in file. */
tacit_status tacit__encoding_decode(tacit__strbuf *out, tacit_strview bytes,
                                    tacit_encoding encoding, const char *file, tacit_error *err);

#endif
