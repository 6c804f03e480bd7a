/*
 * replace.h - what stands where a span stood (section 9.3.1): nothing, a tag, or another value
 * in the form of the one that was found. Values are drawn from a stream that the key and the
 * folded value choose, so the same value gets the same replacement as far as the scope says.
 * Dates move, each document's by a number of days of its own.
 */
#ifndef TACIT_TEXT_REPLACE_REPLACE_H
#define TACIT_TEXT_REPLACE_REPLACE_H

#include "base/strbuf.h"
#include "text/read/document.h"

#include <tacit/experimental/text.h>

/* What belongs to one document: its secret (for dates' offset and for the scope of a
 * document) and the names that made-up values must not collide with. */
typedef struct tacit__disguise tacit__disguise;
tacit_status tacit__disguise_new(tacit__disguise **out, tacit_error *err);
void tacit__disguise_free(tacit__disguise *disguise);

/* A new document. Its number is in the order of the batch and chooses the document's secret,
 * together with the key. Of the options strategies, scope and key count here. */
void tacit__disguise_begin(tacit__disguise *disguise, const tacit_scrub_options *options,
                           uint64_t number);

/* The same for another text of one record: its dates move as far as those before it did. */
void tacit__disguise_begin_beside(tacit__disguise *disguise, const tacit_scrub_options *options,
                                  uint64_t number);

/* Behind tacit__disguise_begin: whom the document is about. Dates of documents with the same
 * subject and the key move alike, and those of others do not. */
void tacit__disguise_subject(tacit__disguise *disguise, tacit_strview subject);

/* A date that comes later: true where it is a day with its year. Days that have none are near to it
 * from now on. */
bool tacit__disguise_foresee(tacit__disguise *disguise, tacit_strview date);

/* Whether the document has shown a day with its year, replaced or foreseen. */
bool tacit__disguise_has_year(const tacit__disguise *disguise);

/* The piece is in another language than English: months have that language's names. */
void tacit__disguise_language(tacit__disguise *disguise, const tacit__document *document);

/* Words of the piece that made-up names must not equal. Before the piece's spans. */
tacit_status tacit__disguise_avoid(tacit__disguise *disguise, const tacit__document *document,
                                   tacit_error *err);

/* Appends what stands for the span's text. */
tacit_status tacit__replace(tacit__strbuf *out, tacit__disguise *disguise,
                            const tacit_scrub_options *options, tacit_text_kind kind,
                            tacit_strview text, tacit_error *err);

/* The same for a part of the document's text, whose words need not be cut and looked up again;
 * first is the first of them that begins there or behind. */
tacit_status tacit__replace_words(tacit__strbuf *out, tacit__disguise *disguise,
                                  const tacit_scrub_options *options, tacit_text_kind kind,
                                  tacit_strview text, const tacit__document *document, size_t first,
                                  tacit_error *err);

/* The same for what only a guess supports: a number that was made up might stand for a pressure, a
 * dose or a score, so what has digits becomes a tag where another value would be put. */
tacit_status tacit__replace_guess(tacit__strbuf *out, tacit__disguise *disguise,
                                  const tacit_scrub_options *options, tacit_text_kind kind,
                                  tacit_strview text, const tacit__document *document, size_t first,
                                  tacit_error *err);

/* Asks the processor for what is noted of a span that will be replaced soon. */
void tacit__replace_expect(const tacit__disguise *disguise, tacit_text_kind kind,
                           tacit_strview text);

#endif
