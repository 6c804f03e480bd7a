/*
 * keyfile.c - keyed one-way pseudonyms and the file that holds their key.
 *
 * A pseudonym is BLAKE2b of the value under a 256-bit key, of which the first
 * 100 bits are written in 20 letters and digits of base32. Without the key
 * nobody can tell, even by trying all values there are, whose pseudonym it is;
 * with it, the same person gets the same pseudonym in every table. A fixed
 * prefix keeps these hashes apart from any other use of the key. A value costs
 * two compressions of BLAKE2b, a fraction of a microsecond.
 *
 * The key lives in guarded, locked memory while it is used and never appears in
 * a message. Its file appears whole and never in another's place, so two first runs at
 * once end with one key, and is refused when others than its owner may touch it.
 */
#include "base/keyfile.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"

enum { HEX_DIGITS = 2 * TACIT__KEY_BYTES, FILE_ROOM = HEX_DIGITS + 4 };

_Static_assert(TACIT__KEY_BYTES == crypto_generichash_KEYBYTES, "a key of BLAKE2b");

static const char PREFIX[] = "tacit pseudonym 1:";

tacit_status tacit__key_new(unsigned char **key, tacit_error *err)
{
    if (sodium_init() < 0)
        return tacit__error(err, TACIT_IO, "the operating system gives no random numbers");
    unsigned char *made = sodium_malloc(TACIT__KEY_BYTES);
    if (!made)
        return tacit__nomem(err);
    *key = made;
    return TACIT_OK;
}

void tacit__key_free(unsigned char *key)
{
    sodium_free(key); /* wipes it, and accepts NULL */
}

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
           sodium_hex2bin(key, TACIT__KEY_BYTES, text, len, NULL, &bytes, NULL) == 0 &&
           bytes == TACIT__KEY_BYTES;
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
    sodium_bin2hex(text, sizeof text, key, TACIT__KEY_BYTES);
    text[HEX_DIGITS] = '\n';
    tacit_status status = tacit__write_at(fd, path, text, sizeof text, 0, err);
    sodium_memzero(text, sizeof text);
    return status;
}

/* A file that appears whole or not at all; *taken where another process was first. */
static tacit_status make_key(unsigned char *key, bool *taken, const char *path, tacit_error *err)
{
    tacit_output *output = NULL;
    randombytes_buf(key, TACIT__KEY_BYTES);
    tacit_status status = tacit_output_new_private(&output, path, err);
    if (status == TACIT_OK)
        status = store_key(key, tacit_output_fd(output), path, err);
    if (status == TACIT_OK)
        status = tacit__output_publish(output, taken, err);
    tacit_output_free(output);
    return status;
}

static tacit_status read_key(unsigned char *key, const char *path, tacit_error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return tacit__io(err, path, "cannot open the key file", errno);
    tacit_status status = load_key(key, fd, path, err);
    close(fd);
    return status;
}

tacit_status tacit__key_read(unsigned char *key, bool *made, const char *path, tacit_error *err)
{
    struct stat about;
    bool new = made &&stat(path, &about) != 0 && errno == ENOENT, taken = false;
    tacit_status status = new ? make_key(key, &taken, path, err) : TACIT_OK;
    if (!new || taken)
        status = read_key(key, path, err);
    if (status == TACIT_OK && made)
        *made = new && !taken;
    return status;
}

/* ---- pseudonyms ---- */

/* The first 100 bits, five to a letter. */
static void encode(char *out, const unsigned char *digest)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz234567";
    for (int i = 0; i < TACIT__PSEUDONYM_LENGTH; i++) {
        int bit = 5 * i;
        unsigned pair = (unsigned)digest[bit / 8] << 8 | digest[bit / 8 + 1];
        out[i] = letters[pair >> (11 - bit % 8) & 31U];
    }
}

void tacit__pseudonym(char out[TACIT__PSEUDONYM_LENGTH], tacit_strview value,
                      const unsigned char *key)
{
    crypto_generichash_state state;
    unsigned char digest[crypto_generichash_BYTES];
    crypto_generichash_init(&state, key, TACIT__KEY_BYTES, sizeof digest);
    crypto_generichash_update(&state, (const unsigned char *)PREFIX, sizeof PREFIX - 1);
    crypto_generichash_update(&state, (const unsigned char *)value.bytes, value.len);
    crypto_generichash_final(&state, digest, sizeof digest);
    sodium_memzero(&state, sizeof state);
    encode(out, digest);
}
