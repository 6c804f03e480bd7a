/*
 * veil.h - values replaced by texts that are made of them under a key.
 */
#ifndef TACIT_TECHNIQUES_KEYED_VEIL_H
#define TACIT_TECHNIQUES_KEYED_VEIL_H

#include "techniques/runner/technique.h"

/* How a value becomes a text. */
typedef struct tacit__veil {
    /* Bytes of the text that a value of so many gets. */
    size_t (*length)(size_t len, const void *context);
    /* Writes it, and a zero behind it if it likes; scratch has room for as many bytes. random is
     * for veils of each cell. */
    void (*write)(char *out, unsigned char *scratch, tacit_strview value, tacit_strview column,
                  tacit__random *random, const void *context);
    const void *context;
    bool each;  /* every cell gets a text of its own; else every value, wherever it stands */
    bool empty; /* empty cells get one too */
} tacit__veil;

/* Replaces the cells of the columns, notes how many, and claims what holds of them. */
tacit_status tacit__veil_columns(tacit__sheet *sheet, const tacit__runner_call *call,
                                 const tacit__runner_value *columns, const tacit__veil *veil,
                                 tacit_error *err);

/* The step's key: that of the file which the setting names, made where there is none, or one of the
 * run's own, which nobody has in the end. To be freed by tacit__key_free. */
tacit_status tacit__veil_key(unsigned char **key, const tacit__runner_call *call,
                             const tacit__runner_value *setting, tacit_error *err);

#endif
