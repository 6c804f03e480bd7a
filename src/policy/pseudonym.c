/*
 * pseudonym.c - keyed one-way pseudonyms and the file that holds their key.
 *
 * A pseudonym is BLAKE2b of the value under a 256-bit key, of which the first
 * 100 bits are written in 20 letters and digits of base32. Without the key
 * nobody can tell, even by trying all values there are, whose pseudonym it is;
 * with it, the same person gets the same pseudonym in every table. A fixed
 * prefix keeps these hashes apart from any other use of the key. A value costs
 * two compressions of BLAKE2b, a fraction of a microsecond.
 *
 * The key lives in guarded, locked memory while it is used and never appears in
 * a message. Its file is made with O_EXCL, so two first runs at once cannot
 * both make one, and is refused when others than its owner may touch it.
 */
#define _GNU_SOURCE
#include <tacit/policy.h>

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"

enum { KEY_BYTES = 32, HEX_DIGITS = 2 * KEY_BYTES, FILE_ROOM = HEX_DIGITS + 4 };

_Static_assert(KEY_BYTES == crypto_generichash_KEYBYTES, "a key of BLAKE2b");

static const char PREFIX[] = "tacit pseudonym 1:";

struct tacit_pseudonyms {
    unsigned char *key; /* from sodium_malloc */
};

/* ---- the key file ---- */

static tacit_status check_permissions(int fd, const char *path, tacit_error *err)
{
    struct stat about;
    if (fstat(fd, &about) != 0)
        return tacit__io(err, path, "cannot look at the key file", errno);
    if (!S_ISREG(about.st_mode))
        return tacit__error_at(err, TACIT_INVALID, path, 0, 0, "the key file is no regular file");
    if (about.st_mode & (S_IRWXG | S_IRWXO))
        return tacit__error_at(err, TACIT_INVALID, path, 0, 0,
                               "others than the owner may read or write the key file (mode %03o); "
                               "if nobody has seen it, run: chmod 600 '%s'",
                               (unsigned)about.st_mode & 0777U, path);
    return TACIT_OK;
}

static tacit_status read_text(char *text, size_t *len, int fd, const char *path, tacit_error *err)
{
    size_t used = 0;
    while (used < FILE_ROOM) {
        ssize_t got = read(fd, text + used, FILE_ROOM - used);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return tacit__io(err, path, "cannot read the key file", errno);
        if (got == 0)
            break;
        used += (size_t)got;
    }
    *len = used;
    return TACIT_OK;
}

/* 64 digits and at most one end of line. */
static bool decode(unsigned char *key, const char *text, size_t len)
{
    if (len > 0 && text[len - 1] == '\n')
        len--;
    if (len > 0 && text[len - 1] == '\r')
        len--;
    size_t bytes = 0;
    return len == HEX_DIGITS &&
           sodium_hex2bin(key, KEY_BYTES, text, len, NULL, &bytes, NULL) == 0 && bytes == KEY_BYTES;
}

static tacit_status load_key(unsigned char *key, int fd, const char *path, tacit_error *err)
{
    char text[FILE_ROOM];
    size_t len = 0;
    tacit_status status = check_permissions(fd, path, err);
    if (status == TACIT_OK)
        status = read_text(text, &len, fd, path, err);
    if (status == TACIT_OK && !decode(key, text, len))
        status =
            tacit__error_at(err, TACIT_PARSE, path, 0, 0,
                            "the key file does not hold a key (%d hexadecimal digits); restore "
                            "it, or name a file that does not exist to start with a new key",
                            HEX_DIGITS);
    sodium_memzero(text, sizeof text);
    return status;
}

static tacit_status store_key(const unsigned char *key, int fd, const char *path, tacit_error *err)
{
    char text[HEX_DIGITS + 1];
    sodium_bin2hex(text, sizeof text, key, KEY_BYTES);
    text[HEX_DIGITS] = '\n';
    tacit_status status = tacit__write_at(fd, path, text, sizeof text, 0, err);
    sodium_memzero(text, sizeof text);
    if (status == TACIT_OK && fsync(fd) != 0)
        status = tacit__io(err, path, "cannot write the key file", errno);
    return status;
}

static tacit_status make_key(unsigned char *key, int fd, const char *path, tacit_error *err)
{
    randombytes_buf(key, KEY_BYTES);
    tacit_status status = store_key(key, fd, path, err);
    if (status == TACIT_OK)
        tacit__sync_folder_of(path);
    else
        unlink(path); /* half a key would stop every later run */
    return status;
}

/* The key of the file, which is made where there is none. When another process
 * makes it in between, that one's key is read. */
static tacit_status find_key(unsigned char *key, bool *made, const char *path, tacit_error *err)
{
    *made = false;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 && errno == ENOENT) {
        fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
        *made = fd >= 0;
        if (fd < 0 && errno == EEXIST)
            fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    }
    if (fd < 0)
        return tacit__io(err, path, "cannot open the key file", errno);
    tacit_status status = *made ? make_key(key, fd, path, err) : load_key(key, fd, path, err);
    close(fd);
    return status;
}

/* ---- pseudonyms ---- */

/* The first 100 bits, five to a letter. */
static void encode(char *out, const unsigned char *digest)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz234567";
    for (int i = 0; i < TACIT_PSEUDONYM_LENGTH; i++) {
        int bit = 5 * i;
        unsigned pair = (unsigned)digest[bit / 8] << 8 | digest[bit / 8 + 1];
        out[i] = letters[pair >> (11 - bit % 8) & 31U];
    }
}

tacit_status tacit_pseudonyms_new(tacit_pseudonyms **out, const char *key_file, bool *created,
                                  tacit_error *err)
{
    if (!key_file)
        return tacit__error(err, TACIT_INVALID,
                            "pseudonyms need a key file: write \"key-file: FILE\" in the policy or "
                            "give --key-file FILE; it is made on first use, keep it secret");
    if (sodium_init() < 0)
        return tacit__error(err, TACIT_IO, "the operating system gives no random numbers");
    bool made = false;
    tacit_status status = TACIT_OK;
    tacit_pseudonyms *pseudonyms = tacit__alloc_zeroed(1, sizeof *pseudonyms);
    if (pseudonyms)
        pseudonyms->key = sodium_malloc(KEY_BYTES);
    if (!pseudonyms || !pseudonyms->key)
        status = tacit__nomem(err);
    else
        status = find_key(pseudonyms->key, &made, key_file, err);
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

void tacit_pseudonyms_free(tacit_pseudonyms *pseudonyms)
{
    if (!pseudonyms)
        return;
    sodium_free(pseudonyms->key); /* wipes it, and accepts NULL */
    tacit__free(pseudonyms);
}

size_t tacit_pseudonym(tacit_strview value, char *out, size_t size, const void *pseudonyms)
{
    if (value.len == 0)
        return 0;
    assert(size >= TACIT_PSEUDONYM_LENGTH);
    (void)size;
    const tacit_pseudonyms *held = pseudonyms;
    crypto_generichash_state state;
    unsigned char digest[crypto_generichash_BYTES];
    crypto_generichash_init(&state, held->key, KEY_BYTES, sizeof digest);
    crypto_generichash_update(&state, (const unsigned char *)PREFIX, sizeof PREFIX - 1);
    crypto_generichash_update(&state, (const unsigned char *)value.bytes, value.len);
    crypto_generichash_final(&state, digest, sizeof digest);
    sodium_memzero(&state, sizeof state);
    encode(out, digest);
    return TACIT_PSEUDONYM_LENGTH;
}
