/*
 * encrypt.c - encryption of values (Figure 17, "encryption"; Figure 19): strong, so that without
 * the key a value says nothing but which others are equal to it, and not even that where each cell
 * is encrypted by itself; and back again for who has the key.
 *
 * A value is padded, so that its length does not tell what it is, and encrypted by
 * XChaCha20-Poly1305, with the column's name authenticated: a cell cannot be moved to another
 * column. The nonce is BLAKE2b of the column's name, the padded value and, cell by cell, random
 * bits, under a key of its own (as in SIV: Rogaway and Shrimpton, A provable-security treatment of
 * the key-wrap problem, 2006): a nonce never serves two values, even where a seed is used twice.
 * The text is nonce, ciphertext and tag in base64url. Both keys derive from the one in the file.
 */
#include <sodium.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/keyfile.h"
#include "techniques/keyed/veil.h"

enum { ENCRYPT_COLUMNS, ENCRYPT_WAY, ENCRYPT_KEY, ENCRYPT_PAD, ENCRYPT_MISSING };

enum {
    NONCE = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES,
    TAG = crypto_aead_xchacha20poly1305_ietf_ABYTES,
    SALT_WORDS = 4,
    VARIANT = sodium_base64_VARIANT_URLSAFE_NO_PADDING
};

_Static_assert((int)TACIT__KEY_BYTES == (int)crypto_aead_xchacha20poly1305_ietf_KEYBYTES &&
                   (int)TACIT__KEY_BYTES == (int)crypto_kdf_KEYBYTES,
               "keys of one size");

static const char CONTEXT[crypto_kdf_CONTEXTBYTES + 1] = "tacitval";

static const char *const WAYS[] = {"same", "each", NULL};
static const char *const MISSINGS[] = {"keep", "encrypt", NULL};

static const tacit_technique_option ENCRYPT_OPTIONS[] = {
    [ENCRYPT_COLUMNS] = {"columns", TACIT_TECHNIQUE_COLUMNS,
                         .help = "columns of values to be kept secret", .required = true},
    [ENCRYPT_WAY] = {"way", TACIT_TECHNIQUE_CHOICE,
                     .help =
                         "equal values of a column stay equal, or each cell is encrypted by itself",
                     .choices = WAYS},
    [ENCRYPT_KEY] = {"key", TACIT_TECHNIQUE_FILE,
                     .help =
                         "the file of the key, made on first use; without, the key is forgotten",
                     .secret = true},
    [ENCRYPT_PAD] =
        {"pad", TACIT_TECHNIQUE_INTEGER,
         .help = "values are filled up to multiples of so many bytes, to hide their lengths",
         .least = 1, .most = 4096, .usual = 32},
    [ENCRYPT_MISSING] =
        {"missing", TACIT_TECHNIQUE_CHOICE,
         .help = "empty cells stay empty, or are encrypted too, so that they do not show",
         .choices = MISSINGS},
    {.name = NULL},
};

/* Keys for nonces and for values. */
typedef struct keys {
    unsigned char *nonce, *value;
} keys;

static void clear_keys(keys *k)
{
    tacit__key_free(k->nonce);
    tacit__key_free(k->value);
}

static tacit_status derive(keys *k, const unsigned char *key, tacit_error *err)
{
    tacit_status status = tacit__key_new(&k->nonce, err);
    if (status == TACIT_OK)
        status = tacit__key_new(&k->value, err);
    if (status != TACIT_OK)
        return status;
    crypto_kdf_derive_from_key(k->nonce, TACIT__KEY_BYTES, 1, CONTEXT, key);
    crypto_kdf_derive_from_key(k->value, TACIT__KEY_BYTES, 2, CONTEXT, key);
    return TACIT_OK;
}

/* ---- encryption ---- */

typedef struct sealing {
    keys keys;
    size_t pad;
    bool salted;
} sealing;

/* A mark ends the value, then come zeros. */
static size_t padded(size_t len, size_t pad)
{
    return (len / pad + 1) * pad;
}

static size_t length(size_t len, const void *context)
{
    const sealing *s = context;
    return sodium_base64_encoded_len(NONCE + padded(len, s->pad) + TAG, VARIANT) - 1;
}

static void make_nonce(unsigned char *nonce, const sealing *s, const unsigned char *value,
                       size_t len, tacit_strview column, tacit__random *random)
{
    crypto_generichash_state state;
    uint32_t salt[SALT_WORDS + 1] = {s->salted};
    uint64_t name = column.len;
    for (int i = 1; s->salted && i <= SALT_WORDS; i++)
        salt[i] = tacit__random_word(random);
    crypto_generichash_init(&state, s->keys.nonce, TACIT__KEY_BYTES, NONCE);
    crypto_generichash_update(&state, (const unsigned char *)&name, sizeof name);
    crypto_generichash_update(&state, (const unsigned char *)column.bytes, column.len);
    crypto_generichash_update(&state, (const unsigned char *)salt, sizeof salt);
    crypto_generichash_update(&state, value, len);
    crypto_generichash_final(&state, nonce, NONCE);
    sodium_memzero(&state, sizeof state);
}

