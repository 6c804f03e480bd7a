/*
 * pseudonym.c - values replaced by keyed one-way pseudonyms: equal values by equal ones, in every
 * column and, with a key file, in every table. How they are made is in base/keyfile.c; who has the
 * key can tell whose pseudonym it is by trying all values, nobody else can.
 */
#include <string.h>

#include "base/error.h"
#include "base/keyfile.h"
#include "techniques/keyed/veil.h"

enum { PSEUDONYM_COLUMNS, PSEUDONYM_KEY };

static const tacit_technique_option PSEUDONYM_OPTIONS[] = {
    [PSEUDONYM_COLUMNS] = {"columns", TACIT_TECHNIQUE_COLUMNS,
                           .help = "columns of values that identify people", .required = true},
    [PSEUDONYM_KEY] = {"key", TACIT_TECHNIQUE_FILE,
                       .help =
                           "the file of the key, made on first use; without, the key is forgotten",
                       .secret = true},
    {.name = NULL},
};

static size_t pseudonym_length(size_t len, const void *context)
{
    (void)len, (void)context;
    return TACIT__PSEUDONYM_LENGTH;
}

static void write_pseudonym(char *out, unsigned char *scratch, tacit_strview value,
                            tacit_strview column, tacit__random *random, const void *context)
{
    (void)scratch, (void)column, (void)random;
    tacit__pseudonym(out, value, context);
}

static tacit_status apply_pseudonym(tacit__sheet *sheet, const tacit__runner_call *call,
                                    tacit_error *err)
{
    const tacit__runner_value *columns = &call->values[PSEUDONYM_COLUMNS];
    unsigned char *key = NULL;
    tacit_status status = tacit__sheet_load(sheet, columns->columns, columns->text_count, err);
    if (status == TACIT_OK)
        status = tacit__veil_key(&key, call, &call->values[PSEUDONYM_KEY], err);
    tacit__veil veil = {.length = pseudonym_length, .write = write_pseudonym, .context = key};
    if (status == TACIT_OK)
        status = tacit__veil_columns(sheet, call, columns, &veil, err);
    tacit__key_free(key);
    return status;
}

const tacit_technique tacit__technique_pseudonym = {
    .name = "pseudonym",
    .summary = "values replaced by pseudonyms that cannot be turned back",
    .effect = "pseudonyms can be grouped by, and say nothing else",
    .options = PSEUDONYM_OPTIONS,
    .features = TACIT_TECHNIQUE_OPAQUE,
    .code = &(const struct tacit__technique_code){.apply = apply_pseudonym},
};
