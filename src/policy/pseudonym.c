/*
 * pseudonym.c - pseudonyms of a policy: a key file in use, and what a value becomes under it. How
 * pseudonyms are made and keys are kept is in base/keyfile.c.
 */
#include <tacit/experimental/policy.h>

#include <assert.h>
#include <sodium.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/keyfile.h"
#include "base/random.h"

_Static_assert((int)TACIT_PSEUDONYM_LENGTH == (int)TACIT__PSEUDONYM_LENGTH, "one length");

struct tacit_pseudonyms {
    unsigned char *key;
};

tacit_status tacit_pseudonyms_new(tacit_pseudonyms **out, const char *key_file, bool *created,
                                  tacit_error *err)
{
    if (!key_file)
        return tacit__error(err, TACIT_INVALID,
                            "pseudonyms need a key file: write \"key-file: FILE\" in the policy or "
                            "give --key-file FILE; it is made on first use, keep it secret");
    bool made = false;
    tacit_pseudonyms *pseudonyms = tacit__alloc_zeroed(1, sizeof *pseudonyms);
    tacit_status status = pseudonyms ? tacit__key_new(&pseudonyms->key, err) : tacit__nomem(err);
    if (status == TACIT_OK)
        status = tacit__key_read(pseudonyms->key, &made, key_file, err);
    if (status != TACIT_OK) {
        tacit_pseudonyms_free(pseudonyms);
        return status;
    }
    sodium_mprotect_readonly(pseudonyms->key);
    if (created)
        *created = made;
    *out = pseudonyms;
    return TACIT_OK;
}

tacit_status tacit_pseudonyms_draw(tacit_pseudonyms **out, const tacit_run *run, tacit_error *err)
{
    tacit__random random;
    tacit_pseudonyms *pseudonyms = tacit__alloc_zeroed(1, sizeof *pseudonyms);
    tacit_status status = pseudonyms ? tacit__key_new(&pseudonyms->key, err) : tacit__nomem(err);
    if (status != TACIT_OK) {
        tacit_pseudonyms_free(pseudonyms);
        return status;
    }
    tacit__random_init(&random, run, "rows", 0);
    for (int i = 0; i < TACIT__KEY_BYTES; i++)
        pseudonyms->key[i] = (unsigned char)tacit__random_word(&random);
    sodium_memzero(&random, sizeof random);
    sodium_mprotect_readonly(pseudonyms->key);
    *out = pseudonyms;
    return TACIT_OK;
}

void tacit_pseudonyms_free(tacit_pseudonyms *pseudonyms)
{
    if (!pseudonyms)
        return;
    tacit__key_free(pseudonyms->key);
    tacit__free(pseudonyms);
}

size_t tacit_pseudonym(tacit_strview value, char *out, size_t size, const void *pseudonyms)
{
    if (value.len == 0)
        return 0;
    assert(size >= TACIT_PSEUDONYM_LENGTH);
    (void)size;
    const tacit_pseudonyms *held = pseudonyms;
    tacit__pseudonym(out, value, held->key);
    return TACIT_PSEUDONYM_LENGTH;
}
