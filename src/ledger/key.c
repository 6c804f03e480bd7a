/*
 * key.c - the key of a ledger: 32 random bytes in a file that its owner alone may read.
 *
 * It appears whole or not at all, since half a key would stop every later run. Whoever loses it can
 * recall nothing; whoever has it and the entries can test guesses. Called under the ledger's lock,
 * which somebody may have removed: a key never takes the place of another, or the entries made with
 * that one would be lost.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "ledger/ledger.h"

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

static tacit_status load(unsigned char *key, int fd, const char *path, tacit_error *err)
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
    tacit_status status = load(key, fd, path, err);
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
