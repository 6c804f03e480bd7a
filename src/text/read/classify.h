/*
 * classify.h - what sort of document it is (section 9.3): some of Scrub's detectors classify
 * the format of the document as letter, notes or delimited text, and what capitals say depends
 * on whether the document has any.
 */
#ifndef TACIT_TEXT_READ_CLASSIFY_H
#define TACIT_TEXT_READ_CLASSIFY_H

#include "text/read/document.h"

/* Of a document that has so many words of each shape. */
tacit__casing tacit__casing_of(const size_t shapes[TACIT__SHAPES]);

/* Of a document whose words are read. */
tacit_text_format tacit__format_of(const tacit__document *document);

#endif