static void seal(char *out, unsigned char *scratch, tacit_strview value, tacit_strview column,
                 tacit__random *random, const void *context)
{
    const sealing *s = context;
    unsigned char *body = scratch + NONCE;
    size_t len = padded(value.len, s->pad);
    if (value.len)
        memcpy(body, value.bytes, value.len);
    body[value.len] = 0x80;
    memset(body + value.len + 1, 0, len - value.len - 1);
    make_nonce(scratch, s, body, len, column, random);
    crypto_aead_xchacha20poly1305_ietf_encrypt(body, NULL, body, len,
                                               (const unsigned char *)column.bytes, column.len,
                                               NULL, scratch, s->keys.value);
    sodium_bin2base64(out, length(value.len, s) + 1, scratch, NONCE + len + TAG, VARIANT);
}

static tacit_status apply_encrypt(tacit__sheet *sheet, const tacit__runner_call *call,
                                  tacit_error *err)
{
    const tacit__runner_value *columns = &call->values[ENCRYPT_COLUMNS];
    sealing s = {.pad = (size_t)call->values[ENCRYPT_PAD].number,
                 .salted = call->values[ENCRYPT_WAY].choice == 1};
    tacit__veil veil = {.length = length,
                        .write = seal,
                        .context = &s,
                        .each = s.salted,
                        .empty = call->values[ENCRYPT_MISSING].choice == 1};
    unsigned char *key = NULL;
    tacit_status status = tacit__sheet_load(sheet, columns->columns, columns->text_count, err);
    if (status == TACIT_OK)
        status = tacit__veil_key(&key, call, &call->values[ENCRYPT_KEY], err);
    if (status == TACIT_OK)
        status = derive(&s.keys, key, err);
    tacit__key_free(key);
    if (status == TACIT_OK)
        status = tacit__veil_columns(sheet, call, columns, &veil, err);
    clear_keys(&s.keys);
    return status;
}

const tacit_technique tacit__technique_encrypt = {
    .name = "encrypt",
    .summary = "values encrypted under a key",
    .effect = "encrypted values say nothing to those without the key",
    .options = ENCRYPT_OPTIONS,
    .features = TACIT_TECHNIQUE_OPAQUE,
    .code = &(const struct tacit__technique_code){.apply = apply_encrypt},
};

/* ---- back again ---- */

struct tacit_decryption {
    keys keys;
};

tacit_status tacit_decryption_new(tacit_decryption **out, const char *key_file, tacit_error *err)
{
    unsigned char *key = NULL;
    tacit_decryption *decryption = tacit__alloc_zeroed(1, sizeof *decryption);
    tacit_status status = decryption ? tacit__key_new(&key, err) : tacit__nomem(err);
    if (status == TACIT_OK)
        status = tacit__key_read(key, NULL, key_file, err);
    if (status == TACIT_OK)
        status = derive(&decryption->keys, key, err);
    tacit__key_free(key);
    if (status == TACIT_OK)
        *out = decryption;
    else
        tacit_decryption_free(decryption);
    return status;
}

void tacit_decryption_free(tacit_decryption *decryption)
{
    if (!decryption)
        return;
    clear_keys(&decryption->keys);
    tacit__free(decryption);
}

static tacit_status not_ours(tacit_error *err)
{
    return tacit__error(err, TACIT_INVALID,
                        "not a value that was encrypted with this key in this column");
}

/* Takes the padding off; false where there is none. */
static bool unpad(size_t *len, const char *bytes, size_t count)
{
    while (count > 0 && bytes[count - 1] == 0)
        count--;
    if (count == 0 || (unsigned char)bytes[count - 1] != 0x80)
        return false;
    *len = count - 1;
    return true;
}

tacit_status tacit_decrypt_value(char *out, size_t *len, tacit_strview text, const char *column,
                                 const tacit_decryption *decryption, tacit_error *err)
{
    unsigned char *sealed = tacit__alloc(text.len);
    unsigned long long count = 0;
    size_t bytes = 0;
    if (!sealed)
        return tacit__nomem(err);
    bool opened =
        sodium_base642bin(sealed, text.len, text.bytes, text.len, NULL, &bytes, NULL, VARIANT) ==
            0 &&
        bytes > NONCE + TAG &&
        crypto_aead_xchacha20poly1305_ietf_decrypt(
            (unsigned char *)out, &count, NULL, sealed + NONCE, bytes - NONCE,
            (const unsigned char *)column, strlen(column), sealed, decryption->keys.value) == 0;
    tacit__free(sealed);
    return opened && unpad(len, out, (size_t)count) ? TACIT_OK : not_ours(err);
}
