/*
 * hash.c - BLAKE2b as a ledger uses it: under the ledger's key for labels, hierarchy and policy
 * files and checksums, and without one for releases, so that anybody can compare those with what
 * `b2sum -l 256` says. Each use of the key starts with words of its own, and the length of a
 * column's name is hashed before the name, so that no two uses meet.
 *
 * A label costs a compression or two, below a microsecond.
 */
#include "ledger/ledger.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/parallel.h"

enum { DIGEST = TACIT_LEDGER_HASH / 2 };

static void update(crypto_generichash_state *state, const void *bytes, size_t len)
{
    if (len)
        crypto_generichash_update(state, bytes, len);
}

void tacit__label_hasher_init(tacit__label_hasher *hasher, const unsigned char *key,
                              tacit_strview column)
{
    static const char what[] = "tacit ledger label 1:";
    unsigned char len[8];
    for (int i = 0; i < 8; i++)
        len[i] = (unsigned char)((uint64_t)column.len >> 8 * i);
    crypto_generichash_init(&hasher->start, key, TACIT__LEDGER_KEY, TACIT__LABEL_HASH);
    update(&hasher->start, what, sizeof what - 1);
    update(&hasher->start, len, sizeof len);
    update(&hasher->start, column.bytes, column.len);
}

void tacit__label_hash(unsigned char out[TACIT__LABEL_HASH], const tacit__label_hasher *hasher,
                       tacit_strview label)
{
    crypto_generichash_state state = hasher->start;
    update(&state, label.bytes, label.len);
    crypto_generichash_final(&state, out, TACIT__LABEL_HASH);
}

void tacit__ledger_digest(char out[TACIT_LEDGER_HASH + 1], const unsigned char *key,
                          const char *what, tacit_strview bytes)
{
    crypto_generichash_state state;
    unsigned char digest[DIGEST];
    crypto_generichash_init(&state, key, key ? TACIT__LEDGER_KEY : 0, sizeof digest);
    update(&state, what, strlen(what));
    update(&state, bytes.bytes, bytes.len);
    crypto_generichash_final(&state, digest, sizeof digest);
    sodium_bin2hex(out, TACIT_LEDGER_HASH + 1, digest, sizeof digest);
}

tacit_status tacit__ledger_digest_file(char out[TACIT_LEDGER_HASH + 1], const unsigned char *key,
                                       const char *what, const char *path, tacit_error *err)
{
    tacit__input input = {0};
    tacit_status status = tacit__input_open(&input, path, 0, NULL, err);
    if (status == TACIT_OK)
        tacit__ledger_digest(out, key, what, (tacit_strview){input.bytes, input.len});
    tacit__input_close(&input);
    return status;
}

tacit_status tacit_ledger_hash_fd(char hash[TACIT_LEDGER_HASH + 1], int64_t *size, int fd,
                                  const char *name, const tacit_run *run, tacit_error *err)
{
    enum { PIECE = 1 << 16, PIECES = 256 };
    crypto_generichash_state state;
    unsigned char piece[PIECE], digest[DIGEST];
    int64_t at = 0;
    crypto_generichash_init(&state, NULL, 0, sizeof digest);
    for (int64_t i = 0;; i++) {
        ssize_t got = pread(fd, piece, sizeof piece, at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return tacit__io(err, name, "cannot read", errno);
        if (got == 0)
            break;
        update(&state, piece, (size_t)got);
        at += got;
        tacit_status status = i % PIECES ? TACIT_OK : tacit__progress(run, "hashing", at, 0, err);
        if (status != TACIT_OK)
            return status;
    }
    crypto_generichash_final(&state, digest, sizeof digest);
    sodium_bin2hex(hash, TACIT_LEDGER_HASH + 1, digest, sizeof digest);
    *size = at;
    return TACIT_OK;
}
