/*
 * key.c - the key of replacements that are the same for ever, and the file that holds it:
 * 32 bytes, or as many in hexadecimal digits as --new-key and the policy's key-file write them.
 * Who has it can try who is behind a made-up name, so nobody but its owner may read the file.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "engine/job/files.h"
#include "engine/job/kinds.h"
#include "engine/text/work.h"

enum { DIGITS = 2 * TACIT_TEXT_KEY_BYTES, ROOM = DIGITS + 4 };

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 32);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool decode(uint8_t *key, const char *text, size_t len)
{
    if (len == TACIT_TEXT_KEY_BYTES) {
        memcpy(key, text, len);
        return true;
    }
    while (len > DIGITS && (text[len - 1] == '\n' || text[len - 1] == '\r'))
        len--;
    for (size_t i = 0; len == DIGITS && i < DIGITS; i += 2) {
        int high = digit(text[i]), low = digit(text[i + 1]);
        if (high < 0 || low < 0)
            return false;
        key[i / 2] = (uint8_t)(16 * high + low);
    }
    return len == DIGITS;
}

static tacit_status check_owner(int fd, const char *path, tacit_error *err)
{
    struct stat about;
    if (fstat(fd, &about) != 0 || !S_ISREG(about.st_mode))
        return tacit__error(err, TACIT_INVALID, "%s: the key file is no regular file", path);
    if (about.st_mode & (S_IRWXG | S_IRWXO))
        return tacit__error(
            err, TACIT_INVALID,
            "%s: others than the owner may read or write the key file (mode %03o); if "
            "nobody has seen it, run: chmod 600 '%s'",
            path, (unsigned)about.st_mode & 0777U, path);
    return TACIT_OK;
}

tacit_status engine_scrub_key_read(uint8_t *key, const char *path, tacit_error *err)
{
    char text[ROOM];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return tacit__error(
            err, TACIT_IO, "%s: cannot open the key file: %s; tacit scrub --new-key FILE makes one",
            path, strerror(errno));
    tacit_status status = check_owner(fd, path, err);
    ssize_t len = status == TACIT_OK ? read(fd, text, sizeof text) : 0;
    if (status == TACIT_OK && (len < 0 || !decode(key, text, (size_t)len)))
        status =
            tacit__error(err, TACIT_PARSE,
                         "%s: the file does not hold a key: %d bytes, or %d hexadecimal digits",
                         path, TACIT_TEXT_KEY_BYTES, DIGITS);
    explicit_bzero(text, sizeof text);
    close(fd);
    return status;
}

static tacit_status write_key(int fd, const char *path, const uint8_t *key, tacit_error *err)
{
    static const char HEX[] = "0123456789abcdef";
    char text[DIGITS + 1];
    for (int i = 0; i < TACIT_TEXT_KEY_BYTES; i++) {
        text[2 * i] = HEX[key[i] >> 4];
        text[2 * i + 1] = HEX[key[i] & 15];
    }
    text[DIGITS] = '\n';
    tacit_status status = engine_write_all(fd, path, text, sizeof text, err);
    if (status == TACIT_OK && fsync(fd) != 0)
        status = tacit__error(err, TACIT_IO, "%s: cannot write: %s", path, strerror(errno));
    explicit_bzero(text, sizeof text);
    return status;
}

static tacit_status make_key(const char *path, engine_session *session)
{
    tacit_error *err = &session->error;
    tacit_run fresh;
    tacit_run_init(&fresh);
    tacit_status status = tacit_run_seed_random(&fresh, err);
    if (status != TACIT_OK)
        return status;
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0 && errno == EEXIST)
        return tacit__error(err, TACIT_INVALID,
                            "%s exists, and a key that is replaced is lost; give another name",
                            path);
    if (fd < 0)
        return tacit__error(err, TACIT_IO, "%s: cannot create: %s", path, strerror(errno));
    status = write_key(fd, path, fresh.seed, err);
    close(fd);
    explicit_bzero(&fresh, sizeof fresh);
    if (status != TACIT_OK)
        unlink(path);
    else
        engine_say(session,
                   "%s: a new key. Anyone who has it can test who is behind a made-up name; "
                   "without it nobody can, and nothing made with it can be reproduced",
                   path);
    return status;
}

/* ---- --new-key ---- */

typedef struct key_job {
    engine_session *session;
} key_job;

static tacit_status commit_key(void *state)
{
    engine_session *session = ((key_job *)state)->session;
    return make_key(engine_value(session->settings, "new-key"), session);
}

const engine_kind engine_scrub_new_key = {
    .name = "scrub",
    .size = sizeof(key_job),
    .commit = commit_key,
};
