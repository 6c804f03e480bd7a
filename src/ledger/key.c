/*
 * key.c - the key of a ledger, 32 random bytes in a file that its owner alone may read, and what is
 * hashed under it.
 *
 * The key appears whole or not at all, since half a key would stop every later run. Whoever loses
 * it can recall nothing; whoever has it and the entries can test guesses. It is made under the
 * ledger's lock, which somebody may have removed: a key never takes the place of another, or the
 * entries made with that one would be lost.
 *
 * BLAKE2b is used under the key for labels, hierarchy and policy files and checksums, and without
 * one for releases, so that anybody can compare those with what `b2sum -l 256` says. Each use of
 * the key starts with words of its own, and the length of a column's name is hashed before the
 * name, so that no two uses meet. A label costs a compression or two, below a microsecond.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/parallel.h"
#include "ledger/ledger.h"

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

static tacit_status check_file(int fd, const char *path, tacit_error *err)
{
    struct stat about;
    if (fstat(fd, &about) != 0)
        return tacit__io(err, path, "cannot look at the ledger's key", errno);
    if (!S_ISREG(about.st_mode) || about.st_size != TACIT__LEDGER_KEY)
        return tacit__error_at(err, TACIT_PARSE, path, 0, 0,
                               "the ledger's key is no file of %d bytes; restore it from a copy: "
                               "without it nothing that was released can be recalled",
                               TACIT__LEDGER_KEY);
    if (about.st_mode & (S_IRWXG | S_IRWXO))
        return tacit__error_at(err, TACIT_INVALID, path, 0, 0,
                               "others than the owner may read or write the ledger's key (mode "
                               "%03o); if nobody has seen it, run: chmod 600 '%s'",
                               (unsigned)about.st_mode & 0777U, path);
    return TACIT_OK;
}

static tacit_status load_key(unsigned char *key, int fd, const char *path, tacit_error *err)
{
    tacit_status status = check_file(fd, path, err);
    size_t used = 0;
    while (status == TACIT_OK && used < TACIT__LEDGER_KEY) {
        ssize_t got = read(fd, key + used, TACIT__LEDGER_KEY - used);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            status = tacit__io(err, path, "cannot read the ledger's key", got < 0 ? errno : EIO);
        else
            used += (size_t)got;
    }
    return status;
}

/* *taken where somebody else has made one meanwhile, whose entries it may have already. */
static tacit_status make_new(unsigned char *key, bool *taken, const char *path, tacit_error *err)
{
    tacit_output *output = NULL;
    randombytes_buf(key, TACIT__LEDGER_KEY);
    tacit_status status = tacit_output_new_private(&output, path, err);
    if (status == TACIT_OK)
        status = tacit__write_at(tacit_output_fd(output), path, (const char *)key,
                                 TACIT__LEDGER_KEY, 0, err);
    if (status == TACIT_OK)
        status = tacit__output_publish(output, taken, err);
    tacit_output_free(output);
    return status;
}

static tacit_status open_key(unsigned char *key, const char *path, tacit_error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 && errno == ENOENT)
        return tacit__error_at(err, TACIT_IO, path, 0, 0,
                               "the ledger's key is missing; restore it from a copy: without it "
                               "nothing that was released can be recalled");
    if (fd < 0)
        return tacit__io(err, path, "cannot open the ledger's key", errno);
    tacit_status status = load_key(key, fd, path, err);
    close(fd);
    return status;
}

tacit_status tacit__ledger_key(unsigned char *key, const char *folder, bool make, tacit_error *err)
{
    char *path = tacit__ledger_path(folder, "key");
    if (!path)
        return tacit__nomem(err);
    bool taken = false, none = make && access(path, F_OK) != 0 && errno == ENOENT;
    tacit_status status = none ? make_new(key, &taken, path, err) : TACIT_OK;
    if (!none || taken)
        status = open_key(key, path, err);
    tacit__free(path);
    return status;
}
