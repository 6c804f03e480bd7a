/*
 * disguise.h - replacing spans in tests: one document at a time. Include this
 * behind cmocka.h.
 */
#ifndef TACIT_TESTS_SUPPORT_DISGUISE_H
#define TACIT_TESTS_SUPPORT_DISGUISE_H

#include <stdio.h>
#include <string.h>

#include "text/replace/replace.h"

typedef struct disguised {
    tacit_scrub_options options;
    tacit__disguise *disguise;
    tacit__strbuf out;
} disguised;

static inline void disguised_init(disguised *d, tacit_text_strategy strategy,
                                  tacit_text_scope scope, uint8_t key)
{
    *d = (disguised){.options = {.scope = scope, .key = {key}}};
    for (int kind = 0; kind < TACIT_TEXT_KINDS; kind++)
        d->options.strategy[kind] = strategy;
    assert_int_equal(tacit__disguise_new(&d->disguise, NULL), TACIT_OK);
    tacit__disguise_begin(d->disguise, &d->options, 0);
}

static inline void disguised_clear(disguised *d)
{
    tacit__disguise_free(d->disguise);
    tacit__strbuf_clear(&d->out);
}

static inline void disguised_begin(disguised *d, uint64_t number)
{
    tacit__disguise_begin(d->disguise, &d->options, number);
}

/* Terminated, until the next call. */
static inline const char *disguised_bytes(disguised *d, tacit_text_kind kind, const char *bytes,
                                          size_t len)
{
    tacit_error err = {0};
    d->out.len = 0;
    tacit_strview text = {.bytes = bytes, .len = len};
    assert_int_equal(tacit__replace(&d->out, d->disguise, &d->options, kind, text, &err), TACIT_OK);
    tacit__strbuf_add(&d->out, "", 0);
    return d->out.bytes;
}

static inline const char *disguised_text(disguised *d, tacit_text_kind kind, const char *text)
{
    return disguised_bytes(d, kind, text, strlen(text));
}

/* Letters as a or A, digits as 0, all else as it is: "Dr. Aaaa" of "Dr. Long". */
static inline void form_of(char *form, size_t size, const char *text)
{
    size_t i = 0;
    for (; text[i] && i + 1 < size; i++) {
        form[i] = text[i];
        if (text[i] >= 'a' && text[i] <= 'z')
            form[i] = 'a';
        else if (text[i] >= 'A' && text[i] <= 'Z')
            form[i] = 'A';
        else if (text[i] >= '0' && text[i] <= '9')
            form[i] = '0';
    }
    form[i] = '\0';
}

#endif
